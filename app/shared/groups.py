"""Topics in groups of documents.

The choice of groups, the tables of the charts, and kept views as pictures.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import numpy.typing as npt

from ...core.data.columns import date_columns
from ...core.data.groups import PERIODS, Grouping, Step, group_columns, read_grouping
from ...core.evaluation.group_topics import Comparison, GroupTopics, ranked, topics_of_groups
from ...core.utils.errors import InputError
from ...core.utils.lazy import LazyModule
from ..charts import group_pictures
from ..charts.group_pictures import Section
from ..charts.groups import HUES
from ..shell.kept import Parameters, Picture, chosen, drawn
from . import strings as shared_strings
from .listing import Sources

if TYPE_CHECKING:
    import pandas as pd

    from ...core.model.topic_model import Run
else:
    pd = LazyModule("pandas")


# Given a parameter, its default and its options, return the chosen option.
Choose = Callable[[str, str, Sequence[str]], str]
# Given a column, or None for the most suitable one, return the group of every document.
Read = Callable[[str | None], Grouping]
# Ratios from this on are drawn with full strength.
STRONGEST = 16.0
# Topics and groups of the heat map; small charts below each other; listed topics of each kind.
MAX_TOPICS, MAX_GROUPS = 30, 24
MAX_COURSES, MAX_LISTED = 12, 12


def chosen_grouping(
    read: Read, values: Sequence[str], dated: Sequence[str], choose: Choose
) -> tuple[str, Step | None]:
    """Column of values or dates to group by and, if it has dates, the length of periods."""
    column = choose("by", read(None).column, list(dict.fromkeys([*values, *dated])))
    if column not in dated:
        return column, None
    steps = [*(["value"] if column in values else []), *PERIODS]
    return column, cast(Step, choose("periods", read(column).step, steps))


def views_of(grouping: Grouping) -> list[str]:
    """Views that apply to the groups; courses and new topics need periods."""
    return [
        view for view in shared_strings.VIEWS if grouping.is_time or view not in ("course", "new")
    ]


def groups_of_map(found: GroupTopics, asked: Sequence[str]) -> list[int]:
    """Groups of the heat map: all, or if there are too many the chosen ones, else the largest."""
    names, documents = found.grouping.names, found.counts.documents[:, 0]
    filled: list[int] = np.flatnonzero(documents).tolist()
    if len(filled) <= MAX_GROUPS or found.grouping.is_time:
        return filled
    place = {names[group]: group for group in filled}
    wanted = [place[name] for name in asked if name in place][:MAX_GROUPS]
    return wanted or sorted(filled, key=lambda group: -documents[group])[:MAX_GROUPS]


def telling_topics(found: GroupTopics, groups: Sequence[int], most: int) -> list[int]:
    """Topics that differ most, with certainty, between some groups and others; then the largest."""
    certain = np.abs(np.log2(np.maximum(found.against_others.lift.near_end[list(groups)], 1e-9)))
    best = certain.max(axis=0) if len(groups) else np.zeros(len(found.topics))
    size = found.counts.on.sum(axis=0)
    order = np.lexsort((-size, -best))
    return [int(place) for place in order[:most]]


def along_the_groups(found: GroupTopics, places: list[int], groups: list[int]) -> list[int]:
    """Order topics by the group in which they are most frequent, which shows blocks."""
    share = np.nan_to_num(found.counts.share[np.ix_(groups, places)])
    return [places[k] for k in np.lexsort((-share.max(axis=0), share.argmax(axis=0)))]


def cells(
    run: Run, found: GroupTopics, places: list[int], groups: list[int], measure: str
) -> pd.DataFrame:
    """Rows of `heat_map`, one for a topic in a group; strength is the share or certain lift."""
    chosen = np.ix_(groups, places)
    share = np.nan_to_num(found.counts.share[chosen])
    certain = found.against_others.lift.near_end[chosen]
    table = _frame(run, found, places, groups)
    table["share"] = share.ravel()
    table["told"] = [shared_strings.certain(float(value)) for value in certain.ravel()]
    table["documents"] = found.counts.on[chosen].ravel()
    if measure == "lift":
        doublings = np.log2(np.maximum(certain, 1.0 / STRONGEST).clip(max=STRONGEST)).ravel()
        return table.assign(strength=np.abs(doublings) / np.log2(STRONGEST), more=doublings >= 0)
    # Square roots, since most shares are a few per cent.
    top = float(share.max()) if share.size else 1.0
    return table.assign(strength=np.sqrt(share.ravel() / max(top, 1e-9)), more=True)


def certain_topics(
    found: GroupTopics, compared: Comparison, row: int, *, is_more: bool
) -> list[dict[Any, Any]]:
    """Rows of `ranked` with a certain increase, or decrease, the most certain first."""
    table = ranked(found, compared, row)
    is_certain = table["certain"] > 1.0 if is_more else table["certain"] < 1.0
    rows = table[is_certain] if is_more else table[is_certain][::-1]
    return rows.head(MAX_LISTED).to_dict("records")


def courses(run: Run, found: GroupTopics, places: list[int]) -> pd.DataFrame:
    """Rows of `course` and `stacked`: one for a topic in a period that has documents."""
    groups = np.flatnonzero(found.counts.documents[:, 0] > 0).tolist()
    chosen = np.ix_(groups, places)
    table = _frame(run, found, places, groups)
    table["share"] = found.counts.share[chosen].ravel()
    documents = np.repeat(found.counts.documents[groups, 0], len(places))
    table["told"] = [
        f"{on:,.0f} of {all_of:,.0f}"
        for on, all_of in zip(found.counts.on[chosen].ravel(), documents, strict=True)
    ]
    return table.assign(place=np.tile(np.arange(len(places)), len(groups)))


def _frame(run: Run, found: GroupTopics, places: list[int], groups: list[int]) -> pd.DataFrame:
    topics = found.topics[places]
    ids: npt.NDArray[np.object_] = np.array(run.network.graph.topic_ids, object)[topics]
    labels = np.array(run.topic_labels, object)[topics]
    twice = pd.Series(labels).duplicated(keep=False).to_numpy()
    apart = np.where(twice, labels + " " + ids, labels)
    names = np.array(found.grouping.names, object)[groups]
    return pd.DataFrame(
        {
            "id": np.tile(ids, len(groups)),
            "label": np.tile(labels, len(groups)),
            "name": np.tile(apart, len(groups)),
            "group": np.repeat(names, len(places)),
        }
    )


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
    shown = shared_strings.VIEWS[view].lower()
    heading = f"{shared_strings.GROUPS_TITLE}: {shown}, by {found.grouping.column}"
    return heading, *make(run, found, address)


def _map(run: Run, found: GroupTopics, address: Parameters) -> tuple[str, Draw]:
    measure = chosen(address, "show", "share", tuple(shared_strings.MEASURES))
    groups = groups_of_map(found, address.get("shown", ()))
    places = along_the_groups(found, telling_topics(found, groups, MAX_TOPICS), groups)
    table = cells(run, found, places, groups, measure)
    names = [found.grouping.names[group] for group in groups]
    topics = list(dict.fromkeys(table["name"]))
    missing = shared_strings.not_shown(
        len(found.topics) - len(places), len(found.grouping.names) - len(groups)
    )
    key = shared_strings.key_to_colours(measure, float(table["share"].max()))
    return f"{key} {missing}".strip(), lambda width: group_pictures.heat_map(
        table, topics, names, width
    )


def _courses(run: Run, found: GroupTopics, address: Parameters) -> tuple[str, Draw]:
    how = chosen(address, "draw", "rows", tuple(shared_strings.COURSES))
    periods = np.flatnonzero(found.counts.documents[:, 0]).tolist()
    places = telling_topics(found, periods, MAX_COURSES if how == "rows" else len(HUES))
    names = [found.grouping.names[period] for period in periods]
    missing = shared_strings.not_shown(len(found.topics) - len(places), 0)
    if how == "rows":
        tables = [courses(run, found, [place]) for place in places]
        caption = f"{shared_strings.OWN_SCALES} {missing}".strip()
        return caption, lambda width: group_pictures.courses(tables, names, width)
    table = courses(run, found, places)
    topics = list(dict.fromkeys(table["name"]))
    caption = f"{shared_strings.STACKED_HINT} {missing}".strip()
    return caption, lambda width: group_pictures.stacked(table, names, topics, width)


def _one(run: Run, found: GroupTopics, address: Parameters) -> tuple[str, Draw]:
    names = found.grouping.names
    group = names.index(chosen(address, "group", names[0], names))
    titles = (shared_strings.MORE, shared_strings.LESS)
    more, less = (title.format(other=shared_strings.ELSEWHERE) for title in titles)
    compared = found.against_others
    return _group_name(found, group), _intervals(run, found, compared, group, (more, less))


def _two(run: Run, found: GroupTopics, address: Parameters) -> tuple[str, Draw]:
    names = found.grouping.names
    first_of, second = (
        names.index(chosen(address, key, names[min(place, len(names) - 1)], names))
        for place, key in enumerate(("group", "other"))
    )
    more, less = (
        title.format(other=f"in {names[second]}")
        for title in (shared_strings.MORE, shared_strings.LESS)
    )
    compared = found.against(first_of, second)
    caption = shared_strings.beside(*(_group_name(found, group) for group in (first_of, second)))
    return caption, _intervals(run, found, compared, 0, (more, less))


def _new(run: Run, found: GroupTopics, address: Parameters) -> tuple[str, Draw]:
    names = found.grouping.names
    group = names.index(chosen(address, "group", names[-1], names))
    if group == 0:
        return shared_strings.FIRST, lambda width: group_pictures.intervals([], width)
    draw = _intervals(
        run, found, found.against_before, group, (shared_strings.NEW, shared_strings.GONE)
    )
    return _group_name(found, group), draw


def _group_name(found: GroupTopics, group: int) -> str:
    return shared_strings.group_option(
        found.grouping.names[group], int(found.counts.documents[group, 0])
    )


def _intervals(
    run: Run, found: GroupTopics, compared: Comparison, row: int, titles: tuple[str, str]
) -> Draw:
    """Draw the topics with a certain increase, and those with a decrease, under two headings."""
    nothing = (shared_strings.NOTHING_MORE, shared_strings.NOTHING_LESS)
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
        "told": shared_strings.certain(topic["certain"]),
        "figures": shared_strings.figures(*shares),
        "documents": shared_strings.documents(topic["documents"]),
        **{name: topic[name] for name in ("lift", "low", "high")},
    }
