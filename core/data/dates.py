"""Dates in the cells of a column: read in whatever form they stand, and told from other things."""

from __future__ import annotations

import math
import re
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from ..utils.types import Int32Array

# What a part of a date is where it is not known; no calendar has a year, month or day 0.
UNKNOWN = 0
# A column of dates may have errors, but of the cells that are filled so many must be dates.
LEAST_DATED = 0.8
# A number alone is taken for a year within these, unless the column's name says more.
FIRST_YEAR, LAST_YEAR = 1500, 2100
# Rows that a guess looks at, evenly spread: files are often sorted by date.
SAMPLE_ROWS = 2_000
# Parts of names that say that numbers are dates: "air_date", "created_utc", "yearOfBirth".
NAME_SAYS_SO = re.compile(r"year|date|time|publish|created|posted|(?<![a-z])(?:day|month)")
# A longer cell is a sentence, and a year in it is not when it was written.
LONGEST_CELL = 40
# Two figures of a year: from here on the last century, as POSIX has it.
PIVOT = 69
# In a chart more bars than this are joined into spans of years.
MOST_YEARS = 40
SPANS = (1, 2, 5, 10, 20, 50, 100)

_MONTHS = (
    "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|"
    "sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?"
)
_MONTH_NUMBER = {name[:3]: number for number, name in enumerate(_MONTHS.split("|"), start=1)}
_REST = r"(?:[T\s_,].*)?$"
# 2019-03-05, 2019/3/5 and 2019-03, with or without a time and its zone.
_YEAR_FIRST = (
    rf"^(?P<year>\d{{4}})(?:[-/](?P<month>\d\d?)(?:[-/](?P<day>\d\d?))?|"
    rf"\.(?P<month_2>\d\d?)\.(?P<day_2>\d\d?)\.?){_REST}"
)
_TIME = r"^(\d{4}-\d\d-\d\d)[T ].*"
# 20190305 and 201903, as text or as a number.
_COMPACT = r"^(?P<year>\d{4})(?P<month>0[1-9]|1[0-2])(?P<day>0[1-9]|[12]\d|3[01])?(?:\.0+|T.*)?$"
_YEAR = r"^(?P<year>[12]\d{3})(?:\.0+)?$"
# 5/3/2019, 5.3.2019, 05-03-2019 and 5/3/19; which is the month, the column as a whole tells.
_YEAR_LAST = (
    rf"^(?P<first>\d\d?)(?P<mark>[-/.])(?P<second>\d\d?)(?:(?P=mark)(?P<year>\d{{4}})|"
    rf"/(?P<short>\d\d)){_REST}"
)
# 5 March 2019, Mar 5th, 2019, Tue, 05 Mar 2019 10:00 +0100, Mon Mar 05 10:00:00 +0000 2019.
_NAMED_MONTH = (
    rf"(?i)(?:(?<!\d)(?P<day>\d\d?)(?:st|nd|rd|th)?[\s.,-]*(?:of\s+)?)?\b(?P<name>{_MONTHS})\b"
    r"(?:[\s.,-]*(?P<day_2>\d\d?)(?:st|nd|rd|th)?(?![\d:]))?"
)
_A_YEAR = r"(?<![\d.+])(?<!\d [-+])(?P<year>1\d{3}|20\d\d)(?!\d|\.\d)"
# Seconds or milliseconds since 1970, from 2001 on.
_EPOCH = r"^(?P<seconds>1\d{9})(?:\d{3})?(?:\.\d+)?$"
_NUMBER = r"^[-+]?\d[\d.,]*$"


class Dates(NamedTuple):
    """The date of each cell, as far as it says one.

    Attributes
    ----------
    year : int32 array, shape (n,)
        1 … 9999, `UNKNOWN` where the cell is no date.
    month : int32 array, shape (n,)
        1 … 12, `UNKNOWN` where the cell does not say it.
    day : int32 array, shape (n,)
        1 … 31, `UNKNOWN` where the cell does not say it.
    """

    year: Int32Array
    month: Int32Array
    day: Int32Array


def read_dates(values: pd.Series) -> Dates:
    """Read the date of each cell of a column, of any type, as it is written: zones do not shift it.

    Years, months (``2019-03``), days in the usual forms, with a time and zone or without, English
    names of months, and seconds since 1970; else the first year in a short text (``c. 1850``).
    Where the column as a whole does not tell whether 5/3/2019 is in March or in May, the month
    stays open.
    """
    column = pd.Series(values).reset_index(drop=True)
    if pd.api.types.is_datetime64_any_dtype(column):
        parts = (column.dt.year, column.dt.month, column.dt.day)
        return Dates(*(part.fillna(UNKNOWN).to_numpy(np.int32) for part in parts))
    place, distinct = _distinct(column)
    dates, _ = _read_texts(distinct)
    return Dates(*(np.append(part, np.int32(UNKNOWN))[place] for part in dates))


