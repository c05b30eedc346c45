"""Collapsed inference in hidden Markov models with time-dependent transitions.

Asuncion (2010), sections 5-6. Parameters are integrated out. Every position of every sequence has
its own state probabilities ``q[i, t]``, updated by AMF (20) or by second-order mean field, in the
way of (18). Tables of expected counts exclude the position that is updated: N_kw counts positions
with state k and symbol w, N_tlk transitions from l to k after slice t, N_0k first positions. With
the priors Dirichlet(alpha) of transitions and Dirichlet(beta) of emissions,

    x_1 ~ theta_0,   x_t ~ theta_{t-1}[x_{t-1}],   y_t ~ phi[x_t].

The likelihood of new sequences uses the posterior means of the parameters and sums over all states
exactly (forward algorithm).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Self

import numpy as np

from ..kernels.compiling import kernel
from ..utils.errors import InputError
from ..utils.types import FloatArray, Int64Array
from .system import StoppingCallback, never_stop


class Tables(NamedTuple):
    """Sums over all positions, of expectations or of variances."""

    emitted: np.ndarray  # float64 (n_symbols, n_states)
    first: np.ndarray  # float64 (n_states,)
    # float64 (n_slices - 1, n_states, n_states): transitions from each slice to the next
    passed: np.ndarray


@kernel
def add_place(q, symbols, ptr, i, t, sign, means, variances, second_order):
    """Add one position to the tables, or remove it with ``sign`` -1."""
    here, n_states = ptr[i] + t, q.shape[1]
    own = q[here]
    for k in range(n_states):
        means.emitted[symbols[here], k] += sign * own[k]
        if t == 0:
            means.first[k] += sign * own[k]
        if second_order:
            spread = sign * own[k] * (1.0 - own[k])
            variances.emitted[symbols[here], k] += spread
            if t == 0:
                variances.first[k] += spread
    if t > 0:
        add_passage(q, here - 1, t - 1, sign, means, variances, second_order)
    if here + 1 < ptr[i + 1]:
        add_passage(q, here, t, sign, means, variances, second_order)


@kernel
def add_passage(q, place, t, sign, means, variances, second_order):
    """Add the transition from a position to the next."""
    for m in range(q.shape[1]):
        for k in range(q.shape[1]):
            both = q[place, m] * q[place + 1, k]
            means.passed[t, m, k] += sign * both
            if second_order:
                variances.passed[t, m, k] += sign * both * (1.0 - both)


@kernel
def amf_sweep(symbols, ptr, q, means, alpha, beta):
    """Update every position by (20), in place; return the total change."""
    n_states, n_symbols, change = q.shape[1], means.emitted.shape[0], 0.0
    total, updated = means.emitted.sum(axis=0), np.empty(n_states)
    for i in range(len(ptr) - 1):
        for t in range(ptr[i + 1] - ptr[i]):
            here, is_last = ptr[i] + t, ptr[i] + t + 1 == ptr[i + 1]
            add_place(q, symbols, ptr, i, t, -1.0, means, means, False)
            total -= q[here]
            for k in range(n_states):
                score = (means.emitted[symbols[here], k] + beta) / (total[k] + n_symbols * beta)
                from_previous = means.first[k] + alpha
                if t > 0:
                    from_previous = alpha
                    for m in range(n_states):
                        from_previous += q[here - 1, m] * means.passed[t - 1, m, k]
                updated[k] = score * from_previous
                if not is_last:
                    to_next, all_to_next = alpha, n_states * alpha
                    for m in range(n_states):
                        to_next += q[here + 1, m] * means.passed[t, k, m]
                        all_to_next += means.passed[t, k, m]
                    updated[k] *= to_next / all_to_next
            updated /= updated.sum()
            change += np.abs(updated - q[here]).sum()
            q[here] = updated
            total += updated
            add_place(q, symbols, ptr, i, t, 1.0, means, means, False)
    return change


@kernel
def expected_log(mean, variance):
    """E[log N] to second order."""
    return np.log(mean) - variance / (2.0 * mean * mean)


@kernel
def second_order_sweep(symbols, ptr, q, means, variances, alpha, beta):
    """Update every position by second-order mean field, in the way of (18), in place."""
    n_states, n_symbols, change = q.shape[1], means.emitted.shape[0], 0.0
    total, spread = means.emitted.sum(axis=0), variances.emitted.sum(axis=0)
    updated = np.empty(n_states)
    for i in range(len(ptr) - 1):
        for t in range(ptr[i + 1] - ptr[i]):
            here, is_last = ptr[i] + t, ptr[i] + t + 1 == ptr[i + 1]
            add_place(q, symbols, ptr, i, t, -1.0, means, variances, True)
            total -= q[here]
            spread -= q[here] * (1.0 - q[here])
            w = symbols[here]
            for k in range(n_states):
                score = expected_log(means.emitted[w, k] + beta, variances.emitted[w, k])
                score -= expected_log(total[k] + n_symbols * beta, spread[k])
                if t == 0:
                    score += expected_log(means.first[k] + alpha, variances.first[k])
                all_to_next, all_spread = n_states * alpha, 0.0
                for m in range(n_states):
                    if t > 0:
                        score += q[here - 1, m] * expected_log(
                            means.passed[t - 1, m, k] + alpha, variances.passed[t - 1, m, k]
                        )
                    if not is_last:
                        score += q[here + 1, m] * expected_log(
                            means.passed[t, k, m] + alpha, variances.passed[t, k, m]
                        )
                        all_to_next += means.passed[t, k, m]
                        all_spread += variances.passed[t, k, m]
                if not is_last:
                    score -= expected_log(all_to_next, all_spread)
                updated[k] = score
            updated = np.exp(updated - updated.max())
            updated /= updated.sum()
            change += np.abs(updated - q[here]).sum()
            q[here] = updated
            total += updated
            spread += updated * (1.0 - updated)
            add_place(q, symbols, ptr, i, t, 1.0, means, variances, True)
    return change


@kernel
def forward(symbols, ptr, first, passing, emitting, log_likelihood):
    """Compute the log-likelihood of every sequence by the forward algorithm."""
    n_states = len(first)
    for i in range(len(ptr) - 1):
        log_likelihood[i] = 0.0
        message, next_message = first.copy(), np.empty(n_states)
        for t in range(ptr[i + 1] - ptr[i]):
            if t > 0:
                next_message[:] = 0.0
                for m in range(n_states):
                    for k in range(n_states):
                        next_message[k] += message[m] * passing[t - 1, m, k]
                message[:] = next_message
            message *= emitting[symbols[ptr[i] + t]]
            norm = message.sum()
            log_likelihood[i] += np.log(norm)
            message /= norm


ALPHA, BETA = 0.1, 0.1
SWEEPS = 200
# Sweeps end when the mean change of the state probabilities of a position is below this.
TOLERANCE = 1e-5


class Hmm:
    """Base class of both inference methods; it has the methods of `Baseline`, for sequences.

    ``rounds`` is the maximum number of sweeps over all positions; ``alpha`` and ``beta`` are the
    Dirichlet counts of transitions and of emissions. After `fit`, ``q`` holds the state
    probabilities of all positions of the training sequences, shape (n_positions, n_states).
    """

    measure = "log p(sequence), all states summed, nats"
    is_second_order = False

    def __init__(
        self, n_states: int, seed: int = 0, *, rounds: int = SWEEPS, alpha: float = ALPHA,
        beta: float = BETA,
    ) -> None:  # fmt: skip
        if n_states < 1:
            raise InputError(f"n_states is {n_states}; expected 1 or more")
        self.n_states, self.seed, self.rounds = n_states, seed, rounds
        self.alpha, self.beta = alpha, beta
        self.n_symbols = self.n_slices = 0

    def fit(
        self, sequences: Sequence[Int64Array], *, n_symbols: int | None = None,
        progress: StoppingCallback = never_stop,
    ) -> Self:  # fmt: skip
        """Train on sequences of symbols, which may differ in length.

        Symbols are numbers from 0 to ``n_symbols`` - 1; by default the greatest one is in the data.
        See `Baseline.fit` for ``progress``. InputError if there is no sequence, or for another
        symbol.
        """
        symbols, ptr = _joined(sequences)
        if len(symbols) == 0:
            raise InputError("there is no sequence to train on; give some that are not empty")
        self.n_symbols = n_symbols or int(symbols.max()) + 1
        self.n_slices = int(np.diff(ptr).max())
        self._check(symbols)
        q = np.random.default_rng(self.seed).dirichlet(np.ones(self.n_states), len(symbols))
        means, variances = self._empty(), self._empty()
        _fill(symbols, ptr, q, means, variances)
        for done in range(self.rounds):
            change = self._sweep(symbols, ptr, q, means, variances)
            self.q, self._means = q, means
            if change < TOLERANCE * len(q) or progress((done + 1) / self.rounds):
                break
        return self

    def _sweep(
        self, symbols: Int64Array, ptr: Int64Array, q: FloatArray, means: Tables, variances: Tables
    ) -> float:
        """Update all positions once; return the total change."""
        if self.is_second_order:
            return second_order_sweep(symbols, ptr, q, means, variances, self.alpha, self.beta)
        return amf_sweep(symbols, ptr, q, means, self.alpha, self.beta)

    def transitions(self) -> tuple[FloatArray, FloatArray]:
        """Posterior means of theta_0 and theta_t, shapes (S,) and (n_slices - 1, S, S)."""
        first, passed = self._means.first + self.alpha, self._means.passed + self.alpha
        return first / first.sum(), passed / passed.sum(axis=2, keepdims=True)

    def topics(self) -> FloatArray:
        """Posterior mean of phi: each state's symbols, shape (n_states, n_symbols)."""
        counts = np.maximum(self._means.emitted.T, 0.0) + self.beta
        return np.asarray(counts / counts.sum(axis=1, keepdims=True))

    def bound_or_likelihood(self, sequences: Sequence[Int64Array]) -> FloatArray:
        """Log-likelihood of each sequence, in nats; 0 for an empty one.

        InputError before `fit`, for an unknown symbol, or for a sequence longer than any of `fit`.
        """
        if self.n_symbols == 0:
            raise InputError("the system has learned nothing yet; call fit first")
        symbols, ptr = _joined(sequences)
        self._check(symbols)
        longest = int(np.diff(ptr).max(initial=0))
        if longest > self.n_slices:
            raise InputError(
                f"a sequence has {longest} places and the model {self.n_slices}; cut it off there"
            )
        found = np.empty(len(ptr) - 1)
        forward(symbols, ptr, *self.transitions(), np.ascontiguousarray(self.topics().T), found)
        return found

    def _check(self, symbols: Int64Array) -> None:
        odd = symbols[(symbols < 0) | (symbols >= self.n_symbols)]
        if len(odd):
            raise InputError(
                f"{odd[0]} is no symbol; expected whole numbers from 0 to {self.n_symbols - 1}"
            )

    def _empty(self) -> Tables:
        s = self.n_states
        passed = np.zeros((max(self.n_slices - 1, 0), s, s))
        return Tables(np.zeros((self.n_symbols, s)), np.zeros(s), passed)


