"""Orrery in the browser: page set-up and navigation, nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from importlib.resources import files
from pathlib import Path

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from orrery.app.frame import page as page_frame
from orrery.app.frame import sidebar
from orrery.app.panels import tour
from orrery.app.session import choice, memory, routing
from orrery.app.views import corpus, documents, evaluate, graph, home, query, share, train
from orrery.app.views import map as map_page
from orrery.app.welcome.tour import PARAMETER as TOUR
from orrery.app.words import common as words
from orrery.app.workspace import catalog

ASSETS = Path(str(files("orrery.assets")))
SIDEBAR_WIDTH = 232
SIDEBAR_STANDS = "sidebar-stands"
VIEWS = {
    "home": (home.render, ":material/home:"),
    "query": (query.render, ":material/search:"),
    "graph": (graph.render, ":material/account_tree:"),
    "map": (map_page.render, ":material/scatter_plot:"),
    "documents": (documents.render, ":material/article:"),
    "corpus": (corpus.render, ":material/description:"),
    "train": (train.render, ":material/show_chart:"),
    "evaluate": (evaluate.render, ":material/balance:"),
    "share": (share.render, ":material/ios_share:"),
}


def main() -> None:
    """Set up the page, draw the sidebar and open the page that the address names."""
    st.set_page_config(
        words.APP,
        page_icon=str(ASSETS / "logo.svg"),
        layout="wide",
        initial_sidebar_state=SIDEBAR_WIDTH,
    )
    st.logo(str(ASSETS / "wordmark.svg"), size="large", icon_image=str(ASSETS / "logo.svg"))
    st.html(ASSETS / "app.css")
    pages = {
        name: st.Page(
            render,
            title=words.PAGE_TITLES[name],
            icon=icon,
            url_path=name,
        )
        for name, (render, icon) in VIEWS.items()
    }
    # Streamlit knows its default page under "/" only, so that one is no page of ours: every page
    # of ours has an address of its own.
    door = st.Page(partial(_open_front, pages), title=words.APP, default=True)
    page = st.navigation([door, *pages.values()], position="hidden")
    routing.keep_pages(pages)
    with page_frame.failures_shown(), _sidebar_drawn():
        routing.at_page(page.url_path, TOUR)
        routing.keep_address()
        if page is not door:
            page_frame.show_notes(choice.not_here())
        tour.show_bar(page.url_path)
        page.run()
        routing.keep_address()


@contextmanager
def _sidebar_drawn() -> Iterator[None]:
    """Draw the sidebar: before the page on a first visit, after it from then on.

    From then on it is there already, and a person who clicks in the page waits for the page.
    """
    if not memory.recall(SIDEBAR_STANDS):
        _draw_sidebar()
        memory.remember(SIDEBAR_STANDS, True)
        yield
        return
    try:
        yield
    except Exception:
        # An error on one page must not cut off the others.
        _draw_sidebar()
        raise
    _draw_sidebar()


def _draw_sidebar() -> None:
    with st.sidebar:
        sidebar.draw_sidebar()


def _open_front(pages: dict[str, StreamlitPage]) -> None:
    """Open the Query page if there is a model, else Home; what the address asks for stays.

    A first visit begins with the tour.
    The page that the address names has one of its own, so it never changes under a visitor.
    """
    front = "query" if catalog.has_models() else "home"
    begin = tour.first_stop() if front == "query" else {}
    st.switch_page(pages[front], query_params=begin | st.query_params.to_dict())


main()
