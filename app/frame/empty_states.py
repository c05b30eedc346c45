"""What a page shows when it has nothing to show: a sentence, and the button that changes that."""

from __future__ import annotations

import streamlit as st

from orrery.app.frame import page
from orrery.app.session import choice, loaders, routing
from orrery.app.words import common as words
from orrery.core.run import Run


def headed_run(title: str, sentence: str, without: str) -> Run | None:
    """Write the headline of a page about a model; without one, what will be here and None."""
    run = loaders.current_run()
    page.headline(title, sentence)
    if run is None:
        no_model(without)
    return run


def no_model(sentence: str, button: str = words.TO_TRAIN) -> None:
    """Show what will be here once there is a model, and the button that leads to one."""
    has_corpus = choice.corpus_place() is not None
    label = button if has_corpus else words.TO_CORPUS
    empty(words.EMPTY_TITLE, sentence, label, "train" if has_corpus else "corpus")


def empty(title: str, sentence: str, button: str, goal: str) -> None:
    """Show an empty state: what will be here, and the button that leads there."""
    with st.container(border=True, horizontal_alignment="center", key="empty-state"):
        st.space("small")
        st.subheader(title, anchor=False, text_alignment="center")
        st.markdown(sentence, text_alignment="center")
        if st.button(button, type="primary", key="empty-state-go"):
            routing.go_to(goal)
        st.space("small")
