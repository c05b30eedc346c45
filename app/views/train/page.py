"""The Train page: settings of a run on the current corpus, its estimated cost, and its progress."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st

from ....core.storage.corpora import read_description
from ....core.structure.layers import DEFAULT_TOPICS, layer_sizes
from ....core.utils.errors import InputError
from ....core.utils.parsing import read_whole_number
from ...shared import strings as shared_strings
from ...shared import training
from ...shell import choice, empty_states, memory, page
from ...shell import strings as shell_strings
from ...shell.page import controls_and_picture
from ...text.safe_text import markdown_text
from ...workspace import catalog
from ...workspace import runs as jobs
from ...workspace.catalog import Place
from ...workspace.runs import LEARNED, TrainChoice
from . import cost, strings
from . import guidance as guidance_panel

COMPLETE = "complete"
# Session key of the number of runs that were started on a corpus.
N_STARTED = "train-n-started"
STANDARD = TrainChoice()
# Default of `orrery train`, sufficient for most corpora.
USUAL_SWEEPS = 300
# Limits of the number boxes, far beyond any use.
MAX_EPOCHS, MAX_SEED = 100_000, 2**31 - 1


def render() -> None:
    """Draw the page."""
    page.headline(strings.TITLE, strings.SENTENCE)
    place = choice.corpus_place()
    # After the choice of a corpus: another visitor may delete one at any moment.
    empty_states.say_corpus_gone()
    if place is None:
        empty_states.empty(strings.EMPTY_TITLE, strings.EMPTY, shell_strings.TO_CORPUS, "corpus")
        return
    training.follow_started()
    controls, picture = controls_and_picture()
    with controls:
        _new_run(place)
    with picture:
        runs = jobs.runs_on(catalog.workspace(), place.folder)
        if runs:
            training.show(runs, place.folder)
        else:
            training.say_gone()
            _nothing_yet(place)


def _new_run(place: Place) -> None:
    """Show the settings, their estimated cost, and the button that starts the run."""
    counts = read_description(place.folder)
    st.subheader(strings.NEW_RUN, anchor=False)
    st.markdown(
        f"{strings.ON_CORPUS} **{markdown_text(place.name)}**, "
        f"{counts['documents']:,} documents, {counts['vocabulary']:,} words."
    )
    method = st.radio(
        strings.METHOD,
        list(shared_strings.METHODS),
        format_func=shared_strings.METHODS.__getitem__,
        **memory.lasting("train-method"),
    )
    st.caption(strings.METHOD_NOTES[method])
    typed = "" if method == LEARNED else _ask_topics(place, method, counts)
    # The key depends on the number of starts in this session, so that the box is empty after one.
    n_started = memory.recall(f"{N_STARTED}-{place.name}", 0)
    name = st.text_input(
        strings.NAME,
        placeholder=strings.NAME_HINT,
        max_chars=jobs.MAX_NAME,
        **memory.lasting(f"train-name-{place.name}-{n_started}"),
    )
    with st.expander(strings.MORE):
        settings = _more_settings(method)
    sizes, wrong = _sizes(typed, settings, counts)
    # A graph that is pruned has sizes that are not known before training.
    fixed_sizes = None if settings.learn_structure else sizes
    guidance, misguided = guidance_panel.ask(place, fixed_sizes or None)
    if not wrong:
        cost.show(place, replace(settings, topics=sizes), counts)
    # The request is stored, because the progress of runs refreshes every second and may rerun the
    # script before it acts on the click. The corpus is stored with it: if it has been deleted, the
    # page shows another one, on which the run must not start.
    st.button(
        strings.START,
        type="primary",
        key="train-start",
        width="stretch",
        on_click=memory.remember,
        args=(empty_states.START_REQUESTED, place.name),
    )
    requested = memory.recall(empty_states.START_REQUESTED)
    memory.forget(empty_states.START_REQUESTED)
    if requested == place.name:
        chosen = replace(settings, topics=sizes, guidance=guidance)
        _start(place, chosen, name, wrong or misguided)


def _ask_topics(place: Place, method: str, counts: dict[str, Any]) -> str:
    suggested: tuple[int, ...] = DEFAULT_TOPICS
    if method != COMPLETE:
        suggested = layer_sizes(counts["vocabulary"], counts["documents"], None)
    key = f"train-topics-{method}-{place.name}-{catalog.stamp(place.folder / 'corpus.json')}"
    typed: str = st.text_input(
        strings.TOPICS,
        ", ".join(map(str, suggested)),
        help=strings.TOPICS_HELP,
        **memory.lasting(key),
    )
    return typed


def _more_settings(method: str) -> TrainChoice:
    given = TrainChoice(method) if method == LEARNED else _settings_of_a_given_graph(method)
    n_passes = cost.passes(TrainChoice(method, epochs=STANDARD.epochs))
    epochs = st.number_input(
        strings.EPOCHS,
        *(1, MAX_EPOCHS, STANDARD.epochs),
        **memory.lasting("train-epochs"),
        help=strings.epochs_help(STANDARD.epochs, n_passes),
    )
    seed = st.number_input(
        strings.SEED,
        *(0, MAX_SEED, STANDARD.seed),
        **memory.lasting("train-seed"),
        help=strings.SEED_HELP,
    )
    return replace(given, epochs=int(epochs), seed=int(seed))


def _settings_of_a_given_graph(method: str) -> TrainChoice:
    start = _segments(strings.START_AT, strings.STARTS, "random", "train-begin", strings.START_HELP)
    sweeps, learns = 0, False
    if start == "gibbs":
        sweeps = st.number_input(
            strings.START_EPOCHS,
            *(1, MAX_EPOCHS, USUAL_SWEEPS),
            step=50,
            **memory.lasting("train-sweeps"),
            help=strings.START_EPOCHS_HELP,
        )
        learns = st.checkbox(
            strings.LEARN, **memory.lasting("train-learn"), help=strings.LEARN_HELP
        )
    bound = _segments(
        strings.BOUND, strings.BOUNDS, STANDARD.bound, "train-bound", strings.BOUND_HELP
    )
    return TrainChoice(method, bound=bound, start_epochs=int(sweeps), learn_structure=learns)


def _segments(label: str, options: dict[str, str], default: str, key: str, explained: str) -> str:
    chosen = st.segmented_control(
        label,
        list(options),
        default=default,
        format_func=options.__getitem__,
        required=True,
        **memory.lasting(key),
        help=explained,
    )
    return str(chosen)


def _sizes(typed: str, choice: TrainChoice, counts: dict[str, Any]) -> tuple[tuple[int, ...], str]:
    """Topics in each layer as typed, and an error; if the graph is learned, no sizes are needed."""
    if choice.method == LEARNED:
        return (), ""
    try:
        sizes = layer_sizes(
            counts["vocabulary"],
            counts["documents"],
            read_topics(typed),
            nested=choice.method != COMPLETE,
        )
    except InputError as error:
        return (), str(error)
    return sizes, ""


def _start(place: Place, choice: TrainChoice, name: str, wrong: str) -> None:
    """Start the process and show it, unless something is wrong."""
    if wrong:
        # Errors in the guidance are already shown below its form.
        if choice.method != LEARNED and not choice.topics:
            page.show_error(wrong)
        return
    with page.failures_shown():
        folder = jobs.start(catalog.workspace(), place.folder, choice, name, place.name)
        key = f"{N_STARTED}-{place.name}"
        memory.remember(key, memory.recall(key, 0) + 1)
        training.show_started(folder.name)


def read_topics(typed: str) -> tuple[int, ...]:
    """Numbers of topics from text such as "120, 30, 6" (InputError for anything else)."""
    numbers = [read_whole_number(part) for part in typed.replace(",", " ").split()]
    found = tuple(number for number in numbers if number)
    if not numbers or len(found) < len(numbers):
        raise InputError(strings.BAD_TOPICS)
    return found


def _nothing_yet(place: Place) -> None:
    is_sample = place.read_only and catalog.models(place)
    with st.container(border=True, key="empty-state"):
        title = strings.SAMPLE_TITLE if is_sample else strings.EMPTY_RUNS_TITLE
        st.subheader(title, anchor=False)
        st.write(strings.SAMPLE if is_sample else strings.EMPTY_RUNS)
