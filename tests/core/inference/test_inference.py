"""Inference: below the truth for any evidence, and only what is observed counts."""

from __future__ import annotations

import itertools
from dataclasses import replace
from types import SimpleNamespace

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from orrery.core.inference.evidence import Evidence, local_problem
from orrery.core.inference.infer import infer, infer_activations, infer_bounds
from orrery.core.inference.kernel_inputs import (
    N_BLOCKS,
    kernel_model,
    kernel_tables,
    search_settings,
)
from orrery.core.kernels.batch import expectation_step
from orrery.core.kernels.bounds import log_joint
from orrery.core.kernels.rows import Documents
from orrery.core.kernels.tables import exponential_sum
from orrery.core.model.graph import build_graph
from orrery.core.model.network import build_network
from orrery.core.utils.errors import InputError
from tests import naive
from tests.random_networks import plain_network, problems, random_network, sampled_corpus, several

BOUNDS = ["exact", "jensen"]
METHOD = {"exact": "mean-field", "jensen": "jensen"}
ROUNDING = 1e-9


def open_evidence(problem, closed_world=False):
    """Present and absent tokens, unknown ones, and clamped topics."""
    graph, rng = problem.network.graph, problem.rng
    rest = np.setdiff1d(np.arange(graph.n_tokens), problem.present)
    held = rng.permutation(graph.n_topics)[: rng.integers(0, graph.n_topics)]
    n_on = rng.integers(0, len(held) + 1)
    return Evidence(
        present=tuple(problem.present.tolist()),
        absent=tuple(rng.permutation(rest)[: rng.integers(0, len(rest) + 1)].tolist()),
        closed_world=closed_world,
        on=tuple(held[:n_on].tolist()),
        off=tuple(held[n_on:].tolist()),
    )


def observed_by(network, evidence):
    """The same evidence for the oracle."""
    if evidence.closed_world:
        return naive.closed_world(network, evidence.present, evidence.on, evidence.off)
    return naive.open_world(network, evidence.present, evidence.absent, evidence.on, evidence.off)


@pytest.mark.parametrize("bound", BOUNDS)
@pytest.mark.parametrize("closed_world", [True, False])
@several
@given(problem=problems())
def test_bound_is_below_the_log_probability_of_the_evidence(bound, closed_world, problem):
    evidence = open_evidence(problem, closed_world)
    posterior = infer(problem.network, evidence, method=METHOD[bound])
    truth = naive.log_likelihood(problem.network, observed_by(problem.network, evidence))
    assert posterior.log_probability <= truth + ROUNDING
    assert np.isfinite(posterior.log_probability)
    assert ((posterior.probability >= 0) & (posterior.probability <= 1)).all()


@several
@given(problems())
def test_open_world_sums_unknown_leaves_and_barren_topics_out(problem):
    evidence = open_evidence(problem)
    local, weights = local_problem(problem.network, evidence)
    truth = naive.log_likelihood(problem.network, observed_by(problem.network, evidence))
    topics = local.node[: local.n_topics].tolist()
    x = np.ones(len(local.node), np.bool_)
    joints = []
    for number in range(2**local.n_topics):
        state = {topic: (number >> k) & 1 for k, topic in enumerate(topics)}
        if all(state[topic] for topic in evidence.on) and not any(
            state[topic] for topic in evidence.off
        ):
            x[: local.n_topics] = list(state.values())
            joints.append(log_joint(local, weights, x))
    assert np.logaddexp.reduce(joints) == pytest.approx(truth, abs=ROUNDING)


@several
@given(problems(most_topics=5))
def test_exact_bound_of_open_evidence_is_the_enumerated_one(problem):
    evidence = open_evidence(problem)
    posterior = infer(problem.network, evidence, method="mean-field")
    observed = observed_by(problem.network, evidence)
    bound = 0.0
    for states in itertools.product((0, 1), repeat=len(posterior.local.topics)):
        predicted = np.where(states, posterior.probability, 1.0 - posterior.probability)
        if predicted.all():
            local = dict(zip(posterior.local.topics.tolist(), states, strict=True))
            # Barren topics and unknown tokens are summed out by the oracle, state by state.
            log_joint = naive.log_likelihood(problem.network, {**observed, **local})
            bound += predicted.prod() * (log_joint - np.log(predicted).sum())
    error = 2.0 * exponential_sum().error * problem.network.graph.n_nodes
    assert bound - error - ROUNDING <= posterior.log_probability <= bound + ROUNDING


