"""The small charts of a run: what was counted, and where the graph changed."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

from orrery.app.charts import run_lines
from orrery.app.charts import runs as run_charts
from orrery.app.charts import strings as chart_strings
from tests.app.fake_runs import metrics_table

MOVES = pd.DataFrame(
    {"step": [5, 7], "epoch": [5, 7], "merged": [2, 0], "pruned": [1, 3], "grown": [0, 12],
     "bound": [-0.25, np.nan], "topics": [20, 17], "edges": [900, 700]}
)  # fmt: skip


def learned(n_rows: int = 40) -> pd.DataFrame:
    """Metrics of a run that began with 23 topics and 1,000 edges."""
    metrics = metrics_table(n_rows)
    epoch = metrics["epoch"]
    metrics["topics"] = np.select([epoch < 5, epoch < 7], [23, 20], 17)
    metrics["edges"] = np.select([epoch < 5, epoch < 7], [1000, 900], 700)
    metrics["phase"] = np.select([epoch <= 5, epoch <= 8], ["exploring", "pruning"], "training")
    return metrics


def line(lines: pd.DataFrame, name: str) -> pd.DataFrame:
    return lines[lines["line"] == name].reset_index(drop=True)


@pytest.mark.parametrize("across", ["epoch", "minutes"])
def test_moves_lie_on_the_line_of_the_graph(across: run_lines.Across) -> None:
    for column, found in (
        ("topics", run_charts.topic_lines(learned(), MOVES, across)),
        ("edges", run_charts.edge_lines(learned(), MOVES, across)),
    ):
        moves, graph = line(found, "move"), line(found, "graph")
        # Two rows a second, four to an epoch.
        x = np.array([5.0, 7.0]) * (1.0 if across == "epoch" else 2.0 / 60.0)
        np.testing.assert_allclose(moves["x"], x)
        assert moves["value"].tolist() == MOVES[column].tolist()
        assert graph["x"].is_monotonic_increasing
        for at, value in zip(moves["x"], moves["value"], strict=True):
            assert value in graph["value"][np.isclose(graph["x"], at)].tolist()
        assert moves["note"][0] == chart_strings.move(2, 1, 0, 20, 900, -0.25)


def test_runs_without_a_learned_structure_have_lines_and_no_moves() -> None:
    found = run_charts.topic_lines(metrics_table(), pd.DataFrame(), "epoch")
    assert set(found["line"]) == {"use"}
    assert len(run_charts.edge_lines(metrics_table(), pd.DataFrame(), "epoch")) == 0


@pytest.mark.parametrize("moves", [pd.DataFrame({"epoch": [5]}), MOVES.drop(columns="edges")])
def test_damaged_moves_are_left_out(moves: pd.DataFrame) -> None:
    assert "move" not in set(run_charts.topic_lines(learned(), moves, "epoch")["line"])


def test_the_rate_is_that_of_the_moment() -> None:
    metrics = learned(60)
    metrics["seconds"] = [*range(1, 31), *range(32, 92, 2)]
    found = run_charts.rate_lines(metrics, 800, "epoch")["value"]
    # A quarter of 800 documents a second, then in two seconds.
    assert found.iloc[0] == found.iloc[20] == pytest.approx(200.0)
    assert found.iloc[-1] == pytest.approx(100.0)


def test_epochs_that_were_passed_over_took_no_time_and_are_no_pace() -> None:
    metrics = learned(40).assign(phase="training")
    jumped = metrics[(metrics["epoch"] <= 4.0) | (metrics["epoch"] > 7.0)]
    jumped = jumped.assign(seconds=range(1, len(jumped) + 1))
    found = run_charts.rate_lines(jumped, 800, "epoch")["value"]
    assert found.tolist() == pytest.approx([200.0] * len(found))


@pytest.mark.parametrize("rows", [0, 1])
def test_before_there_is_a_pace_there_is_no_rate(rows: int) -> None:
    assert len(run_charts.rate_lines(metrics_table(rows), 800, "epoch")) == 0


def test_the_axis_of_values_changes_seldom() -> None:
    tops = [run_charts.top_of(pd.DataFrame({"value": [value]})) for value in range(1, 1000)]
    assert all(top >= value for value, top in enumerate(tops, start=1))
    assert sum(one != other for one, other in pairwise(tops)) <= 12


def test_long_runs_are_thinned_to_their_end() -> None:
    metrics = learned(5000)
    use = line(run_charts.topic_lines(metrics, MOVES, "epoch"), "use")
    assert len(use) <= run_charts.MAX_POINTS + 1
    assert use["x"].iloc[-1] == metrics["epoch"].iloc[-1]


def test_a_chart_depends_on_its_axes_alone() -> None:
    axes = run_lines.Axes("epoch", 10.0, -60.0, -40.0)
    first, again = (run_charts.small_chart(axes, 20.0).to_dict() for _ in range(2))
    assert first == again
    assert "data" not in first


def test_phases_are_marked_where_they_begin() -> None:
    axes = run_lines.Axes("epoch", 10.0, -60.0, -40.0)
    marks = run_lines.phase_marks(learned(), axes)
    assert marks["label"].tolist() == ["Exploring", "Pruning", "Training"]
    assert marks["x"].tolist() == [0.0, 5.0, 8.0]
    wide = run_lines.Axes("epoch", 100.0, -60.0, -40.0)
    assert run_lines.phase_marks(learned(), wide)["label"].tolist() == ["", "", "Training"]
    only_trained = learned().assign(phase="training")
    assert len(run_lines.phase_marks(only_trained, axes)) == 0


def test_smoothing_begins_anew_in_every_kind_of_work() -> None:
    metrics = learned()
    metrics["train_bound"] = np.where(metrics["phase"] == "training", -30.0, -90.0)
    smooth = line(run_lines.bound_lines(metrics, "epoch"), "smooth")
    np.testing.assert_allclose(smooth["bound"], metrics["train_bound"])


def test_earlier_runs_lie_beside_under_names_that_stay_apart() -> None:
    runs = {f"run-{number}": metrics_table(60, seed=number) for number in range(4)}
    lines = run_lines.bound_lines(metrics_table(), "epoch")
    every = pd.concat([lines, run_lines.earlier_lines(runs, "epoch")], ignore_index=True)
    axes = run_lines.steady_axes(every, "epoch", 10)
    assert axes.right == 15
    names = line(run_lines.name_earlier(every, axes), "name")
    assert sorted(names["label"]) == sorted(runs)
    ends = every[(every["label"] != "") & (every["line"] != "earlier")]["bound"].tolist()
    gap = run_lines.LINE_HEIGHT * (axes.top - axes.bottom) / run_lines.HEIGHT
    heights = sorted([*names["bound"], *ends])
    own = abs(ends[0] - ends[1])
    assert min(b - a for a, b in pairwise(heights)) >= min(gap, own) * (1 - 1e-9)


def test_an_earlier_run_without_held_out_documents_shows_its_training() -> None:
    runs = {"bare": metrics_table().drop(columns="held_out_bound"), "empty": pd.DataFrame()}
    found = run_lines.earlier_lines(runs, "epoch")
    assert set(found["run"]) == {"bare"}
    assert len(found) == 40


@pytest.mark.parametrize("across", ["epoch", "minutes"])
def test_a_logarithmic_axis_begins_below_the_first_point(across: run_lines.Across) -> None:
    lefts = set()
    for rows in range(1, 41, 3):
        lines = run_lines.bound_lines(metrics_table(rows), across)
        axes = run_lines.steady_axes(lines, across, 10, "log")
        assert 0 < axes.left <= lines["x"].min()
        assert lines["x"].max() <= axes.right
        assert 0 <= axes.share(lines["x"].min()) <= axes.share(lines["x"].max()) <= 1
        lefts.add(axes.left)
    assert len(lefts) == 1
