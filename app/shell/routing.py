"""The pages, the page that is open, and ways to another page."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from . import choice
from .memory import recall, remember

# URL parameters of a page, each with one or more values.
Parameters = dict[str, list[str]]

# This page opens at the section about the page before it.
HELP = "help"
_PAGES, _UNLISTED, _LEFT, _PAGE = "pages", "pages-unlisted", "left", "page-shown"


def keep_pages(pages: Mapping[str, StreamlitPage], unlisted: Collection[str] = ()) -> None:
    """Store the pages by name, for `go_to`, and the names of pages that are not in the sidebar."""
    remember(_PAGES, pages)
    remember(_UNLISTED, frozenset(unlisted))


def at_page(page: str, *passing: str) -> None:
    """Store the open page; the parameters ``passing`` belong to no page."""
    remember(_PAGE, (page, passing))


def keep_address() -> None:
    """Store the URL of the open page, so that the sidebar links back to it."""
    page, passing = recall(_PAGE, ("", ()))
    others = (choice.CORPUS, choice.MODEL, *passing)
    shown = {name: st.query_params.get_all(name) for name in st.query_params if name not in others}
    remember(_LEFT, recall(_LEFT, {}) | {_shown_on(page): shown})


def open_page() -> str:
    """Name of the open page."""
    return str(recall(_PAGE, ("", ()))[0])


def left_at(page: str) -> Parameters | None:
    """Last URL of a page with the chosen corpus and model; None if it was not open."""
    found: Parameters | None = recall(_LEFT, {}).get(_shown_on(page))
    return found if page in recall(_PAGES, {}) else None


def links() -> Iterator[tuple[StreamlitPage, Parameters]]:
    """Every page of the sidebar with its last URL."""
    left = recall(_LEFT, {})
    chosen = {name: [value] for name, value in choice.address().items()}
    here = open_page()
    for name, page in recall(_PAGES, {}).items():
        if name == HELP != here:
            yield page, {"on": [here]} | chosen
        elif name not in recall(_UNLISTED, ()):
            yield page, left.get(_shown_on(name), {}) | chosen


def has_page(name: str) -> bool:
    """Whether a page of this name exists."""
    return name in recall(_PAGES, {})


def go_to(name: str, parameters: Mapping[str, str | list[str]] | None = None) -> None:
    """Open another page with the same corpus and model, and with these parameters."""
    page = recall(_PAGES, {}).get(name)
    if page is not None:
        st.switch_page(page, query_params={**choice.address(), **(parameters or {})})


def _shown_on(page: str) -> tuple[str, str | None, str | None]:
    """Key of a page's last URL, which includes corpus and model since topics depend on them."""
    return page, recall(choice.CORPUS), recall(choice.MODEL)
