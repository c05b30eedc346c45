"""Progress of a training run, computed from its metrics: a few figures and one sentence."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ...core.utils.lazy import LazyModule
from ..text import strings as common_strings
from ..text.strings import number
from .runs import Job

if TYPE_CHECKING:
    import pandas as pd
else:
    pd = LazyModule("pandas")

# Window of training time, in seconds, over which the recent gain is computed.
LOOK_BACK = 60.0
# Minimum number of rows at either end of the window, since minibatches differ.
MIN_ROWS = 4
# The held-out bound falls if its best value is this many evaluations ago and this much higher.
MIN_SINCE_BEST = 3
MIN_FALL = 0.05
# Training diverges if its bound is below its best by this share of its gain, by these nats, and by
# this multiple of the standard deviation of a row: with 4, the noise of minibatches alone is called
# diverging in a few of 100 runs of 60 rows.
DIVERGED_SHARE, DIVERGED_NATS, DIVERGED_DEVIATIONS = 0.25, 1.0, 6.0
# The median absolute difference of two rows, in standard deviations of a row (normal distribution).
MEDIAN_DIFFERENCE = 0.954
# Training has converged if both bounds change by less than this gain, in nats, over this number of
# epochs or this share of all epochs, whichever is larger.
CONVERGED_GAIN, CONVERGED_EPOCHS, CONVERGED_SHARE = 0.02, 3, 0.1
# A rise over the last epochs below this share of the rise over the whole run changes little.
SMALL_SHARE = 0.02
# Number of last rows from which the remaining time is estimated.
PACE_ROWS = 40


def passed_over(metrics: pd.DataFrame) -> list[tuple[float, float]]:
    """First and last epoch of each skipped range: training skips a layer without a validation gain.

    Every epoch of training ends with a row, so rows that are further apart enclose a skipped range.
    """
    if not {"epoch", "phase"} <= set(metrics.columns):
        return []
    trained = metrics["epoch"][metrics["phase"] == "training"].to_numpy(float)
    return [
        (float(np.floor(before)), float(np.ceil(after)) - 1.0)
        for before, after in itertools.pairwise(trained)
        if np.ceil(after) - np.floor(before) > 1.0 and before == np.floor(before)
    ]


def epochs_trained(metrics: pd.DataFrame) -> pd.Series:
    """Number of epochs up to every row, without skipped epochs."""
    return in_trained_epochs(metrics, metrics)["epoch"].astype(float)


def in_trained_epochs(table: pd.DataFrame, metrics: pd.DataFrame) -> pd.DataFrame:
    """A table with a column ``epoch`` that counts only the epochs that were trained.

    ``metrics`` are all rows of the run, from which the skipped epochs are known.
    """
    skipped = passed_over(metrics)
    if not skipped or "epoch" not in table:
        return table
    epoch = table["epoch"].astype(float)
    left_out = sum((end - begin) * (epoch > begin) for begin, end in skipped)
    return table.assign(epoch=epoch - left_out)


def epochs_in_all(job: Job, metrics: pd.DataFrame) -> int:
    """Number of epochs of a run, without the epochs that it skipped."""
    return max(_epochs(job) - round(sum(end - begin for begin, end in passed_over(metrics))), 0)


def epochs_done(job: Job, metrics: pd.DataFrame) -> tuple[float, int] | None:
    """Trained epochs of a run, and their number when it is complete; None before the first."""
    epoch, epochs = job.status.get("epoch"), epochs_in_all(job, metrics)
    if not isinstance(epoch, int | float) or not epochs:
        return None
    return float(epoch) - (_epochs(job) - epochs), epochs


@dataclass(frozen=True)
class Figures:
    """Formatted figures above the chart; ``time_label`` names remaining or total time."""

    held_out: str
    rate: str
    time: str
    time_label: str
    in_use: str


def figures(job: Job, metrics: pd.DataFrame) -> Figures:
    """Figures of a run; a dash for a value that is not yet known."""
    rate = _last(metrics, "documents_per_second")
    # A completed run has counted active topics on all documents; before, the last steps are used.
    is_known = job.state in ("finished", "stopped") and "active_topics" in job.status
    in_use, of = (
        (job.status["active_topics"], job.status.get("topics"))
        if is_known
        else (_last(metrics, "active_topics"), _last(metrics, "topics"))
    )
    held_out = _last(metrics, "held_out_bound")
    if job.is_live and done_last(job) is None and len(metrics) and job.state != "starting":
        left = seconds_left(metrics, _epochs(job))
        time, label = (
            common_strings.NO_FIGURE if left is None else common_strings.duration(left),
            common_strings.LEFT,
        )
    else:
        time, label = (
            common_strings.duration(job.seconds) if job.seconds else common_strings.NO_FIGURE,
            common_strings.TOOK,
        )
    return Figures(
        held_out=common_strings.NO_FIGURE if held_out is None else number(held_out),
        rate=common_strings.NO_FIGURE if rate is None else f"{float(f'{rate:.3g}'):,.0f}",
        time=time,
        time_label=label,
        in_use=common_strings.in_use(in_use, of),
    )


def done_last(job: Job) -> float | None:
    """Completed share of the work after the last training step; None before that work."""
    share = job.status.get("done_last")
    return float(share) if job.state == "running" and isinstance(share, int | float) else None


def share_done(job: Job, metrics: pd.DataFrame) -> float | None:
    """Completed share of the current phase; None if it is unknown."""
    last = done_last(job)
    if last is not None:
        return min(max(last, 0.0), 1.0) or None
    epoch, epochs = _last(metrics, "epoch"), _epochs(job)
    if job.state not in ("running", "paused") or not epoch or not epochs or epoch >= epochs:
        return None
    return min(epoch / epochs, 1.0)


def phase(job: Job) -> str:
    """Current phase of a live run in a few words, with its duration."""
    if job.state in ("starting", "preparing") or done_last(job) is not None:
        message = str(job.status.get("message", ""))
        text = common_strings.STARTING if job.state == "starting" else message
        text = common_strings.for_so_long(text, job.seconds_of_phase).removesuffix(".")
        return text[:1].lower() + text[1:]
    return common_strings.STATES[job.state]


def sentence(job: Job, metrics: pd.DataFrame, command: str = "run") -> str:
    """Sentence on the state and progress of a run."""
    message = str(job.status.get("message", ""))
    match job.state:
        case "starting":
            return common_strings.for_so_long(common_strings.STARTING, job.seconds_of_phase)
        case "paused":
            return common_strings.PAUSED
        case "finished":
            epochs = epochs_in_all(job, metrics)
            took = common_strings.finished(epochs, _epochs(job), job.seconds)
            return f"{took} {verdict(metrics)}".strip()
        case "failed":
            return common_strings.failed(message)
        case "interrupted":
            return common_strings.interrupted(_last(in_trained_epochs(metrics, metrics), "epoch"))
        case "stopped":
            epoch = _last(in_trained_epochs(metrics, metrics), "epoch")
            if not epoch:
                return common_strings.STOPPED_EARLY
            epochs = epochs_in_all(job, metrics)
            return f"{common_strings.stopped(epoch, epochs)} {verdict(metrics)}".strip()
        case "running" if done_last(job) is not None:
            return common_strings.for_so_long(message, job.seconds_of_phase)
        case "running":
            return _running(job, metrics, command)
    waiting = common_strings.WAITING_SIGNS.get((job.state, command))
    return waiting or common_strings.for_so_long(message, job.seconds_of_phase)


def seconds_left(metrics: pd.DataFrame, epochs: int) -> float | None:
    """Estimated time to the last epoch, from the pace of the last rows; None if unknown."""
    if len(metrics) < 2 or not epochs:
        return None
    trained, seconds = epochs_trained(metrics).tail(PACE_ROWS), metrics["seconds"].tail(PACE_ROWS)
    done = trained.iloc[-1] - trained.iloc[0]
    took = seconds.iloc[-1] - seconds.iloc[0]
    if done <= 0 or took < 0:
        return None
    return float(max(epochs - metrics["epoch"].iloc[-1], 0.0) * took / done)


def gain(metrics: pd.DataFrame) -> tuple[float, float] | None:
    """Recent gain of the training bound, and the seconds over which it is computed.

    The gain is the difference of the means over two consecutive windows, so that a single
    minibatch has little influence. None if there are too few rows.
    """
    if "train_bound" not in metrics or len(metrics) < 2 * MIN_ROWS:
        return None
    now = metrics["seconds"].iloc[-1]
    span = min(LOOK_BACK, (now - metrics["seconds"].iloc[0]) / 2.0)
    age = now - metrics["seconds"]
    newer = metrics["train_bound"][age < span]
    older = metrics["train_bound"][(age >= span) & (age <= 2.0 * span)]
    if min(len(newer), len(older)) < MIN_ROWS:
        return None
    return float(newer.mean() - older.mean()), float(span)


def held_out_change(metrics: pd.DataFrame) -> tuple[float, float] | None:
    """Change of the held-out bound over the last evaluations, and the epochs between them."""
    if "held_out_bound" not in metrics:
        return None
    trained = in_trained_epochs(metrics, metrics)
    evaluated = trained[["epoch", "held_out_bound"]].dropna().tail(MIN_SINCE_BEST + 1)
    if len(evaluated) < 2:
        return None
    change = evaluated.iloc[-1] - evaluated.iloc[0]
    return float(change["held_out_bound"]), float(change["epoch"])


def held_out_fall(metrics: pd.DataFrame) -> tuple[float, float] | None:
    """Fall of the held-out bound from its best value, and the epoch of that value (overfitting).

    None if the bound has not fallen.
    """
    if "held_out_bound" not in metrics:
        return None
    evaluated = metrics[["epoch", "held_out_bound"]].dropna()
    if len(evaluated) <= MIN_SINCE_BEST:
        return None
    bound = evaluated["held_out_bound"].to_numpy()
    best = int(bound.argmax())
    fall = float(bound[best] - bound[-1])
    if len(bound) - 1 - best < MIN_SINCE_BEST or fall < MIN_FALL:
        return None
    return fall, float(evaluated["epoch"].iloc[best])


def verdict(metrics: pd.DataFrame) -> str:
    """Sentence on the length of a completed run: too long, too short or right; empty if unclear."""
    whole = _trained(in_trained_epochs(metrics, metrics))
    trained = _before_last_change(whole)
    fall = held_out_fall(trained)
    if fall is not None:
        if held_out_fall(whole) is not None:
            return common_strings.was_best(*fall)
        # The last change of the graph made up for the fall, so the model does not over-fit.
        return common_strings.LAST_CHANGE_HELPED
    if has_converged(trained):
        return common_strings.converged(_epochs_back(trained))
    rise = _change(trained, "held_out_bound")
    if rise is None or rise < CONVERGED_GAIN:
        return ""
    known = trained["held_out_bound"].dropna()
    gained = float(known.iloc[-1] - known.iloc[0])
    if rise < SMALL_SHARE * gained:
        return common_strings.gained_little(rise, _epochs_back(trained))
    return common_strings.was_improving(rise, _epochs_back(trained))


def has_converged(metrics: pd.DataFrame) -> bool:
    """Whether both bounds are nearly constant over the last epochs."""
    changes = [_change(metrics, column) for column in ("train_bound", "held_out_bound")]
    return all(change is not None and abs(change) < CONVERGED_GAIN for change in changes)


def divergence(metrics: pd.DataFrame) -> tuple[float, float] | None:
    """Fall of the training bound from its best value, and the epoch of that value.

    The bound is averaged over a few rows. None if it has not fallen, or by no more than minibatches
    differ.
    """
    if "train_bound" not in metrics or len(metrics) < 4 * MIN_ROWS:
        return None
    mean = metrics["train_bound"].rolling(MIN_ROWS).mean().dropna()
    # From one row to the next, a fall of the bound is small.
    deviation = metrics["train_bound"].diff().abs().median() / MEDIAN_DIFFERENCE
    best = int(mean.argmax())
    fall, gained = mean.iloc[best] - mean.iloc[-1], mean.iloc[best] - mean.iloc[0]
    least = max(DIVERGED_NATS, DIVERGED_SHARE * gained, DIVERGED_DEVIATIONS * deviation)
    if fall < least:
        return None
    return float(fall), float(metrics.loc[mean.index[best], "epoch"])


def _trained(metrics: pd.DataFrame) -> pd.DataFrame:
    """Rows without Gibbs sampling, whose bound is of another kind."""
    if "phase" not in metrics:
        return metrics
    return metrics[~metrics["phase"].isin(common_strings.PHASE_NOTES)].reset_index(drop=True)


def _of_this_graph(metrics: pd.DataFrame) -> pd.DataFrame:
    """Rows since the last change of the graph, which changes the bounds."""
    if not {"topics", "edges"} <= set(metrics.columns) or not len(metrics):
        return metrics
    graph = metrics[["topics", "edges"]]
    is_same = (graph == graph.iloc[-1]).all(axis=1)
    changed = metrics.index[~is_same]
    return metrics.loc[changed[-1] + 1 :].reset_index(drop=True) if len(changed) else metrics


def _before_last_change(metrics: pd.DataFrame) -> pd.DataFrame:
    """Rows without the last one if the graph changed in it.

    Structure learning ends with a change of graph and weights, which more epochs do not repeat.
    """
    if not {"topics", "edges"} <= set(metrics.columns) or len(metrics) < 2:
        return metrics
    last, before = (metrics[["topics", "edges"]].iloc[row] for row in (-1, -2))
    return metrics if last.equals(before) else metrics.iloc[:-1]


def _change(metrics: pd.DataFrame, column: str) -> float | None:
    """Difference of the mean of a bound over the last epochs and over the epochs before them."""
    if column not in metrics:
        return None
    known = in_trained_epochs(metrics, metrics)[["epoch", column]].dropna()
    if not len(known):
        return None
    back, age = _epochs_back(metrics), known["epoch"].iloc[-1] - known["epoch"]
    newer, older = known[column][age < back], known[column][(age >= back) & (age < 2 * back)]
    if not len(newer) or len(older) < CONVERGED_EPOCHS:
        return None
    return float(newer.mean() - older.mean())


def _epochs_back(metrics: pd.DataFrame) -> float:
    trained = epochs_trained(metrics)
    done = float(trained.iloc[-1] - trained.iloc[0])
    return max(float(CONVERGED_EPOCHS), round(CONVERGED_SHARE * done))


def _running(job: Job, metrics: pd.DataFrame, command: str) -> str:
    epochs = _epochs(job)
    if command == "stop":
        return common_strings.STOPPING
    if command == "pause":
        return common_strings.PAUSING
    if epochs and (_last(metrics, "epoch") or 0.0) >= epochs:
        return common_strings.AFTER_LAST_STEP
    phase = metrics["phase"].iloc[-1] if "phase" in metrics and len(metrics) else "training"
    if phase in common_strings.PHASE_NOTES:
        topics, edges = _last(metrics, "topics"), _last(metrics, "edges")
        note = common_strings.PHASE_NOTES[str(phase)]
        if phase == "exploring" or topics is None or edges is None:
            return note
        return f"{note} {common_strings.GRAPH_LEFT.format(topics=topics, edges=edges)}"
    # Epochs are counted as in the chart and in the table of runs.
    known = _of_this_graph(_trained(in_trained_epochs(metrics, metrics)))
    done = epochs_done(job, metrics)
    begun = common_strings.first_steps(*done) if done else common_strings.FIRST_STEPS
    return _training(known, begun, is_graph_final=not job.learns_graph)


def _training(metrics: pd.DataFrame, begun: str, *, is_graph_final: bool) -> str:
    """Sentence on the course of the training; ``begun`` while too little is known of it."""
    last = metrics["train_bound"].iloc[-1] if "train_bound" in metrics and len(metrics) else 0.0
    if not math.isfinite(last):
        return common_strings.NOT_A_NUMBER
    worse = divergence(metrics)
    if worse is not None:
        return common_strings.diverging(*worse)
    found, fall = gain(metrics), held_out_fall(metrics)
    if fall is not None and not is_graph_final:
        return common_strings.graph_goes_back(*fall)
    if fall is not None:
        is_rising = found is None or found[0] > -common_strings.MIN_GAIN
        return common_strings.by_heart(*fall) if is_rising else common_strings.held_out_falls(*fall)
    if is_graph_final and has_converged(metrics):
        return common_strings.converged(_epochs_back(metrics))
    return begun if found is None else common_strings.improving(*found, held_out_change(metrics))


def _epochs(job: Job) -> int:
    return int(job.status.get("epochs") or 0)


def _last(metrics: pd.DataFrame, column: str) -> float | None:
    if column not in metrics:
        return None
    known = metrics[column].dropna()
    return float(known.iloc[-1]) if len(known) else None
