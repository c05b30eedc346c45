"""Information of questions: equal to enumeration, whatever is held, for words and topics."""

from __future__ import annotations

import numpy as np
import pytest

from orrery.core.inference import question_estimates
from orrery.core.inference import questions as module
from orrery.core.inference.evidence import Evidence
from orrery.core.inference.infer import infer
from orrery.core.inference.questions import AIMS, best_questions, undecided
from orrery.core.utils.errors import InputError
from tests import naive
from tests.core.kernels.test_sum_product import observed_nodes, random_evidence
from tests.random_networks import flat_network, plain_network, random_network, with_value


def entropy(p):
    return -sum(q * np.log2(q) for q in (p, 1.0 - p) if q > 0.0)


def ruled_out(p):
    return -np.log2(max(1.0 - p, 1e-12))


def enumerated_bits(network, evidence, question, targets, aim="information"):
    """Sum over the targets of the expected change: mutual information, or confirmation."""
    measure = entropy if aim == "information" else lambda p: -ruled_out(p)
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
        bits += share * sum(measure(before[k]) - measure(after[k]) for k in targets)
    return bits, yes


@pytest.mark.parametrize("aim", AIMS)
@pytest.mark.parametrize("seed", range(40))
def test_equals_enumeration(seed, aim):
    rng = np.random.default_rng(seed)
    make = (plain_network, flat_network, random_network)[seed % 3]
    # Where a topic is nearly certain, 1 − p has few digits.
    tolerance = 1e-3 if aim == "confirmation" and make is random_network else 1e-9
    network = make(rng, int(rng.integers(2, 7)), 8, 0.4)
    evidence = random_evidence(rng, network.graph, False)
    posterior = infer(network, evidence)
    # The certainty of a topic that is asked for has no bound.
    with_topics = aim == "information"
    found = best_questions(network, posterior, 100, with_topics=with_topics, aim=aim)
    assert found.is_exact
    for question in found.questions:
        bits, yes = enumerated_bits(network, evidence, question, found.targets, aim)
        assert question.bits == pytest.approx(bits, abs=tolerance)
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


@pytest.mark.parametrize("aim", AIMS)
@pytest.mark.parametrize("seed", range(10))
def test_all_at_once_are_the_same_as_in_batches(seed, aim, monkeypatch):
    network = flat_network(np.random.default_rng(seed), 7, 12, 0.4)
    posterior = infer(network, Evidence((0, 1), closed_world=False))
    at_once = best_questions(network, posterior, 100, aim=aim)
    monkeypatch.setattr(module, "MAX_AT_ONCE", 0)
    in_batches = best_questions(network, posterior, 100, aim=aim)
    assert at_once.is_complete
    assert at_once.targets == in_batches.targets
    expected = {question.node: question.bits for question in in_batches.questions}
    assert {q.node: q.bits for q in at_once.questions} == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("make", [plain_network, flat_network])
@pytest.mark.parametrize("method", ["elimination", "sampling"])
def test_samples_give_bits_close_to_the_exact_ones(method, make, monkeypatch):
    """Without exact pairs of topics, the bits are from samples, also of words further below."""
    monkeypatch.setattr(module, "MAX_AT_ONCE", 0)
    for seed in range(8):
        network = make(np.random.default_rng(seed), 7, 12, 0.4)
        posterior = infer(network, Evidence((0, 1), closed_world=False))
        exact = best_questions(network, posterior, 100)
        assert exact.is_exact
        with monkeypatch.context() as patch:
            patch.setattr(question_estimates, "MAX_PAIR_TERMS", 1)
            patch.setattr(question_estimates, "MAX_ENUMERATED", 0)
            sampled = infer(network, posterior.evidence, method=method)
            found = best_questions(network, sampled, 100, targets=exact.targets)
        assert not found.is_exact
        bits = {question.node: (question.bits, question.yes) for question in exact.questions}
        for question in found.questions:
            assert question.bits == pytest.approx(bits[question.node][0], abs=0.05)
            assert question.yes == pytest.approx(bits[question.node][1], abs=0.05)


def test_the_most_promising_words_are_estimated(monkeypatch):
    for seed in range(20):
        network = plain_network(np.random.default_rng(seed), 6, 40, 0.3)
        posterior = infer(network, Evidence((0, 1), closed_world=False))
        every = best_questions(network, posterior, 100)
        with monkeypatch.context() as patch:
            patch.setattr(question_estimates, "MAX_ESTIMATED", 12)
            found = best_questions(network, posterior, 1)
        assert found.questions[0].bits >= 0.9 * every.questions[0].bits


