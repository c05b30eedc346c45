"""Counted operations of the E-step, compared with the minimum."""

from __future__ import annotations

import numpy as np
import pytest

from orrery.core.inference.kernel_inputs import documents_of
from orrery.core.kernels import exact
from orrery.core.model.graph import build_graph
from orrery.core.model.network import build_network
from orrery.core.training.e_step import training_search
from orrery.core.training.options import TrainingOptions
from tests.benchmarks.data import binary_corpus
from tests.benchmarks.operations import WORK, count_work, operations
from tests.benchmarks.timing import estep_of

N_TERMS = 32


@pytest.fixture(scope="module")
def step():
    """E-step of three documents with all of two words, whose one topic has an edge to either."""
    graph, _ = build_graph(2, ["t"], np.zeros(2, int), np.array([1, 2]))
    network = build_network(graph, np.array([1.0, 2.0]), np.array([0.1, 0.2, 0.3]))
    documents = documents_of(graph, binary_corpus(np.ones((3, 2), bool)))
    return estep_of(network, documents, "exact", training_search(TrainingOptions()))


def test_work_is_counted_and_changes_nothing(step):
    compiled, kernels = step(), {name: getattr(exact, name) for name in WORK}
    found = []
    tallies = count_work(lambda: found.append(step()))
    assert np.allclose(found[0], compiled, atol=1e-6)
    assert {name: getattr(exact, name) for name in WORK} == kernels
    assert set(tallies) == set(WORK)
    # The gradient goes once over the terms of both edges; so do the others, once at least.
    assert tallies["add_exact_gradient"].calls == 3
    assert tallies["add_exact_gradient"].terms == 3 * 2 * N_TERMS
    assert tallies["expected_terms"].terms > 3 * 2 * N_TERMS
    assert tallies["topic_field"].terms >= tallies["replace_activation"].terms >= 3 * 2 * N_TERMS
    assert operations(tallies) > 3 * 2 * N_TERMS * sum(work.operations for work in WORK.values())
