"""Measures of a hierarchy equal plain loops over parents, children and words."""

from __future__ import annotations

import math
from dataclasses import asdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from orrery.core.evaluation.coherence import top_words
from orrery.core.evaluation.hierarchy import (
    MEASURES,
    MIN_PROBABILITY,
    TOP_WORDS,
    hierarchy_figures,
    specialisation,
    topic_tree,
    uniqueness,
)
from orrery.core.model.labels import reach
from orrery.core.model.network import network_of_edges
from tests.random_networks import problems, random_network, several

WORDS = [f"w{token}" for token in range(40)]


def mean(values):
    return sum(values) / len(values) if values else None


def naive_pair(presence, first, second):
    """Scores of all pairs of words of a parent and a child, as TraCo lists them."""
    n, scores = len(presence), []
    for a in first:
        for b in second:
            if a in second or b in first:
                continue
            one, other = presence[:, a].mean(), presence[:, b].mean()
            joint = (presence[:, a] & presence[:, b]).sum() / n
            if joint == 1.0:
                scores.append(1.0)
            elif one == 0.0 or other == 0.0:
                scores.append(0.0)
            else:
                joint += 1e-10
                scores.append(math.log(joint / (one * other)) / -math.log(joint))
    return scores + [-1.0] * len(set(first) & set(second)) ** 2


def naive(network, presence):
    """Every measure by layer of the parents."""
    words = [own.tolist() for own in top_words(network, WORDS, TOP_WORDS)]
    graph = network.graph
    height = graph.heights()[: graph.n_topics]
    links = [
        (int(parent), int(child))
        for parent, child, weight in zip(
            graph.parent_idx, graph.edge_children(), network.weight, strict=True
        )
        if child < graph.n_topics and 1.0 - math.exp(-weight) >= MIN_PROBABILITY
    ]
    reached = reach(network).toarray()

    def different(a, b):
        once = [word for word in words[a] + words[b] if (words[a] + words[b]).count(word) == 1]
        return len(once) / len(words[a] + words[b]) if words[a] + words[b] else 0.0

    def cosine(a, b):
        size = np.linalg.norm(reached[a]) * np.linalg.norm(reached[b])
        return reached[a] @ reached[b] / size if size else 0.0

    found = {key: {} for key in MEASURES}
    for layer in sorted({int(height[parent]) for parent, _ in links}):
        here = [(parent, child) for parent, child in links if height[parent] == layer]
        scores, far, groups = [], [], []
        for parent in sorted({parent for parent, _ in here}):
            own = [child for one, child in here if one == parent]
            layers = {height[child] for child in own}
            far += [
                different(parent, other)
                for other in range(graph.n_topics)
                if height[other] in layers and other not in own
            ]
            together = [word for child in own for word in words[child]]
            if len(own) > 1:
                groups.append(
                    sum(together.count(word) == 1 for word in together) / len(together)
                    if together
                    else 0.0
                )
        for parent, child in here:
            scores += naive_pair(presence, words[parent], words[child])
        values = {
            "pcc": mean(scores),
            "pcd": mean([different(*link) for link in here]),
            "pncd": mean(far),
            "sibling_diversity": mean(groups),
            "affinity": mean([cosine(*link) for link in here]),
        }
        for key, value in values.items():
            if value is not None:
                found[key][layer] = value
    return found


@several
@given(problems(most_topics=7), st.integers(0, 10_000))
def test_every_measure_equals_plain_loops(problem, seed):
    network = problem.network
    presence = np.random.default_rng(seed).random((25, network.graph.n_tokens)) < 0.4
    names = WORDS[: network.graph.n_tokens]
    found, layers = hierarchy_figures(
        topic_tree(network, names), sparse.csr_array(presence.astype(float))
    )
    expected = naive(network, presence)
    for key in MEASURES:
        value = mean(list(expected[key].values()))
        assert getattr(found, key) == (None if value is None else pytest.approx(value, abs=1e-9))
        for row in layers:
            by_layer = expected[key].get(row["layer"])
            assert row[key] == (None if by_layer is None else pytest.approx(by_layer, abs=1e-9))
    assert sum(row["topics"] for row in layers) == network.graph.n_topics


