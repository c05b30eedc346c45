"""Groups of documents with the same label, value of a column, or time period."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from ..utils.errors import InputError
from ..utils.lazy import LazyModule
from ..utils.types import Int32Array, Int64Array
from .columns import POSITIONS, STANDARD, date_columns
from .dates import UNKNOWN, read_dates
from .passages import document_of_passage

if TYPE_CHECKING:
    import pandas as pd
else:
    pd = LazyModule("pandas")

Step = Literal["value", "month", "year", "decade"]
PERIODS: tuple[Step, ...] = ("month", "year", "decade")
NO_GROUP = -1
# Documents for each value of a column; with fewer, the values identify documents, not groups.
MIN_PER_VALUE = 2
# Characters of a group name; longer values are texts.
MAX_NAME = 80
BY_DOCUMENT = (
    "The passages of a document in a group count as one document, which has each topic that is on "
    "in any of them. A document with passages in several groups counts in each, so the intervals "
    "between these groups are wider than necessary."
)
# Share of the dated documents that give the month; if fewer do, periods are years.
MIN_KEPT = 0.95
# Time periods that a reader can still distinguish; beyond this number, the periods get longer.
MAX_PERIODS = 40


class Grouping(NamedTuple):
    """Group of each document."""

    column: str
    step: Step  # "value", or the length of a time period: "month", "year", "decade"
    # Periods in temporal order (``2019-03``, ``2019``, ``2010s``), or values by descending size.
    names: tuple[str, ...]
    # Shape (n_documents,): group index of each document, `NO_GROUP` for an empty cell or one
    # without a date.
    of_document: Int32Array
    first_year: tuple[int, ...] = ()  # first year of each period; empty for values
    n_empty: int = 0  # documents in no group, because their cell is empty or holds no date
    n_coarse: int = 0  # documents in no group, because their date gives no month
    # Shape (n_documents,): document of each passage, by which topics are counted; else None.
    whole: Int64Array | None = None

    @property
    def is_time(self) -> bool:
        """Whether the groups are time periods in order."""
        return self.step != "value"

    @property
    def rows(self) -> str:
        """Name of the rows of the corpus: "documents" or "passages"."""
        return "documents" if self.whole is None else "passages"

    def has(self, name: str) -> npt.NDArray[np.bool_]:
        """Whether each document is in the group with this name; all False without such a group."""
        number = self.names.index(name) if name in self.names else len(self.names)
        return np.asarray(self.of_document == number)


def left_out(grouping: Grouping) -> str:
    """Sentence on the documents that are in no group; may be empty."""
    parts = []
    if grouping.n_coarse:
        parts.append(
            f"{grouping.n_coarse:,} whose date gives no month (groups by year include them)"
        )
    if grouping.n_empty:
        parts.append(f"{grouping.n_empty:,} without a {'date' if grouping.is_time else 'value'}")
    total = len(grouping.of_document)
    return f"Left out of {total:,} {grouping.rows}: {' and '.join(parts)}." if parts else ""


def group_columns(documents: pd.DataFrame) -> list[str]:
    """Names of the columns whose values form groups; the label comes first if it is used."""
    dated = set(date_columns(documents))
    names = [str(name) for name in documents.columns if name not in (*STANDARD, *POSITIONS)]
    found = [name for name in names if name not in dated and _repeats(documents[name])]
    return (["label"] if documents["label"].notna().any() else []) + found


def read_grouping(
    documents: pd.DataFrame, column: str | None = None, step: Step | None = None
) -> Grouping:
    """Group documents by a column.

    Raises InputError if the column does not exist, has no dates although periods are requested, or
    if no column forms groups.

    Parameters
    ----------
    column : str, optional
        Default: the label if it has two or more values; else the likeliest date column; else
        another column with repeated values. If ``step`` is a period, the likeliest date column.
    step : str, optional
        Default: for a date column that is not the label, the shortest period that gives at most
        `MAX_PERIODS` groups and leaves out at most 5 % of the dated documents; for all other
        columns "value".
    """
    dated = date_columns(documents)
    if column is None:
        column = _likeliest(documents, dated, step)
    if column not in documents.columns or column in ("id", "text"):
        columns = [repr(str(name)) for name in documents.columns if name not in ("id", "text")]
        others = ", ".join(columns) or "none"
        raise InputError(f"the corpus has no column {column!r} to group by; its columns: {others}")
    if step is None:
        is_dated = column in dated and column != "label"
        step = _fitting_step(documents, column) if is_dated else "value"
    if step == "value":
        found = _by_value(documents, column)
        if not found.names:
            raise InputError(f"the column {column!r} is empty; choose another")
        return _by_document(found, documents)
    found = _by_period(documents, column, step)
    if not found.names and found.n_coarse:
        raise InputError(
            f"no date in the column {column!r} gives a month; group by year or by decade"
        )
    if not found.names:
        known = ", ".join(repr(name) for name in dated if name != column) or "none"
        raise InputError(f"the column {column!r} holds no dates; columns that do: {known}")
    return _by_document(found, documents)


def _by_document(found: Grouping, documents: pd.DataFrame) -> Grouping:
    """Grouping that counts passages by their documents.

    Passages are counted themselves if most groups are of one document: there are no other documents
    of the group that they could stand for.
    """
    whole = document_of_passage(documents)
    if whole is None:
        return found
    in_group = found.of_document >= 0
    pairs = np.unique(np.stack([found.of_document[in_group], whole[in_group]]), axis=1)
    n_documents = np.unique(pairs[0], return_counts=True)[1]
    return found if np.median(n_documents) <= 1 else found._replace(whole=whole)


def _likeliest(documents: pd.DataFrame, dated: Sequence[str], step: Step | None) -> str:
    values = group_columns(documents)
    if step in PERIODS:
        choices = [*dated]
    elif "label" in values and documents["label"].nunique() > 1:
        choices = ["label"]
    else:
        choices = [*(dated if step is None else ()), *(n for n in values if n != "label"), *values]
    if not choices:
        kind = "column of dates" if step in PERIODS else "label, date or other column"
        raise InputError(f"the corpus has no {kind} to group its documents by; import one with it")
    return choices[0]


def _repeats(column: pd.Series) -> bool:
    """Whether the values of a column form groups of documents."""
    texts = _names(column)
    filled = texts[texts != ""]
    distinct = filled.unique()
    is_short = len(distinct) > 0 and filled.str.len().max() <= MAX_NAME
    return bool(is_short and 2 <= len(distinct) <= len(filled) / MIN_PER_VALUE)


def _names(column: pd.Series) -> pd.Series:
    return column.astype(str).where(column.notna(), "").str.strip()


def _by_value(documents: pd.DataFrame, column: str) -> Grouping:
    texts = _names(documents[column])
    sizes = texts[texts != ""].value_counts()
    # Ties are broken by name, so that the order of the documents does not matter.
    names = sorted(sizes.index, key=lambda name: (-sizes[name], name))
    place = {name: number for number, name in enumerate(names)}
    group = texts.map(place).fillna(NO_GROUP).to_numpy(np.int32)
    n_empty = int((group == NO_GROUP).sum())
    return Grouping(column, "value", tuple(names), group, n_empty=n_empty)


def _by_period(documents: pd.DataFrame, column: str, step: Step) -> Grouping:
    year, month, _ = read_dates(documents[column])
    first = {"month": 12 * year + month - 1, "year": 12 * year, "decade": 120 * (year // 10)}[step]
    is_known = (year != UNKNOWN) & ((month != UNKNOWN) | (step != "month"))
    begins, place = np.unique(first[is_known], return_inverse=True)
    group = np.full(len(year), NO_GROUP, np.int32)
    group[is_known] = place
    names = tuple(_period_name(int(months), step) for months in begins)
    n_empty = int((year == UNKNOWN).sum())
    n_coarse = int((~is_known).sum()) - n_empty
    return Grouping(column, step, names, group, tuple((begins // 12).tolist()), n_empty, n_coarse)


def _period_name(months: int, step: Step) -> str:
    year, month = divmod(months, 12)
    return {"month": f"{year:04}-{month + 1:02}", "year": f"{year}", "decade": f"{year}s"}[step]


def _fitting_step(documents: pd.DataFrame, column: str) -> Step:
    """Shortest period with at most `MAX_PERIODS` groups; months only if nearly all dates give one.

    Several months must fall in a year.
    """
    year, month, _ = read_dates(documents[column])
    years = np.unique(year[year != UNKNOWN])
    months = np.unique(12 * year[month != UNKNOWN] + month[month != UNKNOWN])
    n_months, n_years = np.count_nonzero(month != UNKNOWN), np.count_nonzero(year != UNKNOWN)
    if len(years) < len(months) <= MAX_PERIODS and n_months >= MIN_KEPT * n_years:
        return "month"
    return "year" if len(years) <= MAX_PERIODS else "decade"
