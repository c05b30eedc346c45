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
from orrery.app.panels import keep_view, story_player, tour
from orrery.app.session import choice, memory, routing
from orrery.app.stories.kept import PLAYING
from orrery.app.views import (
    corpus,
    documents,
    evaluate,
    graph,
    groups,
    home,
    names,
    only_shown,
    query,
    share,
    stories,
    train,
)
from orrery.app.views import map as map_page
from orrery.app.welcome.tour import PARAMETER as TOUR
from orrery.app.words import common as words
from orrery.app.workspace import catalog
from orrery.core.read_only import is_read_only

ASSETS = Path(str(files("orrery.assets")))
SIDEBAR_WIDTH = 232
SIDEBAR_STANDS = "sidebar-stands"
VIEWS = {
    "home": (home.render, ":material/home:"),
    "query": (query.render, ":material/search:"),
    "graph": (graph.render, ":material/account_tree:"),
    "map": (map_page.render, ":material/scatter_plot:"),
    "documents": (documents.render, ":material/article:"),
    "groups": (groups.render, ":material/stacked_line_chart:"),
    "corpus": (corpus.render, ":material/description:"),
    "train": (train.render, ":material/show_chart:"),
    "evaluate": (evaluate.render, ":material/balance:"),
    "names": (names.render, ":material/label:"),
    "stories": (stories.render, ":material/slideshow:"),
    "share": (share.render, ":material/ios_share:"),
}
# Pages that are there to add and to train: a server that only shows says so in their place.
WRITING = ("corpus", "train")


def main() -> None:
    """Set up the page, draw the sidebar and open the page that the address names."""
    st.set_page_config(
        words.APP,
        page_icon=str(ASSETS / "logo.svg"),
        layout="wide",
        initial_sidebar_state=SIDEBAR_WIDTH,
        # With an entry of ours Streamlit shows its menu, and in that the choice of a theme.
        menu_items={"About": words.ABOUT, "Get help": None, "Report a bug": None},
    )
    st.logo(str(ASSETS / "wordmark.svg"), size="large", icon_image=str(ASSETS / "logo.svg"))
    st.html(ASSETS / "app.css")
    if is_read_only():
        st.html(ASSETS / "read-only.css")
    pages = {
        name: st.Page(
            partial(only_shown.render, name) if is_read_only() and name in WRITING else render,
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
    routing.keep_pages(pages, WRITING if is_read_only() else ())
    with page_frame.failures_shown(), _sidebar_drawn():
        routing.at_page(page.url_path, TOUR, *PLAYING)
        routing.keep_address()
        if page is not door:
            page_frame.show_notes(choice.not_here())
        tour.show_bar(page.url_path)
        story_player.show()
        page.run()
        keep_view.show(page.url_path)
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
