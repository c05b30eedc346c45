"""Metrics and structure changes that a training run records, one JSON object per line."""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from ..utils.errors import InputError
from .atomic import when_free, write_text
from .reading import json_value, read_stored

if TYPE_CHECKING:
    import pandas as pd

METRICS, MOVES = "metrics.jsonl", "moves.jsonl"
# Figures that are texts; all others are numbers.
TEXTS = frozenset({"state", "message", "move", "phase"})
# Ending of the figures that may be infinite or NaN, when training diverges.
BOUND = "bound"
# Required keys of a line.
METRICS_NEED = ("step", "epoch", "seconds")
MOVES_NEED = ("step", "epoch", "merged", "pruned", "topics", "edges")
# Larger whole numbers are not figures of a training run and do not fit into a column.
LARGEST = 2.0**53


def append_line(path: Path, line: str) -> None:
    """Append a line to a file that grows line by line."""
    with path.open("a", encoding="utf-8") as file:
        file.write(line + "\n")


def append_figures(path: Path, figures: Mapping[str, Any]) -> None:
    """Append one object to the metrics or the structure changes of a run."""
    append_line(path, json.dumps(figures))


def _table(rows: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    # Imported here, because a model is read without its metrics and the import takes long.
    import pandas as pd

    return pd.DataFrame(rows)


def read_metrics(folder: Path) -> pd.DataFrame:
    """Metrics of a run, one row per line; empty before the first."""
    return _table(_lines(folder / METRICS, METRICS_NEED))


class MetricsReader:
    """`read_metrics` of a live run: each call reads only the lines added since the previous call.

    The whole file is read again if it is shorter than before or differs at the previous end, as
    after a resume from an earlier checkpoint.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / METRICS
        self._lock = Lock()
        self._read, self._last = 0, b""
        self._rows: list[dict[str, Any]] = []

    def read(self) -> pd.DataFrame:
        """Return the same table as `read_metrics`."""
        with self._lock:
            try:
                new, torn = self._new_lines()
            except OSError:
                # As in `read_metrics`, a file that cannot be read has no lines.
                self._forget()
                new = torn = b""
            self._rows += _figures(new, METRICS_NEED)
            return _table(self._rows + _figures(torn, METRICS_NEED))

    def _new_lines(self) -> tuple[bytes, bytes]:
        """Complete lines that were not read before, and an incomplete last line."""
        if not self._path.is_file():
            self._forget()
            return b"", b""
        with when_free(lambda: self._path.open("rb")) as file:
            file.seek(self._read - len(self._last))
            if file.read(len(self._last)) != self._last:
                file.seek(0)
                self._forget()
            added = file.read()
        whole, end, torn = added.rpartition(b"\n")
        if end:
            self._read += len(whole) + 1
            self._last = whole.rpartition(b"\n")[2] + end
        return whole, torn

    def _forget(self) -> None:
        self._read, self._last, self._rows = 0, b"", []


def read_moves(folder: Path) -> pd.DataFrame:
    """Structure changes of a run, one row for each change; empty before the first.

    Files of earlier versions lack the columns ``grown`` and ``bound``.
    """
    moves = _table(_lines(folder / MOVES, MOVES_NEED))
    if not len(moves):
        return moves
    moves = moves.reindex(columns=moves.columns.union(["grown", BOUND], sort=False))
    return moves.assign(
        grown=moves["grown"].fillna(0).astype(int), bound=moves[BOUND].astype(float)
    )


def truncate_metrics(folder: Path, last_step: int) -> None:
    """Remove metrics and structure changes after a step, because a resumed run repeats them."""
    steps = range(last_step + 1)
    for name in (METRICS, MOVES):
        path = folder / name
        if name == METRICS or path.exists():
            kept = [line for line in _lines(path, ("step",)) if line["step"] in steps]
            write_text(path, "".join(json.dumps(line) + "\n" for line in kept))


def valid_figures(values: Mapping[str, Any]) -> dict[str, Any]:
    """Figures of the right type: texts, finite numbers, and bounds."""

    def is_valid(name: str, value: Any) -> bool:
        if value is None:
            return True
        if name in TEXTS:
            return isinstance(value, str)
        if type(value) not in (int, float):
            return False
        if isinstance(value, float) and not math.isfinite(value):
            return name.endswith(BOUND)
        return bool(abs(value) <= LARGEST)

    return {name: value for name, value in values.items() if is_valid(name, value)}


def _lines(path: Path, needed: Collection[str]) -> list[dict[str, Any]]:
    """Valid lines of a file of figures; an incomplete last line is ignored."""
    try:
        return _figures(read_stored(path), needed)
    except InputError:
        return []


def _figures(lines: bytes, needed: Collection[str]) -> list[dict[str, Any]]:
    found = (json_value(line) for line in lines.decode("utf-8", "replace").split("\n") if line)
    sound = [valid_figures(line) for line in found if isinstance(line, dict)]
    return [line for line in sound if all(line.get(name) is not None for name in needed)]
