"""What a page shows when it has nothing to show: a sentence, and the button that changes that."""

from __future__ import annotations

import streamlit as st

from ...core.model.topic_model import Run
from ..text.escaping import markdown_text
from ..workspace import catalog, progress, runs
from ..workspace.catalog import Place
from ..workspace.runs import Job
from . import choice, loaders, page, routing
from . import strings as shell_strings

# How often a run is looked at whose model is waited for.
POLL_SECONDS = 2.0


def headed_run(title: str, sentence: str, without: str) -> Run | None:
    """Write the headline of a page about a model; without one, what will be here and None."""
    run = loaders.current_run()
    page.headline(title, sentence)
    if run is None:
        no_model(without)
    return run


def no_model(sentence: str, button: str = shell_strings.TO_TRAIN) -> None:
    """Show what will be here once there is a model, and the button that leads to one."""
    place = choice.corpus_place()
    going = [] if place is None else _going(place)
    if going:
        live = frozenset(job.name for job in going)
        st.fragment(_being_trained, run_every=POLL_SECONDS)(sentence, live)
        return
    has_corpus = place is not None
    label = button if has_corpus else shell_strings.TO_CORPUS
    empty(shell_strings.EMPTY_TITLE, sentence, label, "train" if has_corpus else "corpus")


def _going(place: Place) -> list[Job]:
    return [job for job in runs.runs_on(catalog.workspace(), place.folder) if job.is_live]


def _being_trained(sentence: str, were_live: frozenset[str]) -> None:
    """Say what the run does whose model is waited for; the page is drawn anew when it ends."""
    place = choice.corpus_place()
    going = [] if place is None else _going(place)
    if {job.name for job in going} != were_live:
        st.rerun()
    job = going[0]
    said = (
        f"{sentence}\n\n{markdown_text(shell_strings.being_trained(job.name, progress.phase(job)))}"
    )
    watched = {"watch": job.name}
    empty(shell_strings.SOON_TITLE, said, shell_strings.TO_WATCH, "train", watched)


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
