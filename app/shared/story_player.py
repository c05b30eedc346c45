"""Play a story: each view on its own page without the frame, its note, and links to others."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path

import streamlit as st

from ...core.model.story import KeptView, Story
from ...core.storage.stories import read_story, story_path
from ...core.utils.errors import InputError
from ...core.utils.parsing import read_whole_number
from ..components.story_component import Shown, draw_player
from ..shell import address, kept, memory, page, routing
from ..shell.page import is_playing
from ..text.escaping import markdown_text
from ..workspace import catalog
from . import strings

STYLE = Path(str(files("orrery.assets"))) / "app" / "playing.css"
BEGINS = "story-begins"
# Page for views whose own page cannot be shown; it shows the note.
STAGE = "stories"


def begin(story: Story, place: int) -> None:
    """Play a story from one of its views on, after a click."""
    memory.remember(BEGINS, True)
    _open(story, place)


def show() -> None:
    """Draw the note of the current view over its page, and follow clicks to other views."""
    if not is_playing():
        return
    try:
        story = read_story(story_path(catalog.workspace(), address.get(kept.STORY)))
    except InputError:
        page.show_notes([strings.STORY_GONE])
        return
    if not story.views:
        routing.go_to(STAGE, {kept.STORY: story.name})
        return
    place = place_of(story, address.get(kept.STEP))
    st.html(STYLE)
    view = story.views[place]
    begins = bool(memory.recall(BEGINS))
    memory.forget(BEGINS)
    went = draw_player(Shown(place + 1, len(story.views), view.title, view.note, begins))
    if went == 0:
        routing.go_to(STAGE, {kept.STORY: story.name, kept.VIEW: view.key})
    elif went is not None and 1 <= went <= len(story.views):
        _open(story, went - 1)


def show_stage() -> None:
    """Explain why the page of a view cannot be shown."""
    try:
        story = read_story(story_path(catalog.workspace(), address.get(kept.STORY)))
    except InputError:
        return
    if story.views:
        why = _missing(story, story.views[place_of(story, address.get(kept.STEP))])
        page.show_notes([why] if why else [])


def place_of(story: Story, step: str) -> int:
    """Position of the view whose number from 1 is in the URL, at most the last."""
    return min(read_whole_number(step) or 1, len(story.views)) - 1


def view_address(story: Story, view: KeptView) -> Mapping[str, str | list[str]]:
    """URL parameters of a view outside its story."""
    return dict(kept.address_of(story, view))


def _open(story: Story, place: int) -> None:
    view = story.views[place]
    played = {kept.STORY: story.name, kept.STEP: str(place + 1)}
    if _missing(story, view):
        routing.go_to(STAGE, played)
    else:
        routing.go_to(view.page, {**view_address(story, view), **played})


def _missing(story: Story, view: KeptView) -> str:
    """Reason why the page of a view cannot be shown, or an empty text."""
    if catalog.find_model(story.corpus, story.run) is None:
        return strings.model_gone(markdown_text(story.run))
    return "" if routing.has_page(view.page) else strings.NO_PAGE
