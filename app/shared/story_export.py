"""What a story takes along in its offline file: pictures, tables, and documents if that is said.

No streamlit.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from ...core.export.explorer import explorer_address, is_path
from ...core.model.story import KeptView, Story
from ...core.storage.activations import Activations, load_activations
from ...core.utils.errors import InputError
from ..shell.kept import Parameters, Picture, address_of, chosen
from . import strings as shared_strings
from .kept_documents import kept_document
from .kept_groups import kept_groups
from .kept_pages import kept_evaluation, kept_names, kept_path
from .map_picture import kept_map
from .sources import Sources
from .spellings import spellings

if TYPE_CHECKING:
    from ...core.model.topic_model import Run


# Pages that are made of documents: what makes a picture of each.
MAKERS: Mapping[str, Callable[[Sources, Parameters], Picture | None]] = {
    "documents": kept_document,
    "map": kept_map,
    "groups": kept_groups,
}
TEXTS = "documents"
# Pages that need the model, and no document.
OF_THE_MODEL = ("names", "evaluate")


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


def missing(
    story: Story, run: Run, documents: Collection[str], workspace: Path
) -> Mapping[int, str]:
    """What is not there any more of what the views show, in words, by the numbers of the views.

    Parameters
    ----------
    story : Story
    run : Run
        Its model.
    documents : collection of str
        Ids of the documents that the corpus of the model has now.
    workspace : Path
        Where evaluations of the model are.
    """
    found = {
        number: _missing(view.page, address_of(story, view), run, documents, workspace)
        for number, view in enumerate(story.views, 1)
    }
    return {number: said for number, said in found.items() if said}


def _missing(
    page: str, address: Parameters, run: Run, documents: Collection[str], workspace: Path
) -> str:
    if page == TEXTS:
        name = chosen(address, "doc", "")
        return shared_strings.no_document(name) if name and name not in documents else ""
    if page == "evaluate":
        return shared_strings.NO_FIGURES if kept_evaluation(run, workspace, address) is None else ""
    if page != "graph":
        return ""
    topics, word = run.network.graph.topic_number, chosen(address, "word", "")
    for name in (chosen(address, "topic", ""), chosen(address, "to", "")):
        if name and name not in topics:
            return shared_strings.no_topic(name)
    return (
        shared_strings.no_word(word)
        if word and word not in spellings(run.vocabulary).number
        else ""
    )


def taken_along(
    story: Story, run: Run, sources: Sources | None, workspace: Path, *, with_texts: bool
) -> Mapping[str, Picture]:
    """Pictures and tables of the views that the explorer cannot work out by itself, by their keys.

    Parameters
    ----------
    story : Story
    run : Run
        Its model.
    sources : Sources or None
        What there is of its documents.
    workspace : Path
        Where evaluations of the model are.
    with_texts : bool
        Whether documents that the story shows go along.
    """
    made = {
        view.key: _made(view.page, address_of(story, view), run, sources, workspace)
        for view in _going(story, sources, with_texts=with_texts)
    }
    return {key: picture for key, picture in made.items() if picture is not None}


def _made(
    page: str, address: Parameters, run: Run, sources: Sources | None, workspace: Path
) -> Picture | None:
    if page == "names":
        return kept_names(run, _stored(run), address)
    if page == "evaluate":
        return kept_evaluation(run, workspace, address)
    if page not in MAKERS:
        return kept_path(run, address)
    return None if sources is None else MAKERS[page](sources, address)


def _stored(run: Run) -> Activations | None:
    try:
        return load_activations(run.folder / "model")
    except InputError:
        return None


def _going(story: Story, sources: Sources | None, *, with_texts: bool) -> Iterator[KeptView]:
    """Views of which there is all that a picture takes."""
    is_there = {
        "documents": with_texts and sources is not None,
        "map": sources is not None and sources.found is not None,
        "groups": sources is not None and sources.stored is not None,
        **dict.fromkeys(OF_THE_MODEL, True),
    }
    yield from (view for view in story.views if is_there.get(view.page) or is_path(view))
