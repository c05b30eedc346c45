"""Changes that a person makes to how topics are shown, written beside the model.

Training that continues from a topic's card: with the topic split in two, or unchanged.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import streamlit as st

from ...core.model.overlay import Overlay
from ...core.storage.continuation import split_run
from ...core.storage.overlay import change_overlay
from ...core.utils.read_only import is_read_only
from ..shell import choice, page, resources, routing
from ..workspace import catalog, runs
from . import topic_strings, training

if TYPE_CHECKING:
    from ...core.model.network import Network
    from ...core.model.topic_model import Run


def is_fixed() -> bool:
    """Whether the model is one that cannot be changed, such as the sample, or nothing can here."""
    place = choice.model_place()
    return is_read_only() or place is None or place.read_only


def key_for(run: Run, name: str) -> str:
    """Key of what changes this model: a click on it is for no other that is shown instead by then.

    Topics have the same ids in every model.
    """
    return f"{name}-{run.folder.name}"


def change(run: Run, make: Callable[[Overlay], Overlay]) -> None:
    """Save a person's change and draw the page again, or say why it cannot be saved."""
    try:
        change_overlay(run.folder / "model", make)
    except page.FAILURES as error:
        page.show_failure(error)
        return
    st.rerun()


def copy_model() -> None:
    """Copy a model that cannot be changed into the workspace, and switch to the copy."""
    place = choice.model_place()
    if place is None:
        return
    try:
        copied = catalog.copy_model(place)
    except page.FAILURES as error:
        page.show_failure(error)
        return
    choice.choose_model(copied.name)
    st.rerun()


def offer(run: Run, topic: int) -> None:
    """Show the button that opens the form, or say why training cannot continue."""
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
        if is_split:
            _split_and_start(run, topic)
        if is_on:
            _start(run, run.network)


def _split_and_start(run: Run, topic: int) -> None:
    try:
        with st.spinner(topic_strings.SPLITTING):
            network = split_run(run, topic)
    except page.FAILURES as error:
        page.show_failure(error)
        return
    _start(run, network)


def _corpus_name() -> str:
    place = choice.corpus_place()
    return place.name if place else ""


def _start(run: Run, network: Network) -> None:
    """Start the process and go to where it is watched."""
    try:
        folder = runs.start_from(catalog.workspace(), run, network, _corpus_name())
    except page.FAILURES as error:
        page.show_failure(error)
        return
    routing.go_to("train", {training.WATCHED: folder.name})
