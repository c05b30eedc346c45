"""Compile what a query needs in the background, once per machine (no streamlit).

The corpus and the model that are open, each loaded once for all sessions.
"""

from __future__ import annotations

import threading
from functools import cache
from pathlib import Path

import streamlit as st

from ...core.data.corpus import Corpus
from ...core.inference.evidence import Evidence
from ...core.inference.explanation import explain, leave_one_out
from ...core.inference.infer import infer
from ...core.inference.prediction import predict_words
from ...core.inference.senses import readings
from ...core.model.graph import build_graph
from ...core.model.network import build_network
from ...core.model.topic_model import Run
from ...core.storage.corpora import load_corpus
from ...core.storage.overlay import OVERLAY_FILE, read_overlay
from ...core.storage.runs import load_run, model_folder
from ..workspace import catalog
from . import choice
from . import strings as shell_strings


@cache
def warm_up() -> threading.Thread:
    """Begin, once for all sessions, and return the thread that does it."""
    thread = threading.Thread(target=ask_tiny_network, name="warming", daemon=True)
    thread.start()
    return thread


def ask_tiny_network() -> None:
    """Ask a network of two topics and two words everything that a page may ask."""
    graph, _ = build_graph(2, ("a", "b"), [0, 1, 1], [1, 2, 3])
    network = build_network(graph, [1.0, 1.0, 1.0], [0.1, 0.1, 0.1, 0.1])
    for closed_world in (True, False):
        evidence = Evidence((0,), (1,), closed_world=closed_world)
        infer(network, evidence, method="sum-product")
        posterior = infer(network, evidence)
        predict_words(network, posterior)
        readings(posterior, (0, 1))
        posterior.together(0, 1)
        explain(network, posterior, 0)
        leave_one_out(network, posterior, 0)


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
        with st.spinner(shell_strings.WARMING):
            thread.join()


@st.cache_resource(max_entries=MOST_OPEN, show_spinner=shell_strings.OPENING_CORPUS)
def _open_corpus(folder: Path, changed: int) -> Corpus:
    return load_corpus(folder)


@st.cache_resource(max_entries=MOST_OPEN, show_spinner=shell_strings.OPENING_MODEL)
def _open_run(folder: Path, changed: int) -> Run:
    run = load_run(folder)
    # Worked out here, once for whatever people call its topics.
    _ = run.topic_words, run.token_number
    return run


@st.cache_resource(max_entries=MOST_OPEN, show_spinner=False)
def _named_run(folder: Path, changed: int, overlay_changed: int, _run: Run) -> Run:
    """The run with what people say of its topics by now."""
    return _run.with_overlay(read_overlay(model_folder(folder)))
