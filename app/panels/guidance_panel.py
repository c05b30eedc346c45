"""The form in which a person guides the graph; errors are shown while they type."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from orrery.app.frame import page
from orrery.app.runs import guidance_form
from orrery.app.runs.guidance_form import FIELDS, Names
from orrery.app.session import loaders
from orrery.app.text.escaping import markdown_text
from orrery.app.words import guidance as words
from orrery.app.workspace.catalog import Place
from orrery.core.errors import InputError
from orrery.core.structure.guidance import Guidance
from orrery.core.structure.layers import topic_names

LINES_SHOWN = 68


def ask(place: Place, sizes: Sequence[int] | None) -> tuple[Guidance | None, str]:
    """Ask for guidance.

    Parameters
    ----------
    place : Place
        The corpus.
    sizes : sequence of int, or None
        Topics in each layer of the graph that will be proposed; None where that is not known.

    Returns
    -------
    guidance : Guidance or None
        None where nothing is asked for, or what is asked for cannot be had.
    error : str
        Why it cannot, empty where it can.
    """
    with st.expander(words.TITLE, key="train-guidance"):
        st.caption(words.SENTENCE)
        typed = {field: _field(field, place.name) for field in FIELDS}
        if not any(text.strip() for text in typed.values()):
            return None, ""
        try:
            guidance = guidance_form.read_fields(typed, _names(place, sizes))
        except InputError as error:
            page.show_error(str(error))
            return None, str(error)
        if guidance is not None:
            st.caption(markdown_text(guidance_form.summary(guidance)))
        return guidance, ""


def _field(field: str, corpus: str) -> str:
    return st.text_area(
        words.LABELS[field],
        key=f"train-{field}-{corpus}",
        persist_state="session",
        placeholder=words.EXAMPLES[field],
        help=words.HELP[field],
        height=LINES_SHOWN,
    )


def _names(place: Place, sizes: Sequence[int] | None) -> Names:
    corpus = loaders.open_corpus(place.folder)
    return Names(corpus.token_number, None if sizes is None else topic_names(sizes))
