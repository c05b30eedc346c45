"""Dates in the cells of a column: recognition of date columns, and parsing of many date formats."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from ..utils.lazy import LazyModule
from ..utils.types import Int32Array
from .guesses import Guess

if TYPE_CHECKING:
    import pandas as pd
else:
    pd = LazyModule("pandas")

# Value of an unknown year, month or day; no calendar has a year, month or day 0.
UNKNOWN = 0
# A column of dates may contain errors; at least this share of its non-empty cells must be dates.
MIN_DATED = 0.8
# A bare number in this range can be a year, unless the column name gives more information.
FIRST_YEAR, LAST_YEAR = 1500, 2100
# Rows on which a guess is based, evenly spaced because files are often sorted by date.
SAMPLE_ROWS = 2_000
# Numbers are dates if their column name contains this: "air_date", "created_utc", "yearOfBirth".
DATE_NAME = re.compile(r"year|date|time|publish|created|posted|(?<![a-z])(?:day|month)")
# Maximum length of a cell. A longer cell is a sentence, and a year in it is not its date.
MAX_CELL = 40
# A two-digit year from this one on belongs to the 20th century, as in POSIX.
PIVOT = 69
# Maximum number of bars of a chart; for more years, several years share a bar.
MAX_BARS = 40
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
# 5/3/2019, 5.3.2019, 05-03-2019 and 5/3/19; the whole column decides which part is the month.
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
    """Date of each cell; three int32 arrays of shape (n,).

    ``year`` is 1 to 9999, ``month`` 1 to 12 and ``day`` 1 to 31. Each is `UNKNOWN` if the cell does
    not contain it, and all three if the cell is not a date.
    """

    year: Int32Array
    month: Int32Array
    day: Int32Array


def read_dates(values: pd.Series) -> Dates:
    """Read the date of each cell of a column of any type; time zones do not shift a date.

    The cells may contain years, months (``2019-03``), days in the usual forms with or without a
    time and zone, English month names, or seconds since 1970. Otherwise the first year in a short
    text counts (``c. 1850``). If the column does not determine whether 5/3/2019 is in March or in
    May, the month and the day remain unknown.
    """
    column = pd.Series(values).reset_index(drop=True)
    if pd.api.types.is_datetime64_any_dtype(column):
        parts = (column.dt.year, column.dt.month, column.dt.day)
        return Dates(*(part.fillna(UNKNOWN).to_numpy(np.int32) for part in parts))
    place, distinct = _distinct(column)
    dates, _ = _read_texts(distinct)
    return Dates(*(np.append(part, np.int32(UNKNOWN))[place] for part in dates))


def looks_like_dates(values: pd.Series, name: str = "") -> bool:
    """Whether most non-empty cells of a column are dates.

    Bare numbers are ambiguous. They are years if most of them lie between `FIRST_YEAR` and
    `LAST_YEAR` and some repeat, or if the column's ``name`` refers to dates.
    """
    column = pd.Series(values)
    column = column.iloc[:: max(len(column) // SAMPLE_ROWS, 1)].reset_index(drop=True)
    if pd.api.types.is_datetime64_any_dtype(column):
        return bool(column.notna().any())
    if pd.api.types.is_bool_dtype(column):
        return False
    # Every date has a digit, and the full check is slow for a table of many columns.
    if not column.astype(str).str.contains(r"\d").any():
        return False
    place, distinct = _distinct(column)
    place = place[place >= 0]
    has_digit = distinct.str.contains(r"\d").to_numpy(bool)
    if not len(place) or has_digit[place].mean() < MIN_DATED:
        return False
    dates, is_certain = _read_texts(distinct)
    if is_certain[place].mean() >= MIN_DATED:
        return True
    if DATE_NAME.search(name.lower()):
        return bool((dates.year[place] != UNKNOWN).mean() >= MIN_DATED)
    is_plain = distinct.str.fullmatch(_EPOCH).to_numpy(bool)
    is_year = (dates.year >= FIRST_YEAR) & (dates.year <= LAST_YEAR) & ~is_plain
    return bool(is_year[place].mean() >= MIN_DATED and len(distinct) < len(place))


def _distinct(column: pd.Series) -> tuple[npt.NDArray[np.int64], pd.Series]:
    """Index of each cell in the distinct texts (-1 for a missing cell), and the distinct texts."""
    # Without the time of day, fewer texts are distinct, and reading them is faster.
    texts = column.astype(str).str.strip().str.replace(_TIME, r"\1", regex=True)
    place, distinct = pd.factorize(texts)
    place = np.where(column.isna() | (texts == ""), -1, place)
    return place, pd.Series(distinct, dtype=object).astype(str)


def _read_texts(texts: pd.Series) -> tuple[Dates, npt.NDArray[np.bool_]]:
    """Dates of distinct texts, and whether each text is in a form that only dates have."""
    dates = Dates(*(np.zeros(len(texts), np.int32) for _ in range(3)))
    is_certain = np.zeros(len(texts), bool)
    for reader, certain in _READERS:
        unread = np.flatnonzero(dates.year == UNKNOWN)
        if not len(unread):
            break
        found = reader(texts.iloc[unread].reset_index(drop=True))
        for part, read in zip(dates, _possible(found), strict=True):
            part[unread] = read
        is_certain[unread] = certain & (dates.year[unread] != UNKNOWN)
    return dates, is_certain


def _possible(found: pd.DataFrame) -> Dates:
    """Integer parts of dates, without months and days that do not exist."""
    year, month, day = (found[name].fillna(UNKNOWN).to_numpy(np.int32) for name in Dates._fields)
    month = np.where((month > 12) | (year == UNKNOWN), UNKNOWN, month)
    leap = (year % 4 == 0) & ((year % 100 != 0) | (year % 400 == 0))
    length = np.array([0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31])[month]
    day = np.where(day > length + (leap & (month == 2)), UNKNOWN, day)
    return Dates(year.astype(np.int32), month.astype(np.int32), day.astype(np.int32))


def _extract(texts: pd.Series, pattern: str) -> pd.DataFrame:
    """Named groups of a pattern as numbers, NaN without a match, with year, month and day first."""
    found = texts.str.extract(pattern)
    for name in found.columns.difference(["mark", "name"]):
        # Python's int and float also read the digits of other scripts.
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
    # If the unambiguous dates of the column agree on the order, the ambiguous ones follow it.
    some_day_first, some_month_first = bool((first > 12).any()), bool(is_month_first.any())
    if some_day_first != some_month_first:
        is_day_first |= is_open & some_day_first
        is_month_first |= is_open & some_month_first
    found["month"] = second.where(is_day_first, first.where(is_month_first))
    found["day"] = first.where(is_day_first, second.where(is_month_first))
    century = 1900 + 100 * (found["short"] < PIVOT)
    return found.assign(year=found["year"].fillna(found["short"] + century))


def _named_month(texts: pd.Series) -> pd.DataFrame:
    found = _extract(texts.where(texts.str.len() <= MAX_CELL), _NAMED_MONTH)
    found["month"] = found["name"].str.lower().str[:3].map(_MONTH_NUMBER)
    year = _extract(texts, _A_YEAR)["year"]
    return found.assign(year=year.where(found["month"].notna()))


def _epoch(texts: pd.Series) -> pd.DataFrame:
    found = _extract(texts, _EPOCH)
    moment = pd.to_datetime(found["seconds"], unit="s")
    return pd.DataFrame({"year": moment.dt.year, "month": moment.dt.month, "day": moment.dt.day})


def _somewhere(texts: pd.Series) -> pd.DataFrame:
    is_short = (texts.str.len() <= MAX_CELL) & ~texts.str.contains(_NUMBER)
    return _extract(texts.where(is_short), _A_YEAR)


# Readers in order of use, and whether only dates have their form.
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
    """Years for each bar of a chart: the shortest span with at most `MAX_BARS` bars."""
    extent = int(years.max()) - int(years.min()) + 1 if len(years) else 1
    return next((span for span in SPANS if math.ceil(extent / span) <= MAX_BARS), SPANS[-1])


def date_guess(column: pd.Series, name: str) -> Guess | None:
    """How the dates of a column were read, for the report; None if it holds none."""
    dates = read_dates(column)
    is_filled = ~(column.isna() | (column.astype(str).str.strip() == "")).to_numpy(bool)
    n_filled, n_read = int(is_filled.sum()), int((dates.year != UNKNOWN).sum())
    if not n_read:
        return None
    n_months, n_days = int((dates.month != UNKNOWN).sum()), int((dates.day != UNKNOWN).sum())
    step = "days" if n_days == n_read else "months" if n_months == n_read else "years"
    first, last = int(dates.year[dates.year != UNKNOWN].min()), int(dates.year.max())
    left = f"; {n_filled - n_read:,} cells of “{name}” are no dates" if n_read < n_filled else ""
    return Guess("dates", f"{step}, from {first} to {last}{left}", "", "date_column")
