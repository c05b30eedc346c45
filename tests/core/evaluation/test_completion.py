"""Completion: a fair question, a rank that equals the loops, whatever the company."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

import orrery.core.evaluation.completion
from orrery.core.evaluation.completion import (
    HiddenWords,
    baseline_ranks,
    complete,
    draw_documents,
    hide_words,
    mean_reciprocal_rank,
    model_ranks,
    recall_of_ten,
    word_activations,
)
from orrery.core.inference.infer import infer_activations
from tests.core.evaluation.planted import planted
from tests.random_networks import corpus_of_sets, plain_network, problems, sampled_corpus, several


def drawn(seed=0, n_documents=60):
    """A network, documents from it, and the rows of those with at least two words."""
    rng = np.random.default_rng(seed)
    network = plain_network(rng, n_topics=5, n_tokens=9)
    corpus = sampled_corpus(network, n_documents, rng)
    return network, corpus, np.flatnonzero(np.diff(corpus.token_ptr) >= 2)


def test_one_word_is_taken_and_the_rest_stays():
    _, corpus, rows = drawn()
    hidden = hide_words(corpus, rows, seed=3)
    for position, row in enumerate(rows):
        rest = set(hidden.rest.tokens_of(position).tolist())
        assert len(rest) == len(corpus.tokens_of(row)) - 1
        assert rest | {hidden.word[position]} == set(corpus.tokens_of(row).tolist())


def test_every_word_is_hidden_as_often():
    corpus = corpus_of_sets([{1, 4, 6}] * 3000, 8)
    hidden = hide_words(corpus, np.arange(3000), seed=0)
    # Four standard errors of a share of a third.
    shares = np.bincount(hidden.word, minlength=8) / 3000
    np.testing.assert_allclose(shares[[1, 4, 6]], 1 / 3, atol=4 * np.sqrt(2 / 9 / 3000))
    assert (hide_words(corpus, np.arange(3000), seed=1).word != hidden.word).any()


def test_order_of_the_documents_does_not_matter():
    network, corpus, rows = drawn()
    order = np.random.default_rng(1).permutation(len(rows))
    first, second = (hide_words(corpus, some, seed=2) for some in (rows, rows[order]))
    assert (second.word == first.word[order]).all()
    ranks = model_ranks(network, first)
    assert (model_ranks(network, second) == ranks[order]).all()
    assert (draw_documents(corpus, rows[order], 2) == draw_documents(corpus, rows, 2)).all()
    everything = np.arange(corpus.n_documents)
    reversed_rows = complete(network, corpus, everything[::-1], 2)
    for one, other in zip(reversed_rows, complete(network, corpus, everything, 2), strict=True):
        assert (one == other).all()


def test_every_word_of_few_documents_is_hidden_once():
    _, corpus, rows = drawn()
    again = draw_documents(corpus, np.arange(corpus.n_documents), seed=0)
    hidden = hide_words(corpus, again, seed=0)
    requested = sorted(zip(again.tolist(), hidden.word.tolist(), strict=True))
    every = [(row, token) for row in rows.tolist() for token in corpus.tokens_of(row).tolist()]
    assert requested == sorted(every)
    for position, row in enumerate(again):
        rest = set(hidden.rest.tokens_of(position).tolist())
        assert rest | {hidden.word[position]} == set(corpus.tokens_of(row).tolist())


def test_the_drawn_documents_are_the_first_of_a_shuffle(monkeypatch):
    network, corpus, rows = drawn()
    everything = np.arange(corpus.n_documents)
    shuffled = draw_documents(corpus, everything, seed=0)[: len(rows)]
    assert sorted(shuffled.tolist()) == rows.tolist()
    assert shuffled.tolist() != rows.tolist()
    assert draw_documents(corpus, everything, seed=1).tolist() != shuffled.tolist()
    monkeypatch.setattr(orrery.core.evaluation.completion, "MAX_WORDS", 10)
    assert (draw_documents(corpus, everything, seed=0) == shuffled[:10]).all()
    # A document keeps its place when others leave.
    some = np.delete(everything, shuffled[:3])
    assert (draw_documents(corpus, some, seed=0) == shuffled[3:13]).all()
    of_ten = model_ranks(network, hide_words(corpus, shuffled[:10], 0))
    assert complete(network, corpus, everything, 0).ranks == pytest.approx(of_ten)


@several
@given(problems())
def test_ranks_equal_the_loops(problem):
    network, n_tokens = problem.network, problem.network.graph.n_tokens
    sets = [set(np.flatnonzero(problem.rng.random(n_tokens) < 0.6).tolist()) for _ in range(5)]
    sets = [tokens for tokens in sets if len(tokens) >= 2]
    if not sets:
        return
    corpus = corpus_of_sets(sets, n_tokens)
    hidden = hide_words(corpus, np.arange(len(sets)), seed=0)
    activations = infer_activations(network, hidden.rest)
    tables = [table for _, table in word_activations(network, activations)]
    activation = np.concatenate(tables, axis=1)
    counts = problem.rng.integers(0, 3, n_tokens).astype(float)
    for row, (ours, control) in enumerate(
        zip(model_ranks(network, hidden), baseline_ranks(counts, hidden), strict=True)
    ):
        rest = set(hidden.rest.tokens_of(row).tolist())
        assert ours == rank(-activation[:, row], rest, hidden.word[row])
        assert control == rank(-counts, rest, hidden.word[row])


def rank(scores, rest, word):
    """Mean place of all words with the score of this one in the sorted list of candidates."""
    candidates = sorted(score for token, score in enumerate(scores) if token not in rest)
    places = [place for place, score in enumerate(candidates, 1) if score == scores[word]]
    return sum(places) / len(places)


def test_which_word_is_hidden_does_not_show_in_the_ranks():
    """Asked about one after the other, the candidates take all ranks, each once."""
    network, corpus, rows = drawn(4)
    hidden = hide_words(corpus, rows[:20], seed=0)
    for row in range(20):
        rest = hidden.rest.tokens_of(row)
        candidates = np.setdiff1d(np.arange(corpus.n_tokens), rest)
        same_rest = hidden.rest.subset(np.full(len(candidates), row))
        ranks = model_ranks(network, HiddenWords(same_rest, candidates))
        assert sorted(ranks) == list(range(1, len(candidates) + 1))


def test_a_planted_theme_is_recognised():
    network, corpus = planted()
    rows = np.arange(0, corpus.n_documents, 2)
    found = complete(network, corpus, rows, seed=0)
    # The words of a theme are exchangeable: the hidden one is at a random rank among ten, which
    # gives a mean of 0.29, except for words that occur by leak.
    assert mean_reciprocal_rank(found.ranks) > 0.2
    assert recall_of_ten(found.ranks) > 0.6
    assert mean_reciprocal_rank(found.baseline) < 0.12
    assert recall_of_ten(found.baseline) < 0.3


def test_documents_of_one_word_cannot_be_completed():
    network, corpus, _ = drawn()
    short = np.flatnonzero(np.diff(corpus.token_ptr) < 2)
    assert len(short)
    for ranks in complete(network, corpus, short, 0):
        assert len(ranks) == 0
        assert mean_reciprocal_rank(ranks) is None
        assert recall_of_ten(ranks) is None


def test_the_baseline_does_not_see_the_documents():
    network, corpus, rows = drawn()
    words = [set(corpus.tokens_of(row).tolist()) for row in range(corpus.n_documents)]
    held_out = rows[:8]
    for row in held_out:
        words[row] = {0, 8}
    other = replace(corpus_of_sets(words, corpus.n_tokens), documents=corpus.documents)
    first, second = (complete(network, some, held_out, 0) for some in (corpus, other))
    assert mean_reciprocal_rank(first.baseline) != mean_reciprocal_rank(second.baseline)
    others = np.setdiff1d(np.arange(corpus.n_documents), held_out)
    counts = corpus.subset(others).document_frequency()
    hidden = hide_words(other, draw_documents(other, held_out, 0), 0)
    assert (second.baseline == baseline_ranks(counts.astype(float), hidden)).all()
