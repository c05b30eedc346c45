"""Most informative questions: words or topics whose answer settles undecided topics (MATH §11)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..kernels.local_model import local_factors
from ..model.network import Network
from ..utils.errors import InputError
from ..utils.types import BoolArray, FloatArray, Int64Array
from .elimination import sum_variants
from .evidence import Evidence, held_states, local_problem
from .infer import MAX_EDGES, MAX_NODES, infer, kernels_for
from .posterior import Posterior

# A topic is undecided if its probability is between these.
UNDECIDED = 0.05, 0.95
N_LIKELIEST = 5
# Candidates whose information is computed exactly at once are a part of the first number: a half,
# or less beyond the limits. Variants in one elimination.
MAX_CANDIDATES, BATCH = 48, 64
PARTS = 2, 3, 8
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
        Sum over the target topics of the mutual information between the answer and the topic given
        the evidence, in bits. It counts what two topics share twice, so it may exceed the
        information about their joint state, and it is 0 if and only if the answer changes the
        probability of no target topic.
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
        Whether the bits are exact. Otherwise they are estimates, which take the topics as
        independent given the evidence and the state of one target, because exact inference takes
        too long.
    is_complete : bool
        Whether the bits of all candidates are exact. Otherwise a question that is not among
        ``questions`` may be more informative than these.
    """

    questions: tuple[Question, ...]
    targets: tuple[int, ...]
    n_candidates: int
    is_exact: bool
    is_complete: bool


def undecided(posterior: Posterior) -> list[int]:
    """Topics of the local model that are neither nearly certain nor held.

    If all topics are improbable, the `N_LIKELIEST` most probable ones.
    """
    (low, high), p = UNDECIDED, posterior.probability
    chosen = (p > low) & (p < high)
    if p.max(initial=0.0) <= low:
        chosen[np.argsort(-p, kind="stable")[:N_LIKELIEST]] = True
    held = {*posterior.evidence.on, *posterior.evidence.off}
    return [topic for topic in posterior.local.topics[chosen].tolist() if topic not in held]


def best_questions(
    network: Network,
    posterior: Posterior,
    n_questions: int = 5,
    *,
    targets: Sequence[int] | None = None,
    with_topics: bool = False,
    excluded: Sequence[int] = (),
    costs: Mapping[int, float] | None = None,
) -> Questions:
    """Words (and topics) whose answer is most informative about some topics, see `Question`.

    Candidates are all unanswered words below the target topics or below topics under them. Their
    information is computed exactly in batches, in the order of a rough estimate, until a batch does
    not improve the best questions. A batch is computed on the local model of the evidence and its
    candidates. Beyond the limit, batches are smaller, and then all bits are estimates.

    Parameters
    ----------
    posterior : Posterior
        From `infer`.
    targets : sequence of int, optional
        Topics of the local model; default all undecided ones.
    with_topics : bool
        Whether the targets themselves are candidates. The answer to one settles the topic, so its
        bits include all that is unknown about it.
    excluded : sequence of int
        Tokens that are not asked for, such as skipped questions.
    costs : mapping of token to float, optional
        Cost of asking for a word, above 0; 1 for every other word or topic.

    Raises
    ------
    InputError
        If a target is not in the local model, or a cost is not above 0.
    """
    chosen = undecided(posterior) if targets is None else list(dict.fromkeys(targets))
    for topic in chosen:
        posterior.position(topic)
    for token, cost in (costs or {}).items():
        if not 0.0 < cost < np.inf:
            raise InputError(f"the cost of word {token} is {cost}; expected a number above 0")
    below = _descendants(network, chosen)
    words = _words_below(network, posterior.evidence, below)
    words = words[~np.isin(words, np.array(excluded, np.int64))]
    topics = np.array(chosen if with_topics else [], np.int64)
    n_candidates = len(words) + len(topics)
    if not n_candidates:
        return Questions((), tuple(chosen), 0, is_exact=True, is_complete=True)
    price = np.array([(costs or {}).get(token, 1.0) for token in words.tolist()])
    price = np.concatenate([price, np.ones(len(topics))])
    bits, yes, is_known = _in_batches(
        network, posterior, words, topics, np.array(chosen, np.int64), below, price, n_questions
    )
    is_exact = bool(is_known.any())
    shown = is_known if is_exact else np.ones(n_candidates, bool)
    nodes = np.concatenate([words, topics])
    questions = [
        Question(number < len(words), int(nodes[number]), b, float(yes[number]), float(cost))
        for number, b, cost in zip(
            np.flatnonzero(shown).tolist(), bits[shown].tolist(), price[shown], strict=True
        )
    ]
    questions.sort(key=lambda question: -question.bits / question.cost)
    return Questions(
        tuple(questions[:n_questions]),
        tuple(chosen),
        n_candidates,
        is_exact,
        is_complete=bool(is_known.all()),
    )


