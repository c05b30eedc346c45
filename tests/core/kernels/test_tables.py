"""Tables equal their exponentials, in either precision, whole or for a local model."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from orrery.core.inference.kernel_inputs import used_rows
from orrery.core.kernels.rows import Documents
from orrery.core.kernels.tables import (
    Used,
    build_tables,
    coarse_sum,
    exponential_sum,
    fill_tables,
    local_tables,
)
from orrery.core.kernels.vectors import WIDTH
from orrery.core.training.e_step import EStepSettings, block_e_step, prepare
from orrery.core.training.options import TrainingOptions
from tests.local_problems import local_problem
from tests.random_networks import Problem, problems, random_network


@pytest.mark.parametrize(("dtype", "error"), [(np.float64, 1e-14), (np.float32, 1e-7)])
def test_tables_are_exponentials_in_either_precision(dtype, error):
    network = random_network(np.random.default_rng(4), 6, 8)
    tables = build_tables(network.weight, network.leak, exponential_sum("fast"), dtype)
    for terms, fit in ((tables.exact, exponential_sum("fast")), (tables.coarse, coarse_sum())):
        t = np.exp(-np.outer(network.weight, fit.rate))
        probability = -fit.coefficient * np.exp(-np.outer(network.leak, fit.rate))
        # The terms that are added up to whole vectors contribute nothing.
        n_terms = len(fit.rate)
        assert terms.t.shape[1] % WIDTH == 0
        assert not terms.coefficient[:, n_terms:].any()
        np.testing.assert_allclose(terms.t[:, :n_terms], t, atol=error)
        np.testing.assert_allclose(
            terms.coefficient[:, :n_terms] / fit.coefficient,
            probability / fit.coefficient,
            atol=error,
        )
        assert terms.t.dtype == terms.coefficient.dtype == terms.rate.dtype == dtype
        assert terms.error == fit.error


def test_tables_of_a_local_model_are_rows_of_those_of_the_network():
    rng = np.random.default_rng(5)
    network = random_network(rng, 6, 8)
    document = local_problem(Problem(network, np.array([1, 4, 6]), rng), is_full=False)
    whole = fill_tables(network.weight, network.leak, exponential_sum(), np.float64)
    rows = local_tables(document.graph, whole)
    for ours, theirs in zip(rows, document.tables, strict=True):
        np.testing.assert_allclose(ours.t, theirs.t, rtol=1e-14)
        np.testing.assert_allclose(ours.coefficient, theirs.coefficient, rtol=1e-14)


def documents_around(problem):
    """The problem's document between two others, as rows of a corpus of which it is one."""
    pointer = np.cumsum([0, 1, len(problem.present), 1])
    idx = np.concatenate([[0], problem.present, [0]]).astype(np.int32)
    return Documents(pointer, idx, np.array([1]))


@pytest.mark.parametrize("is_full", [False, True])
@given(problem=problems())
def test_what_documents_use_is_all_that_their_local_models_read(is_full, problem):
    graph = problem.network.graph
    used = used_rows(graph, documents_around(problem))
    if used is None:
        assert len(problem.present) == graph.n_tokens
        return
    local = local_problem(problem, is_full).graph
    assert set(local.edge.tolist()) <= set(used.edges.tolist())
    assert set(local.node.tolist()) <= set(used.nodes.tolist())
    words = used.nodes[used.nodes >= graph.n_topics] - graph.n_topics
    assert words.tolist() == problem.present.tolist()


@given(problem=problems())
def test_used_rows_are_those_of_the_whole_tables(problem):
    network = problem.network
    used = used_rows(network.graph, documents_around(problem))
    edges, nodes = used or (slice(None), slice(None))
    given_ = (network.weight, network.leak, exponential_sum(), np.float32)
    some, whole = fill_tables(*given_, used), fill_tables(*given_)
    np.testing.assert_array_equal(some.t[some.edge_row[edges]], whole.t[edges])
    np.testing.assert_array_equal(some.coefficient[some.node_row[nodes]], whole.coefficient[nodes])
    if used is not None:
        assert (len(some.t), len(some.coefficient)) == (len(edges), len(nodes))


def test_blocks_of_rows_make_the_same_tables(monkeypatch):
    rng = np.random.default_rng(6)
    network = random_network(rng, 6, 8)
    used = Used(np.array([0, 2, 3]), np.array([1, 2, 4, 5, 7]))
    given_ = (network.weight, network.leak, exponential_sum(), np.float32)
    whole = fill_tables(*given_)
    monkeypatch.setattr("orrery.core.kernels.tables.ROWS_AT_A_TIME", 2)
    in_blocks, some = fill_tables(*given_), fill_tables(*given_, used)
    for table, blocks, chosen, rows in zip(whole, in_blocks, some, used, strict=False):
        np.testing.assert_array_equal(blocks, table)
        np.testing.assert_array_equal(chosen, table[rows])


def test_tables_of_one_document_need_no_other_thread(monkeypatch):
    network = random_network(np.random.default_rng(7), 6, 8)
    whole = fill_tables(network.weight, network.leak, exponential_sum(), np.float64)
    monkeypatch.setattr("orrery.core.kernels.tables.on_all_threads", None)
    tables = build_tables(network.weight, network.leak, exponential_sum())
    np.testing.assert_array_equal(np.hstack([tables.exact.t, tables.coarse.t]), whole.t)
    np.testing.assert_array_equal(
        np.hstack([tables.exact.coefficient, tables.coarse.coefficient]), whole.coefficient
    )


def with_traps(tables, used):
    """The tables with a row of NaN, in which all that is not used is looked up."""
    traps = {}
    for table, row_of, rows in (
        ("t", "edge_row", used.edges),
        ("coefficient", "node_row", used.nodes),
    ):
        values, place = getattr(tables, table), getattr(tables, row_of).copy()
        place[np.setdiff1d(np.arange(len(place)), rows)] = len(values)
        trap = np.full((1, values.shape[1]), np.nan, values.dtype)
        traps |= {table: np.concatenate([values, trap]), row_of: place}
    return tables._replace(**traps)


@given(problem=problems())
def test_a_step_reads_no_row_that_its_documents_do_not_use(problem):
    documents, step_settings = documents_around(problem), EStepSettings(TrainingOptions(), None)
    whole = prepare(problem.network, step_settings)
    some = prepare(problem.network, step_settings, documents)
    used = used_rows(problem.network.graph, documents)
    if used is not None:
        some = some._replace(tables=with_traps(some.tables, used))
    bounds, sums = block_e_step(some, documents, step_settings, 2)
    expected_bounds, expected = block_e_step(whole, documents, step_settings, 2)
    np.testing.assert_array_equal(bounds, expected_bounds)
    for ours, theirs in zip(sums, expected, strict=True):
        np.testing.assert_array_equal(ours, theirs)
