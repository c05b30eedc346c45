"""Whether a story is told.

The one layout of pages with controls: those on the left, what they do on the right.

Links from the picture on one page to another page.

The frame of the pages with a picture: a headline, and a narrow column beside the picture.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from ...core.utils.errors import InputError
from ..text.escaping import markdown_text
from . import address, kept, routing
from . import strings as shell_strings


def is_playing() -> bool:
    """Whether the address asks for a view of a story that is played."""
    return address.has(kept.STEP)


CONTROLS_WIDTH = 300


def controls_and_picture() -> tuple[DeltaGenerator, DeltaGenerator]:
    """Return a narrow column for controls and the rest of the page for what they do."""
    with st.container(horizontal=True, wrap=False, gap="large", key="two-columns"):
        controls = st.container(width=CONTROLS_WIDTH, key="controls")
        picture = st.container(key="picture")
    return controls, picture


def open_in_graph(key: str) -> None:
    """Go to the Graph page and the topic or word that a node stands for."""
    kind, _, name = key.partition(":")
    routing.go_to("graph", {kind: name})


def ask(text: str) -> None:
    """Go to the Query page with a question."""
    routing.go_to("query", {"q": text})


def open_documents(**parameters: str) -> None:
    """Go to the Documents page: one document, or those in which a topic is on."""
    routing.go_to("documents", parameters)


# Wide enough for a topic's name, and narrow enough to leave the picture 640 px at 1280.
SIDE_WIDTH = 250
# A search waits so long for the next letter.
TYPING_PAUSE = "120ms"
# Errors that a page shows as a sentence: bad input, files that cannot be read or written.
FAILURES = (InputError, OSError)


def headline(title: str, sentence: str) -> None:
    """The headline of a page, and one sentence under it."""
    with st.container(gap=None, key="headline"):
        st.title(title, anchor=False)
        st.caption(sentence)


def remark(*said: str, hint: str = "") -> None:
    """Below a picture, say something of it, and what a click does unless a story is told."""
    sentences = [*said, "" if is_playing() else hint]
    text = " ".join(filter(None, sentences))
    if text:
        st.caption(text)


def show_error(message: str) -> None:
    """Show an error as one sentence; nothing in it is read as markup."""
    st.error(markdown_text(shell_strings.sentence(message)))


@contextmanager
def failures_shown() -> Iterator[None]:
    """Show errors raised inside as one sentence; a fragment needs a call of its own."""
    try:
        yield
    except FAILURES as error:
        show_failure(error)


def show_failure(error: Exception) -> None:
    """Show one of the `FAILURES` as one sentence."""
    show_error(shell_strings.failure(error))


def show_notes(sentences: Sequence[str]) -> None:
    """Show what differs from what a link asked for, one line each."""
    for sentence in sentences:
        st.warning(sentence)


def picture_and_side(*, side_first: bool) -> tuple[DeltaGenerator, DeltaGenerator]:
    """Return the wide column for the picture, and a narrow one on either side of it."""
    with st.container(horizontal=True, wrap=False, gap="medium", key="picture-and-side"):
        if side_first:
            side = st.container(width=SIDE_WIDTH)
            return st.container(), side
        return st.container(), st.container(width=SIDE_WIDTH)
