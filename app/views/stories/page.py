"""The Stories page: play, edit and download the kept views of a model in their order."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from ....core.export.formats import export_files
from ....core.model.story import KeptView, Story
from ....core.storage.stories import read_stories
from ....core.utils.read_only import is_read_only
from ...shared import cached_maps, story_views
from ...shared import strings as shared_strings
from ...shared.listing import Sources
from ...shared.story_export import has_texts, left_out, needs_documents, only_notes, taken_along
from ...shell import address, choice, empty_states, kept, loaders, memory, page, routing
from ...shell import strings as shell_strings
from ...shell.page import is_playing
from ...text.safe_text import file_name, html_text, markdown_text
from ...workspace import catalog
from ...workspace.catalog import Place
from . import edits, strings

CHOSEN = "stories-chosen"
NOTE_STYLE = "white-space:pre-wrap;overflow-wrap:anywhere;font-size:1.05rem;max-width:46rem"


def render() -> None:
    """Draw the page, or the current view of a story that is being played."""
    if is_playing():
        story_views.show_stage()
        return
    page.headline(strings.TITLE, strings.SENTENCE_SHOWN if is_read_only() else strings.SENTENCE)
    stories, problems = read_stories(catalog.workspace())
    page.show_notes([markdown_text(shell_strings.sentence(problem)) for problem in problems])
    edits.show_undo()
    if not stories:
        _show_empty()
        return
    story = _choose(stories)
    _show_head(story, stories)
    _show_tie(story)
    if story.views:
        _show_views(story)
    else:
        st.info(strings.NO_VIEWS)


def _show_empty() -> None:
    if is_read_only():
        st.info(strings.EMPTY_SHOWN)
        return
    if choice.model_place() is None:
        empty_states.no_model(strings.EMPTY_NO_MODEL)
        return
    empty_states.empty(strings.EMPTY_TITLE, strings.EMPTY, strings.EMPTY_GO, "query")


def _choose(stories: list[Story]) -> Story:
    """Story in the URL, else the last story, else the first."""
    by_name = {story.name: story for story in stories}
    name = address.get(kept.STORY)
    if name and name not in by_name:
        page.show_notes([shared_strings.STORY_GONE])
    return by_name.get(name) or by_name.get(memory.recall(story_views.LAST_STORY)) or stories[0]


def _show_head(story: Story, stories: list[Story]) -> None:
    """Draw the title of the story, and the button that plays it."""
    with st.container(horizontal=True, vertical_alignment="center", key="story-head"):
        with st.container(gap=None):
            st.subheader(markdown_text(story.title), anchor=False)
            model = markdown_text(story.run or "–")
            st.caption(strings.about(model, len(story.views)))
        if len(stories) > 1:
            _switch(story, stories)
        if st.button(
            strings.PLAY,
            type="primary",
            icon=":material/play_arrow:",
            key="story-play",
            help=strings.PLAY_HELP,
            disabled=not story.views,
        ):
            story_views.begin(story, _place(story))
        with st.popover(strings.MORE, key="story-more"):
            if not is_read_only():
                edits.rename(story)
            _offer_file(story)
            if not is_read_only():
                if catalog.find_model(story.corpus, story.run) is not None:
                    edits.offer_model(story)
                edits.offer_removal(story)


def _switch(story: Story, stories: list[Story]) -> None:
    titles = {other.name: other.title for other in stories}
    memory.remember(CHOSEN, story.name)

    def switched() -> None:
        address.put_all(**{kept.STORY: memory.recall(CHOSEN), kept.VIEW: ""})

    st.selectbox(
        shared_strings.IN_STORY,
        list(titles),
        format_func=titles.__getitem__,
        key=CHOSEN,
        on_change=switched,
        label_visibility="collapsed",
        width=220,
    )


def _offer_file(story: Story) -> None:
    """Draw the download button of the offline explorer that plays the story."""
    place = catalog.find_model(story.corpus, story.run)
    sources = None
    if place is not None and needs_documents(story):
        sources = cached_maps.sources_of(place)
    with_texts = (
        sources is not None
        and has_texts(story)
        and st.checkbox(
            shared_strings.WITH_TEXTS, key="story-with-texts", help=strings.WITH_TEXTS_HELP
        )
    )
    st.download_button(
        strings.DOWNLOAD,
        file_maker(story, place, sources, with_texts=with_texts),
        file_name=f"{file_name(story.title)}.html",
        mime="text/html",
        key="story-download",
        icon=":material/download:",
        help=strings.DOWNLOAD_HELP,
        on_click="ignore",
        disabled=place is None or not story.views,
    )
    if place is None:
        return
    kept_back = left_out(story, with_texts=with_texts) if sources is not None else []
    beyond = only_notes(story, sources, with_texts=with_texts)
    if kept_back:
        st.caption(strings.left_out(kept_back))
    if beyond:
        why = "" if sources is not None else cached_maps.why_none(place)
        st.caption(f"{strings.only_notes(beyond)} {why}".strip())
    gone = cached_maps.missing_of(story, place)
    if gone:
        st.caption(markdown_text(strings.missing(gone)))


def file_maker(
    story: Story, place: Place | None, sources: Sources | None, *, with_texts: bool
) -> Callable[[], bytes]:
    """Function that makes the file, with the available documents of the model."""

    def make() -> bytes:
        assert place is not None
        name = f"{story.name}.html"
        run = loaders.open_run(place.folder)
        taken = taken_along(story, run, sources, catalog.workspace(), with_texts=with_texts)
        # Typical documents of the topics are included if inferred topics of documents are stored.
        typical = with_texts and sources is not None and sources.stored is not None
        return export_files(
            run, "explorer", name, place.name, story, with_texts=typical, taken=taken
        )[name]

    return make


def _show_tie(story: Story) -> None:
    """If the model of the story has been deleted, show a note and the choice of another."""
    if catalog.find_model(story.corpus, story.run) is not None:
        return
    page.show_notes([shared_strings.MODEL_GONE.format(model=markdown_text(story.run))])
    if not is_read_only():
        edits.offer_model(story)


def _place(story: Story) -> int:
    """Position of the view in the URL; 0 if there is no such view."""
    keys = [view.key for view in story.views]
    key = address.get(kept.VIEW)
    return keys.index(key) if key in keys else 0


def _show_views(story: Story) -> None:
    """Draw the list of all views beside the selected view."""
    chosen, side = page.picture_and_side(side_first=True)
    place = _place(story)
    with side, st.container(gap=None, key="story-views"):
        for number, view in enumerate(story.views):
            st.button(
                markdown_text(strings.IN_LIST.format(number=number + 1, title=view.title)),
                key=f"view-{view.key}",
                type="secondary" if number == place else "tertiary",
                width="stretch",
                on_click=address.put_all,
                kwargs={kept.STORY: story.name, kept.VIEW: view.key},
            )
    with chosen, st.container(border=True, key="story-view"):
        _show_view(story, place, story.views[place])


def _show_view(story: Story, place: int, view: KeptView) -> None:
    kind = kept.kind_of(view.page, kept.address_of(story, view))
    st.caption(
        markdown_text(
            strings.PLACE_AND_KIND.format(number=place + 1, count=len(story.views), kind=kind)
        )
    )
    if is_read_only():
        st.subheader(markdown_text(view.title), anchor=False)
        st.html(f'<div style="{NOTE_STYLE}">{html_text(view.note)}</div>')
    else:
        edits.edit_view(story, view)
    with st.container(horizontal=True, key="story-view-buttons"):
        can_open = routing.has_page(view.page) and catalog.find_model(story.corpus, story.run)
        if st.button(strings.OPEN, key="story-open", disabled=not can_open):
            routing.go_to(view.page, kept.address_of(story, view))
        if not is_read_only():
            edits.offer_moves(story, place, view)
    edits.show_refusal(edits.MOVE + view.key)
