"""The offer to use an uploaded weighted graph as a model."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import streamlit as st

from ....core.data.folders import file_fingerprint
from ....core.model.default_leaks import TOPIC_LEAK
from ....core.model.terms import Terms, typed_terms
from ....core.storage.adoption import is_weighted_graph, suggested_scale, suggested_terms
from ....core.storage.edge_lists import Scale
from ....core.storage.graphs import GRAPH_SUFFIXES, leak_path
from ....core.storage.network_files import NETWORK_READERS
from ...shell import choice, memory, routing
from ...shell import strings as shell_strings
from ...text.safe_text import markdown_text
from ...workspace import adoption, catalog, uploads
from . import strings

# Key of the widget for the rates; a changed file is written again.
RATES = "adopt-rates"
# State key of the path of a file that is read as texts although it looks like a graph. The button
# that sets it has another key: Streamlit forgets the value of a widget that is no longer drawn.
AS_TEXTS = "adopt-rejected"
# State keys of what is read from the whole file, for its last version.
IS_GRAPH, SCALE, SIZE = "adopt-is-graph", "adopt-suggested-scale", "adopt-size"
PERCENT = 100.0


def is_offered(path: Path) -> bool:
    """Whether a file is a weighted graph rather than texts, and the user did not reject this."""
    if not path.is_file() or memory.recall(AS_TEXTS) == str(path):
        return False
    # Every action on the page asks, and the whole file is read for the answer.
    version = (path, file_fingerprint(path))
    return memory.made_once(IS_GRAPH, version, lambda: is_weighted_graph(path))


def offer(path: Path, drop: Callable[[Path], None]) -> None:
    """Draw the size of the graph and the choices, and adopt it when the button is pressed.

    ``drop`` removes the upload afterwards.
    """
    st.subheader(markdown_text(strings.ADOPT_TITLE.format(name=path.name)), anchor=False)
    # Drawn before everything that may fail for a file that only looks like a graph, but below it:
    # the first button is that for a graph.
    choices, otherwise = st.container(), st.container()
    if path.suffix.lower() not in GRAPH_SUFFIXES:
        arguments = (AS_TEXTS, str(path))
        otherwise.button(
            strings.ADOPT_NOT,
            key="adopt-as-texts",
            type="tertiary",
            on_click=memory.remember,
            args=arguments,
        )
    with choices:
        _choose(path, drop)


def _choose(path: Path, drop: Callable[[Path], None]) -> None:
    """Draw the size of the graph and the choices, and adopt it when the button is pressed."""
    size_line = st.empty()
    scale, terms = _choose_scale(path), _choose_terms(path)
    _ask_rates(path, terms)
    size = memory.made_once(
        SIZE, (_version_of(path), scale), lambda: adoption.graph_size(path, scale)
    )
    size_line.markdown(
        markdown_text(strings.graph_size(size.topics, size.words, size.links, terms))
    )
    for note in size.notes:
        st.caption(markdown_text(shell_strings.sentence(note)))
    rate = None
    if not size.has_rates:
        percent = st.number_input(
            strings.ADOPT_RATE.format(topic=markdown_text(terms.topic)),
            min_value=0.001,
            max_value=99.0,
            value=PERCENT * TOPIC_LEAK,
            format="%.3g",
            width=280,
            **memory.lasting(f"adopt-rate-{path}"),
        )
        rate = float(percent) / PERCENT
        st.warning(
            strings.ADOPT_SAME_RATE.format(
                topic=markdown_text(terms.topic), percent=f"{percent:.3g}"
            )
        )
    with st.container(horizontal=True, vertical_alignment="bottom", key="adopt"):
        name = st.text_input(
            strings.ADOPT_NAME,
            uploads.corpus_name(path),
            width=280,
            **memory.lasting(f"adopt-name-{path}"),
        )
        is_pressed = st.button(strings.ADOPT, type="primary", key="adopt-button")
        st.button(strings.ADOPT_CANCEL, key="adopt-cancel", on_click=drop, args=(path,))
    if is_pressed:
        folder = adoption.adopt(catalog.workspace(), path, name, scale, rate, terms)
        drop(path)
        choice.choose_model(folder.name)
        routing.go_to("query")


def _version_of(path: Path) -> tuple[object, ...]:
    """Path of a graph, and times of the last change of its file and of the rates beside it."""
    return str(path), catalog.stamp(path), catalog.stamp(leak_path(path))


def _choose_scale(path: Path) -> Scale:
    suggested = memory.made_once(SCALE, _version_of(path), lambda: suggested_scale(path))
    if path.suffix.lower() in NETWORK_READERS:
        return suggested
    chosen = st.radio(
        strings.ADOPT_SCALE,
        list(strings.ADOPT_SCALES),
        index=list(strings.ADOPT_SCALES).index(suggested),
        format_func=strings.ADOPT_SCALES.__getitem__,
        horizontal=True,
        **memory.lasting(f"adopt-scale-{path}"),
    )
    # The note is the reason for the suggestion.
    if chosen == suggested:
        st.caption(strings.ADOPT_SCALE_NOTES[suggested])
    return "probability" if chosen == "probability" else "noisy-or"


def _choose_terms(path: Path) -> Terms:
    suggested = suggested_terms(path)
    with st.container(horizontal=True, key="adopt-terms"):
        topic = st.text_input(
            strings.ADOPT_TOPIC_TERM, suggested.topic, width=280,
            help=strings.ADOPT_TERM_HELP,
            **memory.lasting(f"adopt-topic-{path}"),
        )  # fmt: skip
        word = st.text_input(
            strings.ADOPT_WORD_TERM, suggested.word, width=280,
            help=strings.ADOPT_TERM_HELP,
            **memory.lasting(f"adopt-word-{path}"),
        )  # fmt: skip
    return typed_terms(topic, word)


def _ask_rates(path: Path, terms: Terms) -> None:
    """Ask for a file of rates; only an upload of the app can have one beside it."""
    has_own = path.suffix.lower() in NETWORK_READERS
    if has_own or catalog.workspace() / "uploads" not in path.parents:
        return
    topic, key = markdown_text(terms.topic), f"{RATES}-{path}"

    def changed() -> None:
        given = memory.recall(key)
        if given is None:
            adoption.drop_rates(path)
        else:
            adoption.keep_rates(path, bytes(given.getbuffer()))

    rates = st.file_uploader(
        strings.ADOPT_RATES.format(topic=topic),
        type="csv",
        key=key,
        help=strings.ADOPT_RATES_HELP.format(topic=topic),
        on_change=changed,
    )
    if rates is None and leak_path(path).is_file():
        # The widget is empty after a visit to another page, but the file is still used.
        with st.container(horizontal=True, vertical_alignment="center", key="adopt-kept-rates"):
            st.caption(strings.ADOPT_RATES_KEPT, width="content")
            st.button(
                strings.ADOPT_RATES_DROP,
                key="adopt-drop-rates",
                type="tertiary",
                on_click=adoption.drop_rates,
                args=(path,),
            )
