"""Labels, years and titles are read out of the columns that a corpus happens to have."""

import pandas as pd

from orrery.app.documents.facets import read_facets


def documents(**columns: object) -> pd.DataFrame:
    return pd.DataFrame({"id": ["a", "b", "c"], "text": "x", "label": None} | columns)


def test_a_column_of_dates_is_found_whatever_it_is_called() -> None:
    found = read_facets(documents(air_date=["1984-09-10T18:00:00Z", None, "2021-08-13"]))
    assert found.year.tolist() == [1984, 0, 2021]
    assert found.years == (1984, 2021)


def test_a_column_that_is_named_a_date_but_holds_none_is_none() -> None:
    found = read_facets(documents(time=["short", "long", "short"], printed=[1990, 1990, 1991]))
    assert found.years == (1990, 1991)
    assert read_facets(documents(time=["short", "long", "short"])).years == ()


def test_one_year_is_no_choice() -> None:
    assert read_facets(documents(date=["2020-01-01", "2020-01-02", "2020-02-01"])).years == ()
