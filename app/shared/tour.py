"""The tour of a first visit: its offer on Home, and a bar above the page of each stop."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from ...core.drawing.links import node_key
from ...core.drawing.question import read_question
from ...core.drawing.selection import shown_probability
from ...core.model.terms import Terms
from ...core.model.topic_model import Run
from ...core.storage.atomic import write_json
from ...core.storage.reading import read_json
from ...core.storage.stories import read_stories
from ...core.utils.errors import InputError
from ...core.utils.read_only import is_read_only
from ..components.buttons import scroll_to
from ..shell import address, choice, loaders, memory, resources, routing
from ..workspace import catalog, overview
from ..workspace.overview import CorpusOverview, can_ask
from . import cached_facts, cached_maps
from . import strings as shared_strings
from .answers import posterior_of

FILE = "tour.json"
# URL parameter of the tour: the number of a stop, from 1; 0 is Home.
PARAMETER = "tour"
OVERVIEW = "0"
# Session key: the tour was closed.
CLOSED = "tour-closed"


@dataclass(frozen=True)
class Stop:
    """A stop of the tour."""

    name: str  # key of its strings
    page: str
    shown: str  # CSS selector of what its caption describes


STOPS = (
    Stop("ask", "query", ".st-key-boxes, .st-key-drawing"),
    Stop("compare", "query", ".st-key-drawing"),
    Stop("why", "query", ".st-key-why"),
    Stop("whole", "graph", ".st-key-graph-map"),
    Stop("map", "map", ".st-key-document-map"),
    Stop("groups", "groups", ".st-key-group-map"),
    Stop("stories", "stories", ".st-key-story-view, .st-key-empty-state"),
)


def stop_number(text: str) -> int:
    """Index in `STOPS` of the stop in a URL; -1 without one."""
    numbers = [str(number) for number in range(1, len(STOPS) + 1)]
    return numbers.index(text) if text in numbers else -1


def is_due(found: Sequence[CorpusOverview], workspace: Path) -> bool:
    """Whether to offer the tour: the workspace has only samples, and it was not closed."""
    is_own = any(entry.jobs or entry.place is None or not entry.place.read_only for entry in found)
    return can_ask(found) and not is_own and not was_closed(workspace)


def was_closed(workspace: Path) -> bool:
    """Whether the tour was closed in this workspace; a damaged record counts as no."""
    try:
        return read_json(workspace / FILE).get("closed") is True
    except InputError:
        return False


def close(workspace: Path) -> None:
    """Record that the tour was closed; if that fails, it is offered again."""
    if is_read_only():
        return
    with suppress(OSError):
        workspace.mkdir(parents=True, exist_ok=True)
        write_json(workspace / FILE, {"version": 1, "closed": True})


def address_of(number: int, run: Run, queries: Sequence[Sequence[str]]) -> dict[str, str]:
    """URL parameters of a stop, such that its page shows something.

    ``number`` is the index in `STOPS`. Each sequence in ``queries`` has example queries for the
    senses of one word.
    """
    address = {PARAMETER: str(number + 1)}
    name, flat = STOPS[number].name, [text for texts in queries for text in texts]
    if name == "groups":
        return address | {"view": "map"}
    if STOPS[number].page != "query" or not flat:
        return address
    if name == "compare":
        pair = next((texts for texts in queries if len(texts) > 1), flat)
        return address | dict(zip(("q", "q2"), pair, strict=False))
    if name == "why":
        return address | {"q": flat[0], "sel": _surest_topic(run, flat[0])}
    return address | {"q": flat[0]}


def _surest_topic(run: Run, text: str) -> str:
    """Key of the most probable topic that the answer to a query shows, or an empty text."""
    posterior = posterior_of(run.network, read_question(run, text).evidence(closed_world=False))
    shown = shown_probability(run, posterior)
    return node_key(run, max(shown, key=shown.__getitem__)) if shown else ""


def first_stop() -> dict[str, str]:
    """URL parameters that begin the tour; empty if it is not offered."""
    return {PARAMETER: "1"} if _is_shown(overview.corpora_with_runs()) else {}


def show_offer(found: Sequence[CorpusOverview]) -> None:
    """Draw the button that offers the tour again, if it is not offered."""
    if overview.can_ask(found) and not _is_shown(found):
        st.button(
            shared_strings.AGAIN,
            key="tour-again",
            type="tertiary",
            icon=":material/tour:",
            on_click=address.put,
            args=(PARAMETER, OVERVIEW),
        )


def show_start(found: Sequence[CorpusOverview], choose: Callable[[], None]) -> None:
    """Draw the start of the tour on Home, if it is offered; ``choose`` opens a model."""
    if not _is_shown(found):
        return
    with st.container(border=True, key="tour"):
        st.subheader(shared_strings.TOUR_TITLE, anchor=False)
        run = loaders.current_run()
        is_of_graph = run is not None and not run.has_texts
        sentence = shared_strings.SENTENCE_OF_GRAPH if is_of_graph else shared_strings.SENTENCE
        st.caption(run.terms.translated(sentence) if run else sentence)
        with st.container(horizontal=True, vertical_alignment="center"):
            is_begun = st.button(shared_strings.BEGIN, key="tour-begin", icon=":material/tour:")
            st.button(shared_strings.CLOSE, key="tour-close", type="tertiary", on_click=_close)
    if is_begun:
        choose()
        _go(0)


def show_bar(page: str) -> None:
    """Draw the bar of the stop in the URL, on the page of that stop."""
    number = stop_number(address.get(PARAMETER))
    if number < 0 or STOPS[number].page != page:
        return
    stop = STOPS[number]
    run = loaders.current_run()
    has_texts, translated = run is None or run.has_texts, (run.terms if run else Terms()).translated
    ahead = [place for place in range(len(STOPS)) if _has_something(place)]
    with st.container(
        border=True, horizontal=True, wrap=False, vertical_alignment="center", key="tour-bar"
    ):
        with st.container(gap=None):
            past = sum(place <= number for place in ahead)
            title = translated(shared_strings.TITLES[stop.name])
            st.markdown(shared_strings.stop(past, len(ahead), title))
            st.caption(translated(shared_strings.seen(stop.name, has_texts=has_texts)))
        # On a phone, and on a long page, the described part is further down.
        scroll_to(stop.shown, key=f"tour-scroll-{stop.name}")
        following = next((place for place in ahead if place > number), None)
        if following is None:
            if st.button(shared_strings.DONE, key="tour-done", type="primary"):
                _close()
                routing.go_to("home")
            return
        st.button(shared_strings.END, key="tour-end", type="tertiary", on_click=_close)
        title = translated(shared_strings.TITLES[STOPS[following].name])
        if st.button(shared_strings.next_stop(title), key="tour-next", type="primary"):
            _go(following)


def _has_something(number: int) -> bool:
    """Whether the page of a stop has content for the open model."""
    name = STOPS[number].name
    if name == "stories":
        return not is_read_only() or bool(read_stories(catalog.workspace())[0])
    run, place = loaders.current_run(), choice.model_place()
    if name not in ("map", "groups") or run is None or place is None:
        return run is not None
    corpus = resources.corpus_of(run)[0]
    if corpus is None:
        return False
    if name == "groups":
        has_groups = any(cached_facts.columns(run.corpus_path, corpus))
        return has_groups and resources.sound_activations(run) is not None
    with suppress(InputError):
        return cached_maps.document_map(run, corpus) is not None
    return False


def _is_shown(found: Sequence[CorpusOverview]) -> bool:
    if address.get(PARAMETER) == OVERVIEW:
        return overview.can_ask(found)
    return not memory.recall(CLOSED) and is_due(found, catalog.workspace())


def _go(number: int) -> None:
    run = loaders.current_run()
    if run is not None:
        queries = [example.queries for example in cached_facts.examples(run)]
        routing.go_to(STOPS[number].page, address_of(number, run, queries))


def _close() -> None:
    # Also in the session, since the workspace may be read-only.
    memory.remember(CLOSED, True)
    close(catalog.workspace())
    address.put(PARAMETER, "")
