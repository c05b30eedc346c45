"""Orrery in the browser: page set-up and navigation, nothing else."""

from __future__ import annotations

from pathlib import Path

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from app import state, workspace
from app.views import corpus, documents, evaluate, graph, home, query, train
from app.views import page as page_frame
from app.words import common as words
from core.errors import InputError

ASSETS = Path(__file__).parent.parent / "assets"
RAIL_WIDTH = 232
FRONT = "front"
VIEWS = {
    "home": (home.render, ":material/home:"),
    "query": (query.render, ":material/search:"),
    "graph": (graph.render, ":material/account_tree:"),
    "documents": (documents.render, ":material/article:"),
    "train": (train.render, ":material/show_chart:"),
    "evaluate": (evaluate.render, ":material/balance:"),
    "corpus": (corpus.render, ":material/description:"),
}


def main() -> None:
    """Set up the page, draw the rail and open the page that the address names."""
    st.set_page_config(
        words.APP,
        page_icon=str(ASSETS / "logo.svg"),
        layout="wide",
        initial_sidebar_state=RAIL_WIDTH,
    )
    st.logo(str(ASSETS / "wordmark.svg"), size="large", icon_image=str(ASSETS / "logo.svg"))
    st.html(ASSETS / "app.css")
    front = _front()
    pages = {name: _page(name, is_front=name == front) for name in VIEWS}
    # Streamlit serves the front page at the root alone; a link that names it leads there too.
    page = st.navigation([*pages.values(), _page(front, is_front=False)], position="hidden")
    state.keep_pages(pages)
    with st.sidebar:
        state.draw_rail()
    try:
        page.run()
    except InputError as error:
        page_frame.show_error(str(error))


def _front() -> str:
    """Page that the app opens on: a query where there is a model, else what to do first.

    It stays the same for a session, so that no page changes its address under a visitor.
    """
    front = state.recall(FRONT) or ("query" if workspace.has_models() else "home")
    state.remember(FRONT, front)
    return str(front)


def _page(name: str, *, is_front: bool) -> StreamlitPage:
    render, icon = VIEWS[name]
    return st.Page(
        render,
        title=words.PAGE_TITLES[name],
        icon=icon,
        url_path=f"{name}-front" if is_front else name,
        default=is_front,
    )


main()
