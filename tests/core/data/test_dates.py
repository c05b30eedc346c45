"""Dates are read in whatever form they stand, and other columns are not taken for dates."""

import datetime
import random
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from babel import Locale
from babel.dates import format_date
from hypothesis import given, settings
from hypothesis import strategies as st

from orrery.core.data import dates
from orrery.core.data.columns import date_columns
from orrery.core.data.dates import (
    DATE_ORDERS,
    ORDER_NAMES,
    OTHER_LANGUAGES,
    date_guess,
    looks_like_dates,
    ordered_dates,
    read_dates,
)
from orrery.core.data.guesses import Guess
from orrery.core.data.raw import RawDocuments
from orrery.core.data.readers import read_documents
from orrery.core.data.stop_words import LANGUAGES
from orrery.core.utils.errors import InputError

DAYS = st.dates(datetime.date(1, 1, 1), datetime.date(9999, 12, 31))
MODERN = st.dates(datetime.date(1000, 1, 1), datetime.date(2099, 12, 31))


def read(*cells: object) -> list[tuple[int, int, int]]:
    return [tuple(map(int, parts)) for parts in zip(*read_dates(pd.Series(cells)), strict=True)]


def parts(day: datetime.date) -> tuple[int, int, int]:
    return day.year, day.month, day.day


# Cells of every form that a reader knows, and others.
CELLS = st.sampled_from(
    ["2019-03-05", "2021年3月5日", "5/3/21", "5.3.2021", "03/2019", "5 May 2021", "1850",
     "20190305", "05032019", "03.2019", "03/21", "1551234567", "43000", "c. 1850",
     "R_00017x", "3.5", "12"]
)  # fmt: skip


@settings(max_examples=40)
@given(st.lists(CELLS, min_size=1, max_size=30), st.sampled_from([None, *DATE_ORDERS]))
def test_readers_without_a_text_of_their_form_change_nothing(
    cells: list[str], order: str | None
) -> None:
    column = pd.Series(cells)
    found = (read_dates(column, order), looks_like_dates(column), date_guess(column, "x", order))
    with pytest.MonkeyPatch.context() as patch:
        readers = tuple((reader, certain, "") for reader, certain, _ in dates._READERS)
        patch.setattr(dates, "_READERS", readers)
        every = (
            read_dates(column, order),
            looks_like_dates(column),
            date_guess(column, "x", order),
        )
    np.testing.assert_array_equal(found[0], every[0])
    assert found[1:] == every[1:]


