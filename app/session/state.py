"""What the person has chosen: the only module that touches Streamlit's session state.

The choice of corpus and model stands in the address too, so that a link or a reload brings back
what was shown.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import streamlit as st

from orrery.app.query.warming import warm_up
from orrery.app.text.escaping import markdown_text
from orrery.app.words import common as words
from orrery.app.workspace import catalog
from orrery.app.workspace.catalog import Place
from orrery.core.corpus import Corpus
from orrery.core.run import Run
from orrery.core.storage import load_corpus, load_run

CORPUS, MODEL = "corpus", "run"
# The colours of what is on and off, the same on every page.
PALETTE = "palette"
# Parameters of an address that name topics of one model (ids are the same in every one), and those
# that name documents, words and runs of one corpus.
_OF_MODEL = ("topic", "to", "in", "skip", "more", "sel", "card", "hold", "on", "page")
_OF_CORPUS = ("doc", "label", "years", "word", "watch", "beside", "with")
_PAGES, _LEFT, _PAGE = "pages", "left", "page-shown"
# Kernels that are in the cache already are there sooner than anyone could read a notice.
SILENT_SECONDS = 1.0
# Opened corpora and models are shared by all sessions; a few are enough to switch between.
MOST_OPEN = 4


def recall(name: str, default: Any = None) -> Any:
    """Value that was remembered in this session."""
    return st.session_state.get(name, default)


def remember(name: str, value: Any) -> None:
    """Keep a value in this session."""
    st.session_state[name] = value


def forget(*names: str) -> None:
    """Drop values, so that the widgets of these keys start afresh."""
    for name in names:
        st.session_state.pop(name, None)


def corpus_place() -> Place | None:
    """The corpus that is chosen, the first one where none is, None where there is none."""
    return _chosen(CORPUS, catalog.corpora())


def model_place() -> Place | None:
    """The model that is chosen, the newest of the chosen corpus where none is.

    One whose corpus is gone is taken where it was asked for, or where there is no corpus at all.
    """
    return _chosen(MODEL, *_models())


def not_here() -> list[str]:
    """Sentences about what the address names and the rail cannot show."""
    # Chooses both, where nothing is chosen yet.
    model_place()
    asked = {kind: st.query_params.get(kind) for kind in (CORPUS, MODEL)}
    return [
        words.not_here(kind, markdown_text(name), markdown_text(recall(kind) or ""))
        for kind, name in asked.items()
        if name and name != recall(kind)
    ]


def forget_deleted(kind: str, name: str) -> None:
    """Forget a corpus or model that was deleted by hand: the address is no link that leads nowhere.

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
    st.session_state.pop(MODEL, None)
    st.query_params.pop(MODEL, None)


def choose_model(name: str) -> None:
    """Make a trained model the current one."""
    _choose(MODEL, name)


def current_corpus() -> Corpus | None:
    """The chosen corpus, opened; None where there is none.

    Raises
    ------
    InputError
        If its folder is damaged.
    """
    place = corpus_place()
    return None if place is None else open_corpus(place.folder)


def current_run() -> Run | None:
    """The chosen trained model, opened; None where there is none.

    Raises
    ------
    InputError
        If its folder is damaged.
    """
    place = model_place()
    if place is None:
        return None
    _wait_until_warm()
    model = place.folder / "model"
    return _open_run(
        place.folder, catalog.stamp(model / "model.json"), catalog.stamp(model / "overlay.json")
    )


def model_name(run: Run) -> str:
    """Name of the current model as a person knows it, the folder's where none is chosen."""
    place = model_place()
    return run.folder.name if place is None else place.name


def open_corpus(folder: Path) -> Corpus:
    """Open a corpus, once for all sessions until it changes on disk."""
    return _open_corpus(folder, catalog.stamp(folder / "corpus.json"))


def draw_rail() -> None:
    """Draw the choice of corpus and model and the pages, the same on every page."""
    _switch(words.RAIL_CORPUS, CORPUS, catalog.corpora(), corpus_place(), choose_corpus)
    own, lost = _models()
    _switch(words.RAIL_MODEL, MODEL, [*own, *lost], _chosen(MODEL, own, lost), choose_model)
    st.space("small")
    left = recall(_LEFT, {})
    for name, page in recall(_PAGES, {}).items():
        as_left = left.get(_shown_on(name), {})
        st.page_link(page, width="stretch", query_params=as_left | _address())
    warm_up()


def at_page(page: str, *passing: str) -> None:
    """Remember which page is open; parameters that are ``passing`` belong to no page."""
    remember(_PAGE, (page, passing))


