"""Ways from the picture of one page to another page."""

from __future__ import annotations

import streamlit as st

from app import address, state

# What stays the same when the page changes.
KEPT = (state.CORPUS, state.MODEL)


def open_in_graph(key: str) -> None:
    """Go to the Graph page and the topic or word that a node stands for."""
    kind, _, name = key.partition(":")
    _go("graph", {kind: name})


def ask(text: str) -> None:
    """Go to the Query page with a question."""
    _go("query", {"q": text})


def open_documents(**parameters: str) -> None:
    """Go to the Documents page: one document, or those in which a topic is on."""
    _go("documents", parameters)


def _go(name: str, parameters: dict[str, str]) -> None:
    page = state.recall("pages", {}).get(name)
    kept = {kind: address.get(kind) for kind in KEPT if address.get(kind)}
    if page is not None:
        st.switch_page(page, query_params=kept | parameters)
