"""Topics in groups of documents: the choice of groups, and the tables that the charts draw."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import numpy.typing as npt
import pandas as pd

from ...core.data.groups import PERIODS, Grouping, Step
from ...core.evaluation.group_topics import Comparison, GroupTopics, ranked
from . import strings

if TYPE_CHECKING:
    from ...core.model.topic_model import Run


# Given a parameter, its default and its options, return the chosen option.
Choose = Callable[[str, str, Sequence[str]], str]
# Given a column, or None for the most suitable one, return the group of every document.
Read = Callable[[str | None], Grouping]
# Ratios from this on are drawn with full strength.
STRONGEST = 16.0
# Topics and groups of the heat map; small charts below each other; listed topics of each kind.
MOST_TOPICS, MOST_GROUPS = 30, 24
MOST_COURSES, MAX_LISTED = 12, 12


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
    return [view for view in strings.VIEWS if grouping.is_time or view not in ("course", "new")]


def groups_of_map(found: GroupTopics, asked: Sequence[str]) -> list[int]:
    """Groups of the heat map: all, or if there are too many the chosen ones, else the largest."""
    names, documents = found.grouping.names, found.counts.documents[:, 0]
    filled: list[int] = np.flatnonzero(documents).tolist()
    if len(filled) <= MOST_GROUPS or found.grouping.is_time:
        return filled
    place = {names[group]: group for group in filled}
    wanted = [place[name] for name in asked if name in place][:MOST_GROUPS]
    return wanted or sorted(filled, key=lambda group: -documents[group])[:MOST_GROUPS]


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
    table["told"] = [strings.certain(float(value)) for value in certain.ravel()]
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
