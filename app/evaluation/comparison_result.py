"""What `orrery compare --json` printed, checked before anything is shown of it (no streamlit)."""

from __future__ import annotations

from typing import Any

from orrery.app.words.systems import COLUMNS
from orrery.core.storage.reading import json_value

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
