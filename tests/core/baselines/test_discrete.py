"""Marginals of small networks, against states listed here and updates written out."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from orrery.core.baselines.discrete import DiscreteNetwork, Factor, back_messages, fna
from orrery.core.utils.errors import InputError
from tests.benchmarks.small_networks import enumerate_states, mean_field, sum_product
from tests.random_networks import several

METHODS = [fna, back_messages, mean_field]
seeds = st.integers(0, 2**16)


def random_network(seed, n=4, strength=1.0):
    """Pairs and a triple in a loop."""
    rng = np.random.default_rng(seed)
    scopes = [(0, 1), (2, 1), (3, 2), (0, 3), (1, 3, 0), (2,)]
    tables = [np.exp(strength * rng.normal(size=(2,) * len(scope))) for scope in scopes]
    return DiscreteNetwork(n, [Factor(*pair) for pair in zip(scopes, tables, strict=True)])


def naive_joint(network):
    """Probability of every state, factor by factor."""
    joint = {
        state: np.prod([f.table[tuple(state[v] for v in f.variables)] for f in network.factors])
        for state in product((0, 1), repeat=network.n_variables)
    }
    total = sum(joint.values())
    return {state: value / total for state, value in joint.items()}


def weighted(network, i, q, value):
    """Sum of a value of a state over the states of all but i, weighted by their marginals."""
    found = np.zeros(2)
    for state in product((0, 1), repeat=network.n_variables):
        others = [q[j] if s else 1 - q[j] for j, s in enumerate(state) if j != i]
        found[state[i]] += np.prod(others) * value(state)
    return found / found.sum()


@several
@given(seeds)
def test_enumeration_adds_up_all_states(seed):
    network = random_network(seed)
    joint = naive_joint(network)
    expected = [sum(p for state, p in joint.items() if state[i]) for i in range(4)]
    np.testing.assert_allclose(enumerate_states(network), expected)


@several
@given(seeds)
def test_marginals_meet_their_equations(seed):
    network = random_network(seed, strength=0.5)
    joint = naive_joint(network)

    def given_others(i):
        def value(state):
            other = (*state[:i], 1 - state[i], *state[i + 1 :])
            return joint[state] / (joint[state] + joint[other])

        return value

    q = fna(network, seed)
    for i in range(4):
        np.testing.assert_allclose(weighted(network, i, q, given_others(i))[1], q[i], atol=1e-6)
    q = mean_field(network, seed)
    for i in range(4):
        geometric = np.zeros(2)
        for state in product((0, 1), repeat=4):
            others = [q[j] if s else 1 - q[j] for j, s in enumerate(state) if j != i]
            geometric[state[i]] += np.prod(others) * np.log(joint[state])
        np.testing.assert_allclose(1 / (1 + np.exp(geometric[0] - geometric[1])), q[i], atol=1e-6)
    q = back_messages(network, seed)
    for i in range(4):
        leak = np.ones(2)
        for factor in network.factors_of(i):
            own = DiscreteNetwork(4, [factor])
            leak *= (
                weighted(own, i, q, lambda s, f=factor: f.table[tuple(s[v] for v in f.variables)])
                * 2
            )
        np.testing.assert_allclose(leak[1] / leak.sum(), q[i], atol=1e-6)


@several
@given(seeds)
def test_sum_product_is_exact_on_a_tree_and_one_variable_by_all(seed):
    rng = np.random.default_rng(seed)
    scopes = [(0, 1), (1, 2), (1, 3), (0,), (3,)]
    tables = [np.exp(rng.normal(size=(2,) * len(scope))) for scope in scopes]
    tree = DiscreteNetwork(4, [Factor(*pair) for pair in zip(scopes, tables, strict=True)])
    np.testing.assert_allclose(sum_product(tree), enumerate_states(tree), atol=1e-6)
    alone = DiscreteNetwork(1, [Factor((0,), tables[3]), Factor((0,), tables[4])])
    for method in METHODS:
        np.testing.assert_allclose(method(alone), enumerate_states(alone))


def test_the_seed_decides_and_the_progress_callback_stops_it():
    # Two variables that attract each other, without a field.
    network = DiscreteNetwork(2, [Factor((0, 1), np.array([[9.0, 1.0], [1.0, 9.0]]))])
    ends = {tuple(np.round(mean_field(network, seed), 3)) for seed in range(8)}
    assert len(ends) == 2
    assert np.abs(sum_product(network) - 0.5).max() < 1e-6
    for method in (*METHODS, sum_product):
        reported = []
        method(
            network, progress=lambda share, reported=reported: bool(reported.append(share)) or True
        )
        assert len(reported) <= 1


def test_what_is_no_network_is_refused():
    with pytest.raises(InputError, match="expected 2 states of each"):
        DiscreteNetwork(2, [Factor((0, 1), np.ones(2))])
    with pytest.raises(InputError, match="a state with the value 0 or less"):
        DiscreteNetwork(1, [Factor((0,), np.array([0.0, 1.0]))])
    with pytest.raises(InputError, match="a variable outside 0 to 0"):
        DiscreteNetwork(1, [Factor((1,), np.ones(2))])
    with pytest.raises(InputError, match="names a variable twice"):
        DiscreteNetwork(2, [Factor((1, 1), np.ones((2, 2)))])
    with pytest.raises(InputError, match="17 variables have too many states"):
        fna(DiscreteNetwork(17, []))
