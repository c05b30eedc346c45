"""The tour of a first visit: whether it is due, and where its stops lead (no streamlit).

The tour of a first visit: its offer on Home, and a bar above the page of each stop.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import streamlit as st

from ...core.drawing.links import node_key
from ...core.drawing.question import read_question
from ...core.storage.atomic import write_json
from ...core.storage.reading import read_json
from ...core.storage.stories import read_stories
from ...core.utils.errors import InputError
from ...core.utils.read_only import is_read_only
from ..components.scroll_component import scroll_to
from ..shell import address, choice, loaders, memory, resources, routing
from ..workspace import catalog, overview
from ..workspace.overview import CorpusOverview, can_ask
from . import cached_facts, cached_maps
from . import strings as shared_strings
from .answers import posterior_of

if TYPE_CHECKING:
    from ...core.model.topic_model import Run


FILE = "tour.json"
# The parameter of an address that belongs to the tour: the number of a stop, from 1; 0 is Home.
PARAMETER = "tour"
OVERVIEW = "0"


@dataclass(frozen=True)
class Stop:
    """A stop of the tour.

    Attributes
    ----------
    name : str
        Its words are found under this name.
    page : str
    shown : str
        CSS selector of what its words speak of.
    """

    name: str
    page: str
    shown: str


STOPS = (
    Stop("ask", "query", ".st-key-drawing"),
    Stop("compare", "query", ".st-key-drawing"),
    Stop("why", "query", ".st-key-why"),
    Stop("whole", "graph", ".st-key-graph-map"),
    Stop("map", "map", ".st-key-document-map"),
    Stop("groups", "groups", ".st-key-group-map"),
    Stop("stories", "stories", ".st-key-story-view, .st-key-empty-state"),
)


def stop_number(text: str) -> int:
    """Place of a stop in `STOPS` that an address names; -1 where it names none."""
    numbers = [str(number) for number in range(1, len(STOPS) + 1)]
    return numbers.index(text) if text in numbers else -1


def is_due(found: Sequence[CorpusOverview], workspace: Path) -> bool:
    """Whether to offer the tour: nothing here is the person's own, and it was not closed."""
    is_own = any(entry.jobs or entry.place is None or not entry.place.read_only for entry in found)
    return can_ask(found) and not is_own and not was_closed(workspace)


def was_closed(workspace: Path) -> bool:
    """Whether the tour was closed in this workspace; a damaged record counts as none."""
    try:
        return read_json(workspace / FILE).get("closed") is True
    except InputError:
        return False


def close(workspace: Path) -> None:
    """Remember that the tour was closed; if that cannot be written, it comes back next time."""
    if is_read_only():
        return
    with suppress(OSError):
        workspace.mkdir(parents=True, exist_ok=True)
        write_json(workspace / FILE, {"version": 1, "closed": True})


def address_of(number: int, run: Run, queries: Sequence[Sequence[str]]) -> dict[str, str]:
    """Parameters of the address of a stop, so that its page shows something.

    Parameters
    ----------
    number : int
        Place in `STOPS`.
    run : Run
    queries : sequence of sequences of str
        Example queries; those of one sequence ask for one word in different senses.
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
    """Key of the most probable topic of a query, "" where it reaches none."""
    posterior = posterior_of(run.network, read_question(run, text).evidence(closed_world=False))
    if not len(posterior.probability):
        return ""
    return node_key(run, int(posterior.local.topics[np.argmax(posterior.probability)]))


CLOSED = "tour-closed"


def first_stop() -> dict[str, str]:
    """Parameters of the address that begin the tour; none if it is not due."""
    return {PARAMETER: "1"} if _is_shown(overview.corpora_with_runs()) else {}


def show_offer(found: Sequence[CorpusOverview]) -> None:
    """Draw the button that brings the tour back, where it is not shown."""
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
    """Draw its beginning on Home, where the tour is due or was asked for.

    Parameters
    ----------
    found : sequence of CorpusOverview
    choose : callable
        Makes a model current that can be asked.
    """
    if not _is_shown(found):
        return
    with st.container(border=True, key="tour"):
        st.subheader(shared_strings.TOUR_TITLE, anchor=False)
        st.caption(shared_strings.SENTENCE)
        with st.container(horizontal=True, vertical_alignment="center"):
            is_begun = st.button(shared_strings.BEGIN, key="tour-begin", icon=":material/tour:")
            st.button(shared_strings.CLOSE, key="tour-close", type="tertiary", on_click=_close)
    if is_begun:
        choose()
        _go(0)


def show_bar(page: str) -> None:
    """Draw the bar of the stop that the address names, on that stop's own page."""
    number = stop_number(address.get(PARAMETER))
    if number < 0 or STOPS[number].page != page:
        return
    stop = STOPS[number]
    ahead = [place for place in range(len(STOPS)) if _has_something(place)]
    with st.container(
        border=True, horizontal=True, wrap=False, vertical_alignment="center", key="tour-bar"
    ):
        with st.container(gap=None):
            past = sum(place <= number for place in ahead)
            st.markdown(shared_strings.stop(past, len(ahead), stop.name))
            st.caption(shared_strings.SEEN[stop.name])
        # On a phone, and below a long page, what the stop speaks of is further down.
        scroll_to(stop.shown, key=f"tour-scroll-{stop.name}")
        following = next((place for place in ahead if place > number), None)
        if following is None:
            if st.button(shared_strings.DONE, key="tour-done", type="primary"):
                _close()
                routing.go_to("home")
            return
        st.button(shared_strings.END, key="tour-end", type="tertiary", on_click=_close)
        name = shared_strings.next_stop(STOPS[following].name)
        if st.button(name, key="tour-next", type="primary"):
            _go(following)


def _has_something(number: int) -> bool:
    """Whether the page of a stop can show anything for the model that is open."""
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
        return has_groups and resources.activations(run.folder) is not None
    with suppress(InputError):
        return cached_maps.document_map(place.folder, run, corpus) is not None
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
    # The session remembers too, because the workspace may be read-only.
    memory.remember(CLOSED, True)
    close(catalog.workspace())
    address.put(PARAMETER, "")
