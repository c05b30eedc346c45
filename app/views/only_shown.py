"""A page that adds or trains, on a server that only shows: a sentence in its place."""

from __future__ import annotations

import streamlit as st

from orrery.app.frame import page
from orrery.app.session import routing
from orrery.app.words import common
from orrery.app.words import stories as words


def render(name: str) -> None:
    """Draw the page."""
    st.title(common.PAGE_TITLES[name], anchor=False)
    page.show_notes([words.ONLY_SHOWN.format(done=words.ONLY_SHOWN_DONE[name])])
    if st.button(words.ONLY_SHOWN_GO, key="only-shown-go"):
        routing.go_to("query")
