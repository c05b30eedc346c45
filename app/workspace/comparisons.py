"""Comparisons with other systems: processes of `orrery compare`, and their output (no streamlit).

A comparison is a folder in the workspace, named by the content of the corpus, so that it is never
shown for another one. The next comparison replaces it, and it is deleted with the corpus. Output
is checked before anything of it is shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...core.baselines.registry import SYSTEMS
from ...core.storage.reading import json_value, read_json
from ...core.utils.errors import InputError
from ...core.utils.read_only import writer
from ..text.strings import COLUMNS, UNREADABLE
from . import processes
from .catalog import comparison_folder

# Larger counts are no system's, and cannot be written as the figures of a table are.
LARGEST = 1e15


def read_result(text: str) -> dict[str, Any] | None:
    """Figures of a comparison; None where a text is anything else."""
    value = json_value(text)
    return value if isinstance(value, dict) and _is_whole(value) else None


def _is_whole(figures: dict[str, Any]) -> bool:
    systems, alike = figures.get("systems"), figures.get("alike")
    return (
        all(_is_count(figures.get(part)) for part in ("train", "held_out"))
        and isinstance(systems, list)
        and all(map(_is_row, systems))
        # Their titles are the columns of a table.
        and 0 < len(systems) == len({row["title"] for row in systems})
        and isinstance(alike, list)
        and all(_are_alike(topics, systems) for topics in alike)
    )


def _is_row(row: Any) -> bool:
    return (
        isinstance(row, dict)
        and all(isinstance(row.get(part), str) for part in ("title", "measure"))
        and all(column in row and _is_figure(row[column]) for column in COLUMNS)
        and isinstance(row.get("words"), list)
        and all(_is_list_of(str, words) for words in row["words"])
    )


def _are_alike(topics: Any, systems: list[dict[str, Any]]) -> bool:
    """Whether there is a topic for each system, or None where it has none alike."""
    return (
        isinstance(topics, list)
        and len(topics) == len(systems)
        and all(
            topic is None or (_is_count(topic) and topic < len(row["words"]))
            for topic, row in zip(topics, systems, strict=True)
        )
    )


def _is_count(value: Any) -> bool:
    return type(value) is int and 0 <= value < LARGEST


def _is_figure(value: Any) -> bool:
    return value is None or type(value) is float or (type(value) is int and abs(value) < LARGEST)


def _is_list_of(kind: type, values: Any) -> bool:
    return isinstance(values, list) and all(isinstance(value, kind) for value in values)


OWN = "orrery"


@dataclass(frozen=True)
class Comparing:
    """State of a comparison.

    Attributes
    ----------
    state : str
        ``none``, ``going``, ``done`` or ``failed``.
    systems : tuple of str
        Systems of the comparison, in the order of training.
    topics : int or None
        Number of topics of each system.
    system : str
        System that is being trained.
    share : float
        Share of its training that is done.
    figures : dict
        Output of ``orrery compare --json``, once it is done.
    message : str
        Error, if it failed.
    """

    state: str
    systems: tuple[str, ...] = ()
    topics: int | None = None
    system: str = ""
    share: float = 0.0
    figures: dict[str, Any] | None = None
    message: str = ""

    @property
    def share_of_all(self) -> float:
        """Share of the whole comparison that is done; every system counts the same."""
        before = self.systems.index(self.system) if self.system in self.systems else 0
        return (before + self.share) / max(len(self.systems), 1)


def offered() -> dict[str, str]:
    """Names and titles of all systems that can be compared here, our own first."""
    others = {
        name: system.title
        for name, system in SYSTEMS.items()
        if system.kind == "documents" and system.is_installed()
    }
    return {OWN: "Orrery", **others}


@writer
def begin(workspace: Path, corpus: Path, systems: Sequence[str], topics: int) -> None:
    """Start to compare systems on a corpus, unless that is going.

    Raises
    ------
    InputError
        If the folder is no corpus any more.
    """
    options = ["--systems", ",".join(systems), "--topics", str(topics), "--json"]
    processes.begin(
        comparison_folder(workspace, corpus),
        ["compare", str(corpus), *options],
        corpus,
        lambda: read_comparing(workspace, corpus).state == "going",
        {"systems": list(systems), "topics": topics},
    )


def read_comparing(workspace: Path, corpus: Path) -> Comparing:
    """State of the comparison on a corpus; an InputError if that is no corpus any more."""
    folder = comparison_folder(workspace, corpus)
    work = processes.read_work(folder)
    try:
        asked = read_json(folder / "asked.json")
        systems = tuple(map(str, asked["systems"]))
        # Comparisons made before they were kept have none.
        topics = int(asked["topics"]) if "topics" in asked else None
    except (InputError, KeyError, TypeError, ValueError, OverflowError):
        return Comparing("none")
    if work is None or not systems:
        return Comparing("none")
    figures = read_result(work.last)
    if figures is not None:
        return Comparing("done", systems, topics, figures=figures)
    if work.is_going:
        return Comparing("going", systems, topics, work.part or systems[0], work.share)
    is_result = work.last.startswith(("{", "["))
    message = UNREADABLE if is_result else work.last
    return Comparing("failed", systems, topics, message=message)


@writer
def stop(workspace: Path, corpus: Path) -> None:
    """End the comparison if it is going, so that it leaves no trace."""
    # Of a corpus that somebody else deleted, nothing is going.
    with suppress(InputError):
        if read_comparing(workspace, corpus).state == "going":
            processes.call_off(comparison_folder(workspace, corpus))
