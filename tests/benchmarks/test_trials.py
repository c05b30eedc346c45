"""Ideas tried on our E-step: AMF's sweeps, blocks, and the verdict."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import logsumexp

from orrery.core.baselines.discrete import back_messages
from orrery.core.kernels.activations import open_world_weights
from orrery.core.model.graph import build_graph
from orrery.core.model.network import build_network
from tests.benchmarks.blocks import block_bound, log_joint, pairs
from tests.benchmarks.data import binary_corpus
from tests.benchmarks.e_step_starts import amf_sweep, problems, search_from, usual
from tests.benchmarks.parts.discrete import local_model
from tests.benchmarks.parts.trials import helps


@pytest.fixture(scope="module")
def problem():
    """Three topics, one above another, and a document of two of three words."""
    graph, order = build_graph(
        3, ["a", "b", "c"], np.array([0, 0, 1, 1, 2, 2]), np.array([1, 3, 3, 4, 4, 5])
    )
    weight = np.array([0.9, 1.3, 0.8, 1.1, 0.6, 1.7])[order]
    network = build_network(graph, weight, np.array([0.4, 0.3, 0.6, 0.1, 0.2, 0.15]))
    corpus = binary_corpus(np.array([[1, 1, 0]]))
    return network, next(problems(network, corpus, np.array([0])))


def test_sweeps_of_amf_converge_where_back_messages_do(problem):
    network, (local, weights, _) = problem
    q = np.full(local.n_topics, 0.5)
    for _ in range(500):
        amf_sweep(local, open_world_weights(local, weights), q)
    words = local.node[local.n_topics :].astype(np.int64)
    np.testing.assert_allclose(q, back_messages(local_model(network, words)), atol=1e-6)


def test_blocks_lie_between_naive_mean_field_and_the_likelihood(problem):
    joint = log_joint(problem[1])
    n, half = joint.ndim, np.full(joint.ndim, 0.5)
    alone = block_bound(joint, [(topic,) for topic in range(n)], half)
    paired = [block_bound(joint, [(i, j), (3 - i - j,)], half)
              for i, j in ((0, 1), (0, 2), (1, 2))]  # fmt: skip
    assert min(paired) > alone - 1e-9
    assert alone + 1e-3 < max(paired) < logsumexp(joint)
    assert block_bound(joint, [tuple(range(n))], half) == pytest.approx(logsumexp(joint))
    assert search_from(problem[1], usual())[0] == pytest.approx(alone, abs=1e-3)


def test_the_posterior_of_the_listed_states_is_that_of_the_local_model(problem):
    network, (local, weights, _) = problem
    open_world = problem[1]._replace(weights=open_world_weights(local, weights))
    joint = log_joint(open_world)
    listed = local_model(network, local.node[local.n_topics :].astype(np.int64)).joint
    np.testing.assert_allclose(np.exp(joint - logsumexp(joint)), listed, rtol=1e-9)


def test_pairs_take_the_strongest_ties_first_and_leave_weak_ones():
    ties = np.array([[0.0, 0.5, 0.9, 0.1], [0.5, 0, 0.2, 0.3], [0.9, 0.2, 0, 0.2],
                     [0.1, 0.3, 0.2, 0.0]])  # fmt: skip
    assert pairs(ties) == [(0, 2), (1, 3)]
    assert pairs(ties, 0.4) == [(0, 2), (1,), (3,)]


def test_a_way_helps_if_it_saves_sweeps_or_gains_nats():
    as_it_is = {"bound": -15.0, "sweeps": 10.0}
    assert helps({"bound": -15.0, "sweeps": 8.0}, as_it_is)
    assert helps({"bound": -14.9, "sweeps": 10.0}, as_it_is)
    assert not helps({"bound": -15.2, "sweeps": 5.0}, as_it_is)
    assert not helps({"bound": -15.0, "sweeps": 9.5}, as_it_is)
    assert not helps({"bound": -14.9, "sweeps": 11.0}, as_it_is)
