"""Groups: topics by label and over time, what distinguishes a group, what each year brought."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import streamlit as st

from orrery.app.charts.chart_theme import specification
from orrery.app.charts.group_charts import CELL, NAME, heat_map
from orrery.app.documents.group_pictures import (
    MOST_TOPICS,
    along_the_groups,
    cells,
    telling_topics,
)
from orrery.app.frame import empty_states, page
from orrery.app.panels import group_choice, group_courses, group_topics
from orrery.app.panels.group_choice import Shown
from orrery.app.panels.group_topics import Side
from orrery.app.session import grouped, resources
from orrery.app.text.escaping import markdown_text
from orrery.app.words import common
from orrery.app.words import groups as words
from orrery.core.errors import InputError

if TYPE_CHECKING:
    from orrery.core.corpus import Corpus
    from orrery.core.evaluation.group_topics import GroupTopics
    from orrery.core.run import Run


def render() -> None:
    """Draw the page."""
    run = empty_states.headed_run(words.TITLE, words.SENTENCE, words.EMPTY)
    if run is None:
        return
    corpus, gone = _corpus_of(run)
    if corpus is None:
        st.info(gone)
        return
    values, dated = grouped.columns(run.corpus_path, corpus)
    if not values and not dated:
        empty_states.empty(words.NO_GROUPS_TITLE, words.NO_GROUPS, common.TO_CORPUS, "corpus")
        return
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom", key="grouping"):
        column, step = group_choice.choose_grouping(run.corpus_path, corpus, values, dated)
        found = grouped.topics(run, corpus, column, step)
        missing = words.NO_LIST if found is None else _missing(found)
        if found is not None and not missing:
            view = group_choice.choose_view(found.grouping)
    if missing or found is None:
        st.info(missing)
        return
    _show(Shown(run, corpus, found), view)


def _corpus_of(run: Run) -> tuple[Corpus | None, str]:
    try:
        return resources.corpus_of(run)
    except InputError as error:
        return None, markdown_text(common.sentence(str(error)))


def _missing(found: GroupTopics) -> str:
    """Why these groups cannot be compared."""
    filled = np.flatnonzero(found.counts.documents[:, 0])
    if not len(filled):
        return words.NO_DOCUMENTS
    if len(filled) == 1:
        return words.ONE_GROUP.format(name=markdown_text(found.grouping.names[int(filled[0])]))
    return "" if len(found.topics) else words.NO_TOPICS


def _show(shown: Shown, view: str) -> None:
    if view == "course":
        group_courses.show(shown)
    elif view == "map":
        _show_map(shown)
    else:
        {"one": _show_one, "two": _show_two, "new": _show_new}[view](shown)
    group_choice.show_foot(shown, view)


def _show_map(shown: Shown) -> None:
    """Draw the heat map; a click on a cell or a name leads on."""
    run, found = shown.run, shown.found
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom", key="map-choice"):
        measure = group_choice.choose_measure()
        groups = group_choice.choose_shown(found)
    places = along_the_groups(found, telling_topics(found, groups, MOST_TOPICS), groups)
    table = cells(run, found, places, groups, measure)
    names = [found.grouping.names[group] for group in groups]
    key = words.key_to_colours(measure, float(table["share"].max()))
    st.caption(key)
    chart = heat_map(table, list(dict.fromkeys(table["name"])), names)
    event: Any = st.vega_lite_chart(
        specification(chart),
        key="group-map",
        on_select="rerun",
        selection_mode=(CELL, NAME),
        alt=f"{words.MAP_ALT} {key}",
    )
    left_out = words.not_shown(
        len(found.topics) - len(places), len(found.grouping.names) - len(groups)
    )
    page.remark(left_out, hint=words.MAP_HINT)
    shown.follow(event)


def _show_one(shown: Shown) -> None:
    group = group_choice.choose_group(shown, "group", words.GROUP, 0)
    sides = (
        Side(words.MORE.format(other=words.ELSEWHERE), words.NOTHING_MORE, True),
        Side(words.LESS.format(other=words.ELSEWHERE), words.NOTHING_LESS, False),
    )
    compared = shown.found.against_others
    group_topics.show(shown.run, shown.found, compared, group, sides, shown.opener(group))


def _show_two(shown: Shown) -> None:
    with st.container(horizontal=True, gap="medium", key="two-groups"):
        first = group_choice.choose_group(shown, "group", words.GROUP, 0)
        second = group_choice.choose_group(shown, "other", words.OTHER, 1)
    name = shown.found.grouping.names[second]
    sides = (
        Side(words.MORE.format(other=f"in {name}"), words.NOTHING_MORE, True),
        Side(words.LESS.format(other=f"in {name}"), words.NOTHING_LESS, False),
    )
    compared = shown.found.against(first, second)
    group_topics.show(shown.run, shown.found, compared, 0, sides, shown.opener(first))


def _show_new(shown: Shown) -> None:
    """Topics of a period against all that came before it, the last one at first."""
    last = len(shown.found.grouping.names) - 1
    group = group_choice.choose_group(shown, "group", words.PERIOD, last)
    if group == 0:
        st.info(words.FIRST)
        return
    sides = (Side(words.NEW, words.NOTHING_MORE, True), Side(words.GONE, words.NOTHING_LESS, False))
    compared = shown.found.against_before
    group_topics.show(shown.run, shown.found, compared, group, sides, shown.opener(group))
