"""Load the open corpus and model once for all sessions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import streamlit as st

from ...core.data.corpus import Corpus
from ...core.model.topic_model import Run
from ...core.storage.corpora import load_corpus
from ...core.storage.overlay import OVERLAY_FILE, read_overlay
from ...core.storage.runs import load_run, model_folder
from ..workspace import catalog, processes
from . import choice
from . import strings as shell_strings

# Keys for ``hash_funcs`` of Streamlit's caches: cached functions can take a run or a folder, which
# counts as the same until one of these files changes; they are written last.
FILES = ("corpus.json", "model/model.json", "start.npz")
FOLDER = type(Path())


def version_of(folder: Path, *names: str) -> tuple[object, ...]:
    """Path of a folder, and times of the last change of files in it, by default `FILES`."""
    return str(folder), *(catalog.stamp(folder / name) for name in names or FILES)


Keys = dict[str | type[Any], Callable[[Any], Any]]
AS_STORED: Keys = {Run: lambda run: version_of(run.folder), FOLDER: version_of}
# This key also contains which topics people hid or merged.
AS_SHOWN: Keys = AS_STORED | {Run: lambda run: (*version_of(run.folder), *run.as_shown)}


@contextmanager
def notice_while_compiling() -> Iterator[None]:
    """Show that an answer may take some seconds, while kernels are being compiled.

    Only large local models need kernels, such as the models of whole documents. Quick answers show
    nothing.
    """
    with st.spinner(shell_strings.COMPILING) if processes.is_compiling() else nullcontext():
        yield


# Open corpora and models, shared by all sessions. The Evaluate page compares a model with four.
MAX_OPEN, MAX_MODELS = 4, 6


def current_corpus() -> Corpus | None:
    """The chosen corpus, loaded; None if no choice is possible.

    Raises
    ------
    InputError
        If its folder is damaged.
    """
    place = choice.corpus_place()
    return None if place is None else open_corpus(place.folder)


def current_run() -> Run | None:
    """The chosen trained model, loaded; None if no choice is possible.

    Raises
    ------
    InputError
        If its folder is damaged.
    """
    place = choice.model_place()
    if place is None:
        return None
    return open_run(place.folder)


def open_run(folder: Path) -> Run:
    """Load a trained model, once for all sessions until it changes on disk."""
    return _named_run(folder, catalog.stamp(folder / "model" / OVERLAY_FILE), _open_run(folder))


@st.cache_resource(
    max_entries=MAX_OPEN, show_spinner=shell_strings.OPENING_CORPUS, hash_funcs=AS_STORED
)
def open_corpus(folder: Path) -> Corpus:
    """Load a corpus, once for all sessions until it changes on disk."""
    return load_corpus(folder)


@st.cache_resource(
    max_entries=MAX_MODELS, show_spinner=shell_strings.OPENING_MODEL, hash_funcs=AS_STORED
)
def _open_run(folder: Path) -> Run:
    run = load_run(folder)
    # Cached properties that do not depend on the overlay, computed once for all its versions.
    _ = run.topic_words, run.token_number
    return run


@st.cache_resource(max_entries=MAX_MODELS, show_spinner=False, hash_funcs=AS_STORED)
def _named_run(folder: Path, overlay_changed: int, _run: Run) -> Run:
    """The run with the current overlay of labels, merges and hidden topics."""
    return _run.with_overlay(read_overlay(model_folder(folder)))
