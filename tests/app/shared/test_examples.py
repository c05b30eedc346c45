"""Words of two senses: the best are found without a look at every pair of topics."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from orrery.app.shared import examples
from orrery.app.shared.examples import MIN_SHARE, SUBTREE_LINK, word_scores
from orrery.app.workspace.catalog import SAMPLE_DATA
from orrery.core.model.network import weight_to_probability
from orrery.core.storage.runs import load_run
from tests.app.toy import toy_run

SAMPLE = load_run(SAMPLE_DATA / "run")


def best_of_all(run):
    """The best pair of senses of each word, by a look at every pair."""
    words, found = word_scores(run), []
    for token, word in enumerate(run.vocabulary):
        senses = [sense for sense in words.senses_of(token) if sense[1] >= MIN_SHARE]
        pairs = [examples._senses(words, token, pair) for pair in combinations(senses, 2)]
        scored = [pair for pair in pairs if pair is not None]
        if scored and len(word) >= 3 and word.isalpha():
            found.append(max(scored, key=lambda pair: pair.score))
    return sorted(found, key=lambda pair: -pair.score)


@pytest.mark.parametrize("run", [toy_run(), SAMPLE], ids=["toy", "sample"])
@pytest.mark.parametrize(("tried", "at_once"), [(5, 1), (5, 7), (60, 1000)])
def test_no_pair_that_was_passed_over_scores_more(run, tried, at_once, monkeypatch):
    monkeypatch.setattr(examples, "TRIED_WORDS", tried)
    monkeypatch.setattr(examples, "TRIED_AT_ONCE", at_once)
    assert examples._candidates(word_scores(run)) == best_of_all(run)[:tried]


def test_most_pairs_are_passed_over(monkeypatch):
    looked_at, senses = [], examples._senses
    monkeypatch.setattr(examples, "TRIED_WORDS", 5)
    monkeypatch.setattr(examples, "TRIED_AT_ONCE", 10)
    monkeypatch.setattr(
        examples, "_senses", lambda *requested: looked_at.append(requested) or senses(*requested)
    )
    words = word_scores(SAMPLE)
    examples._candidates(words)
    assert len(looked_at) < words.pairs().shape[1] / 2


def test_the_subtree_of_a_topic_is_where_its_strongest_links_lead():
    network = SAMPLE.network
    strength, ends = weight_to_probability(network.weight), network.graph.parent_ptr
    for topic, subtree_root in enumerate(word_scores(SAMPLE).subtree_root.tolist()):
        top = topic
        while strength[ends[top] : ends[top + 1]].max(initial=0.0) >= SUBTREE_LINK:
            strongest = np.argmax(strength[ends[top] : ends[top + 1]])
            top = int(network.graph.parents(top)[strongest])
        assert subtree_root == top


def test_topic_words_are_kept_until_people_hide_a_topic():
    words = word_scores(SAMPLE)
    assert word_scores(SAMPLE) is words
    hidden = replace(SAMPLE, overlay=replace(SAMPLE.overlay, hidden=SAMPLE.network.graph.topic_ids))
    assert word_scores(hidden) is not words
    assert word_scores(hidden).is_hidden.all()
