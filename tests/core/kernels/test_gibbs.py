"""Gibbs sampling: every draw by the true conditional, every cause counted as often as it acts."""

from __future__ import annotations

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from orrery.core.kernels.gibbs import (
    MAX_CAUSE,
    MIN_CAUSE,
    CauseSums,
    DocumentShare,
    Sweeps,
    add_causes,
    add_leak_causes,
    document_marginals,
    document_sweeps,
    leave_out,
    local_causes,
    node_survival,
    set_topic,
    topic_log_odds,
    topic_probability,
)
from orrery.core.kernels.streams import stream_key
from orrery.core.model.graph import build_graph
from orrery.core.model.network import build_network, weight_to_probability
from orrery.core.training.gibbs import NOTHING_LEFT_OUT, survival_model
from tests import naive
from tests.local_problems import local_problem
from tests.random_networks import Problem, plain_network, problems, several

SEEDS = [0, 1] if numba.config.DISABLE_JIT else [0, 1, 2, 3]
N_SWEEPS = 1_000 if numba.config.DISABLE_JIT else 100_000
# Tolerance for the mean of this many correlated numbers between 0 and 1.
TOLERANCE = 0.1 if numba.config.DISABLE_JIT else 0.01

# Keys wrap around; numpy warns about it in plain Python.
pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")
scopes = pytest.mark.parametrize("is_full", [False, True])


class Chain:
    """A document in a random state."""

    def __init__(self, problem, is_full):
        self.network = problem.network
        self.local = local_problem(problem, is_full).graph
        self.causes = local_causes(self.local, survival_model(problem.network))
        self.x = np.ones(len(self.local.node), np.bool_)
        self.x[: self.local.n_topics] = problem.rng.random(self.local.n_topics) < 0.5
        self.p = np.empty(len(self.local.node))
        node_survival(self.local, self.causes, self.x, self.p)

    @property
    def parts(self):
        """Arguments of most kernels, in their order."""
        return self.local, self.causes, self.x, self.p

    def state(self):
        """State of all nodes for the oracle, those outside the local model off."""
        values = np.zeros(self.network.graph.n_nodes, int)
        values[self.local.node] = self.x
        return dict(enumerate(values.tolist()))

    def state_with(self, topic, value):
        """That state with a local topic switched."""
        return {**self.state(), int(self.local.node[topic]): value}


def no_sums(network):
    graph = network.graph
    return CauseSums(*(np.zeros(size) for size in (graph.n_edges, graph.n_nodes, graph.n_topics)))


def observed_by(problem, is_full):
    """The world of the oracle for one scope or the other."""
    world = naive.closed_world if is_full else naive.local_world
    return world(problem.network, problem.present)


@scopes
@several
@given(problem=problems())
def test_survival_is_the_probability_that_a_node_stays_off(is_full, problem):
    chain = Chain(problem, is_full)
    state = chain.state()
    for node, p in zip(chain.local.node, chain.p, strict=True):
        into = naive.edges_into(chain.network, node)
        a = chain.network.leak[node] + sum(chain.network.weight[e] * state[k] for e, k in into)
        assert p == pytest.approx(np.exp(-a), rel=1e-12)


@scopes
@several
@given(problem=problems())
def test_a_topic_is_drawn_by_its_conditional_probability(is_full, problem):
    chain = Chain(problem, is_full)
    for i in range(chain.local.n_topics):
        log_odds = naive.log_joint(chain.network, chain.state_with(i, 1))
        log_odds -= naive.log_joint(chain.network, chain.state_with(i, 0))
        assert topic_log_odds(i, *chain.parts) == pytest.approx(log_odds, rel=1e-8, abs=1e-8)
        probability = topic_probability(i, *chain.parts)
        assert probability == pytest.approx(1.0 / (1.0 + np.exp(-log_odds)), rel=1e-7)


