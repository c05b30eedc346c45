"""The parts behind the table of claims: what they conclude from figures."""

from __future__ import annotations

import numpy as np
import pytest

from orrery.core.model.graph import build_graph
from orrery.core.model.network import build_network
from tests.benchmarks import races
from tests.benchmarks.parts import discrete, sequences
from tests.benchmarks.small_networks import enumerate_states


def curves(amf, second):
    return {"AMF": amf, "second order": second}


def test_times_are_to_what_both_reach():
    amf = [(1.0, -50.0), (2.0, -20.2), (3.0, -19.0)]
    second = [(4.0, -40.0), (8.0, -30.0), (12.0, -20.4), (16.0, -20.0)]
    assert races.ratio_of_times(amf, second, 0.5) == pytest.approx(12.0 / 2.0)
    assert races.ratio_of_times([(1.0, -1.0)], second, 0.5) is None


def test_a_race_evaluates_after_every_sweep_and_counts_training_alone(monkeypatch):
    now, figures = [0.0], iter([-3.0, -2.0])
    monkeypatch.setattr(races, "perf_counter", lambda: now[0])

    def fit(progress):
        for _ in range(2):
            now[0] += 1.0
            assert not progress(0.5)

    def evaluate():
        now[0] += 50.0
        return next(figures)

    assert races.race(fit, evaluate) == [(1.0, -3.0), (2.0, -2.0)]


def test_a_claim_holds_where_it_is_as_likely_and_faster():
    slow, fast = [(4.0, -9.0), (8.0, -5.0)], [(1.0, -9.0), (2.0, -5.2)]
    less = [(3.0, -9.0), (6.0, -5.2)]
    rows = [("one", curves(fast, slow)), ("two", curves(slow, fast)), ("three", curves(less, slow)),
            ("four", curves([(1.0, -9.0), (2.0, -6.0)], slow))]  # fmt: skip
    verdicts = [row[-1] for row in sequences.verdicts({"rows": rows})]
    assert verdicts == [
        "holds",
        "as likely, and not always faster",
        "as likely and faster, but not as much",
        "faster, and less likely",
    ]
    assert "second order takes 4.0 times as long" in sequences.verdicts({"rows": rows})[0][3]


def test_a_local_model_is_the_posterior_of_the_topics_above_words():
    graph, _ = build_graph(2, ["a", "b"], np.array([0, 0, 1]), np.array([1, 2, 2]))
    network = build_network(graph, np.array([0.7, 1.5, 0.4]), np.array([0.2, 0.3, 0.1, 0.5]))
    first = network.graph.topic_ids.index("a")
    local = discrete.local_model(network, np.array([2]))
    joint = {}
    for a in (0, 1):
        for b in (0, 1):
            states = {first: a, 1 - first: b}
            probability = 1.0
            for node in (0, 1, 2):
                begin, end = network.graph.parent_ptr[node : node + 2]
                on = sum(
                    network.weight[edge] * states[int(network.graph.parent_idx[edge])]
                    for edge in range(begin, end)
                )
                off = np.exp(-network.leak[node] - on)
                probability *= 1.0 - off if states.get(node, 1) else off
            joint[a, b] = probability
    expected = (joint[1, 0] + joint[1, 1]) / sum(joint.values())
    np.testing.assert_allclose(enumerate_states(local)[first], expected)


def test_the_page_counts_models_and_queries():
    better, worse = ({"mean": mean, "worst": 0.1, "each": [mean]} for mean in (0.01, 0.02))
    row = {"queries": 1, "mean field (4)": worse, "FNA (7)": better,
           "back-messages (8)": worse, "sum-product (9–11)": better}  # fmt: skip
    figures = {"rows": {"sample": row}}
    fna, messages = discrete.verdicts(figures)
    assert fna[3:] == ["on average on 1 of 1 of our models, in 100% of the queries", "holds"]
    assert messages[-1] == "does not hold everywhere"
    assert "| sample | 1 | 0.0200 (0.10) | 0.0100 (0.10) |" in discrete.show(figures)
