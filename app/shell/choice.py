"""The chosen corpus and model, kept in the URL so that a link or a reload restores them."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from ...core.model.topic_model import Run
from ..text.safe_text import markdown_text, requested_name
from ..workspace import catalog
from ..workspace.catalog import Place
from . import strings as shell_strings
from .memory import forget, recall, remember

CORPUS, MODEL = "corpus", "run"
# Colours of topics that are on and off, the same on every page.
PALETTE = "palette"
# URL parameters with topics of one model (all models use the same ids) or another run than the
# chosen one, and parameters with documents or words of one corpus.
_OF_MODEL = ("topic", "to", "in", "skip", "more", "sel", "card", "hold", "on", "page",
             "area", "only", "watch")  # fmt: skip
_OF_CORPUS = ("doc", "whole", "from", "text", "label", "years", "word", "beside", "with",
              "by", "periods", "group", "other", "shown")  # fmt: skip


def corpus_place() -> Place | None:
    """The chosen corpus, by default the first.

    None if no corpus exists, or if the chosen model was not trained on one of them: no page shows a
    corpus that is not the model's own.
    """
    if lost_model() is not None:
        _forget_corpus()
        return None
    return _chosen(CORPUS, catalog.corpora())


def lost_model() -> Place | None:
    """The chosen model, if it was made from a graph or its corpus is missing; else None.

    A corpus in the URL has precedence over the model of the session.
    """
    requested = st.query_params.get(MODEL, "")
    if not requested and not st.query_params.get(CORPUS):
        requested = recall(MODEL, "")
    return catalog.lost_model(requested or "")


def _forget_corpus() -> None:
    forget(CORPUS)
    st.query_params.pop(CORPUS, None)


def model_place() -> Place | None:
    """The chosen model, by default the newest of the chosen corpus.

    A model whose corpus was deleted is used if it is chosen, or if there is no corpus at all.
    """
    return _chosen(MODEL, *catalog.models_and_lost(corpus_place()))


def models() -> list[Place]:
    """Models to choose from: first of the chosen corpus, then those without a corpus."""
    own, lost = catalog.models_and_lost(corpus_place())
    return [*own, *lost]


def model_name(run: Run) -> str:
    """Displayed name of the current model, or the name of its folder if no model is chosen."""
    place = model_place()
    return run.folder.name if place is None else place.name


def not_here() -> list[str]:
    """Sentences about names in the URL that do not exist here."""
    # Applies the defaults for both, if nothing is chosen yet.
    model_place()
    requested = {kind: st.query_params.get(kind) for kind in (CORPUS, MODEL)}
    return [
        shell_strings.not_here(kind, requested_name(name), markdown_text(recall(kind) or ""))
        for kind, name in requested.items()
        if name and name != recall(kind)
    ]


def forget_deleted(kind: str, name: str) -> None:
    """Remove a deleted corpus or model from the choice and the URL.

    With a corpus its model is removed too, since the next corpus has models of its own.
    """
    if recall(kind) != name:
        return
    for gone in (CORPUS, MODEL) if kind == CORPUS else (MODEL,):
        forget(gone)
        st.query_params.pop(gone, None)


def choose_corpus(name: str) -> None:
    """Select a corpus; its newest model is selected with it."""
    _choose(CORPUS, name)
    forget(MODEL)
    st.query_params.pop(MODEL, None)


def choose_model(name: str) -> None:
    """Select a trained model; a model without a corpus leaves the chosen corpus."""
    if catalog.lost_model(name) is not None:
        _forget_corpus()
    _choose(MODEL, name)


def switch_to(kind: str, name: str) -> None:
    """Select a corpus or model in place of another one, and leave the topics of that one."""
    leaves_corpus = kind == CORPUS or catalog.lost_model(name) is not None
    (choose_corpus if kind == CORPUS else choose_model)(name)
    leave_topics(and_documents=leaves_corpus)


def leave_topics(*, and_documents: bool) -> None:
    """Remove topics, and documents, from the URL, since another model or corpus has others."""
    gone = {*_OF_MODEL, *(_OF_CORPUS if and_documents else ())}
    kept = {name: st.query_params.get_all(name) for name in st.query_params if name not in gone}
    st.query_params.from_dict(kept)


def address() -> dict[str, str]:
    """Parameters that every page has: corpus, model and colours."""
    chosen = {kind: recall(kind) for kind in (CORPUS, MODEL)}
    chosen[PALETTE] = st.query_params.get(PALETTE)
    return {kind: name for kind, name in chosen.items() if name}


def _chosen(kind: str, places: list[Place], others: Sequence[Place] = ()) -> Place | None:
    """Place named in the URL, else in the session, else the first; it is stored in both.

    ``others`` are chosen only by name. A URL with an unknown name is not changed, since a link must
    not turn into a link to something else; `not_here` reports it.
    """
    by_name = {place.name: place for place in (*places, *others)}
    requested, last = st.query_params.get(kind, ""), recall(kind, "")
    chosen = by_name.get(requested) or by_name.get(last) or next(iter(places), None)
    if requested and requested not in by_name:
        remember(kind, chosen and chosen.name)
    elif chosen:
        _choose(kind, chosen.name)
    return chosen


def _choose(kind: str, name: str) -> None:
    remember(kind, name)
    if st.query_params.get(kind) != name:
        st.query_params[kind] = name
