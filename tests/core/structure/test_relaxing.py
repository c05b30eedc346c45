"""A weaker penalty in the end: the maximum under it, found by search, and nothing beyond words."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar

from orrery.core.model.graph import build_graph
from orrery.core.model.network import (
    Network,
    build_network,
    probability_to_weight,
    weight_to_probability,
)
from orrery.core.structure.constraints import Constraints
from orrery.core.structure.regularization import FINAL_PENALTY, relaxed

# A topic above another, and both above a word.
USAGE = np.array([40.0, 25.0])


def network_of(probability: list[float]) -> Network:
    graph, order = build_graph(1, ["top", "low"], [0, 0, 1], [1, 2, 2])
    return build_network(graph, probability_to_weight(probability)[order], np.full(3, 0.05))


def best_weight(acts: float, n: float, penalty: float) -> float:
    """Weight with the best penalised likelihood, for known documents in which the edge acts."""

    def cost(weight: float) -> float:
        fails = (n - acts + penalty) * weight
        return fails - acts * float(np.log(-np.expm1(-weight)))

    found = minimize_scalar(cost, bounds=(1e-9, 20.0), method="bounded", options={"xatol": 1e-9})
    return float(found.x)


@given(st.floats(0.01, 0.99), st.floats(0.01, 0.99), st.floats(FINAL_PENALTY, 50.0))
def test_it_is_the_maximum_under_the_weaker_penalty(
    one: float, other: float, penalty: float
) -> None:
    acts = np.array([one, other]) * USAGE
    trained = [best_weight(a, n, penalty) for a, n in zip(acts, USAGE, strict=True)]
    strengths = [0.3, *weight_to_probability(trained).tolist()]
    found = relaxed(network_of(strengths), USAGE, penalty)
    expected = [best_weight(a, n, FINAL_PENALTY) for a, n in zip(acts, USAGE, strict=True)]
    into_words = found.graph.first_token_edge
    assert found.weight[into_words:] == pytest.approx(expected, rel=1e-4)
    assert weight_to_probability(found.weight[:into_words]) == pytest.approx([0.3])
    assert np.array_equal(found.leak, network_of(strengths).leak)


def test_no_edge_acts_in_more_documents_than_its_topic_is_on_in() -> None:
    found = relaxed(network_of([0.9, 0.95, 0.6]), USAGE, 20.0)
    acts = weight_to_probability(found.weight[1:])
    # The first is stronger than any penalty of this many documents allows, and stays.
    assert acts == pytest.approx([0.95, 25.0 / (25.0 + FINAL_PENALTY)])


def test_where_the_penalty_is_weak_nothing_changes() -> None:
    network = network_of([0.5, 0.5, 0.5])
    assert relaxed(network, USAGE, FINAL_PENALTY) is network


def test_frozen_weights_stay() -> None:
    network = network_of([0.5, 0.3, 0.3])
    frozen = frozenset({("low", 0)})
    guarded = Constraints(pinned=frozenset(), frozen=frozen, topics=frozenset(), apart=frozenset())
    found = weight_to_probability(relaxed(network, USAGE, 20.0, guarded).weight[1:])
    assert found[1] == pytest.approx(0.3)
    assert found[0] == pytest.approx(0.3 * 60 / 45)
