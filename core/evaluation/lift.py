"""How many times as often a topic is on in some documents as in others, with an interval."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import sparse
from scipy.special import betaincinv

from orrery.core.arrays import FloatArray

LEVEL = 0.95
# Probabilities are stored in single precision.
DIGITS = 4


class Counts(NamedTuple):
    """Topics counted in groups of documents.

    Attributes
    ----------
    on : float array, shape (n_groups, n_topics)
        Expected number of documents in which the topic is on: the sum of its probabilities.
    documents : float array, shape (n_groups, 1)
        Number of documents.
    """

    on: FloatArray
    documents: FloatArray

    @property
    def share(self) -> FloatArray:
        """Share of the documents, shape (n_groups, n_topics); NaN in a group without documents."""
        with np.errstate(invalid="ignore"):
            share: FloatArray = self.on / self.documents
            return share

    def of(self, groups: npt.ArrayLike) -> Counts:
        """Some of the groups, counted as one."""
        rows = np.atleast_1d(np.asarray(groups))
        return Counts(*(part[rows].sum(axis=0, keepdims=True) for part in self))

    def of_others(self) -> Counts:
        """Each group's counterpart: the documents of all other groups."""
        return Counts(*(part.sum(axis=0, keepdims=True) - part for part in self))


class Lift(NamedTuple):
    """Ratios of shares with their intervals, arrays of one shape.

    Attributes
    ----------
    ratio : float array
        Share here / share there. Infinite where the topic is only here, NaN where it is nowhere.
    low, high : float array
        Ends of the interval, 0 … infinity.
    """

    ratio: FloatArray
    low: FloatArray
    high: FloatArray

    @property
    def near_end(self) -> FloatArray:
        """The end nearer to 1, and 1 where the interval holds 1: what is certain of the ratio."""
        nearest: FloatArray = np.clip(1.0, self.low, self.high)
        return nearest


def count_topics(
    probability: sparse.csr_array, group: npt.NDArray[np.integer], n_groups: int
) -> Counts:
    """Count topics in groups.

    Parameters
    ----------
    probability : csr_array, shape (n_documents, n_topics)
        Of each topic in each document.
    group : int array, shape (n_documents,)
        Group of each document, below 0 for none.
    n_groups : int
    """
    rows = np.flatnonzero(group >= 0)
    ones = np.ones(len(rows))
    member = sparse.csr_array((ones, (group[rows], rows)), shape=(n_groups, len(group)))
    # What comes of single precision may not make more of a topic than there are documents.
    on = np.round((member @ probability.astype(np.float64)).toarray(), DIGITS)
    documents = np.bincount(group[rows], minlength=n_groups)[:, None].astype(np.float64)
    return Counts(np.minimum(on, documents), documents)


def lift(here: Counts, there: Counts, comparisons: int = 1, level: float = LEVEL) -> Lift:
    """Ratio of the shares of topics, with intervals that hold together.

    Each share has the interval of Clopper and Pearson (1934), for expected counts as for counts;
    the two become one of the ratio by recovering their variances (Donner and Zou 2012, eq. 9). The
    expected count of an unsure topic varies less than the count itself would, so intervals are
    wide rather than narrow. Where a topic is on in most of a small group and comparisons are
    thousands, the end further from 1 may miss three times as often as it says. Intervals from the
    normal distribution, such as Wilson's, would miss rare topics a hundred times as often.

    Parameters
    ----------
    here, there : Counts
        Of documents that do not overlap, of the same topics; shapes broadcast.
    comparisons : int
        Ratios that are looked at together. With probability ``level`` at least, the intervals of
        all of them hold the ratio that infinitely many such documents would show (Bonferroni).
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
    """Clopper and Pearson's limits of a share, 0 and 1 where there are no documents."""
    off = np.maximum(n - on, 0.0)
    # Both are 0 at the edges, where the limits are known and the functions are not defined.
    low = np.where(on > 0, betaincinv(np.where(on > 0, on, 1.0), off + 1.0, tail), 0.0)
    high = np.where(off > 0, betaincinv(on + 1.0, np.where(off > 0, off, 1.0), 1.0 - tail), 1.0)
    return low, high


def _least_ratio(
    share: FloatArray, low: FloatArray, other: FloatArray, other_high: FloatArray
) -> FloatArray:
    """Lower end of share / other (Donner and Zou 2012, eq. 9, freed of its difference)."""
    above = low * (2.0 * share - low)
    product = share * other
    root = np.sqrt(np.maximum(product**2 - above * other_high * (2.0 * other - other_high), 0.0))
    # Where there are no documents, on either side, everything is possible.
    least: FloatArray = np.where((low > 0) & (other >= 0), above / (product + root), 0.0)
    return least
