"""The corpus and the model that are open, each loaded once for all sessions."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from orrery.app.query.warming import warm_up
from orrery.app.session import choice
from orrery.app.words import common as words
from orrery.app.workspace import catalog
from orrery.core.corpus import Corpus
from orrery.core.run import Run
from orrery.core.storage import load_corpus, load_run
from orrery.core.storage.overlay import OVERLAY_FILE, read_overlay
from orrery.core.storage.runs import model_folder

# Kernels that are in the cache already load faster than anyone could read a notice.
SILENT_SECONDS = 1.0
# Opened corpora and models are shared by all sessions; a few are enough to switch between.
MOST_OPEN = 4


def current_corpus() -> Corpus | None:
    """The chosen corpus, opened; None where there is none.

    Raises
    ------
    InputError
        If its folder is damaged.
    """
    place = choice.corpus_place()
    return None if place is None else open_corpus(place.folder)


def current_run() -> Run | None:
    """The chosen trained model, opened; None where there is none.

    Raises
    ------
    InputError
        If its folder is damaged.
    """
    place = choice.model_place()
    if place is None:
        return None
    _wait_until_warm()
    return open_run(place.folder)


def open_run(folder: Path) -> Run:
    """Open a trained model, once for all sessions until it changes on disk."""
    model = folder / "model"
    changed = catalog.stamp(model / "model.json")
    run = _open_run(folder, changed)
    return _named_run(folder, changed, catalog.stamp(model / OVERLAY_FILE), run)


def open_corpus(folder: Path) -> Corpus:
    """Open a corpus, once for all sessions until it changes on disk."""
    return _open_corpus(folder, catalog.stamp(folder / "corpus.json"))


def _wait_until_warm() -> None:
    """Wait until the first query can be answered at once, and say so if that takes a while."""
    thread = warm_up()
    thread.join(SILENT_SECONDS)
    if thread.is_alive():
        with st.spinner(words.WARMING):
            thread.join()


@st.cache_resource(max_entries=MOST_OPEN, show_spinner=words.OPENING_CORPUS)
def _open_corpus(folder: Path, changed: int) -> Corpus:
    return load_corpus(folder)


@st.cache_resource(max_entries=MOST_OPEN, show_spinner=words.OPENING_MODEL)
def _open_run(folder: Path, changed: int) -> Run:
    run = load_run(folder)
    # Worked out here, once for whatever people call its topics.
    _ = run.topic_words, run.token_number
    return run


@st.cache_resource(max_entries=MOST_OPEN, show_spinner=False)
def _named_run(folder: Path, changed: int, overlay_changed: int, _run: Run) -> Run:
    """The run with what people say of its topics by now."""
    return _run.with_overlay(read_overlay(model_folder(folder)))
