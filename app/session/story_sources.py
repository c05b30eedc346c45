"""The documents of a story's model, as all visitors share them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

from orrery.app.documents.sources import Sources
from orrery.app.documents.taken_along import missing
from orrery.app.session import loaders, map_resources, resources
from orrery.app.workspace import catalog
from orrery.app.workspace.catalog import Place
from orrery.core.errors import InputError

if TYPE_CHECKING:
    from orrery.core.storage.document_maps import DocumentMap
    from orrery.core.story import Story


def sources_of(place: Place) -> Sources | None:
    """What there is of the documents of a model; None where its corpus is gone, or another."""
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
    # A damaged map can be made again, and the rest goes along without it.
    with suppress(InputError):
        found = map_resources.document_map(place.folder, run, corpus)
    return Sources(run, catalog.workspace(), corpus, facets, stored, found)


def why_none(place: Place) -> str:
    """Why nothing of the documents of a model goes along; empty where something may."""
    try:
        return resources.corpus_of(loaders.open_run(place.folder))[1]
    except InputError:
        return ""


def missing_of(story: Story, place: Place) -> Mapping[int, str]:
    """What is not there any more of what a story shows, by the numbers of its views."""
    try:
        run = loaders.open_run(place.folder)
    except InputError:
        # The page of the model says what is wrong with it.
        return {}
    documents: Collection[str] = ()
    with suppress(InputError):
        documents = resources.document_ids(run.corpus_path)
    return missing(story, run, documents, catalog.workspace())
