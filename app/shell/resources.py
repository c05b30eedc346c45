"""Data of the open corpus or model that is computed once: search, facets, activations."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
import streamlit as st

from ...core.data.corpus import Corpus
from ...core.model.topic_model import Run
from ...core.storage.activations import Activations, load_activations
from ...core.storage.corpora import corpus_fingerprint, start_fingerprint
from ...core.utils.errors import InputError
from ..workspace import catalog, search_index
from ..workspace.facets import Facets, read_facets
from ..workspace.runs import corpus_folder
from . import loaders
from . import strings as shell_strings

MAX_OPEN, MAX_SEARCHES, MAX_COMPARED = 4, 32, 64


def facets(folder: Path, corpus: Corpus) -> Facets:
    """Labels, years and titles of a corpus."""
    return _facets(str(folder), catalog.stamp(folder / "corpus.json"), corpus)


def activations(run_folder: Path) -> Activations | None:
    """Activations of the documents that the run stored; None if it stored none.

    Raises
    ------
    InputError
        If the file is damaged.
    """
    model = run_folder / "model"
    return _activations(str(model), catalog.stamp(model / "model.json"))


def corpus_of(run: Run) -> tuple[Corpus | None, str]:
    """The corpus that a run was trained on, or a sentence that explains why it is missing."""
    try:
        corpus = loaders.open_corpus(run.corpus_path)
    except InputError:
        return None, shell_strings.GONE
    if corpus.vocabulary != run.vocabulary or has_changed(run, run.corpus_path, corpus):
        return None, shell_strings.CHANGED
    return corpus, ""


def document_ids(folder: Path) -> frozenset[str]:
    """Ids of the documents of a corpus."""
    return _document_ids(str(folder), catalog.stamp(folder / "corpus.json"))


def has_changed(run: Run, folder: Path, corpus: Corpus) -> bool:
    """Whether a corpus has other documents, or another order, than a run was trained on.

    False for a model adopted from a graph file, which was trained on no corpus.
    """
    began = catalog.stamp(run.folder / "start.npz")
    changed = (began, catalog.stamp(folder / "corpus.json"))
    return _has_changed(run.folder, folder, changed, corpus)


def found(index: Path, text: str) -> npt.NDArray[np.int64] | None:
    """Rows that a search finds, cached for the next page of results."""
    return _found(str(index), catalog.stamp(index), text)


@st.cache_resource(max_entries=MAX_OPEN, show_spinner=shell_strings.WORKING)
def _facets(folder: str, changed: int, _corpus: Corpus) -> Facets:
    return read_facets(_corpus.documents)


@st.cache_resource(max_entries=MAX_OPEN, show_spinner=False)
def _document_ids(folder: str, changed: int) -> frozenset[str]:
    return frozenset(map(str, loaders.open_corpus(Path(folder)).documents["id"]))


@st.cache_data(max_entries=MAX_COMPARED, show_spinner=False)
def _has_changed(run: Path, folder: Path, changed: tuple[int, int], _corpus: Corpus) -> bool:
    return corpus_folder(run) is not None and start_fingerprint(run) != corpus_fingerprint(_corpus)


@st.cache_resource(max_entries=MAX_OPEN, show_spinner=shell_strings.WORKING)
def _activations(model: str, changed: int) -> Activations | None:
    return load_activations(Path(model))


@st.cache_resource(max_entries=MAX_SEARCHES, show_spinner=False)
def _found(index: str, changed: int, text: str) -> npt.NDArray[np.int64] | None:
    return search_index.search(Path(index), text)