def keep_address() -> None:
    """Remember what the open page shows of the model, for its link in the rail to lead back to."""
    page, passing = recall(_PAGE, ("", ()))
    others = (CORPUS, MODEL, *passing)
    shown = {name: st.query_params.get_all(name) for name in st.query_params if name not in others}
    remember(_LEFT, recall(_LEFT, {}) | {_shown_on(page): shown})


def keep_pages(pages: dict[str, Any]) -> None:
    """Remember the pages by name, for `go_to`."""
    remember(_PAGES, pages)


def go_to(name: str, parameters: dict[str, str] | None = None) -> None:
    """Open another page, with the same corpus and model, and parameters of its own."""
    page = recall(_PAGES, {}).get(name)
    if page is not None:
        st.switch_page(page, query_params=_address() | (parameters or {}))


def no_model(sentence: str, button: str = words.TO_TRAIN) -> None:
    """Show what will be here once there is a model, and the one button that gets there."""
    has_corpus = corpus_place() is not None
    label = button if has_corpus else words.TO_CORPUS
    empty(words.EMPTY_TITLE, sentence, label, "train" if has_corpus else "corpus")


def empty(title: str, sentence: str, button: str, page: str) -> None:
    """Show an empty state: what will be here, and the button that leads there."""
    with st.container(border=True, horizontal_alignment="center", key="empty-state"):
        st.space("small")
        st.subheader(title, anchor=False, text_alignment="center")
        st.markdown(sentence, text_alignment="center")
        if st.button(button, type="primary", key="empty-state-go"):
            go_to(page)
        st.space("small")


def _wait_until_warm() -> None:
    """Wait with a sign of it until the first query can be answered at once."""
    thread = warm_up()
    thread.join(SILENT_SECONDS)
    if thread.is_alive():
        with st.spinner(words.WARMING):
            thread.join()


@st.cache_resource(max_entries=MOST_OPEN, show_spinner="Opening the corpus …")
def _open_corpus(folder: Path, changed: int) -> Corpus:
    return load_corpus(folder)


@st.cache_resource(max_entries=MOST_OPEN, show_spinner="Opening the model …")
def _open_run(folder: Path, changed: int, overlay_changed: int) -> Run:
    return load_run(folder)


def _models() -> tuple[list[Place], list[Place]]:
    """Models of the chosen corpus, and those that are there to be chosen by hand besides."""
    return catalog.models_and_lost(corpus_place())


def _chosen(kind: str, places: list[Place], others: Sequence[Place] = ()) -> Place | None:
    """Place named in the address, else in the session, else the first; kept in both.

    The others have to be named. An address that names what is not there stays as it is, for a
    link must not turn into one to something else; `not_here` tells.
    """
    by_name = {place.name: place for place in (*places, *others)}
    asked, last = st.query_params.get(kind), st.session_state.get(kind)
    chosen = by_name.get(asked) or by_name.get(last) or next(iter(places), None)
    if asked and asked not in by_name:
        st.session_state[kind] = chosen and chosen.name
    elif chosen:
        _choose(kind, chosen.name)
    return chosen


def _choose(kind: str, name: str) -> None:
    st.session_state[kind] = name
    if st.query_params.get(kind) != name:
        st.query_params[kind] = name


def _address() -> dict[str, str]:
    chosen = {kind: st.session_state.get(kind) for kind in (CORPUS, MODEL)}
    chosen[PALETTE] = st.query_params.get(PALETTE)
    return {kind: name for kind, name in chosen.items() if name}


def _shown_on(page: str) -> tuple[str, str | None, str | None]:
    """What a page remembers its address by: another model's has topics that this one has not."""
    return page, recall(CORPUS), recall(MODEL)


def _switched(kind: str, choose: Callable[[str], None], name: str) -> None:
    """Choose, and let go of what the page showed of the one before."""
    choose(name)
    gone = {*_OF_MODEL, *(_OF_CORPUS if kind == CORPUS else ())}
    kept = {name: st.query_params.get_all(name) for name in st.query_params if name not in gone}
    st.query_params.from_dict(kept)


def _switch(
    label: str, kind: str, places: list[Place], chosen: Place | None, choose: Callable[[str], None]
) -> None:
    """Draw one switch of the rail."""
    key = f"rail-{kind}"
    st.session_state[key] = chosen.name if chosen else None
    st.selectbox(
        label,
        [place.name for place in places],
        key=key,
        format_func=str,
        placeholder=words.NONE_YET,
        disabled=not places,
        on_change=lambda: _switched(kind, choose, st.session_state[key]),
    )
    if chosen and chosen.read_only and kind == CORPUS:
        st.caption(markdown_text(words.SAMPLE_NOTE))
