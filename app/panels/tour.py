"""The tour of a first visit: its offer on Home, and a bar above the page of each stop."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress

import streamlit as st

from orrery.app.components.scroll_component import scroll_to
from orrery.app.session import (
    address,
    choice,
    grouped,
    loaders,
    map_resources,
    memory,
    model_facts,
    resources,
    routing,
)
from orrery.app.welcome import overview, tour
from orrery.app.welcome.overview import CorpusOverview
from orrery.app.words import tour as words
from orrery.app.workspace import catalog
from orrery.core.errors import InputError
from orrery.core.read_only import is_read_only
from orrery.core.storage.stories import read_stories

CLOSED = "tour-closed"


def first_stop() -> dict[str, str]:
    """Parameters of the address that begin the tour; none if it is not due."""
    return {tour.PARAMETER: "1"} if _is_shown(overview.corpora_with_runs()) else {}


def show_offer(found: Sequence[CorpusOverview]) -> None:
    """Draw the button that brings the tour back, where it is not shown."""
    if overview.can_ask(found) and not _is_shown(found):
        st.button(
            words.AGAIN,
            key="tour-again",
            type="tertiary",
            icon=":material/tour:",
            on_click=address.put,
            args=(tour.PARAMETER, tour.OVERVIEW),
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
        st.subheader(words.TITLE, anchor=False)
        st.caption(words.SENTENCE)
        with st.container(horizontal=True, vertical_alignment="center"):
            is_begun = st.button(words.BEGIN, key="tour-begin", icon=":material/tour:")
            st.button(words.CLOSE, key="tour-close", type="tertiary", on_click=_close)
    if is_begun:
        choose()
        _go(0)


def show_bar(page: str) -> None:
    """Draw the bar of the stop that the address names, on that stop's own page."""
    number = tour.stop_number(address.get(tour.PARAMETER))
    if number < 0 or tour.STOPS[number].page != page:
        return
    stop = tour.STOPS[number]
    ahead = [place for place in range(len(tour.STOPS)) if _has_something(place)]
    with st.container(
        border=True, horizontal=True, wrap=False, vertical_alignment="center", key="tour-bar"
    ):
        with st.container(gap=None):
            past = sum(place <= number for place in ahead)
            st.markdown(words.stop(past, len(ahead), stop.name))
            st.caption(words.SEEN[stop.name])
        # On a phone, and below a long page, what the stop speaks of is further down.
        scroll_to(stop.shown, key=f"tour-scroll-{stop.name}")
        following = next((place for place in ahead if place > number), None)
        if following is None:
            if st.button(words.DONE, key="tour-done", type="primary"):
                _close()
                routing.go_to("home")
            return
        st.button(words.END, key="tour-end", type="tertiary", on_click=_close)
        name = words.next_stop(tour.STOPS[following].name)
        if st.button(name, key="tour-next", type="primary"):
            _go(following)


def _has_something(number: int) -> bool:
    """Whether the page of a stop can show anything for the model that is open."""
    name = tour.STOPS[number].name
    if name == "stories":
        return not is_read_only() or bool(read_stories(catalog.workspace())[0])
    run, place = loaders.current_run(), choice.model_place()
    if name not in ("map", "groups") or run is None or place is None:
        return run is not None
    corpus = resources.corpus_of(run)[0]
    if corpus is None:
        return False
    if name == "groups":
        has_groups = any(grouped.columns(run.corpus_path, corpus))
        return has_groups and resources.activations(run.folder) is not None
    with suppress(InputError):
        return map_resources.document_map(place.folder, run, corpus) is not None
    return False


def _is_shown(found: Sequence[CorpusOverview]) -> bool:
    if address.get(tour.PARAMETER) == tour.OVERVIEW:
        return overview.can_ask(found)
    return not memory.recall(CLOSED) and tour.is_due(found, catalog.workspace())


def _go(number: int) -> None:
    run = loaders.current_run()
    if run is not None:
        queries = [example.queries for example in model_facts.examples(run)]
        routing.go_to(tour.STOPS[number].page, tour.address_of(number, run, queries))


def _close() -> None:
    # The session remembers too, because the workspace may be read-only.
    memory.remember(CLOSED, True)
    tour.close(catalog.workspace())
    address.put(tour.PARAMETER, "")
