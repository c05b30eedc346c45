"""Kept views of the Groups page as pictures."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.data.columns import date_columns
from ...core.data.groups import group_columns, read_grouping
from ...core.evaluation.group_topics import Comparison, GroupTopics, topics_of_groups
from ...core.utils.errors import InputError
from ..charts import group_pictures
from ..charts.group_pictures import Section
from ..charts.groups import HUES
from ..shell.kept import Parameters, Picture, chosen, drawn
from . import strings
from .groups import (
    MOST_COURSES,
    MOST_TOPICS,
    along_the_groups,
    cells,
    certain_topics,
    chosen_grouping,
    courses,
    groups_of_map,
    telling_topics,
    views_of,
)
from .sources import Sources

if TYPE_CHECKING:
    from ...core.model.topic_model import Run


Draw = Callable[[float], str]


def kept_groups(sources: Sources, address: Parameters) -> Picture | None:
    """Draw the page at a URL; None if there is nothing to compare."""
    run, documents, stored = sources.run, sources.corpus.documents, sources.stored
    if stored is None:
        return None
    try:
        column, step = chosen_grouping(
            partial(read_grouping, documents),
            group_columns(documents),
            date_columns(documents),
            partial(chosen, address),
        )
        grouping = read_grouping(documents, column, step)
    except InputError:
        return None
    found = topics_of_groups(
        stored.probability, stored.rows, grouping, run.hidden_topics, run.shown_as
    )
    if np.count_nonzero(found.counts.documents[:, 0]) < 2 or not len(found.topics):
        return None
    return drawn(*pictured(run, found, address))


def pictured(run: Run, found: GroupTopics, address: Parameters) -> tuple[str, str, Draw]:
    """Heading, caption and drawing of the page at a URL."""
    views = views_of(found.grouping)
    view = chosen(address, "view", views[0], views)
    make = {"map": _map, "course": _courses, "one": _one, "two": _two, "new": _new}[view]
    shown = strings.VIEWS[view].lower()
    heading = f"{strings.GROUPS_TITLE}: {shown}, by {found.grouping.column}"
    return heading, *make(run, found, address)


def _map(run: Run, found: GroupTopics, address: Parameters) -> tuple[str, Draw]:
    measure = chosen(address, "show", "share", tuple(strings.MEASURES))
    groups = groups_of_map(found, address.get("shown", ()))
    places = along_the_groups(found, telling_topics(found, groups, MOST_TOPICS), groups)
    table = cells(run, found, places, groups, measure)
    names = [found.grouping.names[group] for group in groups]
    topics = list(dict.fromkeys(table["name"]))
    missing = strings.not_shown(
        len(found.topics) - len(places), len(found.grouping.names) - len(groups)
    )
    key = strings.key_to_colours(measure, float(table["share"].max()))
    return f"{key} {missing}".strip(), lambda width: group_pictures.heat_map(
        table, topics, names, width
    )


def _courses(run: Run, found: GroupTopics, address: Parameters) -> tuple[str, Draw]:
    how = chosen(address, "draw", "rows", tuple(strings.COURSES))
    periods = np.flatnonzero(found.counts.documents[:, 0]).tolist()
    places = telling_topics(found, periods, MOST_COURSES if how == "rows" else len(HUES))
    names = [found.grouping.names[period] for period in periods]
    missing = strings.not_shown(len(found.topics) - len(places), 0)
    if how == "rows":
        tables = [courses(run, found, [place]) for place in places]
        caption = f"{strings.OWN_SCALES} {missing}".strip()
        return caption, lambda width: group_pictures.courses(tables, names, width)
    table = courses(run, found, places)
    topics = list(dict.fromkeys(table["name"]))
    caption = f"{strings.STACKED_HINT} {missing}".strip()
    return caption, lambda width: group_pictures.stacked(table, names, topics, width)


def _one(run: Run, found: GroupTopics, address: Parameters) -> tuple[str, Draw]:
    names = found.grouping.names
    group = names.index(chosen(address, "group", names[0], names))
    titles = (strings.MORE, strings.LESS)
    more, less = (title.format(other=strings.ELSEWHERE) for title in titles)
    compared = found.against_others
    return _group_name(found, group), _intervals(run, found, compared, group, (more, less))


def _two(run: Run, found: GroupTopics, address: Parameters) -> tuple[str, Draw]:
    names = found.grouping.names
    first_of, second = (
        names.index(chosen(address, key, names[min(place, len(names) - 1)], names))
        for place, key in enumerate(("group", "other"))
    )
    more, less = (
        title.format(other=f"in {names[second]}") for title in (strings.MORE, strings.LESS)
    )
    compared = found.against(first_of, second)
    caption = strings.beside(*(_group_name(found, group) for group in (first_of, second)))
    return caption, _intervals(run, found, compared, 0, (more, less))


def _new(run: Run, found: GroupTopics, address: Parameters) -> tuple[str, Draw]:
    names = found.grouping.names
    group = names.index(chosen(address, "group", names[-1], names))
    if group == 0:
        return strings.FIRST, lambda width: group_pictures.intervals([], width)
    draw = _intervals(run, found, found.against_before, group, (strings.NEW, strings.GONE))
    return _group_name(found, group), draw


def _group_name(found: GroupTopics, group: int) -> str:
    return strings.group_option(found.grouping.names[group], int(found.counts.documents[group, 0]))


def _intervals(
    run: Run, found: GroupTopics, compared: Comparison, row: int, titles: tuple[str, str]
) -> Draw:
    """Draw the topics with a certain increase, and those with a decrease, under two headings."""
    nothing = (strings.NOTHING_MORE, strings.NOTHING_LESS)
    sections = [
        Section(title, none, [
            _row(run, topic) for topic in certain_topics(found, compared, row, is_more=is_more)
        ])
        for title, none, is_more in zip(titles, nothing, (True, False), strict=True)
    ]  # fmt: skip
    return lambda width: group_pictures.intervals(sections, width)


def _row(run: Run, topic: dict[Any, Any]) -> dict[str, Any]:
    shares = (topic["share"], topic["share_elsewhere"], topic["lift"])
    return {
        "name": run.topic_labels[int(topic["topic"])],
        "told": strings.certain(topic["certain"]),
        "figures": strings.figures(*shares),
        "documents": strings.documents(topic["documents"]),
        **{name: topic[name] for name in ("lift", "low", "high")},
    }
