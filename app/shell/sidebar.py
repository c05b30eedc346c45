"""The sidebar: menus for corpus and model, and links to all pages."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby

import streamlit as st

from ...core.utils.read_only import is_read_only
from ..text.escaping import markdown_text
from ..workspace import catalog
from ..workspace.catalog import Place
from . import choice, memory, routing, strings
from .loaders import warm_up


def draw_sidebar() -> None:
    """Draw the sidebar, which is the same on every page."""
    corpus, model = choice.corpus_place(), choice.model_place()
    _switch(strings.SIDEBAR_CORPUS, choice.CORPUS, catalog.corpora(), corpus, choice.choose_corpus)
    _switch(strings.SIDEBAR_MODEL, choice.MODEL, choice.models(), model, choice.choose_model)
    sections = groupby(routing.links(), lambda link: strings.PAGE_SECTIONS.get(link[0].url_path))
    for heading, links in sections:
        with st.container(gap="xsmall", key=f"pages-{heading}"):
            if heading:
                st.caption(heading)
            for page, parameters in links:
                st.page_link(page, width="stretch", query_params=parameters)
    warm_up()


def _switch(
    label: str, kind: str, places: list[Place], chosen: Place | None, choose: Callable[[str], None]
) -> None:
    """Draw the menu of corpora or models."""
    key = f"sidebar-{kind}"
    memory.remember(key, chosen.name if chosen else None)

    def switched() -> None:
        choose(memory.recall(key))
        choice.leave_topics(and_documents=kind == choice.CORPUS)

    st.selectbox(
        label,
        [place.name for place in places],
        key=key,
        format_func=str,
        placeholder=strings.NONE_YET,
        disabled=not places,
        on_change=switched,
    )
    if chosen and chosen.read_only and kind == choice.CORPUS and not is_read_only():
        st.caption(markdown_text(strings.SAMPLE_NOTE))
