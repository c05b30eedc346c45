"""Groups of documents: those of one label, of one value of a column, of one year or month."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from ..utils.errors import InputError
from ..utils.types import Int32Array
from .columns import STANDARD, date_columns
from .dates import UNKNOWN, read_dates

Step = Literal["value", "month", "year", "decade"]
PERIODS: tuple[Step, ...] = ("month", "year", "decade")
NO_GROUP = -1
# A column of more values than half its cells names documents rather than groups.
LEAST_PER_VALUE = 2
# What a group is named by; whoever has longer ones has texts.
LONGEST_NAME = 80
# Periods that are still told apart; a longer time is cut into longer ones.
MOST_PERIODS = 40


class Grouping(NamedTuple):
    """Which document is in which group.

    Attributes
    ----------
    column : str
    step : str
        "value", or what its dates are cut into: "month", "year", "decade".
    names : tuple of str
        Of periods in their order (``2019-03``, ``2019``, ``2010s``), of values the largest first.
    of_document : int32 array, shape (n_documents,)
        Number of the document's group, `NO_GROUP` where the cell is empty or says no date.
    first_year : tuple of int
        Year in which each period begins; empty for values.
    """

    column: str
    step: Step
    names: tuple[str, ...]
    of_document: Int32Array
    first_year: tuple[int, ...] = ()

    @property
    def is_time(self) -> bool:
        """Whether the groups follow one another."""
        return self.step != "value"

    def has(self, name: str) -> npt.NDArray[np.bool_]:
        """Whether each document is in the group of a name; none is in one that is not there."""
        number = self.names.index(name) if name in self.names else len(self.names)
        return np.asarray(self.of_document == number)


def group_columns(documents: pd.DataFrame) -> list[str]:
    """Names of the columns whose values make groups, the label first where it has any."""
    dated = set(date_columns(documents))
    names = [str(name) for name in documents.columns if name not in STANDARD]
    found = [name for name in names if name not in dated and _repeats(documents[name])]
    return (["label"] if documents["label"].notna().any() else []) + found


def read_grouping(
    documents: pd.DataFrame, column: str | None = None, step: Step | None = None
) -> Grouping:
    """Group documents by a column.

    Parameters
    ----------
    documents : pandas.DataFrame
        As a corpus has them.
    column : str, optional
        By default the label, where there are two or more; else the likeliest column of dates, for
        periods in any case; else another whose values repeat.
    step : str, optional
        By default periods for a column of dates that is no label, as long as they need be for
        `MOST_PERIODS` to reach, and values for any other.

    Raises
    ------
    InputError
        If there is no such column, it holds no dates where periods are asked for, or no column
        makes groups.
    """
    dated = date_columns(documents)
    if column is None:
        column = _likeliest(documents, dated, step)
    if column not in documents.columns or column in ("id", "text"):
        others = ", ".join(map(repr, _all_columns(documents))) or "none"
        raise InputError(f"the corpus has no column {column!r} to group by; its columns: {others}")
    if step is None:
        step = (
            _fitting_step(documents, column) if column in dated and column != "label" else "value"
        )
    if step == "value":
        return _by_value(documents, column)
    found = _by_period(documents, column, step)
    if not found.names:
        known = ", ".join(map(repr, dated)) or "none"
        raise InputError(f"the column {column!r} holds no dates; columns that do: {known}")
    return found


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


def _all_columns(documents: pd.DataFrame) -> list[str]:
    return [str(name) for name in documents.columns if name not in ("id", "text")]


def _repeats(column: pd.Series) -> bool:
    """Whether the values of a column name groups of documents."""
    texts = _names(column)
    filled = texts[texts != ""]
    distinct = filled.unique()
    is_short = len(distinct) > 0 and filled.str.len().max() <= LONGEST_NAME
    return bool(is_short and 2 <= len(distinct) <= len(filled) / LEAST_PER_VALUE)


def _names(column: pd.Series) -> pd.Series:
    return column.astype(str).where(column.notna(), "").str.strip()


def _by_value(documents: pd.DataFrame, column: str) -> Grouping:
    texts = _names(documents[column])
    sizes = texts[texts != ""].value_counts()
    # Equal ones in the order of their names, whatever the order of the documents.
    names = sorted(sizes.index, key=lambda name: (-sizes[name], name))
    place = {name: number for number, name in enumerate(names)}
    group = texts.map(place).fillna(NO_GROUP).to_numpy(np.int32)
    return Grouping(column, "value", tuple(names), group)


def _by_period(documents: pd.DataFrame, column: str, step: Step) -> Grouping:
    year, month, _ = read_dates(documents[column])
    first = {"month": 12 * year + month - 1, "year": 12 * year, "decade": 120 * (year // 10)}[step]
    is_known = (year != UNKNOWN) & ((month != UNKNOWN) | (step != "month"))
    begins, place = np.unique(first[is_known], return_inverse=True)
    group = np.full(len(year), NO_GROUP, np.int32)
    group[is_known] = place
    names = tuple(_period_name(int(months), step) for months in begins)
    return Grouping(column, step, names, group, tuple((begins // 12).tolist()))


def _period_name(months: int, step: Step) -> str:
    year, month = divmod(months, 12)
    return {"month": f"{year:04}-{month + 1:02}", "year": f"{year}", "decade": f"{year}s"}[step]


def _fitting_step(documents: pd.DataFrame, column: str) -> Step:
    """The shortest period of which there are few enough; months only within few years."""
    year, month, _ = read_dates(documents[column])
    years = np.unique(year[year != UNKNOWN])
    months = np.unique(12 * year[month != UNKNOWN] + month[month != UNKNOWN])
    if len(months) > len(years) and len(months) <= MOST_PERIODS:
        return "month"
    return "year" if len(years) <= MOST_PERIODS else "decade"