@several
@given(problems())
def test_posterior_of_a_single_unsure_topic_is_exact(problem):
    """With all topics but one held, mean field is no approximation."""
    n_topics = problem.network.graph.n_topics
    others = problem.rng.permutation(n_topics)
    topic, held = int(others[0]), others[1:]
    states = problem.rng.random(len(held)) < 0.5
    for closed_world in (True, False):
        evidence = Evidence(
            present=tuple(problem.present.tolist()),
            closed_world=closed_world,
            on=tuple(held[states].tolist()),
            off=tuple(held[~states].tolist()),
        )
        posterior = infer(problem.network, evidence, method="mean-field")
        observed = observed_by(problem.network, evidence)
        position = np.flatnonzero(posterior.local.topics == topic)
        if closed_world and not len(position):
            observed[topic] = 0
        error = 2.0 * exponential_sum().error * problem.network.graph.n_nodes
        truth = naive.log_likelihood(problem.network, observed)
        assert truth - error - ROUNDING <= posterior.log_probability <= truth + ROUNDING
        if len(position):
            probability = posterior.probability[position[0]]
            expected = naive.marginals(problem.network, observed)[topic]
            assert probability == pytest.approx(expected, abs=10 * error + 1e-7)


@pytest.mark.parametrize("bound", BOUNDS)
@several
@given(problem=problems())
def test_clamped_topics_keep_their_states(bound, problem):
    evidence = open_evidence(problem)
    posterior = infer(problem.network, evidence, method=METHOD[bound])
    probability = dict(zip(posterior.local.topics, posterior.probability, strict=True))
    assert all(probability[topic] == 1.0 for topic in evidence.on)
    assert all(probability[topic] == 0.0 for topic in evidence.off)


@several
@given(problems(most_topics=8))
def test_local_model_names_the_ancestors_and_the_edges_into_them(problem):
    graph = problem.network.graph
    posterior = infer(problem.network, Evidence(tuple(problem.present.tolist()), closed_world=True))
    local = posterior.local
    assert local.topics.tolist() == sorted(naive.ancestors(problem.network, problem.present_nodes))
    assert local.tokens.tolist() == problem.present.tolist()
    nodes = np.concatenate([local.topics, local.tokens + graph.n_topics])
    assert (graph.parent_idx[local.edge] == nodes[local.edge_parent]).all()
    assert (graph.edge_children()[local.edge] == nodes[local.edge_child]).all()
    n_edges = sum(len(graph.parents(node)) for node in nodes)
    assert len(set(local.edge.tolist())) == n_edges


@several
@given(problems())
def test_a_finer_bound_is_closer_to_the_truth(problem):
    """Held topics leave nothing but the sum of exponentials to be wrong."""
    topics = range(problem.network.graph.n_topics)
    evidence = Evidence(tuple(problem.present.tolist()), on=tuple(topics), closed_world=True)
    truth = naive.log_likelihood(problem.network, observed_by(problem.network, evidence))
    n_on = len(topics) + len(problem.present)
    for accuracy, error in (("fast", 1.4e-5), ("standard", 1e-6), ("fine", 4e-9)):
        posterior = infer(problem.network, evidence, method="mean-field", accuracy=accuracy)
        gap = truth - posterior.log_probability
        # Between nothing and twice the error at every node that is on.
        assert -ROUNDING <= gap <= 2.0 * n_on * error + ROUNDING
        assert posterior.log_probability == infer_with(problem.network, evidence, accuracy)


def infer_with(network, evidence, accuracy):
    """Bound of topics held on, written out with these terms."""
    terms = exponential_sum(accuracy)
    q = np.zeros(network.graph.n_nodes)
    q[: network.graph.n_topics] = 1.0
    q[np.array(evidence.present, np.int64) + network.graph.n_topics] = 1.0
    return pytest.approx(naive.exact_bound(network, q, terms), abs=ROUNDING)


