"""Empty states of pages: a sentence, and the button that leads to what is missing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from ...core.model.topic_model import Run
from ...core.utils.errors import deleted_error
from ..text.safe_text import markdown_text
from ..workspace import catalog, progress, runs
from ..workspace.catalog import Place
from ..workspace.runs import Job
from . import choice, loaders, memory, page, routing
from . import strings as shell_strings

# Interval at which the state of a run in training is read.
POLL_SECONDS = 2.0
# Models that an empty page offers.
MAX_OFFERED = 6
# State key: the corpus whose Start button was clicked, until its run is started.
START_REQUESTED = "train-asked"


def headed_run(title: str, sentence: str, without: str) -> Run | None:
    """Draw the headline of a page about a model; without a model, its empty state and None.

    The sentence is shown in the terms of the model. Below it is a warning if the model predicts no
    better than independent words do.
    """
    run = loaders.current_run()
    page.headline(title, sentence if run is None else run.terms.translated(sentence))
    if run is None:
        no_model(without)
    elif run.has_no_structure:
        st.warning(run.terms.translated(shell_strings.NO_STRUCTURE))
    return run


def no_model(sentence: str, button: str = shell_strings.TO_TRAIN) -> None:
    """Draw the empty state of a page that needs a model, with the button that leads to one."""
    place = choice.corpus_place()
    going = [] if place is None else _live_runs(place)
    if going:
        live = frozenset(job.name for job in going)
        st.fragment(_being_trained, run_every=POLL_SECONDS)(sentence, live)
        return
    if place is not None and choice.models():
        _choose_model(place)
        return
    has_corpus = place is not None
    label = button if has_corpus else shell_strings.TO_CORPUS
    empty(shell_strings.EMPTY_TITLE, sentence, label, "train" if has_corpus else "corpus")


def _choose_model(corpus: Place) -> None:
    """Draw the models that can be chosen, of which none belongs to the chosen corpus."""
    text = shell_strings.CHOOSE.format(corpus=f"**{markdown_text(corpus.name)}**")
    with (
        box(shell_strings.CHOOSE_TITLE, text),
        st.container(horizontal=True, horizontal_alignment="center", key="models-to-choose"),
    ):
        for model in choice.models()[:MAX_OFFERED]:
            st.button(markdown_text(model.name), key=f"choose-model-{model.name}",
                      on_click=choice.switch_to, args=(choice.MODEL, model.name))  # fmt: skip
        if st.button(shell_strings.TO_TRAIN, type="primary", key="empty-state-go"):
            routing.go_to("train")


# Pages about the texts of a model, and the page that needs figures from a training run.
NEED_TEXTS, NEED_TRAINING = frozenset(("documents", "map", "groups", "train")), "evaluate"


def why_closed(name: str, place: Place | None) -> str:
    """Reason why a page has nothing to show for the chosen model, or "" if it can be drawn.

    A model that was made from a graph has no texts, and was not trained. The texts of another model
    may be missing from this workspace. ``place`` is the `choice.lost_model`.
    """
    if place is None or name not in (*NEED_TEXTS, NEED_TRAINING):
        return ""
    if runs.is_adopted(place.folder):
        return shell_strings.NOT_FROM_TEXTS[name]
    return shell_strings.TEXTS_GONE if name in NEED_TEXTS else ""


def why_some_closed(place: Place) -> str:
    """One sentence for the sidebar about all pages that are closed; see `why_closed`."""
    if runs.is_adopted(place.folder):
        return shell_strings.CLOSED_FROM_GRAPH
    return shell_strings.CLOSED_WITHOUT_TEXTS


def closed_page(name: str, reason: str) -> None:
    """Draw a page that has nothing to show for the chosen model."""
    page.headline(shell_strings.PAGE_TITLES[name], reason)
    # The corpus may have been deleted between the click on Start and this script.
    say_corpus_gone()
    if st.button(shell_strings.TO_HOME, key="closed-page-go", type="tertiary"):
        routing.go_to("home")


def say_corpus_gone() -> None:
    """Show an error and drop the request if the corpus of a requested run has been deleted."""
    requested = memory.recall(START_REQUESTED)
    if requested and requested not in [place.name for place in catalog.corpora()]:
        memory.forget(START_REQUESTED)
        page.show_error(str(deleted_error(f"corpus {requested}")))


def _live_runs(place: Place) -> list[Job]:
    return [job for job in runs.runs_on(catalog.workspace(), place.folder) if job.is_live]


def _being_trained(sentence: str, were_live: frozenset[str]) -> None:
    """Draw the state of the run in training; the page is redrawn when it ends."""
    place = choice.corpus_place()
    going = [] if place is None else _live_runs(place)
    if {job.name for job in going} != were_live:
        st.rerun()
    job = going[0]
    state = markdown_text(
        shell_strings.BEING_TRAINED.format(run=job.name, phase=progress.phase(job))
    )
    address = {"watch": job.name}
    text = f"{sentence}\n\n{state}"
    empty(shell_strings.SOON_TITLE, text, shell_strings.TO_WATCH, "train", address)


def empty(
    title: str, sentence: str, button: str, goal: str, address: dict[str, str] | None = None
) -> None:
    """Draw an empty state: its title, a sentence, and the button that leads to a page."""
    with box(title, sentence):
        if st.button(button, type="primary", key="empty-state-go"):
            routing.go_to(goal, address or {})


@contextmanager
def box(title: str = "", sentence: str = "") -> Iterator[None]:
    """Draw a box in the middle of an empty page: title, sentence, and what the block draws."""
    with st.container(border=True, horizontal_alignment="center", key="empty-state"):
        st.space("small")
        if title:
            st.subheader(title, anchor=False, text_alignment="center")
            st.markdown(sentence, text_alignment="center")
        yield
        st.space("small")