@several
@given(problems(most_topics=7))
def test_shares_are_between_zero_and_one(problem):
    network = problem.network
    presence = sparse.csr_array(problem.rng.random((20, network.graph.n_tokens)) < 0.5, dtype=float)
    figures, layers = hierarchy_figures(
        topic_tree(network, WORDS[: network.graph.n_tokens]), presence
    )
    shares = {key: value for key, value in asdict(figures).items() if key != "pairs"}
    rows = [{**row, "npmi": None} for row in layers]
    for key, value in [*shares.items(), *(pair for row in rows for pair in row.items())]:
        if value is not None and key not in ("layer", "topics"):
            low = -1.0 if key.startswith("pcc") else 0.0
            assert low - 1e-9 <= value <= 1.0 + 1e-9, key


def two_layers():
    """Two parents with two children each; every child has three words of its own."""
    edges = [("P", "a"), ("P", "b"), ("Q", "c"), ("Q", "d")]
    ends = {"a": range(3), "b": range(3, 6), "c": range(6, 9), "d": range(9, 12)}
    parents = [parent for parent, _ in edges] + [t for t, own in ends.items() for _ in own]
    children = [child for _, child in edges] + [f"w{w}" for own in ends.values() for w in own]
    return parents, children


def test_a_true_hierarchy_is_above_chance():
    names = ["P", "Q", "a", "b", "c", "d"]
    parents, children = two_layers()
    number = {name: place for place, name in enumerate([*names, *WORDS[:12]])}
    network = network_of_edges(
        names,
        np.array([number[name] for name in parents]),
        np.array([number[name] for name in children]),
        np.full(len(parents), 1.5),
        np.full(18, 0.05),
    )
    rng = np.random.default_rng(0)
    theme = rng.integers(0, 2, 400)
    presence = (rng.random((400, 12)) < 0.05) | (
        (np.arange(12)[None] // 6 == theme[:, None]) & (rng.random((400, 12)) < 0.5)
    )
    found, layers = hierarchy_figures(
        topic_tree(network, WORDS[:12]), sparse.csr_array(presence.astype(float))
    )
    assert found.pairs == 4
    # A parent has the words of its children, so pairs of other topics differ more.
    assert found.affinity > found.affinity_chance + 0.2
    assert found.pncd > found.pcd + 0.2
    assert found.sibling_diversity == 1.0
    assert [row["topics"] for row in layers] == [4, 2]
    assert layers[0]["diversity"] == layers[0]["uniqueness"] == 1.0


def test_uniqueness_is_the_mean_of_one_over_the_number_of_topics():
    topics = [np.array([0, 1]), np.array([1, 2, 3, 4]), np.array([], np.int64)]
    assert uniqueness(topics) == pytest.approx(((1 + 1 / 2) / 2 + (1 / 2 + 3) / 4) / 2)
    assert uniqueness([]) is None


def test_a_topic_of_all_words_in_their_shares_is_not_special():
    presence = sparse.csr_array(np.array([[1.0, 1, 0], [1, 0, 0], [1, 0, 1]]))
    share = presence.sum(axis=0) / 3
    topics = sparse.csr_array(np.vstack([share, 0.2 * share, [0.0, 0, 1], [0.0, 0, 0]]))
    assert specialisation(topics, presence) == pytest.approx([0, 0, 1 - 1 / math.sqrt(11), 1])


def test_weak_links_are_left_out_and_shuffles_stay_within_a_layer():
    network = random_network(np.random.default_rng(3), 7, 8, 0.7)
    all_links = len(topic_tree(network, WORDS, 0.0).parent)
    strong = topic_tree(network, WORDS, 0.6)
    assert len(strong.parent) < all_links
    shuffled = strong.shuffled(np.random.default_rng(0))
    assert np.array_equal(strong.layer[shuffled.child], strong.layer[strong.child])
