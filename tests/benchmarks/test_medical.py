"""The path from lists of symptoms to diseases found, on a toy source."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given

from orrery.core.inference.evidence import Evidence
from orrery.core.inference.infer import infer
from orrery.core.model.graph import build_graph
from orrery.core.model.network import build_network
from orrery.core.storage.adoption import adopt_graph
from orrery.core.storage.runs import load_run
from tests.benchmarks.parts.medical import rank, shares, show, strongest
from tests.benchmarks.quickscore import quickscore
from tests.benchmarks.symptoms import edges_of
from tests.random_networks import problems, several

# With the line ends of old Macs and lists in quotes, as in the real source.
SOURCE = (
    "Diseases,Symptoms\r"
    'flu,"fever (0.800), cough (0.600), chills (0.500), pain behind the eyes (0.400), rash (0.1)"\r'
    'cold,"cough (0.500), runny nose (0.700), sneezing (0.600), sore throat (0.400), fever (0.1)"\r'
    'measles,"rash (0.900), fever (0.700), cough (0.300), pink eye (0.400), chills (0.050)"\r'
    'sunburn,"rash (0.300), pain (0.800)"\r'
)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """The toy source, converted and adopted."""
    folder = tmp_path_factory.mktemp("medical")
    (folder / "source.csv").write_bytes(SOURCE.encode())
    edges_of(folder / "source.csv").to_csv(folder / "graph.csv")
    adopt_graph(folder / "graph.csv", folder / "run", "probability")
    return load_run(folder / "run")


def test_every_listed_symptom_is_an_edge_of_its_probability(run):
    graph = run.network.graph
    assert graph.topic_ids == ("flu", "cold", "measles", "sunburn")
    assert graph.n_edges == 17
    assert run.vocabulary[:4] == ("fever", "cough", "chills", "pain behind the eyes")
    into_fever = graph.parent_ptr[graph.n_topics]
    assert run.network.weight[into_fever] == pytest.approx(-np.log(1 - 0.8))


def test_a_disease_is_queried_by_its_strongest_symptoms_and_found(run):
    assert strongest(run, 2) == ["rash", "fever", "pink eye", "cough"]
    for ranking in (rank(run, ["rash", "fever", "pink eye", "cough"]),):
        assert ranking.inferred[0] == ranking.exact[0] == ranking.summed[0] == "measles"


def test_diseases_of_few_symptoms_are_not_queried(run):
    figures = shares(run, 50)
    assert figures["diseases"] == 3
    assert figures["found"]["exact"] == figures["found"]["inferred"] == [1.0, 1.0]
    assert "| **ours**, posterior by `infer` | 100 % | 100 % |" in show(figures)


@pytest.mark.parametrize("seed", range(5))
def test_infer_is_quickscore_on_hundreds_of_topics(seed):
    rng, n_topics, n_tokens, present = np.random.default_rng(seed), 150, 300, list(range(7))
    ends = np.argwhere(rng.random((n_topics, n_tokens)) < 0.1)
    names = [f"t{number}" for number in range(n_topics)]
    graph, _ = build_graph(n_tokens, names, ends[:, 0], n_topics + ends[:, 1])
    network = build_network(
        graph, rng.gamma(1.0, 1.0, graph.n_edges), rng.uniform(0.01, 0.2, graph.n_nodes)
    )
    posterior = infer(network, Evidence(tuple(present), closed_world=False))
    assert posterior.method == "elimination"
    expected = quickscore(network, present)[posterior.local.topics]
    np.testing.assert_allclose(posterior.probability, expected, atol=1e-9)


@several
@given(problem=problems())
def test_quickscore_is_the_posterior_by_enumeration(problem):
    rng, n_topics, n_tokens = problem.rng, int(problem.rng.integers(1, 6)), 4
    ends = np.argwhere(rng.random((n_topics, n_tokens)) < 0.7)
    names = [f"t{number}" for number in range(n_topics)]
    graph, _ = build_graph(n_tokens, names, ends[:, 0], n_topics + ends[:, 1])
    leak = rng.uniform(0.05, 1.0, graph.n_nodes)
    network = build_network(graph, rng.gamma(1.0, 1.0, graph.n_edges), leak)
    present = [0, 2, 3]
    total, on = 0.0, np.zeros(n_topics)
    for state in product((0.0, 1.0), repeat=n_topics):
        values = np.array(state)
        by_leak = np.prod(np.where(values, -np.expm1(-leak[:n_topics]), np.exp(-leak[:n_topics])))
        for token in present:
            node = n_topics + token
            into = slice(graph.parent_ptr[node], graph.parent_ptr[node + 1])
            active = values[graph.parent_idx[into]] @ network.weight[into]
            by_leak *= -np.expm1(-leak[node] - active)
        total += by_leak
        on += by_leak * values
    np.testing.assert_allclose(quickscore(network, present), on / total, rtol=1e-6)
