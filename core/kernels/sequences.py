"""Collapsed inference in hidden Markov models whose transitions change with time.

Asuncion (2010), sections 5-6. ``q[i, t]`` are the chances of the states of one place of one
sequence; tables of expected counts leave that place out while it is updated. Letters: N_kw counts
places of state k and symbol w, N_tlk passages from l to k after slice t, N_0k first places.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from orrery.core.kernels.compiling import kernel


class Tables(NamedTuple):
    """Sums over all places, of expectations or of variances.

    Attributes
    ----------
    emitted : float64 array, shape (n_symbols, n_states)
    first : float64 array, shape (n_states,)
    passed : float64 array, shape (n_slices - 1, n_states, n_states)
        From the state of a slice to that of the next.
    """

    emitted: np.ndarray
    first: np.ndarray
    passed: np.ndarray


@kernel
def add_place(q, symbols, ptr, i, t, sign, means, variances, second_order):
    """Add one place to the tables, or take it out with ``sign`` -1."""
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
    """Add the passage from a place to the next."""
    for m in range(q.shape[1]):
        for k in range(q.shape[1]):
            both = q[place, m] * q[place + 1, k]
            means.passed[t, m, k] += sign * both
            if second_order:
                variances.passed[t, m, k] += sign * both * (1.0 - both)


@kernel
def amf_sweep(symbols, ptr, q, means, alpha, beta):
    """Update every place by (20), in place; returns how far they moved."""
    n_states, n_symbols, change = q.shape[1], means.emitted.shape[0], 0.0
    total, fresh = means.emitted.sum(axis=0), np.empty(n_states)
    for i in range(len(ptr) - 1):
        for t in range(ptr[i + 1] - ptr[i]):
            here, is_last = ptr[i] + t, ptr[i] + t + 1 == ptr[i + 1]
            add_place(q, symbols, ptr, i, t, -1.0, means, means, False)
            total -= q[here]
            for k in range(n_states):
                score = (means.emitted[symbols[here], k] + beta) / (total[k] + n_symbols * beta)
                came = means.first[k] + alpha
                if t > 0:
                    came = alpha
                    for m in range(n_states):
                        came += q[here - 1, m] * means.passed[t - 1, m, k]
                fresh[k] = score * came
                if not is_last:
                    goes, all_goes = alpha, n_states * alpha
                    for m in range(n_states):
                        goes += q[here + 1, m] * means.passed[t, k, m]
                        all_goes += means.passed[t, k, m]
                    fresh[k] *= goes / all_goes
            fresh /= fresh.sum()
            change += np.abs(fresh - q[here]).sum()
            q[here] = fresh
            total += fresh
            add_place(q, symbols, ptr, i, t, 1.0, means, means, False)
    return change


@kernel
def expected_log(mean, variance):
    """E[log N] to second order."""
    return np.log(mean) - variance / (2.0 * mean * mean)


@kernel
def second_order_sweep(symbols, ptr, q, means, variances, alpha, beta):
    """Update every place by mean field, logarithms to second order as in (18), in place."""
    n_states, n_symbols, change = q.shape[1], means.emitted.shape[0], 0.0
    total, spread = means.emitted.sum(axis=0), variances.emitted.sum(axis=0)
    fresh = np.empty(n_states)
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
                all_goes, all_spread = n_states * alpha, 0.0
                for m in range(n_states):
                    if t > 0:
                        score += q[here - 1, m] * expected_log(
                            means.passed[t - 1, m, k] + alpha, variances.passed[t - 1, m, k]
                        )
                    if not is_last:
                        score += q[here + 1, m] * expected_log(
                            means.passed[t, k, m] + alpha, variances.passed[t, k, m]
                        )
                        all_goes += means.passed[t, k, m]
                        all_spread += variances.passed[t, k, m]
                if not is_last:
                    score -= expected_log(all_goes, all_spread)
                fresh[k] = score
            fresh = np.exp(fresh - fresh.max())
            fresh /= fresh.sum()
            change += np.abs(fresh - q[here]).sum()
            q[here] = fresh
            total += fresh
            spread += fresh * (1.0 - fresh)
            add_place(q, symbols, ptr, i, t, 1.0, means, variances, True)
    return change


@kernel
def forward(symbols, ptr, first, passing, emitting, log_likelihood):
    """Fill in the log-likelihood of every sequence, all states summed."""
    n_states = len(first)
    for i in range(len(ptr) - 1):
        log_likelihood[i] = 0.0
        carried, after = first.copy(), np.empty(n_states)
        for t in range(ptr[i + 1] - ptr[i]):
            if t > 0:
                after[:] = 0.0
                for m in range(n_states):
                    for k in range(n_states):
                        after[k] += carried[m] * passing[t - 1, m, k]
                carried[:] = after
            carried *= emitting[symbols[ptr[i] + t]]
            norm = carried.sum()
            log_likelihood[i] += np.log(norm)
            carried /= norm
