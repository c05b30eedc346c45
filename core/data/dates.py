"""Dates in the cells of a column: recognition of date columns, and parsing of many date formats."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from ..utils.errors import InputError
from ..utils.lazy import LazyModule
from ..utils.types import Int32Array
from .guesses import Guess
from .stop_words import LANGUAGES

if TYPE_CHECKING:
    import pandas as pd
else:
    pd = LazyModule("pandas")

# Value of an unknown year, month or day; no calendar has a year, month or day 0.
UNKNOWN = 0
# A column of dates may contain errors; at least this share of its non-empty cells must be dates.
# The share is smaller in a column whose name means a date: some cells say "unknown".
MIN_DATED, MIN_DATED_BY_NAME = 0.8, 0.5
# A bare number in this range can be a year, unless the column name gives more information.
FIRST_YEAR, LAST_YEAR = 1500, 2100
# Rows on which a guess is based, evenly spaced because files are often sorted by date.
SAMPLE_ROWS = 2_000
# Numbers are dates if their column name contains this: "air_date", "created_utc", "yearOfBirth".
_DATE_WORDS = (
    r"dat[ou]m?(?![a-z])|dátum|fecha|tarih|päivä|pvm|jahr|année|dag(?![a-z])|дата|ημερομηνία|तारीख|"
    r"تاریخ|تاريخ|תאריך"
)
DATE_NAME = re.compile(
    rf"year|date|time|publish|created|posted|(?<![a-z])(?:day|month)|{_DATE_WORDS}"
)
# A name that means a date, unlike "candidate", "sentiment", "yearly_income" and "created_by".
_CLEAR_NAME = re.compile(
    r"(?<![a-z])(?:date|time|timestamp|datetime|year)(?![a-z])|"
    rf"(?<![a-z])(?:created|published|posted)(?:[_ ]?(?:at|on|utc))?$|{_DATE_WORDS}"
)
# Name of a time of day or of a duration, whose numbers are no years.
_TIME_NAME = re.compile(r"time(?!stamp)")
_FEW_DIGITS = r"\d{1,7}(?:\.\d+)?"
# Maximum length of a cell. A longer cell is a sentence, and a year in it is not its date.
MAX_CELL = 40
# A two-digit year from this one on belongs to the 20th century, as in POSIX.
PIVOT = 69
# Maximum number of bars of a chart; for more years, several years share a bar.
MAX_BARS = 40
SPANS = (1, 2, 5, 10, 20, 50, 100)

# Maximum length of a date with the names of its day and month, and a time.
MAX_NAMED = 60
# Words other than the month in such a date: a weekday, "de", "klo"; a sentence has more.
MAX_OTHER_WORDS = 5
# Days since 1899-12-30, as Excel stores dates, from 1954 to 2064.
SERIAL_EPOCH = "1899-12-30"
# If years come first, they differ less than the days at the end, by this factor.
FEWER_YEARS = 0.5
# Orders of the numbers of a date such as 5/3/21, by the letters of `DATE_ORDERS`.
ORDER_NAMES = {"dmy": "day, month, year", "mdy": "month, day, year", "ymd": "year, month, day"}
DATE_ORDERS = tuple(ORDER_NAMES)

# Different months above 12, their share of the cells, and the share of the cells that fit year,
# day, month, from which a column has this order. Most days are above 12; few months are mistyped.
MIN_IMPOSSIBLE, SHARE_IMPOSSIBLE, SHARE_SWAPPED = 2, 0.1, 0.95
# Calendars whose years differ from the years of dates with months in texts of today, and their
# years from 1900 to 2050.
OTHER_CALENDARS = (("Buddhist", 2443, 2593), ("Persian or Islamic", 1279, 1475))
# Keys of dateparser's names of months.
_ENGLISH_MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
_ROMAN = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii")
# Languages without stop words whose months are read.
OTHER_LANGUAGES = (
    *("af", "am", "az", "be", "bn", "cy", "et", "eu", "fil", "ga", "gl", "gu", "hy", "is", "ka"),
    *("kk", "km", "kn", "lt", "lv", "mk", "ml", "mr", "ms", "my", "ne", "sq", "sr", "sr-Latn"),
    *("sw", "ta", "te", "th", "uk", "ur", "uz"),
)
# Codes of languages that dateparser calls otherwise.
_CODES = {"no": "nb"}
_REST = r"(?:[T\s_,].*)?$"
# 2019-03-05, 2019/3/5, 2019_03_05, 2019.03.05, 2019. 3. 5. and 2019-03,
# with or without a time and its zone.
_YEAR_FIRST = (
    rf"^(?P<year>\d{{4}})(?:[-/_](?P<month>\d\d?)(?:[-/_](?P<day>\d\d?))?|"
    rf"\.\s?(?P<month_2>\d\d?)\.\s?(?P<day_2>\d\d?)\.?){_REST}"
)
# 2019年3月5日 and 2019년 3월.
_EAST_ASIAN = (
    r"^(?P<year>\d{4})\s*[年년]\s*(?P<month>\d\d?)\s*[月월](?:\s*(?P<day>\d\d?)\s*[日일])?"
)
_TIME = r"^(\d{4}-\d\d-\d\d)[T ].*"
# 20190305 and 201903, as text or as a number, and 20190305101112 with a time.
_COMPACT = (
    r"^(?P<year>\d{4})(?P<month>0[1-9]|1[0-2])(?P<day>0[1-9]|[12]\d|3[01])?"
    r"(?:\.0+|T.*|(?<=\d{8})[0-2]\d[0-5]\d(?:[0-5]\d)?)?$"
)
# 05032019, whose last four digits are no month and day.
_COMPACT_LAST = (
    r"^(?P<first>[0-2]\d|3[01])(?P<second>[0-2]\d|3[01])(?P<year>(?:19|20)\d\d)(?:\.0+)?$"
)
_YEAR = r"^(?P<year>[12]\d{3})(?:\.0+)?$"
# 5/3/2019, 5. 3. 2019, 05-03-2019, 5/3/19 and 19-03-05; the column decides on the order.
_NUMBERS = (
    r"^(?P<first>\d\d?)(?P<mark>[-/.]|(?<=\d)\s)\s?(?P<second>\d\d?)(?P=mark)\s?"
    rf"(?:(?P<year>\d{{4}})|(?P<short>\d\d))(?:\.?\s?[^\W\d]{{1,2}}\.|\.)?{_REST}"
)
# 03/2019 and 3-2019; 03.2019 and 03/19 may be other numbers.
_MONTH_YEAR = r"^(?P<month>0?[1-9]|1[0-2])\s?[-/]\s?(?P<year>\d{4})$"
_MONTH_DOT_YEAR = r"^(?P<month>0[1-9]|1[0-2])\.\s?(?P<year>[12]\d{3})\.?$"
_MONTH_SHORT_YEAR = r"^(?P<month>0[1-9]|1[0-2])[-/.](?P<short>\d\d)$"
_A_YEAR = r"(?<![\d.+])(?<!\d [-+])(?P<year>1\d{3}|20\d\d)(?!\d|\.\d)"
# Seconds or milliseconds since 1970, from 2001 on.
_EPOCH = r"^(?P<seconds>1\d{9})(?:\d{3})?(?:\.\d+)?$"
_SERIAL = r"^(?P<days>[2-5]\d{4})(?:\.\d+)?$"
_NUMBER = r"^[-+]?\d[\d.,]*$"
# Time of day, with its zone.
_CLOCK = re.compile(
    r"(?<!\d)\d\d?:\d\d(?::\d\d(?:[.,]\d+)?)?(?:\s*[ap]\.?m\b\.?)?(?:\s*(?:Z|UTC|GMT))?"
    r"(?:\s*[-+]\d\d:?\d\d)?",
    re.IGNORECASE,
)
# Words, with the marks and signs within them, and numbers with the sign before them.
_PARTS = re.compile(
    r"(?P<mark>[-/'’]?)(?P<number>\d+)(?:st|nd|rd|th|er|º|ª|:n)?|(?P<word>[^\s\d.,/\-_:;()'’]+)"
)
_DIGIT = re.compile(r"\d")
_SHORT = re.compile(r"-?\d{1,3}(?:\.0)?")
_INVISIBLE = re.compile("[\u200e\u200f\u061c]")


class Dates(NamedTuple):
    """Date of each cell; three int32 arrays of shape (n,).

    ``year`` is 1 to 9999, ``month`` 1 to 12 and ``day`` 1 to 31. Each is `UNKNOWN` if the cell does
    not contain it, and all three if the cell is not a date.
    """

    year: Int32Array
    month: Int32Array
    day: Int32Array


def read_dates(values: pd.Series, order: str | None = None) -> Dates:
    """Read the date of each cell of a column of any type; time zones do not shift a date.

    The cells may contain years, months (``2019-03``, ``03/2019``), days in the usual forms with or
    without a time and zone, names of months in the languages whose stop words are known, seconds
    since 1970, or Excel's days since 1900. Otherwise the first year in a short text counts
    (``c. 1850``). ``order`` is one of `DATE_ORDERS`. Without it, the column must determine whether
    5/3/2019 is in March or in May; else the month and the day remain unknown.
    """
    column = pd.Series(values).reset_index(drop=True)
    if pd.api.types.is_datetime64_any_dtype(column):
        parts = (column.dt.year, column.dt.month, column.dt.day)
        return Dates(*(part.fillna(UNKNOWN).to_numpy(np.int32) for part in parts))
    place, distinct = _distinct(column)
    dates = _read_texts(distinct, order).dates
    return Dates(*(np.append(part, np.int32(UNKNOWN))[place] for part in dates))


def looks_like_dates(values: pd.Series, name: str = "") -> bool:
    """Whether most non-empty cells of a column are dates.

    Bare numbers are ambiguous. They are years if most of them lie between `FIRST_YEAR` and
    `LAST_YEAR` and some repeat or the column's ``name`` refers to dates, or if the name means a
    date. Numbers in a column of times or durations are no years.
    """
    column = pd.Series(values)
    column = column.iloc[:: max(len(column) // SAMPLE_ROWS, 1)].reset_index(drop=True)
    if pd.api.types.is_datetime64_any_dtype(column):
        return bool(column.notna().any())
    if pd.api.types.is_bool_dtype(column):
        return False
    # Every date has a digit and more than a number below 1000; the full check is slow for a table
    # of many columns.
    texts = map(str, column.tolist())
    if not any(_DIGIT.search(cell) and not _SHORT.fullmatch(cell) for cell in texts):
        return False
    place, distinct = _distinct(column)
    place = place[place >= 0]
    is_named = bool(DATE_NAME.search(name.lower()))
    is_clear = bool(_CLEAR_NAME.search(name.lower()))
    share = MIN_DATED_BY_NAME if is_clear else MIN_DATED
    has_digit = distinct.str.contains(r"\d").to_numpy(bool)
    if not len(place) or has_digit[place].mean() < share:
        return False
    dates, is_certain, _ = _read_texts(distinct)
    is_in_range = (dates.year >= FIRST_YEAR) & (dates.year <= LAST_YEAR)
    is_bare = distinct.str.fullmatch(_YEAR).to_numpy(bool)
    is_number = distinct.str.fullmatch(_FEW_DIGITS).to_numpy(bool)
    is_date = dates.year != UNKNOWN
    if _TIME_NAME.search(name.lower()):
        is_date &= ~is_number
    elif not is_clear:
        is_date &= ~is_number | (is_bare & is_in_range)
    if is_certain[place].mean() >= share:
        return True
    if is_named:
        is_clear_date = is_certain | (is_date & is_bare & is_in_range)
        is_many = is_clear_date[place].mean() >= share
        return bool(is_many or is_date[place].mean() >= MIN_DATED)
    plain = (_EPOCH, _SERIAL, _MONTH_SHORT_YEAR)
    is_plain = np.any([distinct.str.fullmatch(pattern) for pattern in plain], axis=0)
    is_year = is_in_range & ~is_plain
    return bool(is_year[place].mean() >= MIN_DATED and len(distinct) < len(place))


def _distinct(column: pd.Series) -> tuple[npt.NDArray[np.int64], pd.Series]:
    """Index of each cell in the distinct texts (-1 for a missing cell), and the distinct texts."""
    # Without the time of day, fewer texts are distinct, and reading them is faster.
    texts = column.astype(str).str.replace(_INVISIBLE, "", regex=True)
    texts = texts.str.replace(r"\s+", " ", regex=True).str.strip()
    texts = texts.str.replace(_TIME, r"\1", regex=True)
    place, distinct = pd.factorize(texts)
    place = np.where(column.isna() | (texts == ""), -1, place)
    return place, pd.Series(distinct, dtype=object).astype(str)


class _Read(NamedTuple):
    """Dates of distinct texts."""

    dates: Dates
    is_certain: npt.NDArray[np.bool_]  # whether each text is in a form that only dates have
    unclear: str  # first text whose month is unknown because the column does not determine it


def _read_texts(texts: pd.Series, order: str | None = None) -> _Read:
    dates = Dates(*(np.zeros(len(texts), np.int32) for _ in range(3)))
    is_certain, unclear = np.zeros(len(texts), bool), ""
    # Among bare years, another number is a mistyped year, and no count of days or seconds; among
    # such counts, a few bare years change nothing.
    n_counts = (texts.str.fullmatch(_SERIAL) | texts.str.fullmatch(_EPOCH)).sum()
    are_years = bool(texts.str.fullmatch(_YEAR).sum() >= n_counts)
    for reader, certain, pattern in _READERS:
        if are_years and reader in (_serial, _epoch):
            continue
        unread = np.flatnonzero(dates.year == UNKNOWN)
        if not len(unread):
            break
        rest = texts.iloc[unread].reset_index(drop=True)
        # A reader takes some 20 ms even if it finds nothing, and a table may have many columns.
        if not any(map(re.compile(pattern).search, rest)):
            continue
        found = reader(rest, order)
        for part, read in zip(dates, _possible(found), strict=True):
            part[unread] = read
        is_certain[unread] = certain & (dates.year[unread] != UNKNOWN)
        if "doubtful" in found:
            is_certain[unread[found["doubtful"].to_numpy(bool)]] = False
        if "unclear" in found and found["unclear"].any() and not unclear:
            unclear = str(rest[found["unclear"].to_numpy(bool)].iloc[0])
    return _Read(dates, is_certain, unclear)


def _possible(found: pd.DataFrame) -> Dates:
    """Integer parts of dates, without months and days that do not exist."""
    year, month, day = (
        found[name].astype(float).fillna(UNKNOWN).to_numpy(np.int32) for name in Dates._fields
    )
    month = np.where((month > 12) | (year == UNKNOWN), UNKNOWN, month)
    leap = (year % 4 == 0) & ((year % 100 != 0) | (year % 400 == 0))
    length = np.array([0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31])[month]
    day = np.where(day > length + (leap & (month == 2)), UNKNOWN, day)
    return Dates(year.astype(np.int32), month.astype(np.int32), day.astype(np.int32))


def _extract(texts: pd.Series, pattern: str) -> pd.DataFrame:
    """Named groups of a pattern as numbers, NaN without a match, with year, month and day first."""
    found = texts.str.extract(pattern)
    for name in found.columns.difference(["mark"]):
        # Python's int and float also read the digits of other scripts.
        found[name] = found[name].astype(object).astype(float)
    for name in ("month", "day"):
        if f"{name}_2" in found:
            found[name] = found[name].fillna(found[f"{name}_2"])
    return found.reindex(columns=list(dict.fromkeys([*Dates._fields, *found.columns])))


def _year_first(texts: pd.Series, order: str | None) -> pd.DataFrame:
    """Dates such as 2019-03-25; or 2019-25-03, if the column fits that order.

    A given order in which the month comes before the day excludes the latter.
    """
    found = _extract(texts, _YEAR_FIRST)
    month, day = found["month"], found["day"]
    has_day = day.notna()
    is_usual, is_swapped = (month <= 12) & (day <= 31), (day <= 12) & (month <= 31)
    impossible = month[has_day & (month > 12)]
    # A few mistyped cells must not change the others.
    has_many = impossible.nunique() >= MIN_IMPOSSIBLE and (
        len(impossible) >= SHARE_IMPOSSIBLE * has_day.sum()
    )
    if (
        # One day in all cells is no mistake where the day is said to come first.
        ((order in (None, "dmy") and has_many) or (order == "dmy" and not is_usual.any()))
        and is_swapped.sum() >= SHARE_SWAPPED * has_day.sum()
        and is_swapped.sum() > is_usual.sum()
    ):
        found["month"], found["day"] = month.mask(has_day, day), day.where(~has_day, month)
    return found


def _with_century(short: pd.Series) -> pd.Series:
    return short + 1900 + 100 * (short < PIVOT)


def _numbers(texts: pd.Series, order: str | None) -> pd.DataFrame:
    found = _extract(texts, _NUMBERS)
    first, second, short = found["first"], found["second"], found["short"]
    # 1.2.10 may be a version, and 1-2-10 a code.
    is_padded = texts.str.contains(r"^\d\d\D\s?\d\d\D")
    found["doubtful"] = short.notna() & (found["mark"] != "/") & ~is_padded
    if order == "ymd" or (order is None and _begins_with_year(found)):
        # Dates with four digits of the year at the end have another order.
        is_year_first = short.notna()
        day = short
        year = found["year"].fillna(_with_century(first))
        rest = _numbers(texts.where(~is_year_first), None) if found["year"].notna().any() else None
        read = pd.DataFrame({"year": year, "month": second, "day": day}).where(is_year_first)
        read = read if rest is None else read.combine_first(rest)
        return read.assign(doubtful=found["doubtful"], unclear=False)
    if order is None:
        is_day_first = (first > 12) | (found["mark"] == ".")
        is_month_first = (second > 12) & ~is_day_first
        is_open = ~is_day_first & ~is_month_first
        # If the clear dates of the column agree on the order, the others follow it.
        some_day_first, some_month_first = bool((first > 12).any()), bool(is_month_first.any())
        if some_day_first != some_month_first:
            is_day_first |= is_open & some_day_first
            is_month_first |= is_open & some_month_first
    else:
        is_day_first = (first > 12) | ((order == "dmy") & ~(second > 12))
        is_month_first = ~is_day_first
    found["month"] = second.where(is_day_first, first.where(is_month_first))
    found["day"] = first.where(is_day_first, second.where(is_month_first))
    # The 5th of May is clear in both orders.
    is_same = (first == second) & found["month"].isna()
    found["month"], found["day"] = (found[n].mask(is_same, first) for n in ("month", "day"))
    return found.assign(
        year=found["year"].fillna(_with_century(short)),
        unclear=first.notna() & found["month"].isna(),
    )


def _begins_with_year(found: pd.DataFrame) -> bool:
    """Whether dates such as 21-03-05 begin with the year: their numbers fit no other order well."""
    has = found["short"].notna() & (found["mark"] != ".")
    first, second, last = (found.loc[has, name] for name in ("first", "second", "short"))
    if not len(first) or second.max() > 12 or last.max() > 31 or last.min() < 1:
        return False
    is_last_possible = first.max() <= 31 and first.min() >= 1
    return not is_last_possible or first.nunique() < FEWER_YEARS * last.nunique()


@cache
def _month_numbers() -> dict[str, dict[int, frozenset[str]]]:
    """Numbers of the months by their folded names, with the languages of each number."""
    # Imported here because it is slow, and most columns have no names of months.
    from dateparser.languages.loader import default_loader

    found: dict[str, dict[int, set[str]]] = {}
    for language in LANGUAGES.values():
        info = default_loader.get_locale(_CODES.get(language, language)).info
        for number, month in enumerate(_ENGLISH_MONTHS, start=1):
            for name in info[month]:
                # Catalan has "de març"; the last word is the month.
                word = _PARTS.findall(_folded(name))[-1][2]
                # Hebrew has "in March" as one word.
                for form in (word, f"ב{word}") if language == "he" else (word,):
                    if word not in _ROMAN:
                        found.setdefault(form, {}).setdefault(number, set()).add(language)
    for word, others in _months_of_other_languages().items():
        found.setdefault(word, others)
    # The abbreviation of October in today's CLDR.
    found["अक्टू"] = {10: {"hi"}}
    return {
        word: {number: frozenset(codes) for number, codes in numbers.items()}
        for word, numbers in found.items()
    }


def _months_of_other_languages() -> dict[str, dict[int, set[str]]]:
    """Numbers of the months, as in `_month_numbers`, by names that mean one month in a language."""
    from dateparser.languages.loader import default_loader

    found: dict[str, dict[int, set[str]]] = {}
    for language in OTHER_LANGUAGES:
        info = default_loader.get_locale(language).info
        own: dict[str, set[int]] = {}
        for number, month in enumerate(_ENGLISH_MONTHS, start=1):
            for name in info.get(month, ()):
                own.setdefault(_PARTS.findall(_folded(name))[-1][2], set()).add(number)
        for word, numbers in own.items():
            if len(word) > 1 and len(numbers) == 1 and word not in _ROMAN:
                found.setdefault(word, {}).setdefault(min(numbers), set()).add(language)
    return found


def _folded(text: str) -> str:
    """Text in lower case, without accents, vowel marks and signs of abbreviation."""
    plain = unicodedata.normalize("NFKD", text.replace("İ", "i").casefold())
    return _DROPPED.sub("", plain).translate(_LETTER_FORMS)


_DROPPED = re.compile("[\u0300-\u036f\u064b-\u065f\u0670\u0965\u0970\u05f3\u05f4]")
_LETTER_FORMS = str.maketrans("ıیک", "iيك")


class _Named(NamedTuple):
    """Date with the name of a month, before the column decides on open questions."""

    months: dict[int, frozenset[str]]  # languages of each month that the name can be
    word: str
    before: list[str]  # numbers before and after the name, with the sign before them
    after: list[str]


def _named_month(texts: pd.Series, order: str | None) -> pd.DataFrame:
    is_short = texts.str.len() <= MAX_NAMED
    is_candidate = is_short & texts.str.contains(r"(?:^|\W)\d") & texts.str.contains(r"[^\W\d_]")
    read = {place: named for place, text in texts[is_candidate].items() if (named := _named(text))}
    open_words = {named.word for named in read.values() if len(named.months) > 1}
    best = _language_of_months(read.values()) if open_words else frozenset[str]()
    rows = []
    for place, named in read.items():
        months = {m for m, codes in named.months.items() if len(named.months) == 1 or codes & best}
        year, day = _year_and_day(named)
        if year is not None:
            is_unclear = len(months) != 1
            month = UNKNOWN if is_unclear else next(iter(months))
            rows.append((place, year, month, day or UNKNOWN, is_unclear))
    names = ["place", "year", "month", "day", "unclear"]
    found = pd.DataFrame(rows, columns=names).set_index("place").reindex(texts.index)
    return found.assign(unclear=found["unclear"].eq(True))


def _language_of_months(read: Iterable[_Named]) -> frozenset[str]:
    """Languages in which the most names of a column are months."""
    words = {named.word: named.months for named in read}
    counts = Counter(
        code
        for months in words.values()
        for code in {c for codes in months.values() for c in codes}
    )
    return frozenset(code for code, n in counts.items() if n == max(counts.values()))


def _named(text: str) -> _Named | None:
    """Parts of a short text with the name of one month; None for another text."""
    months, folded = _month_numbers(), _folded(_CLOCK.sub(" ", text))
    parts = list(_PARTS.finditer(folded))
    words = [part["word"] for part in parts if part["word"]]
    names = [part for part in parts if part["word"] in months]
    romans = [part for part in parts if part["word"] in _ROMAN]
    if not names and len(words) == len(romans) == 1:
        # 5. IX. 2019
        names = romans
    if len(names) > 1:
        # A weekday may be abbreviated like a month: Tuesday, "mar", in Italian and French.
        names = [name for name in names if name.start() > parts[0].start()] or names
    if not names or len(words) > MAX_OTHER_WORDS + 1:
        return None
    name = names[-1] if len(names) == 2 and parts[0]["word"] else names[0]
    word = name["word"]
    numbers = [(part.start(), part["mark"] + part["number"]) for part in parts if part["number"]]
    return _Named(
        months.get(word) or {_ROMAN.index(word) + 1: frozenset()},
        word,
        [number for place, number in numbers if place < name.start()],
        [number for place, number in numbers if place > name.start()],
    )


def _year_and_day(named: _Named) -> tuple[int | None, int | None]:
    """Year and day of a date, from the numbers before and after the name of the month."""
    before, after = (
        [number for number in numbers if len(number.strip("-/'’")) in (1, 2, 4)]
        for numbers in (named.before, named.after)
    )
    value = {number: int(number.strip("-/'’")) for number in (*before, *after)}
    years = [n for n in (*before, *after) if len(n.strip("-/'’")) == 4 and value[n] >= 1000]
    days_before = [n for n in before if n not in years]
    days_after = [n for n in after if n not in years]
    if years:
        day = [*days_before[-1:], *days_after][:1]
        return value[years[0]], value[day[0]] if day and 1 <= value[day[0]] <= 31 else None
    if days_before and days_after:
        first, last = value[days_before[-1]], value[days_after[0]]
        # 5-Mar-21, and 95-Mar-21.
        year, day_number = (first, last) if first > 31 else (last, first)
    elif len(days_after) == 2:
        day_number, year = value[days_after[0]], value[days_after[1]]
    elif (
        len(days_after) == 1
        and (days_after[0][0] in "-/'’" or value[days_after[0]] > 31)
        and len(days_after[0].strip("-/'’")) == 2
    ):
        # Mar-21, as Excel writes a month.
        return value[days_after[0]] + 1900 + 100 * (value[days_after[0]] < PIVOT), None
    else:
        return None, None
    return year + 1900 + 100 * (year < PIVOT), day_number if 1 <= day_number <= 31 else None


def _month_short_year(texts: pd.Series, order: str | None) -> pd.DataFrame:
    found = _extract(texts, _MONTH_SHORT_YEAR)
    # 03/21 is a month only if a number of the column cannot be a day.
    is_year = bool((found["short"] > 31).any() or found["short"].nunique() < len(found) / 2)
    return found.assign(year=_with_century(found["short"]) if is_year else np.nan)


def _compact_last(texts: pd.Series, order: str | None) -> pd.DataFrame:
    """Dates such as 05032019, if nearly all texts have this form."""
    found = texts.str.extract(_COMPACT_LAST)
    dates = found["first"] + "/" + found["second"] + "/" + found["year"]
    if dates.notna().mean() < MIN_DATED:
        dates = dates.mask(dates.notna())
    return _numbers(dates.fillna(""), order)


def _epoch(texts: pd.Series, order: str | None) -> pd.DataFrame:
    moment = pd.to_datetime(_extract(texts, _EPOCH)["seconds"], unit="s")
    return pd.DataFrame({"year": moment.dt.year, "month": moment.dt.month, "day": moment.dt.day})


def _serial(texts: pd.Series, order: str | None) -> pd.DataFrame:
    days = _extract(texts, _SERIAL)["days"]
    # A few such numbers among others are no dates.
    if days.notna().mean() < MIN_DATED:
        days = days.mask(days.notna())
    moment = pd.Timestamp(SERIAL_EPOCH) + pd.to_timedelta(days, unit="D")
    return pd.DataFrame({"year": moment.dt.year, "month": moment.dt.month, "day": moment.dt.day})


def _somewhere(texts: pd.Series, order: str | None) -> pd.DataFrame:
    is_short = (texts.str.len() <= MAX_CELL) & ~texts.str.contains(_NUMBER)
    return _extract(texts.where(is_short), _A_YEAR)


_Reader = Callable[["pd.Series", str | None], "pd.DataFrame"]


def _plain(pattern: str, *, certain: bool) -> tuple[_Reader, bool, str]:
    return lambda texts, order: _extract(texts, pattern), certain, pattern


# Readers in order of use, whether only dates have their form, and a pattern that is in each text
# that they read.
_READERS: tuple[tuple[_Reader, bool, str], ...] = (
    (_year_first, True, _YEAR_FIRST),
    _plain(_EAST_ASIAN, certain=True),
    (_numbers, True, _NUMBERS),
    _plain(_MONTH_YEAR, certain=True),
    (_named_month, True, r"\d"),
    _plain(_YEAR, certain=False),
    _plain(_COMPACT, certain=False),
    (_compact_last, False, _COMPACT_LAST),
    _plain(_MONTH_DOT_YEAR, certain=False),
    (_month_short_year, False, _MONTH_SHORT_YEAR),
    (_epoch, False, _EPOCH),
    (_serial, False, _SERIAL),
    (_somewhere, False, _A_YEAR),
)


def year_span(years: npt.NDArray[np.int32]) -> int:
    """Years for each bar of a chart: the shortest span with at most `MAX_BARS` bars."""
    extent = int(years.max()) - int(years.min()) + 1 if len(years) else 1
    return next((span for span in SPANS if math.ceil(extent / span) <= MAX_BARS), SPANS[-1])


def date_guess(column: pd.Series, name: str, order: str | None = None) -> Guess | None:
    """How the dates of a column were read, for the report; None if there is nothing to report.

    A column of the type of dates is reported only for its years to come. ``order`` is one of
    `DATE_ORDERS`, if the user set it.
    """
    if pd.api.types.is_datetime64_any_dtype(column):
        dates, days = read_dates(column), pd.Series(column).dt.date
        later = _future_years(days, dates, np.ones(len(days), np.int64))
        known = dates.year[dates.year != UNKNOWN]
        return Guess("dates", _year_range(known), later) if later else None
    place, distinct = _distinct(pd.Series(column).reset_index(drop=True))
    dates, _, unclear = _read_texts(distinct, order)
    year, month, day = (part[place[place >= 0]] for part in dates)
    n_filled, n_read = len(year), int((year != UNKNOWN).sum())
    if not n_read:
        return None
    n_months, n_days = int((month != UNKNOWN).sum()), int((day != UNKNOWN).sum())
    kinds = {
        "a day": n_days,
        "a month and a year": n_months - n_days,
        "a year": n_read - n_months,
        "no date": n_filled - n_read,
    }
    given = [f"{n:,} {'gives' if n == 1 else 'give'} {kind}" for kind, n in kinds.items() if n]
    if len(given) == 1:
        cells = f"every cell of “{name}” gives {max(kinds, key=lambda kind: kinds[kind])}"
    else:
        cells = f"of {n_filled:,} cells of “{name}”, {', '.join(given)}"
    value = f"{_year_range(year[year != UNKNOWN])}; {cells}"
    n_cells = np.bincount(place[place >= 0], minlength=len(distinct))
    remarks = [_contrary_orders(distinct, n_cells, order), _partly_read(distinct, dates),
               _future_years(distinct, dates, n_cells)]  # fmt: skip
    wrong = "; ".join(filter(None, remarks))
    if order is not None:
        return Guess("dates", f"{ORDER_NAMES[order]}; {value}", wrong, "date_order")
    if unclear and re.search(r"[^\W\d]", unclear):
        reason = (
            f"the month of “{unclear}” differs between languages, and no other cell shows which"
        )
        return Guess("dates", value, reason)
    if unclear:
        first = remarks[0] or "no cell shows which number is the month"
        reason = f"{first}; so only the year of “{unclear}” and its like was read"
        reason += f"; {remarks[2]}" if remarks[2] else ""
        return Guess("dates", value, reason, "date_order")
    special = _unusual_reading(distinct, dates, value)
    if special is not None:
        return special
    has_numbers = distinct.str.match(_NUMBERS).to_numpy(bool)
    numbers = np.flatnonzero(has_numbers & (dates.month != UNKNOWN))
    if not len(numbers):
        return Guess("dates", value, wrong, "date_order")
    shown = int(numbers[0])
    read = "-".join(f"{int(part[shown]):02}" for part in dates)
    reason = f"“{distinct.iloc[shown]}” is {read}, which fits all cells best"
    reason += f"; {wrong}" if wrong else ""
    return Guess("dates", value, reason, "date_order")


def _year_range(years: Int32Array) -> str:
    first, last = years.min(), years.max()
    return f"in {first}" if first == last else f"from {first} to {last}"


def _unusual_reading(texts: pd.Series, dates: Dates, value: str) -> Guess | None:
    """Report of dates that were read as year, day, month, or that may be of another calendar."""
    found = _extract(texts, _YEAR_FIRST)
    has_day = (found["day"].notna() & (found["month"] != found["day"])).to_numpy(bool)
    is_read = has_day & (dates.month != UNKNOWN) & (dates.day != UNKNOWN)
    if is_read.any() and (dates.month[is_read] == found["day"].to_numpy()[is_read]).all():
        reason = "several cells have a second number above 12, which is the day"
        return Guess("dates", f"year, day, month; {value}", reason, "date_order")
    years = dates.year[dates.year != UNKNOWN]
    for name, first, last in OTHER_CALENDARS if (dates.month != UNKNOWN).any() else ():
        if first <= years.min() and years.max() <= last:
            reason = f"the years may be those of the {name} calendar; they stay as they are"
            return Guess("dates", value, reason)
    return None


def _contrary_orders(texts: pd.Series, n_cells: npt.NDArray[np.int64], order: str | None) -> str:
    """Report of cells that show another order than the given one, or two orders; else empty.

    ``n_cells`` is the number of cells with each of the distinct texts.
    """
    found = _extract(texts, _NUMBERS)
    first, second, is_point = found["first"], found["second"], found["mark"] == "."
    # With points, the day comes first; 13.3.21 and 3.13.21 are no two orders.
    is_possible = ~is_point & (first.clip(upper=second) <= 12)
    shown = {
        "dmy": is_possible & (first > 12),
        "mdy": is_possible & (second > 12),
    }
    names = {"dmy": "the day first", "mdy": "the month first"}
    named, was = {}, {}
    for its_order, mask in shown.items():
        is_shown = mask.to_numpy(bool)
        count, examples = int(n_cells[is_shown].sum()), texts[is_shown].head(2).tolist()
        if count:
            listed = " and ".join(f"“{text}”" for text in examples)
            verb, was[its_order] = ("has", "was") if count == 1 else ("have", "were")
            such = f"{count:,} {'cell' if count == 1 else 'cells'}, such as {listed},"
            named[its_order] = f"{such} {verb} {names[its_order]}"
    if order is None:
        return " and ".join(named.values()) if len(named) == 2 else ""
    other = {"dmy": "mdy", "mdy": "dmy"}.get(order, "")
    return f"{named[other]} and {was[other]} read so" if other in named else ""


def _future_years(texts: pd.Series, dates: Dates, n_cells: npt.NDArray[np.int64]) -> str:
    """Report of cells whose year is after the present one; else empty."""
    now = datetime.now(UTC).year
    is_later = dates.year > now
    if not is_later.any():
        return ""
    count, first = int(n_cells[is_later].sum()), int(np.argmax(is_later))
    cells = "cell gives" if count == 1 else "cells give"
    text, year = str(texts.iloc[first]), int(dates.year[first])
    reason = f"{count:,} {cells} a year after {now}, such as “{text}”"
    if str(year) in text:
        return reason
    return f"{reason}, read as {year}; if that is wrong, write years with four digits"


def _partly_read(texts: pd.Series, dates: Dates) -> str:
    """Reason why only a part of a date was read, for the first such date; empty without one."""
    has_day = _extract(texts, _YEAR_FIRST)["day"].notna() | texts.str.match(_NUMBERS)
    is_wrong = has_day.to_numpy(bool) & (dates.year != UNKNOWN) & (dates.day == UNKNOWN)
    if is_wrong.any():
        place = int(np.argmax(is_wrong))
        part = "year" if dates.month[place] == UNKNOWN else "month"
        return f"“{texts.iloc[place]}” is no possible day, and only its {part} was read"
    # A quarter, a week, or a month in a language whose months are not known.
    has_more = texts.str.replace(_A_YEAR, " ", regex=True).str.contains(r"\d").to_numpy(bool)
    is_number = texts.str.contains(_NUMBER).to_numpy(bool)
    is_part = has_more & (dates.year != UNKNOWN) & (dates.month == UNKNOWN) & ~is_number
    if is_part.any():
        return f"only the year of “{texts.iloc[int(np.argmax(is_part))]}” was read"
    return ""


def check_order(order: str | None) -> None:
    """Raise InputError for an order that is not one of `DATE_ORDERS`."""
    if order is not None and order not in DATE_ORDERS:
        known = ", ".join(f"{name} ({shown})" for name, shown in ORDER_NAMES.items())
        raise InputError(f"there is no order of dates {order!r}; take {known}")


def ordered_dates(column: pd.Series, order: str) -> pd.Series:
    """Column whose dates such as 5/3/19 are written as 2019-03-05, read in an order.

    A cell such as 2019-25-03 has no day in an order with the month before the day; the year
    remains. Other cells, whose order is clear, keep their text and time. Raises InputError for an
    unknown order.
    """
    check_order(order)
    dates = read_dates(column, order)
    place, distinct = _distinct(column.reset_index(drop=True))
    is_number = np.append(distinct.str.match(_NUMBERS).to_numpy(bool), False)[place]
    # Pages read the stored column without the order, and must find the same dates.
    for part, without_order in zip(dates, read_dates(column), strict=True):
        is_number |= part != without_order
    if not is_number.any():
        return column
    written = [
        f"{year:04}" + (f"-{month:02}" if month else "") + (f"-{day:02}" if month and day else "")
        for year, month, day in zip(*(part.tolist() for part in dates), strict=True)
    ]
    return pd.Series(written, index=column.index).where((dates.year != UNKNOWN) & is_number, column)
