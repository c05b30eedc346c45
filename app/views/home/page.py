"""Home page: corpora and runs of the workspace, their state, and the next step."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, replace
from datetime import date

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from ....core.drawing.links import word_text
from ....core.drawing.local_model import TypedWord
from ....core.drawing.question import written
from ....core.model.story import Story
from ....core.model.terms import Terms
from ...components.map_component import draw_small_map
from ...shared import model_summary, tour, training
from ...shared import strings as shared_strings
from ...shared.model_summary import ModelSummary
from ...shell import choice, page, routing
from ...shell import strings as shell_strings
from ...shell.kept import STORY
from ...text import strings as common_strings
from ...text.safe_text import markdown_text
from ...workspace import catalog, overview, progress, runs
from ...workspace.catalog import Place
from ...workspace.overview import CorpusOverview
from ...workspace.runs import Job
from . import strings

POLL_SECONDS = 2.0
COLUMNS = 2


@dataclass(frozen=True)
class Later:
    """Part of a card that takes a moment to compute: what a model has learned."""

    container: DeltaGenerator
    corpus: Place | None
    model: Place
    is_newest: bool  # only the newest model of a corpus has a summary in words
    is_wide: bool = False  # the card has the whole width: the map is beside the summary


NEXT_PAGES = {"corpus": "corpus", "train": "train", "watch": "train", "query": "query"}


def render() -> None:
    """Draw the page."""
    found = overview.corpora_with_runs()
    with st.container(horizontal=True, wrap=False, vertical_alignment="center", key="head"):
        are_graphs = bool(found) and all(map(_are_from_graphs, found))
        page.headline(strings.TITLE, strings.SENTENCE_OF_GRAPHS if are_graphs else strings.SENTENCE)
        tour.show_offer(found)
    _next(found)
    tour.show_start(found, lambda: _choose_for("query", found))
    is_going = any(entry.live for entry in found)
    # The cards are drawn again periodically only while a run is active.
    st.fragment(_cards, run_every=POLL_SECONDS if is_going else None)(is_going)


def _next(found: list[CorpusOverview]) -> None:
    """Draw the next step: a query if there is a model."""
    step = overview.next_step(found)
    if step == "query":
        _question(found)
        return
    with page.spread_row("next", border=True):
        can_show_sample = step == "corpus" and catalog.can_show_sample()
        note = strings.NEXT_NOTES[step] + (f" {strings.OR_SAMPLE}" if can_show_sample else "")
        st.markdown(note, width="content")
        with st.container(horizontal=True, width="content"):
            if step != "corpus" and st.button(strings.ADD, key="add-corpus"):
                routing.go_to("corpus")
            if can_show_sample:
                st.button(strings.SHOW_SAMPLE, key="show-sample", on_click=_show_sample)
            if st.button(strings.NEXT[step], type="primary", key="next-step"):
                _choose_for(step, found)
                routing.go_to(NEXT_PAGES[step])


def _question(found: list[CorpusOverview]) -> None:
    """Draw the query box for the chosen model, or for the newest model of a corpus that has one."""
    other = _other_for("query", found)
    model = other.models[0] if other else choice.model_place()
    summary = model_summary.summary_of(model.folder) if model else None
    translated = (summary.terms if summary else Terms()).translated
    with st.container(horizontal=True, vertical_alignment="center", key="next"):
        typed = st.text_input(
            translated(strings.QUESTION),
            key="home-question",
            placeholder=translated(strings.ASK_MODEL).format(model=model.name) if model else "",
            label_visibility="collapsed",
        )
        is_pressed = st.button(strings.ASK, type="primary", key="next-step")
        are_graphs = all(map(_are_from_graphs, found))
        add = strings.ADD_BESIDE_GRAPHS if are_graphs else strings.ADD
        if st.button(add, key="add-corpus"):
            routing.go_to("corpus")
    if is_pressed or typed.strip():
        _choose_for("query", found)
        routing.go_to("query", {"q": typed} if typed.strip() else {})


def _show_sample() -> None:
    with page.failures_shown():
        catalog.show_sample(True)


def _choose_for(step: str, found: list[CorpusOverview]) -> None:
    """Choose a corpus to which the next step applies, unless the chosen corpus is one."""
    other = _other_for(step, found)
    if other and other.place:
        choice.choose_corpus(other.place.name)


def _other_for(step: str, found: list[CorpusOverview]) -> CorpusOverview | None:
    """First corpus to which the next step applies, or None if the chosen corpus is one."""
    wanted = [entry for entry in found if entry.place and (entry.models or step != "query")]
    wanted = [entry for entry in wanted if entry.live or step != "watch"]
    if step == "query" and choice.lost_model() is not None:
        return None
    chosen = choice.corpus_place()
    is_chosen = chosen in [entry.place for entry in wanted]
    return None if is_chosen else next(iter(wanted), None)


@page.failures_shown()
def _cards(was_going: bool) -> None:
    found = overview.corpora_with_runs()
    if any(entry.live for entry in found) != was_going:
        st.rerun()
    is_wide = len(found) == 1
    columns = [st.container()] if is_wide else st.columns(COLUMNS, gap="medium")
    parts = list[Later]()
    # Each card is drawn in the shortest column, so that the columns have similar lengths.
    filled = [0.0] * len(columns)
    stories = model_summary.stories_by_model()
    for entry in found:
        shortest = filled.index(min(filled))
        filled[shortest] += 3.0 + len(entry.jobs) + 2 * len(entry.models)
        with columns[shortest]:
            parts += [replace(part, is_wide=is_wide) for part in _card(entry, stories)]
    # The summaries take a moment to compute, so the buttons are drawn first.
    for part in parts:
        _summary(part, stories.get(part.model.name, ()))


def _summary(part: Later, stories: Sequence[Story]) -> None:
    """Draw what a model has learned: its largest topics, its best result, stories, and a map."""
    found = model_summary.summary_of(part.model.folder)
    if found is None:
        return
    with part.container.container(gap="small", key=f"summary-{part.model.name}"):
        beside = st.columns(2, gap="large") if part.is_wide and part.is_newest else None
        if part.is_newest:
            with beside[0] if beside else nullcontext():
                _learned(part, found, stories)
        with beside[1] if beside else nullcontext():
            _small_map(part, found)


def _small_map(part: Later, found: ModelSummary) -> None:
    """Draw the largest topics; a click opens one in Graph, and asks for a word in Query."""
    if not found.boxes:
        return
    if found.boxes_are_words:
        st.caption(found.terms.translated(strings.WORDS_OF_MOST))
        described = shared_strings.MAP_OF_WORDS
    else:
        described = shared_strings.MAP_OF if found.documents else shared_strings.MAP_OF_GRAPH
    clicked = draw_small_map(
        found.boxes,
        description=found.terms.translated(described).format(model=part.model.name),
        key=f"map-{part.model.folder}",
    )
    if not clicked:
        return
    _choose(part.corpus, part.model.name)
    kind, _, name = clicked.partition(":")
    if kind == "word":
        routing.go_to("query", {"q": written([TypedWord(word_text(name), "present", 0)])})
    routing.go_to("graph", {"topic": name} if kind == "topic" else {})


def _learned(part: Later, found: ModelSummary, stories: Sequence[Story]) -> None:
    if part.corpus is None and not found.documents:
        st.caption(markdown_text(strings.graph_counts(found.n_topics, found.n_words, found.terms)))
    elif found.topics:
        heading, listed = strings.largest(found.documents), _with_sizes(found, found.topics)
        st.markdown(f"{heading} {strings.LIST_GAP.join(listed)}")
        general = _with_sizes(found, found.general)
        notes = [strings.general_topics(general)] if general else []
        if found.documents and found.has_hierarchy:
            notes.append(strings.INSIDE)
        if found.words_alone:
            alone = [markdown_text(word) for word in found.words_alone]
            notes.append(shared_strings.words_alone(alone))
        if notes:
            st.caption(" ".join(notes))
    if found.assumed_rate is not None:
        st.caption(
            markdown_text(shared_strings.assumed_rate(found.terms.topic, found.assumed_rate)),
            help=markdown_text(shared_strings.assumed_help(found.terms.topic)),
        )
    result = model_summary.result_of(part.model)
    if result:
        st.markdown(markdown_text(result))
    for story in stories:
        if st.button(
            markdown_text(strings.STORY.format(title=story.title)),
            key=f"story-{part.model.name}-{story.name}",
            icon=":material/slideshow:",
            type="tertiary",
        ):
            _choose(part.corpus, part.model.name)
            routing.go_to("stories", {STORY: story.name})


def _with_sizes(found: ModelSummary, topics: Sequence[tuple[str, float]]) -> list[str]:
    return [
        strings.topic_size(markdown_text(label), size, found.documents) for label, size in topics
    ]


def _card(entry: CorpusOverview, stories: Mapping[str, Sequence[Story]]) -> list[Later]:
    """Draw a corpus with its runs, and return the parts that are drawn later."""
    parts = list[Later]()
    name = entry.place.name if entry.place else ""
    with st.container(border=True, gap="small", key=f"corpus-{name}"):
        if entry.place is None:
            are_graphs = _are_from_graphs(entry)
            st.subheader(strings.FROM_GRAPHS if are_graphs else strings.LOST, anchor=False)
            st.caption(strings.FROM_GRAPHS_NOTE if are_graphs else strings.LOST_NOTE)
        else:
            _corpus_head(entry, entry.place)
        for job in entry.jobs:
            _run_row(entry, job, len(stories.get(job.name, ())))
            if job.has_model:
                place = Place(job.name, job.folder)
                # Without a corpus, each model was made from other texts or from a graph.
                is_newest = entry.place is None or place in entry.models[:1]
                parts.append(Later(st.empty(), entry.place, place, is_newest))
        for model in entry.models:
            if model.read_only:
                _sample_row(entry, model)
                is_newest = model in entry.models[:1]
                parts.append(Later(st.empty(), entry.place, model, is_newest))
        if entry.place is not None and not entry.jobs and not entry.models and not entry.error:
            st.caption(strings.NO_RUNS)
    return parts


def _are_from_graphs(entry: CorpusOverview) -> bool:
    """Whether all models of an entry were made from graphs, so that no corpus is missing."""
    return entry.place is None and all(runs.is_adopted(job.folder) for job in entry.jobs)


def _corpus_head(entry: CorpusOverview, place: Place) -> None:
    with st.container(gap=None):
        tag = f" :gray[:small[{strings.SAMPLE_TAG}]]" if place.read_only else ""
        st.subheader(markdown_text(place.name) + tag, anchor=False)
        if entry.error:
            st.caption(markdown_text(shell_strings.sentence(entry.error)))
        else:
            st.caption(
                strings.counts(entry.documents, entry.words, model_summary.years(place.folder))
            )
    with st.container(horizontal=True, key=f"buttons-{place.name}"):
        if not entry.error:
            _go(strings.READ, place, "documents")
            _go(strings.TRAIN, place, "train")
        if not place.read_only:
            _delete_corpus(entry, place)
        elif catalog.can_hide_sample():
            _hide_sample(entry, place.name)


def _hide_sample(entry: CorpusOverview, name: str) -> None:
    """Button that hides the sample; disabled during a run on it, which would be hidden too."""
    going = (
        strings.STILL_GOING.format(run=markdown_text(entry.live[0].name)) if entry.live else None
    )
    if st.button(strings.HIDE_SAMPLE, key="hide-sample", disabled=bool(going), help=going):
        with page.failures_shown():
            catalog.show_sample(False)
            choice.forget_deleted(choice.CORPUS, name)
            # The whole page runs again, because the next step changes too.
            st.rerun()


def _go(label: str, place: Place, to: str) -> None:
    """Button that chooses a corpus and opens a page."""
    if st.button(label, key=f"{to}-{place.name}"):
        choice.choose_corpus(place.name)
        routing.go_to(to)


def _run_row(entry: CorpusOverview, job: Job, stories: int) -> None:
    """Draw a run with a number of stories: its name, its state, and its buttons."""
    with page.spread_row(f"run-{job.name}"):
        with st.container(gap=None, width="stretch"):
            st.markdown(f"{strings.STATES_MARK[job.state]} **{markdown_text(job.name)}**")
            st.caption(markdown_text(_facts(job)))
        with st.container(horizontal=True, width="content", vertical_alignment="center"):
            if job.has_model and _tertiary(strings.ASK, f"ask-{job.name}"):
                _choose(entry.place, job.name)
                routing.go_to("query")
            label = strings.WATCH if job.is_live else strings.OPEN
            can_open = entry.place is not None and job.has_course
            if can_open and _tertiary(label, f"open-{job.name}"):
                _choose(entry.place, job.name if job.has_model else "")
                routing.go_to("train", {training.WATCHED: job.name})
            _delete_run(job, stories)


def _facts(job: Job) -> str:
    status = job.status
    if not job.has_course:
        return shell_strings.sentence(str(status.get("message", "")))
    topics = status.get("topics")
    state = progress.phase(job) if job.is_live else common_strings.STATES[job.state]
    updated = status.get("updated")
    trained = ""
    if not job.is_live and isinstance(updated, int | float):
        # A damaged file may contain any number.
        with suppress(ValueError, OverflowError, OSError):
            trained = strings.trained_on(date.fromtimestamp(updated), date.today())
    return strings.run_facts(
        "" if job.state == "finished" else state,
        f"{topics:,}" if isinstance(topics, int) else "",
        trained,
    )


def _sample_row(entry: CorpusOverview, model: Place) -> None:
    with page.spread_row("sample-run"):
        with st.container(gap=None, width="stretch"):
            st.markdown(f"{strings.STATES_MARK['finished']} **{markdown_text(model.name)}**")
            st.caption(strings.SAMPLE_MODEL)
        if _tertiary(strings.ASK, "sample-ask"):
            _choose(entry.place, model.name)
            routing.go_to("query")


def _tertiary(label: str, key: str) -> bool:
    return st.button(label, key=key, type="tertiary")


def _choose(place: Place | None, model: str) -> None:
    if place is not None:
        choice.choose_corpus(place.name)
    if model:
        choice.choose_model(model)


def _delete_corpus(entry: CorpusOverview, place: Place) -> None:
    with st.popover(strings.DELETE, icon=":material/delete:", key=f"delete-corpus-{place.name}"):
        st.write(strings.DELETE_CORPUS)
        if entry.live:
            st.warning(strings.STILL_GOING.format(run=markdown_text(entry.live[0].name)))
        elif entry.jobs:
            st.write(strings.used_by(len(entry.jobs)))
        _sure(choice.CORPUS, place.name, bool(entry.live), lambda: catalog.remove_corpus(place))


def _delete_run(job: Job, stories: int) -> None:
    question = shared_strings.REMOVE_QUESTION.format(run=markdown_text(job.name))
    question += f" {shell_strings.lost_with_run(stories)}"
    with st.popover("", icon=":material/delete:", type="tertiary", key=f"delete-run-{job.name}",
                    help=strings.DELETE):  # fmt: skip
        st.write(strings.STILL_RUNNING if job.is_live else question)
        if job.is_live and st.button(shared_strings.STOP, key=f"stop-{job.name}"):
            # Runs whose corpus is not in the workspace are missing on the Train page, so they are
            # stopped here.
            with page.failures_shown():
                runs.stop(job.folder)
                st.caption(common_strings.STOPPING)
        _sure(choice.MODEL, job.name, job.is_live, lambda: runs.remove(job.folder))


def _sure(kind: str, name: str, is_locked: bool, delete: Callable[[], None]) -> None:
    """Draw the button that confirms a deletion, and delete when it is pressed."""
    if not st.button(strings.DELETE_SURE, key=f"sure-{kind}-{name}", disabled=is_locked):
        return
    with page.failures_shown():
        delete()
        choice.forget_deleted(kind, name)
        st.rerun()
