"""What is worked out once per map: its points, their labels and colours."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from orrery.app.documents import map_colours, map_jobs
from orrery.app.documents.map_colours import Colouring
from orrery.app.documents.map_points import Points, points_of
from orrery.app.words import common
from orrery.app.workspace import catalog
from orrery.core.storage.document_maps import FILE, DocumentMap

if TYPE_CHECKING:
    from orrery.app.documents.facets import Facets
    from orrery.core.corpus import Corpus
    from orrery.core.run import Run

MOST_OPEN = 2

# What a map depends on: the folder, the map, the model, what people said about the topics.
Version = tuple[str, int, int, int]


def document_map(folder: Path, run: Run, corpus: Corpus) -> DocumentMap | None:
    """The map of a run; None where there is none that fits (InputError for a damaged one)."""
    corpus_changed = catalog.stamp(run.corpus_path / "corpus.json")
    return _document_map(version(folder), corpus_changed, corpus)


def version(folder: Path) -> Version:
    """What has to be worked out anew once this is another."""
    model = folder / "model"
    stamps = (catalog.stamp(model / name) for name in (FILE, "model.json", "overlay.json"))
    changed, model_changed, overlay_changed = stamps
    return str(folder), changed, model_changed, overlay_changed


def points(changed: Version, run: Run, found: DocumentMap) -> Points:
    """Points and labels of a map."""
    return _points(changed, run, found)


def colouring(by: str, changed: Version, run: Run, facets: Facets, some: Points) -> Colouring:
    """Colours by ``topic``, ``label`` or ``year``."""
    return _colouring(by, changed, run, facets, some)


@st.cache_resource(max_entries=MOST_OPEN, show_spinner=common.WORKING)
def _document_map(changed: Version, corpus_changed: int, _corpus: Corpus) -> DocumentMap | None:
    return map_jobs.map_of(Path(changed[0]), _corpus)


@st.cache_resource(max_entries=MOST_OPEN, show_spinner=common.WORKING)
def _points(changed: Version, _run: Run, _found: DocumentMap) -> Points:
    return points_of(_found, _run)


@st.cache_resource(max_entries=3 * MOST_OPEN, show_spinner=False)
def _colouring(by: str, changed: Version, _run: Run, _facets: Facets, _some: Points) -> Colouring:
    return map_colours.coloured(by, _some, _run, _facets)
