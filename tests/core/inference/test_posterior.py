"""The posterior that people see: the truth, to the error that it states."""

from __future__ import annotations

import itertools
import pickle
from dataclasses import replace

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from orrery.core.inference.evidence import Evidence
from orrery.core.inference.infer import infer, infer_activations
from orrery.core.inference.posterior import Samples
from orrery.core.inference.senses import query_senses
from orrery.core.kernels.ladder import log_mean
from orrery.core.kernels.posterior import Rounds, combine_rounds
from orrery.core.model.graph import build_graph
from orrery.core.model.network import build_network
from orrery.core.utils.errors import InputError
from tests import naive
from tests.core.inference.test_inference import open_evidence
from tests.core.kernels.test_sum_product import observed_nodes, random_evidence
from tests.random_networks import plain_network, problems, random_network, sampled_corpus, several


def truth_of(network, evidence):
    """Marginals of all topics and log-probability of the evidence, enumerated."""
    observed = observed_nodes(network, evidence)
    return naive.marginals(network, observed), naive.log_likelihood(network, observed)


@several
@given(problems(), st.booleans())
def test_few_topics_are_enumerated(problem, closed_world):
    evidence = random_evidence(problem.rng, problem.network.graph, closed_world)
    posterior = infer(problem.network, evidence)
    marginal, log_probability = truth_of(problem.network, evidence)
    assert posterior.samples.is_exact
    assert posterior.is_precise
    assert posterior.largest_error == posterior.log_probability_error == 0.0
    assert posterior.log_probability == pytest.approx(log_probability, abs=1e-8)
    np.testing.assert_allclose(posterior.probability, marginal[posterior.local.topics], atol=1e-8)


@pytest.mark.parametrize("seed", range(4))
def test_many_topics_are_drawn_to_the_error_that_is_stated(seed):
    rng = np.random.default_rng(seed)
    network = plain_network(rng, n_topics=14, n_tokens=12, density=0.4)
    evidence = Evidence(tuple(range(5)), (7,), closed_world=False)
    posterior = infer(network, evidence, method="sampling")
    marginal, log_probability = truth_of(network, evidence)
    assert not posterior.samples.is_exact
    assert posterior.is_precise == (posterior.largest_error <= 0.01)
    deviation = np.abs(posterior.probability - marginal[posterior.local.topics])
    assert (deviation <= 4.5 * posterior.error + 0.002).all()
    assert posterior.log_probability == pytest.approx(
        log_probability, abs=4.5 * posterior.log_probability_error
    )


@several
@given(problems(most_topics=5))
def test_two_together_and_any_of_some_are_counted_in_the_posterior(problem):
    network = problem.network
    evidence = Evidence(tuple(problem.present.tolist()), closed_world=False)
    posterior = infer(network, evidence)
    topics = posterior.local.topics.tolist()
    observed = naive.open_world(network, evidence.present, ())
    whole = naive.log_likelihood(network, observed)
    for topic in topics:
        joint, _ = posterior.together_with(topic)
        for position, other in enumerate(topics):
            both = naive.log_likelihood(network, {**observed, topic: 1, other: 1}) - whole
            assert posterior.together(topic, other).value == pytest.approx(np.exp(both), abs=1e-8)
            assert joint[position] == pytest.approx(np.exp(both), abs=1e-8)
            none = naive.log_likelihood(network, {**observed, topic: 0, other: 0}) - whole
            any_of = posterior.any_of([topic, other]).value
            assert any_of == pytest.approx(1.0 - np.exp(none), abs=1e-8)


def test_the_same_question_has_the_same_digits_in_any_order_of_its_words():
    rng = np.random.default_rng(0)
    network = random_network(rng, 30, 20, 0.3)
    evidence = Evidence((3, 1, 4), (5, 9), closed_world=False, on=(2, 7), off=(6, 1))
    turned = replace(evidence, present=(4, 3, 1), absent=(9, 5), on=(7, 2), off=(1, 6), unknown=())
    first, second = infer(network, evidence), infer(network, turned)
    assert first.probability.tobytes() == second.probability.tobytes()
    assert first.log_probability == second.log_probability
    other = infer(network, replace(evidence, present=(3, 1)))
    assert (
        other.probability.shape != first.probability.shape
        or (other.probability != first.probability).any()
    )


