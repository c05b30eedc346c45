"""A group of documents in an address: by the label where that is a filter, else by its column.

Which documents are listed, and in which order (no streamlit).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast, get_args

import numpy as np
import numpy.typing as npt

from ...core.data.groups import Grouping, Step
from ...core.drawing.links import whole
from ...core.inference.thresholds import ON_THRESHOLD
from ...core.storage.activations import Activations
from ...core.utils.parsing import read_whole_number
from ..workspace.facets import Facets
from .topic_facts import on_probability, on_table

if TYPE_CHECKING:
    from ...core.model.topic_model import Run


# Parameters of the Documents page that name a group which no filter of its own can.
GROUP_PARAMETERS = ("by", "periods", "group")


def group_address(facets: Facets, grouping: Grouping, name: str) -> dict[str, str]:
    """Parameters of the Documents page that ask for a group."""
    if grouping.step == "value" and grouping.column == "label" and name in facets.labels:
        return {"label": name}
    values = (grouping.column, grouping.step, name)
    return dict(zip(GROUP_PARAMETERS, values, strict=True))


def as_step(text: str) -> Step | None:
    """What an address says of periods; None where it says nothing that there is."""
    return cast(Step, text) if text in get_args(Step) else None


# Documents of a page, letters of an excerpt, and topics that are named with it.
PAGE_SIZE, EXCERPT_LETTERS, TOPICS_SHOWN = 10, 260, 3

RowArray = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Choice:
    """What documents are asked for; every condition must hold.

    Attributes
    ----------
    found : int64 array or None
        Rows that the search found, the best first; None where nothing was searched for.
    topic : int
        A topic that is on in them, or one that is shown as it; -1 for any.
    labels : tuple of str
        One of these is their label; empty for any.
    years : tuple of int
        First and last year; empty for any.
    group : bool array, shape (n_documents,), or None
        Whether a document is in a group that was chosen elsewhere; None for any.
    """

    found: RowArray | None = None
    topic: int = -1
    labels: tuple[str, ...] = ()
    years: tuple[int, ...] = ()
    group: npt.NDArray[np.bool_] | None = None


def chosen_rows(
    choice: Choice, facets: Facets, run: Run | None, activations: Activations | None
) -> RowArray:
    """Rows of the documents asked for.

    In the order of the search, else of a topic's probability, the highest first, else of the
    corpus.
    """
    is_wanted = np.ones(len(facets.label), bool)
    if choice.labels:
        is_wanted &= np.isin(facets.label.astype(str), choice.labels)
    if choice.years:
        is_wanted &= (facets.year >= choice.years[0]) & (facets.year <= choice.years[1])
    if choice.group is not None:
        is_wanted &= choice.group
    order = np.arange(len(is_wanted), dtype=np.int64)
    if choice.topic >= 0:
        order = rows_of_topic(run, activations, choice.topic)
        is_on = np.zeros(len(is_wanted), bool)
        is_on[order] = True
        is_wanted &= is_on
    if choice.found is not None:
        order = choice.found
    return order[is_wanted[order]]


def read_years(text: str, first: int, last: int) -> tuple[int, int]:
    """Years that an address asks for, within those that there are; else all."""
    begin, end = (read_whole_number(part) for part in text.partition("-")[::2])
    if begin is None or end is None:
        return first, last
    low, high = max(first, min(begin, end)), min(last, max(begin, end))
    return (low, high) if low <= high else (first, last)


def rows_of_topic(run: Run | None, activations: Activations | None, topic: int) -> RowArray:
    """Documents in which a topic is on, the most probable first, as far as that is known."""
    if run is None or activations is None:
        return np.empty(0, np.int64)
    column = on_probability(run, activations, topic)
    on = np.flatnonzero(column > ON_THRESHOLD)
    return activations.rows[on[np.argsort(-column[on], kind="stable")]]


def topics_on(run: Run, activations: Activations | None, row: int, most: int) -> list[int]:
    """Topics that are on in a document, the most probable first; empty if that is not known."""
    if activations is None:
        return []
    place = int(np.searchsorted(activations.rows, row))
    if place >= len(activations.rows) or activations.rows[place] != row:
        return []
    table = activations.probability
    span = slice(table.indptr[place], table.indptr[place + 1])
    pairs = zip(-table.data[span], table.indices[span].tolist(), strict=True)
    ranked = [whole(run, topic) for minus, topic in sorted(pairs) if -minus > ON_THRESHOLD]
    return [topic for topic in dict.fromkeys(ranked) if topic not in run.hidden_topics][:most]


def documents_with_topic(run: Run, activations: Activations) -> npt.NDArray[np.int64]:
    """Number of the known documents in which each topic is on, shape (n_topics,).

    A topic that is shown as part of another is on in none.
    """
    return on_table(run, activations).sum(axis=0).astype(np.int64)
