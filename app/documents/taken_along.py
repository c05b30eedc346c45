"""What a story takes along in its offline file: pictures and, if its author says so, documents.

No streamlit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from orrery.app.documents.kept_document import kept_document
from orrery.app.documents.kept_groups import kept_groups
from orrery.app.documents.kept_map import kept_map
from orrery.app.documents.sources import Sources
from orrery.app.stories.kept import Parameters, address_of
from orrery.app.stories.kept_path import kept_path
from orrery.app.stories.travelling import Picture
from orrery.core.exporting.told import explorer_address, is_path
from orrery.core.story import KeptView, Story

if TYPE_CHECKING:
    from orrery.core.run import Run


# Pages that are made of documents: what makes a picture of each.
MAKERS: Mapping[str, Callable[[Sources, Parameters], Picture | None]] = {
    "documents": kept_document,
    "map": kept_map,
    "groups": kept_groups,
}
TEXTS = "documents"


def needs_documents(story: Story) -> bool:
    """Whether any view of a story is made of documents."""
    return any(view.page in MAKERS for view in story.views)


def has_texts(story: Story) -> bool:
    """Whether any view of a story shows texts of documents."""
    return any(view.page == TEXTS for view in story.views)


def only_notes(story: Story, sources: Sources | None, *, with_texts: bool) -> list[int]:
    """Numbers of the views, from 1, of which the file has the note alone.

    Views that are left out because their author says so are not among them.
    """
    going = {view.key for view in _going(story, sources, with_texts=with_texts)}
    return [
        number
        for number, view in enumerate(story.views, 1)
        if explorer_address(view) is None
        and view.key not in going
        and (view.page != TEXTS or with_texts or sources is None)
    ]


def left_out(story: Story, *, with_texts: bool) -> list[int]:
    """Numbers of the views, from 1, whose texts their author keeps."""
    texts = [number for number, view in enumerate(story.views, 1) if view.page == TEXTS]
    return [] if with_texts else texts


def taken_along(
    story: Story, run: Run, sources: Sources | None, *, with_texts: bool
) -> Mapping[str, Picture]:
    """Pictures of the views that the explorer cannot work out by itself, by their keys."""
    made = {
        view.key: _made(view.page, address_of(story, view), run, sources)
        for view in _going(story, sources, with_texts=with_texts)
    }
    return {key: picture for key, picture in made.items() if picture is not None}


def _made(page: str, address: Parameters, run: Run, sources: Sources | None) -> Picture | None:
    if page not in MAKERS:
        return kept_path(run, address)
    return None if sources is None else MAKERS[page](sources, address)


def _going(story: Story, sources: Sources | None, *, with_texts: bool) -> Iterator[KeptView]:
    """Views of which there is all that a picture takes."""
    is_there = {
        "documents": with_texts and sources is not None,
        "map": sources is not None and sources.found is not None,
        "groups": sources is not None and sources.stored is not None,
    }
    yield from (view for view in story.views if is_there.get(view.page) or is_path(view))