@given(st.lists(st.floats(0.01, 2.0), min_size=2, max_size=4), st.integers(2, 3))
def test_stated_errors_are_neither_too_small_nor_too_large_on_average(population, n_rounds):
    """Over all samples of a population the square is the variance of their means."""
    samples = np.array(list(itertools.product(population, repeat=n_rounds)))
    truth = pytest.approx(samples.mean(axis=1).var(), abs=1e-12)
    alike, nothing = np.ones(n_rounds), np.zeros((n_rounds, 1))
    errors = [combine_rounds(sample[:, np.newaxis], alike, nothing)[1] for sample in samples]
    assert np.mean(np.square(errors)) == truth
    by_control = [combine_rounds(nothing, alike, sample[:, np.newaxis])[1] for sample in samples]
    assert np.mean(np.square(by_control)) == truth
    squares = []
    for sample in samples:
        rounds = Rounds(None, None, None, np.log(sample), None, False)
        estimate = Samples(lambda rounds=rounds: rounds).log_probability()
        log_mean_of, variance = log_mean(np.log(sample))
        assert estimate.value == pytest.approx(log_mean_of)
        assert estimate.error**2 == pytest.approx(variance, abs=1e-12)
        squares.append(variance * np.exp(2.0 * log_mean_of))
    assert np.mean(squares) == truth


def test_a_smaller_error_takes_more_samples():
    network = plain_network(np.random.default_rng(1), n_topics=20, n_tokens=15, density=0.3)
    evidence = Evidence((0, 1, 2, 3), closed_world=False)
    coarse, fine = (
        infer(network, evidence, method="sampling", error=error) for error in (0.05, 0.004)
    )
    assert len(fine.samples.weight) > len(coarse.samples.weight)
    assert fine.largest_error <= 0.004
    assert fine.effective_samples > coarse.effective_samples
    assert (np.abs(fine.probability - coarse.probability) < 4.5 * coarse.error + 0.02).all()


def wide_network(n_tokens=400):
    """Many words of tiny chance below a few topics, some by force."""
    rng = np.random.default_rng(2)
    parents, children = np.nonzero(rng.random((20, n_tokens)) < 0.2)
    graph, _ = build_graph(n_tokens, [f"t{k}" for k in range(20)], parents, children + 20)
    weight = rng.choice([1e-9, 0.5, 30.0], graph.n_edges, p=[0.4, 0.5, 0.1])
    return build_network(graph, weight, np.full(graph.n_nodes, 1e-6))


@pytest.mark.parametrize(
    "evidence",
    [
        Evidence(tuple(range(300)), closed_world=True),
        Evidence(tuple(range(300)), closed_world=False),
        Evidence((), tuple(range(400)), closed_world=True),
        Evidence((), tuple(range(400)), closed_world=False),
        Evidence(tuple(range(200)), off=tuple(range(20)), closed_world=True),
        Evidence((0,), on=tuple(range(20)), closed_world=True),
        Evidence(tuple(range(100)), off=tuple(range(19)), closed_world=False),
    ],
    ids=["long", "long query", "empty", "all absent", "impossible", "all held", "one left"],
)
def test_what_can_hardly_be_has_an_answer_with_an_honest_error(evidence):
    posterior = infer(wide_network(), evidence)
    assert np.isfinite(posterior.probability).all()
    assert ((posterior.probability >= 0.0) & (posterior.probability <= 1.0)).all()
    assert np.isfinite(posterior.error).all()
    assert np.isfinite(posterior.log_probability)
    assert posterior.is_precise == (posterior.largest_error <= 0.01)
    leak = dict(zip(posterior.local.topics.tolist(), posterior.probability, strict=True))
    assert all(leak[topic] == 1.0 for topic in evidence.on)
    assert all(leak[topic] == 0.0 for topic in evidence.off)
    free = infer(wide_network(), evidence, method="sum-product")
    assert np.isfinite(free.probability).all()
    assert np.isfinite(free.log_probability)


def test_impossible_evidence_is_as_improbable_as_the_leak_alone():
    network = wide_network()
    evidence = Evidence(tuple(range(200)), off=tuple(range(20)), closed_world=True)
    # Two hundred words by a chance of one in a million each: far below 1e-300.
    expected = 200 * np.log(-np.expm1(-1e-6)) - 220 * 1e-6
    assert infer(network, evidence).log_probability == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("method", ["sum-product", "mean-field", "jensen"])
