"""Absolute discounting of edges to words: leaks explain the rest, and constrained edges stay."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from orrery.core.model.graph import build_graph
from orrery.core.model.network import (
    Network,
    build_network,
    probability_to_weight,
    weight_to_probability,
)
from orrery.core.structure.constraints import Constraints
from orrery.core.structure.regularization import discounted

# One topic above two, each above two words; the last word is below both.
NAMES = ["top", "one", "two"]
PARENTS, CHILDREN = [0, 0, 1, 1, 2, 2], [1, 2, 3, 4, 4, 5]
PROBABILITY = np.array([0.3, 0.4, 0.02, 0.5, 0.25, 0.004])
USAGE, N_DOCUMENTS = np.array([30.0, 50.0, 20.0]), 100


def network_of(probability: np.ndarray = PROBABILITY) -> Network:
    graph, order = build_graph(3, NAMES, PARENTS, CHILDREN)
    assert graph.topic_ids == tuple(NAMES)
    return build_network(graph, probability_to_weight(probability)[order], np.full(6, 0.05))


def by_ends(network: Network) -> dict[tuple[str, str | int], float]:
    """Probability of every edge, by the topic's id and the child's id or word."""
    graph = network.graph
    names = [*graph.topic_ids, *range(graph.n_tokens)]
    ends = zip(graph.parent_idx.tolist(), graph.edge_children().tolist(), strict=True)
    found = weight_to_probability(network.weight).tolist()
    return {
        (names[parent], names[child]): p for (parent, child), p in zip(ends, found, strict=True)
    }


def test_so_many_documents_are_taken_off_and_what_nothing_is_left_of_goes() -> None:
    found = by_ends(discounted(network_of(), USAGE, N_DOCUMENTS, 0.5))
    # 50 × 0.02 = 1 document, of which a half stays; 20 × 0.004 is less than a half.
    assert found == pytest.approx(
        {
            ("top", "one"): 0.3,
            ("top", "two"): 0.4,
            ("one", 0): 0.5 / 50,
            ("one", 1): 24.5 / 50,
            ("two", 1): 4.5 / 20,
        }
    )


@given(st.lists(st.floats(0.0, 0.3), min_size=6, max_size=6), st.floats(0.0, 1.0))
def test_words_stay_as_frequent_as_they_were(strengths: list[float], discount: float) -> None:
    """Documents that edges and chance explain, counted one by one; topics are not touched."""
    before = network_of(np.array(strengths))
    after = discounted(before, USAGE, N_DOCUMENTS, discount)

    def explained(network: Network) -> np.ndarray:
        usage = dict(zip(NAMES, USAGE.tolist(), strict=True))
        total = N_DOCUMENTS * weight_to_probability(network.leak[network.graph.n_topics :])
        for (parent, child), p in by_ends(network).items():
            if isinstance(child, int):
                total[child] += usage[parent] * p
        return total

    # Leaks may act in documents in which the edge acts too: in less than one document of 100.
    assert explained(after) == pytest.approx(explained(before), abs=0.2)
    of_topics = {ends: p for ends, p in by_ends(after).items() if isinstance(ends[1], str)}
    assert of_topics.items() <= by_ends(before).items()
    assert all(by_ends(after)[ends] <= by_ends(before)[ends] + 1e-12 for ends in by_ends(after))


def test_nothing_taken_off_is_the_same_network() -> None:
    network = network_of()
    assert discounted(network, USAGE, N_DOCUMENTS, 0.0) is network


def test_a_model_without_topics_is_not_made() -> None:
    network = network_of(np.full(6, 1e-6))
    assert discounted(network, USAGE, N_DOCUMENTS, 1.0) is network


def test_what_a_person_requested_stays() -> None:
    pinned = frozenset({("two", 2)})
    guarded = Constraints(pinned=pinned, frozen=frozenset(), topics=frozenset(), apart=frozenset())
    found = by_ends(discounted(network_of(), USAGE, N_DOCUMENTS, 0.5, guarded))
    assert found["two", 2] == pytest.approx(0.004)
    assert found["one", 0] == pytest.approx(0.5 / 50)
