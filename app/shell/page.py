"""Frame of a page: headline, columns, notes and errors, and links from one page to another."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from ...core.drawing import explorer_strings
from ...core.utils.errors import InputError
from ..text.safe_text import markdown_text
from . import address, kept, memory, routing
from . import strings as shell_strings

# Width of a column for controls, and of a column beside a picture: wide enough for a topic's name,
# and narrow enough to leave the picture 640 px of a window of 1280 px.
CONTROLS_WIDTH, SIDE_WIDTH = 300, 250
# Parameter of the page that a document was opened from, and parameters of the document itself.
OPENED_FROM = "from"
OF_DOCUMENT = ("doc", "sel", "card", "hide", "quiet", "text", "whole")
# Width of a button of a page, and the most that are shown.
PAGE_BUTTON, MOST_PAGES = 42, 7
# Delay of a search after the last letter.
TYPING_PAUSE = "120ms"
# Errors that a page shows as a sentence: bad input, and files that cannot be read or written.
FAILURES = (InputError, OSError)


def is_playing() -> bool:
    """Whether the URL shows a view of a story that is being played."""
    return address.has(kept.STEP)


def controls_and_picture() -> tuple[DeltaGenerator, DeltaGenerator]:
    """Return a narrow column for controls, and the rest of the page."""
    with st.container(horizontal=True, wrap=False, gap="large", key="two-columns"):
        return st.container(width=CONTROLS_WIDTH, key="controls"), st.container(key="picture")


def open_in_graph(key: str) -> None:
    """Go to the topic or word with this node key on the Graph page."""
    kind, _, name = key.partition(":")
    routing.go_to("graph", {kind: name})


def open_query(text: str, *, is_text: bool = False) -> None:
    """Go to the Query page with this query; ``is_text`` writes into the URL that it is a text."""
    routing.go_to("query", {"q": text} | ({"others": explorer_strings.ABSENT} if is_text else {}))


def open_documents(**parameters: str) -> None:
    """Go to the Documents page: to one document, or to a list.

    The URL of a document has the page that it was opened from (``OPENED_FROM``). A document that is
    opened from another document keeps the list and the page that the other one was opened from.
    """
    here = routing.open_page()
    if "doc" not in parameters:
        routing.go_to("documents", parameters)
    elif here != "documents":
        routing.go_to("documents", {**parameters, OPENED_FROM: here})
    else:
        address.put_all(**(dict.fromkeys(OF_DOCUMENT, "") | parameters))
        st.rerun()


def headline(title: str, sentence: str) -> None:
    """Draw the headline of a page, and one sentence below it."""
    with st.container(gap=None, key="headline"):
        st.title(title, anchor=False)
        st.caption(sentence)


def remark(*texts: str, hint: str = "") -> None:
    """Draw a caption below a picture; the hint about clicks is left out while a story is played."""
    sentences = [*texts, "" if is_playing() else hint]
    text = " ".join(filter(None, sentences))
    if text:
        st.caption(text)


def show_error(message: str) -> None:
    """Show an error as one sentence, escaped."""
    st.error(markdown_text(shell_strings.sentence(message)))


@contextmanager
def failures_shown() -> Iterator[None]:
    """Show errors raised in a block as one sentence; errors in a fragment need this
    inside the fragment.
    """
    try:
        yield
    except FAILURES as error:
        show_failure(error)


def show_failure(error: Exception) -> None:
    """Show one of the `FAILURES` as one sentence."""
    show_error(shell_strings.failure(error))


def show_notes(sentences: Sequence[str]) -> None:
    """Show warnings, one line each; the caller escapes them."""
    for sentence in sentences:
        st.warning(sentence)


def spread_row(key: str | None = None, *, border: bool = False) -> DeltaGenerator:
    """Return a row whose parts are spread from its left end to its right end."""
    return st.container(
        border=border,
        horizontal=True,
        horizontal_alignment="distribute",
        vertical_alignment="center",
        key=key,
    )


def turn_pages(number: int, pages: int) -> None:
    """Draw the choice of a page of a list, if it has several pages; the URL keeps it."""
    # A new number makes a new widget, which starts at the page in the URL, not at its old value.
    key = f"page-{number}-of-{pages}"

    def keep() -> None:
        chosen = memory.recall(key)
        address.put("page", "" if chosen == 1 else str(chosen))

    if pages > 1:
        # In a container as narrow as its content, pages that have room would be left out.
        width = PAGE_BUTTON * (min(pages, MOST_PAGES) + 2)
        with st.container(key="turned-page", width=width):
            st.pagination(pages, default=number, key=key, on_change=keep, width="stretch")


def choose(
    name: str,
    label: str,
    options: Mapping[str, str],
    default: str = "",
    *,
    on_change: Callable[[str], None] = address.keep,
    is_labelled: bool = True,
) -> str:
    """Draw a choice of few options with their names; the URL keeps it.

    Without a value in the URL, ``default`` is chosen, or else the first option.
    """
    chosen = address.restore(name, default or next(iter(options)), list(options))
    st.segmented_control(
        label,
        list(options),
        key=name,
        format_func=options.__getitem__,
        required=True,
        on_change=on_change,
        args=(name,),
        label_visibility="visible" if is_labelled else "collapsed",
    )
    return chosen


def picture_and_side(*, side_first: bool) -> tuple[DeltaGenerator, DeltaGenerator]:
    """Return a wide column for the picture, and a narrow one on its left or right."""
    with st.container(horizontal=True, wrap=False, gap="medium", key="picture-and-side"):
        if side_first:
            side = st.container(width=SIDE_WIDTH)
            return st.container(), side
        return st.container(), st.container(width=SIDE_WIDTH)
