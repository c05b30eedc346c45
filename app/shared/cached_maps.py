"""Caches of maps, shared by all visitors: document map and topic tree.

The module also loads the documents of a story's model, which the Stories page exports.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass

import streamlit as st

from ...core.data.corpus import Corpus
from ...core.document_map.files import FILE, DocumentMap
from ...core.model.story import Story
from ...core.model.subtrees import MIN_LINK
from ...core.model.topic_model import Run
from ...core.utils.errors import InputError
from ..shell import loaders, resources
from ..shell import strings as shell_strings
from ..shell.loaders import AS_SHOWN, version_of
from ..workspace import catalog, document_maps
from ..workspace.catalog import Place
from ..workspace.facets import Facets
from . import document_map as map_colours
from .document_map import Colouring, Points, points_of
from .listing import Sources
from .story_export import missing
from .topic_facts import TopicSizes, subtree_sizes, topic_sizes
from .topic_map import Tree, topic_tree

MAX_OPEN = 2


def _version_of_map(run: Run) -> tuple[object, ...]:
    """Key of the caches of maps, which change with the map, the model, the overlay, the corpus."""
    map_and_model = version_of(run.folder / "model", FILE, "model.json")
    # The run's own overlay, because another visitor may have changed the one on disk meanwhile.
    return *map_and_model, run.overlay, *version_of(run.corpus_path)


@st.cache_resource(
    max_entries=MAX_OPEN,
    show_spinner=shell_strings.WORKING,
    hash_funcs={Run: _version_of_map},
)
def document_map(run: Run, _corpus: Corpus) -> DocumentMap | None:
    """Document map of a run, None without a map of its corpus; InputError if it is damaged."""
    return document_maps.map_of(run.folder, _corpus)


@st.cache_resource(
    max_entries=MAX_OPEN,
    show_spinner=shell_strings.WORKING,
    hash_funcs={Run: _version_of_map},
)
def points(run: Run, _found: DocumentMap) -> Points:
    """Points and labels of a map."""
    return points_of(_found, run)


@st.cache_resource(max_entries=3 * MAX_OPEN, show_spinner=False, hash_funcs={Run: _version_of_map})
def colouring(by: str, run: Run, _facets: Facets, _some: Points) -> Colouring:
    """Colours by ``topic``, ``label`` or ``year``."""
    return map_colours.coloured(by, _some, run, _facets)


def sources_of(place: Place) -> Sources | None:
    """Documents of a model with their facets, activations and map; None without its corpus."""
    try:
        run = loaders.open_run(place.folder)
        corpus, _ = resources.corpus_of(run)
        if corpus is None:
            return None
        facets, stored = (
            resources.facets(run.corpus_path, corpus),
            resources.activations(run.folder),
        )
    except InputError:
        return None
    found: DocumentMap | None = None
    # A damaged map can be computed again; the other sources do not depend on it.
    with suppress(InputError):
        found = document_map(run, corpus)
    return Sources(run, catalog.workspace(), corpus, facets, stored, found)


def why_none(place: Place) -> str:
    """Reason why `sources_of` returns no documents; empty if it returns some."""
    try:
        return resources.corpus_of(loaders.open_run(place.folder))[1]
    except InputError:
        return ""


def missing_of(story: Story, place: Place) -> Mapping[int, str]:
    """Parts of a story that no longer exist, by the numbers of its views."""
    try:
        run = loaders.open_run(place.folder)
    except InputError:
        # The page of the model reports the error.
        return {}
    documents: Collection[str] = ()
    with suppress(InputError):
        documents = resources.document_ids(run.corpus_path)
    return missing(story, run, documents, catalog.workspace())


# Initial threshold of the Graph page: probability of the weakest link shown.
WEAKEST_LINK = MIN_LINK
# Maximum number of cached trees, one for each model and threshold.
MAX_TREES = 8


@dataclass(frozen=True, eq=False)
class SizedTree:
    """Topic tree with the size of each topic alone (``own``) and of its subtree (``subtree``)."""

    tree: Tree
    own: TopicSizes
    subtree: TopicSizes


@st.cache_resource(max_entries=MAX_TREES, show_spinner=False, hash_funcs=AS_SHOWN)
def sized_tree(run: Run, threshold: float) -> SizedTree:
    """Topic tree of a model without the links below a threshold.

    Raises
    ------
    InputError
        If the stored activations are damaged.
    """
    stored = resources.activations(run.folder)
    own, subtree = topic_sizes(run, stored), subtree_sizes(run, stored, threshold)
    return SizedTree(topic_tree(run, threshold, subtree.size), own, subtree)
