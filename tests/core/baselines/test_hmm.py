"""Hidden Markov models with changing transitions, against updates and sums written out."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import logsumexp

from orrery.core.baselines.hmm import AmfHmm, SecondOrderHmm, _fill, _joined
from orrery.core.utils.errors import InputError

SYSTEMS = [AmfHmm, SecondOrderHmm]
seeds = st.integers(0, 2**16)
few = settings(max_examples=min(15, settings().max_examples))
S, M, ALPHA, BETA = 2, 3, 0.3, 0.2


def random_sequences(seed, n_sequences=4, longest=4):
    rng = np.random.default_rng(seed)
    return [rng.integers(M, size=rng.integers(1, longest + 1)) for _ in range(n_sequences)]


def naive_counts(sequences, q, left_out):
    """Means and variances of N_kw, N_0k and N_tlk without one place, added up place by place."""
    longest = max(map(len, sequences))
    shapes = {"emitted": (S, M), "first": (S,), "passed": (longest, S, S)}
    means = {name: np.zeros(shape) for name, shape in shapes.items()}
    variances = {name: np.zeros(shape) for name, shape in shapes.items()}

    def add(name, index, leak):
        means[name][index] += leak
        variances[name][index] += leak * (1 - leak)

    for i, sequence in enumerate(sequences):
        for t, symbol in enumerate(sequence):
            for k in range(S):
                if (i, t) != left_out:
                    add("emitted", (k, symbol), q[i][t][k])
                    if t == 0:
                        add("first", k, q[i][t][k])
                for m in range(S):
                    if t > 0 and left_out not in ((i, t), (i, t - 1)):
                        add("passed", (t - 1, m, k), q[i][t - 1][m] * q[i][t][k])
    return means, variances


def naive_update(sequences, q, i, t, second_order):
    """(20), or the same with every logarithm expected to second order."""
    means, variances = naive_counts(sequences, q, (i, t))
    y, is_last = sequences[i][t], t + 1 == len(sequences[i])

    def mean_of(terms, shares):
        """Share-weighted mean of counts: arithmetic, or geometric with the second order."""
        total = 0.0
        for (mean, variance), share in zip(terms, shares, strict=True):
            total += share * (np.log(mean) - variance / (2 * mean**2) if second_order else mean)
        return np.exp(total) if second_order else total

    # A state's places are all known to the total but one, so its variance adds up over places.
    spread = sum(
        q[a][b] * (1 - q[a][b])
        for a in range(len(sequences)) for b in range(len(sequences[a])) if (a, b) != (i, t)
    )  # fmt: skip
    scores = []
    for k in range(S):
        e, p = (means["emitted"], variances["emitted"]), (means["passed"], variances["passed"])
        score = mean_of([(e[0][k, y] + BETA, e[1][k, y])], [1.0])
        score /= mean_of([(e[0][k].sum() + M * BETA, spread[k])], [1.0])
        if t == 0:
            score *= mean_of([(means["first"][k] + ALPHA, variances["first"][k])], [1.0])
        else:
            came = [(p[0][t - 1, m, k] + ALPHA, p[1][t - 1, m, k]) for m in range(S)]
            score *= mean_of(came, q[i][t - 1])
        if not is_last:
            goes = [(p[0][t, k, m] + ALPHA, p[1][t, k, m]) for m in range(S)]
            score *= mean_of(goes, q[i][t + 1])
            score /= mean_of([(p[0][t, k].sum() + S * ALPHA, p[1][t, k].sum())], [1.0])
        scores.append(score)
    return np.array(scores) / np.sum(scores)


@few
@given(seeds, st.sampled_from(SYSTEMS))
def test_a_sweep_is_equation_20_written_out(seed, system):
    sequences = random_sequences(seed)
    model = system(S, seed, alpha=ALPHA, beta=BETA)
    model.n_symbols, model.n_slices = M, max(map(len, sequences))
    symbols, ptr = _joined(sequences)
    flat = np.random.default_rng(seed).dirichlet(np.ones(S), len(symbols))
    q = [flat[a:b].copy() for a, b in pairwise(ptr)]
    for i, sequence in enumerate(sequences):
        for t in range(len(sequence)):
            q[i][t] = naive_update(sequences, q, i, t, system is SecondOrderHmm)
    means, variances, before = model._empty(), model._empty(), flat.copy()
    _fill(symbols, ptr, flat, means, variances)
    change = model._sweep(symbols, ptr, flat, means, variances)
    np.testing.assert_allclose(flat, np.concatenate(q), rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(change, np.abs(flat - before).sum())
    kept, fresh = means, model._empty()
    _fill(symbols, ptr, flat, fresh, variances)
    for one, other in zip(kept, fresh, strict=True):
        np.testing.assert_allclose(one, other, atol=1e-10)


@few
@given(seeds)
def test_the_likelihood_is_the_sum_over_all_states(seed):
    model = AmfHmm(S, seed, rounds=2).fit(random_sequences(seed), n_symbols=M)
    first, passed = model.transitions()
    emitted = model.topics()
    requested = [sequence[: model.n_slices] for sequence in random_sequences(seed + 1)]
    for sequence, found in zip(requested, model.bound_or_likelihood(requested), strict=True):
        terms = []
        for states in product(range(S), repeat=len(sequence)):
            log_p = np.log(first[states[0]]) + np.log(emitted[states, sequence]).sum()
            log_p += sum(np.log(passed[t, a, b]) for t, (a, b) in enumerate(pairwise(states)))
            terms.append(log_p)
        np.testing.assert_allclose(found, logsumexp(terms))


@pytest.mark.parametrize("system", SYSTEMS)
def test_states_that_come_in_turn_are_found(system):
    rng = np.random.default_rng(3)
    # State 0 emits 0 or 1, state 1 emits 2 or 3, and they alternate; one initial state is rarer.
    starts = (rng.random(200) < 0.8).astype(int)
    sequences = [(start + np.arange(6)) % 2 * 2 + rng.integers(2, size=6) for start in starts]
    best = max(
        system(2, seed).fit(sequences).bound_or_likelihood(sequences).mean() for seed in range(3)
    )
    binary_entropy = -0.8 * np.log(0.8) - 0.2 * np.log(0.2)
    # Arithmetic means over the states of a neighbour lose information that only the neighbour has
    # (Figure 1b has no such chains), so AMF is compared with the information of each slice alone.
    uncertain = binary_entropy if system is SecondOrderHmm else 6 * binary_entropy
    assert best > -6 * np.log(2) - uncertain - 0.1
    one, again, other = (system(2, seed, rounds=2).fit(sequences).topics() for seed in (1, 1, 2))
    assert one.tobytes() == again.tobytes() != other.tobytes()


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_fit_can_be_followed_and_stopped(system):
    reported = []
    sequences = random_sequences(0, 20)
    stopped = system(3).fit(sequences, progress=lambda share: bool(reported.append(share)) or True)
    assert reported == [1 / 200]
    assert np.isfinite(stopped.bound_or_likelihood(sequences)).all()
    assert stopped.bound_or_likelihood([np.empty(0, np.int64)]) == [0.0]


def test_what_cannot_be_modelled_is_refused():
    with pytest.raises(InputError, match="n_states is 0"):
        AmfHmm(0)
    with pytest.raises(InputError, match="no sequence to train on"):
        AmfHmm(2).fit([])
    with pytest.raises(InputError, match="sequences of whole numbers"):
        AmfHmm(2).fit([np.array([0.5])])
    with pytest.raises(InputError, match="-1 is no symbol"):
        AmfHmm(2).fit([np.array([-1, 2])])
    with pytest.raises(InputError, match="call fit first"):
        AmfHmm(2).bound_or_likelihood([np.array([0])])
    model = AmfHmm(2, rounds=1).fit([np.array([0, 1])])
    with pytest.raises(InputError, match="expected whole numbers from 0 to 1"):
        model.bound_or_likelihood([np.array([2])])
    with pytest.raises(InputError, match="has 3 places and the model 2"):
        model.bound_or_likelihood([np.array([0, 0, 0])])
