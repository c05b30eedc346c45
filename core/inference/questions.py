"""Most informative questions: words or topics whose answer settles undecided topics (MATH §11)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, get_args

import numpy as np

from ..kernels.local_model import local_factors
from ..model.network import Network
from ..utils.errors import InputError
from ..utils.types import BoolArray, FloatArray, Int64Array
from .evidence import Evidence, held_states, local_problem
from .infer import MAX_EDGES, MAX_NODES, infer, kernels_for
from .posterior import Posterior
from .question_estimates import MAX_SAMPLED, Gain, estimates, from_samples, pairs_of
from .two_layers import sum_all_variants

# A topic is undecided if its probability is between these.
UNDECIDED = 0.05, 0.95
N_LIKELIEST = 5
# Candidates whose bits are computed exactly at once; fewer beyond the limits.
SIZES = 24, 16, 6
# Limit on candidates times topics that are computed at once if no topic has a parent.
MAX_AT_ONCE = 2**17
# Measures of the bits of a question.
Aim = Literal["information", "confirmation"]
AIMS: tuple[Aim, ...] = get_args(Aim)
# Information that differs by less, in bits, is the same up to rounding.
SAME = 1e-12
# Limit on the entries of all products of one candidate; more take longer than 0.1 s in a batch.
MAX_TERMS = 2**17
# Answers with a probability below this one are given.
_SURE = 1e-12


@dataclass(frozen=True)
class Question:
    """A question with the answers yes and no, and its expected information.

    Attributes
    ----------
    is_word : bool
        Whether it is a word, which may be present or absent, or a topic, which may be on or off.
    node : int
        Number of the token in the vocabulary, or of the topic.
    bits : float
        Sum over the target topics of a measure in bits. By ``information``, it is the mutual
        information between the answer and the topic given the evidence. By ``confirmation``, it is
        the relative entropy between the distribution of the answer and the one if the topic were
        off: the expected growth of −log₂ of the probability that the topic is off. Both count what
        two topics share twice, so the sum may exceed the value for their joint state, and both are
        0 if and only if the answer changes the probability of no target topic. ``confirmation``
        takes no probability of off below 1e-12 (40 bits), and near this value, rounding may change
        the exact bits by 0.001; otherwise they are exact to 1e-9. Estimates cover only the
        `question_estimates.MAX_TARGETS` least decided targets and leave out the others, except
        estimates from samples, which cover all targets.
    yes : float
        Probability of the answer yes.
    cost : float
        Cost of the question; questions are ordered by bits per cost.
    """

    is_word: bool
    node: int
    bits: float
    yes: float
    cost: float = 1.0


@dataclass(frozen=True, eq=False)
class Questions:
    """Questions about one document, the most informative per cost first.

    Attributes
    ----------
    questions : tuple of Question
    targets : tuple of int
        Topics that the questions are about.
    n_candidates : int
        Number of words and topics that were considered.
    is_exact : bool
        Whether the bits are exact. Otherwise they are estimates because exact inference takes too
        long: from the samples of the posterior, or with topics that are independent given the
        evidence, or given the evidence and the state of one target.
    is_complete : bool
        Whether the bits of all candidates are exact. Otherwise a question that is not among
        ``questions`` may be more informative than these.
    """

    questions: tuple[Question, ...]
    targets: tuple[int, ...]
    n_candidates: int
    is_exact: bool
    is_complete: bool


class _Candidates(NamedTuple):
    """Candidates, target topics, and the measure of a question."""

    words: Int64Array
    topics: Int64Array
    targets: Int64Array
    gain: Gain


def undecided(posterior: Posterior) -> list[int]:
    """Topics of the local model that are neither nearly certain nor held.

    If all topics are improbable, the `N_LIKELIEST` most probable ones.
    """
    (low, high), p = UNDECIDED, posterior.probability
    chosen = (p > low) & (p < high)
    if p.max(initial=0.0) <= low:
        chosen[np.argsort(-p, kind="stable")[:N_LIKELIEST]] = True
    return _not_held(posterior, posterior.local.topics[chosen].tolist())


def best_questions(
    network: Network,
    posterior: Posterior,
    n_questions: int = 5,
    *,
    targets: Sequence[int] | None = None,
    with_topics: bool = False,
    excluded: Sequence[int] = (),
    costs: Mapping[int, float] | None = None,
    aim: Aim = "information",
) -> Questions:
    """Words (and topics) whose answer is most informative about some topics, see `Question`.

    Candidates are all unanswered words below the target topics or below topics under them. Their
    information is computed exactly in batches, in the order of a rough estimate, until a batch does
    not improve the best questions. A batch is computed on the local model of the evidence and its
    candidates. Beyond the limit, batches are smaller, and then all bits are estimates. If no topic
    has a parent, all candidates are computed at once.

    Parameters
    ----------
    posterior : Posterior
        From `infer`.
    targets : sequence of int, optional
        Topics of the local model; default all undecided ones, and for ``confirmation`` all
        topics. Held topics are left out because they are decided.
    with_topics : bool
        Whether the targets themselves are candidates. The answer to one settles the topic, so its
        bits include all that is unknown about it.
    excluded : sequence of int
        Tokens that are not asked for, such as skipped questions.
    costs : mapping of token to float, optional
        Cost of asking for a word, above 0; 1 for every other word or topic.
    aim : {"information", "confirmation"}
        What the bits measure, see `Question`. Information counts whether topics are settled either
        way; confirmation counts whether some topic becomes nearly certain to be on, so it needs
        fewer questions until a diagnosis.

    Raises
    ------
    InputError
        If a target is not in the local model, a cost is not above 0, or there is no such aim.
    """
    if aim not in AIMS:
        raise InputError(f"there is no aim {aim!r}; use one of {', '.join(AIMS)}")
    for topic in targets or ():
        posterior.position(topic)
    chosen = _targets(posterior, aim) if targets is None else _not_held(posterior, targets)
    for token, cost in (costs or {}).items():
        if not 0.0 < cost < np.inf:
            raise InputError(f"the cost of word {token} is {cost}; expected a number above 0")
    if posterior.method not in ("elimination", "sampling"):
        posterior = infer(network, posterior.evidence)
    below = _descendants(network, chosen)
    words = _words_below(network, posterior.evidence, below)
    words = words[~np.isin(words, np.array(excluded, np.int64))]
    topics = np.array(chosen if with_topics else [], np.int64)
    n_candidates = len(words) + len(topics)
    if not n_candidates:
        return Questions((), tuple(chosen), 0, is_exact=True, is_complete=True)
    price = np.ones(n_candidates)
    for token, cost in (costs or {}).items():
        price[: len(words)][words == token] = cost
    candidates = _Candidates(words, topics, np.array(chosen, np.int64), _GAINS[aim])
    bits, yes, is_known = _in_batches(network, posterior, candidates, below, price, n_questions)
    is_exact = bool(is_known.any())
    shown = np.flatnonzero(is_known) if is_exact else np.arange(n_candidates)
    order = shown[np.argsort(-bits[shown] / price[shown], kind="stable")][:n_questions]
    nodes = np.concatenate([words, topics])
    questions = (
        Question(number < len(words), int(nodes[number]), *each)
        for number, *each in zip(
            order.tolist(),
            bits[order].tolist(),
            yes[order].tolist(),
            price[order].tolist(),
            strict=True,
        )
    )
    return Questions(
        tuple(questions),
        tuple(chosen),
        n_candidates,
        is_exact,
        is_complete=bool(is_known.all()),
    )


def _targets(posterior: Posterior, aim: Aim) -> list[int]:
    """Topics that the questions are about by default."""
    if aim == "information":
        return undecided(posterior)
    # An improbable topic may be confirmed later.
    return _not_held(posterior, posterior.local.topics.tolist())


def _not_held(posterior: Posterior, topics: Sequence[int]) -> list[int]:
    """Those topics that are not held, each one once."""
    held = {*posterior.evidence.on, *posterior.evidence.off}
    return [topic for topic in dict.fromkeys(topics) if topic not in held]


def _is_small_and_flat(network: Network) -> bool:
    """Whether all candidates can be computed at once: no topic has a parent, and there are few."""
    graph = network.graph
    is_flat = int(graph.parent_ptr[graph.n_topics]) == 0
    return is_flat and graph.n_topics * graph.n_tokens <= MAX_AT_ONCE


def _in_batches(
    network: Network,
    posterior: Posterior,
    candidates: _Candidates,
    below: Sequence[int],
    price: FloatArray,
    n_questions: int,
) -> tuple[FloatArray, FloatArray, BoolArray]:
    """Bits and probability of yes of all words and topics, and which of them are exact.

    The others are estimates. A batch that exceeds the limits is made smaller.
    """
    words, topics = candidates.words, candidates.topics
    if _is_small_and_flat(network):
        # All candidates at once take less time than an estimate.
        found = _exact(network, posterior, candidates)
        if found is not None:
            return np.maximum(found[0], 0.0), found[1], np.ones(len(price), bool)
    bits, yes = np.zeros(len(price)), np.zeros(len(price))
    is_known, left, sizes = np.zeros(len(price), bool), np.zeros(0, np.int64), list(SIZES)
    if len(words):
        all_ = slice(len(words))
        bits[all_], yes[all_], is_fast = _estimated(
            network, posterior, candidates, below, price[all_]
        )
        left = np.argsort(-bits[all_] / price[all_], kind="stable")
        sizes = sizes if is_fast else []
    # A topic whose probability alone is known settles itself.
    p = posterior.probability[[posterior.position(topic) for topic in topics.tolist()]]
    bits[len(words) :], yes[len(words) :] = candidates.gain.bits(p, 1.0 - p, np.zeros(len(p))), p
    own, best = np.arange(len(words), len(price)), np.zeros(0)
    while len(left) or len(own):
        found = None
        while sizes and found is None:
            batch = left[: sizes[0]]
            part = candidates._replace(words=words[batch], topics=topics[: len(own)])
            found = _exact(network, posterior, part)
            if found is None:
                del sizes[0]
        if found is None:
            break
        done = np.concatenate([batch, own])
        bits[done], yes[done] = np.maximum(found[0], 0.0), found[1]
        is_known[done] = True
        left, own = left[len(batch) :], own[:0]
        top = np.sort(bits[is_known] / price[is_known])[::-1][:n_questions]
        if len(top) == len(best) and (top <= best + SAME).all():
            break
        best = top
    return bits, yes, is_known


def _estimated(
    network: Network,
    posterior: Posterior,
    candidates: _Candidates,
    below: Sequence[int],
    price: FloatArray,
) -> tuple[FloatArray, FloatArray, bool]:
    """Estimated bits and probability of yes of all words, and whether exact bits are feasible."""
    pairs = pairs_of(network, posterior, candidates.targets.tolist(), below)
    bits, yes = estimates(network, pairs, candidates.words, candidates.gain)
    if pairs.is_summed:
        return np.maximum(bits, 0.0), yes, True
    best = np.argsort(-bits / price, kind="stable")[:MAX_SAMPLED]
    bits = np.zeros(len(bits))
    bits[best], yes[best] = from_samples(
        network, posterior, pairs, candidates.words[best], candidates.gain
    )
    return bits, yes, False


def _descendants(network: Network, topics: Sequence[int]) -> list[int]:
    """Some topics and all topics below them, parents first."""
    graph, found, left = network.graph, set(topics), list(topics)
    while left:
        below = [k for k in graph.children(left.pop()).tolist() if k < graph.n_topics]
        left += [topic for topic in below if topic not in found]
        found.update(below)
    return sorted(found)


def _words_below(network: Network, evidence: Evidence, topics: Sequence[int]) -> Int64Array:
    """Words that are children of some topics and may be asked for, ascending."""
    graph = network.graph
    below = [graph.child_idx[graph.child_ptr[k] : graph.child_ptr[k + 1]] for k in topics]
    nodes = np.unique(np.concatenate([np.zeros(0, np.int64), *below]))
    words = nodes[nodes >= graph.n_topics] - graph.n_topics
    if evidence.closed_world:
        return words[np.isin(words, np.array(evidence.unknown, np.int64))]
    # A word that was typed as unknown has been asked for, without an answer.
    return words[~np.isin(words, np.array(evidence.tokens, np.int64))]


def _exact(
    network: Network, posterior: Posterior, candidates: _Candidates
) -> tuple[FloatArray, FloatArray] | None:
    """Bits and probability of yes of every word and topic; None if it takes too long."""
    words, topics, targets, gain = candidates
    evidence, n_topics = posterior.evidence, network.graph.n_topics
    whole = evidence
    if not evidence.closed_world:
        whole = replace(evidence, absent=(*evidence.absent, *words.tolist()))
    local, weights = local_problem(network, whole)
    if len(local.node) > MAX_NODES or len(local.parent) > MAX_EDGES:
        return None
    with kernels_for(local):
        factors = local_factors(local, weights, held_states(local, whole))
    numbers = local.node[: local.n_topics]
    to_word = np.zeros((len(words), local.n_topics))
    for number, node in enumerate((words + n_topics).tolist()):
        edges = slice(network.graph.parent_ptr[node], network.graph.parent_ptr[node + 1])
        to_word[number, np.searchsorted(numbers, network.graph.parent_idx[edges])] = network.weight[
            edges
        ]
    silence = factors.silence
    if not evidence.closed_world:
        silence = np.maximum(silence - to_word.sum(axis=0), 0.0)
    # The first row is the evidence alone; in each other one, one answer is no.
    off = np.zeros((len(topics), local.n_topics))
    off[np.arange(len(topics)), np.searchsorted(numbers, topics)] = np.inf
    rows = silence + np.concatenate([np.zeros((1, local.n_topics)), to_word, off])
    found = sum_all_variants(local, factors, rows, MAX_TERMS)
    if found is None:
        return None
    probability, log_sum = found
    leak = np.concatenate([network.leak[words + n_topics], np.zeros(len(topics))])
    no = np.exp(log_sum[1:] - log_sum[0] - leak)
    places = np.searchsorted(numbers, targets)
    p = probability[0, places]
    bits = gain.bits(p, no[:, None], probability[1:, places]).sum(axis=1)
    return (bits, 1.0 - no) if np.isfinite(bits).all() else None


def _information(p: FloatArray, no: FloatArray, p_if_no: FloatArray) -> FloatArray:
    """Mutual information in bits of a topic with probability p and an answer, each elementwise."""
    p_if_yes = _if_yes(p, no, p_if_no)
    return np.asarray(_entropy(p) - no * _entropy(p_if_no) - (1.0 - no) * _entropy(p_if_yes))


def _confirmation(p: FloatArray, no: FloatArray, p_if_no: FloatArray) -> FloatArray:
    """Expected evidence in bits that a topic is on, each elementwise."""
    off, off_if_no, off_if_yes = (
        -np.log2(np.clip(1.0 - each, _SURE, 1.0)) for each in (p, p_if_no, _if_yes(p, no, p_if_no))
    )
    return np.asarray(no * off_if_no + (1.0 - no) * off_if_yes - off)


def _odds(p: FloatArray) -> FloatArray:
    return np.asarray(p / np.maximum(1.0 - p, _SURE))


def _if_yes(p: FloatArray, no: FloatArray, p_if_no: FloatArray) -> FloatArray:
    """Probability of a topic after the answer yes."""
    joint = p - no * p_if_no
    return np.asarray(np.clip(joint / np.maximum(1.0 - no, _SURE), 0.0, 1.0))


def _entropy(p: FloatArray) -> FloatArray:
    """Entropy of a yes or no with these probabilities, in bits."""
    clipped = np.clip(np.stack([p, 1.0 - p]), 1e-300, 1.0)
    return np.asarray(-(clipped * np.log2(clipped)).sum(axis=0))


_GAINS: dict[Aim, Gain] = {
    "information": Gain(_information, np.ones_like),
    "confirmation": Gain(_confirmation, _odds),
}
