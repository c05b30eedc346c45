"""Names of words that are together, and topics whose words are not."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from orrery.core.data.corpus import evenly_spaced
from orrery.core.model.graph import build_graph
from orrery.core.model.network import build_network
from orrery.core.model.overlay import Overlay
from orrery.core.model.topic_names import MIN_COHERENCE, WordPairs, name_topics
from orrery.core.storage.models import load_model, save_model
from tests.core.storage.test_models import RECIPE
from tests.random_networks import corpus_of_sets, several

VOCABULARY = ("price", "market", "profit", "share", "like", "want", "make", "going")
PADDING = tuple(f"filler{chr(ord('a') + number)}" for number in range(40))


@several
@given(st.lists(st.sets(st.integers(0, 5), min_size=1), min_size=1, max_size=12))
def test_pairs_of_texts_of_one_length_have_the_npmi_of_independence(sets):
    length = max(map(len, sets))
    # Other words make all texts equally long.
    filled = [{*words, *range(6, 6 + length - len(words))} for words in sets]
    found = WordPairs(corpus_of_sets(filled, 12)).npmi(np.arange(3))
    for one, other in ((0, 1), (0, 2), (1, 2)):
        alone = [sum(word in text for text in filled) / len(filled) for word in (one, other)]
        joint = sum({one, other} <= text for text in filled) / len(filled)
        if 0.0 in alone or 1.0 in alone:
            continue
        joint = max(joint, 0.5 / len(filled))
        expected = math.log(joint / (alone[0] * alone[1])) / -math.log(joint)
        assert found[one, other] == found[other, one] == pytest.approx(expected, abs=1e-6)


@several
@given(
    st.lists(st.sets(st.integers(0, 7), min_size=1), min_size=1, max_size=30),
    st.integers(1, 40),
)
@example([{0, 1}] * 9 + [{2, 3}], 40)
def test_the_npmi_is_in_its_range_whichever_documents_are_counted(sets, most):
    corpus = corpus_of_sets(sets, 8)
    with pytest.MonkeyPatch.context() as changed:
        changed.setattr("orrery.core.model.topic_names.MAX_DOCUMENTS", most)
        found = WordPairs(corpus).npmi(np.arange(8))
    assert np.abs(found).max() <= 1.0
    counted = corpus.to_csr()[evenly_spaced(np.arange(len(sets)), most)].sum(axis=0)
    # A word in none of the counted documents says nothing about any other.
    assert not found[counted == 0].any()
    assert not found[:, counted == 0].any()


def test_words_that_only_long_texts_share_are_not_together():
    rng = np.random.default_rng(0)
    lengths = rng.choice([20, 300], 2_000, p=[0.8, 0.2])
    sets = [set(np.flatnonzero(rng.random(400) < 1 - np.exp(-n / 400)).tolist()) for n in lengths]
    corpus = corpus_of_sets(sets, 400)
    found = WordPairs(corpus).npmi(np.arange(30))[np.triu_indices(30, 1)]
    share = corpus.document_frequency() / corpus.n_documents
    presence = corpus.to_csr()[:, :30].toarray()
    joint = (presence.T @ presence / len(sets))[np.triu_indices(30, 1)]
    expected = np.outer(share[:30], share[:30])[np.triu_indices(30, 1)]
    by_frequency = np.log(joint / expected) / -np.log(joint)
    assert by_frequency.mean() > 0.2
    assert abs(found.mean()) < 0.06


def a_corpus():
    """Texts on prices, and general words that are in any text."""
    rng = np.random.default_rng(1)
    sets = []
    for _ in range(600):
        is_on = rng.random() < 0.2
        own = (rng.random(4) < (0.6 if is_on else 0.02)).nonzero()[0]
        general = 4 + (rng.random(4) < 0.4).nonzero()[0]
        padding = 8 + rng.choice(40, 8, replace=False)
        sets.append({*own.tolist(), *general.tolist(), *padding.tolist()})
    return replace(corpus_of_sets(sets, 48), vocabulary=VOCABULARY + PADDING)


def a_network():
    """A topic of prices that "like" dominates, and one of general words."""
    words = {0: {0: 0.7, 1: 0.6, 2: 0.5, 4: 2.0}, 1: {4: 0.8, 5: 0.7, 6: 0.6, 7: 0.5}}
    edges = [(topic, 2 + word, w) for topic, own in words.items() for word, w in own.items()]
    parents, children, weights = zip(*edges, strict=True)
    graph, order = build_graph(48, ["prices", "general"], parents, children)
    return build_network(graph, np.array(weights)[order], np.full(graph.n_nodes, 0.05))


def test_a_name_has_words_that_are_together():
    network, vocabulary = a_network(), VOCABULARY + PADDING
    alone = name_topics(network, vocabulary)
    assert "like" in alone.labels[0]
    assert alone.coherence == [None, None]
    names = name_topics(network, vocabulary, pairs=WordPairs(a_corpus()))
    assert names.labels[0] == "price · market · profit"
    assert names.coherence[0] > MIN_COHERENCE > names.coherence[1]
    # "like" lowers the mean with the top words, but the three words of the name are together.
    pairs = WordPairs(a_corpus())
    top_words = pairs.npmi(np.array([0, 1, 2, 4]))[np.triu_indices(3, 1, 4)].mean()
    of_name = pairs.npmi(np.array([0, 1, 2]))[np.triu_indices(3, 1)].mean()
    assert names.coherence[0] == pytest.approx(max(of_name, top_words))
    assert of_name > top_words
    kept = name_topics(network, vocabulary, {"general"}, WordPairs(a_corpus()))
    assert kept.labels[1] == "general"
    assert kept.coherence[1] is None


def test_short_texts_have_no_coherence():
    sets = [{0, 1, 2}, {0, 1}, {4, 5}] * 50
    corpus = replace(corpus_of_sets(sets, 48), vocabulary=VOCABULARY + PADDING)
    names = name_topics(a_network(), corpus.vocabulary, pairs=WordPairs(corpus))
    assert names.coherence == [None, None]


def test_topics_without_words_that_are_together_are_set_aside(tmp_path):
    save_model(
        *(tmp_path / "m", a_network(), VOCABULARY + PADDING, RECIPE, {}),
        pairs=WordPairs(a_corpus()),
    )
    model = load_model(tmp_path / "m")
    assert model.unclear_topics == model.set_aside_topics == {1}
    assert model.unlinked_topics == {1}
    assert model.hidden_topics == frozenset()
    assert model.displayed_topics == [0, 1]
    # A topic that a person has named is a topic like the others.
    assert model.with_overlay(Overlay({"general": "talk"})).set_aside_topics == frozenset()
    # There are always topics that are not set aside.
    assert replace(model, coherence=(0.0, 0.0)).set_aside_topics == frozenset()
    assert replace(model, coherence=None).set_aside_topics == frozenset()
    # One that a person has named does not make all others unclear, and a hidden one stays unclear.
    named = replace(model, coherence=(0.0, 0.0)).with_overlay(Overlay({"general": "talk"}))
    assert named.unclear_topics == frozenset()
    hidden = model.with_overlay(Overlay(hidden=("general",)))
    assert hidden.unclear_topics == {1}
    assert hidden.set_aside_topics == frozenset()
