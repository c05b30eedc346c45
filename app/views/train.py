"""Train: start a run on the current corpus and watch how it goes."""

from __future__ import annotations

from typing import Any

import streamlit as st

from app import address, jobs, state, workspace
from app.jobs import TrainChoice
from app.plain import markdown_text
from app.views import page, train_watch
from app.views.layout import controls_and_picture
from app.words import common
from app.words import train as words
from app.workspace import Place
from core.errors import InputError
from core.storage.corpora import read_description
from core.structure.complete import DEFAULT_TOPICS
from core.structure.layers import layer_sizes

COMPLETE = "complete"
STANDARD = TrainChoice()


# Far beyond use, and within what the command line reads.
MOST_EPOCHS, LARGEST_SEED = 100_000, 2**31 - 1


def render() -> None:
    """Draw the page."""
    page.headline(words.TITLE, words.SENTENCE)
    place = state.corpus_place()
    if place is None:
        state.empty(words.EMPTY_TITLE, words.EMPTY, common.TO_CORPUS, "corpus")
        return
    controls, picture = controls_and_picture()
    with controls:
        _new_run(place)
    with picture:
        runs = jobs.runs_on(workspace.workspace(), place.folder)
        if runs:
            train_watch.show(runs, place.folder)
        else:
            _nothing_yet(place)


def _new_run(place: Place) -> None:
    """Show the settings and the one primary action."""
    counts = read_description(place.folder)
    st.subheader(words.NEW_RUN, anchor=False)
    st.markdown(
        f"{words.ON_CORPUS} **{markdown_text(place.name)}**, "
        f"{counts['documents']:,} documents, {counts['vocabulary']:,} words."
    )
    method = st.radio(
        words.METHOD,
        list(words.METHODS),
        format_func=words.METHODS.__getitem__,
        key="train-method",
    )
    st.caption(words.METHOD_NOTES[method])
    suggested = _suggested(method, counts)
    topics = st.text_input(
        words.TOPICS,
        ", ".join(map(str, suggested)),
        key=f"train-topics-{method}-{place.name}",
        help=words.TOPICS_HELP,
    )
    with st.expander(words.MORE):
        choice = _more_settings(method)
    if st.button(words.START, type="primary", key="train-start", width="stretch"):
        _start(place, choice, topics, counts)


def _more_settings(method: str) -> TrainChoice:
    bound = st.segmented_control(
        words.BOUND,
        list(words.BOUNDS),
        default=STANDARD.bound,
        format_func=words.BOUNDS.__getitem__,
        required=True,
        key="train-bound",
        help=words.BOUND_HELP,
    )
    epochs = st.number_input(
        words.EPOCHS, 1, MOST_EPOCHS, STANDARD.epochs, key="train-epochs", help=words.EPOCHS_HELP
    )
    seed = st.number_input(
        words.SEED, 0, LARGEST_SEED, STANDARD.seed, key="train-seed", help=words.SEED_HELP
    )
    return TrainChoice(method, (), str(bound), int(epochs), int(seed))


def _start(place: Place, choice: TrainChoice, topics: str, counts: dict[str, Any]) -> None:
    """Check the topics, start the process, and look at it."""
    try:
        sizes = layer_sizes(
            counts["vocabulary"],
            counts["documents"],
            read_topics(topics),
            nested=choice.method != COMPLETE,
        )
    except InputError as error:
        page.show_error(str(error))
        return
    values = TrainChoice(choice.method, sizes, choice.bound, choice.epochs, choice.seed)
    folder = jobs.start(workspace.workspace(), place.folder, values)
    address.put(train_watch.WATCHED, folder.name)
    st.rerun()


def read_topics(typed: str) -> tuple[int, ...]:
    """Read numbers of topics as typed: "120, 30, 6".

    Raises
    ------
    InputError
        If they are not whole numbers.
    """
    parts = typed.replace(",", " ").split()
    are_numbers = all(part.isascii() and part.isdigit() for part in parts)
    # Nobody has topics of ten digits, and Python refuses to read thousands.
    if not parts or not are_numbers or max(map(len, parts)) > 9 or "0" in parts:
        raise InputError(words.BAD_TOPICS)
    return tuple(int(part) for part in parts)


def _suggested(method: str, counts: dict[str, Any]) -> tuple[int, ...]:
    if method == COMPLETE:
        return DEFAULT_TOPICS
    return layer_sizes(counts["vocabulary"], counts["documents"], None)


def _nothing_yet(place: Place) -> None:
    is_sample = place.read_only and workspace.models(place)
    with st.container(border=True, key="empty-state"):
        title = words.SAMPLE_TITLE if is_sample else words.EMPTY_RUNS_TITLE
        st.subheader(title, anchor=False)
        st.write(words.SAMPLE if is_sample else words.EMPTY_RUNS)
