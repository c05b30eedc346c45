"""The joint probability of a state, and the sum over all states."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from orrery.core.kernels.bounds import log_joint
from tests import naive
from tests.local_problems import local_problem
from tests.random_networks import problems, several


@several
@given(problems())
def test_joint_equals_the_loops_in_every_state(problem):
    document = local_problem(problem)
    observed = naive.closed_world(problem.network, problem.present)
    for state in naive.states(problem.network, observed):
        x = np.array([state[node] for node in document.graph.node], np.bool_)
        joint = log_joint(document.graph, document.weights, x)
        assert joint == pytest.approx(naive.log_joint(problem.network, state), abs=1e-9)


@several
@given(problems())
def test_local_states_sum_to_the_likelihood_with_pruned_topics_off(problem):
    document = local_problem(problem, is_full=False)
    n_topics = document.graph.n_topics
    pruned = set(range(problem.network.graph.n_topics)) - set(document.graph.node.tolist())
    observed = naive.closed_world(problem.network, problem.present, off=pruned)
    x = np.ones(len(document.graph.node), np.bool_)
    joints = []
    for number in range(2**n_topics):
        x[:n_topics] = [(number >> k) & 1 for k in range(n_topics)]
        joints.append(log_joint(document.graph, document.weights, x))
    truth = naive.log_likelihood(problem.network, observed)
    assert np.logaddexp.reduce(joints) == pytest.approx(truth, abs=1e-9)