def test_a_reader_runs_only_on_texts_of_its_form(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(texts: pd.Series, order: str | None) -> pd.DataFrame:
        raise AssertionError("no text has this form")

    kept = [dates._named_month, dates._year_first]
    readers = ((reader if reader in kept else refused, *rest) for reader, *rest in dates._READERS)
    monkeypatch.setattr(dates, "_READERS", tuple(readers))
    assert not looks_like_dates(pd.Series([f"R_{row:05}x" for row in range(50)]))
    assert looks_like_dates(pd.Series(["2019-03-05", "2020-03-05", "unknown 7"] * 5), "date")


@settings(max_examples=20)
@given(st.lists(DAYS, min_size=1, max_size=5))
def test_the_forms_of_iso_are_the_same(days: list[datetime.date]) -> None:
    expected = [parts(day) for day in days]
    for form in ("{}", "{}T23:59:59Z", "{} 00:00:00+14:00", "{}T10:00:00.123-09:30", " {} "):
        assert read(*(form.format(day.isoformat()) for day in days)) == expected
    assert read(*(day.isoformat().replace("-", "/") for day in days)) == expected
    assert read(*days) == expected
    assert read(*(day.isoformat()[:7] for day in days)) == [(y, m, 0) for y, m, _ in expected]


@settings(max_examples=20)
@given(st.lists(MODERN, min_size=1, max_size=5))
def test_written_out_dates_are_the_same(days: list[datetime.date]) -> None:
    expected = [parts(day) for day in days]
    for form in ("%d %B %Y", "%B %d, %Y", "%d-%b-%Y", "%a, %d %b %Y 10:00:00 -1000",
                 "%a %b %d 10:00:00 +0000 %Y", "%d.%m.%Y", "%Y%m%d"):  # fmt: skip
        assert read(*(day.strftime(form) for day in days)) == expected, form


@given(st.lists(st.datetimes(datetime.datetime(1700, 1, 1), datetime.datetime(2250, 1, 1)),
                min_size=1, max_size=5))  # fmt: skip
def test_a_zone_does_not_shift_what_is_written(times: list[datetime.datetime]) -> None:
    column = pd.Series(times, dtype="datetime64[us]").dt.tz_localize("Asia/Tokyo")
    found = read_dates(column)
    assert [tuple(row) for row in np.column_stack(found).tolist()] == [parts(t) for t in times]


def test_missing_mixed_and_impossible_cells() -> None:
    assert read(None, "", "  ", float("nan"), pd.NaT) == [(0, 0, 0)] * 5
    assert read("1999", "2003-07", "soon", "1871-02-30", "0000-00-00", "2001-00-00") == [
        (1999, 0, 0), (2003, 7, 0), (0, 0, 0), (1871, 2, 0), (0, 0, 0), (2001, 0, 0)]  # fmt: skip
    assert read(1850.0, float("nan")) == [(1850, 0, 0), (0, 0, 0)]
    assert read("c. 1850", "1987-1990", "2020Q3") == [(1850, 0, 0), (1987, 0, 0), (2020, 0, 0)]
    assert read("2000-02-29", "1900-02-29") == [(2000, 2, 29), (1900, 2, 0)]


def test_the_column_shows_which_is_the_month() -> None:
    assert read("5/3/2019", "25/3/2019") == [(2019, 3, 5), (2019, 3, 25)]
    assert read("5/3/2019", "3/25/2019") == [(2019, 5, 3), (2019, 3, 25)]
    assert read("5/3/2019", "4/4/68") == [(2019, 0, 0), (2068, 4, 4)]
    assert read("5/3/69", "25/3/2019", "3/25/2019")[0] == (1969, 0, 0)


@pytest.mark.parametrize(
    "cells",
    [
        ["2019-03-05T10:00:00Z", None, "", "1850-01-01", "2150-12-31"],
        ["5 March 2019", "April 2020"],
        ["1/2/1999", "13/2/1999"],
        [1999, 2001, 1999],
        ["1850", "n. d.", "1850", "1851", "1852", "1853"],
        ["Spring 1998", "Spring 1998", "Autumn 1999"],
    ],
)
def test_dates_are_recognised_by_content(cells: list[object]) -> None:
    assert looks_like_dates(pd.Series(cells))


@pytest.mark.parametrize(
    "cells",
    [
        [],
        [None, ""],
        [True, False, True],
        ["a text", "another text about 1999 and what came of it in the years that followed"],
        ["1.2.10", "1.2.11"],
        [3, 1999, 17, 250_000, 3],
        [1999.5, 1999.5, 2000.25],
        list(range(1600, 2000)),
        [1_577_836_800, 1_577_836_801, 1_577_836_800],
        ["nips-1987-1", "nips-1987-2"],
        [{"a": 1}, [2019]],
    ],
)
def test_other_columns_are_not_dates(cells: list[object]) -> None:
    assert not looks_like_dates(pd.Series(cells, dtype=object))


def test_a_name_may_show_that_numbers_are_dates() -> None:
    seconds = pd.Series([1_577_836_800, 1_577_836_801])
    assert looks_like_dates(seconds, "created_utc")
    assert not looks_like_dates(seconds, "number")
    assert read_dates(seconds).year.tolist() == [2020, 2020]
    assert read_dates(seconds * 1000).month.tolist() == [1, 1]
    years = pd.Series(range(1100, 1200))
    assert looks_like_dates(years, "Year")
    assert not looks_like_dates(years, "holiday")


def test_a_guess_sees_all_of_a_sorted_column() -> None:
    cells = ["2019-01-01"] * 3000 + ["unknown"] * 3000
    assert not looks_like_dates(pd.Series(cells))


def test_the_likeliest_column_comes_first() -> None:
    table = pd.DataFrame(
        {
            "id": ["2019-01-01", "2019-01-02"] * 20,
            "text": "2019-01-01",
            "label": ["1990", "1991"] * 20,
            "seen": ["2019-05-05", None] * 20,
            "air_date": ["2018-05-05", "2017-01-01"] * 20,
            "time": ["quick", "slow"] * 20,
            "year": [2001, 2002] * 20,
        }
    )
    assert date_columns(table) == ["year", "air_date", "seen", "label"]


def test_what_is_read_does_not_depend_on_order_or_company() -> None:
    cells = [f"{year}-{month:02}-07T01:02:03Z" for year in range(1800, 1900) for month in (1, 12)]
    mixed = cells + ["", "x", None] * 10
    random.Random(0).shuffle(mixed)
    for cell, got in zip(mixed, read(*mixed), strict=True):
        assert got == ((int(cell[:4]), int(cell[5:7]), 7) if cell in cells else (0, 0, 0))


@pytest.mark.parametrize("zero", "0\u0660\u06f0\uff10")
def test_figures_of_every_script_are_read(zero: str) -> None:
    other = str.maketrans("0123456789", "".join(chr(ord(zero) + figure) for figure in range(10)))
    day = pd.Series(["2019-03-25".translate(other), "25.3.2019".translate(other)])
    assert [part.tolist() for part in read_dates(day)] == [[2019] * 2, [3] * 2, [25] * 2]


# Patterns of CLDR: the four forms of a language, and forms that programs and people write.
FORMS = (
    *("full", "long", "medium", "short"),
    *("LLLL y", "LLL y", "dd-MMM-yy", "d MMM y", "d. MMMM yy", "dd.MM.yy", "d/M/y", "MM/y"),
)


@pytest.mark.parametrize("language", sorted(LANGUAGES.values()))
def test_dates_of_every_language_are_read(language: str) -> None:
    locale = Locale(language)
    chance = random.Random(language)
    first = datetime.date(1999, 1, 1)
    days = [first + datetime.timedelta(chance.randrange(9000)) for _ in range(60)]
    for form in FORMS:
        pattern = locale.date_formats[form].pattern if form in FORMS[:4] else form
        cells = [format_date(day, form, locale=locale) for day in days]
        expected = [(day.year, day.month, day.day if "d" in pattern else 0) for day in days]
        assert read(*cells) == expected, form
        named = looks_like_dates(pd.Series(cells), "date")
        assert named, form


def test_capitals_accents_and_inflections_do_not_matter() -> None:
    assert read("5 AOÛT 2021", "5 aout 2021") == [(2021, 8, 5)] * 2
    assert read("5 EYLÜL 2021", "5 HAZİRAN 2021") == [(2021, 9, 5), (2021, 6, 5)]
    assert read("ΙΟΥΝΙΟΥ 2021", "w marcu 2021") == [(2021, 6, 0), (2021, 3, 0)]
    assert read("5. IX. 2021", "5 / III / 21") == [(2021, 9, 5), (2021, 3, 5)]


def test_a_month_with_two_meanings_is_decided_by_the_column() -> None:
    # The 10th month in Croatian, and the 11th in Polish and Czech.
    assert read("5 listopada 2021") == [(2021, 0, 0)]
    assert read("5 listopada 2021", "5 siječnja 2021")[0] == (2021, 10, 5)
    assert read("5 listopada 2021", "5 stycznia 2021")[0] == (2021, 11, 5)
    found = date_guess(pd.Series(["5 listopada 2021"]), "when")
    assert found is not None
    assert "listopada" in found.reason


@settings(max_examples=10)
@given(st.lists(st.dates(datetime.date(1970, 1, 1), datetime.date(2068, 12, 31)), min_size=1))
def test_every_separator_may_have_a_short_year(days: list[datetime.date]) -> None:
    expected = [parts(day) for day in days]
    for mark in ("-", ".", "/", ". ", " "):
        for order in DATE_ORDERS:
            form = mark.join(f"%{part}" for part in order)
            cells = pd.Series([day.strftime(form) for day in days])
            assert ordered_dates(cells, order).tolist() == [day.isoformat() for day in days]
    assert read(*(day.strftime("%d-%b-%y").upper() for day in days)) == expected


def test_years_in_front_are_recognised_by_the_column() -> None:
    days = [datetime.date(2021, 1, 1) + datetime.timedelta(9 * n) for n in range(60)]
    assert read(*(day.strftime("%y-%m-%d") for day in days)) == [parts(day) for day in days]
    assert read(*(day.strftime("%d-%m-%y") for day in days)) == [parts(day) for day in days]


def test_an_unclear_order_is_reported_and_can_be_set() -> None:
    column = pd.Series(["5/3/2019", "4/6/2019"])
    assert read(*column) == [(2019, 0, 0)] * 2
    found = date_guess(column, "day")
    assert found is not None
    assert "no cell shows" in found.reason
    assert found.option == "date_order"
    assert ordered_dates(column, "dmy").tolist() == ["2019-03-05", "2019-06-04"]
    assert ordered_dates(column, "mdy").tolist() == ["2019-05-03", "2019-04-06"]
    clear = date_guess(pd.Series(["5/3/2019", "25/3/2019"]), "day")
    assert clear is not None
    assert "2019-03-05" in clear.reason
    with pytest.raises(InputError, match="no order of dates 'x'"):
        ordered_dates(column, "x")


def test_cells_in_two_orders_are_reported_with_examples() -> None:
    column = pd.Series(["25/3/2019", "3/26/2019", "28/3/2019", "5/3/2019", "5/3/2019"])
    assert read(*column) == [(2019, 3, 25), (2019, 3, 26), (2019, 3, 28), *[(2019, 0, 0)] * 2]
    found = date_guess(column, "day")
    assert found is not None
    assert found.option == "date_order"
    assert found.reason == (
        "2 cells, such as “25/3/2019” and “28/3/2019”, have the day first and 1 cell, such as "
        "“3/26/2019”, has the month first; so only the year of “5/3/2019” and its like was read"
    )
    ends = {
        "dmy": "“3/26/2019”, has the month first and was read so",
        "mdy": "have the day first and were read so",
    }
    for order, end in ends.items():
        given = date_guess(column, "day", order)
        assert given is not None
        assert given.reason.endswith(end)
    assert "cell" not in str(date_guess(column[[0, 2, 3]], "day", "dmy").reason)


@given(st.lists(st.tuples(st.integers(1, 28), st.integers(1, 12)), min_size=1, max_size=30))
def test_cells_that_agree_with_the_order_are_no_contradiction(days: list[tuple[int, int]]) -> None:
    cells = pd.Series([f"{day}/{month}/2019" for day, month in days])
    found = date_guess(cells, "day", "dmy")
    assert found is not None
    assert found.reason == ""
    pointed = date_guess(pd.Series(["13.3.2019", "3.13.2019"]), "day")
    assert pointed is not None
    assert "have" not in pointed.reason


def test_years_after_the_present_one_are_reported_with_the_cell() -> None:
    later = date_guess(pd.Series(["28.01.68", "28.01.68", "05.03.21"]), "day")
    assert later is not None
    assert "2 cells give a year after" in later.reason
    assert (
        "“28.01.68”, read as 2068; if that is wrong, write years with four digits" in later.reason
    )
    written = date_guess(pd.Series([2010, 2011, 2999]), "year")
    assert written is not None
    assert written.reason.startswith("1 cell gives a year after")
    assert written.reason.endswith("such as “2999”")
    assert "after" not in str(date_guess(pd.Series(["28.01.69", "05.03.21"]), "day"))


@pytest.mark.parametrize("zone", [None, "Asia/Tokyo"])
def test_a_column_of_the_type_of_dates_is_reported_for_its_years_to_come(zone: str | None) -> None:
    column = pd.Series(
        pd.to_datetime(["2019-03-05T23:10", None, "2168-01-28T00:00"])
    ).dt.tz_localize(zone)
    found = date_guess(column, "day")
    now = datetime.datetime.now(datetime.UTC).year
    reason = f"1 cell gives a year after {now}, such as “2168-01-28”"
    assert found == Guess("dates", "from 2019 to 2168", reason)
    later = date_guess(column[2:], "day")
    assert later is not None
    assert later.value == "in 2168"
    assert date_guess(column[:2], "day") is None
    assert date_guess(column[1:2], "day") is None


def test_a_mistyped_year_is_no_serial_number() -> None:
    assert read("2010", "2011", "20112", "1000000000") == [
        (2010, 0, 0),
        (2011, 0, 0),
        *[(0, 0, 0)] * 2,
    ]
    assert read("2010-03-05", "43831") == [(2010, 3, 5), (2020, 1, 1)]


def test_serial_numbers_of_excel_are_dates_in_a_column_of_dates() -> None:
    days = [datetime.date(2020, 1, 1) + datetime.timedelta(9 * n) for n in range(60)]
    serials = pd.Series([(day - datetime.date(1899, 12, 30)).days for day in days])
    assert [tuple(row) for row in np.column_stack(read_dates(serials)).tolist()] == [
        parts(day) for day in days
    ]
    assert looks_like_dates(serials, "date")
    assert not looks_like_dates(serials, "zip")
    assert not read_dates(pd.Series([43831, 7, 12, 90210, 3])).year.any()


@pytest.mark.parametrize(("first", "step"), [(44_000, 1), (1_500_000_000, 86_400)])
@given(n_days=st.integers(9, 40), n_years=st.integers(1, 2))
@settings(max_examples=20)
def test_a_few_bare_years_among_counts_of_days_or_seconds_change_no_other_cell(
    first: int, step: int, n_days: int, n_years: int
) -> None:
    counts = [str(first + step * row) for row in range(n_days)]
    cells = [*counts, *(str(2019 + row) for row in range(n_years))]
    assert read(*cells)[:n_days] == read(*counts)
    assert read(*counts)[0][2]
    assert read(*cells)[n_days:] == [(2019 + row, 0, 0) for row in range(n_years)]
    assert looks_like_dates(pd.Series(cells), "date")
    found = date_guess(pd.Series(cells), "date")
    assert found is not None
    assert f"{n_days} give a day, {n_years} give" in found.value


def test_east_asian_dates() -> None:
    assert read("2021年3月5日", "2021년 3월 5일", "2021年3月") == [
        (2021, 3, 5), (2021, 3, 5), (2021, 3, 0)]  # fmt: skip


def test_an_order_of_dates_is_taken_as_given_and_reported(tmp_path: Path) -> None:
    source = tmp_path / "t.csv"
    rows = "".join(f"5/{month}/2021,text {month}\n" for month in range(3, 12))
    source.write_text(f"date,text\n{rows}", encoding="utf-8")
    unsure = next(guess for guess in read_documents(source).guesses if guess.what == "dates")
    assert "no cell shows which number" in unsure.reason
    for order, first in {"dmy": "2021-03-05", "mdy": "2021-05-03"}.items():
        raw = read_documents(source, date_order=order)
        assert isinstance(raw, RawDocuments)
        assert raw.table["date"].iloc[0] == first
        (given,) = (guess for guess in raw.guesses if guess.what == "dates")
        assert given.value.startswith(f"{ORDER_NAMES[order]}; in 2021; ")
        assert not given.reason
    mixed = pd.Series(["2021-03-01 10:01:00", "5/1/2021", "1/25/2021", "13/2/2021", "unknown"])
    expected = ["2021-03-01 10:01:00", "2021-01-05", "2021-01-25", "2021-02-13", "unknown"]
    assert ordered_dates(mixed, "dmy").tolist() == expected
    with pytest.raises(InputError, match="there is no order of dates 'x'"):
        read_documents(source, date_order="x")


@pytest.mark.parametrize(
    "form",
    ["%d%b%Y:10:11:12", "%d/%b/%Y:20:11:12 +0000", "%Y%m%d101112", "%Y_%m_%d", "%Y-%d-%m"],
)
def test_dates_of_logs_and_of_sas(form: str) -> None:
    days = [datetime.date(2019 + row % 4, 1 + row % 12, 1 + row % 28) for row in range(80)]
    assert read(*(day.strftime(form) for day in days)) == [parts(day) for day in days]


@pytest.mark.parametrize(("more", "name"), [(543, "Buddhist"), (-621, "Persian")])
def test_years_of_another_calendar_are_reported(more: int, name: str) -> None:
    found = date_guess(pd.Series([f"{1 + n}/5/{2020 + more}" for n in range(20)]), "when")
    assert found is not None
    assert name in found.reason


def test_one_mistyped_month_swaps_no_other_cell() -> None:
    cells = [*(f"2019-{month:02}-01" for month in range(1, 13)), "2019-13-01"]
    expected = [(2019, month, 1) for month in range(1, 13)]
    assert read(*cells)[:12] == expected
    # Several days in the second place show the order, unless it is given.
    days = ["2019-25-03", "2019-04-04", "2019-30-11", "2019-13-02"]
    assert read(*days) == [(2019, 3, 25), (2019, 4, 4), (2019, 11, 30), (2019, 2, 13)]
    found = date_guess(pd.Series(days), "when")
    assert found is not None
    assert found.value.startswith("year, day, month")
    given = date_guess(pd.Series(days), "when", "ymd")
    assert given is not None
    assert "1 gives a day" in given.value
    assert given.reason == "“2019-25-03” is no possible day, and only its year was read"


@pytest.mark.parametrize("order", ["mdy", "ymd"])
@given(wrong=st.lists(st.integers(13, 31), min_size=1, max_size=40))
def test_an_order_that_is_given_swaps_no_date_that_begins_with_the_year(
    order: str, wrong: list[int]
) -> None:
    cells = pd.Series([*(f"2019-{m:02}-{m % 5 + 1:02}" for m in range(1, 13)), *(
        f"2019-{month}-01" for month in wrong
    )])  # fmt: skip
    expected = [*((2019, m, m % 5 + 1) for m in range(1, 13)), *([(2019, 0, 0)] * len(wrong))]
    for read in (read_dates(cells, order), read_dates(ordered_dates(cells, order))):
        assert [tuple(row) for row in np.column_stack(read).tolist()] == expected
    found = date_guess(cells, "when", order)
    assert found is not None
    assert "is no possible day, and only its year was read" in found.reason


@pytest.mark.parametrize("n_different", [1, 2, 18])
def test_year_day_month_can_be_given(n_different: int) -> None:
    cells = pd.Series([f"2019-{13 + row % n_different}-{row % 9 + 1:02}" for row in range(40)])
    expected = [(2019, row % 9 + 1, 13 + row % n_different) for row in range(40)]
    for read_again in (read_dates(cells, "dmy"), read_dates(ordered_dates(cells, "dmy"))):
        assert [tuple(row) for row in np.column_stack(read_again).tolist()] == expected
    assert read_dates(cells, "mdy").day.tolist() == [0] * 40
    # One mistyped cell changes no other.
    usual = pd.Series([*(f"2019-{month:02}-01" for month in range(1, 13)), "2019-13-01"])
    assert read_dates(usual, "dmy").month.tolist() == [*range(1, 13), 0]


@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("candidate", ["Obama 2012", "Romney 2012", "none"]),
        ("posted_in", ["r/2016", "news 2016", "none"]),
        ("created_by", ["anna 1987", "bo 2001", "none"]),
        ("yearly_income", ["2500", "1800", "30000", "9000"]),
        ("update", ["1234", "1650", "42000", "7"]),
        ("sentiment", ["1999", "none", "0.3"]),
        ("time", ["1000", "1130", "1545", "2327"]),
        ("reading_time", ["1532", "1875", "2041"]),
        ("response_time", ["35000", "41230", "27001", "201203"]),
    ],
)
@pytest.mark.parametrize("times", [1, 15])
def test_names_that_only_contain_a_word_for_dates(name: str, cells: list[str], times: int) -> None:
    assert not looks_like_dates(pd.Series(cells * times), name)


