"""How a run goes, in figures and in a sentence."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from orrery.app.charts import strings as chart_strings
from orrery.app.text import strings as common_strings
from orrery.app.workspace import progress
from orrery.app.workspace.runs import Job
from tests.app.fake_runs import EPOCHS, metrics_table


def job(state: str, message: str = "", structure: str = "given") -> Job:
    status = {"state": state, "message": message, "epochs": EPOCHS}
    settings = {"training": {"structure": structure}}
    return Job(Path("run"), Path("corpus"), state, status, settings)


@pytest.mark.parametrize("n_rows", [2, 8, 30])
def test_the_time_left_at_an_even_pace_is_exact(n_rows: int) -> None:
    metrics = metrics_table(n_rows)
    # Four rows an epoch, half a second each.
    assert progress.seconds_left(metrics, EPOCHS) == pytest.approx((40 - n_rows) * 0.5)


@pytest.mark.parametrize("metrics", [pd.DataFrame(), metrics_table(1)])
def test_before_there_is_a_pace_there_is_no_time_left(metrics: pd.DataFrame) -> None:
    assert progress.seconds_left(metrics, EPOCHS) is None
    assert progress.figures(job("running"), metrics).time == common_strings.NO_FIGURE


@pytest.mark.parametrize("slope", [-0.02, 0.0, 0.01, 0.3])
def test_the_gain_of_an_even_rise_is_its_slope_times_the_span(slope: float) -> None:
    metrics = metrics_table(400)
    metrics["train_bound"] = -50 + slope * metrics["seconds"]
    gain, span = progress.gain(metrics)
    assert span == progress.LOOK_BACK
    assert gain == pytest.approx(slope * span, rel=0.02)


@pytest.mark.parametrize(
    ("slope", "begin"),
    [(0.01, "Still improving on training"), (0.0, "Hardly changing on"), (-0.004, "Lower on")],
)
def test_the_sentence_states_which_way_it_goes(slope: float, begin: str) -> None:
    metrics = metrics_table(400).assign(epoch=0.5).drop(columns="held_out_bound")
    metrics["train_bound"] = -50 + slope * metrics["seconds"]
    shown_text = progress.sentence(job("running"), metrics)
    assert shown_text.startswith(begin)
    assert "on training documents: " in shown_text
    assert "nats per document in the last minute" in shown_text


@pytest.mark.parametrize(
    ("change", "begin"),
    [
        (0.1, "Still improving on held-out documents: +0.30 nats per document"),
        (0.01, "Hardly changing on held-out documents: +0.03 nats"),
        (-0.01, "Hardly changing on held-out documents: −0.03 nats"),
        (-0.015, "Hardly changing on held-out documents: −0.04 nats"),
    ],
)
def test_held_out_documents_decide_whether_it_improves(change: float, begin: str) -> None:
    metrics = metrics_table(39, rise=20.0)
    evaluated = metrics["held_out_bound"].notna()
    metrics.loc[evaluated, "held_out_bound"] = -60.0 + change * metrics["epoch"]
    # Among nine evaluations the first six rise, so the best is recent.
    metrics.loc[evaluated & (metrics["epoch"] < 6), "held_out_bound"] -= 5.0
    shown_text = progress.sentence(job("running"), metrics)
    assert shown_text.startswith(begin)
    assert "in the last 3 epochs (training documents: +" in shown_text


# Held-out bounds of an over-fitting run: the best one is the third.
FALLING = [-60.0, -58, -57, -57.5, -58, -58.5, -59, -59, -59, -60]


def test_a_falling_held_out_bound_is_never_called_an_improvement() -> None:
    metrics = metrics_table(40)
    evaluated = metrics["held_out_bound"].notna()
    metrics.loc[evaluated, "held_out_bound"] = FALLING
    shown_text = progress.sentence(job("running"), metrics[:-1])
    assert shown_text.startswith("Over-fitting: ")
    assert "fallen by 2.00 nats per document since epoch 3" in shown_text
    assert "improving" not in shown_text


def test_while_the_graph_is_learned_a_fall_is_no_reason_to_stop() -> None:
    """Parts that lower the held-out bound are not kept, and a part with little change is not the
    end.
    """
    metrics = metrics_table(40)
    still = metrics.assign(train_bound=-50.0, held_out_bound=metrics["held_out_bound"] * 0.0 - 60.0)
    evaluated = metrics["held_out_bound"].notna()
    metrics.loc[evaluated, "held_out_bound"] = FALLING
    shown_text = progress.sentence(job("running", structure="learned"), metrics[:-1])
    assert (
        "No better on texts it has not seen since epoch 3 (−2.00 nats per document)" in shown_text
    )
    assert "still looking for more topics" in shown_text
    assert "Stop" not in shown_text
    assert progress.sentence(job("running"), still[:-1]).startswith("Converged")
    assert "Converged" not in progress.sentence(job("running", structure="learned"), still[:-1])


@pytest.mark.parametrize("n_rows", [4, 12, 39])
def test_a_rising_held_out_bound_has_not_fallen(n_rows: int) -> None:
    assert progress.held_out_fall(metrics_table(n_rows)) is None


@pytest.mark.parametrize("state", sorted(common_strings.STATES))
@pytest.mark.parametrize("metrics", [pd.DataFrame(), metrics_table(3), metrics_table(40)])
def test_every_state_has_one_plain_sentence(state: str, metrics: pd.DataFrame) -> None:
    shown_text = progress.sentence(job(state, "Waiting for another run to end."), metrics)
    assert shown_text[-1] == "."
    assert "!" not in shown_text
    assert "nan" not in shown_text.lower()
    figures = progress.figures(job(state), metrics)
    assert "nan" not in f"{figures}".lower()


@pytest.mark.parametrize(
    ("state", "more"),
    [("starting", {}), ("preparing", {}), ("queued", {}), ("running", {"done_last": 0.0})],
)
def test_work_of_unknown_length_has_a_clock(state: str, more: dict) -> None:
    waiting = job(state, "Doing a thing.")
    waiting.status.update(since=time.time() - 45.0, **more)
    metrics = metrics_table(40)
    assert progress.sentence(waiting, metrics).endswith(", for 45 s.")
    assert progress.share_done(waiting, metrics) is None
    if state != "queued":
        assert progress.phase(waiting).endswith(", for 45 s")
        assert progress.phase(waiting)[0].islower()


def test_the_bar_is_as_long_as_what_is_done_of_the_phase() -> None:
    metrics = metrics_table(12)
    going = job("running")
    assert progress.share_done(going, metrics) == pytest.approx(3 / EPOCHS)
    going.status["done_last"] = 0.4
    assert progress.share_done(going, metrics) == 0.4
    assert progress.share_done(job("finished"), metrics_table(40)) is None


def test_the_time_of_a_run_counts_from_its_start_and_stands_still_in_a_pause() -> None:
    status = {"seconds": 20.0, "whole_seconds": 90.0, "updated": time.time() - 30.0}
    for state, seconds in (("preparing", 120.0), ("running", 120.0), ("paused", 90.0),
                           ("finished", 90.0), ("queued", 90.0)):  # fmt: skip
        found = Job(Path("run"), None, state, status, {}).seconds
        assert found == pytest.approx(seconds, abs=1.0)
    starting = Job(Path("run"), None, "starting", {"since": time.time() - 7.0}, {})
    assert starting.seconds == pytest.approx(7.0, abs=1.0)
    assert Job(Path("run"), None, "finished", {"seconds": 20.0}, {}).seconds == 20.0


def test_topics_in_use_are_counted_of_all_in_the_graph() -> None:
    metrics = metrics_table(8).assign(topics=20)
    assert progress.figures(job("running"), metrics).in_use == "17 of 20"
    assert progress.figures(job("running"), metrics_table(8)).in_use == "17"
    ended = Job(Path("run"), None, "finished", {"active_topics": 19, "topics": 20}, {})
    assert progress.figures(ended, metrics).in_use == "19 of 20"


def test_wishes_that_are_not_yet_obeyed_are_named() -> None:
    metrics = metrics_table(10)
    assert progress.sentence(job("running"), metrics, "pause") == common_strings.PAUSING
    assert progress.sentence(job("running"), metrics, "stop") == common_strings.STOPPING


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "0 s"), (59.4, "59 s"), (61, "1 min 01 s"), (540, "9 min 00 s"), (900, "15 min"),
     (3600, "1 h 00 min"), (9000, "2 h 30 min")],
)  # fmt: skip
def test_times_are_short(seconds: float, text: str) -> None:
    assert common_strings.duration(seconds) == text


@pytest.mark.parametrize("state", ["queued", "preparing"])
@pytest.mark.parametrize("command", ["stop", "pause"])
def test_a_run_that_prepares_states_that_it_was_requested_to_end(state: str, command: str) -> None:
    waiting = progress.sentence(job(state, "Reading the corpus."), metrics_table(0))
    requested = progress.sentence(job(state, "Reading the corpus."), metrics_table(0), command)
    assert waiting == "Reading the corpus."
    assert {"stop": "Stopping", "pause": "ausing"}[command] in requested


def level(metrics: pd.DataFrame, begin: float) -> pd.DataFrame:
    """The same with bounds that stay as they are from an epoch on."""
    late = metrics["epoch"] >= begin
    flat = metrics.copy()
    flat.loc[late, "train_bound"] = -42.0
    flat.loc[late & flat["held_out_bound"].notna(), "held_out_bound"] = -44.0
    return flat


def test_converged_is_reported_once_both_bounds_have_stood_still() -> None:
    metrics = level(metrics_table(80), 10)
    shown_text = [
        progress.sentence(job("running"), metrics[:rows].assign(epochs=99)) for rows in (36, 79)
    ]
    assert not shown_text[0].startswith("Converged")
    assert progress.has_converged(metrics[:79])
    only_training = metrics.assign(
        held_out_bound=metrics["held_out_bound"] + 0.1 * metrics["epoch"]
    )
    assert not progress.has_converged(only_training)


def test_a_falling_training_bound_is_diverging_and_not_over_fitting() -> None:
    metrics = metrics_table(32)
    metrics["train_bound"] = [
        *(-60.0 + row for row in range(16)),
        *(-45.0 - row for row in range(16)),
    ]
    metrics["held_out_bound"] = metrics["held_out_bound"].where(metrics["epoch"] < 4, -70.0)
    shown_text = progress.sentence(job("running"), metrics)
    assert shown_text.startswith("Diverging: the training bound has fallen by 13.0 nats")
    assert "since epoch 4" in shown_text
    assert progress.divergence(metrics_table(32)) is None


def test_a_graph_that_has_just_changed_is_not_called_diverging() -> None:
    metrics = metrics_table(36).assign(topics=20, edges=900)
    late = metrics["epoch"] > 6
    metrics.loc[late, "train_bound"] -= 10.0
    assert progress.sentence(job("running"), metrics).startswith("Diverging")
    metrics.loc[late, "edges"] = 1200
    shown_text = progress.sentence(job("running"), metrics)
    assert shown_text.startswith(("Still improving", "Hardly changing"))


def test_a_bound_that_is_no_number_is_diverging() -> None:
    metrics = metrics_table(20)
    metrics.loc[19, "train_bound"] = float("nan")
    assert progress.sentence(job("running"), metrics) == common_strings.NOT_A_NUMBER


def test_one_hard_minibatch_is_not_diverging() -> None:
    metrics = metrics_table(30, rise=20.0)
    metrics.loc[29, "train_bound"] -= 8.0
    assert progress.divergence(metrics) is None


@pytest.mark.parametrize("deviation", [0.1, 1.0, 3.0])
def test_only_a_fall_beyond_the_noise_of_minibatches_is_diverging(deviation: float) -> None:
    noise = np.random.default_rng(3)
    level, falling = 0, 0
    for _ in range(30):
        metrics = metrics_table(60)
        metrics["train_bound"] = -236.0 + deviation * noise.standard_normal(60)
        level += any(progress.divergence(metrics[:rows]) is not None for rows in range(16, 61))
        metrics.loc[40:, "train_bound"] -= max(10.0 * deviation, 2.0)
        falling += progress.divergence(metrics) is not None
    assert (level, falling) == (0, 30)


@pytest.mark.parametrize("phase", ["exploring", "pruning", "settling"])
def test_a_learned_structure_states_what_it_does_and_what_is_left(phase: str) -> None:
    metrics = metrics_table(20).assign(phase=phase, topics=23, edges=4567)
    shown_text = progress.sentence(job("running"), metrics)
    assert shown_text.startswith(chart_strings.PHASES[phase])
    assert ("23 topics and 4,567 edges are left" in shown_text) == (phase != "exploring")


def test_what_sampling_did_is_not_held_against_training() -> None:
    """Pruning takes from the bound, which is no divergence of the training after it."""
    metrics = metrics_table(36, rise=2.0)
    metrics["phase"] = ["settling"] * 18 + ["training"] * 18
    metrics.loc[:17, ["train_bound", "held_out_bound"]] += 10.0
    shown_text = progress.sentence(job("running"), metrics)
    assert not shown_text.startswith(("Diverging", "Over-fitting", "The held-out bound has fallen"))


def test_an_ended_run_states_whether_it_was_too_long_or_too_short() -> None:
    rising = progress.verdict(metrics_table(40))
    assert "still improving" in rising
    assert progress.verdict(level(metrics_table(80), 8)).startswith("Converged")
    falling = metrics_table(40)
    falling["held_out_bound"] -= 4.0 * (falling["epoch"] - 5.0).clip(lower=0.0)
    assert "best at epoch 5" in progress.verdict(falling)
    assert progress.verdict(pd.DataFrame()) == ""


def test_a_run_whose_last_change_was_the_best_is_not_called_over_fitted() -> None:
    falling = metrics_table(40).assign(topics=5.0, edges=9.0)
    falling["held_out_bound"] -= 4.0 * (falling["epoch"] - 5.0).clip(lower=0.0)
    falling.loc[39, ["held_out_bound", "edges"]] = (0.0, 7.0)
    assert progress.verdict(falling) == common_strings.LAST_CHANGE_HELPED
    # A change that did not make up for the fall leaves it.
    falling.loc[39, "held_out_bound"] = falling["held_out_bound"].min()
    assert "best at epoch 5" in progress.verdict(falling)


def test_epochs_that_were_passed_over_were_neither_trained_nor_fast() -> None:
    every = metrics_table(40).assign(phase="training")
    jumped = every[(every["epoch"] <= 4.0) | (every["epoch"] > 7.0)].reset_index(drop=True)
    jumped["seconds"] = 0.5 * (jumped.index + 1.0)
    done = progress.sentence(job("finished"), jumped)
    assert done.startswith("Finished 7 of 10 epochs in ")
    assert "the rest was for further layers of topics, which did not help to predict." in done
    # One number of epochs, in the sentence and in the table.
    finished = job("finished")
    finished.status["epoch"] = 10.0
    assert progress.epochs_done(finished, jumped) == (7.0, 7)
    drawn = progress.in_trained_epochs(jumped, jumped)["epoch"]
    assert drawn.is_monotonic_increasing
    assert drawn.iloc[-1] == 7.0
    # No line leads over the skipped epochs.
    assert drawn.diff().max() <= 0.25
    assert progress.sentence(job("finished"), every).startswith("Finished 10 epochs in ")
    # Two rows after the gap, at four rows an epoch and half a second a row.
    assert progress.seconds_left(jumped[jumped["epoch"] <= 7.5], EPOCHS) == pytest.approx(5.0)


def test_the_sentence_counts_epochs_as_the_chart_does() -> None:
    every = metrics_table(40).assign(phase="training", topics=5.0, edges=9.0)
    jumped = every[(every["epoch"] <= 2.0) | (every["epoch"] > 5.0)].reset_index(drop=True)
    jumped = jumped.assign(train_bound=-50 + 0.1 * jumped.index)
    evaluated = jumped["held_out_bound"].notna()
    jumped.loc[evaluated, "held_out_bound"] = [-60.0, -58, -50, -51, -52, -53, -54]
    drawn = progress.in_trained_epochs(jumped, jumped)
    best = drawn["epoch"][drawn["held_out_bound"].idxmax()]
    assert (best, jumped["epoch"][jumped["held_out_bound"].idxmax()]) == (3.0, 6.0)
    going = job("running", structure="learned")
    going.status["epochs"] = EPOCHS + 1
    assert "since epoch 3 " in progress.sentence(going, jumped)
    assert "in epoch 8 " in progress.sentence(job("interrupted"), jumped)


def test_the_advice_follows_from_what_happened() -> None:
    # A steep rise to the end, and one that has nearly ended.
    rising = metrics_table(40, rise=8.0).assign(topics=5.0, edges=9.0)
    assert "more epochs may help" in progress.verdict(rising)
    bounds = [-60.0, -52, -50, -48.55, -48.5, -48.4, -48.38, -48.35, -48.32, -48.3]
    evaluated = rising["held_out_bound"].notna()
    slow = rising.copy()
    slow.loc[evaluated, "held_out_bound"] = bounds
    assert "hardly change the topics" in progress.verdict(slow)
    # The end of structure learning raises the bound; more epochs would not do so again.
    ended = slow.copy()
    ended.loc[39, ["held_out_bound", "edges"]] = (-47.0, 7.0)
    assert "may help" not in progress.verdict(ended)
    assert "may help" in progress.verdict(ended.assign(edges=9.0))
