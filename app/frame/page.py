"""The frame of the pages with a picture: a headline, and a narrow column beside the picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from orrery.app.session.playing import is_playing
from orrery.app.text.escaping import markdown_text
from orrery.app.words import common
from orrery.core.errors import InputError

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
    st.error(markdown_text(common.sentence(message)))


@contextmanager
def failures_shown() -> Iterator[None]:
    """Show errors raised inside as one sentence; a fragment needs a call of its own."""
    try:
        yield
    except FAILURES as error:
        show_failure(error)


def show_failure(error: Exception) -> None:
    """Show one of the `FAILURES` as one sentence."""
    show_error(common.failure(error))


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
