"""What the Map page shows while there is no map: what will be here, a button, a bar."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from orrery.app.documents import map_jobs
from orrery.app.frame import page
from orrery.app.words import map as words
from orrery.app.workspace import catalog
from orrery.core.read_only import is_read_only

POLL_SECONDS = 0.7
# Share of the work after which `orrery map` knows the topics.
AFTER_TOPICS = 0.6
NOT_KEPT = "<style>.st-key-keep-view { display: none; }</style>"


def show_making(run: Path, problem: str = "") -> None:
    """Offer to make the map of a run, or show how far that is.

    Parameters
    ----------
    run : Path
        Its folder.
    problem : str
        What is wrong with the map that is there.
    """
    # An empty or half-made map is nothing to come back to.
    st.html(NOT_KEPT)
    making = map_jobs.read_making(catalog.workspace(), run)
    if making.state == "going":
        st.fragment(_show_progress, run_every=POLL_SECONDS)(run)
        return
    if making.state == "failed":
        problem = f"{words.FAILED}: {making.message}" if making.message else words.FAILED
    if problem:
        page.show_error(problem)
    if is_read_only():
        st.info(words.NOT_MADE_HERE)
        return
    with st.container(border=True, horizontal_alignment="center", key="empty-state"):
        st.space("small")
        st.subheader(words.NO_MAP_TITLE, anchor=False, text_alignment="center")
        st.markdown(words.NO_MAP, text_alignment="center")
        st.button(
            words.AGAIN if problem else words.MAKE,
            type="primary",
            key="make-map",
            on_click=_begin,
            args=(run,),
        )
        st.space("small")


def _begin(run: Path) -> None:
    with page.failures_shown():
        map_jobs.begin(catalog.workspace(), run)


def _show_progress(run: Path) -> None:
    making = map_jobs.read_making(catalog.workspace(), run)
    if making.state != "going":
        st.rerun()
    with st.container(border=True, horizontal_alignment="center", key="empty-state"):
        st.space("small")
        is_early = making.share < AFTER_TOPICS
        st.progress(making.share, words.MAKING if is_early else words.PLACING, width=520)
        if not is_read_only():
            st.button(words.STOP, key="stop-map", on_click=map_jobs.stop,
                      args=(catalog.workspace(), run))  # fmt: skip
        st.space("small")