def test_an_unknown_aim_is_refused():
    network = plain_network(np.random.default_rng(1), 4, 8, 0.5)
    posterior = infer(network, Evidence((0,), closed_world=False))
    with pytest.raises(InputError, match="one of information, confirmation"):
        best_questions(network, posterior, aim="certainty")


@pytest.mark.parametrize("p", [0.02, 0.3, 0.9])
@pytest.mark.parametrize("aim", AIMS)
def test_the_excess_is_the_mean_of_unrelated_samples(aim, p):
    gain, n, no = module._GAINS[aim], 2_000, 0.4
    joint = np.outer([p, 1.0 - p], [no, 1.0 - no]).ravel()
    counts = np.random.default_rng(0).multinomial(n, joint, size=200_000) / n
    sampled_no = counts[:, 0] + counts[:, 2]
    bits = gain.bits(counts[:, 0] + counts[:, 1], sampled_no, counts[:, 0] / sampled_no)
    expected = float(gain.excess(np.array(p))) / (2.0 * n * np.log(2.0))
    assert bits.mean() == pytest.approx(expected, rel=0.1)


def test_confirmation_is_about_improbable_topics_too():
    network = flat_network(np.random.default_rng(2), 6, 12, 0.5)
    network = with_value(network, "leak", 0, 1e-4)
    evidence = Evidence((0,), closed_world=False, off=(1,))
    posterior = infer(network, evidence)
    found = best_questions(network, posterior, 3, aim="confirmation")
    assert set(found.targets) == set(posterior.local.topics.tolist()) - {1}
    assert len(found.targets) > len(undecided(posterior))


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


@pytest.mark.parametrize("aim", AIMS)
@pytest.mark.parametrize("make", [plain_network, flat_network])
def test_held_topics_are_neither_targets_nor_candidates(make, aim):
    network = make(np.random.default_rng(4), 6, 9, 0.6)
    posterior = infer(network, Evidence((0, 1), closed_world=False, on=(1,), off=(4,)))
    with_topics = aim == "information"
    every = posterior.local.topics.tolist()
    assert {1, 4} <= set(every)
    found = best_questions(network, posterior, 99, targets=every, with_topics=with_topics, aim=aim)
    free = [topic for topic in every if topic not in (1, 4)]
    assert found.targets == tuple(free)
    assert found.is_exact
    asked = [question.node for question in found.questions if not question.is_word]
    assert sorted(asked) == (free if with_topics else [])
    same = best_questions(network, posterior, 99, targets=free, with_topics=with_topics, aim=aim)
    assert found.questions == same.questions
    only = best_questions(network, posterior, 99, targets=[1, 4], with_topics=with_topics, aim=aim)
    assert (only.questions, only.targets, only.is_exact) == ((), (), True)


def test_estimates_are_about_the_least_decided_targets(monkeypatch):
    network = plain_network(np.random.default_rng(4), 6, 9, 0.6)
    posterior = infer(network, Evidence((0, 1), closed_world=False))
    monkeypatch.setattr(question_estimates, "MAX_TARGETS", 2)
    by_certainty = np.argsort(-np.abs(posterior.probability - 0.5))
    targets = posterior.local.topics[by_certainty].tolist()
    pairs = question_estimates.pairs_of(network, posterior, targets, targets)
    assert pairs.is_summed
    assert len(targets) > 2
    assert set(pairs.targets.tolist()) == set(targets[-2:])


def test_batches_begin_with_the_highest_estimates_per_cost(monkeypatch):
    monkeypatch.setattr(module, "MAX_AT_ONCE", 0)
    monkeypatch.setattr(module, "SIZES", (1,))
    for seed in range(20):
        rng = np.random.default_rng(seed)
        network = plain_network(rng, 6, 20, 0.4)
        posterior = infer(network, Evidence((0, 1), closed_world=False))
        costs = dict(enumerate(rng.uniform(0.2, 5.0, 20).tolist()))
        every = best_questions(network, posterior, 100, costs=costs).questions
        found = best_questions(network, posterior, 1, costs=costs).questions
        best = every[0].bits / every[0].cost
        assert found[0].bits / found[0].cost >= 0.9 * best