@pytest.mark.parametrize("bound", BOUNDS)
@pytest.mark.parametrize("closed_world", [True, False])
@several
@given(problem=problems())
def test_order_of_the_words_does_not_matter(bound, closed_world, problem):
    evidence = open_evidence(problem, closed_world)
    turned = Evidence(
        evidence.present[::-1],
        evidence.absent[::-1],
        closed_world=closed_world,
        on=evidence.on[::-1],
        off=evidence.off[::-1],
    )
    first, second = (
        infer(problem.network, known, method=METHOD[bound]) for known in (evidence, turned)
    )
    assert first.log_probability == pytest.approx(second.log_probability, abs=1e-6)
    np.testing.assert_allclose(first.probability, second.probability, atol=1e-4)


@pytest.mark.parametrize("bound", BOUNDS)
def test_many_documents_equal_one_by_one(bound):
    rng = np.random.default_rng(0)
    network = plain_network(rng)
    corpus = sampled_corpus(network, 30, rng)
    bounds = infer_bounds(network, corpus, bound=bound)
    rounding = 1e-5 if bound == "exact" else 1e-9
    for row, value in enumerate(bounds):
        evidence = Evidence(tuple(corpus.tokens_of(row).tolist()), closed_world=True)
        assert infer(network, evidence, method=METHOD[bound]).log_probability == pytest.approx(
            value, abs=rounding
        )
    some = np.array([7, 3, 7])
    assert (infer_bounds(network, corpus, some, bound=bound) == bounds[some]).all()


@pytest.mark.parametrize("bound", BOUNDS)
def test_a_bad_start_does_not_decide(bound):
    rng = np.random.default_rng(6)
    networks = [random_network(rng, 8, 10, 0.5) for _ in range(3)]
    is_decided_by_one = set()
    for network in networks:
        corpus = sampled_corpus(network, 60, rng)
        ends = np.array([bounds_from(network, corpus, bound, start) for start in (0.5, 0.02)])
        assert infer_bounds(network, corpus, bound=bound) == pytest.approx(ends.max(axis=0))
        is_decided_by_one |= set(np.argmax(ends, axis=0)[np.ptp(ends, axis=0) > 0.1])
    assert is_decided_by_one == {0, 1}


def bounds_from(network, corpus, bound, start):
    """Bounds of all documents from one start alone."""
    bounds, *_ = expectation_step(
        Documents(corpus.token_ptr, corpus.token_idx, np.arange(corpus.n_documents)),
        kernel_model(network),
        kernel_tables(network, bound),
        False,
        search_settings(starts=(start,)),
        N_BLOCKS,
    )
    return bounds


@pytest.mark.skipif(numba.config.NUMBA_NUM_THREADS < 2, reason="needs two cores")
def test_threads_do_not_change_a_bit():
    rng = np.random.default_rng(1)
    network = plain_network(rng)
    corpus = sampled_corpus(network, 50, rng)
    try:
        numba.set_num_threads(1)
        alone = infer_bounds(network, corpus)
    finally:
        numba.set_num_threads(numba.config.NUMBA_NUM_THREADS)
    assert infer_bounds(network, corpus).tobytes() == alone.tobytes()


@given(closed_world=st.booleans())
def test_no_evidence(closed_world):
    network = plain_network(np.random.default_rng(2))
    posterior = infer(network, Evidence((), closed_world=closed_world))
    assert len(posterior.probability) == 0
    assert posterior.log_probability == pytest.approx(-network.leak.sum() if closed_world else 0.0)


@pytest.mark.parametrize("bound", BOUNDS)
def test_a_token_without_parents_stands_alone(bound):
    graph, _ = build_graph(2, ["only"], [0], [1])
    network = build_network(graph, [1.0], [0.1, 0.2, 0.3])
    posterior = infer(network, Evidence((1,), closed_world=True), method=METHOD[bound])
    assert posterior.local.topics.size == 0
    assert posterior.log_probability == pytest.approx(np.log(-np.expm1(-0.3)) - 0.1 - 0.2, abs=1e-5)


