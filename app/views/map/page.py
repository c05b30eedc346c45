"""Map page: every document is a point near documents with similar topics."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np
import streamlit as st

from ....core.drawing.links import topic_named
from ....core.model.topic_model import Run
from ....core.utils.errors import InputError
from ...components.points_component import PointsPicture, draw_points
from ...shared import cached_maps
from ...shared import strings as shared_strings
from ...shared.document_map import (
    Colouring,
    MapSelection,
    Points,
    highlighted_points,
    read_area,
    ways,
)
from ...shared.listing import WITHOUT_TOPIC_NAME
from ...shell import address, choice, empty_states, memory, page, resources
from ...text.safe_text import document_text, excerpt, file_name, markdown_text, shortened
from ...workspace import catalog
from ...workspace.facets import facts, title_of
from ...workspace.search_index import SearchTerms, read_terms, ready_index
from . import selected, strings
from .selected import Mapped
from .selected_documents import by_fit

HOVERED = "map-hovered"
KEY = "document-map"
LABEL_LETTERS = 40
TIP_LETTERS = 150
# Parameters of the address that select documents.
CONDITIONS = ("light", "on", "only", "area")


@dataclass(frozen=True)
class _Shown:
    """A map with its colours and the conditions that highlight points."""

    mapped: Mapped
    points: Points
    colouring: Colouring
    selection: MapSelection
    terms: SearchTerms


def render() -> None:
    """Draw the page."""
    run = empty_states.headed_run(strings.TITLE, strings.SENTENCE, strings.EMPTY)
    place = choice.model_place()
    if run is None or place is None:
        return
    corpus, missing = resources.corpus_of(run)
    if corpus is None:
        page.show_error(missing or strings.NO_CORPUS)
        return
    try:
        found = cached_maps.document_map(run, corpus)
    except InputError as error:
        selected.show_making(place.folder, str(error))
        return
    if found is None:
        selected.show_making(place.folder)
        return
    mapped = Mapped(corpus, resources.facets(run.corpus_path, corpus), run, found)
    points = cached_maps.points(run, found)
    if not len(points.rows):
        st.info(strings.NO_POINTS)
        return
    shown = _controls(mapped, points)
    st.fragment(_picture)(shown)
    rows = shown.points.rows[_highlighted(shown)]
    if not len(rows):
        st.info(strings.NOTHING)
    elif shown.selection.anything():
        selected.show_summary(mapped, points, np.sort(rows))
        selected.show_list(
            mapped, by_fit(np.sort(rows), mapped.found.on), len(points.rows), shown.terms
        )
    missed = points.n_documents - len(points.rows)
    more = len(points.labels) - len(shown.colouring.entries)
    page.remark(
        strings.more_topics(more) if shown.colouring.member is not None else "",
        strings.without_place(missed) if missed else "",
        hint=strings.HINT,
    )
    if missed and st.button(strings.LIST_THEM, key="map-without", type="tertiary"):
        page.open_documents(on=WITHOUT_TOPIC_NAME)


def _controls(mapped: Mapped, points: Points) -> _Shown:
    """Draw the search, the topic and the colours, and return the points with these choices."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="map-controls"):
        address.restore("light", "")
        text = st.text_input(
            strings.SEARCH, key="light", placeholder=strings.SEARCH_HINT,
            on_change=address.keep_from_start, args=("light",), width=300,
        )  # fmt: skip
        topic = _topic(mapped.run, points)
        by = _colours(mapped)
        if any(address.get(name) for name in CONDITIONS):
            cleared = dict.fromkeys((*CONDITIONS, "page"), "")
            st.button(strings.CLEAR, key="map-clear", type="tertiary",
                      on_click=address.put_all, kwargs=cleared)  # fmt: skip
    terms = read_terms(text)
    colouring = cached_maps.colouring(by, mapped.run, mapped.facets, points)
    found = None
    if terms.anything:
        # The first search of a corpus builds its index.
        with st.spinner(strings.SEARCH):
            index = ready_index(catalog.workspace(), mapped.run.corpus_path, mapped.corpus)
        found = resources.found(index, text)
    if terms.note:
        st.caption(terms.note)
    selection = MapSelection(
        found,
        topic,
        tuple(address.get_list("only")),
        read_area(address.get("area")),
    )
    return _Shown(mapped, points, colouring, selection, terms)


