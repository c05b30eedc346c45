"""Comparison of systems on a corpus in a separate process, and the validation of its output.

A comparison is a folder in the workspace. Its name is a hash of the corpus, so that it is never
shown for another corpus. A new comparison replaces it, and it is deleted with the corpus.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...core.baselines.registry import SYSTEMS
from ...core.evaluation.metrics import COMPARED
from ...core.storage.reading import json_value, read_json
from ...core.utils.errors import InputError
from ...core.utils.read_only import writer
from ..text.strings import UNREADABLE
from . import processes
from .catalog import comparison_folder

# Larger numbers are invalid and do not fit the format of the table.
MAX_FIGURE = 1e15
OWN = "orrery"


def read_result(text: str) -> dict[str, Any] | None:
    """Figures of a comparison; None if the text is not a valid result."""
    value = json_value(text)
    return value if isinstance(value, dict) and _is_whole(value) else None


def _is_whole(figures: dict[str, Any]) -> bool:
    systems, alike = figures.get("systems"), figures.get("alike")
    return (
        all(_is_count(figures.get(part)) for part in ("train", "held_out"))
        and isinstance(systems, list)
        and all(map(_is_row, systems))
        # Titles are the columns of a table and must be unique.
        and 0 < len(systems) == len({row["title"] for row in systems})
        and isinstance(alike, list)
        and all(_are_alike(topics, systems) for topics in alike)
    )


def _is_row(row: Any) -> bool:
    return (
        isinstance(row, dict)
        and all(isinstance(row.get(part), str) for part in ("title", "measure"))
        and all(_is_figure(row.get(metric.key)) for metric in COMPARED)
        and isinstance(row.get("words"), list)
        and all(
            isinstance(words, list) and all(isinstance(word, str) for word in words)
            for words in row["words"]
        )
    )


def _are_alike(topics: Any, systems: list[dict[str, Any]]) -> bool:
    """Whether a row of aligned topics has a valid topic or None for each system."""
    return (
        isinstance(topics, list)
        and len(topics) == len(systems)
        and all(
            topic is None or (_is_count(topic) and topic < len(row["words"]))
            for topic, row in zip(topics, systems, strict=True)
        )
    )


def _is_count(value: Any) -> bool:
    return type(value) is int and 0 <= value < MAX_FIGURE


def _is_figure(value: Any) -> bool:
    return value is None or type(value) is float or (type(value) is int and abs(value) < MAX_FIGURE)


@dataclass(frozen=True)
class Comparing:
    """State of a comparison."""

    state: str  # ``none``, ``going``, ``done`` or ``failed``
    systems: tuple[str, ...] = ()  # requested systems, in the order of training
    topics: int | None = None  # requested number of topics; None in comparisons of earlier versions
    # System that is being trained; ``share`` is the completed share of its training.
    system: str = ""
    share: float = 0.0  # share of its training that is done
    figures: dict[str, Any] | None = None  # output of ``orrery compare --json``, if it is done
    message: str = ""  # reason of a failure

    @property
    def share_of_all(self) -> float:
        """Completed share of the comparison, with equal weight for each system."""
        before = self.systems.index(self.system) if self.system in self.systems else 0
        return (before + self.share) / max(len(self.systems), 1)


def offered() -> dict[str, str]:
    """Names and titles of all systems that can be compared here, Orrery first."""
    others = {
        name: system.title
        for name, system in SYSTEMS.items()
        if system.kind == "documents" and system.is_installed()
    }
    return {OWN: "Orrery", **others}


@writer
def begin(workspace: Path, corpus: Path, systems: Sequence[str], topics: int) -> None:
    """Start a comparison on a corpus, unless one is going (InputError if there is no corpus)."""
    options = ["--systems", ",".join(systems), "--topics", str(topics), "--json"]
    processes.begin(
        comparison_folder(workspace, corpus),
        ["compare", str(corpus), *options],
        corpus,
        lambda: read_comparing(workspace, corpus).state == "going",
        {"systems": list(systems), "topics": topics},
    )


def read_comparing(workspace: Path, corpus: Path) -> Comparing:
    """State of the comparison on a corpus (InputError if there is no corpus)."""
    folder = comparison_folder(workspace, corpus)
    work = processes.read_work(folder)
    try:
        request = read_json(folder / processes.ASKED)
        systems = tuple(map(str, request["systems"]))
        topics = int(request["topics"]) if "topics" in request else None
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
    """End the comparison if it is going, and delete its folder."""
    # The corpus may have been deleted by another visitor.
    with suppress(InputError):
        if read_comparing(workspace, corpus).state == "going":
            processes.call_off(comparison_folder(workspace, corpus))
