"""Prediction of words: equal to enumeration, and consistent with the evidence."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from orrery.core.inference.evidence import Evidence
from orrery.core.inference.infer import infer
from orrery.core.inference.prediction import predict_words, words_of_topics
from orrery.core.model.graph import build_graph
from orrery.core.model.labels import marginals
from orrery.core.model.network import build_network
from orrery.core.utils.errors import InputError
from tests import naive
from tests.core.kernels.test_sum_product import random_evidence, random_tree
from tests.random_networks import plain_network, problems, several


def truth_of(network, evidence, token):
    """Probability of a word given open-world evidence, enumerated."""
    observed = naive.open_world(
        network, evidence.present, evidence.absent, evidence.on, evidence.off
    )
    with_it = {**observed, network.graph.n_topics + token: 1}
    return np.exp(naive.log_likelihood(network, with_it) - naive.log_likelihood(network, observed))


@pytest.mark.parametrize("seed", range(12))
def test_equals_enumeration_where_topics_outside_have_a_parent_each(seed):
    rng = np.random.default_rng(seed)
    network = random_tree(rng, int(rng.integers(2, 7)), int(rng.integers(3, 8)))
    evidence = random_evidence(rng, network.graph, False)
    probability, error = predict_words(network, infer(network, evidence))
    for token in range(network.graph.n_tokens):
        if token not in evidence.present + evidence.absent:
            expected = truth_of(network, evidence, token)
            assert probability[token] == pytest.approx(expected, abs=1e-7)
    assert (error == 0.0).all()


@several
@given(problems(most_topics=5))
def test_equals_enumeration_where_all_topics_are_inside(problem):
    network = problem.network
    topics = tuple(range(network.graph.n_topics))
    # A word below every topic lets the local model take in all of them.
    parents = [*network.graph.parent_idx.tolist(), *topics]
    children = [*network.graph.edge_children().tolist(), *[network.graph.n_nodes] * len(topics)]
    graph, order = build_graph(
        network.graph.n_tokens + 1, [f"t{k}" for k in topics], parents, children
    )
    weight = np.concatenate([network.weight, np.full(len(topics), 0.7)])[order]
    wide = build_network(graph, weight, np.append(network.leak, 0.1))
    evidence = Evidence((graph.n_tokens - 1,), closed_world=False)
    probability, _ = words_of_topics(wide, infer(wide, evidence))
    for token in range(graph.n_tokens - 1):
        assert probability[token] == pytest.approx(truth_of(wide, evidence, token), abs=1e-7)


@several
@given(problems(most_topics=5))
def test_equals_enumeration_in_a_closed_world(problem):
    network, rng = problem.network, problem.rng
    tokens = rng.permutation(network.graph.n_tokens).tolist()
    present, unknown = tuple(tokens[:1]), tuple(tokens[1:3])
    evidence = Evidence(present, unknown=unknown, closed_world=True)
    probability, _ = predict_words(network, infer(network, evidence))
    observed = naive.local_world(network, present, unknown)
    without = naive.log_likelihood(network, observed)
    for token in unknown:
        with_it = naive.log_likelihood(network, {**observed, network.graph.n_topics + token: 1})
        assert probability[token] == pytest.approx(np.exp(with_it - without), abs=1e-7)


def test_many_topics_are_predicted_to_the_error_that_is_stated_and_a_little():
    rng = np.random.default_rng(1)
    network = plain_network(rng, n_topics=14, n_tokens=12, density=0.4)
    evidence = Evidence((0, 1, 2, 3), closed_world=False)
    probability, error = predict_words(network, infer(network, evidence))
    for token in range(4, 12):
        expected = truth_of(network, evidence, token)
        assert abs(probability[token] - expected) <= 4.5 * error[token] + 0.03


@several
@given(problems())
def test_without_evidence_words_have_their_prior(problem):
    network = problem.network
    probability, _ = predict_words(network, infer(network, Evidence((), closed_world=False)))
    prior = marginals(network)[network.graph.n_topics :]
    np.testing.assert_allclose(probability, prior, atol=1e-9)


def test_the_value_of_a_word_is_its_probability():
    network = plain_network(np.random.default_rng(0))
    closed = Evidence((0, 1), unknown=(5,), closed_world=True)
    probability, _ = predict_words(network, infer(network, closed))
    assert (probability[[0, 1]] == 1.0).all()
    assert 0.0 < probability[5] < 1.0
    assert (probability[[2, 3, 4, 6, 7, 8, 9]] == 0.0).all()
    opened = Evidence((0,), (1,), closed_world=False)
    probability, error = predict_words(network, infer(network, opened))
    assert (probability[0], probability[1]) == (1.0, 0.0)
    assert (error[:2] == 0.0).all()
    assert ((probability[2:] > 0.0) & (probability[2:] < 1.0)).all()


@several
@given(problems(most_topics=5))
def test_a_few_words_have_the_probability_that_they_have_among_all(problem):
    network, rng = problem.network, problem.rng
    evidence = random_evidence(rng, network.graph, False)
    found = infer(network, evidence)
    every = predict_words(network, found)
    chosen = rng.permutation(network.graph.n_tokens)[:2].tolist()
    few = predict_words(network, found, chosen)
    given = [*chosen, *evidence.present, *evidence.absent]
    for all_words, some in zip(every, few, strict=True):
        np.testing.assert_allclose(some[given], all_words[given], atol=1e-12)
        assert np.isnan(np.delete(some, given)).all()


def test_a_few_words_of_sampled_topics_have_the_same_probability_and_error():
    network = plain_network(np.random.default_rng(1), n_topics=14, n_tokens=12, density=0.4)
    found = infer(network, Evidence((0, 1, 2, 3), closed_world=False))
    every, few = (predict_words(network, found, chosen) for chosen in (None, [4, 9]))
    assert every.error[[4, 9]].all()
    for all_words, some in zip(every, few, strict=True):
        np.testing.assert_allclose(some[[4, 9]], all_words[[4, 9]], atol=1e-12)


@pytest.mark.parametrize("token", [-1, 10])
def test_a_token_that_does_not_exist_is_refused(token):
    network = plain_network(np.random.default_rng(0))
    found = infer(network, Evidence((0,), closed_world=False))
    with pytest.raises(InputError, match=f"there is no token {token}; the model has 10 of them"):
        predict_words(network, found, [token])


def test_a_posterior_without_samples_is_refused():
    network = plain_network(np.random.default_rng(0))
    found = infer(network, Evidence((0,), closed_world=True), method="mean-field")
    with pytest.raises(InputError, match="mean-field has no samples; use the method sampling"):
        predict_words(network, found)