@pytest.mark.parametrize("language", OTHER_LANGUAGES)
def test_months_of_languages_without_stop_words(language: str) -> None:
    locale = Locale.parse(language.replace("-", "_"))
    known, days = 0, [datetime.date(2018 + n % 4, 1 + n % 12, 1 + n % 28) for n in range(48)]
    cells = [f"{day.day} {locale.months['format']['wide'][day.month]} {day.year}" for day in days]
    for day, found in zip(days, read(*cells), strict=True):
        # A name of two words, or one that the library lacks, gives a year and is reported.
        assert found in (parts(day), (day.year, 0, 0))
        known += found == parts(day)
    assert known >= 0.7 * len(days)


@given(
    days=st.lists(
        st.dates(datetime.date(1900, 1, 1), datetime.date(2099, 12, 31)), min_size=30, max_size=60
    )
)
@settings(max_examples=20)
def test_eight_digits_that_end_with_the_year(days: list[datetime.date]) -> None:
    days = [*days, datetime.date(2001, 2, 23)]
    cells = pd.Series([f"{day:%d%m%Y}" for day in days])
    assert looks_like_dates(cells, "date")
    assert [tuple(row) for row in np.column_stack(read_dates(cells)).tolist()] == [
        parts(day) for day in days
    ]


@pytest.mark.parametrize("name", ["date", "Datum", "created_at", "year"])
@given(n_unknown=st.integers(0, 45))
def test_a_column_named_after_dates_may_have_cells_without_one(name: str, n_unknown: int) -> None:
    cells = [f"2021-{n % 12 + 1:02}-05" for n in range(100 - n_unknown)] + ["unknown"] * n_unknown
    assert looks_like_dates(pd.Series(cells), name)
    found = date_guess(pd.Series(cells), name)
    assert found is not None
    assert (n_unknown > 0) == ("no date" in found.value)


@pytest.mark.parametrize("form", ["Q{1} {0}", "{0}-Q{1}", "{0}-W{1:02}", "{0}/{1:02} (week)"])
def test_more_than_a_year_that_is_not_read_is_reported(form: str) -> None:
    column = pd.Series([form.format(2010 + n % 9, 1 + n % 4) for n in range(40)])
    found = date_guess(column, "when")
    assert found is not None
    if "gives a year" in found.value:
        assert found.reason == f"only the year of “{column[0]}” was read"
    else:
        assert found.value.endswith("gives a month and a year")


@given(wrong=st.lists(st.integers(13, 31), min_size=1, max_size=8))
def test_mistyped_months_are_reported_and_swap_nothing(wrong: list[int]) -> None:
    cells = [f"2019-{row % 12 + 1:02}-{row % 7 + 1:02}" for row in range(100)]
    column = pd.Series([*cells, *(f"2019-{month}-02" for month in wrong)])
    expected = [(2019, row % 12 + 1, row % 7 + 1) for row in range(100)]
    assert read(*column)[:100] == expected
    found = date_guess(column, "when")
    assert found is not None
    assert f"“2019-{wrong[0]}-02” is no possible day" in found.reason
