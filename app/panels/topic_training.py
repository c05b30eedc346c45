"""Training that continues from a topic's card: with the topic split in two, or unchanged."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from orrery.app.frame import page
from orrery.app.panels import topic_edits, train_watch
from orrery.app.runs import jobs
from orrery.app.session import choice, resources, routing
from orrery.app.words import topic as words
from orrery.app.workspace import catalog
from orrery.core.storage.continuation import split_run

if TYPE_CHECKING:
    from orrery.core.network import Network
    from orrery.core.run import Run


def offer(run: Run, topic: int) -> None:
    """Show the button that opens the form, or say why training cannot continue."""
    corpus, why_not = resources.corpus_of(run)
    with st.popover(words.TRAIN_ON, help=why_not or None, disabled=corpus is None):
        st.write(words.TRAIN_ON_SENTENCE)
        split_key, on_key = (topic_edits.key_for(run, name) for name in ("split-topic", "train-on"))
        is_split = st.button(words.SPLIT, key=split_key, type="primary", width="stretch")
        st.caption(words.SPLIT_NOTE)
        is_on = st.button(words.AS_IT_IS, key=on_key, width="stretch")
        st.caption(words.AS_IT_IS_NOTE)
        if run.config["settings"].get("guidance"):
            st.caption(words.WITHOUT_GUIDANCE)
        if is_split:
            _split_and_start(run, topic)
        if is_on:
            _start(run, run.network)


def _split_and_start(run: Run, topic: int) -> None:
    try:
        with st.spinner(words.SPLITTING):
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
        folder = jobs.start_from(catalog.workspace(), run, network, _corpus_name())
    except page.FAILURES as error:
        page.show_failure(error)
        return
    routing.go_to("train", {train_watch.WATCHED: folder.name})
