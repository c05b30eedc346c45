"""Changes of topics from their card: label, display, and a new run from the model."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from ...core.model.network import Network
from ...core.model.overlay import Overlay
from ...core.model.topic_model import Run
from ...core.storage.continuation import split_run
from ...core.storage.overlay import change_overlay
from ...core.utils.read_only import is_read_only
from ..shell import choice, memory, page, resources, routing
from ..workspace import catalog, runs
from . import topic_strings, training


def is_fixed() -> bool:
    """Whether the model cannot be changed: a sample, or any model in read-only mode."""
    place = choice.model_place()
    return is_read_only() or place is None or place.read_only


def key_for(run: Run, name: str) -> str:
    """Widget key for one model, so that a click never changes another model opened meanwhile.

    All models have the same topic ids.
    """
    return f"{name}-{run.folder.name}"


def change(run: Run, make: Callable[[Overlay], Overlay], *boxes: str) -> None:
    """Save a change and redraw the page with these boxes anew, or report why it cannot be saved."""
    with page.failures_shown():
        change_overlay(run.folder / "model", make)
        memory.forget(*boxes)
        st.rerun()


def copy_model() -> None:
    """Copy a fixed model into the workspace, and switch to the copy."""
    place = choice.model_place()
    if place is None:
        return
    with page.failures_shown():
        choice.choose_model(catalog.copy_model(place).name)
        st.rerun()


def offer(run: Run, topic: int) -> None:
    """Draw the form for a new run with the topic split in two, or with all topics unchanged."""
    corpus, why_not = resources.corpus_of(run)
    with st.popover(topic_strings.TRAIN_ON, help=why_not or None, disabled=corpus is None):
        st.write(topic_strings.TRAIN_ON_SENTENCE)
        split_key, on_key = (key_for(run, name) for name in ("split-topic", "train-on"))
        is_split = st.button(topic_strings.SPLIT, key=split_key, type="primary", width="stretch")
        st.caption(topic_strings.SPLIT_NOTE)
        is_on = st.button(topic_strings.AS_IT_IS, key=on_key, width="stretch")
        st.caption(topic_strings.AS_IT_IS_NOTE)
        if run.config["settings"].get("guidance"):
            st.caption(topic_strings.WITHOUT_GUIDANCE)
        with page.failures_shown():
            if is_split:
                with st.spinner(topic_strings.SPLITTING):
                    network = split_run(run, topic)
                _start(run, network)
            if is_on:
                _start(run, run.network)


def _start(run: Run, network: Network) -> None:
    """Start the run and go to the Train page."""
    place = choice.corpus_place()
    corpus = place.name if place else ""
    folder = runs.start_from(catalog.workspace(), run, network, corpus)
    routing.go_to("train", {training.WATCHED: folder.name})
