"""Groups of documents are read out of whatever columns a corpus has."""

import numpy as np
import pandas as pd
import pytest

from orrery.core.data.columns import POSITIONS
from orrery.core.data.groups import group_columns, left_out, read_grouping
from orrery.core.utils.errors import InputError


def documents(**columns: object) -> pd.DataFrame:
    rows = len(next(iter(columns.values())))  # type: ignore[arg-type]
    base = {"id": [f"d{n}" for n in range(rows)], "text": "words", "label": None}
    return pd.DataFrame(base | columns)


def test_labels_come_first_the_largest_before_others() -> None:
    table = documents(label=["b", "a", "b", None, "c", "a", " b "], year=[1990, 1991] * 3 + [1990])
    found = read_grouping(table)
    assert (found.column, found.step, found.is_time) == ("label", "value", False)
    assert found.names == ("b", "a", "c")
    assert found.of_document.tolist() == [0, 1, 0, -1, 2, 1, 0]


def test_without_labels_dates_make_groups_in_their_order() -> None:
    table = documents(air_date=["2020-03-01", None, "1850-01-01", "2150-12-31", "2020-12-01"])
    found = read_grouping(table, step="year")
    assert found.names == ("1850", "2020", "2150")
    assert found.first_year == (1850, 2020, 2150)
    assert found.of_document.tolist() == [1, -1, 0, 2, 1]
    assert read_grouping(table, step="decade").names == ("1850s", "2020s", "2150s")
    assert read_grouping(table, step="month").names == ("1850-01", "2020-03", "2020-12", "2150-12")


def test_one_label_is_passed_over_where_there_are_dates() -> None:
    table = documents(label=["a"] * 4, year=[1990, 1991, 1990, 1991])
    assert read_grouping(table).column == "year"
    assert read_grouping(documents(label=["a"] * 4)).names == ("a",)


def test_periods_are_as_long_as_need_be() -> None:
    months = [f"{2000 + n // 12}-{n % 12 + 1:02}-01" for n in range(480)]
    assert read_grouping(documents(date=months[:30])).step == "month"
    assert read_grouping(documents(date=months)).step == "year"
    assert read_grouping(documents(year=list(range(1800, 2000)) * 2)).step == "decade"


@pytest.mark.parametrize(("n_coarse", "step"), [(0, "month"), (2, "month"), (3, "year")])
def test_months_need_nearly_all_dates(n_coarse: int, step: str) -> None:
    months = [f"{1990 + n // 12}-{n % 12 + 1:02}-05" for n in range(40 - n_coarse)]
    found = read_grouping(documents(date=[*months, *["1993"] * n_coarse, "", None]))
    assert found.step == step
    assert (found.n_empty, found.n_coarse) == (2, n_coarse if step == "month" else 0)
    kept = int((found.of_document >= 0).sum())
    assert kept + found.n_empty + found.n_coarse == 42
    assert kept >= 0.95 * 40
    assert "2 without a date" in left_out(found)
    assert ("no month" in left_out(found)) == (found.n_coarse > 0)


def test_nothing_is_reported_if_nothing_is_left_out() -> None:
    assert not left_out(read_grouping(documents(year=[1990, 1991] * 4)))
    by_value = read_grouping(documents(label=["a", "a", "b", None]))
    assert left_out(by_value) == "Left out of 4 documents: 1 without a value."


def test_a_column_of_years_has_no_months_and_the_message_says_so() -> None:
    with pytest.raises(InputError, match="no date in the column 'year' gives a month") as caught:
        read_grouping(documents(year=[1990, 1991] * 4), "year", "month")
    assert "holds no dates" not in str(caught.value)


def test_cells_without_a_month_are_in_no_month() -> None:
    found = read_grouping(documents(date=["1999", "1999-05", "1999-05-03"]), step="month")
    assert found.names == ("1999-05",)
    assert found.of_document.tolist() == [-1, 0, 0]


def test_columns_that_repeat_make_groups_and_others_do_not() -> None:
    table = documents(
        label=["x"] * 8,
        title=[f"t{n}" for n in range(8)],
        author=["ann", "bob"] * 4,
        place=["here"] * 8,
        year=[1990, 1991] * 4,
        note=["long " * 40, "longer " * 40] * 4,
    )
    assert group_columns(table) == ["label", "author"]
    assert read_grouping(table, "author").names == ("ann", "bob")
    assert read_grouping(table, "title").names[0] == "t0"


def test_labels_that_are_years_may_be_either() -> None:
    table = documents(label=["1990", "1991", "1991"])
    assert read_grouping(table).names == ("1991", "1990")
    assert read_grouping(table, "label", "year").names == ("1990", "1991")


def test_the_order_of_documents_does_not_matter() -> None:
    table = documents(label=list("abcabd"))
    turned = table.iloc[::-1].reset_index(drop=True)
    one, other = read_grouping(table), read_grouping(turned)
    assert one.names == other.names
    assert np.array_equal(one.of_document, other.of_document[::-1])


@pytest.mark.parametrize(
    ("column", "step", "shown_text"),
    [
        ("nix", None, r"no column 'nix' to group by; its columns: 'label', 'kind', 'year'"),
        ("text", None, "no column 'text'"),
        ("kind", "year", r"'kind' holds no dates; columns that do: 'year'"),
    ],
)
def test_what_cannot_be_is_reported(column: str, step: object, shown_text: str) -> None:
    table = documents(kind=["a", "b"] * 2, year=[1990, 1991] * 2)
    with pytest.raises(InputError, match=shown_text):
        read_grouping(table, column, step)  # type: ignore[arg-type]


def test_a_corpus_without_columns_has_no_groups() -> None:
    with pytest.raises(InputError, match="no label, date or other column"):
        read_grouping(documents(id=["a", "b"]))
    with pytest.raises(InputError, match="no column of dates"):
        read_grouping(documents(label=["a", "b"]), step="year")


def test_an_empty_column_makes_no_groups() -> None:
    with pytest.raises(InputError, match="the column 'label' is empty; choose another"):
        read_grouping(documents(year=[1990, 1991] * 4), "label")


def test_passages_are_counted_by_document_unless_nothing_else_is_left() -> None:
    table = documents(document=["x", "x", "y", "y"], label=["a", "b", "a", None])
    table = table.assign(start=0, end=5)
    table = table.rename(columns=dict(zip(("start", "end"), POSITIONS, strict=True)))
    found = read_grouping(table)
    assert found.whole is not None
    assert found.whole.tolist() == [0, 0, 1, 1]
    assert left_out(found) == "Left out of 4 passages: 1 without a value."
    assert read_grouping(table, "document").whole is None
    assert read_grouping(table.assign(document="x")).whole is None
    assert read_grouping(documents(label=["a", "b"])).whole is None
