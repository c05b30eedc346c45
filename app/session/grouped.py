"""Topics counted in groups, once for all visitors of a model."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from orrery.app.session import resources
from orrery.app.words import common
from orrery.app.workspace import catalog
from orrery.core.corpus import Corpus
from orrery.core.evaluation.group_topics import GroupTopics, topics_of_groups
from orrery.core.text.dates import date_columns
from orrery.core.text.groups import Grouping, Step, group_columns, read_grouping

if TYPE_CHECKING:
    from orrery.core.run import Run

MOST_OPEN = 8


def columns(folder: Path, corpus: Corpus) -> tuple[list[str], list[str]]:
    """Columns of values, and columns of dates, to group by."""
    return _columns(str(folder), catalog.stamp(folder / "corpus.json"), corpus)


def grouping(
    folder: Path, corpus: Corpus, column: str | None = None, step: Step | None = None
) -> Grouping:
    """Which document is in which group; by the likeliest column, told none."""
    return _grouping(str(folder), catalog.stamp(folder / "corpus.json"), column, step, corpus)


def topics(run: Run, corpus: Corpus, column: str, step: Step | None) -> GroupTopics | None:
    """Topics in groups of the run's corpus; None where its documents' topics are not known."""
    folder = run.corpus_path
    changed = (
        catalog.stamp(run.folder / "model" / "model.json"),
        catalog.stamp(folder / "corpus.json"),
        *run.as_shown,
    )
    return _topics(str(run.folder), changed, column, step, run, corpus)


@st.cache_resource(max_entries=MOST_OPEN, show_spinner=common.WORKING)
def _columns(folder: str, changed: int, _corpus: Corpus) -> tuple[list[str], list[str]]:
    return group_columns(_corpus.documents), date_columns(_corpus.documents)


@st.cache_resource(max_entries=MOST_OPEN, show_spinner=False)
def _grouping(
    folder: str, changed: int, column: str | None, step: Step | None, _corpus: Corpus
) -> Grouping:
    return read_grouping(_corpus.documents, column, step)


@st.cache_resource(max_entries=MOST_OPEN, show_spinner=common.WORKING)
def _topics(
    folder: str,
    changed: tuple[object, ...],
    column: str,
    step: Step | None,
    _run: Run,
    _corpus: Corpus,
) -> GroupTopics | None:
    stored = resources.activations(_run.folder)
    if stored is None:
        return None
    found = grouping(_run.corpus_path, _corpus, column, step)
    hidden, shown_as = _run.hidden_topics, _run.shown_as
    return topics_of_groups(stored.probability, stored.rows, found, hidden, shown_as)
