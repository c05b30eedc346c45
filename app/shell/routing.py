"""Which pages there are, which one is open, and how to get to another."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING

import streamlit as st

from . import choice
from .memory import recall, remember

if TYPE_CHECKING:
    from streamlit.navigation.page import StreamlitPage


# What an address holds of a page: parameters that may each have several values.
Parameters = dict[str, list[str]]

# The page that opens at the section about the page before it.
HELP = "help"
_PAGES, _UNLISTED, _LEFT, _PAGE = "pages", "pages-unlisted", "left", "page-shown"


def keep_pages(pages: Mapping[str, StreamlitPage], unlisted: Collection[str] = ()) -> None:
    """Remember the pages by name, for `go_to`, and which of them the sidebar leaves out."""
    remember(_PAGES, pages)
    remember(_UNLISTED, frozenset(unlisted))


def at_page(page: str, *passing: str) -> None:
    """Remember which page is open; parameters that are ``passing`` belong to no page."""
    remember(_PAGE, (page, passing))


def keep_address() -> None:
    """Remember what the open page shows of the model, so that the sidebar links back to it."""
    page, passing = recall(_PAGE, ("", ()))
    others = (choice.CORPUS, choice.MODEL, *passing)
    shown = {name: st.query_params.get_all(name) for name in st.query_params if name not in others}
    remember(_LEFT, recall(_LEFT, {}) | {_shown_on(page): shown})


def links() -> Iterator[tuple[StreamlitPage, Parameters]]:
    """Every page with the address that it was left at, for the sidebar."""
    left = recall(_LEFT, {})
    chosen = {name: [value] for name, value in choice.address().items()}
    here = recall(_PAGE, ("", ()))[0]
    for name, page in recall(_PAGES, {}).items():
        if name == HELP != here:
            yield page, {"on": [here]} | chosen
        elif name not in recall(_UNLISTED, ()):
            yield page, left.get(_shown_on(name), {}) | chosen


def has_page(name: str) -> bool:
    """Whether there is a page of this name."""
    return name in recall(_PAGES, {})


def go_to(name: str, parameters: Mapping[str, str | list[str]] | None = None) -> None:
    """Open another page, with the same corpus and model, and parameters of its own."""
    page = recall(_PAGES, {}).get(name)
    if page is not None:
        st.switch_page(page, query_params={**choice.address(), **(parameters or {})})


def _shown_on(page: str) -> tuple[str, str | None, str | None]:
    """What a page remembers its address by: another model has other topics."""
    return page, recall(choice.CORPUS), recall(choice.MODEL)
