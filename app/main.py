"""Orrery in the browser: page set-up and navigation, nothing else."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from app import state, workspace
from app.views import corpus, documents, evaluate, graph, home, query, train
from app.words import common as words
from core.errors import InputError

ASSETS = Path(__file__).parent.parent / "assets"
RAIL_WIDTH = 232
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
    # A stranger is asked for a corpus; whoever has a model begins with a query.
    front = "query" if workspace.has_models() else "home"
    pages = {
        name: st.Page(
            render,
            title=words.PAGE_TITLES[name],
            icon=icon,
            url_path=name,
            default=name == front,
        )
        for name, (render, icon) in VIEWS.items()
    }
    page = st.navigation(list(pages.values()), position="hidden")
    state.keep_pages(pages)
    with st.sidebar:
        state.draw_rail()
    try:
        page.run()
    except InputError as error:
        st.error(words.sentence(str(error)))


main()
