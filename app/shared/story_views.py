"""Stories on every page: the button that keeps the current view, and the player of kept views."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import streamlit as st

from ...core.model.story import KeptView, Story
from ...core.storage.stories import add_story, change_story, read_stories, read_story, story_path
from ...core.utils.errors import InputError
from ...core.utils.parsing import read_whole_number
from ...core.utils.read_only import is_read_only
from ..components.story_component import draw_player
from ..shell import address, choice, kept, loaders, memory, page, resources, routing
from ..shell.page import is_playing
from ..text.safe_text import document_text, markdown_text
from ..workspace import catalog
from ..workspace.facets import title_of
from . import strings as shared_strings

# Counts the kept views; as part of the keys it closes and empties the form after each.
ROUND = "keep-round"
TITLE, NOTE, IN_STORY = "keep-title", "keep-note", "keep-story"
# The story used last, and the message about the last view that was kept.
LAST_STORY, OUTCOME = "story-last", "keep-outcome"


def show_keep_button(page_name: str) -> None:
    """Draw the button if the page can be kept and there is a model."""
    if kept.can_keep(page_name) and not is_read_only() and choice.model_place() is not None:
        # A fragment, so that the form does not redraw the page.
        st.fragment(_show)(page_name)


def _show(page_name: str) -> None:
    with st.container(key="keep-view", width="content"), page.failures_shown():
        outcome = memory.recall(OUTCOME)
        if outcome:
            memory.forget(OUTCOME)
            st.toast(markdown_text(outcome), icon=":material/bookmark_added:")
        with st.popover(
            shared_strings.KEEP,
            icon=":material/bookmark_add:",
            type="tertiary",
            key=f"keep-{memory.recall(ROUND, 0)}",
        ):
            _ask(page_name)


def _ask(page_name: str) -> None:
    """Ask for a title, a note and the story, and keep the current view."""
    shown = _shown(page_name)
    here = f"{memory.recall(ROUND, 0)}-{hash(str(shown))}"
    title, note = f"{TITLE}-{here}", f"{NOTE}-{memory.recall(ROUND, 0)}"
    suggested = kept.suggested_title(page_name, shown, loaders.current_run(), _document_title)
    st.text_input(shared_strings.VIEW_TITLE, suggested, key=title)
    st.text_area(shared_strings.NOTE, key=note, placeholder=shared_strings.NOTE_HINT, height=120)
    name = _ask_story()
    refused = st.empty()
    with st.container(horizontal=True, horizontal_alignment="distribute"):
        is_kept = st.button(shared_strings.KEEP_IT, type="primary", key="keep-it")
        if name and st.button(shared_strings.TO_STORIES, type="tertiary", key="keep-to-stories"):
            routing.go_to("stories", {kept.STORY: name})
    if is_kept:
        with refused.container(), page.failures_shown():
            _keep(page_name, memory.recall(title, suggested), memory.recall(note, ""), name)
            st.rerun(scope="fragment")


def _ask_story() -> str:
    """Name of the chosen story, by default the last one; "" for a new one."""
    here = _model_here()
    every, _ = read_stories(catalog.workspace())
    stories = {story.name: story for story in every if (story.corpus, story.run) == here}
    if not stories:
        st.caption(markdown_text(shared_strings.BEGINS.format(story=_title_of_new())))
        return ""
    names = ["", *stories]
    last = memory.recall(LAST_STORY)
    return st.selectbox(
        shared_strings.IN_STORY,
        names,
        index=names.index(last) if last in names else len(names) - 1,
        format_func=lambda name: (
            stories[name].title if name else shared_strings.NEW_STORY.format(title=_title_of_new())
        ),
        key=f"{IN_STORY}-{memory.recall(ROUND, 0)}",
    )


def _model_here() -> tuple[str, str]:
    """Names of the chosen corpus and model; either may be empty."""
    corpus, model = choice.corpus_place(), choice.model_place()
    return corpus.name if corpus else "", model.name if model else ""


def _title_of_new() -> str:
    corpus, model = _model_here()
    return shared_strings.first_title(corpus or model)


def _shown(page_name: str) -> dict[str, list[str]]:
    """Parameters of the URL; a query that was not typed is the first example."""
    shown = address.everything()
    if page_name == "query" and not address.has("q"):
        shown["q"] = [str(memory.recall("q", ""))]
    return shown


def _keep(page_name: str, title: str, note: str, name: str) -> None:
    view = kept.new_view(page_name, _shown(page_name), title, note)
    workspace = catalog.workspace()
    if not name:
        name = add_story(workspace, _title_of_new(), *_model_here()).name
    story = change_story(workspace, name, lambda before: before.with_view(view))
    memory.remember(LAST_STORY, name)
    memory.remember(
        OUTCOME, shared_strings.KEPT_AS.format(number=len(story.views), story=story.title)
    )
    memory.remember(ROUND, memory.recall(ROUND, 0) + 1)


def _document_title(name: str) -> str:
    """Title of a document by its id, or the id if it is not found."""
    place, corpus = choice.corpus_place(), loaders.current_corpus()
    if place is None or corpus is None:
        return name
    rows = (corpus.documents["id"].to_numpy() == name).nonzero()[0]
    if not len(rows):
        return name
    row = int(rows[0])
    return title_of(resources.facets(place.folder, corpus), row, document_text(corpus, row))


STYLE = Path(str(files("orrery.assets"))) / "app" / "playing.css"
BEGINS = "story-begins"
# Page for views whose own page cannot be shown; it shows the note.
STAGE = "stories"


def begin(story: Story, place: int) -> None:
    """Play a story from one of its views on, after a click."""
    memory.remember(BEGINS, True)
    _open(story, place)


def show_player() -> None:
    """Draw the note of the current view over its page, and follow clicks to other views."""
    if not is_playing():
        return
    try:
        story = read_story(story_path(catalog.workspace(), address.get(kept.STORY)))
    except InputError:
        page.show_notes([shared_strings.STORY_GONE])
        return
    if not story.views:
        routing.go_to(STAGE, {kept.STORY: story.name})
        return
    place = place_of(story, address.get(kept.STEP))
    st.html(STYLE)
    view = story.views[place]
    begins = bool(memory.recall(BEGINS))
    memory.forget(BEGINS)
    went = draw_player(place + 1, len(story.views), view.title, view.note, begins=begins)
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


def _open(story: Story, place: int) -> None:
    view = story.views[place]
    played = {kept.STORY: story.name, kept.STEP: str(place + 1)}
    if _missing(story, view):
        routing.go_to(STAGE, played)
    else:
        routing.go_to(view.page, {**kept.address_of(story, view), **played})


def _missing(story: Story, view: KeptView) -> str:
    """Reason why the page of a view cannot be shown, or an empty text."""
    if catalog.find_model(story.corpus, story.run) is None:
        return shared_strings.MODEL_GONE.format(model=markdown_text(story.run))
    return "" if routing.has_page(view.page) else shared_strings.NO_PAGE
