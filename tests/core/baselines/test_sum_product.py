"""Sum-product networks against all states listed, and their learning against what it promises."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from scipy.optimize import minimize
from scipy.special import gammaln, logsumexp

from orrery.core.baselines import sum_product_network, sum_product_systems
from orrery.core.baselines.spn_structure import StructureOptions, learn_structure
from orrery.core.baselines.sum_product_network import (
    NetworkBuilder,
    all_rows,
    distinct,
    project_to_simplexes,
)
from orrery.core.baselines.sum_product_systems import (
    CollapsedGradientSpn,
    CollapsedSpn,
    EmSpn,
    GradientSpn,
    StochasticCollapsedSpn,
    SumProductSystem,
)
from orrery.core.utils.errors import InputError
from tests.benchmarks.chow_liu import ChowLiuTree
from tests.benchmarks.small_networks import tree_network
from tests.core.baselines.test_bernoulli_lda import planted_corpus
from tests.core.baselines.test_multinomial_lda_family import agreement
from tests.random_networks import several

SYSTEMS = [
    SumProductSystem, EmSpn, GradientSpn, CollapsedSpn, CollapsedGradientSpn,
    StochasticCollapsedSpn,
]  # fmt: skip
seeds = st.integers(0, 2**16)
few = settings(max_examples=min(10, settings().max_examples))
SMALL = StructureOptions(min_rows=8, min_g=2.0)


def random_presence(seed, n_rows=40, n_variables=5):
    """Rows of two kinds, in which some variables are dependent."""
    rng = np.random.default_rng(seed)
    leak = rng.random((2, n_variables))[rng.integers(2, size=n_rows)]
    return sparse.csr_array((rng.random((n_rows, n_variables)) < leak).astype(float))


def random_network(seed, n_clusters=3):
    presence = random_presence(seed)
    network = learn_structure(presence, np.ones(40), n_clusters, SMALL, seed)
    raw = np.random.default_rng(seed).gamma(1.0, 1.0, len(network.weight)) + 1e-3
    return network.with_weights(raw), presence


def all_states(n_variables=5):
    return np.array(list(product([0.0, 1.0], repeat=n_variables)))


def naive_value(network, states):
    """Value of the root by recursion, and nothing else."""

    def value(node):
        if node < 2 * network.circuit.n_variables:
            return float(states[node // 2] == node % 2)
        begin, end = network.circuit.child_ptr[node : node + 2]
        below = [value(child) for child in network.circuit.child_idx[begin:end]]
        if network.circuit.is_sum[node]:
            return float(network.weight[begin:end] @ below)
        return float(np.prod(below))

    return value(len(network.circuit.is_sum) - 1)


@several
@given(seeds)
def test_values_are_the_polynomial_and_all_states_add_up_to_one(seed):
    network, _ = random_network(seed)
    states = all_states()
    found = np.exp(network.log_likelihood(all_rows(sparse.csr_array(states))))
    np.testing.assert_allclose(found, [naive_value(network, row) for row in states])
    np.testing.assert_allclose(found.sum(), 1.0)


@few
@given(seeds)
def test_conditional_odds_and_clusters_are_those_of_all_states(seed):
    network, _ = random_network(seed)
    states = all_states()
    rows = all_rows(sparse.csr_array(states))
    log_p, odds = network.log_likelihood(rows), network.conditional_log_odds(rows)
    for variable in range(5):
        on, off = states.copy(), states.copy()
        on[:, variable], off[:, variable] = 1.0, 0.0
        expected = [
            np.log(naive_value(network, one) / naive_value(network, other))
            for one, other in zip(on, off, strict=True)
        ]
        np.testing.assert_allclose(odds[:, variable], expected, rtol=1e-8, atol=1e-8)
    shares = network.cluster_shares(rows)
    np.testing.assert_allclose(shares.sum(axis=1), 1.0)
    joint = np.exp(log_p)[:, None] * shares
    means = (joint.T @ states) / joint.sum(axis=0)[:, None]
    np.testing.assert_allclose(network.cluster_means(), means)


@few
@given(seeds)
def test_flows_are_the_gradient_by_the_logarithms_of_weights(seed):
    network, presence = random_network(seed)
    rows, log_weight = all_rows(presence), np.log(network.weight)
    _, flow = sum_product_network.values_and_flows(network.circuit, log_weight, rows)
    for edge in np.random.default_rng(seed).choice(len(flow), 5):
        if network.sum_of_edge[edge] >= 0:
            up, down = log_weight.copy(), log_weight.copy()
            up[edge], down[edge] = up[edge] + 1e-5, down[edge] - 1e-5
            difference = (
                sum_product_network.evaluate(network.circuit, up, rows).sum()
                - sum_product_network.evaluate(network.circuit, down, rows).sum()
            )
            np.testing.assert_allclose(flow[edge], difference / 2e-5, rtol=1e-4, atol=1e-5)


@few
@given(seeds)
def test_the_gradient_of_cvb_is_that_of_its_bound(seed):
    network, presence = random_network(seed)
    rows = all_rows(presence)
    beta = np.random.default_rng(seed).gamma(2.0, 2.0, len(network.weight)) + 0.2
    _, flow = sum_product_systems.cvb_bound(network, rows, beta, 0.3)
    slope = sum_product_systems.cvb_slope(network, beta, 0.3, flow)
    for edge in np.random.default_rng(seed).choice(len(flow), 5):
        up, down = beta.copy(), beta.copy()
        up[edge], down[edge] = up[edge] + 1e-5, down[edge] - 1e-5
        difference = (
            sum_product_systems.cvb_bound(network, rows, up, 0.3)[0]
            - sum_product_systems.cvb_bound(network, rows, down, 0.3)[0]
        )
        np.testing.assert_allclose(slope[edge], difference / 2e-5, rtol=1e-4, atol=1e-4)


@few
@given(seeds)
def test_no_round_falls(seed):
    network, presence = random_network(seed)
    rows = all_rows(presence)
    for kind in (EmSpn, GradientSpn, CollapsedSpn, CollapsedGradientSpn):
        system = kind(1)
        system.network, system.smoothing = network, 0.0
        reached = [value for (_, value), _ in zip(system._improve(rows), range(8), strict=False)]
        assert np.diff(reached).min(initial=0.0) >= -1e-9


def test_the_bound_of_cvb_is_below_the_evidence_of_all_choices():
    # One sum above two pairs of independent variables, so that a row has one choice.
    builder = NetworkBuilder(2)
    pairs = [
        builder.product([
            builder.sum([builder.leaf(v, 0), builder.leaf(v, 1)], [1.0, 3.0 if k else 0.5])
            for v in (0, 1)
        ])
        for k in (0, 1)
    ]  # fmt: skip
    builder.sum(pairs, [1.0, 2.0])
    network, alpha = builder.finish(), 0.7
    states = np.array([[0, 0], [1, 1], [1, 0], [1, 1.0]])
    rows = all_rows(sparse.csr_array(states))
    evidence = []
    for choice in product((0, 1), repeat=len(states)):
        # Counts of each Dirichlet: the root's two children, then the two states of v below k.
        tables = [np.bincount(choice, minlength=2)]
        tables += [
            np.bincount(states[np.array(choice) == k, v].astype(int), minlength=2)
            for k in (0, 1) for v in (0, 1)
        ]  # fmt: skip
        evidence.append(sum(dirichlet_multinomial(table, alpha) for table in tables))
    system = CollapsedSpn(1)
    system.network, system.alpha = network, alpha
    reached = [value for (_, value), _ in zip(system._improve(rows), range(60), strict=False)]
    assert 4 * reached[-1] <= logsumexp(evidence) + 1e-9
    assert 4 * reached[-1] > logsumexp(evidence) - 4.0


def dirichlet_multinomial(counts, alpha):
    n, k = counts.sum(), len(counts)
    return (
        gammaln(k * alpha) - gammaln(k * alpha + n)
        + (gammaln(alpha + counts) - gammaln(alpha)).sum()
    )  # fmt: skip


@several
@given(seeds, st.sampled_from([0.1, 1.0]))
def test_a_tree_is_that_of_chow_and_liu(seed, cell):
    presence = random_presence(seed)
    if cell == 1.0:
        expected = ChowLiuTree.fit(presence).log_likelihood(presence)
        found = tree_network(presence, cell).log_likelihood(all_rows(presence))
        np.testing.assert_allclose(found.sum(), expected.sum())
    total = tree_network(presence, cell).log_likelihood(all_rows(sparse.csr_array(all_states())))
    np.testing.assert_allclose(np.exp(total).sum(), 1.0)


def test_independent_groups_and_clusters_become_products_and_sums():
    rng = np.random.default_rng(0)
    left, right = rng.integers(2, size=(2, 2_000))
    presence = sparse.csr_array(np.stack([left, left, right, right], axis=1).astype(float))
    options = StructureOptions(min_rows=100)
    network = learn_structure(presence, np.ones(2_000), 1, options)
    # Two trees of two variables: the pairs are independent.
    both = network.log_likelihood(all_rows(sparse.csr_array(all_states(4))))
    table = np.exp(both).reshape(4, 4)
    np.testing.assert_allclose(table, np.outer(table.sum(axis=1), table.sum(axis=0)))
    mixture = learn_structure(presence, np.ones(2_000), 1, StructureOptions(100, min_g=-1.0))
    table = np.exp(
        mixture.log_likelihood(all_rows(sparse.csr_array(all_states(4))))
    ).reshape(4, 4)  # fmt: skip
    assert np.abs(table - np.outer(table.sum(axis=1), table.sum(axis=0))).max() > 1e-6


@several
@given(seeds, st.sampled_from([0.0, 0.05]))
def test_the_projection_is_the_nearest_point_of_the_simplex(seed, least):
    point = np.random.default_rng(seed).normal(0.3, 1.0, 3)
    found = point.copy()
    project_to_simplexes(np.array([0, 3]), np.array([True]), found, least)
    nearest = minimize(
        lambda x: ((x - point) ** 2).sum(), np.full(3, 1 / 3), bounds=[(least, 1)] * 3,
        constraints={"type": "eq", "fun": lambda x: x.sum() - 1}, tol=1e-12,
    ).x  # fmt: skip
    np.testing.assert_allclose(found, nearest, atol=1e-5)


def test_rows_that_come_again_are_counted():
    presence = sparse.csr_array(np.array([[1.0, 0], [0, 1], [1, 0], [0, 0], [0, 0]]))
    rows, times = distinct(presence)
    np.testing.assert_array_equal(rows.toarray(), [[1, 0], [0, 1], [0, 0]])
    np.testing.assert_array_equal(times, [2, 1, 2])


@pytest.mark.parametrize("system", SYSTEMS)
def test_planted_groups_are_found_and_the_seed_decides(system):
    corpus, group = planted_corpus(2)
    best = max(agreement(system(3, seed).fit(corpus).infer(corpus), group) for seed in range(3))
    assert best > 0.95
    noise = random_presence(0)
    one, again, other = (system(3, seed, rounds=3).fit(noise).topics() for seed in (1, 1, 2))
    assert one.tobytes() == again.tobytes() != other.tobytes()


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_fit_can_be_followed_and_stopped(system):
    corpus, _ = planted_corpus(0)
    reported = []
    options = StructureOptions(min_rows=20)
    system(3, options=options, rounds=5).fit(
        corpus, progress=lambda share: bool(reported.append(share))
    )
    assert reported == sorted(reported)
    assert reported[-1] <= 1.0 + 1e-9
    for last in (1, len(reported) - 1):
        seen = []
        stopped = system(3, options=options).fit(
            corpus,
            progress=lambda share, seen=seen, last=last: len(seen) >= last or seen.append(share),
        )
        assert np.isfinite(stopped.bound_or_likelihood(corpus)).all()


def test_what_cannot_be_modelled_is_refused(monkeypatch):
    with pytest.raises(InputError, match="models presence only; set all counts to 1"):
        EmSpn(2).fit(sparse.csr_array(np.array([[2.0, 1.0]])))
    with pytest.raises(InputError, match="call fit first"):
        EmSpn(2).infer(random_presence(0))
    monkeypatch.setattr(sum_product_systems, "MAX_WORDS", 4)
    with pytest.raises(InputError, match="5 are too many; import with a vocabulary of at most 4"):
        EmSpn(2).fit(random_presence(0))


def test_empty_documents_and_one_word_are_read():
    presence = sparse.csr_array(np.array([[0.0], [1.0], [0.0]]))
    model = EmSpn(1).fit(presence)
    total = np.exp(model.bound_or_likelihood(presence)[:2]).sum()
    np.testing.assert_allclose(total, 1.0)
