"""Edits of a story, which are saved at once; deletions can be undone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import streamlit as st

from ....core.model.story import MAX_NOTE, MAX_TITLE, KeptView, Story, one_line
from ....core.storage.stories import change_story, remove_story, restore_story
from ....core.utils.errors import InputError
from ...shared import strings as shared_strings
from ...shell import address, kept, memory, page
from ...shell import strings as shell_strings
from ...text.safe_text import markdown_text
from ...workspace import catalog
from . import strings

# State keys: title of the last deletion and function that undoes it; errors of boxes, by the key
# of the box; and, followed by the key of a box, the stored text that was shown last.
UNDO, REFUSED, STORED = "story-undo", "story-refused", "story-stored-"
# Keys of changes without a box: of a move, followed by the key of the view, and of the model.
MOVE, MODEL = "story-move-", "story-model"
NOTE_HEIGHT = 220


def rename(story: Story) -> None:
    """Draw the title of a story in a text box."""
    key = f"story-title-{story.name}"

    def write(before: Story, text: str) -> Story:
        return replace(before, title=one_line(text))

    _put(key, story.title)
    st.text_input(
        strings.STORY_TITLE,
        key=key,
        max_chars=MAX_TITLE,
        on_change=_save,
        args=(story, key, lambda now: now.title, write),
    )
    show_refusal(key)


def edit_view(story: Story, view: KeptView) -> None:
    """Draw the title and the note of a view in text boxes."""
    title, note = f"view-title-{view.key}", f"view-note-{view.key}"

    def write_title(before: Story, text: str) -> Story:
        return before.with_texts(view.key, title=text)

    def write_note(before: Story, text: str) -> Story:
        return before.with_texts(view.key, note=text)

    _put(title, view.title)
    st.text_input(
        shared_strings.VIEW_TITLE,
        key=title,
        max_chars=MAX_TITLE,
        on_change=_save,
        args=(story, title, lambda now: now.view(view.key).title, write_title),
    )
    show_refusal(title)
    _put(note, view.note)
    st.text_area(
        shared_strings.NOTE,
        key=note,
        height=NOTE_HEIGHT,
        max_chars=MAX_NOTE,
        placeholder=shared_strings.NOTE_HINT,
        on_change=_save,
        args=(story, note, lambda now: now.view(view.key).note, write_note),
    )
    show_refusal(note)


def offer_moves(story: Story, place: int, view: KeptView) -> None:
    """Draw the buttons that move a view and delete it."""
    moves = ((strings.EARLIER, -1, "arrow_upward"), (strings.LATER, 1, "arrow_downward"))
    for label, by, icon in moves:
        st.button(
            label,
            icon=f":material/{icon}:",
            key=f"story-move-{by}",
            disabled=not 0 <= place + by < len(story.views),
            on_click=_move,
            args=(story, view, by),
        )
    st.button(
        strings.DELETE,
        icon=":material/delete:",
        key="story-delete-view",
        type="tertiary",
        on_click=_delete_view,
        args=(story, place, view),
    )


def offer_removal(story: Story) -> None:
    """Draw the button that deletes the whole story."""
    st.button(
        strings.DELETE_STORY,
        icon=":material/delete:",
        key="story-delete",
        on_click=_delete_story,
        args=(story,),
    )


def offer_model(story: Story) -> None:
    """Draw the choice of another model for a story; models of its corpus come first."""
    models = _other_models(story)
    if not models:
        st.caption(strings.NO_OTHER)
        return

    def named(place: tuple[str, str]) -> str:
        return strings.model_of(*place, story.corpus)

    with st.container(horizontal=True, vertical_alignment="bottom", key="story-tie"):
        corpus, model = st.selectbox(
            strings.OTHER_MODEL,
            models,
            format_func=named,
            key=f"story-model-{story.name}",
            width=260,
        )
        tied = {"corpus": corpus, "run": model}
        st.button(
            strings.USE_MODEL,
            key="story-use-model",
            on_click=_change,
            args=(story, lambda before: replace(before, **tied), MODEL),
        )
    show_refusal(MODEL)
    if corpus == story.corpus:
        st.caption(strings.OTHER_NOTE)
    else:
        st.warning(markdown_text(strings.other_corpus(corpus, story.corpus)))


def _other_models(story: Story) -> list[tuple[str, str]]:
    """Corpus and name of all models that the story does not have; "" for a missing corpus."""
    places = [(corpus, model.name) for corpus, model in catalog.all_models()]
    places.sort(key=lambda place: place[0] != story.corpus)
    return [place for place in places if place != (story.corpus, story.run)]


def show_undo() -> None:
    """Show the last deletion, with a button that undoes it."""
    title, _ = memory.recall(UNDO, ("", None))
    if not title:
        return
    with st.container(border=True, horizontal=True, vertical_alignment="center", key="story-undo"):
        st.markdown(markdown_text(strings.DELETED.format(title=title)), width="stretch")
        st.button(strings.UNDO, key="story-undo-button", on_click=_undo)
        st.button(
            strings.DISMISS, key="story-undo-close", type="tertiary", on_click=memory.forget,
            args=(UNDO,),
        )  # fmt: skip


def _put(key: str, stored: str) -> None:
    """Put the stored text into a box, unless it has text that could not be saved."""
    memory.remember(STORED + key, stored)
    refused = memory.recall(REFUSED, {})
    # A box that was not drawn last time has lost its text.
    if memory.recall(key) is None:
        refused.pop(key, None)
    if key not in refused:
        memory.remember(key, stored)


def show_refusal(key: str) -> None:
    """Show why the last change of a box, or of this kind, was refused."""
    why = memory.recall(REFUSED, {}).get(key)
    if not why:
        return
    page.show_error(why)
    if why == shell_strings.failure(InputError(strings.CHANGED)):
        st.button(strings.SHOW_THEIRS, key=f"theirs-{key}", on_click=_show_theirs, args=(key,))


def _show_theirs(key: str) -> None:
    """Replace the text of a box by the stored one."""
    refused = memory.recall(REFUSED, {})
    memory.remember(REFUSED, {box: why for box, why in refused.items() if box != key})


def _save(
    story: Story, key: str, read: Callable[[Story], str], write: Callable[[Story, str], Story]
) -> None:
    """Save the text of a box, unless the stored text was changed elsewhere since it was shown."""
    text, shown = memory.recall(key), memory.recall(STORED + key)

    def change(before: Story) -> Story:
        if read(before) != shown:
            raise InputError(strings.CHANGED)
        after = write(before, text)
        # The next text may come before the page is drawn again.
        memory.remember(STORED + key, read(after))
        return after

    _change(story, change, key)


def _change(story: Story, change: Callable[[Story], Story], key: str) -> None:
    """Save a change in a callback; an error is shown by `show_refusal` with the same key."""
    # A refusal without a box is shown until the next change.
    refused = {
        box: why
        for box, why in memory.recall(REFUSED, {}).items()
        if box != key and not box.startswith((MOVE, MODEL))
    }
    try:
        change_story(catalog.workspace(), story.name, change)
    except page.FAILURES as error:
        refused[key] = shell_strings.failure(error)
    memory.remember(REFUSED, refused)


def _move(story: Story, view: KeptView, by: int) -> None:
    _change(
        story, lambda now: now.moved(view.key, max(now.place_of(view.key) + by, 0)), MOVE + view.key
    )
    address.put_all(**{kept.STORY: story.name, kept.VIEW: view.key})


def _delete_view(story: Story, place: int, view: KeptView) -> None:
    workspace = catalog.workspace()

    def restore() -> None:
        change_story(workspace, story.name, lambda before: before.with_view(view, place))
        address.put_all(**{kept.STORY: story.name, kept.VIEW: view.key})

    others = [other.key for other in story.views if other.key != view.key]
    following = others[min(place, len(others) - 1)] if others else ""
    with page.failures_shown():
        change_story(workspace, story.name, lambda before: before.without(view.key))
        memory.remember(UNDO, (view.title, restore))
        address.put_all(**{kept.STORY: story.name, kept.VIEW: following})


def _delete_story(story: Story) -> None:
    workspace = catalog.workspace()

    def restore() -> None:
        address.put_all(**{kept.STORY: restore_story(workspace, story).name, kept.VIEW: ""})

    with page.failures_shown():
        remove_story(workspace, story.name)
        memory.remember(UNDO, (story.title, restore))
        address.put_all(**{kept.STORY: "", kept.VIEW: ""})


def _undo() -> None:
    _, restore = memory.recall(UNDO, ("", None))
    memory.forget(UNDO)
    if restore is not None:
        with page.failures_shown():
            restore()
