"""Content of a story's offline file: pictures, tables, and documents if their author allows it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path

from ...core.export.explorer import explorer_address, is_path
from ...core.model.story import KeptView, Story
from ...core.model.topic_model import Run
from ...core.storage.activations import load_activations
from ...core.utils.errors import InputError
from ..shell.kept import Parameters, Picture, address_of, chosen
from . import strings as shared_strings
from .groups import kept_groups
from .kept_pages import kept_document, kept_evaluation, kept_names, kept_path
from .listing import Sources
from .map_picture import kept_map
from .topic_facts import spellings

# Pages that show documents, with the functions that draw them.
MAKERS: Mapping[str, Callable[[Sources, Parameters], Picture | None]] = {
    "documents": kept_document,
    "map": kept_map,
    "groups": kept_groups,
}
TEXTS = "documents"
# Pages that need only the model.
OF_THE_MODEL = ("names", "evaluate")


def needs_documents(story: Story) -> bool:
    """Whether any view of a story needs documents."""
    return any(view.page in MAKERS for view in story.views)


def has_texts(story: Story) -> bool:
    """Whether any view of a story shows texts of documents."""
    return any(view.page == TEXTS for view in story.views)


def only_notes(story: Story, sources: Sources | None, *, with_texts: bool) -> list[int]:
    """Numbers of the views, from 1, of which the file has only the note.

    Views that are left out because of ``with_texts`` are not included.
    """
    exported = {view.key for view in _exported(story, sources, with_texts=with_texts)}
    return [
        number
        for number, view in enumerate(story.views, 1)
        if explorer_address(view) is None
        and view.key not in exported
        and (view.page != TEXTS or with_texts or sources is None)
    ]


def left_out(story: Story, *, with_texts: bool) -> list[int]:
    """Numbers of the views, from 1, that are left out since they show texts."""
    texts = [number for number, view in enumerate(story.views, 1) if view.page == TEXTS]
    return [] if with_texts else texts


def missing(
    story: Story, run: Run, documents: Collection[str], workspace: Path
) -> Mapping[int, str]:
    """Descriptions of missing content by the number of the view, from 1.

    ``documents`` are the ids in the current corpus of the model ``run``, and ``workspace`` has its
    evaluations.
    """
    found = {}
    for number, view in enumerate(story.views, 1):
        text = _missing(view.page, address_of(story, view), run, documents, workspace)
        if text:
            found[number] = text
    return found


def _missing(
    page: str, address: Parameters, run: Run, documents: Collection[str], workspace: Path
) -> str:
    if page == TEXTS:
        name = chosen(address, "doc", "")
        return (
            shared_strings.NO_DOCUMENT.format(name=name) if name and name not in documents else ""
        )
    if page == "evaluate":
        return shared_strings.NO_FIGURES if kept_evaluation(run, workspace, address) is None else ""
    if page != "graph":
        return ""
    topics, word = run.network.graph.topic_number, chosen(address, "word", "")
    for name in (chosen(address, "topic", ""), chosen(address, "to", "")):
        if name and name not in topics:
            return shared_strings.NO_TOPIC.format(name=name)
    is_unknown = word and word not in spellings(run.vocabulary).number
    return shared_strings.NO_WORD.format(name=word) if is_unknown else ""


def taken_along(
    story: Story, run: Run, sources: Sources | None, workspace: Path, *, with_texts: bool
) -> Mapping[str, Picture]:
    """Pictures and tables of the views that the explorer cannot compute itself, by the view's key.

    ``sources`` are the documents of the model ``run``, if they exist, ``workspace`` has its
    evaluations, and ``with_texts`` is whether texts of documents are included.
    """
    made = {
        view.key: _made(view.page, address_of(story, view), run, sources, workspace)
        for view in _exported(story, sources, with_texts=with_texts)
    }
    return {key: picture for key, picture in made.items() if picture is not None}


def _made(
    page: str, address: Parameters, run: Run, sources: Sources | None, workspace: Path
) -> Picture | None:
    if page == "names":
        try:
            stored = load_activations(run.folder / "model")
        except InputError:
            stored = None
        return kept_names(run, stored, address)
    if page == "evaluate":
        return kept_evaluation(run, workspace, address)
    if page not in MAKERS:
        return kept_path(run, address)
    return None if sources is None else MAKERS[page](sources, address)


def _exported(story: Story, sources: Sources | None, *, with_texts: bool) -> Iterator[KeptView]:
    """Views for which all data are available."""
    is_available = {
        "documents": with_texts and sources is not None,
        "map": sources is not None and sources.found is not None,
        "groups": sources is not None and sources.stored is not None,
        **dict.fromkeys(OF_THE_MODEL, True),
    }
    yield from (view for view in story.views if is_available.get(view.page) or is_path(view))
