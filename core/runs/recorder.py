"""Recording of metrics, status and checkpoints during training."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, replace
from math import ceil, isfinite
from pathlib import Path
from typing import Any

import numpy as np

from ..data.corpus import Corpus, evenly_spaced
from ..kernels.compiling import seconds_compiling
from ..model.network import Network
from ..storage.checkpoints import Split, save_checkpoint
from ..storage.reports import METRICS, MOVES, append_figures, append_line
from ..storage.runs import write_status
from ..structure.pruning import MIN_USED_SHARE
from ..training.e_step import objective_bounds, remembering_bounds
from ..training.monte_carlo_em import phase_at
from ..training.options import TrainingOptions
from ..training.state import Remembered, StepInfo, TrainingState
from ..training.train import sampling_plan
from ..utils.types import FloatArray, Int64Array, ProgressCallback

# A chart needs no more points, and a step may take only milliseconds.
SECONDS_BETWEEN_METRICS = 0.5
# Largest loss of a killed run, in addition to the current step.
SECONDS_BETWEEN_CHECKPOINTS = 20.0
# Checkpoints are more frequent at first, because the app shows the topics of the newest one: the
# interval begins with this number of seconds and doubles up to the one above. It also grows with
# the time that saving takes, so that saving takes at most this share of the training time unless
# it takes more than a second: then the limit above comes first.
SECONDS_TO_FIRST_CHECKPOINT, MAX_SAVING_SHARE = 1.0, 0.05
# Test documents for the chart of the held-out bound; the final figures use more.
DOCUMENTS_PER_CHECK = 500
# Tolerance of their evaluation in structure learning; it lowers the mean bound by 0.001 nats.
CHART_TOLERANCE = 1e-2
# Share of the past in the moving average of topic usage, which covers about ten steps.
USAGE_MEMORY = 0.9
# A sweep of a Gibbs start is much faster than an evaluation on the held-out documents.
SAMPLING_EPOCHS_PER_CHECK = 50


class Clock:
    """Seconds of training in all sessions of a run, without pauses and compilation."""

    def __init__(self, seconds_before: float) -> None:
        self._began = time.monotonic() - seconds_before
        self._compiled_before = seconds_compiling()
        self.seconds_before = seconds_before

    @property
    def seconds(self) -> float:
        """Seconds until now."""
        compiling = seconds_compiling() - self._compiled_before
        return time.monotonic() - self._began - compiling

    def leave_out(self, seconds: float) -> None:
        """Exclude a pause."""
        self._began += seconds


class CheckpointTimer:
    """When to write the next checkpoint: often at first, later at `SECONDS_BETWEEN_CHECKPOINTS`.

    Parameters
    ----------
    seconds : float
        Seconds of training so far, as in `is_due` and `saved`.
    """

    def __init__(self, seconds: float) -> None:
        self._last = seconds
        self._interval = SECONDS_TO_FIRST_CHECKPOINT

    def is_due(self, seconds: float) -> bool:
        """Whether the interval since the last checkpoint has passed."""
        return seconds - self._last > min(self._interval, SECONDS_BETWEEN_CHECKPOINTS)

    def saved(self, seconds: float, took: float) -> None:
        """Record that a checkpoint was written, which took some seconds."""
        is_later = seconds - self._last > self._interval
        longer = 2.0 * self._interval if is_later else self._interval
        self._interval = max(longer, took / MAX_SAVING_SHARE)
        self._last = seconds


class RunLog:
    """Writes the status and the log of a run.

    Parameters
    ----------
    report : callable
        Called with the figures whenever they are written.
    begun : float, optional
        Start time of the process; now by default.
    seconds_before : float, optional
        Duration of earlier sessions.
    """

    def __init__(
        self,
        folder: Path,
        report: Callable[[dict[str, Any]], None],
        begun: float | None = None,
        seconds_before: float = 0.0,
    ) -> None:
        self.folder = folder
        self.figures: dict[str, Any] = {}
        self._report = report
        self._began = (time.time() if begun is None else begun) - seconds_before
        self._state, self._since = "", 0.0

    def write(self, state: str, message: str) -> None:
        """Write a new state to the status and the log."""
        self._state = ""
        self.update(state, message)
        self.add_line(f"{state}: {message}")

    def update(self, state: str, message: str) -> None:
        """Write the state with the latest figures, and report them."""
        now = time.time()
        if state != self._state:
            self._state, self._since = state, now
        # The whole waiting time, of which the seconds of training are a part.
        times = {
            "since": self._since,
            "whole_seconds": max(now - self._began, 0.0),
            "compiling_seconds": seconds_compiling(),
        }
        write_status(self.folder, state, message, **self.figures, **times)
        self._report({"state": state, "message": message, **self.figures})

    def leave_out(self, seconds: float) -> None:
        """Exclude a pause, or the wait for another run."""
        self._began += seconds

    def begin_last(self, message: str) -> ProgressCallback:
        """Begin work after the last step, and return a progress callback for it.

        The fraction done is in the status as ``done_last``, because epochs no longer measure it.
        """
        self.figures["done_last"] = 0.0
        self.write("running", message)

        def progress(share: float) -> None:
            self.figures["done_last"] = share
            self.update("running", message)

        return progress

    def add_line(self, line: str) -> None:
        """Append a line to the log."""
        append_line(self.folder / "log.txt", f"{time.strftime('%Y-%m-%d %H:%M:%S')} {line}")


def remembered_usage(before: FloatArray, info: StepInfo) -> FloatArray:
    """Moving average of the mean activation of each topic, including this step.

    ``before``, of shape (n_topics,), is the average before this step; it is replaced if the graph
    has changed.
    """
    # In a changed graph, topics have new indices.
    is_new = bool(info.moves) or len(before) != len(info.usage)
    # The usage in a step that was reverted because it diverged may be NaN.
    usage = np.where(np.isfinite(info.usage), info.usage, 0.0 if is_new else before)
    return USAGE_MEMORY * (usage if is_new else before) + (1.0 - USAGE_MEMORY) * usage


class Recorder:
    """Records metrics, status and checkpoints at their intervals."""

    def __init__(
        self,
        run_log: RunLog,
        clock: Clock,
        corpus: Corpus,
        split: Split,
        options: TrainingOptions,
        chart: Remembered | None = None,
    ) -> None:
        self._run_log = run_log
        self._clock = clock
        self._corpus = corpus
        self._split = split
        self._options = options
        self._documents = 0
        self._usage = np.zeros(0)
        self._bounds: list[tuple[float, int]] = []
        self._last_metrics = 0.0
        self._checkpoints = CheckpointTimer(clock.seconds)
        # Activations of the documents of the chart; ``chart`` comes from a checkpoint.
        self._chart = chart

    def after_step(self, state: TrainingState, info: StepInfo) -> None:
        """Write metrics, status and a checkpoint if they are due."""
        self._documents += info.documents
        if isfinite(info.bound):
            self._bounds.append((info.bound, info.documents))
        self._usage = remembered_usage(self._usage, info)
        self._write_moves(info)
        if info.is_step_back:
            self._write_step_back(state, info)
        is_epoch_end = info.epoch == int(info.epoch) and (
            state.sampler is None or info.epoch % SAMPLING_EPOCHS_PER_CHECK == 0
        )
        if is_epoch_end or self._clock.seconds - self._last_metrics > SECONDS_BETWEEN_METRICS:
            self._write_metrics(state, info, is_epoch_end)
            self._last_metrics = self._clock.seconds
        if self._checkpoints.is_due(self._clock.seconds) or info.step == 1:
            begun = time.monotonic()
            self.save(state)
            self._checkpoints.saved(self._clock.seconds, time.monotonic() - begun)

    def save(self, state: TrainingState) -> None:
        """Write a checkpoint."""
        state = replace(state, chart=self._chart)
        save_checkpoint(self._run_log.folder, state, self._clock.seconds)

    def _write_moves(self, info: StepInfo) -> None:
        for move in info.moves:
            append_figures(self._run_log.folder / MOVES, {"step": info.step, **asdict(move)})
            done = f"topics: {move.merged} merged, {move.pruned} pruned"
            if move.grown:
                done = f"edges: {move.grown} grown"
            text = (
                f"epoch {move.epoch}, {done}; now {move.topics} topics, {move.edges} edges, "
                f"bound {move.bound:+.3f}"
            )
            self._run_log.add_line(text)
            self._run_log.figures["move"] = text
            self._run_log.update("running", text)

    def _write_step_back(self, state: TrainingState, info: StepInfo) -> None:
        text = (
            f"epoch {ceil(info.epoch)}, training diverged (bound {info.bound:.4g}); it continues "
            f"from the last sound step with {state.rate_share:.0e} of the learning rate"
        )
        self._run_log.add_line(text)
        self._run_log.update("running", text)

    def _write_metrics(self, state: TrainingState, info: StepInfo, is_epoch_end: bool) -> None:
        in_session = self._clock.seconds - self._clock.seconds_before
        figures: dict[str, Any] = {
            "step": info.step,
            "epoch": info.epoch,
            "epochs": self._options.passes,
            "seconds": self._clock.seconds,
            "documents_per_second": self._documents / max(in_session, 1e-9),
            "active_topics": int((self._usage > MIN_USED_SHARE).sum()),
            "topics": state.network.graph.n_topics,
            "edges": state.network.graph.n_edges,
            "phase": self._phase(ceil(info.epoch) - 1),
            "rate_share": state.rate_share,
        }
        if self._bounds:
            bounds, documents = zip(*self._bounds, strict=True)
            figures["train_bound"] = float(np.average(bounds, weights=documents))
        self._bounds.clear()
        if is_epoch_end and len(self._split.held_out):
            rows = evenly_spaced(self._split.held_out, DOCUMENTS_PER_CHECK)
            scores = self._held_out_bounds(state.network, rows, info.epoch)
            figures["held_out_bound"] = float(scores.mean())
        append_figures(self._run_log.folder / METRICS, figures)
        self._run_log.figures.update(figures)
        epoch = min(int(info.epoch) + 1, self._options.passes)
        work = self._phase(int(info.epoch)).capitalize()
        self._run_log.update("running", f"{work}, epoch {epoch} of {self._options.passes}.")

    def _held_out_bounds(self, network: Network, rows: Int64Array, epoch: float) -> FloatArray:
        """Training objective of each document of the chart, in nats, shape (n_rows,).

        After the first stage of structure learning, the E-steps start at the activations of the
        previous epoch, as on the validation set; in the first epoch of a stage they start anew,
        because a stage may continue with a graph that a checkpoint holds only once.
        """
        options = self._options
        if options.bound != "exact" or options.structure != "learned":
            return objective_bounds(network, self._corpus, rows, options)
        is_first = int(epoch) - 1 in {stage.begin for stage in options.stages}
        is_near = epoch > options.stages[1].begin and not is_first
        bounds, self._chart = remembering_bounds(
            network, self._corpus, rows, self._chart if is_near else None, CHART_TOLERANCE
        )
        return bounds

    def _phase(self, epoch: int) -> str:
        """Name of the phase of training after this number of epochs."""
        if epoch >= self._options.passes_of_start:
            return "training"
        return phase_at(epoch, sampling_plan(self._options))
