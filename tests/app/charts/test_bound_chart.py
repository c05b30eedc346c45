"""The chart of a run: right lines, and axes that keep still."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

from orrery.app.charts import run_lines, runs
from tests.app.fake_runs import EPOCHS, metrics_table

ACROSS = ["epoch", "minutes"]


def points(lines: pd.DataFrame, name: str) -> pd.DataFrame:
    return lines[lines["line"] == name].reset_index(drop=True)


@pytest.mark.parametrize("across", ACROSS)
def test_raw_and_held_out_points_are_the_metrics(across: str) -> None:
    metrics = metrics_table()
    lines = run_lines.bound_lines(metrics, across)
    x = metrics["epoch"] if across == "epoch" else metrics["seconds"] / 60
    np.testing.assert_array_equal(points(lines, "raw")["bound"], metrics["train_bound"])
    np.testing.assert_allclose(points(lines, "raw")["x"], x)
    is_evaluated = metrics["held_out_bound"].notna()
    held_out = points(lines, "held-out")
    np.testing.assert_array_equal(held_out["bound"], metrics["held_out_bound"][is_evaluated])
    np.testing.assert_allclose(held_out["x"], x[is_evaluated])


def test_the_smoothed_line_varies_less_and_stays_within_the_raw_one() -> None:
    metrics = metrics_table(200, rise=0.0)
    lines = run_lines.bound_lines(metrics, "epoch")
    raw, smooth = points(lines, "raw")["bound"], points(lines, "smooth")["bound"]
    assert smooth.diff().abs().mean() < 0.7 * raw.diff().abs().mean()
    assert raw.min() <= smooth.min() <= smooth.max() <= raw.max()


def test_a_level_run_is_smoothed_to_itself() -> None:
    metrics = metrics_table(60).assign(train_bound=-7.5)
    smooth = points(run_lines.bound_lines(metrics, "epoch"), "smooth")
    np.testing.assert_allclose(smooth["bound"], -7.5)


def test_each_line_is_named_once_at_its_end() -> None:
    lines = run_lines.bound_lines(metrics_table(), "epoch")
    for name, label in (("smooth", "training"), ("held-out", "held out")):
        named = points(lines, name)
        assert list(named["label"])[-1] == label
        assert (named["label"][:-1] == "").all()
    assert (points(lines, "raw")["label"] == "").all()
    higher = lines[lines["above"]]
    assert list(higher["label"]) == ["training"]


@pytest.mark.parametrize("n_rows", [1, 2, run_lines.MAX_POINTS, 3 * run_lines.MAX_POINTS + 7])
def test_long_runs_are_thinned_and_end_where_the_run_does(n_rows: int) -> None:
    metrics = metrics_table(n_rows)
    raw = points(run_lines.bound_lines(metrics, "epoch"), "raw")
    assert len(raw) <= run_lines.MAX_POINTS + 1
    assert raw["x"].iloc[-1] == metrics["epoch"].iloc[-1]
    assert raw["bound"].iloc[-1] == metrics["train_bound"].iloc[-1]


# Nothing is ahead of a run that was stopped, and went on without coming to a step.
@pytest.mark.parametrize("ahead", [0, EPOCHS])
@pytest.mark.parametrize("across", ACROSS)
def test_the_axes_hold_the_lines_once_they_have_converged(across: str, ahead: int) -> None:
    lines = run_lines.bound_lines(metrics_table(), across)
    axes = run_lines.steady_axes(lines, across, ahead)
    assert 0 <= lines["x"].min() <= lines["x"].max() <= axes.right
    converged = lines[(lines["line"] != "raw") & (lines["x"] > lines["x"].max() * 0.1)]
    assert axes.bottom < converged["bound"].min() <= converged["bound"].max() < axes.top


def test_the_axes_change_seldom_while_a_run_grows() -> None:
    metrics = metrics_table(400)
    epochs = math.ceil(metrics["epoch"].max())
    seen = {across: [] for across in ACROSS}
    for n_rows in range(8, 401, 8):
        for across in ACROSS:
            lines = run_lines.bound_lines(metrics[:n_rows], across)
            seen[across].append(run_lines.steady_axes(lines, across, epochs))
    assert len({axes.right for axes in seen["epoch"]}) <= 2
    for found in seen.values():
        changes = sum(a != b for a, b in pairwise(found))
        assert changes <= 14


def test_a_young_long_run_is_not_pressed_to_the_left() -> None:
    lines = run_lines.bound_lines(metrics_table(40), "epoch")
    rights = [run_lines.steady_axes(lines, "epoch", epochs).right for epochs in (10, 40, 3000)]
    assert rights[:2] == [10, 40]
    assert 10 <= rights[2] < 100


def test_a_bad_start_does_not_press_the_rest_flat() -> None:
    metrics = metrics_table(200)
    metrics.loc[0, "train_bound"] = -5000.0
    lines = run_lines.bound_lines(metrics, "epoch")
    assert run_lines.steady_axes(lines, "epoch", EPOCHS).bottom > -80


@pytest.mark.parametrize("value", [-1e-9, -3.0, -12345.6])
def test_a_single_level_still_has_a_height(value: float) -> None:
    metrics = metrics_table(20).assign(train_bound=value, held_out_bound=value)
    lines = run_lines.bound_lines(metrics, "epoch")
    axes = run_lines.steady_axes(lines, "epoch", EPOCHS)
    assert axes.bottom < value < axes.top


@pytest.mark.parametrize("metrics", [pd.DataFrame(), metrics_table(0)])
def test_nothing_measured_is_an_empty_chart(metrics: pd.DataFrame) -> None:
    lines = run_lines.bound_lines(metrics, "epoch")
    assert len(lines) == 0
    assert list(lines.columns) == list(run_lines.COLUMNS)
    runs.bound_chart(run_lines.steady_axes(lines, "epoch", EPOCHS)).to_dict()


def test_the_specification_depends_on_the_axes_alone() -> None:
    axes = run_lines.Axes("epoch", 10.0, -60.0, -40.0)
    first, second = runs.bound_chart(axes).to_dict(), runs.bound_chart(axes).to_dict()
    assert first == second
    assert "data" not in first
    titles = {layer["encoding"]["y"].get("title") for layer in first["layer"][:3]}
    assert titles == {"nats per document"}


@pytest.mark.parametrize("value", [np.inf, -np.inf, np.nan])
@pytest.mark.parametrize("kind", ["train_bound", "held_out_bound"])
def test_axes_leave_out_a_bound_that_is_not_finite(kind: str, value: float) -> None:
    metrics = pd.DataFrame({"epoch": [1.0, 2.0, 3.0], "seconds": [1.0, 2.0, 3.0]})
    for name in ("train_bound", "held_out_bound"):
        metrics[name] = [-10.0, value if name == kind else -9.5, -9.0]
    axes = run_lines.steady_axes(run_lines.bound_lines(metrics, "epoch"), "epoch", 3)
    assert -20.0 < axes.bottom < axes.top < 0.0
    metrics[["train_bound", "held_out_bound"]] = value
    axes = run_lines.steady_axes(run_lines.bound_lines(metrics, "epoch"), "epoch", 3)
    assert (axes.bottom, axes.top) == (-1.0, 0.0)
