"""Data of the open corpus or model that is computed once: search, facets, activations."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
import streamlit as st

from ...core.data.corpus import Corpus
from ...core.model.topic_model import Run
from ...core.storage.activations import Activations, load_activations
from ...core.storage.corpora import is_trained_on
from ...core.utils.errors import InputError
from ..workspace import catalog, search_index
from ..workspace.facets import Facets, read_facets
from ..workspace.runs import corpus_folder
from . import loaders
from . import strings as shell_strings
from .loaders import AS_STORED, FOLDER

MAX_OPEN, MAX_SEARCHES, MAX_COMPARED = 4, 32, 64


@st.cache_resource(max_entries=MAX_OPEN, show_spinner=shell_strings.WORKING, hash_funcs=AS_STORED)
def facets(folder: Path, _corpus: Corpus) -> Facets:
    """Labels, years and titles of a corpus."""
    return read_facets(_corpus.documents, _corpus.recipe)


@st.cache_resource(max_entries=MAX_OPEN, show_spinner=shell_strings.WORKING, hash_funcs=AS_STORED)
def activations(run_folder: Path) -> Activations | None:
    """Activations of the documents that the run stored; None if it stored none.

    Raises
    ------
    InputError
        If the file is damaged.
    """
    return load_activations(run_folder / "model")


def sound_activations(run: Run) -> Activations | None:
    """`activations` of a run, or None if the file is damaged."""
    try:
        return activations(run.folder)
    except InputError:
        return None


def corpus_of(run: Run) -> tuple[Corpus | None, str]:
    """The corpus that a run was trained on, or a sentence that explains why it is missing."""
    try:
        corpus = loaders.open_corpus(run.corpus_path)
    except InputError:
        return None, shell_strings.GONE
    if corpus.vocabulary != run.vocabulary or has_changed(run, run.corpus_path, corpus):
        return None, shell_strings.CHANGED
    return corpus, ""


@st.cache_resource(max_entries=MAX_OPEN, show_spinner=False, hash_funcs=AS_STORED)
def document_ids(folder: Path) -> frozenset[str]:
    """Ids of the documents of a corpus."""
    return frozenset(map(str, loaders.open_corpus(folder).documents["id"]))


@st.cache_data(max_entries=MAX_COMPARED, show_spinner=False, hash_funcs=AS_STORED)
def has_changed(run: Run, folder: Path, _corpus: Corpus) -> bool:
    """Whether a corpus has other documents, or another order, than a run was trained on.

    False for a model adopted from a graph file, which was trained on no corpus.
    """
    is_trained = corpus_folder(run.folder) is not None
    return is_trained and not is_trained_on(run.folder, _corpus)


@st.cache_resource(
    max_entries=MAX_SEARCHES,
    show_spinner=False,
    hash_funcs={FOLDER: lambda index: (str(index), catalog.stamp(index))},
)
def found(index: Path, text: str) -> npt.NDArray[np.int64] | None:
    """Rows that a search finds, cached for the next page of results."""
    return search_index.search(index, text)