def looks_like_dates(values: pd.Series, name: str = "") -> bool:
    """Whether a column holds dates, judged by what is in it.

    Parameters
    ----------
    values : pandas.Series
        Missing and empty cells do not count.
    name : str
        Of the column. Numbers alone could be anything: they are years where most lie between
        `FIRST_YEAR` and `LAST_YEAR` and some repeat, or where the name speaks of dates.
    """
    column = pd.Series(values)
    column = column.iloc[:: max(len(column) // SAMPLE_ROWS, 1)].reset_index(drop=True)
    if pd.api.types.is_datetime64_any_dtype(column):
        return bool(column.notna().any())
    if pd.api.types.is_bool_dtype(column):
        return False
    # No date is without a figure, and to look further takes long where columns are many.
    if not column.astype(str).str.contains(r"\d").any():
        return False
    place, distinct = _distinct(column)
    place = place[place >= 0]
    has_figure = distinct.str.contains(r"\d").to_numpy(bool)
    if not len(place) or has_figure[place].mean() < LEAST_DATED:
        return False
    dates, is_certain = _read_texts(distinct)
    if is_certain[place].mean() >= LEAST_DATED:
        return True
    if NAME_SAYS_SO.search(name.lower()):
        return bool((dates.year[place] != UNKNOWN).mean() >= LEAST_DATED)
    is_plain = distinct.str.fullmatch(_EPOCH).to_numpy(bool)
    is_year = (dates.year >= FIRST_YEAR) & (dates.year <= LAST_YEAR) & ~is_plain
    return bool(is_year[place].mean() >= LEAST_DATED and len(distinct) < len(place))


def _distinct(column: pd.Series) -> tuple[npt.NDArray[np.int64], pd.Series]:
    """Place of each cell among the distinct texts, -1 where it is missing, and these texts."""
    # A time would make nearly every cell distinct, and reading them takes long.
    texts = column.astype(str).str.strip().str.replace(_TIME, r"\1", regex=True)
    place, distinct = pd.factorize(texts)
    place = np.where(column.isna() | (texts == ""), -1, place)
    return place, pd.Series(distinct, dtype=object).astype(str)


def _read_texts(texts: pd.Series) -> tuple[Dates, npt.NDArray[np.bool_]]:
    """Dates of distinct texts, and whether each is in a form that nothing but a date has."""
    dates = Dates(*(np.zeros(len(texts), np.int32) for _ in range(3)))
    is_certain = np.zeros(len(texts), bool)
    for reader, certain in _READERS:
        open_ones = np.flatnonzero(dates.year == UNKNOWN)
        if not len(open_ones):
            break
        found = reader(texts.iloc[open_ones].reset_index(drop=True))
        for part, read in zip(dates, _possible(found), strict=True):
            part[open_ones] = read
        is_certain[open_ones] = certain & (dates.year[open_ones] != UNKNOWN)
    return dates, is_certain


def _possible(found: pd.DataFrame) -> Dates:
    """Whole numbers, without months and days that no calendar has."""
    year, month, day = (found[name].fillna(UNKNOWN).to_numpy(np.int32) for name in Dates._fields)
    month = np.where((month > 12) | (year == UNKNOWN), UNKNOWN, month)
    leap = (year % 4 == 0) & ((year % 100 != 0) | (year % 400 == 0))
    length = np.array([0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31])[month]
    day = np.where(day > length + (leap & (month == 2)), UNKNOWN, day)
    return Dates(year.astype(np.int32), month.astype(np.int32), day.astype(np.int32))


def _extract(texts: pd.Series, pattern: str) -> pd.DataFrame:
    """Named groups of a pattern as numbers, missing where it does not match; all three parts."""
    found = texts.str.extract(pattern)
    for name in found.columns.difference(["mark", "name"]):
        # Python's own numbers, because people write them in figures of any script.
        found[name] = found[name].astype(object).astype(float)
    for name in ("month", "day"):
        if f"{name}_2" in found:
            found[name] = found[name].fillna(found[f"{name}_2"])
    return found.reindex(columns=list(dict.fromkeys([*Dates._fields, *found.columns])))


def _year_last(texts: pd.Series) -> pd.DataFrame:
    found = _extract(texts, _YEAR_LAST)
    first, second = found["first"], found["second"]
    is_day_first = (first > 12) | (found["mark"] == ".")
    is_month_first = (second > 12) & ~is_day_first
    is_open = ~is_day_first & ~is_month_first
    # What does not tell by itself goes with those that do, where these agree.
    some_day_first, some_month_first = bool((first > 12).any()), bool(is_month_first.any())
    if some_day_first != some_month_first:
        is_day_first |= is_open & some_day_first
        is_month_first |= is_open & some_month_first
    found["month"] = second.where(is_day_first, first.where(is_month_first))
    found["day"] = first.where(is_day_first, second.where(is_month_first))
    century = 1900 + 100 * (found["short"] < PIVOT)
    return found.assign(year=found["year"].fillna(found["short"] + century))


def _named_month(texts: pd.Series) -> pd.DataFrame:
    found = _extract(texts.where(texts.str.len() <= LONGEST_CELL), _NAMED_MONTH)
    found["month"] = found["name"].str.lower().str[:3].map(_MONTH_NUMBER)
    year = _extract(texts, _A_YEAR)["year"]
    return found.assign(year=year.where(found["month"].notna()))


def _epoch(texts: pd.Series) -> pd.DataFrame:
    found = _extract(texts, _EPOCH)
    moment = pd.to_datetime(found["seconds"], unit="s")
    return pd.DataFrame({"year": moment.dt.year, "month": moment.dt.month, "day": moment.dt.day})


def _somewhere(texts: pd.Series) -> pd.DataFrame:
    is_short = (texts.str.len() <= LONGEST_CELL) & ~texts.str.contains(_NUMBER)
    return _extract(texts.where(is_short), _A_YEAR)


# In the order in which they are tried, and whether nothing but a date looks so.
_READERS = (
    (lambda texts: _extract(texts, _YEAR_FIRST), True),
    (_year_last, True),
    (_named_month, True),
    (lambda texts: _extract(texts, _YEAR), False),
    (lambda texts: _extract(texts, _COMPACT), False),
    (_epoch, False),
    (_somewhere, False),
)


def year_span(years: npt.NDArray[np.int32]) -> int:
    """Years in a bar: the shortest span that leaves few enough bars."""
    extent = int(years.max()) - int(years.min()) + 1 if len(years) else 1
    return next((span for span in SPANS if math.ceil(extent / span) <= MOST_YEARS), SPANS[-1])