def test_odds_beyond_all_numbers():
    """A topic that many words speak for, and one that many topics above it make certain."""
    edges = [(0, child) for child in range(41, 86)] + [(parent, 40) for parent in range(1, 40)]
    parents, children = zip(*edges, strict=True)
    graph, _ = build_graph(45, [str(topic) for topic in range(41)], parents, children)
    weight = np.where(graph.edge_children() >= graph.n_topics, 12.0, 30.0)
    network = build_network(graph, weight, np.full(graph.n_nodes, 1e-6))
    chain = Chain(Problem(network, np.arange(45, dtype=np.int32), np.random.default_rng(0)), True)
    chain.x[:] = True
    node_survival(*chain.parts)
    spoken_for, certain = graph.topic_ids.index("0"), graph.topic_ids.index("40")
    log_odds = naive.f(1e-6) + 1e-6 + 45 * (naive.f(12.0 + 1e-6) - naive.f(1e-6))
    assert log_odds > 600.0
    assert topic_log_odds(spoken_for, *chain.parts) == pytest.approx(log_odds, rel=1e-6)
    # Its survival is no number any more: exp(-39 * 30).
    assert chain.p[certain] == 0.0
    assert topic_log_odds(certain, *chain.parts) > 600.0
    for topic in (spoken_for, certain):
        assert topic_probability(topic, *chain.parts) == 1.0


@scopes
@several
@given(problem=problems())
def test_a_document_left_out_takes_along_what_it_made_of_each_cause(is_full, problem):
    """All numbers of the chain equal the remaining network."""
    chain = Chain(problem, is_full)
    graph, local = chain.network.graph, chain.local
    n_documents = 50.0
    share = problem.rng.uniform(0.0, 1.0, graph.n_edges) ** 3 * (problem.rng.random() < 0.8)
    acts, by_chance = naive.acting_causes(chain.network, chain.state())
    left = weight_to_probability(chain.network.weight)
    is_local = np.isin(np.arange(graph.n_edges), local.edge)
    parent_on = np.zeros(graph.n_nodes, bool)
    parent_on[local.node] = chain.x
    touched = is_local & parent_on[graph.parent_idx] & parent_on[graph.edge_children()]
    least = min(MIN_CAUSE, 0.001 / n_documents)
    q = ((left - share * acts) / np.maximum(1.0 - share, 0.5)).clip(least, MAX_CAUSE)
    left = np.where(touched & (share > 0.0), q, left)
    by_leak = weight_to_probability(chain.network.leak)
    by_leak = np.where(parent_on, by_leak - by_chance / n_documents, by_leak)
    by_leak = np.maximum(by_leak, np.where(parent_on, 0.01 / n_documents, 0.0))
    others = build_network(graph, -np.log1p(-left), -np.log1p(-by_leak))

    leave_out(local, DocumentShare(share, 1.0 / n_documents), chain.x, chain.causes, chain.p)
    expected = local_causes(local, survival_model(others))
    for ours, theirs in zip(chain.causes, expected, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-6, atol=1e-8)
    fresh = np.empty_like(chain.p)
    node_survival(local, expected, chain.x, fresh)
    np.testing.assert_allclose(chain.p, fresh, rtol=1e-6)


@scopes
@several
@given(problem=problems())
def test_switching_topics_keeps_the_survival_of_their_children(is_full, problem):
    chain = Chain(problem, is_full)
    if not chain.local.n_topics:
        return
    for _ in range(200):
        topic = problem.rng.integers(chain.local.n_topics)
        value = bool(problem.rng.random() < 0.5)
        set_topic(topic, value, *chain.parts)
        assert chain.x[topic] == value
    fresh = np.empty_like(chain.p)
    node_survival(chain.local, chain.causes, chain.x, fresh)
    np.testing.assert_allclose(chain.p, fresh, rtol=1e-12)
    assert chain.x[chain.local.n_topics :].all()


