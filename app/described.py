"""What takes a moment to find out about a model, worked out once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from app import state, workspace
from app.examples import example_queries
from app.graph_links import word_text
from app.jobs import corpus_folder
from app.topic_facts import Usage, topic_usage
from core.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

    from core.storage import Run

MOST_OPEN = 8


def examples(run: Run) -> list[str]:
    """Queries that the model suggests itself, as a person would type them."""
    changed = workspace.stamp(run.folder / "model" / "model.json")
    return _examples(str(run.folder), changed, run)


def usage(run: Run) -> Usage | None:
    """How often each topic is on in the model's corpus; None where that is not at hand."""
    folder = corpus_folder(run.folder)
    if folder is None or not (folder / "corpus.json").is_file():
        return None
    changed = workspace.stamp(run.folder / "model" / "model.json")
    return _usage(str(run.folder), (changed, workspace.stamp(folder / "corpus.json")), folder, run)


@st.cache_data(show_spinner=False, max_entries=MOST_OPEN)
def _examples(folder: str, changed: int, _run: Run) -> list[str]:
    return [
        " ".join(word_text(_run.vocabulary[token]) for token in example.tokens)
        for example in example_queries(_run.network)
    ]


@st.cache_data(show_spinner=False, max_entries=MOST_OPEN)
def _usage(folder: str, changed: tuple[int, int], _corpus: Path, _run: Run) -> Usage | None:
    try:
        corpus = state.open_corpus(_corpus)
    except InputError:
        return None
    # The folder may hold another corpus than the one that the model was trained on.
    if corpus.vocabulary != _run.vocabulary:
        return None
    return topic_usage(_run.network, corpus)
