"""Agreement with labels equals plain loops, and has the bounds and symmetries of its measures."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from dataclasses import asdict

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from orrery.core.evaluation.clusters import cluster_figures, labelled_rows, purity
from orrery.core.utils.errors import InputError
from tests.random_networks import corpus_of_sets, several

pairs = st.lists(st.tuples(st.integers(-1, 3), st.sampled_from("abc")), min_size=1, max_size=14)
MEASURES = ("purity", "nmi", "p1", "ari")


def figures(table, seed=0):
    clusters, labels = zip(*table, strict=True)
    return asdict(cluster_figures(np.array(clusters), np.array(labels, object), seed=seed))


def pure(firsts, seconds):
    total = 0
    for one in set(firsts):
        mine = [b for a, b in zip(firsts, seconds, strict=True) if a == one]
        total += Counter(mine).most_common(1)[0][1]
    return total / len(firsts)


def entropy(values):
    return -sum(n / len(values) * math.log(n / len(values)) for n in Counter(values).values())


def nmi(firsts, seconds):
    mean = (entropy(firsts) + entropy(seconds)) / 2
    joint = entropy(list(zip(firsts, seconds, strict=True)))
    # By convention two trivial partitions agree, and a trivial one with any other does not.
    if mean == 0.0:
        return 1.0
    return (entropy(firsts) + entropy(seconds) - joint) / mean


def ari(firsts, seconds):
    """Adjusted Rand index by enumeration of all pairs of documents."""
    together = [
        (firsts[i] == firsts[j], seconds[i] == seconds[j])
        for i, j in itertools.combinations(range(len(firsts)), 2)
    ]
    both = sum(a and b for a, b in together)
    one, other = (sum(pair[side] for pair in together) for side in (0, 1))
    if not together or one == other == both:
        return 1.0
    expected = one * other / len(together)
    return (both - expected) / ((one + other) / 2 - expected)


@several
@example([(0, "a")])
@example([(0, "a"), (0, "b")])
@example([(-1, "a"), (0, "a"), (0, "b"), (1, "b")])
@given(pairs)
def test_every_measure_equals_plain_loops(table):
    clusters, labels = zip(*table, strict=True)
    found = figures(table)
    p, inverse = pure(clusters, labels), pure(labels, clusters)
    assert found["labelled"] == len(table)
    assert found["clusters"] == len(set(clusters))
    assert found["purity"] == pytest.approx(p)
    assert found["p1"] == pytest.approx(2 / (1 / p + 1 / inverse))
    assert found["nmi"] == pytest.approx(nmi(clusters, labels), abs=1e-9)
    assert found["ari"] == pytest.approx(ari(clusters, labels), abs=1e-9)


@several
@given(pairs, st.permutations([-1, 0, 1, 2, 3]), st.randoms(use_true_random=False))
def test_names_and_order_do_not_matter_and_bounds_hold(table, names, random):
    renamed = [(names[cluster + 1], label.upper()) for cluster, label in table]
    random.shuffle(renamed)
    before, after = figures(table), figures(renamed)
    for key in MEASURES:
        assert after[key] == pytest.approx(before[key], abs=1e-9)
    for key in ("purity", "nmi", "p1"):
        assert -1e-9 <= before[key] <= 1.0 + 1e-9
        assert -1e-9 <= before[f"{key}_chance"] <= 1.0 + 1e-9
    most_frequent = max(Counter(label for _, label in table).values()) / len(table)
    assert min(before["purity"], before["purity_chance"]) >= most_frequent - 1e-9


def test_perfect_clusters_are_far_above_chance_and_random_ones_are_not():
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 4, 600)
    perfect, noise = (
        cluster_figures(labels, labels),
        cluster_figures(rng.permutation(labels), labels),
    )
    assert perfect.purity == perfect.p1 == 1.0
    assert perfect.nmi == perfect.ari == pytest.approx(1.0)
    assert perfect.purity_chance < 0.35
    for key in MEASURES:
        assert getattr(noise, key) == pytest.approx(getattr(noise, f"{key}_chance"), abs=0.03)


def test_purity_grows_with_the_number_of_clusters_and_so_does_chance():
    labels = np.random.default_rng(1).integers(0, 3, 90)
    few, many = cluster_figures(np.arange(90) % 3, labels), cluster_figures(np.arange(90), labels)
    assert purity(np.arange(90), labels) == 1.0
    assert many.purity_chance == 1.0 > few.purity_chance


def test_documents_without_a_label_are_left_out_and_a_wrong_column_is_refused():
    corpus = corpus_of_sets([{0}, {1}, {0}, {1}], 2)
    table = corpus.documents.assign(label=["x", None, "", "y"], kind=pd.array([1, 1, 1, 1]))
    corpus = type(corpus)(**{**vars(corpus), "documents": table})
    rows, labels = labelled_rows(corpus, np.array([3, 1, 0, 2]))
    assert rows.tolist() == [3, 0]
    assert labels.tolist() == ["y", "x"]
    with pytest.raises(InputError, match="no column 'theme'; choose one of id,"):
        labelled_rows(corpus, np.arange(4), "theme")
    with pytest.raises(InputError, match="1 different label"):
        labelled_rows(corpus, np.arange(4), "kind")