class AmfHmm(Hmm):
    """Approximate mean field (20)."""


class SecondOrderHmm(Hmm):
    """Second-order mean field."""

    is_second_order = True


def _joined(sequences: Sequence[Int64Array]) -> tuple[Int64Array, Int64Array]:
    parts = [np.asarray(sequence) for sequence in sequences]
    if any(part.ndim != 1 or (part.size and part.dtype.kind not in "iu") for part in parts):
        raise InputError("this system reads sequences of whole numbers; give it a list of arrays")
    ptr = np.concatenate([[0], np.cumsum([len(part) for part in parts])]).astype(np.int64)
    return np.concatenate([np.empty(0, np.int64), *parts]).astype(np.int64), ptr


def _fill(
    symbols: Int64Array, ptr: Int64Array, q: FloatArray, means: Tables, variances: Tables
) -> None:
    """Compute the tables of all positions and transitions."""
    places = np.arange(len(symbols))
    slices = places - np.repeat(ptr[:-1], np.diff(ptr))
    later = places[slices > 0]
    both = q[later - 1][:, :, None] * q[later][:, None, :]
    for tables, own, joint in ((means, q, both), (variances, q * (1.0 - q), both * (1.0 - both))):
        np.add.at(tables.emitted, symbols, own)
        tables.first[:] = own[slices == 0].sum(axis=0)
        np.add.at(tables.passed, slices[later] - 1, joint)
