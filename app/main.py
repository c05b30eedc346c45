"""Orrery in the browser: page set-up and navigation, nothing else."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from app import state
from app.views import corpus, graph, query, share, train
from app.words import common as words
from core.errors import InputError

ASSETS = Path(__file__).parent.parent / "assets"
RAIL_WIDTH = 232
VIEWS = {
    "query": (query.render, ":material/search:"),
    "graph": (graph.render, ":material/account_tree:"),
    "share": (share.render, ":material/ios_share:"),
    "train": (train.render, ":material/show_chart:"),
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
    pages = {
        name: st.Page(
            render,
            title=words.PAGE_TITLES[name],
            icon=icon,
            url_path=name,
            default=name == "query",
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
