"""What distinguishes groups of documents: their topics against those of others, or of before."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import sparse

from orrery.core.arrays import Int64Array
from orrery.core.evaluation.lift import Counts, Lift, count_topics, lift
from orrery.core.text.groups import Grouping

# A topic of fewer documents in all cannot tell groups apart, and every comparison widens the
# intervals of all.
FEWEST_DOCUMENTS = 5.0


class Comparison(NamedTuple):
    """Shares of topics in some documents and in others, a row a group.

    Attributes
    ----------
    here, there : Counts
    lift : Lift
        Arrays of shape (n_rows, n_compared).
    """

    here: Counts
    there: Counts
    lift: Lift


@dataclass(frozen=True, eq=False)
class GroupTopics:
    """Topics counted in groups of documents.

    Attributes
    ----------
    grouping : Grouping
    topics : int64 array, shape (n_compared,)
        Numbers of the topics that are compared.
    counts : Counts
        Of these topics in each group.
    """

    grouping: Grouping
    topics: Int64Array
    counts: Counts

    @property
    def n_groups(self) -> int:
        """Number of groups."""
        return len(self.grouping.names)

    @cached_property
    def against_others(self) -> Comparison:
        """Each group against the documents of all others."""
        return compare(self.counts, self.counts.of_others(), self.counts.on.size)

    @cached_property
    def against_before(self) -> Comparison:
        """Each period against all that came before it; before the first there is nothing."""
        before = Counts(*(np.cumsum(part, axis=0) - part for part in self.counts))
        return compare(self.counts, before, (self.n_groups - 1) * len(self.topics))

    def against(self, first: int, second: int) -> Comparison:
        """One group against another, whichever two: a comparison of one row."""
        pairs = self.n_groups * (self.n_groups - 1) // 2
        here, there = self.counts.of(first), self.counts.of(second)
        return compare(here, there, pairs * len(self.topics))


def topics_of_groups(
    probability: sparse.csr_array,
    rows: Int64Array,
    grouping: Grouping,
    hidden: Collection[int] = (),
    shown_as: Mapping[int, int] = MappingProxyType({}),
) -> GroupTopics:
    """Count the topics of a model in groups.

    Parameters
    ----------
    probability : csr_array, shape (n_rows, n_topics)
        Of each topic in each document.
    rows : int64 array, shape (n_rows,)
        Which documents of the corpus these are.
    grouping : Grouping
    hidden : collection of int
        Topics that are not compared.
    shown_as : mapping of int to int
        Topics that are shown as part of another, which is as probable as its surest part.
    """
    joined = join_topics(probability, shown_as)
    counts = count_topics(joined, grouping.of_document[rows], len(grouping.names))
    is_left_out = np.zeros(joined.shape[1], bool)
    is_left_out[[*hidden, *shown_as]] = True
    compared = np.flatnonzero((counts.on.sum(axis=0) >= FEWEST_DOCUMENTS) & ~is_left_out)
    return GroupTopics(grouping, compared, Counts(counts.on[:, compared], counts.documents))


def join_topics(probability: sparse.csr_array, shown_as: Mapping[int, int]) -> sparse.csr_array:
    """Probabilities of topics where those that are shown as one are as probable as the surest."""
    if not shown_as:
        return probability
    whole = np.arange(probability.shape[1])
    whole[list(shown_as)] = list(shown_as.values())
    table = probability.tocoo()
    row, topic = table.coords
    cells = pd.DataFrame({"row": row, "topic": whole[topic], "p": table.data})
    surest = cells.groupby(["row", "topic"], as_index=False)["p"].max()
    place = (surest["row"].to_numpy(), surest["topic"].to_numpy())
    return sparse.csr_array((surest["p"].to_numpy(), place), shape=probability.shape)


def compare(here: Counts, there: Counts, comparisons: int) -> Comparison:
    """Compare shares of topics; see `lift`."""
    return Comparison(here, there, lift(here, there, comparisons))


def ranked(found: GroupTopics, compared: Comparison, row: int) -> pd.DataFrame:
    """Topics of one row of a comparison, those first that are certain to be most overrepresented.

    Returns
    -------
    pandas.DataFrame
        Columns ``topic`` (its number), ``documents`` (expected, with the topic), ``share``,
        ``share_elsewhere``, ``lift``, ``low``, ``high`` and ``certain``, the end of the interval
        that is nearer to 1.
    """
    table = pd.DataFrame(
        {
            "topic": found.topics,
            "documents": compared.here.on[row],
            "share": compared.here.share[row],
            "share_elsewhere": compared.there.share[row],
            "lift": compared.lift.ratio[row],
            "low": compared.lift.low[row],
            "high": compared.lift.high[row],
            "certain": compared.lift.near_end[row],
        }
    )
    order = ["certain", "low", "documents", "topic"]
    return table.sort_values(order, ascending=[False, False, False, True], ignore_index=True)


def named_table(
    found: GroupTopics,
    compared: Comparison,
    ids: Sequence[str],
    labels: Sequence[str],
    groups: Sequence[int] | None = None,
) -> pd.DataFrame:
    """`ranked` of every row of a comparison one below the other, with names, to be written.

    Parameters
    ----------
    found : GroupTopics
    compared : Comparison
    ids, labels : sequence of str
        Of all topics of the model.
    groups : sequence of int, optional
        Which group each row of the comparison is of; all in their order by default.

    Returns
    -------
    pandas.DataFrame
        Columns ``group``, ``size`` (its documents), ``id`` and ``label`` of the topic, then those
        of `ranked` without the number.
    """
    parts = []
    for row, group in enumerate(range(found.n_groups) if groups is None else groups):
        size = int(found.counts.documents[group, 0])
        part = ranked(found, compared, row)
        parts.append(part.assign(group=found.grouping.names[group], size=size))
    table = pd.concat(parts, ignore_index=True)
    table["id"] = [ids[topic] for topic in table["topic"]]
    table["label"] = [labels[topic] for topic in table["topic"]]
    figures = [
        name for name in table.columns if name not in ("topic", "group", "size", "id", "label")
    ]
    return table[["group", "size", "id", "label", *figures]]
