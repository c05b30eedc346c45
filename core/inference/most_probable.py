"""Most probable joint states of the topics given the evidence (MATH §11).

The search has three steps. A local search from likely states finds good ones. Variable elimination
with maxima (`elimination.max_states`) bounds all states in which a topic is on, or off; a topic
that is on only in worse states than those found is off in all of the best, and the reverse. The
topics that are left are searched completely, with branch and bound.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..kernels.local_model import FREE, HELD_ON, Factors, LocalGraph, local_factors
from ..model.network import Network
from ..utils.errors import InputError
from ..utils.types import BoolArray, FloatArray, Int32Array
from .elimination import max_states
from .evidence import held_states, local_problem
from .infer import MAX_EDGES, MAX_NODES, MAX_SILENCE, infer, kernels_for
from .posterior import Posterior

N_STATES = 5
# States that differ by less, in nats, have the same probability up to rounding.
SAME = 1e-9
# Limit on the entries of all products of the bounds; more take longer than 0.1 s.
MAX_BOUND_TERMS = 2**19
# Limit on the numbers that branch and bound computes, partial states times nodes times topics; more
# take longer than 0.1 s.
MAX_WORK = 2**20
# Rounds of the local search, states of which the neighbours are computed in each, probabilities
# above which all topics are on in its first states, and above which a topic replaces another one.
_MAX_ROUNDS, _N_CENTRES = 30, 4
_STARTS = np.array([0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 1.0])
_LIKELY = 0.01
# Limit on its multiplications; more take longer than a second.
MAX_LOCAL_WORK = 2**30


@dataclass(frozen=True, eq=False)
class MostProbable:
    """The most probable joint states of the topics of a local model.

    The first state is the most probable one. Of states with the same probability, the one with
    fewer topics on comes first, then the one whose topics have lower numbers.

    Attributes
    ----------
    topics : int32 array, shape (n_topics,)
        Topics of the local model, ascending; every other topic is off, or unknown and without
        influence in an open world.
    state : bool array, shape (n_states, n_topics)
        Whether each topic is on. Fewer rows than asked for if there are fewer states.
    log_joint : float64 array, shape (n_states,)
        Log-probability of each state together with the evidence, in nats.
    probability : float64 array, shape (n_states,)
        Posterior probability of each state, as exact as the posterior's ``log_probability``. If
        this is an estimate that is too low, so that the sum would exceed 1, the sum is 1.
    is_exact : bool
        Whether no other state is more probable than those listed.
    missed : float
        Upper bound on the posterior probability of any state that is more probable than the last
        one listed, but was not found; 0 if ``is_exact``.
    """

    topics: Int32Array
    state: BoolArray
    log_joint: FloatArray
    probability: FloatArray
    is_exact: bool
    missed: float

    def on(self, number: int) -> list[int]:
        """Topics that are on in a state."""
        return [int(topic) for topic in self.topics[self.state[number]]]

    def changes(self, number: int) -> tuple[list[int], list[int]]:
        """Topics that are on in a state but not in the most probable one, and the reverse."""
        best, other = self.state[0], self.state[number]
        return self.topics[other & ~best].tolist(), self.topics[best & ~other].tolist()


def most_probable(network: Network, posterior: Posterior, n_states: int = N_STATES) -> MostProbable:
    """Most probable joint states of all topics of a local model given its evidence.

    Parameters
    ----------
    posterior : Posterior
        From `infer`. By ``mean-field`` or ``jensen``, it is computed again by ``auto``, because the
        probability of a state needs more than a lower bound.
    n_states : int
        Number of states.

    Raises
    ------
    InputError
        If ``n_states`` is below 1.
    """
    if n_states < 1:
        raise InputError(f"{n_states} explanations are asked for; ask for at least 1")
    if posterior.method in ("mean-field", "jensen"):
        posterior = infer(network, posterior.evidence)
    local, weights = local_problem(network, posterior.evidence)
    with kernels_for(local):
        factors = local_factors(local, weights, held_states(local, posterior.evidence))
    child = np.repeat(np.arange(len(local.node)), np.diff(local.parent_ptr))
    weight = np.zeros((local.n_topics, len(local.node)))
    weight[local.parent, child] = weights.w
    joint = _Joint(weight, weights.w0, factors.silence, factors.log_scale)
    free = factors.state == FREE
    state, value = _local_search(joint, posterior, free, n_states)
    outside = -np.inf
    if free.any():
        threshold = value[n_states - 1] if len(value) >= n_states else -np.inf
        fixed = _fixed(local, factors, threshold)
        found, found_value, outside = _branch_and_bound(
            joint, fixed, threshold, posterior.probability
        )
        state, value = np.concatenate([state, found]), np.concatenate([value, found_value])
    state, value = _ordered(state, value, n_states)
    total = posterior.log_probability
    is_exact = bool(outside <= value[-1] + _tie(value[-1]))
    # Estimates may be too low.
    total = max(total, float(np.logaddexp.reduce(value)))
    probability = np.exp(value - total)
    # A state that was found is not missed.
    left = max(1.0 - float(probability.sum()), 0.0) if posterior.is_exact else 1.0
    missed = 0.0 if is_exact else min(float(np.exp(min(outside - total, 0.0))), left)
    return MostProbable(
        topics=local.node[: local.n_topics],
        state=state,
        log_joint=value,
        probability=probability,
        is_exact=is_exact,
        missed=missed,
    )


class _Joint:
    """Log-joint of states of the topics and the evidence, many states at once."""

    def __init__(
        self, weight: FloatArray, leak: FloatArray, silence: FloatArray, log_scale: float
    ) -> None:
        """Weights have shape (n_topics, n_topics + n_words), leaks the second of the two."""
        self.n_topics, self.weight, self.leak = len(weight), weight, leak
        self.silence, self.log_scale = silence, log_scale
        # Number of words of each topic, at least 1.
        self.n_words = np.maximum(np.count_nonzero(weight[:, len(weight) :], axis=1), 1)

    def without(self, off: BoolArray) -> _Joint:
        """Log-joint of the states in which some topics are off, as a function of the others."""
        left, n = ~off, self.n_topics
        silence = self.silence + self.weight[:, :n][:, off].sum(axis=1)
        kept = np.concatenate([left, np.ones(len(self.leak) - n, bool)])
        log_scale = self.log_scale - float(self.leak[:n][off].sum())
        return _Joint(self.weight[left][:, kept], self.leak[kept], silence[left], log_scale)

    def __call__(self, state: BoolArray) -> FloatArray:
        """Log-joint of every state, shape (n_states,), in nats; states have shape (…, n_topics)."""
        activation = state @ self.weight + self.leak
        on = np.log(-np.expm1(-activation))
        own = np.where(
            state, on[:, : self.n_topics] - self.silence, -activation[:, : self.n_topics]
        )
        return np.asarray(self.log_scale + own.sum(axis=1) + on[:, self.n_topics :].sum(axis=1))

    def bound(self, fixed: BoolArray, state: BoolArray) -> FloatArray:
        """Upper bound on the log-joint of all states that agree with the ``fixed`` topics.

        Every node has its largest factor: it is off with the least activation that is possible, and
        on with the largest. A topic that is off lowers its parents, which is exact. A word is
        present because of its parents that are fixed or are on at no cost, or another parent is on
        and pays its cost; a topic shares its cost among its words.
        """
        n, on_fixed, left = self.n_topics, state & fixed, ~fixed
        least = on_fixed @ self.weight + self.leak
        largest = least + left @ self.weight
        on, off = _log_on(largest[:, :n]) - self.silence, -least[:, :n]
        value = self.log_scale + np.where(state, on, off)[:, fixed].sum(axis=1)
        open_ = np.flatnonzero(left)
        lowered = (fixed & ~state) @ self.weight[open_, :n].T
        gain = on[:, open_] - lowered - off[:, open_]
        value += off[:, open_].sum(axis=1) + np.maximum(gain, 0.0).sum(axis=1)
        cost = np.maximum(-gain, 0.0) / self.n_words[open_]
        is_free = gain >= 0.0
        for word in range(n, self.weight.shape[1]):
            to_word = self.weight[open_, word]
            parents = np.flatnonzero(to_word)
            at_no_cost = least[:, word] + is_free[:, parents] @ to_word[parents]
            payer = np.where(is_free[:, parents], np.inf, cost[:, parents])
            paid = _log_on(largest[:, word]) - payer.min(axis=1, initial=np.inf)
            value += np.maximum(_log_on(at_no_cost), paid)
        return np.asarray(value)


def _log_on(activation: FloatArray) -> FloatArray:
    return np.log(-np.expm1(-activation))


def _tie(value: float) -> float:
    return SAME * (1.0 + abs(value))


def _local_search(
    joint: _Joint, posterior: Posterior, free: BoolArray, n_states: int
) -> tuple[BoolArray, FloatArray]:
    """States found by changing one topic, or exchanging two, until the best ones do not change.

    In the first states, all topics above a probability are on.
    """
    probability = posterior.probability
    state = np.unique(np.where(free, probability > _STARTS[:, None], probability > 0.5), axis=0)
    value, done, left = joint(state), set[bytes](), float(MAX_LOCAL_WORK)
    flip = np.diag(free)[free]
    is_likely = probability[free] > _LIKELY
    for _ in range(_MAX_ROUNDS):
        state, value = _ordered(state, value, 4 * n_states)
        centres = [row for row in state[: 2 * n_states] if row.tobytes() not in done][:_N_CENTRES]
        if not centres or not len(flip) or left < 0.0:
            break
        done |= {row.tobytes() for row in centres}
        near = [row ^ flip for row in centres]
        pairs = [row ^ off ^ flip[is_likely] for row in centres for off in flip[flip @ row]]
        # In a whole document, exchanges alone would take seconds.
        if sum(map(len, pairs)) * joint.weight.size < left / 4:
            near += pairs
        more = np.concatenate(near)
        left -= len(more) * joint.weight.size
        state, value = np.concatenate([state, more]), np.concatenate([value, joint(more)])
    return state, value


def _ordered(state: BoolArray, value: FloatArray, n: int) -> tuple[BoolArray, FloatArray]:
    """The first n different states, by the rule of `MostProbable`."""
    packed = np.packbits(state, axis=1)
    rows = np.ascontiguousarray(packed).view(f"V{max(packed.shape[1], 1)}").reshape(-1)
    first = np.unique(rows, return_index=True)[1] if packed.shape[1] else np.zeros(1, np.int64)
    order = first[np.argsort(-value[first], kind="stable")]
    last = value[order[min(n, len(order)) - 1]]
    order = order[value[order] >= last - _tie(last)]
    # States of the same probability are a group.
    best = value[order]
    gap = best[:-1] - best[1:] > SAME * (1.0 + np.abs(best[1:]))
    group = np.concatenate([[0], np.cumsum(gap)])
    # For two states, the one with the lower topic on has the larger bytes.
    keys = (*(255 - packed[order].T[::-1]), state[order].sum(axis=1), group)
    order = order[np.lexsort(keys)][:n]
    return state[order], value[order]


def _fixed(local: LocalGraph, factors: Factors, threshold: float) -> tuple[BoolArray, BoolArray]:
    """Topics that have the same state in all states above the threshold, and this state."""
    is_fixed, is_on = factors.state != FREE, factors.state == HELD_ON
    silence = factors.silence[~is_fixed].max(initial=0.0)
    is_large = len(local.node) > MAX_NODES or len(local.parent) > MAX_EDGES
    if is_large or silence > MAX_SILENCE or not np.isfinite(threshold) or is_fixed.all():
        return is_fixed, is_on
    bounds = max_states(local, factors, MAX_BOUND_TERMS)
    if bounds is None or not np.isfinite(bounds).any(axis=1).all() or np.isnan(bounds).any():
        return is_fixed, is_on
    too_low = bounds < threshold - _tie(threshold)
    never_on, never_off = ~is_fixed & too_low[:, 1], ~is_fixed & too_low[:, 0]
    return is_fixed | never_on | never_off, is_on | never_off


def _branch_and_bound(
    joint: _Joint, fixed: tuple[BoolArray, BoolArray], threshold: float, probability: FloatArray
) -> tuple[BoolArray, FloatArray, float]:
    """All states above the threshold, and the largest bound of the partial states left out."""
    kept = ~fixed[0] | fixed[1]
    joint, is_fixed = joint.without(~kept), fixed[0][kept]
    state, outside = fixed[1][None, kept], -np.inf
    least = threshold - _tie(threshold) if np.isfinite(threshold) else -np.inf
    # Parents come first, so that the probability of a topic given its parents is known.
    depth = np.zeros(joint.n_topics)
    for k in range(joint.n_topics):
        depth[k] = depth[joint.weight[:, k] > 0.0].max(initial=-1.0) + 1.0
    order = np.lexsort([-probability[kept], depth])
    order = order[~is_fixed[order]]
    max_partial = max(MAX_WORK // max(len(joint.leak) * len(order), 1), 1)
    for k in order.tolist():
        is_fixed[k] = True
        on = state.copy()
        on[:, k] = True
        state = np.concatenate([state, on])
        bound = joint.bound(is_fixed, state)
        state, bound = state[bound >= least], bound[bound >= least]
        if len(state) > max_partial:
            best = np.argsort(-bound, kind="stable")
            outside = max(outside, float(bound[best[max_partial]]))
            state = state[best[:max_partial]]
    whole = np.zeros((len(state), len(kept)), bool)
    whole[:, kept] = state
    return whole, joint(state), outside
