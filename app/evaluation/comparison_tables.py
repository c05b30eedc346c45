"""What `orrery compare` found, as tables that are read (no streamlit)."""

from __future__ import annotations

from typing import Any

import pandas as pd

from orrery.app.words import systems as words
from orrery.app.words.figures import number, score_percent

# Of a topic, so many words are shown.
WORDS_SHOWN = 6


def comparison_table(figures: dict[str, Any]) -> pd.DataFrame:
    """One row a system, one column a figure that any of them has."""
    rows = figures["systems"]
    known = [key for key in words.COLUMNS if any(row[key] is not None for row in rows)]
    table = {words.COLUMNS[key]: [_written(key, row[key]) for row in rows] for key in known}
    return pd.DataFrame({words.SYSTEM: [row["title"] for row in rows], **table})


def topics_table(figures: dict[str, Any]) -> pd.DataFrame:
    """One column a system, topics that are alike in one row; "" where a system has none alike."""
    rows = figures["systems"]
    columns: dict[str, list[str]] = {row["title"]: [] for row in rows}
    for alike in figures["alike"]:
        for row, topic in zip(rows, alike, strict=True):
            shown = "" if topic is None else ", ".join(row["words"][topic][:WORDS_SHOWN])
            columns[row["title"]].append(shown)
    table = pd.DataFrame(columns)
    return table[(table != "").any(axis=1)].reset_index(drop=True)


def _written(key: str, value: Any) -> str:
    if value is None:
        return words.NO_FIGURE
    if key in words.SHARES:
        return score_percent(value)
    if key in words.WHOLE:
        return f"{value:,.0f}"
    # Systems differ by less than three digits of a likelihood tell.
    return f"{value:,.2f}".replace("-", "−") if key == "held_out" else number(value)
