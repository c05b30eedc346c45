"""The tour of a first visit: its stops on Home, and a bar above the page of each stop."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from orrery.app.components.scroll_component import scroll_to
from orrery.app.session import address, loaders, memory, model_facts, routing
from orrery.app.welcome import overview, tour
from orrery.app.welcome.overview import CorpusOverview
from orrery.app.words import tour as words
from orrery.app.workspace import catalog

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


def show_stops(found: Sequence[CorpusOverview], choose: Callable[[], None]) -> None:
    """Draw the stops on Home, where the tour is due or was asked for.

    Parameters
    ----------
    found : sequence of CorpusOverview
    choose : callable
        Makes a model current that can be asked.
    """
    if not _is_shown(found):
        return
    with st.container(border=True, key="tour"):
        with st.container(
            horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"
        ):
            with st.container(gap=None, width="content"):
                st.subheader(words.TITLE, anchor=False)
                st.caption(words.SENTENCE)
            st.button(words.CLOSE, key="tour-close", type="tertiary", on_click=_close)
        for number, column in enumerate(st.columns(len(tour.STOPS), gap="medium")):
            with column:
                _show_stop(number, choose)


def show_bar(page: str) -> None:
    """Draw the bar of the stop that the address names, on that stop's own page."""
    number = tour.stop_number(address.get(tour.PARAMETER))
    if number < 0 or tour.STOPS[number].page != page:
        return
    name = tour.STOPS[number].name
    is_last = number + 1 == len(tour.STOPS)
    with st.container(
        border=True, horizontal=True, wrap=False, vertical_alignment="center", key="tour-bar"
    ):
        with st.container(gap=None):
            st.markdown(words.stop(number + 1, len(tour.STOPS), name))
            st.caption(words.SEEN[name])
        if is_last:
            if st.button(words.DONE, key="tour-done", type="primary"):
                _close()
                routing.go_to("home")
            return
        st.button(words.END, key="tour-end", type="tertiary", on_click=_close)
        if name == "why":
            # What the stop speaks of is further down than most windows reach.
            scroll_to(".st-key-why", key="tour-scroll")
        following = words.next_stop(tour.STOPS[number + 1].name)
        if st.button(following, key="tour-next", type="primary"):
            _go(number + 1)


def _is_shown(found: Sequence[CorpusOverview]) -> bool:
    if address.get(tour.PARAMETER) == tour.OVERVIEW:
        return overview.can_ask(found)
    return not memory.recall(CLOSED) and tour.is_due(found, catalog.workspace())


def _show_stop(number: int, choose: Callable[[], None]) -> None:
    name = tour.STOPS[number].name
    with st.container(height="stretch", vertical_alignment="distribute", gap="small"):
        with st.container(gap=None):
            st.markdown(f"**{number + 1} · {words.TITLES[name]}**")
            st.caption(words.NOTES[name])
        is_pressed = st.button(words.BUTTONS[name], key=f"tour-{name}", width="stretch")
    if is_pressed:
        choose()
        _go(number)


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
