"""Progress of long work on stderr: a bar on a terminal, plain lines elsewhere.

The app starts commands with ``ORRERY_PROGRESS=json``. They then write their progress as one JSON
object per line, ``{"part": "lda", "progress": 0.4}``, which `app.workspace.processes` reads.
Training writes no such lines, since the app reads the files of the run.
"""

from __future__ import annotations

import json
import os
import sys
from types import TracebackType
from typing import Any, Self

from tqdm import tqdm

from ..workspace.processes import PROGRESS_FORMAT

# Share of a training between two lines if there is no terminal.
LINE_EVERY = 0.05
# The same for work whose progress a page shows.
SHARE_EVERY = 0.02


def report_share(part: str, share: float) -> None:
    """Write the completed share of a part of the work: "evaluated 34%", or JSON for the app."""
    if _is_for_app():
        line, end = json.dumps({"part": part, "progress": share}), "\n"
    else:
        line = f"{part} {share:.0%}"
        end = "\r" if sys.stderr.isatty() and share < 1.0 else "\n"
    print(line, end=end, file=sys.stderr, flush=True)


def report_work(sentence: str) -> None:
    """Write a sentence on the work that begins; the app, which shows shares, does not need it."""
    if not _is_for_app():
        print(sentence, file=sys.stderr, flush=True)


def _is_for_app() -> bool:
    return os.environ.get(PROGRESS_FORMAT) == "json"


class _Progress:
    """Context manager that closes its progress bar, if it has one."""

    _bar: tqdm[Any] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            self._bar.close()


class ShareProgress(_Progress):
    """Progress of work that reports its completed share: "mapped 34%", or a bar on a terminal."""

    def __init__(self, part: str) -> None:
        self._part = part
        self._next = 0.0

    def __enter__(self) -> Self:
        if sys.stderr.isatty() and not _is_for_app():
            self._bar = tqdm(total=100, desc=self._part, file=sys.stderr)
            self._bar.bar_format = "{l_bar}{bar}| {elapsed}<{remaining}"
        return self

    def report(self, share: float) -> None:
        """Show the share; without a terminal only after it has grown by `SHARE_EVERY`."""
        if self._bar is not None:
            self._bar.update(100.0 * share - self._bar.n)
        elif share >= self._next:
            self._next = share + SHARE_EVERY
            report_share(self._part, share)


class TrainingProgress(_Progress):
    """Progress of a training run."""

    def __init__(self) -> None:
        self._state = ""
        self._move = ""
        self._next_share = 0.0

    def report(self, figures: dict[str, Any]) -> None:
        """Show the latest figures of the run; the command itself reports a failure."""
        if figures["state"] == "failed":
            return
        if figures["state"] != self._state or figures["state"] == "preparing":
            self._state = figures["state"]
            self._write(figures["message"])
        if figures.get("move", self._move) != self._move:
            self._move = figures["move"]
            self._write(self._move)
        if "epoch" in figures and "train_bound" in figures:
            self._advance(figures)

    def _advance(self, figures: dict[str, Any]) -> None:
        bounds = f"bound {figures['train_bound']:.2f}"
        if "held_out_bound" in figures:
            bounds += f", held out {figures['held_out_bound']:.2f}"
        speed = f"{figures['documents_per_second']:.0f} documents/s"
        if sys.stderr.isatty():
            if self._bar is None:
                self._bar = tqdm(total=figures["epochs"], unit="epoch", file=sys.stderr)
                self._bar.bar_format = "{l_bar}{bar}| {elapsed}<{remaining} {postfix}"
            self._bar.n = figures["epoch"]
            self._bar.set_postfix_str(f"{bounds}, {speed}")
        elif figures["epoch"] / figures["epochs"] >= self._next_share:
            self._next_share = figures["epoch"] / figures["epochs"] + LINE_EVERY
            self._write(f"epoch {figures['epoch']:.1f} of {figures['epochs']}: {bounds}, {speed}")

    def _write(self, line: str) -> None:
        if self._bar is not None:
            self._bar.write(line, file=sys.stderr)
        else:
            print(line, file=sys.stderr, flush=True)
