"""Relations of topics: siblings, samples, and similarity of two topics."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from orrery.core.model.graph import build_graph
from orrery.core.model.network import build_network, probability_to_weight
from tests.benchmarks.parts.hierarchy import show, summary
from tests.benchmarks.relatives import Relations, likeness, relations_of, sample_parents
from tests.random_networks import problems, several


def subtree(links, layer):
    """Relations from (parent, child, probability) links."""
    parent, child, probability = zip(*links, strict=True)
    shape = (len(layer), len(layer))
    return Relations(sparse.csr_array((probability, (parent, child)), shape=shape), np.array(layer))


# 0 and 1 are above 2, 3, 4, 5; both are parents of 4, and 5 has no parent.
SMALL = subtree([(0, 2, 0.5), (0, 3, 0.2), (0, 4, 0.9), (1, 4, 0.3)], [2, 2, 1, 1, 1, 1])


def test_children_come_by_how_probably_they_are_switched_on():
    children, probability = SMALL.children(0)
    assert children.tolist() == [4, 2, 3]
    assert probability.tolist() == [0.9, 0.5, 0.2]


def test_siblings_share_a_parent_and_others_share_none():
    assert SMALL.sibling_pairs(1).tolist() == [[2, 3], [2, 4], [3, 4]]
    assert SMALL.sibling_pairs(1, 0.4).tolist() == [[2, 4]]
    assert SMALL.other_pairs(1).tolist() == [[2, 5], [3, 5], [4, 5]]
    assert SMALL.other_pairs(2).tolist() == [[0, 1]]


@several
@given(problem=problems())
def test_every_pair_of_a_layer_is_of_one_kind(problem):
    graph, found = problem.network.graph, relations_of(problem.network)
    probability = found.link.toarray()
    for layer in set(found.layer.tolist()):
        members = np.flatnonzero(found.layer == layer).tolist()
        siblings = set(map(tuple, found.sibling_pairs(layer).tolist()))
        others = set(map(tuple, found.other_pairs(layer).tolist()))
        assert not siblings & others
        assert siblings | others == set(combinations(members, 2))
        for first, second in siblings:
            assert ((probability[:, first] > 0) & (probability[:, second] > 0)).any()
        strong = set(map(tuple, found.sibling_pairs(layer, 0.3).tolist()))
        assert strong <= siblings
    assert found.link.shape == (graph.n_topics, graph.n_topics)


def test_links_of_a_network_are_between_topics_alone():
    graph, order = build_graph(1, ["top", "low"], [0, 0, 1], [1, 2, 2])
    weight = probability_to_weight([0.25, 0.5, 0.5])[order]
    found = relations_of(build_network(graph, weight, [0.1, 0.1, 0.1]))
    np.testing.assert_allclose(found.link.toarray(), [[0.0, 0.25], [0.0, 0.0]])
    assert found.layer.tolist() == [2, 1]


@several
@given(count=st.integers(1, 30), seed=st.integers(0, 9))
def test_parents_are_drawn_alike_from_all_layers_as_far_as_they_reach(count, seed):
    # Two parents in layer 3, six in layer 2; of the last two of layer 2, one has one child alone,
    # the other a weak link beside a strong one.
    links = [(top, 2 + place, 0.5) for top in range(2) for place in range(6)]
    links += [(2 + place, 10 + 2 * place + k, 0.5) for place in range(6) for k in range(2)]
    links += [(8, 10, 0.5), (9, 10, 0.5), (9, 11, 0.1)]
    many = subtree(links, [3] * 2 + [2] * 8 + [1] * 12)
    assert set(many.parents()) == {*range(8), 9}
    chosen = sample_parents(many, count, 0.2, seed)
    assert chosen == sample_parents(many, count, 0.2, seed)
    assert len(set(chosen)) == len(chosen) == min(count, 8)
    assert set(chosen) <= set(range(8))
    assert sum(many.layer[parent] == 3 for parent in chosen) == min(count // 2, 2)


def test_likeness_is_one_for_words_that_always_meet_and_skips_those_in_common():
    presence = sparse.csc_array(
        np.array([[1, 1, 0, 1.0], [1, 1, 0, 0], [0, 0, 1, 1], [0, 0, 1, 0]])
    )
    words = [np.array([0, 3]), np.array([1, 3]), np.array([2]), np.array([3])]
    pairs = np.array([[0, 1], [0, 2], [1, 3], [2, 3]])
    # Words 0 and 1 always meet; 3 is independent of all; 1 and 2 never meet, and nothing of topic
    # 3 is left beside topic 1.
    assert likeness(presence, words, pairs) == pytest.approx([1.0, -0.5, 0.0])


def test_a_mean_of_nothing_is_none_and_has_no_error():
    assert summary(np.empty(0)) == {"pairs": 0, "mean": None, "error": None}
    assert summary(np.array([2.0])) == {"pairs": 1, "mean": 2.0, "error": None}
    # Standard deviation 1 of three values.
    assert summary(np.array([1.0, 2.0, 3.0]))["error"] == pytest.approx(1 / np.sqrt(3))


def test_the_page_counts_the_children_that_it_leaves_out():
    parent = {"layer": 2, "label": "a · b", "children": ["c", "d"], "probability": [0.5, 0.25]}
    pairs = {kind: summary(np.array([1.0, 3.0])) for kind in ("strong", "any", "others")}
    counts = {"documents": 10, "words": 5, "topics": "4,2", "edges": 9, "strong": 0.5}
    figures = {
        **counts,
        "layers": [{"layer": 2, "topics": 4, "parents": 3}],
        "parents": [{**parent, "strong": 5, "weak": 1}],
        "pairs": [{"layer": 1, **pairs}],
    }
    page = show(figures)
    assert "3 of the 4 in layer 2 have strong\nlinks" in page
    assert "- layer 2, **a · b**: c (0.50); d (0.25); and 3 more; 1 by weak links" in page
    assert "| 1 | 2.000 ± 1.000 | 2 |" in page
