"""Help page: the guide, and the section for the page that the visitor came from."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

import streamlit as st

from ...shell import address, page
from ...shell.strings import PAGE_TITLES

TITLE = "Help"
SENTENCE = "The guide to Orrery. The same pages are in the folder assets/guide of the repository."
CHOICE = "Guide"
SECTION_HEADING = "About the page “{page}”"

# Pages in the order of the README, by the names of their files.
PAGES = ("using", "python", "formats", "graphs", "method", "quality", "trust", "server")
_FOLDER = files("orrery.assets") / "guide"
_LINK = re.compile(r"\]\((\w+)\.md(#[\w-]+)?\)")


@cache
def guide_text(name: str) -> str:
    """Markdown of a page of the guide; links to other pages lead to the Help page."""
    source = (_FOLDER / f"{name}.md").read_text(encoding="utf-8").strip()
    return _LINK.sub(r"](help?guide=\1)", source)


def guide_title(name: str) -> str:
    """Title of a page of the guide: its first heading."""
    return guide_text(name).partition("\n")[0].removeprefix("# ")


def page_section(page: str) -> str:
    """Section of *Using Orrery* about a page of the app, without its heading, or "".

    ``page`` is the title of the page, as in the heading "## Graph, Map, Documents, Groups".
    """
    for part in guide_text("using").split("\n## ")[1:]:
        heading, _, body = part.partition("\n")
        if page in heading.split(", "):
            return body.strip()
    return ""


def render() -> None:
    """Draw a choice of guide pages beside the text of one."""
    page.headline(TITLE, SENTENCE)
    title = PAGE_TITLES.get(address.get("on"), "")
    section = page_section(title)
    controls, text = page.controls_and_picture()
    with controls:
        chosen = address.restore("guide", PAGES[0], PAGES)
        st.radio(
            CHOICE,
            PAGES,
            key="guide",
            format_func=guide_title,
            on_change=address.keep,
            args=("guide",),
        )
    with text:
        if section and not address.has("guide"):
            with st.container(border=True):
                st.subheader(SECTION_HEADING.format(page=title), anchor=False)
                st.markdown(section)
        st.markdown(guide_text(chosen))