def _in_batches(
    network: Network,
    posterior: Posterior,
    words: Int64Array,
    topics: Int64Array,
    targets: Int64Array,
    below: Sequence[int],
    price: FloatArray,
    n_questions: int,
) -> tuple[FloatArray, FloatArray, BoolArray]:
    """Bits and probability of yes of all words and topics, and which of them are exact.

    The others are estimates. A batch that exceeds the limits is made smaller.
    """
    bits, yes = np.zeros(len(price)), np.zeros(len(price))
    is_known, left = np.zeros(len(price), bool), np.zeros(0, np.int64)
    if len(words):
        rough = _rough(network, posterior, words, targets.tolist(), below)
        bits[: len(words)], yes[: len(words)] = np.maximum(rough[0], 0.0), rough[1]
        left = np.argsort(-rough[0] / price[: len(words)], kind="stable")
    # A topic whose probability alone is known settles itself.
    p = posterior.probability[[posterior.position(topic) for topic in topics.tolist()]]
    bits[len(words) :], yes[len(words) :] = _entropy(p), p
    sizes = [max(MAX_CANDIDATES // part, 1) for part in PARTS]
    own = np.arange(len(words), len(price))
    best = np.zeros(0)
    while len(left) or len(own):
        found = None
        while sizes and found is None:
            batch = left[: sizes[0]]
            found = _exact(network, posterior, words[batch], topics[: len(own)], targets)
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


def _rough(
    network: Network,
    posterior: Posterior,
    words: Int64Array,
    targets: Sequence[int],
    below: Sequence[int],
) -> tuple[FloatArray, FloatArray]:
    """Estimated bits about the target topics, and probability, of each word.

    The topics are taken as independent given the evidence and the state of one target; outside the
    local model, they follow from their parents.
    """
    if posterior.samples is None:
        posterior = infer(network, posterior.evidence)
    graph, n_targets, p = network.graph, len(targets), posterior.probability
    topics = np.union1d(posterior.local.topics, np.array(below, np.int64)).astype(np.int64)
    column = np.full(graph.n_topics, -1, np.int64)
    column[topics] = np.arange(len(topics))
    own = p[[posterior.position(topic) for topic in targets]]
    # Probability of each topic with each target on, with each one off, and whatever they are.
    given = np.zeros((2 * n_targets + 1, len(topics)))
    local = column[posterior.local.topics]
    given[-1, local] = p
    for number, topic in enumerate(targets):
        joint = posterior.together_with(topic)[0]
        on, off = joint / max(own[number], _SURE), (p - joint) / max(1.0 - own[number], _SURE)
        given[2 * number, local], given[2 * number + 1, local] = np.clip([on, off], 0.0, 1.0)
    is_local = np.zeros(graph.n_topics, bool)
    is_local[posterior.local.topics] = True
    for topic in below if not posterior.evidence.closed_world else ():
        if not is_local[topic]:
            into = slice(graph.parent_ptr[topic], graph.parent_ptr[topic + 1])
            above = column[graph.parent_idx[into]]
            pull = given[:, above[above >= 0]] @ network.weight[into][above >= 0]
            given[:, column[topic]] = -np.expm1(-network.leak[topic] - pull)

    nodes = words + graph.n_topics
    count = graph.parent_ptr[nodes + 1] - graph.parent_ptr[nodes]
    ends = np.cumsum(count)
    edges = np.arange(ends[-1]) + np.repeat(graph.parent_ptr[nodes + 1] - ends, count)
    # Each word has a parent among these topics.
    word, parent = np.repeat(np.arange(len(words)), count), column[graph.parent_idx[edges]]
    edges, word, parent = (each[parent >= 0] for each in (edges, word, parent))
    first = np.searchsorted(word, np.arange(len(words)))
    activates, by_leak = -np.expm1(-network.weight[edges]), np.exp(-network.leak[nodes])

    def absent(number: int) -> FloatArray:
        silent = np.multiply.reduceat(1.0 - given[number, parent] * activates, first)
        return np.asarray(by_leak * silent)

    bits = np.zeros(len(words))
    for number, q in enumerate(own.tolist()):
        on, off = q * absent(2 * number), (1.0 - q) * absent(2 * number + 1)
        bits += _information(np.full(len(words), q), on + off, on / np.maximum(on + off, _SURE))
    return bits, 1.0 - absent(-1)


def _exact(
    network: Network,
    posterior: Posterior,
    words: Int64Array,
    topics: Int64Array,
    targets: Int64Array,
) -> tuple[FloatArray, FloatArray] | None:
    """Bits and probability of yes of every word and topic; None if it takes too long."""
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
    probability, log_sum = np.empty_like(rows), np.empty(len(rows))
    for begin in range(0, len(rows), BATCH):
        part = slice(begin, begin + BATCH)
        found = sum_variants(local, factors, rows[part], MAX_TERMS)
        if found is None:
            return None
        probability[part], log_sum[part] = found
    leak = np.concatenate([network.leak[words + n_topics], np.zeros(len(topics))])
    no = np.exp(log_sum[1:] - log_sum[0] - leak)
    places = np.searchsorted(numbers, targets)
    p = probability[0, places]
    bits = _information(p, no[:, None], probability[1:, places]).sum(axis=1)
    return (bits, 1.0 - no) if np.isfinite(bits).all() else None


def _information(p: FloatArray, no: FloatArray | float, p_if_no: FloatArray) -> FloatArray:
    """Mutual information in bits of a topic with probability p and an answer, each elementwise."""
    yes = 1.0 - np.asarray(no)
    joint = p - no * p_if_no
    p_if_yes = np.clip(joint / np.maximum(yes, _SURE), 0.0, 1.0)
    return np.asarray(_entropy(p) - no * _entropy(p_if_no) - yes * _entropy(p_if_yes))


def _entropy(p: FloatArray) -> FloatArray:
    """Entropy of a yes or no with these probabilities, in bits."""
    clipped = np.clip(np.stack([p, 1.0 - p]), 1e-300, 1.0)
    return np.asarray(-(clipped * np.log2(clipped)).sum(axis=0))
