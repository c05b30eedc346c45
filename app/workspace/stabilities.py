"""Stability of models: measure it in a separate process at low priority, and read the result.

The result is beside the model, so that it also shows what `orrery stability` has measured, and the
process continues where an earlier one ended.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from ...core.storage.reading import read_json
from ...core.utils.errors import InputError
from ...core.utils.read_only import writer
from . import processes

TIMES = 10
# A longer duration is not the duration of a run.
MAX_SECONDS = 1e9


@dataclass(frozen=True)
class Measuring:
    """State of the measurement of a model's stability: ``none``, ``going`` or ``failed``.

    A measurement that is done has the state ``none``; its result is beside the model.
    """

    state: str
    share: float = 0.0
    message: str = ""


@writer
def begin(workspace: Path, run: Path, share: float | None = None) -> None:
    """Measure the stability of a run, unless that is going (InputError for a damaged model).

    ``share`` is the share of the documents in each sample, that of `orrery stability` by default;
    trainings with another share do not count.
    """
    sample = [] if share is None else ["--sample", repr(float(share))]
    processes.begin(
        _folder(workspace, run),
        ["stability", str(run), "--times", str(TIMES), *sample, "--json"],
        run,
        lambda: read_measuring(workspace, run).state == "going",
    )


def read_measuring(workspace: Path, run: Path) -> Measuring:
    """State of the measurement of a run's stability."""
    work = processes.read_work(_folder(workspace, run))
    if work is None or work.last.startswith("{"):
        return Measuring("none")
    if work.is_going:
        return Measuring("going", work.share)
    return Measuring("failed", message=work.last)


@writer
def stop(workspace: Path, run: Path) -> None:
    """End the measurement if it is going; finished trainings are kept."""
    # The model may have been deleted by another visitor.
    with suppress(InputError):
        if read_measuring(workspace, run).state == "going":
            processes.call_off(_folder(workspace, run))


def expected_seconds(run: Path, times: int) -> float | None:
    """Duration of ``times`` trainings, each as long as the run's own; None if it is unknown."""
    with suppress(InputError):
        seconds = read_json(run / "status.json").get("whole_seconds")
        if isinstance(seconds, int | float) and 0.0 < seconds < MAX_SECONDS:
            return float(times * seconds)
    return None


def _folder(workspace: Path, run: Path) -> Path:
    return processes.folder_of_run(workspace / "stabilities", run)