@pytest.mark.parametrize(
    ("evidence", "message"),
    [
        (Evidence((10,), closed_world=True), "there is no token 10; the model has 10 of them"),
        (Evidence((-1,), closed_world=True), "there is no token -1; the model has 10 of them"),
        (
            Evidence((0,), absent=(99,), closed_world=True),
            "there is no token 99; the model has 10 of them",
        ),
        (
            Evidence((0,), on=(6,), closed_world=True),
            "there is no topic 6; the model has 6 of them",
        ),
        (
            Evidence((0,), off=(-2,), closed_world=True),
            "there is no topic -2; the model has 6 of them",
        ),
        (
            Evidence((0,), absent=(0,), closed_world=True),
            "token 0 is named as present and as absent; leave it out of one",
        ),
        (
            Evidence((0,), absent=(2,), unknown=(2,), closed_world=False),
            "token 2 is named as absent and as unknown; leave it out of one",
        ),
        (Evidence((3, 3), closed_world=True), "token 3 is named as present twice; name it once"),
        (
            Evidence((0,), on=(1,), off=(1,), closed_world=True),
            "topic 1 is named as on and as off; leave it out of one",
        ),
        (
            Evidence((0,), off=(4, 1, 4), closed_world=True),
            "topic 4 is named as off twice; name it once",
        ),
    ],
)
def test_evidence_that_cannot_be_is_refused(evidence, message):
    network = plain_network(np.random.default_rng(3))
    with pytest.raises(InputError, match=message):
        infer(network, evidence)


def test_other_objects_are_named_with_what_to_give_instead():
    network = plain_network(np.random.default_rng(3))
    run = SimpleNamespace(network=network)
    for model in (run, "run"):
        with pytest.raises(InputError, match=f"got a {type(model).__name__} .*such as run.network"):
            infer(model, Evidence((0,), closed_world=True))
    with pytest.raises(InputError, match=r"the evidence is a str; give Evidence\(present"):
        infer(network, "word")


def test_unknown_names_and_another_vocabulary_are_refused():
    network = plain_network(np.random.default_rng(3))
    corpus = sampled_corpus(network, 5, np.random.default_rng(4))
    evidence = Evidence((0,), closed_world=True)
    with pytest.raises(InputError, match="there is no method 'exact'; use one of auto, "):
        infer(network, evidence, method="exact")
    with pytest.raises(InputError, match="many documents have no method 'sampling'; use sum-"):
        infer_activations(network, corpus, method="sampling")
    for error in (0.0, -1.0, np.inf, np.nan):
        with pytest.raises(InputError, match=f"error is {error}; expected a finite number above"):
            infer(network, evidence, error=error)
    with pytest.raises(InputError, match="there is no bound 'exakt'"):
        infer_bounds(network, corpus, bound="exakt")
    for method in METHOD.values():
        with pytest.raises(
            InputError, match="there is no accuracy 'best'; use one of fast, standard, fine"
        ):
            infer(network, evidence, method=method, accuracy="best")
    other = plain_network(np.random.default_rng(3), n_tokens=9)
    with pytest.raises(InputError, match="the graph has 9 words and the corpus 10"):
        infer_bounds(other, corpus)
    with pytest.raises(InputError, match="a row is not in the corpus, which has 5 documents"):
        infer_bounds(network, corpus, np.array([5]))


@several
@given(problems(), st.data())
def test_an_unknown_word_has_no_information_in_either_world(problem, data):
    network = problem.network
    graph = network.graph
    unknown = data.draw(st.integers(0, graph.n_tokens - 1))
    present = tuple(token for token in problem.present.tolist() if token != unknown)
    evidence = Evidence(present, unknown=(unknown,), closed_world=True)
    # Without its links the word is weak evidence; its topics are then queried by naming it as
    # unknown.
    weight, leak = network.weight.copy(), network.leak.copy()
    weight[graph.edge_children() == graph.n_topics + unknown] = 0.0
    leak[graph.n_topics + unknown] = 0.0
    expected = infer(build_network(graph, weight, leak), evidence)
    found = infer(network, evidence)
    assert found.log_probability == pytest.approx(expected.log_probability, abs=1e-5)
    np.testing.assert_allclose(found.probability, expected.probability, atol=1e-5)
    opened = replace(evidence, closed_world=False)
    other = infer(network, replace(opened, unknown=()))
    assert infer(network, opened).log_probability == other.log_probability
