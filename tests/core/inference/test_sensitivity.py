"""Derivatives of the log-odds of a topic: equal to central differences, for every parameter."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from orrery.core.inference.evidence import Evidence
from orrery.core.inference.infer import infer
from orrery.core.inference.sensitivity import sensitivity
from orrery.core.model.graph import build_graph
from orrery.core.model.network import MAX_WEIGHT, MIN_LEAK, build_network
from orrery.core.utils.errors import InputError
from tests.core.kernels.test_sum_product import random_evidence
from tests.random_networks import plain_network, with_value


def log_odds(network, evidence, topic):
    return (
        infer(network, replace(evidence, on=(*evidence.on, topic))).log_probability
        - infer(network, replace(evidence, off=(*evidence.off, topic))).log_probability
    )


@pytest.mark.parametrize("closed_world", [True, False])
@pytest.mark.parametrize("seed", range(12))
def test_equals_central_differences(seed, closed_world):
    rng = np.random.default_rng(seed)
    network = plain_network(rng, int(rng.integers(2, 7)), 8, 0.5)
    evidence = random_evidence(rng, network.graph, closed_world)
    posterior = infer(network, evidence)
    held = {*evidence.on, *evidence.off}
    free = [topic for topic in posterior.local.topics.tolist() if topic not in held]
    for topic in free[:2]:
        found = sensitivity(network, posterior, topic, 0)
        for name, slopes in (("weight", found.weight), ("leak", found.leak)):
            for position, slope in enumerate(slopes):
                value, step = getattr(network, name)[position], 1e-5
                ends = [
                    log_odds(
                        with_value(network, name, position, value + sign * step), evidence, topic
                    )
                    for sign in (1, -1)
                ]
                difference = (ends[0] - ends[1]) / (2 * step)
                assert slope == pytest.approx(difference, abs=1e-5, rel=1e-5), (name, position)


def test_the_range_of_a_figure_is_the_answer_with_half_and_twice_of_it():
    network = plain_network(np.random.default_rng(1), 5, 8, 0.5)
    evidence = Evidence((0, 1), (2,), closed_world=False)
    posterior = infer(network, evidence)
    topic = int(posterior.local.topics[0])
    found = sensitivity(network, posterior, topic, 4)
    assert len(found.figures) == 4
    effects = [abs(figure.slope * figure.value) for figure in found.figures]
    assert effects == sorted(effects, reverse=True)
    graph = network.graph
    for figure in found.figures:
        if figure.parent is None:
            name, at = "leak", figure.node
        else:
            edges = range(graph.parent_ptr[figure.node], graph.parent_ptr[figure.node + 1])
            name, at = "weight", next(e for e in edges if graph.parent_idx[e] == figure.parent)
        doubled = infer(with_value(network, name, at, 2.0 * figure.value), evidence)
        assert figure.doubled == pytest.approx(doubled.probability[doubled.position(topic)])


def test_the_values_tried_are_within_the_limits_of_a_model():
    graph, _ = build_graph(2, ["a", "b"], [0, 0, 1], [1, 2, 3])
    network = build_network(graph, [30.0, 0.75 * MAX_WEIGHT, 1.0], [0.1, MIN_LEAK, 0.2, 0.3])
    posterior = infer(network, Evidence((0,), (1,), closed_world=False))
    figures = sensitivity(network, posterior, 0).figures
    assert figures
    for figure in figures:
        least = 0.0 if figure.parent is not None else MIN_LEAK
        assert figure.low == max(figure.value / 2.0, least)
        assert figure.high == min(figure.value * 2.0, MAX_WEIGHT)


def test_a_held_topic_has_no_sensitivity():
    network = plain_network(np.random.default_rng(1), 5, 8, 0.5)
    posterior = infer(network, Evidence((0,), closed_world=False, on=(0,)))
    with pytest.raises(InputError, match="held"):
        sensitivity(network, posterior, 0)