@scopes
@several
@given(problem=problems(most_topics=5))
def test_causes_are_counted_as_often_as_they_act(is_full, problem):
    """For each topic averaged over its own state, all other nodes being as they are."""
    chain = Chain(problem, is_full)
    expected, sums = no_sums(chain.network), no_sums(chain.network)
    for i in range(chain.local.n_topics):
        topic = chain.local.node[i]
        q = topic_probability(i, *chain.parts)
        add_causes(i, q, *chain.parts, sums)
        expected.usage[topic] = q
        acts, _ = naive.acting_causes(chain.network, chain.state_with(i, 1))
        for edge, _ in naive.edges_out_of(chain.network, topic):
            expected.edge[edge] = q * acts[edge]
    add_leak_causes(*chain.parts, sums)
    expected.leak[:] = naive.acting_causes(chain.network, chain.state())[1]
    for ours, theirs in zip(sums, expected, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-7, atol=1e-8)


def plain_problem(seed):
    rng = np.random.default_rng(seed)
    network = plain_network(rng, n_topics=5, n_tokens=6, density=0.4)
    return Problem(network, np.array([0, 2, 3], np.int32), rng)


@scopes
@several
@given(problem=problems(), n_sweeps=st.integers(1, 6), data=st.data())
def test_every_sweep_after_the_burn_in_counts_once(is_full, problem, n_sweeps, data):
    n_burn = data.draw(st.integers(0, n_sweeps - 1))
    n_local = local_problem(problem, is_full).graph.n_topics

    def total(n_sweeps, n_burn):
        """Sum over the sweeps that are counted; the draws are the same each time."""
        mean = np.zeros(n_local)
        place = np.full(problem.network.graph.n_topics, -1, np.int32)
        model, key = survival_model(problem.network), np.uint64(stream_key(7, 0))
        sweeps = Sweeps(0, n_sweeps, n_burn)
        document_marginals(problem.present_nodes, model, is_full, place, key, sweeps, mean)
        return mean * (n_sweeps - n_burn)

    burnt = total(n_burn, 0) if n_burn else 0.0
    np.testing.assert_allclose(total(n_sweeps, n_burn), total(n_sweeps, 0) - burnt, atol=1e-9)
    one_by_one = sum(total(number + 1, number) for number in range(n_burn, n_sweeps))
    np.testing.assert_allclose(total(n_sweeps, n_burn), one_by_one, atol=1e-9)


@scopes
@pytest.mark.parametrize("seed", SEEDS)
def test_a_long_chain_has_the_marginals_of_the_posterior(is_full, seed):
    problem = plain_problem(seed)
    n_topics = problem.network.graph.n_topics
    probability = np.zeros(local_problem(problem, is_full).graph.n_topics)
    place = np.full(n_topics, -1, np.int32)
    key = np.uint64(stream_key(seed, 0))
    model = survival_model(problem.network)
    topics = document_marginals(
        problem.present_nodes,
        model,
        is_full,
        place,
        key,
        Sweeps(0, N_SWEEPS, N_SWEEPS // 4),
        probability,
    )
    found = np.zeros(n_topics)
    found[topics] = probability
    truth = naive.marginals(problem.network, observed_by(problem, is_full))
    np.testing.assert_allclose(found, truth, atol=TOLERANCE)
    assert ((truth > 0.05) & (truth < 0.95)).any()
    assert (place == -1).all()


@scopes
@pytest.mark.parametrize("seed", SEEDS)
def test_a_long_chain_counts_the_causes_of_the_posterior(is_full, seed):
    problem = plain_problem(seed)
    sums, n_burn = no_sums(problem.network), N_SWEEPS // 4
    states = np.zeros(local_problem(problem, is_full).graph.n_topics, np.bool_)
    document_sweeps(
        problem.present_nodes,
        survival_model(problem.network),
        NOTHING_LEFT_OUT,
        is_full,
        np.full(problem.network.graph.n_topics, -1, np.int32),
        states,
        np.uint64(stream_key(seed, 0)),
        Sweeps(0, N_SWEEPS, n_burn),
        sums,
    )
    truth = naive.expected_causes(problem.network, observed_by(problem, is_full))
    found = (sums.edge, sums.leak, sums.usage)
    for ours, theirs in zip(found, truth, strict=True):
        np.testing.assert_allclose(ours / (N_SWEEPS - n_burn), theirs, atol=TOLERANCE)
