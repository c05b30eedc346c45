"""Topics in groups of documents.

The choice of groups, the tables of the charts, and kept views as pictures.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import numpy.typing as npt

from ...core.data.columns import date_columns
from ...core.data.groups import BY_DOCUMENT, PERIODS, Grouping, Step, group_columns, read_grouping
from ...core.evaluation.group_topics import (
    Comparison,
    GroupTopics,
    named_table,
    ranked,
    topics_of_groups,
)
from ...core.model.topic_model import Run
from ...core.utils.errors import InputError
from ...core.utils.lazy import LazyModule
from ...core.utils.parsing import read_whole_number
from ..charts import group_pictures
from ..charts.group_pictures import Section
from ..charts.groups import HUES
from ..shell.kept import Parameters, Picture, chosen, drawn
from . import strings as shared_strings
from .listing import Sources

if TYPE_CHECKING:
    import pandas as pd
else:
    pd = LazyModule("pandas")


# Given a parameter, its default and its options, return the chosen option.
Choose = Callable[[str, str, Sequence[str]], str]
# Given a column (None: the most suitable one) and periods, return the group of every document.
Read = Callable[..., Grouping]
# Ratios from this on are drawn with full strength.
STRONGEST = 16.0
# Topics and groups of the heat map; small charts below each other.
MAX_TOPICS, MAX_GROUPS = 30, 24
# Periods of the heat map: 15 years of months, each 5 px wide on a page of 900 px. Cells of the heat
# map: the browser loads about 200 bytes for each.
MAX_PERIODS_OF_MAP, MAX_CELLS = 180, 20_000
# Expected counts below it are written as 0.
HALF = 0.5
# Parameter of the number of topics of the heat map.
ROWS = "rows"
# Times that the number of topics can be doubled, and ratios that count alike.
MAX_DOUBLINGS, MOST_RATIO = 20, 64.0
MAX_COURSES = 12
# Listed topics of each kind. Topics with a large change are listed beyond the maximum: a ratio of
# at least LARGE_RATIO, or at most its inverse, in at least LARGE_DOCUMENTS documents on both sides
# together. If few differences are likely, the list has the largest of the others up to the minimum.
MIN_LISTED, MAX_LISTED = 5, 12
LARGE_RATIO, LARGE_DOCUMENTS = 3.0, 20.0
# In groups of fewer documents, shares are drawn as small cells with their counts.
SMALL_GROUP = 20


def chosen_grouping(
    read: Read, values: Sequence[str], dated: Sequence[str], choose: Choose
) -> tuple[str, Step | None]:
    """Column of values or dates to group by and, if it has dates, the length of periods."""
    column = choose("by", read(None).column, list(dict.fromkeys([*values, *dated])))
    if column not in dated:
        return column, None
    known = [step for step in PERIODS if _has_periods(read, column, step)]
    steps = [*(["value"] if column in values else []), *known]
    return column, cast(Step, choose("periods", read(column).step, steps))


def _has_periods(read: Read, column: str, step: Step) -> bool:
    """Whether the dates of a column give these periods: dates of years give no months."""
    with suppress(InputError):
        return bool(read(column, step).names)
    return False


def views_of(grouping: Grouping) -> dict[str, str]:
    """Views that apply to the groups, with their names; courses and new topics need periods."""
    names = shared_strings.VIEWS.items()
    return {view: name for view, name in names if grouping.is_time or view not in ("course", "new")}


@dataclass(frozen=True)
class Compared:
    """A group or period, and what it is compared with."""

    comparison: Comparison
    row: int  # in the comparison
    group: int
    titles: tuple[str, str]  # of the more frequent topics, and of the less frequent ones
    there: str  # name of what it is compared with: "elsewhere", "before", "in 2012"
    other: int | None = None  # number of the other group, if it is compared with a single one


def compared_groups(
    found: GroupTopics, view: str, choose: Callable[[str, int], int]
) -> Compared | None:
    """Comparison of the view ``one``, ``two`` or ``new``; None if no period came before.

    Given a parameter and a default, ``choose`` returns the number of a group. By default it is the
    latest period, and the other one is the period before it, because the first periods are often
    the smallest; of other groups, it is the first one beside the second one.
    """
    titles = (shared_strings.MORE, shared_strings.LESS)
    last = len(found.grouping.names) - 1
    is_time = found.grouping.is_time
    group = choose("group", last if is_time else 0)
    if view == "new":
        named = (shared_strings.NEW, shared_strings.GONE)
        if not group:
            return None
        return Compared(found.of_period(group), 0, group, named, shared_strings.BEFORE)
    beside = max(last - 1, 0) if is_time else min(1, last)
    other = choose("other", beside) if view == "two" else None
    there = shared_strings.ELSEWHERE
    if other is not None:
        name = shared_strings.IN_DECADE if found.grouping.step == "decade" else "{name}"
        there = shared_strings.IN_OTHER.format(name=name.format(name=found.grouping.names[other]))
    more, less = (title.format(other=there) for title in titles)
    comparison = found.of_group(group) if other is None else found.against(group, other)
    return Compared(comparison, 0, group, (more, less), there, other)


def sides(
    found: GroupTopics, compared: Compared
) -> Iterator[tuple[str, str, list[dict[Any, Any]]]]:
    """Heading, note, and rows of the more frequent topics, then of the less frequent ones.

    The note reports that no difference is certain, or that no group differs.
    """
    nothing = (shared_strings.NOTHING_MORE, shared_strings.NOTHING_LESS)
    size = float(compared.comparison.here.documents[compared.row, 0])
    for title, none, is_more in zip(compared.titles, nothing, (True, False), strict=True):
        rows = largest_differences(found, compared.comparison, compared.row, is_more=is_more)
        is_certain = any(row["certain"] != 1.0 for row in rows)
        note = "" if is_certain else shared_strings.no_clear_difference(size) if rows else none
        yield title, note, rows


def exported_table(
    run: Run, found: GroupTopics, column: str, compared: Compared | None
) -> pd.DataFrame:
    """Table for a spreadsheet, with units in the names of its columns.

    It has the figures of the page: all topics of the group that is shown, or, without a comparison,
    of each group against all others. A ratio that is unknown or has no end is empty.
    """
    ids, labels = run.network.graph.topic_ids, run.topic_labels
    if compared is None:
        comparison, groups, there = found.against_others, None, shared_strings.ELSEWHERE
    else:
        comparison, groups, there = compared.comparison, (compared.group,), compared.there
    table = named_table(found, comparison, ids, labels, groups)
    row = table["group"].map({name: place for place, name in enumerate(found.grouping.names)})
    others = comparison.there.documents[:, 0]
    size = others[row if groups is None else np.zeros(len(table), int)]
    ratio, low, high = (
        table[name].where(np.isfinite(table[name])) for name in ("lift", "low", "high")
    )
    certainty = map(shared_strings.certainty, table["certain"], table["likely"])
    named = shared_strings.GROUP_TABLE
    # A column of the corpus can have any name.
    first = f"{column} (group)" if column in named.values() else column
    columns = {
        first: table["group"],
        named["size"]: table["size"],
        named["id"]: table["id"],
        named["label"]: table["label"],
        named["documents"]: table["documents"].astype(int),
        named["share"]: (100.0 * table["share"]).round(2),
        named["there"]: there,
        named["size_there"]: size.astype(int),
        named["documents_there"]: table["documents_elsewhere"].astype(int),
        named["share_there"]: (100.0 * table["share_elsewhere"]).round(2),
        named["ratio"]: ratio.round(3),
        named["low"]: low.round(3),
        named["high"]: high.round(3),
        named["certainty"]: list(certainty),
    }
    return pd.DataFrame(columns)


def groups_of_map(found: GroupTopics, requested: Sequence[str]) -> list[int]:
    """Groups of the heat map: all, or if there are too many the chosen ones, else the largest.

    Of too many periods, they are the latest.
    """
    names, documents = found.grouping.names, found.counts.documents[:, 0]
    filled: list[int] = np.flatnonzero(documents).tolist()
    if found.grouping.is_time:
        return filled[-MAX_PERIODS_OF_MAP:]
    if len(filled) <= MAX_GROUPS:
        return filled
    place = {names[group]: group for group in filled}
    wanted = [place[name] for name in requested if name in place][:MAX_GROUPS]
    return wanted or sorted(filled, key=lambda group: -documents[group])[:MAX_GROUPS]


def most_different_topics(found: GroupTopics, groups: Sequence[int], most: int) -> list[int]:
    """Topics that differ most, with certainty, between some groups and others; then the largest."""
    certain = np.abs(np.log2(np.maximum(found.against_others.lift.near_end[list(groups)], 1e-9)))
    best = certain.max(axis=0) if len(groups) else np.zeros(len(found.topics))
    size = found.counts.on.sum(axis=0)
    order = np.lexsort((-size, -best))
    return [int(place) for place in order[:most]]


def characteristic_topics(found: GroupTopics, groups: Sequence[int], most: int) -> list[int]:
    """Most characteristic topics of every group, in turn from each until there are ``most``.

    A topic is characteristic of a group if it is frequent there and more frequent than elsewhere:
    share * log(ratio), with the part of the ratio that is certain, then with the part that is
    likely, then with the ratio itself. The ratio alone would prefer rare topics, and the groups
    that have most of them.
    """
    chosen = list(groups)
    share = np.nan_to_num(found.counts.share[chosen])
    compared = found.against_others
    ratios = (compared.lift.near_end, compared.alone.near_end, compared.lift.ratio)
    with np.errstate(divide="ignore"):
        worth = [
            share * np.log2(np.nan_to_num(ratio[chosen], nan=1.0).clip(1.0, MOST_RATIO))
            for ratio in ratios
        ]
    ranks = [
        np.lexsort((-share[row], *(-part[row] for part in reversed(worth)))).tolist()
        for row in range(len(chosen))
    ]
    in_turn = (place for places in zip(*ranks, strict=True) for place in places)
    return list(dict.fromkeys(in_turn))[:most]


def topics_of_map(found: GroupTopics, address: Parameters, groups: Sequence[int]) -> list[int]:
    """Topics of the heat map from top to bottom; each step in the URL doubles their number."""
    doublings = min(read_whole_number(chosen(address, ROWS, "")) or 0, MAX_DOUBLINGS)
    n_topics = min(MAX_TOPICS << doublings, most_topics(groups))
    return along_the_groups(found, characteristic_topics(found, groups, n_topics), list(groups))


def most_topics(groups: Sequence[int]) -> int:
    """Maximum number of topics of a heat map of these groups."""
    return MAX_CELLS // len(groups)


def on_the_map(found: GroupTopics, places: Sequence[int], groups: Sequence[int]) -> str:
    """Topics that the heat map shows, and groups or periods that it leaves out."""
    if found.grouping.is_time:
        # Periods without documents have no column, and are not missed.
        earlier = int(np.count_nonzero(found.counts.documents[:, 0])) - len(groups)
        return shared_strings.mapped(len(places), len(found.topics), 0, earlier)
    smaller = len(found.grouping.names) - len(groups)
    return shared_strings.mapped(len(places), len(found.topics), smaller, 0)


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
    on, size = found.counts.on[chosen], np.broadcast_to(found.counts.documents[groups], share.shape)
    certain = found.against_others.lift.near_end[chosen]
    is_small = size < SMALL_GROUP
    table = _frame(run, found, places, groups)
    table["share"] = share.ravel()
    table["small"] = is_small.ravel()
    table["note"] = [
        f"{shared_strings.counted_of(*pair)}; {shared_strings.certain(float(value))}"
        for *pair, value in zip(on.flat, size.flat, certain.flat, strict=True)
    ]
    table["documents"] = on.ravel()
    if measure == "lift":
        ratio = np.nan_to_num(found.against_others.lift.ratio[chosen], nan=1.0, posinf=STRONGEST)
        doublings = np.log2(ratio.clip(1.0 / STRONGEST, STRONGEST)).ravel()
        is_likely = (found.against_others.alone.near_end[chosen] != 1.0).ravel()
        # A difference that is likely but not certain is drawn at half strength.
        weight = np.where(certain.ravel() != 1.0, 1.0, 0.5 * is_likely)
        return table.assign(
            strength=weight * np.sqrt(np.abs(doublings) / np.log2(STRONGEST)),
            more=doublings >= 0,
            value=[
                shared_strings.ratio_cell(0.0 if value < 1.0 and count < HALF else value)
                if is_shown
                else ""
                for value, count, is_shown in zip(ratio.flat, on.flat, is_likely, strict=True)
            ],
        )
    # Square roots, since most shares are a few per cent.
    top = scale_top(found, places, groups)
    return table.assign(
        strength=np.sqrt(share.ravel() / max(top, 1e-9)).clip(max=1.0),
        more=True,
        value=[
            shared_strings.share_cell(count, documents, is_small=bool(documents < SMALL_GROUP))
            for count, documents in zip(on.flat, size.flat, strict=True)
        ],
    )


def scale_top(found: GroupTopics, places: list[int], groups: list[int]) -> float:
    """Share that the heat map draws with full strength: the largest, of large groups if any."""
    share = np.nan_to_num(found.counts.share[np.ix_(groups, places)])
    is_large = found.counts.documents[groups, 0] >= SMALL_GROUP
    return float((share[is_large] if is_large.any() else share).max(initial=0.0))


def largest_differences(
    found: GroupTopics, compared: Comparison, row: int, *, is_more: bool
) -> list[dict[Any, Any]]:
    """Rows of `ranked` with the largest increases, or decreases.

    Certain ones come first, then likely ones (their intervals by themselves exclude no difference),
    then the others; each kind is ordered by the lower bound of the change. Large changes
    (``LARGE_RATIO``) are never left out.
    """
    table = ranked(found, compared, row)
    change = table["lift"] if is_more else 1.0 / table["lift"]
    certain, likely = (
        table[name] if is_more else 1.0 / table[name] for name in ("certain", "likely")
    )
    low = compared.alone.low[row] if is_more else 1.0 / compared.alone.high[row]
    least = table["topic"].map(dict(zip(found.topics.tolist(), low.tolist(), strict=True)))
    is_other = ~(change > 1.0)
    kinds = (-likely.clip(lower=1.0), -certain.clip(lower=1.0), is_other)
    order = np.lexsort((-change, -least, *kinds))
    both = table["documents"] + table["documents_elsewhere"]
    # Rounding must not leave out an exact ratio.
    is_kept = (change >= LARGE_RATIO * (1.0 - 1e-9)) & (both >= LARGE_DOCUMENTS)
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    is_kept |= (rank < MIN_LISTED) | ((likely > 1.0) & (rank < MAX_LISTED))
    chosen = order[(is_kept & (change > 1.0)).to_numpy()[order]]
    return table.iloc[chosen].to_dict("records")


def courses(run: Run, found: GroupTopics, places: list[int]) -> pd.DataFrame:
    """Rows of `course` and `stacked`: one for a topic in a period that has documents."""
    groups = np.flatnonzero(found.counts.documents[:, 0] > 0).tolist()
    chosen = np.ix_(groups, places)
    table = _frame(run, found, places, groups)
    table["share"] = found.counts.share[chosen].ravel()
    documents = np.repeat(found.counts.documents[groups, 0], len(places))
    table["note"] = [
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
    view = chosen(address, "view", next(iter(views)), list(views))
    make = {"map": _map, "course": _courses}.get(view, partial(_comparison, view))
    shown = shared_strings.VIEWS[view].lower()
    column = run.recipe.column_title(found.grouping.column)
    heading = f"{shared_strings.GROUPS_TITLE}: {shown}, by {column}"
    caption, draw = make(run, found, address)
    if found.grouping.whole is not None:
        caption = f"{caption} {BY_DOCUMENT}"
    return heading, caption, draw


def _map(run: Run, found: GroupTopics, address: Parameters) -> tuple[str, Draw]:
    measure = chosen(address, "show", "share", tuple(shared_strings.MEASURES))
    groups = groups_of_map(found, address.get("shown", ()))
    places = topics_of_map(found, address, groups)
    table = cells(run, found, places, groups, measure)
    names = [found.grouping.names[group] for group in groups]
    topics = list(dict.fromkeys(table["name"]))
    which = on_the_map(found, places, groups)
    sizes = found.counts.documents[groups, 0].tolist()
    top, has_small = scale_top(found, places, groups), min(sizes, default=0.0) < SMALL_GROUP
    key = shared_strings.key_to_colours(measure, top, has_small=has_small)
    return f"{which} {key}".strip(), lambda width: group_pictures.heat_map(
        table, topics, names, sizes, width
    )


def _courses(run: Run, found: GroupTopics, address: Parameters) -> tuple[str, Draw]:
    how = chosen(address, "draw", "rows", tuple(shared_strings.COURSES))
    periods = np.flatnonzero(found.counts.documents[:, 0]).tolist()
    places = most_different_topics(found, periods, MAX_COURSES if how == "rows" else len(HUES))
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


def _comparison(view: str, run: Run, found: GroupTopics, address: Parameters) -> tuple[str, Draw]:
    names, documents = found.grouping.names, found.counts.documents[:, 0]

    def choose(name: str, default: int) -> int:
        return names.index(chosen(address, name, names[default], names))

    def named(group: int) -> str:
        return shared_strings.OPTION.format(name=names[group], documents=int(documents[group]))

    compared = compared_groups(found, view, choose)
    if compared is None:
        return shared_strings.FIRST, lambda width: group_pictures.intervals([], width)
    sections = [
        Section(title, note, [_row(run, compared, topic) for topic in rows])
        for title, note, rows in sides(found, compared)
    ]
    caption = named(compared.group)
    if compared.other is not None:
        caption = shared_strings.TWO_GROUPS.format(group=caption, other=named(compared.other))
    return caption, lambda width: group_pictures.intervals(sections, width)


def known_ratio(ratio: float, on: float, elsewhere: float) -> float:
    """Ratio that is written beside the counts of documents, expected ones as in `Counts`.

    A count below a half is written as 0, so that the ratio is infinite, or 0: how many times as
    often as in no document is unknown.
    """
    if ratio > 1.0 and elsewhere < HALF:
        return math.inf
    return 0.0 if ratio < 1.0 and on < HALF else ratio


def described(compared: Compared, topic: Mapping[Any, Any]) -> tuple[str, str]:
    """Ratio of a row of `largest_differences` in words, and its counts with its certainty."""
    here, there = (
        float(counts.documents[compared.row, 0])
        for counts in (compared.comparison.here, compared.comparison.there)
    )
    lift = known_ratio(topic["lift"], topic["documents"], topic["documents_elsewhere"])
    # Equal counts are written with equal shares: an expected count of 0.9 is written as 1.
    share, elsewhere = (
        round(topic[f"documents{side}"]) / documents if documents else 0.0
        for side, documents in (("", here), ("_elsewhere", there))
    )
    change = shared_strings.change(share, elsewhere, lift, topic["certain"], compared.there)
    counts = shared_strings.counts_of(topic["documents"], here, topic["documents_elsewhere"], there,
                                      compared.there)  # fmt: skip
    return change, f"{shared_strings.certainty(topic['certain'], topic['likely'])} · {counts}"


def _row(run: Run, compared: Compared, topic: dict[Any, Any]) -> dict[str, Any]:
    change, counts = described(compared, topic)
    return {
        "name": run.topic_labels[int(topic["topic"])],
        # Short enough for a phone.
        "note": change.replace("about ", "").replace(" times as often", "×"),
        "figures": counts.replace(" documents here", " here"),
        **{name: topic[name] for name in ("lift", "low", "high")},
    }
