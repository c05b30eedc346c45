"""Groups page: topics by label and over time, and topics that distinguish a group or period."""

from __future__ import annotations

from functools import partial

import numpy as np
import streamlit as st

from ....core.data.corpus import Corpus
from ....core.evaluation.group_topics import GroupTopics
from ....core.model.topic_model import Run
from ....core.utils.errors import InputError
from ....core.utils.parsing import read_whole_number
from ...charts import strings as chart_strings
from ...charts.groups import heat_map, scale_html
from ...shared import cached_facts
from ...shared import strings as shared_strings
from ...shared.groups import (
    MAX_DOUBLINGS,
    ROWS,
    SMALL_GROUP,
    cells,
    chosen_grouping,
    compared_groups,
    most_topics,
    on_the_map,
    scale_top,
    topics_of_map,
    views_of,
)
from ...shell import address, empty_states, page, resources
from ...shell import strings as shell_strings
from ...text.safe_text import markdown_text
from . import choice, panels, strings
from .choice import Shown


def render() -> None:
    """Draw the page."""
    run = empty_states.headed_run(shared_strings.GROUPS_TITLE, strings.SENTENCE, strings.EMPTY)
    if run is None:
        return
    corpus, gone = _corpus_of(run)
    if corpus is None:
        st.info(gone)
        return
    values, dated = cached_facts.columns(run.corpus_path, corpus)
    if not values and not dated:
        empty_states.empty(
            strings.NO_GROUPS_TITLE, strings.NO_GROUPS, shell_strings.TO_CORPUS, "corpus"
        )
        return
    read = partial(cached_facts.grouping, run.corpus_path, corpus)
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom", key="grouping"):
        choose = partial(choice.choose, corpus.recipe)
        column, step = chosen_grouping(read, values, dated, choose)
        found = cached_facts.topics(run, corpus, column, step)
        missing = strings.NO_LIST if found is None else _missing(found)
        if found is not None and not missing:
            view = page.choose("view", strings.VIEW, views_of(found.grouping))
    if missing or found is None:
        st.info(missing)
        return
    _show(Shown(run, corpus, found), view)


def _corpus_of(run: Run) -> tuple[Corpus | None, str]:
    try:
        return resources.corpus_of(run)
    except InputError as error:
        return None, markdown_text(shell_strings.sentence(str(error)))


def _missing(found: GroupTopics) -> str:
    """Reason why these groups cannot be compared, or ""."""
    filled = np.flatnonzero(found.counts.documents[:, 0])
    if not len(filled):
        return strings.NO_DOCUMENTS
    if len(filled) == 1:
        return strings.ONE_GROUP.format(name=markdown_text(found.grouping.names[int(filled[0])]))
    return "" if len(found.topics) else strings.NO_TOPICS


def _show(shown: Shown, view: str) -> None:
    compared = None
    if view == "course":
        panels.show_courses(shown)
    elif view == "map":
        _show_map(shown)
    else:
        with st.container(horizontal=True, gap="medium", key="two-groups"):
            compared = compared_groups(shown.found, view, partial(choice.choose_group, shown, view))
        if compared is None:
            st.info(shared_strings.FIRST)
        else:
            panels.show_topics(shown, compared)
    choice.show_foot(shown, view, compared)


def _show_map(shown: Shown) -> None:
    """Draw the heat map; a click on a cell opens its documents, on a name its topic."""
    run, found = shown.run, shown.found
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom", key="map-choice"):
        measure = page.choose("show", strings.MEASURE, shared_strings.MEASURES)
        groups = choice.choose_shown(found)
    places = topics_of_map(found, address.everything(), groups)
    table = cells(run, found, places, groups, measure)
    names = [found.grouping.names[group] for group in groups]
    top = scale_top(found, places, groups)
    sizes = found.counts.documents[groups, 0].tolist()
    has_small = min(sizes, default=0.0) < SMALL_GROUP
    key = shared_strings.key_to_colours(measure, top, has_small=has_small)
    st.caption(f"{on_the_map(found, places, groups)} {key}".strip())
    st.html(scale_html(shared_strings.colour_scale(measure, top)))
    chart = heat_map(table, list(dict.fromkeys(table["name"])), names, sizes)
    shown.draw(chart, "group-map", f"{chart_strings.MAP_ALT} {key}", has_names=True)
    _turn_rows(len(places), min(len(found.topics), most_topics(groups)))
    page.remark(hint=strings.MAP_HINT)


def _turn_rows(shown: int, most: int) -> None:
    """Draw buttons that double the number of topics, and that go back to the first ones."""
    doublings = read_whole_number(address.get(ROWS)) or 0
    with st.container(horizontal=True, key="map-rows"):
        if shown < most:
            st.button(
                strings.MORE_TOPICS, key="more-topics", on_click=address.put,
                args=(ROWS, str(min(doublings, MAX_DOUBLINGS - 1) + 1)),
            )  # fmt: skip
        if doublings:
            st.button(strings.FEWER_TOPICS, key="fewer-topics", type="tertiary",
                      on_click=address.put, args=(ROWS, ""))  # fmt: skip
