"""Labels, years and titles are read out of the columns that a corpus happens to have."""

import pandas as pd
import pytest

from orrery.app.workspace.facets import facts, own_title, read_facets, rest_after_title, title_of
from orrery.core.data.columns import COLUMN_NAMES


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


def test_too_many_labels_to_choose_from_are_counted() -> None:
    table = pd.DataFrame({"id": range(900), "text": "x", "label": [f"r{n}" for n in range(900)]})
    found = read_facets(table)
    assert (found.labels, found.n_labels) == ((), 900)


def test_what_the_title_states_is_not_reported_again() -> None:
    texts = ["one two three", " ".join(map(str, range(40))), "Own words of it", "Same\n\nand more"]
    titles = ["", "", "Its title", "Same"]
    found = read_facets(
        pd.DataFrame({"id": range(4), "text": texts, "label": None, "title": titles})
    )
    reported = [own_title(found, row, text) for row, text in enumerate(texts)]
    assert reported == ["", "", "Its title", ""]
    for row, text in enumerate(texts):
        rest = rest_after_title(found, row, text)
        assert text.endswith(rest)
        if not reported[row]:
            shown = title_of(found, row, text).removesuffix("…").split()
            assert shown + rest.split() == text.split()
    assert rest_after_title(found, 2, texts[2]) == texts[2]


@pytest.mark.parametrize("name", COLUMN_NAMES["title"])
def test_every_name_of_a_title_is_recognised_as_by_an_import(name: str) -> None:
    found = read_facets(documents(**{name.capitalize(): ["A", "B", None]}))
    assert found.title.tolist() == ["A", "B", ""]


def test_documents_of_a_folder_are_shown_by_their_paths() -> None:
    paths = ["a/x.md", "a/y.md", "z.md"]
    found = read_facets(documents(id=["0", "1", "2"], file=paths, label=["a", "a", None]))
    shown = [facts(found, row, found.name[row]) for row in range(3)]
    assert shown == [["a", "a/x.md"], ["a", "a/y.md"], ["z.md"]]
    assert read_facets(documents()).name == ("a", "b", "c")
