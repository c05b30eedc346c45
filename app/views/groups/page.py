"""Groups page: topics by label and over time, and topics that distinguish a group or period."""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st

from ....core.data.corpus import Corpus
from ....core.evaluation.group_topics import GroupTopics
from ....core.model.topic_model import Run
from ....core.utils.errors import InputError
from ...charts import strings as chart_strings
from ...charts.groups import CELL, NAME, heat_map
from ...charts.theme import specification
from ...shared import cached_facts
from ...shared import strings as shared_strings
from ...shared.groups import MAX_TOPICS, along_the_groups, cells, telling_topics
from ...shell import empty_states, page, resources
from ...shell import strings as shell_strings
from ...text.safe_text import markdown_text
from . import choice, panels, strings
from .choice import Shown
from .panels import Side


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
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom", key="grouping"):
        column, step = choice.choose_grouping(run.corpus_path, corpus, values, dated)
        found = cached_facts.topics(run, corpus, column, step)
        missing = strings.NO_LIST if found is None else _missing(found)
        if found is not None and not missing:
            view = choice.choose_view(found.grouping)
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
    if view == "course":
        panels.show_courses(shown)
    elif view == "map":
        _show_map(shown)
    else:
        {"one": _show_one, "two": _show_two, "new": _show_new}[view](shown)
    choice.show_foot(shown, view)


def _show_map(shown: Shown) -> None:
    """Draw the heat map; a click on a cell opens its documents, on a name its topic."""
    run, found = shown.run, shown.found
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom", key="map-choice"):
        measure = choice.choose_measure()
        groups = choice.choose_shown(found)
    places = along_the_groups(found, telling_topics(found, groups, MAX_TOPICS), groups)
    table = cells(run, found, places, groups, measure)
    names = [found.grouping.names[group] for group in groups]
    key = shared_strings.key_to_colours(measure, float(table["share"].max()))
    st.caption(key)
    chart = heat_map(table, list(dict.fromkeys(table["name"])), names)
    event: Any = st.vega_lite_chart(
        specification(chart),
        key="group-map",
        on_select="rerun",
        selection_mode=(CELL, NAME),
        alt=f"{chart_strings.MAP_ALT} {key}",
    )
    left_out = shared_strings.not_shown(
        len(found.topics) - len(places), len(found.grouping.names) - len(groups)
    )
    page.remark(left_out, hint=strings.MAP_HINT)
    shown.follow(event)


def _show_one(shown: Shown) -> None:
    group = choice.choose_group(shown, "group", chart_strings.GROUP, 0)
    sides = _more_and_less(shared_strings.ELSEWHERE)
    compared = shown.found.against_others
    panels.show_topics(shown.run, shown.found, compared, group, sides, shown.opener(group))


def _show_two(shown: Shown) -> None:
    with st.container(horizontal=True, gap="medium", key="two-groups"):
        first = choice.choose_group(shown, "group", chart_strings.GROUP, 0)
        second = choice.choose_group(shown, "other", chart_strings.OTHER, 1)
    sides = _more_and_less(f"in {shown.found.grouping.names[second]}")
    compared = shown.found.against(first, second)
    panels.show_topics(shown.run, shown.found, compared, 0, sides, shown.opener(first))


def _more_and_less(other: str) -> tuple[Side, Side]:
    return (
        Side(shared_strings.MORE.format(other=other), shared_strings.NOTHING_MORE, True),
        Side(shared_strings.LESS.format(other=other), shared_strings.NOTHING_LESS, False),
    )


def _show_new(shown: Shown) -> None:
    """Draw the topics of a period against all earlier periods, by default the last period."""
    last = len(shown.found.grouping.names) - 1
    group = choice.choose_group(shown, "group", chart_strings.PERIOD, last)
    if group == 0:
        st.info(shared_strings.FIRST)
        return
    sides = (
        Side(shared_strings.NEW, shared_strings.NOTHING_MORE, True),
        Side(shared_strings.GONE, shared_strings.NOTHING_LESS, False),
    )
    compared = shown.found.against_before
    panels.show_topics(shown.run, shown.found, compared, group, sides, shown.opener(group))
