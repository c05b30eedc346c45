"""Information of questions: equal to enumeration, whatever is held, for words and topics."""

from __future__ import annotations

import numpy as np
import pytest

from orrery.core.inference import questions as module
from orrery.core.inference.evidence import Evidence
from orrery.core.inference.infer import infer
from orrery.core.inference.questions import best_questions, undecided
from orrery.core.utils.errors import InputError
from tests import naive
from tests.core.kernels.test_sum_product import observed_nodes, random_evidence
from tests.random_networks import plain_network, random_network


def entropy(p):
    return -sum(q * np.log2(q) for q in (p, 1.0 - p) if q > 0.0)


def enumerated_bits(network, evidence, question, targets):
    """Sum of the mutual information of the answer with each target topic."""
    graph = network.graph
    before = naive.marginals(network, observed_nodes(network, evidence))
    total = naive.log_likelihood(network, observed_nodes(network, evidence))
    bits, yes = 0.0, 0.0
    node = question.node + graph.n_topics * question.is_word
    for answer in (0, 1):
        observed = {**observed_nodes(network, evidence), node: answer}
        share = np.exp(naive.log_likelihood(network, observed) - total)
        after = naive.marginals(network, observed)
        yes = share if answer else yes
        bits += share * sum(entropy(before[k]) - entropy(after[k]) for k in targets)
    return bits, yes


@pytest.mark.parametrize("seed", range(40))
def test_equals_enumeration(seed):
    rng = np.random.default_rng(seed)
    make = random_network if seed % 3 else plain_network
    network = make(rng, int(rng.integers(2, 7)), 8, 0.4)
    evidence = random_evidence(rng, network.graph, False)
    posterior = infer(network, evidence)
    found = best_questions(network, posterior, 100, with_topics=True)
    assert found.is_exact
    for question in found.questions:
        bits, yes = enumerated_bits(network, evidence, question, found.targets)
        assert question.bits == pytest.approx(bits, abs=1e-9)
        assert question.yes == pytest.approx(yes, abs=1e-9)
    bits = [question.bits for question in found.questions]
    assert bits == sorted(bits, reverse=True)
    words = [question.node for question in found.questions if question.is_word]
    given = {*evidence.present, *evidence.absent, *evidence.unknown}
    below, left = set(), list(found.targets)
    while left:
        nodes = set(network.graph.children(left.pop()).tolist()) - below
        left += [node for node in nodes if node < network.graph.n_topics]
        below |= nodes
    below = {node - network.graph.n_topics for node in below if node >= network.graph.n_topics}
    assert sorted(words) == sorted(below - given)


@pytest.mark.parametrize("seed", range(10))
def test_equals_enumeration_for_unknown_words_of_a_text(seed):
    rng = np.random.default_rng(seed)
    network = plain_network(rng, 5, 8, 0.5)
    evidence = Evidence((0, 1), closed_world=True, unknown=(2, 3, 4))
    posterior = infer(network, evidence)
    found = best_questions(network, posterior, 100)
    for question in found.questions:
        bits, yes = enumerated_bits(network, evidence, question, found.targets)
        assert question.node in evidence.unknown
        assert question.bits == pytest.approx(bits, abs=1e-9)
        assert question.yes == pytest.approx(yes, abs=1e-9)


def test_costs_divide_the_bits_and_skipped_words_are_left_out():
    network = plain_network(np.random.default_rng(3), 5, 9, 0.6)
    posterior = infer(network, Evidence((0,), closed_world=False))
    first, *_ = best_questions(network, posterior, 9).questions
    dear = best_questions(network, posterior, 9, costs={first.node: 1e6})
    assert dear.questions[-1].node == first.node
    assert dear.questions[-1].cost == 1e6
    left = best_questions(network, posterior, 9, excluded=(first.node,))
    assert first.node not in [question.node for question in left.questions]
    with pytest.raises(InputError, match="above 0"):
        best_questions(network, posterior, costs={0: 0.0})


def test_beyond_the_limit_the_bits_are_said_to_be_rough(monkeypatch):
    network = plain_network(np.random.default_rng(4), 6, 9, 0.6)
    posterior = infer(network, Evidence((0, 1), closed_world=False))
    exact = best_questions(network, posterior, 9)
    monkeypatch.setattr(module, "MAX_TERMS", 1)
    rough = best_questions(network, posterior, 9)
    assert exact.is_exact
    assert not rough.is_exact
    assert len(rough.questions) == len(exact.questions)


@pytest.mark.parametrize("seed", range(20))
def test_small_batches_find_the_best_question(seed, monkeypatch):
    network = random_network(np.random.default_rng(seed), 6, 12, 0.4)
    posterior = infer(network, Evidence((0, 1), closed_world=False))
    everything = best_questions(network, posterior, 100)
    monkeypatch.setattr(module, "SIZES", (2, 1))
    found = best_questions(network, posterior, 3)
    assert everything.is_complete
    bits = {question.node: question.bits for question in everything.questions}
    for question in found.questions:
        assert question.bits == pytest.approx(bits[question.node], abs=1e-9)
    best = [question.bits for question in everything.questions[:3]]
    if found.is_complete:
        assert [question.bits for question in found.questions] == pytest.approx(best, abs=1e-9)
    else:
        assert found.n_candidates > 3
    # All are computed if all are asked for.
    every = best_questions(network, posterior, 100)
    assert every.is_complete
    assert {question.node for question in every.questions} == bits.keys()


def test_estimates_are_about_the_targets(monkeypatch):
    """A word is at most as informative about a topic as the topic is undecided."""
    monkeypatch.setattr(module, "MAX_TERMS", 1)
    for seed in range(20):
        network = random_network(np.random.default_rng(seed), 6, 9, 0.5)
        posterior = infer(network, Evidence((0, 1), closed_world=False))
        for topic, p in zip(posterior.local.topics.tolist(), posterior.probability, strict=True):
            found = best_questions(network, posterior, 9, targets=[topic])
            assert not (found.questions and found.is_exact)
            assert all(question.bits <= entropy(p) + 1e-9 for question in found.questions)


def test_a_posterior_without_samples_has_the_same_questions():
    network = plain_network(np.random.default_rng(4), 6, 9, 0.6)
    evidence = Evidence((0, 1), closed_world=False)
    posterior = infer(network, evidence)
    targets = undecided(posterior)
    expected = best_questions(network, posterior, 9, targets=targets)
    bound = infer(network, evidence, method="mean-field")
    assert best_questions(network, bound, 9, targets=targets).questions == expected.questions


def test_what_is_decided_needs_no_question():
    network = plain_network(np.random.default_rng(5), 3, 6, 0.6)
    evidence = Evidence((0,), closed_world=False, on=(0,), off=(1, 2))
    posterior = infer(network, evidence)
    assert undecided(posterior) == []
    assert best_questions(network, posterior).questions == ()