def _topic(run: Run, points: Points) -> int:
    """Draw the choice of a topic and return its number, -1 for any."""
    ids = run.network.graph.topic_ids
    number = {ids[label.topic]: label.topic for label in points.labels}
    topic = topic_named(run, address.get("on"))
    if topic >= 0:
        number.setdefault(ids[topic], topic)
        address.put("on", ids[topic])
    chosen = address.restore("on", "", ("", *number))
    st.selectbox(
        strings.TOPIC,
        ("", *number),
        key="on",
        format_func=lambda name: run.topic_labels[number[name]] if name else strings.ANY,
        on_change=address.keep_from_start,
        args=("on",),
        width=300,
    )
    return number.get(chosen, -1)


def _colours(mapped: Mapped) -> str:
    """Draw the choice of the column that gives the colours, and return it."""
    options = ways(mapped.facets)
    if len(options) == 1:
        return options[0]
    facets = mapped.facets
    names = {
        name: markdown_text(shared_strings.colour_name(name, facets.label_name, facets.date_name))
        for name in options
    }
    return page.choose("colour", strings.COLOUR, names, on_change=_recolour)


def _recolour(name: str) -> None:
    address.put_all(**{name: str(memory.recall(name) or "topic")}, only="", page="")


def _highlighted(shown: _Shown) -> np.ndarray:
    mapped = shown.mapped
    return highlighted_points(
        shown.selection, shown.points, shown.colouring, mapped.found, mapped.run
    )


def _picture(shown: _Shown) -> None:
    """Draw the points; as a fragment, because a resting pointer only needs a few lines of text."""
    mapped, points, colouring = shown.mapped, shown.points, shown.colouring
    only = set(shown.selection.only)
    hovered = memory.recall(HOVERED, -1)
    picture = PointsPicture(
        place=points.place,
        colour=colouring.colour,
        highlighted=_highlighted(shown),
        palette=colouring.palette,
        labels=[
            (shortened(label.text, LABEL_LETTERS), label.x, label.y)
            for label in points.labels
            if label.topic not in mapped.run.set_aside_topics
        ],
        legend=[
            (entry.key, entry.name, f"{entry.count:,}", entry.colour, entry.key in only)
            for entry in colouring.entries
        ],
        area=[] if shown.selection.area is None else shown.selection.area.ravel().tolist(),
        tip=(hovered, _tip(shown, hovered)) if 0 <= hovered < len(points.rows) else None,
        description=shared_strings.description(len(points.rows), len(points.labels)),
        save_as=file_name(choice.model_name(mapped.run), "map"),
    )
    opened = draw_points(
        picture, key=KEY, on_hover=partial(memory.remember, HOVERED),
        on_area=_select, on_legend=_toggle,
    )  # fmt: skip
    if 0 <= opened < len(points.rows):
        name = str(mapped.corpus.documents["id"].iat[int(points.rows[opened])])
        page.open_documents(doc=name)
    if memory.recall("map-moved"):
        memory.forget("map-moved")
        st.rerun()


def _select(area: str) -> None:
    address.put_all(area=area if read_area(area) is not None else "", page="")
    memory.remember("map-moved", True)


def _toggle(key: str) -> None:
    """Add an entry of the legend to the highlighted ones, or remove it."""
    chosen = address.get_list("only")
    others = [entry for entry in chosen if entry != key]
    address.put_list("only", others if key in chosen else [*chosen, key])
    address.put("page", "")
    memory.remember("map-moved", True)


def _tip(shown: _Shown, point: int) -> list[str]:
    mapped, row = shown.mapped, int(shown.points.rows[point])
    text = document_text(mapped.corpus, row)
    parts = excerpt(text, [], TIP_LETTERS)
    return [
        title_of(mapped.facets, row, text),
        " · ".join(facts(mapped.facets, row, mapped.facets.name[row])),
        f"● {mapped.run.topic_labels[int(shown.points.topic[point])]}",
        "".join(part.text for part in parts),
    ]