def test_methods_without_samples_report_it(method):
    posterior = infer(
        plain_network(np.random.default_rng(3)), Evidence((0, 1), closed_world=True), method=method
    )
    assert posterior.error is None
    assert posterior.log_probability_error is None
    assert not posterior.is_precise
    with pytest.raises(InputError, match=f"{method} has no samples; use the method sampling"):
        posterior.together(*posterior.local.topics[:2].tolist())
    with pytest.raises(InputError, match=f"{method} has no samples"):
        _ = posterior.effective_samples


@pytest.mark.skipif(numba.config.NUMBA_NUM_THREADS < 2, reason="needs two cores")
def test_many_documents_are_the_same_by_any_number_of_threads():
    rng = np.random.default_rng(4)
    network = plain_network(rng)
    corpus = sampled_corpus(network, 50, rng)
    try:
        numba.set_num_threads(1)
        alone = infer_activations(network, corpus)
    finally:
        numba.set_num_threads(numba.config.NUMBA_NUM_THREADS)
    assert infer_activations(network, corpus).data.tobytes() == alone.data.tobytes()


def two_senses(weight=3.0):
    """Word 0 comes from topic 0 or topic 1, each of which has a word of its own."""
    graph, _ = build_graph(3, ["a", "b"], [0, 0, 1, 1], [2, 3, 2, 4])
    return build_network(graph, [weight] * 4, [0.02, 0.015, 1e-3, 1e-3, 1e-3])


def test_both_senses_of_a_word_are_found_and_their_words_choose():
    network = two_senses()
    alone = infer(network, Evidence((0,), closed_world=False))
    found = query_senses(alone, [0, 1])
    assert [reading.topic for reading in found] == [0, 1]
    assert sum(reading.share.value for reading in found) == pytest.approx(1.0, abs=0.1)
    assert all(0.3 < reading.share.value < 0.7 for reading in found)
    assert query_senses(infer(network, Evidence((0, 1), closed_world=False)), [0, 1]) == []
    held = infer(network, Evidence((0,), on=(1,), closed_world=False))
    assert query_senses(held, [0, 1]) == []


def test_topics_that_go_together_are_no_senses():
    # One topic above brings both, so each speaks for the other.
    graph, _ = build_graph(2, ["up", "a", "b"], [0, 0, 1, 2], [1, 2, 3, 4])
    network = build_network(graph, [3.0] * 4, [0.1, 1e-3, 1e-3, 1e-3, 1e-3])
    posterior = infer(network, Evidence((0, 1), closed_world=False))
    assert posterior.together(1, 2).value > 0.5
    assert query_senses(posterior, [1, 2]) == []


@several
@given(problems())
def test_a_topic_outside_the_local_model_is_refused(problem):
    evidence = open_evidence(problem)
    posterior = infer(problem.network, evidence)
    outside = set(range(problem.network.graph.n_topics)) - set(posterior.local.topics.tolist())
    for topic in outside:
        with pytest.raises(InputError, match="has no word of the query below it"):
            posterior.any_of([topic, topic])


def test_too_dependent_topics_are_sampled_and_elimination_reports_it():
    network = plain_network(np.random.default_rng(0), n_topics=60, n_tokens=60, density=0.5)
    evidence = Evidence(tuple(range(40)), closed_world=False)
    assert infer(network, evidence, error=0.2).method == "sampling"
    with pytest.raises(InputError, match=r"hang together too closely .* use the method sampling"):
        infer(network, evidence, method="elimination")


def test_samples_of_an_exact_answer_are_made_when_they_are_looked_at_and_agree_with_it():
    network = plain_network(np.random.default_rng(5), n_topics=20, n_tokens=15, density=0.3)
    posterior = infer(network, Evidence((0, 1, 2, 3), closed_world=False))
    assert posterior.method == "elimination"
    assert posterior.is_exact
    assert "rounds" not in vars(posterior.samples)
    mean, error = posterior.samples.mean(posterior.samples.state)
    assert not posterior.samples.is_exact
    assert (np.abs(mean - posterior.probability) <= 4.5 * error + 0.003).all()
    estimate = posterior.samples.log_probability()
    assert abs(estimate.value - posterior.log_probability) <= 4.5 * estimate.error


