"""Topics that are more or less frequent in some groups of documents, with intervals.

Passages of one document resemble each other, so they are not counted as independent documents: the
passages of a document in a group count once, with every topic that is on in any of them. A document
with passages in several groups counts in each. The intervals treat these counts as independent, so
they are wider than necessary between groups that share documents: a topic of a document is more
likely in all of its passages.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import sparse

from ..data.groups import Grouping
from ..inference.thresholds import ON_THRESHOLD
from ..utils.lazy import LazyModule
from ..utils.types import FloatArray, Int64Array

if TYPE_CHECKING:
    import pandas as pd
    import scipy.special as special
else:
    pd = LazyModule("pandas")
    special = LazyModule("scipy.special")

LEVEL = 0.95
# Decimals of expected counts: probabilities are stored in single precision.
DIGITS = 4
# A topic of fewer documents cannot distinguish groups, and every comparison widens all intervals.
MIN_DOCUMENTS = 5.0


class Counts(NamedTuple):
    """Topics counted in groups of documents."""

    # Shape (n_groups, n_topics): number of documents in which the topic is on; an expected number
    # if it was counted from probabilities.
    on: FloatArray
    documents: FloatArray  # shape (n_groups, 1): number of documents

    @property
    def share(self) -> FloatArray:
        """Share of the documents, shape (n_groups, n_topics); NaN in a group without documents."""
        with np.errstate(invalid="ignore"):
            share: FloatArray = self.on / self.documents
            return share

    def of(self, groups: npt.ArrayLike) -> Counts:
        """Counts of the union of some groups."""
        rows = np.atleast_1d(np.asarray(groups))
        return Counts(*(part[rows].sum(axis=0, keepdims=True) for part in self))

    def of_others(self) -> Counts:
        """Counts of the documents outside each group."""
        return Counts(*(part.sum(axis=0, keepdims=True) - part for part in self))


class Lift(NamedTuple):
    """Ratios of shares with their intervals, arrays of one shape."""

    # Share here / share there. Infinite if the topic is only here, NaN if it is in neither.
    ratio: FloatArray
    # Ends of the interval, 0 … infinity.
    low: FloatArray
    high: FloatArray

    @property
    def near_end(self) -> FloatArray:
        """End of the interval that is nearer to 1, or 1 if the interval contains it."""
        nearest: FloatArray = np.clip(1.0, self.low, self.high)
        return nearest


def count_topics(
    probability: sparse.csr_array, group: npt.NDArray[np.integer], n_groups: int
) -> Counts:
    """Count topics in groups.

    ``probability``, shape (n_documents, n_topics), is the probability of each topic in each
    document; ``group``, shape (n_documents,), the group of each document, negative for none.
    """
    rows = np.flatnonzero(group >= 0)
    ones = np.ones(len(rows))
    member = sparse.csr_array((ones, (group[rows], rows)), shape=(n_groups, len(group)))
    # Rounding errors of single precision must not make a count exceed the number of documents.
    on = np.round((member @ probability.astype(np.float64)).toarray(), DIGITS)
    documents = np.bincount(group[rows], minlength=n_groups)[:, None].astype(np.float64)
    return Counts(np.minimum(on, documents), documents)


def lift(here: Counts, there: Counts, comparisons: int = 1, level: float = LEVEL) -> Lift:
    """Ratio of the shares of topics, with simultaneous intervals.

    Each share has the interval of Clopper and Pearson (1934), also for expected counts; the two are
    combined to an interval of the ratio by recovering their variances (Donner and Zou 2012, eq. 9).
    The expected count of an uncertain topic varies less than the count itself, so the intervals are
    conservative. If a topic is on in most documents of a small group and there are thousands of
    comparisons, the end further from 1 may miss three times as often as its level states. Intervals
    from the normal distribution, such as Wilson's, would miss rare topics a hundred times as often.

    Parameters
    ----------
    here, there : Counts
        Counts of the same topics in disjoint sets of documents; shapes broadcast.
    comparisons : int
        Number of simultaneous comparisons. All intervals contain their true ratio with probability
        at least ``level`` (Bonferroni).
    level : float
        Between 0 and 1.
    """
    tail = (1.0 - level) / (2.0 * max(comparisons, 1))
    on, other_on = np.broadcast_arrays(here.on, there.on)
    n, other_n = (np.broadcast_to(part.documents, on.shape) for part in (here, there))
    low, high = _share_limits(on, n, tail)
    other_low, other_high = _share_limits(other_on, other_n, tail)
    with np.errstate(divide="ignore", invalid="ignore"):
        share, other = on / n, other_on / other_n
        return Lift(
            ratio=share / other,
            low=_least_ratio(share, low, other, other_high),
            high=1.0 / _least_ratio(other, other_low, share, high),
        )


def _share_limits(on: FloatArray, n: FloatArray, tail: float) -> tuple[FloatArray, FloatArray]:
    """Limits of a share by Clopper and Pearson; 0 and 1 if there are no documents."""
    off = np.maximum(n - on, 0.0)
    # At the edges the functions are not defined, and the limits are known.
    low = np.where(on > 0, special.betaincinv(np.where(on > 0, on, 1.0), off + 1.0, tail), 0.0)
    high = np.where(
        off > 0, special.betaincinv(on + 1.0, np.where(off > 0, off, 1.0), 1.0 - tail), 1.0
    )
    return low, high


def _least_ratio(
    share: FloatArray, low: FloatArray, other: FloatArray, other_high: FloatArray
) -> FloatArray:
    """Lower end of share / other (Donner and Zou 2012, eq. 9, without cancellation)."""
    above = low * (2.0 * share - low)
    product = share * other
    root = np.sqrt(np.maximum(product**2 - above * other_high * (2.0 * other - other_high), 0.0))
    # If there are no documents on either side, every ratio is possible.
    least: FloatArray = np.where((low > 0) & (other >= 0), above / (product + root), 0.0)
    return least


class Comparison(NamedTuple):
    """Shares of topics in some documents and in others, one row per group."""

    here: Counts
    there: Counts
    lift: Lift  # arrays of shape (n_rows, n_compared); all intervals hold together
    alone: Lift  # the same ratios; each interval holds by itself


@dataclass(frozen=True, eq=False)
class GroupTopics:
    """Topics counted in groups of documents."""

    grouping: Grouping
    topics: Int64Array  # shape (n_compared,): numbers of the topics that are compared
    counts: Counts  # counts of these topics in each group
    n_documents: int  # documents in the groups, each counted once
    n_rows: int  # documents or passages in the groups

    @property
    def n_groups(self) -> int:
        """Number of groups."""
        return len(self.grouping.names)

    @cached_property
    def against_others(self) -> Comparison:
        """Compare each group with the documents of all others."""
        return compare(self.counts, self.counts.of_others(), self.counts.on.size)

    @cached_property
    def against_before(self) -> Comparison:
        """Compare each period with all earlier ones."""
        return compare(self.counts, self._before(), (self.n_groups - 1) * len(self.topics))

    def of_group(self, group: int) -> Comparison:
        """Compare one group with the documents of all others.

        The result has one row, and its intervals are corrected for the topics of this row alone.
        """
        return self._one(self.counts.of(group), self.counts.of_others().of(group))

    def of_period(self, period: int) -> Comparison:
        """Compare one period with all earlier ones, corrected as in `of_group`."""
        return self._one(self.counts.of(period), self._before().of(period))

    def against(self, first: int, second: int) -> Comparison:
        """Compare one group with another, corrected as in `of_group`."""
        return self._one(self.counts.of(first), self.counts.of(second))

    def _before(self) -> Counts:
        return Counts(*(np.cumsum(part, axis=0) - part for part in self.counts))

    def _one(self, here: Counts, there: Counts) -> Comparison:
        return compare(here, there, len(self.topics))


def topics_of_groups(
    probability: sparse.csr_array,
    rows: Int64Array,
    grouping: Grouping,
    hidden: Collection[int] = (),
    shown_as: Mapping[int, int] = MappingProxyType({}),
) -> GroupTopics:
    """Count the documents of each group in which each topic of a model is on.

    The passages of a document in a group count as one document.

    Parameters
    ----------
    probability : csr_array, shape (n_rows, n_topics)
        Probability of each topic in each document.
    rows : int64 array, shape (n_rows,)
        Numbers of these documents in the corpus.
    hidden : collection of int
        Topics that are not compared.
    shown_as : mapping of int to int
        Topics that are shown as part of another one.
    """
    joined = join_topics(probability, shown_as)
    # As on all pages, a document has a topic if it is on.
    is_on = (joined > ON_THRESHOLD).astype(np.float64)
    group: npt.NDArray[np.integer] = grouping.of_document[rows]
    n_documents = n_rows = int(np.count_nonzero(group >= 0))
    if grouping.whole is not None:
        n_documents = len(np.unique(grouping.whole[rows[group >= 0]]))
        is_on, group = _join_passages(is_on, group, grouping.whole[rows])
    counts = count_topics(is_on, group, len(grouping.names))
    is_left_out = np.zeros(joined.shape[1], bool)
    is_left_out[[*hidden, *shown_as]] = True
    compared = np.flatnonzero((counts.on.sum(axis=0) >= MIN_DOCUMENTS) & ~is_left_out)
    counts = Counts(counts.on[:, compared], counts.documents)
    return GroupTopics(grouping, compared, counts, n_documents, n_rows)


def _join_passages(
    is_on: sparse.csr_array, group: npt.NDArray[np.integer], document: Int64Array
) -> tuple[sparse.csr_array, Int64Array]:
    """Topics and group of each pair of a document and a group, on if on in any of its passages."""
    rows = np.flatnonzero(group >= 0)
    n_groups = int(group.max(initial=0)) + 1
    pairs, place = np.unique(document[rows] * n_groups + group[rows], return_inverse=True)
    shape = (len(pairs), len(group))
    member = sparse.csr_array((np.ones(len(rows)), (place, rows)), shape=shape)
    return sparse.csr_array((member @ is_on > 0).astype(np.float64)), pairs % n_groups


def join_topics(probability: sparse.csr_array, shown_as: Mapping[int, int]) -> sparse.csr_array:
    """Give a topic the largest probability among itself and the topics that are shown as it."""
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
    return Comparison(here, there, lift(here, there, comparisons), lift(here, there))


def ranked(found: GroupTopics, compared: Comparison, row: int) -> pd.DataFrame:
    """Topics of one row of a comparison, the most clearly overrepresented first.

    Columns ``topic`` (its number), ``documents`` (with the topic), ``share``,
    ``share_elsewhere``, ``lift``, ``low``, ``high``, ``certain`` (`Lift.near_end`), ``likely`` (the
    near end of the interval that holds by itself) and ``documents_elsewhere``.
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
            "likely": compared.alone.near_end[row],
            "documents_elsewhere": compared.there.on[row],
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
    """Table of `ranked` for every row of a comparison, with names.

    Parameters
    ----------
    ids, labels : sequence of str
        Ids and labels of all topics of the model.
    groups : sequence of int, optional
        Group of each row of the comparison; by default all in their order.

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
