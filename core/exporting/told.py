"""A story in the offline explorer: which views open there, and what stands for the others."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any
from urllib.parse import urlencode

from orrery.core.story import KeptView, Story

# What the explorer reads of an address, under the names that the app writes.
_OF_A_QUERY = ("q", "q2", "others", "hold", "sel", "hide", "quiet")
# Which part of the map of all topics is seen.
_OF_THE_MAP = ("in", "skip")
_KINDS = {
    "documents": "a page of documents, which are not in this file",
    "map": "the map of the documents, of which there was none when this file was made",
    "groups": "a comparison of groups of documents, which were not there when this file was made",
    "evaluate": "how well the model predicts texts, which was not known when this file was made",
}
PATH = "the way between two topics"


def story_data(
    story: Story, taken: Mapping[str, Mapping[str, Any]] = MappingProxyType({})
) -> dict[str, Any]:
    """What the page needs of a story.

    A view without an address has in its place what was ``taken`` along for its key, a picture, a
    table or a document as `orrery.app.documents.taken_along` makes them, else a sentence.
    """
    return {"title": story.title, "views": [_view(view, taken) for view in story.views]}


def explorer_address(view: KeptView) -> str | None:
    """What stands after the "#" where the explorer shows the view; None where it cannot."""
    said = {name: value for name, value in reversed(view.parameters) if value}
    if view.page == "query" and (said.get("q") or said.get("q2")):
        return urlencode({name: said[name] for name in _OF_A_QUERY if name in said})
    if view.page == "graph" and "to" not in said:
        # The app writes a phrase as it is read, the explorer as it is stored.
        word = said.get("word", "").replace(" ", "_")
        named = {"topic": said.get("topic", ""), "word": word}
        if not any(named.values()):
            named = {name: said.get(name, "") for name in _OF_THE_MAP}
        return urlencode({name: value for name, value in named.items() if value})
    return None


def is_path(view: KeptView) -> bool:
    """Whether a view is the way from a topic to another."""
    names = {name for name, value in view.parameters if value}
    return view.page == "graph" and {"topic", "to"} <= names


def _view(view: KeptView, taken: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    address = explorer_address(view)
    said = {"title": view.title, "note": view.note, "address": address}
    if address is not None:
        return said
    if view.key in taken:
        return said | {"taken": dict(taken[view.key])}
    return said | {"instead": _instead(view)}


def _instead(view: KeptView) -> str:
    kind = PATH if is_path(view) else _KINDS.get(view.page)
    shown = f"This view is {kind}" if kind else "This view is a page of the app"
    return f"{shown}; open the story in Orrery to see it. Its note stands below."
