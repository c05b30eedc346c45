"""What a page shows when it has nothing to show: a sentence, and the button that changes that."""

from __future__ import annotations

import streamlit as st

from orrery.app.frame import page
from orrery.app.runs import jobs, progress
from orrery.app.runs.jobs import Job
from orrery.app.session import choice, loaders, routing
from orrery.app.text.escaping import markdown_text
from orrery.app.words import common as words
from orrery.app.workspace import catalog
from orrery.app.workspace.catalog import Place
from orrery.core.run import Run

# How often a run is looked at whose model is waited for.
POLL_SECONDS = 2.0


def headed_run(title: str, sentence: str, without: str) -> Run | None:
    """Write the headline of a page about a model; without one, what will be here and None."""
    run = loaders.current_run()
    page.headline(title, sentence)
    if run is None:
        no_model(without)
    return run


def no_model(sentence: str, button: str = words.TO_TRAIN) -> None:
    """Show what will be here once there is a model, and the button that leads to one."""
    place = choice.corpus_place()
    going = [] if place is None else _going(place)
    if going:
        live = frozenset(job.name for job in going)
        st.fragment(_being_trained, run_every=POLL_SECONDS)(sentence, live)
        return
    has_corpus = place is not None
    label = button if has_corpus else words.TO_CORPUS
    empty(words.EMPTY_TITLE, sentence, label, "train" if has_corpus else "corpus")


def _going(place: Place) -> list[Job]:
    return [job for job in jobs.runs_on(catalog.workspace(), place.folder) if job.is_live]


def _being_trained(sentence: str, were_live: frozenset[str]) -> None:
    """Say what the run does whose model is waited for; the page is drawn anew when it ends."""
    place = choice.corpus_place()
    going = [] if place is None else _going(place)
    if {job.name for job in going} != were_live:
        st.rerun()
    job = going[0]
    said = f"{sentence}\n\n{markdown_text(words.being_trained(job.name, progress.phase(job)))}"
    watched = {"watch": job.name}
    empty(words.SOON_TITLE, said, words.TO_WATCH, "train", watched)


def empty(
    title: str, sentence: str, button: str, goal: str, address: dict[str, str] | None = None
) -> None:
    """Show an empty state: what will be here, and the button that leads there."""
    with st.container(border=True, horizontal_alignment="center", key="empty-state"):
        st.space("small")
        st.subheader(title, anchor=False, text_alignment="center")
        st.markdown(sentence, text_alignment="center")
        if st.button(button, type="primary", key="empty-state-go"):
            routing.go_to(goal, address or {})
        st.space("small")
