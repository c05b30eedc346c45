"""Classification: planted labels are predicted, shuffled ones are not, and odd labels are
harmless.
"""

from __future__ import annotations

import warnings
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import orrery.core.evaluation.classification
from orrery.core.evaluation.classification import STRENGTHS, classify, features, standardise
from orrery.core.inference.infer import infer_activations
from orrery.core.model.graph import build_graph
from orrery.core.model.network import build_network
from orrery.core.utils.errors import InputError
from tests.core.evaluation.planted import THEMES, planted
from tests.random_networks import several

TRAIN, TEST = np.arange(250), np.arange(250, 400)


def relabelled(corpus, labels):
    """The corpus with other labels."""
    return replace(corpus, documents=corpus.documents.assign(label=labels))


@several
@given(st.integers(0, 2**32 - 1), st.integers(1, 6))
def test_rows_are_standardised_one_by_one(seed, n_topics):
    rng = np.random.default_rng(seed)
    dense = rng.random((6, n_topics)) * (rng.random((6, n_topics)) < 0.6)
    # A sum of such numbers is not a multiple of one of them.
    dense[0] = 0.1
    table = standardise(dense)
    for ours, row in zip(table, dense, strict=True):
        if len(set(row)) == 1:
            assert (ours == 0.0).all()
            continue
        mean = sum(row) / n_topics
        deviation = (sum((value - mean) ** 2 for value in row) / n_topics) ** 0.5
        np.testing.assert_allclose(ours, (row - mean) / deviation, rtol=1e-9, atol=1e-9)


def test_features_are_the_activations_of_the_rows_in_their_order():
    network, corpus = planted()
    rows = np.array([5, 0, 7])
    table = features(network, corpus, rows)
    closed = infer_activations(network, corpus).toarray()[rows]
    assert table.shape == (3, len(THEMES))
    assert (table.argmax(axis=1) == closed.argmax(axis=1)).all()
    np.testing.assert_allclose(table, standardise(closed))


def test_planted_labels_are_predicted_and_shuffled_ones_are_not():
    network, corpus = planted()
    outcome = classify(network, corpus, TRAIN, TEST, seed=0)
    assert outcome.accuracy > 0.95
    assert outcome.c in STRENGTHS
    labels = corpus.documents["label"].to_numpy()
    names, counts = np.unique(labels[TRAIN], return_counts=True)
    assert outcome.majority == (labels[TEST] == names[counts.argmax()]).mean()
    shuffled = relabelled(corpus, np.random.default_rng(1).permutation(labels))
    # A quarter, within four standard errors of 150 documents.
    leak = classify(network, shuffled, TRAIN, TEST, seed=0).accuracy
    assert leak == pytest.approx(0.25, abs=0.15)


def test_the_same_seed_gives_the_same_figures():
    network, corpus = planted()
    labels = np.random.default_rng(1).permutation(corpus.documents["label"].to_numpy())
    corpus = relabelled(corpus, labels)
    first = classify(network, corpus, TRAIN, TEST, seed=0)
    assert classify(network, corpus, TRAIN, TEST, seed=0) == first
    assert any(classify(network, corpus, TRAIN, TEST, seed=seed) != first for seed in range(1, 6))


def test_documents_without_a_label_are_left_out():
    network, corpus = planted()
    labels = corpus.documents["label"].to_numpy(dtype=object)
    kept = np.setdiff1d(np.arange(400), np.arange(0, 400, 3))
    blank = labels.copy()
    blank[::3] = None
    blank[6] = float("nan")
    for seed in (0, 1):
        ours = classify(network, relabelled(corpus, blank), TRAIN, TEST, seed=seed)
        expected = classify(
            network, corpus, np.intersect1d(TRAIN, kept), np.intersect1d(TEST, kept), seed=seed
        )
        assert ours == expected


def test_rare_labels_do_no_harm_and_make_no_noise():
    network, corpus = planted()
    labels = corpus.documents["label"].to_numpy(dtype=object).copy()
    labels[[0, 3, 390]] = ["rare in training", "rare too", "only held out"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        outcome = classify(network, relabelled(corpus, labels), TRAIN, TEST, seed=0)
    assert outcome.accuracy > 0.95


def test_tables_are_no_larger_than_allowed(monkeypatch):
    network, corpus = planted()
    sizes = []
    monkeypatch.setattr(orrery.core.evaluation.classification, "MAX_FEATURES", 100 * len(THEMES))

    def measured(*given):
        sizes.append(len(given[2]))
        return features(*given)

    monkeypatch.setattr(orrery.core.evaluation.classification, "features", measured)
    outcome = classify(network, corpus, TRAIN, TEST, seed=0)
    assert sizes == [100, 100, 50]
    assert outcome.accuracy > 0.95


def test_what_cannot_be_classified_is_refused():
    network, corpus = planted()
    labels = corpus.documents["label"].to_numpy(dtype=object)
    unlabelled = relabelled(corpus, [None] * 400)
    with pytest.raises(InputError, match="import it with --label-column, or leave out --classify"):
        classify(network, unlabelled, TRAIN, TEST, seed=0)
    four = np.concatenate([np.flatnonzero(labels == name)[:4] for name in THEMES])
    with pytest.raises(InputError, match="two that have 5 training documents each"):
        classify(network, corpus, four, TEST, seed=0)
    with pytest.raises(InputError, match="too few labels to learn from"):
        classify(network, relabelled(corpus, ["same"] * 400), TRAIN, TEST, seed=0)
    with pytest.raises(InputError, match="no held-out document has a label; hold more out"):
        classify(network, corpus, TRAIN, np.array([], np.int64), seed=0)
    graph, _ = build_graph(corpus.n_tokens, [], [], [])
    barren = build_network(graph, [], np.full(corpus.n_tokens, 0.1))
    with pytest.raises(InputError, match="the model has no topics to classify by"):
        classify(barren, corpus, TRAIN, TEST, seed=0)
