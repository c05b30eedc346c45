"""Example queries of a model, worked out once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from app import workspace
from app.examples import example_queries
from app.graph_links import word_text

if TYPE_CHECKING:
    from core.storage import Run

MOST_OPEN = 8


def examples(run: Run) -> list[str]:
    """Queries that the model suggests itself, as a person would type them."""
    changed = workspace.stamp(run.folder / "model" / "model.json")
    return _examples(str(run.folder), changed, run)


@st.cache_data(show_spinner=False, max_entries=MOST_OPEN)
def _examples(folder: str, changed: int, _run: Run) -> list[str]:
    return [
        " ".join(word_text(_run.vocabulary[token]) for token in example.tokens)
        for example in example_queries(_run.network)
    ]