@pytest.mark.parametrize("seed", range(12))
def test_models_of_two_modes_far_apart_are_summed_where_samples_would_see_one(seed):
    """Strong and weak causes, no leak: sum-product converges to one of several modes."""
    rng = np.random.default_rng(seed)
    n_topics, n_tokens = 9, int(rng.integers(8, 14))
    parents, children = np.nonzero(rng.random((n_topics, n_tokens)) < 0.3)
    graph, _ = build_graph(
        n_tokens, [f"t{k}" for k in range(n_topics)], parents, n_topics + children
    )
    weight = rng.choice([0.5, 3.0], size=graph.n_edges)
    network = build_network(graph, weight, np.full(graph.n_nodes, 1e-6))
    evidence = Evidence(tuple(range(n_tokens)), closed_world=False)
    posterior = infer(network, evidence)
    marginal, log_probability = truth_of(network, evidence)
    assert posterior.method == "elimination"
    np.testing.assert_allclose(posterior.probability, marginal[posterior.local.topics], atol=1e-8)
    assert posterior.log_probability == pytest.approx(log_probability, abs=1e-8)


def test_what_is_too_improbable_for_sums_is_drawn_or_reported():
    """Ten topics are each above the same 350 words, and quiet by what is absent."""
    words, absent = np.arange(350), np.arange(350, 450)
    parents = np.concatenate([np.repeat(np.arange(10), 350), np.repeat(np.arange(10), 10)])
    children = 10 + np.concatenate([np.tile(words, 10), absent])
    graph, order = build_graph(450, [f"t{k}" for k in range(10)], parents, children)
    weight = np.concatenate([np.full(3500, 0.01), np.full(100, 29.9)])[order]
    network = build_network(graph, weight, np.full(graph.n_nodes, 1e-6))
    evidence = Evidence(tuple(words.tolist()), closed_world=True)
    posterior = infer(network, evidence)
    assert posterior.method == "sampling"
    np.testing.assert_allclose(posterior.probability, 0.1, atol=1e-6)
    with pytest.raises(InputError, match="or it is too improbable for that; use the method samp"):
        infer(network, evidence, method="elimination")


def test_a_topic_that_absent_words_all_but_forbid_is_not_summed():
    """Sixty words can only come from a topic that has 800 nats of absent words to bear."""
    graph, order = build_graph(87, ["t"], np.zeros(87, int), 1 + np.arange(87))
    weight = np.concatenate([np.full(60, 3.0), np.full(27, 29.5)])[order]
    network = build_network(graph, weight, np.full(graph.n_nodes, 1e-6))
    posterior = infer(network, Evidence(tuple(range(60)), closed_world=True))
    on = 60 * np.log(-np.expm1(-3.0 - 1e-6)) - 27 * 29.5 + np.log(-np.expm1(-1e-6))
    off = 60 * np.log(-np.expm1(-1e-6)) - 1e-6
    assert posterior.method == "sampling"
    assert posterior.probability[0] == pytest.approx(1.0 / (1.0 + np.exp(off - on)), rel=1e-6)
    assert posterior.log_probability == pytest.approx(np.logaddexp(on, off) - 27e-6, abs=1e-6)


@pytest.mark.parametrize("seed", range(4))
def test_pairs_and_any_of_are_within_what_the_exact_probabilities_allow(seed):
    network = plain_network(np.random.default_rng(seed), n_topics=20, n_tokens=15, density=0.3)
    posterior = infer(network, Evidence((0, 1, 2), closed_world=False))
    each = posterior.probability
    for place, topic in enumerate(posterior.local.topics.tolist()):
        joint, _ = posterior.together_with(topic)
        assert (joint <= np.minimum(each, each[place])).all()
        assert (joint >= each + each[place] - 1.0 - 1e-12).all()
        assert joint[place] == pytest.approx(each[place], abs=1e-12)
    any_of = posterior.any_of(posterior.local.topics.tolist()).value
    assert each.max() <= any_of <= 1.0


def test_an_answer_can_be_pickled_with_its_samples():
    network = plain_network(np.random.default_rng(0), n_topics=20, n_tokens=15, density=0.3)
    for method in ("elimination", "sampling"):
        posterior = infer(network, Evidence((0, 1), closed_world=False), method=method)
        again = pickle.loads(pickle.dumps(posterior))
        assert again.samples.weight.tobytes() == posterior.samples.weight.tobytes()
