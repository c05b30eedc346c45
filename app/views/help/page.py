"""Help page: the guide, and the section for the page that the visitor came from."""

from __future__ import annotations

import streamlit as st

from ...shell import address, page
from ...shell.strings import PAGE_TITLES
from . import guide, strings


def render() -> None:
    """Draw a choice of guide pages beside the text of one."""
    page.headline(strings.TITLE, strings.SENTENCE)
    title = PAGE_TITLES.get(address.get("on"), "")
    section = guide.section(title)
    controls, text = page.controls_and_picture()
    with controls:
        chosen = address.restore("guide", guide.PAGES[0], guide.PAGES)
        st.radio(
            strings.CHOICE,
            guide.PAGES,
            key="guide",
            format_func=guide.title,
            on_change=address.keep,
            args=("guide",),
        )
    with text:
        if section and not address.has("guide"):
            with st.container(border=True):
                st.subheader(strings.section_heading(title), anchor=False)
                st.markdown(section)
        st.markdown(guide.text(chosen))
