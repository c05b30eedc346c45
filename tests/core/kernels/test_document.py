"""The E-step of one document: the better start wins, and nothing outside the local model counts."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from orrery.core.kernels.document import (
    COARSE_TOLERANCE,
    Search,
    exact_fixed_points,
    fit_jensen,
    is_same_fixed_point,
    nearby_fixed_point,
)
from orrery.core.kernels.exact import ascend_exact
from tests import naive
from tests.local_problems import local_problem
from tests.random_networks import problems, several

ROUNDING = 1e-9
BOUNDS = ["exact", "jensen"]


def search(*starts, tolerance=1e-6):
    """Search from these starts."""
    return Search(np.array(starts), tolerance, 200, np.array([50, 10, 10]))


def fitted(bound, document, settings, free=None, held=None):
    """(bound, activations of the local topics)."""
    n_topics = document.graph.n_topics
    free = document.free if free is None else free
    held = np.zeros(n_topics) if held is None else held
    if bound == "exact":
        bounds, fixed_points, _ = exact_fixed_points(
            document.graph, document.weights, document.tables, free, held, settings
        )
        value, q = bounds.max(), fixed_points[np.argmax(bounds)]
    else:
        value, q, _ = fit_jensen(document.graph, document.weights, free, held, settings)
    return value, q[:n_topics]


@pytest.mark.parametrize("bound", BOUNDS)
@several
@given(problem=problems())
def test_bound_is_below_the_log_likelihood(bound, problem):
    document = local_problem(problem, is_full=False)
    value, _ = fitted(bound, document, search(0.5, 0.02))
    observed = naive.closed_world(problem.network, problem.present)
    assert value <= naive.log_likelihood(problem.network, observed) + ROUNDING


@pytest.mark.parametrize("bound", BOUNDS)
@several
@given(problem=problems())
def test_the_better_start_wins(bound, problem):
    document = local_problem(problem)
    both = fitted(bound, document, search(0.5, 0.02))
    alone = [fitted(bound, document, search(start)) for start in (0.5, 0.02)]
    if bound == "exact" and meet(document, 0.5, 0.02):
        alone = alone[:1]
    best = max(alone, key=lambda fit: fit[0])
    assert both[0] == best[0]
    assert (both[1] == best[1]).all()


def meet(document, *starts):
    """Whether coarse ascents from two starts reach one optimum, so that one of them suffices."""
    fixed_points = np.ones((2, len(document.graph.node)))
    for row, start in zip(fixed_points, starts, strict=True):
        row[: document.graph.n_topics] = start
        coarse, settings = document.tables.coarse, search()
        local = (document.graph, document.weights, coarse, document.free)
        P = np.empty_like(coarse.coefficient)
        ascend_exact(*local, row, P, COARSE_TOLERANCE, settings.max_sweeps)
    return is_same_fixed_point(*fixed_points, document.graph.n_topics)


@several
@given(problem=problems())
def test_every_start_has_its_own_end_unless_it_meets_another(problem):
    document = local_problem(problem)
    held = np.zeros(document.graph.n_topics)
    bounds, fixed_points, _ = exact_fixed_points(
        document.graph,
        document.weights,
        document.tables,
        document.free,
        held,
        search(0.5, 0.02),
    )
    starts = (0.5,) if meet(document, 0.5, 0.02) else (0.5, 0.02)
    assert len(bounds) == len(fixed_points) == len(starts)
    for row, start in enumerate(starts):
        bound, q = fitted("exact", document, search(start))
        assert bounds[row] == bound
        assert (fixed_points[row, : document.graph.n_topics] == q).all()


@several
@given(problem=problems())
def test_from_where_an_e_step_ended_the_next_one_ends_there_again(problem):
    document = local_problem(problem)
    local = (document.graph, document.weights)
    bound, q = fitted("exact", document, search(0.5, 0.02, tolerance=1e-8))
    bounds, fixed_points, _ = nearby_fixed_point(
        *local, document.tables.exact, document.free, q.astype(np.float32), search(tolerance=1e-8)
    )
    assert bounds.shape == (1,)
    assert bounds[0] == pytest.approx(bound, abs=1e-6)
    np.testing.assert_allclose(fixed_points[0, : len(q)], q, atol=1e-3)
    assert (fixed_points[0, len(q) :] == 1.0).all()


@several
@given(problem=problems())
def test_from_any_activations_the_bound_is_one_and_the_other_starts_do_not_matter(problem):
    """Also from 0 and 1, which single precision makes of activations near them."""
    document = local_problem(problem, is_full=False)
    remembered = problem.rng.integers(0, 2, document.graph.n_topics).astype(np.float32)
    given_ = (document.graph, document.weights, document.tables.exact, document.free, remembered)
    bounds, fixed_points, _ = nearby_fixed_point(*given_, search())
    assert np.isfinite(fixed_points).all()
    observed = naive.closed_world(problem.network, problem.present)
    assert bounds[0] <= naive.log_likelihood(problem.network, observed) + ROUNDING
    assert nearby_fixed_point(*given_, search(0.5))[0][0] == bounds[0]


@pytest.mark.parametrize("bound", BOUNDS)
@several
@given(problem=problems(most_topics=8))
def test_local_model_equals_the_full_one_with_pruned_topics_held_at_zero(bound, problem):
    local, full = local_problem(problem, is_full=False), local_problem(problem)
    in_local = np.isin(full.graph.node[: full.graph.n_topics], local.graph.node)
    value, q = fitted(bound, local, search(0.5, 0.02))
    full_value, full_q = fitted(bound, full, search(0.5, 0.02), free=in_local)
    # Each node outside pays the error of the sum of exponentials times its q, which is 0.
    assert value == pytest.approx(full_value, abs=ROUNDING)
    np.testing.assert_allclose(q, full_q[in_local], atol=1e-6)
    assert (full_q[~in_local] == 0.0).all()


@pytest.mark.parametrize("bound", BOUNDS)
@several
@given(problem=problems())
def test_full_scope_equals_local_but_for_the_local_optimum(bound, problem):
    local, full = local_problem(problem, is_full=False), local_problem(problem)
    value, _ = fitted(bound, local, search(0.5, 0.02))
    # Started where the local model ended, full scope can only gain.
    full_value, _ = fitted(bound, full, search(1e-9, 0.5, 0.02))
    observed = naive.closed_world(problem.network, problem.present)
    pruned = set(range(full.graph.n_topics)) - set(local.graph.node.tolist())
    only_local = naive.closed_world(problem.network, problem.present, off=pruned)
    assert full_value <= naive.log_likelihood(problem.network, observed) + ROUNDING
    assert value <= naive.log_likelihood(problem.network, only_local) + ROUNDING
