"""Which corpus and which model a person has chosen.

The choice stands in the address too, so that a link or a reload brings back what was shown.
"""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from ...core.model.topic_model import Run
from ..text.escaping import asked_name, markdown_text
from ..workspace import catalog
from ..workspace.catalog import Place
from . import strings as shell_strings
from .memory import forget, recall, remember

CORPUS, MODEL = "corpus", "run"
# The colours of what is on and off, the same on every page.
PALETTE = "palette"
# Parameters of an address that name topics of one model (ids are the same in every one), and those
# that name documents, words and runs of one corpus.
_OF_MODEL = ("topic", "to", "in", "skip", "more", "sel", "card", "hold", "on", "page",
             "area", "only")  # fmt: skip
_OF_CORPUS = ("doc", "label", "years", "word", "watch", "beside", "with", "by", "periods", "group",
              "other", "shown")  # fmt: skip


def corpus_place() -> Place | None:
    """The corpus that is chosen, the first one where none is, None where there is none."""
    return _chosen(CORPUS, catalog.corpora())


def model_place() -> Place | None:
    """The model that is chosen, the newest of the chosen corpus where none is.

    One whose corpus is gone is taken where it was asked for, or where there is no corpus at all.
    """
    return _chosen(MODEL, *catalog.models_and_lost(corpus_place()))


def models() -> list[Place]:
    """Models that can be chosen: those of the chosen corpus, then those whose corpus is gone."""
    own, lost = catalog.models_and_lost(corpus_place())
    return [*own, *lost]


def model_name(run: Run) -> str:
    """Name of the current model as a person knows it, the folder's where none is chosen."""
    place = model_place()
    return run.folder.name if place is None else place.name


def not_here() -> list[str]:
    """Sentences about what the address names and the sidebar cannot show."""
    # Chooses both, where nothing is chosen yet.
    model_place()
    asked = {kind: st.query_params.get(kind) for kind in (CORPUS, MODEL)}
    return [
        shell_strings.not_here(kind, asked_name(name), markdown_text(recall(kind) or ""))
        for kind, name in asked.items()
        if name and name != recall(kind)
    ]


def forget_deleted(kind: str, name: str) -> None:
    """Forget a corpus or model that was deleted by hand, so that the address does not name it.

    The model of a corpus goes with it, for the next corpus has models of its own.
    """
    if recall(kind) != name:
        return
    for gone in (CORPUS, MODEL) if kind == CORPUS else (MODEL,):
        forget(gone)
        st.query_params.pop(gone, None)


def choose_corpus(name: str) -> None:
    """Make a corpus the current one; its newest model becomes the current model."""
    _choose(CORPUS, name)
    forget(MODEL)
    st.query_params.pop(MODEL, None)


def choose_model(name: str) -> None:
    """Make a trained model the current one."""
    _choose(MODEL, name)


def leave_topics(*, and_documents: bool) -> None:
    """Take what names topics, and documents too, out of the address: another choice has others."""
    gone = {*_OF_MODEL, *(_OF_CORPUS if and_documents else ())}
    kept = {name: st.query_params.get_all(name) for name in st.query_params if name not in gone}
    st.query_params.from_dict(kept)


def address() -> dict[str, str]:
    """Parameters that every page has: corpus, model and colours."""
    chosen = {kind: recall(kind) for kind in (CORPUS, MODEL)}
    chosen[PALETTE] = st.query_params.get(PALETTE)
    return {kind: name for kind, name in chosen.items() if name}


def _chosen(kind: str, places: list[Place], others: Sequence[Place] = ()) -> Place | None:
    """Place named in the address, else in the session, else the first; kept in both.

    The others have to be named. An address that names what is not there stays as it is, for a
    link must not turn into one to something else; `not_here` tells.
    """
    by_name = {place.name: place for place in (*places, *others)}
    asked, last = st.query_params.get(kind, ""), recall(kind, "")
    chosen = by_name.get(asked) or by_name.get(last) or next(iter(places), None)
    if asked and asked not in by_name:
        remember(kind, chosen and chosen.name)
    elif chosen:
        _choose(kind, chosen.name)
    return chosen


def _choose(kind: str, name: str) -> None:
    remember(kind, name)
    if st.query_params.get(kind) != name:
        st.query_params[kind] = name
