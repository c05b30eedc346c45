"""Which column is which, by name, by content, or by a question to the person."""

import hashlib
import io
import json
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from itertools import compress, product

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from orrery.core.data.columns import (
    COLUMN_NAMES,
    ColumnChoice,
    arrange_columns,
    as_text,
    date_columns,
    explain_columns,
    guess_columns,
    resolve_columns,
)
from orrery.core.data.guesses import Guess
from orrery.core.data.tables import read_table
from orrery.core.utils.errors import InputError

SENTENCES = [f"some words that make a sentence number {number}" for number in range(40)]


def test_names_are_informative() -> None:
    table = pd.DataFrame(
        {"ID": range(40), "title": "t", "Text": SENTENCES, "theme": "x", "year": 1990}
    )
    assert guess_columns(table) == ColumnChoice("Text", "ID", "theme", "year", "title")


def test_an_id_under_a_longer_name() -> None:
    table = pd.DataFrame({"paper_id": range(40), "title": SENTENCES})
    assert guess_columns(table) == ColumnChoice("title", "paper_id", None)


def test_many_columns_are_not_all_listed() -> None:
    table = pd.DataFrame({f"c{number}": [1] for number in range(50)})
    with pytest.raises(InputError, match="'c19', and 30 more; name one"):
        arrange_columns(table, ColumnChoice(), "t.csv")


def test_contents_decide_where_names_do_not() -> None:
    table = pd.DataFrame(
        {"a": SENTENCES, "b": ["train", "test"] * 20, "c": ["x", "y", "z", "x"] * 10}
    )
    assert guess_columns(table) == ColumnChoice("a", None, "c")


def test_an_id_column_that_repeats_is_not_guessed() -> None:
    table = pd.DataFrame({"id": [1, 1], "text": ["a", "b"]})
    assert arrange_columns(table, ColumnChoice(), "t.csv")["id"].tolist() == ["0", "1"]


def test_two_columns_of_sentences_are_a_question() -> None:
    table = pd.DataFrame({"question": SENTENCES, "answer": SENTENCES[::-1]})
    with pytest.raises(InputError, match=r"t\.csv.*'question', 'answer'.*--text-column"):
        arrange_columns(table, ColumnChoice(), "t.csv")
    arranged = arrange_columns(table, ColumnChoice(text="answer"), "t.csv")
    assert arranged["text"].tolist() == SENTENCES[::-1]


PAPERS = pd.DataFrame(
    {
        "title": ["Red star", "", "Blue star"],
        "abstract": ["It is large and red.", "No title here.", " "],
        "title,short": ["r", "n", "b"],
    }
)


@pytest.mark.parametrize("text", [("title", "abstract"), ("title, abstract",), "title,abstract"])
def test_several_columns_are_joined_without_those_that_are_blank(text: str) -> None:
    arranged = arrange_columns(PAPERS, ColumnChoice(text=text), "t.csv")
    assert arranged["text"].tolist() == [
        "Red star\n\nIt is large and red.",
        "No title here.",
        "Blue star",
    ]
    assert arranged["title"].tolist() == ["Red star", "", "Blue star"]
    assert "abstract" not in arranged


def test_a_comma_in_a_columns_own_name_parts_nothing() -> None:
    choice = ColumnChoice(text=("title,short", "title"))
    assert resolve_columns(PAPERS, choice, "t.csv").text == ("title,short", "title")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (("title", "title"), "the text column 'title' is named twice; name it once"),
        ("title,abstract,title", "the text column 'title' is named twice"),
        ("title,nix", "no column 'nix'; its columns are 'title'"),
        ("title,", "no column 'title,'"),
        (("title", ""), "has no name; name it with --text-column"),
    ],
)
def test_columns_that_cannot_be_joined_are_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        arrange_columns(PAPERS, ColumnChoice(text=text), "t.csv")


@pytest.mark.parametrize("role", ["text", "id", "label"])
def test_a_missing_column_is_named_with_those_there(role: str) -> None:
    table = pd.DataFrame({"text": ["a"], "n": [1]})
    with pytest.raises(InputError, match=r"no column 'nix'; its columns are 'text', 'n'"):
        arrange_columns(table, ColumnChoice(**{role: "nix"}), "t.csv")


def test_a_chosen_id_that_repeats_is_refused() -> None:
    table = pd.DataFrame({"key": ["a", "b", "a"], "text": ["x", "y", "z"]})
    with pytest.raises(InputError, match="the id 'a' occurs twice"):
        arrange_columns(table, ColumnChoice(id="key"), "t.csv")


def test_other_columns_stay_and_step_aside() -> None:
    table = pd.DataFrame(
        {"body": ["x", "y"], "text": ["p", "q"], "n": [1, 2], "tags": [["a"], {"b": 1}]}
    )
    arranged = arrange_columns(table, ColumnChoice(text="body"), "t.jsonl")
    assert arranged.columns.tolist() == ["id", "text", "label", "text (column)", "n", "tags"]
    assert arranged["text"].tolist() == ["x", "y"]
    assert arranged["tags"].tolist() == ['["a"]', '{"b": 1}']


@given(
    st.lists(st.integers(0, 99), min_size=2, max_size=40, unique=True), st.text(" \t", max_size=3)
)
def test_spaces_around_ids_and_labels_are_left_out(numbers: list[int], space: str) -> None:
    cells = [f"{space}{number}{space}" for number in numbers]
    table = pd.DataFrame({"id": cells, "label": cells, "text": "words"})
    arranged = arrange_columns(table, ColumnChoice(), "t")
    assert arranged["id"].tolist() == arranged["label"].tolist() == [str(n) for n in numbers]
    # Spaces that distinguish two ids stay.
    same = pd.DataFrame({"id": ["a", "a "], "text": "words"})
    assert arrange_columns(same, ColumnChoice(), "t")["id"].tolist() == ["a", "a "]
    table.loc[len(table)] = [f"{space}{numbers[0]}{space} ", "label", "words"]
    ids = arrange_columns(table, ColumnChoice(), "t")["id"].tolist()
    assert ids[1:-1] == [str(n) for n in numbers[1:]]
    assert ids[0] != ids[-1]


def test_numbers_with_a_decimal_comma_and_dates_are_no_ids() -> None:
    scores = [f"{row / 7:.4f}".replace(".", ",") for row in range(60)]
    days = [f"{1 + row % 28:02}{1 + row // 28:02}2021" for row in range(60)]
    for name, cells in {"score": scores, "date": days}.items():
        assert guess_columns(pd.DataFrame({name: cells, "text": "some words"})).id is None


@pytest.mark.parametrize(
    "others",
    [
        {},
        {"label": ["good", "bad"] * 20},
        {"theme": ["very good service", "quite bad service"] * 20},
        {"code": [f"p{row}" for row in range(40)], "kind": ["a", "b"] * 20},
        {"title": SENTENCES, "year": [2000 + row % 9 for row in range(40)]},
    ],
)
def test_roles_given_as_guessed_change_no_other_role(others: dict[str, list[object]]) -> None:
    texts = [f"{sentence} with many more words behind it" for sentence in SENTENCES]
    for ids in ({"id": [f"a{row}" for row in range(40)]}, {}):
        table = pd.DataFrame({**ids, "comment": texts, **others})
        guess = guess_columns(table)
        assert guess.text == "comment"
        assert ("label" in others) <= (guess.label == "label")
        wanted = resolve_columns(table, ColumnChoice(), "t")
        guessed = [(role, name) for role, name in asdict(guess).items() if name is not None]
        for given_roles in product((True, False), repeat=len(guessed)):
            choice = ColumnChoice(**dict(compress(guessed, given_roles)))
            found = resolve_columns(table, choice, "t")
            assert (found.id, found.label) == (wanted.id, wanted.label)
            explained = explain_columns(table, found, choice)
            assert not any("the same value" in guess.reason for guess in explained)


@pytest.mark.parametrize("given", ["Q1", ("Q1", "Q2"), "Q1,Q2", ("Q1 Your opinion", "Q2")])
def test_the_code_of_a_question_stands_for_its_column(given: str | tuple[str, ...]) -> None:
    names = ["Q1 Your opinion", "Q2 Your advice", "Q10 More", "Q10 Else", "Date of answer"]
    table = pd.DataFrame({name: SENTENCES[:30] for name in names})
    found = resolve_columns(table, ColumnChoice(given, "", "", title="Q2"), "t")
    assert found.text == tuple(names[: 1 if given == "Q1" else 2])
    assert found.title == "Q2 Your advice"
    dates = table.assign(**{"Q2 Your advice": "2024-05-06"})
    choice = ColumnChoice("Q1", "", "", date="Q2")
    explained = explain_columns(dates, resolve_columns(dates, choice, "t"), choice)
    assert "“Q2 Your advice”" in [guess.value for guess in explained if guess.what == "date"]
    # Neither a code of two columns nor the first word of another name.
    for name in ("Q10", "Date", "Q"):
        with pytest.raises(InputError, match=f"no column '{name}'"):
            resolve_columns(table, ColumnChoice(name, "", ""), "t")


def test_ids_that_are_all_different_are_not_reported_as_repeated() -> None:
    table = pd.DataFrame({"id": range(30), "text": SENTENCES[:30]})
    choice = ColumnChoice(title="id")
    resolved = resolve_columns(table, choice, "t")
    (found,) = (g for g in explain_columns(table, resolved, choice) if g.what == "id")
    assert (found.value, found.reason) == ("row numbers", "")


def test_ids_that_occur_again_are_reported() -> None:
    table = pd.DataFrame({"tweet_id": ["1.2E+18"] * 30, "text": SENTENCES[:30]})
    resolved = resolve_columns(table, ColumnChoice(), "t")
    (found,) = (g for g in explain_columns(table, resolved, ColumnChoice()) if g.what == "id")
    assert found.reason == "“tweet_id” has the same value in several rows"


def test_a_second_column_of_dates_is_reported_with_the_rows_that_differ() -> None:
    years = [2000 + row % 9 for row in range(40)]
    days = [f"{year + 3 * (row < 5)}-03-05" for row, year in enumerate(years)]
    table = pd.DataFrame({"year": years, "published": days, "text": SENTENCES[:1] * 40})
    resolved = resolve_columns(table, ColumnChoice(), "t")

    def reported(**changed: list[str]) -> list[Guess]:
        found = explain_columns(table.assign(**changed), resolved, ColumnChoice())
        return [guess for guess in found if guess.what == "other dates"]

    (found,) = reported()
    assert (found.value, found.option) == ("“published” has dates too", "date_column")
    assert found.reason == (
        "its year differs from “year” in 5 of 40 rows, such as “2000” and “2003-03-05”, “2001” "
        "and “2004-03-05”"
    )
    (same,) = reported(published=[f"{year}-03-05" for year in years])
    assert same.reason == "of the same years as “year”"
    assert reported(published=["x"] * 40) == []
    halves = {"year": [*map(str, years[:20]), *[""] * 20], "published": [*[""] * 20, *days[20:]]}
    (apart,) = reported(**halves)
    assert apart.reason == "no row has a date in both “year” and “published”"


@pytest.mark.parametrize(
    "name",
    [
        *("birth_year", "date_of_birth", "yearOfBirth", "born", "dob", "geboortedatum", "född_år"),
        *("fecha_nac", "Fecha de nacimiento", "data_nascita", "fødselsdato", "data urodzenia"),
        *("дата рождения", "doğum_tarihi", "Geburtsdatum", "geb_datum", "date de naissance"),
    ],
)
@pytest.mark.parametrize("other", ["day", "fecha", "datum_bericht", "renaissance_year"])
def test_births_are_no_dates_and_no_ids_of_documents(name: str, other: str) -> None:
    births = pd.DataFrame({name: [str(1950 + row) for row in range(len(SENTENCES))]})
    table = births.assign(text=SENTENCES)
    assert (guess_columns(table).date, guess_columns(table).id) == (None, None)
    assert date_columns(table) == []
    resolved = resolve_columns(table, ColumnChoice(), "t")
    (found,) = (g for g in explain_columns(table, resolved, ColumnChoice()) if g.what == "date")
    assert found.value == "none"
    # Births that are chosen are the date.
    assert resolve_columns(table, ColumnChoice(date=name), "t").date == name
    assert guess_columns(table.assign(**{other: "2021-03-05"})).date == other


@given(st.lists(st.text("abc ", min_size=1), min_size=1, max_size=4))
def test_texts_within_lists_of_objects_are_the_text(parts: list[str]) -> None:
    rows = [[{"type": "link", "text": part} for part in parts], [*parts, {"text": "end"}]]
    table = pd.DataFrame({"text": rows})
    found = arrange_columns(table, ColumnChoice(), "t")["text"].tolist()
    assert found == ["\n".join(parts), "".join(parts) + "end"]
    rows[0].insert(0, {"type": "image", "url": "a.png"})
    found = arrange_columns(table, ColumnChoice(), "t")["text"].tolist()
    assert found == ["\n".join(parts), "".join(parts) + "end"]


def test_lists_of_texts_are_their_lines() -> None:
    parts = ['the first "line"', "a tab\tand another"]
    table = pd.DataFrame({"text": [parts, np.array(parts, dtype=object), ["one", None], "plain"]})
    arranged = arrange_columns(table, ColumnChoice(), "t")
    assert arranged["text"].tolist() == ["\n".join(parts)] * 2 + ["one", "plain"]
    choice = resolve_columns(table, ColumnChoice(), "t")
    (found,) = (g for g in explain_columns(table, choice, ColumnChoice()) if g.what == "lists")
    assert found.value == "joined to one text in 3 rows"


@given(
    st.lists(
        st.lists(
            st.fixed_dictionaries({}, optional={"role": st.text(), "content": st.text()}),
            min_size=1,
        ),
        min_size=2,
    )
)
@example([[{"role": "a", "content": "one"}, {"role": "tool"}], [{"content": "two"}]])
def test_a_chat_has_the_same_text_in_json_and_in_parquet(chats: list[list[dict[str, str]]]) -> None:
    chats = [[{"role": "user", "content": "Hello"}, None, *chat] for chat in chats]
    file = io.BytesIO()
    pq.write_table(pa.table({"text": chats}), file)
    lines = "\n".join(json.dumps({"text": chat}) for chat in chats)
    texts = [
        arrange_columns(read_table(name, data).table, ColumnChoice(), name)["text"].tolist()
        for name, data in (("t.jsonl", lines.encode()), ("t.parquet", file.getvalue()))
    ]
    assert texts[0] == texts[1]
    assert texts[0] == [
        "\n".join(part["content"] for part in chat if part and "content" in part) for chat in chats
    ]


@pytest.mark.parametrize("count", range(9))
def test_several_possible_labels_are_named(count: int) -> None:
    """One possible label is used; of several none is, and the report names them."""
    labels = {f"kind {name}": [f"{name}{row % 3}" for row in range(60)] for name in "abcdefgh"}
    texts = {"text": [f"some words of row {row}" for row in range(60)]}
    table = pd.DataFrame(texts | {name: labels[name] for name in list(labels)[:count]})
    # The Corpus page gives the empty string where no label was guessed.
    for choice in (ColumnChoice(), ColumnChoice(label="kind a" if count == 1 else "")):
        resolved = resolve_columns(table, choice, "t")
        (found,) = (g for g in explain_columns(table, resolved, choice) if g.what == "label")
        if count == 1:
            assert found.value == "“kind a”"
            continue
        assert (found.value, found.option) == ("none", "label_column")
        shown = [f"“{name}”" for name in table.columns[1:6]] + ["others"] * (count > 5)
        listed = f"{', '.join(shown[:-1])} and {shown[-1]} could be; name one" if count else ""
        assert found.reason == listed


@pytest.mark.parametrize("name", ["Betreff", "titre", "Asunto"])
def test_titles_have_names_in_other_languages(name: str) -> None:
    table = pd.DataFrame({name: ["moon", "moon"], "text": ["some words here", "other words here"]})
    assert guess_columns(table).title == name


@given(st.permutations(["text", "text (column)", "text (column) (1)", "label", "body"]))
def test_columns_that_step_aside_overwrite_no_other(names: list[str]) -> None:
    table = pd.DataFrame({name: [f"cell of {name}"] for name in names})
    arranged = arrange_columns(table, ColumnChoice(text="body", id="", label=""), "t")
    kept = arranged.drop(columns=["id", "label"]).iloc[0].tolist()
    assert sorted(kept) == sorted(table.iloc[0])


def test_missing_labels_are_none() -> None:
    table = pd.DataFrame({"text": ["x", "y", "z"], "label": ["a", None, ""]})
    assert arrange_columns(table, ColumnChoice(), "t")["label"].tolist() == ["a", None, None]


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(), st.lists))
def test_every_json_value_becomes_text_that_can_be_stored(value: object) -> None:
    as_text(json.loads(json.dumps(value))).encode("utf-8")


def test_half_a_surrogate_pair_is_replaced() -> None:
    assert as_text("a\ud800b") == "a?b"


def test_every_parquet_value_becomes_text() -> None:
    moment = datetime(2001, 2, 3, 4, 5, 6, tzinfo=UTC)
    columns = {
        "text": [["one", "two"], ["three"]],
        "struct": [{"n": 1, "raw": b"\xff", "at": moment, "inner": [1, 2]}, None],
        "time": [moment.time(), None],
        "span": [timedelta(days=1), None],
        "bytes": [b"ab\xff", None],
        "sum": [Decimal("1.50"), None],
        "pairs": pa.array([[("k", 1)], None], pa.map_(pa.string(), pa.int64())),
        "many": [list(range(3000)), None],
    }
    buffer = io.BytesIO()
    pq.write_table(pa.table(columns), buffer)
    table = read_table("t.parquet", buffer.getvalue()).table
    arranged = arrange_columns(table, ColumnChoice(), "t.parquet")
    assert arranged["text"].tolist() == ["one\ntwo", "three"]
    struct = json.loads(arranged["struct"][0])
    assert (struct["n"], struct["inner"], struct["raw"]) == (1, [1, 2], "\ufffd")
    assert struct["at"].startswith("2001-02-03 04:05:06")
    assert arranged["time"].tolist() == ["04:05:06", ""]
    assert arranged["bytes"].tolist() == ["ab\ufffd", ""]
    assert arranged["sum"][0] == "1.50"
    assert json.loads(arranged["many"][0]) == list(range(3000))
    arranged.to_parquet(io.BytesIO())


def test_the_empty_name_states_that_there_is_no_such_column() -> None:
    table = pd.DataFrame({"key": ["a", "b"], "text": ["x", "y"], "label": ["p", "q"]})
    arranged = arrange_columns(table, ColumnChoice(id="", label=""), "t.csv")
    assert arranged["id"].tolist() == ["0", "1"]
    assert arranged["label"].tolist() == [None, None]
    assert arranged["key"].tolist() == ["a", "b"]
    assert arranged["label (column)"].tolist() == ["p", "q"]
    with pytest.raises(InputError, match=r"the text column of t\.csv has no name; name it"):
        arrange_columns(table, ColumnChoice(text=""), "t.csv")


def clues(n: int = 60) -> pd.DataFrame:
    """A table whose columns are recognised by their content."""
    return pd.DataFrame(
        {
            "clue_no": [f"c{number}" for number in range(n)],
            "air": [f"{1 + number % 28}.03.{1990 + number % 20}" for number in range(n)],
            "round": [f"round {number % 4}" for number in range(n)],
            "name": [f"about thing {number}" for number in range(n)],
            "clue": [f"this is clue {number} and it goes on for long" for number in range(n)],
        }
    )


def test_date_title_and_id_are_recognised_by_what_is_in_the_columns() -> None:
    guess = guess_columns(clues())
    assert guess == ColumnChoice("clue", "clue_no", "round", "air", "name")
    prices = clues().assign(clue_no=[f"{number}.5" for number in range(60)])
    assert guess_columns(prices).id is None


def test_names_are_titles_where_nothing_else_is() -> None:
    letters = [chr(97 + number // 26) + chr(97 + number % 26) for number in range(40)]
    named = {"package": [f"lib{pair}" for pair in letters], "text": SENTENCES}
    assert guess_columns(pd.DataFrame(named)).title == "package"
    assert guess_columns(pd.DataFrame(named | {"package": letters[:20] * 2})).title is None
    sums = [hashlib.sha256(pair.encode()).hexdigest()[:24] for pair in letters]
    codes = [f"{pair.upper()}3SGXH7AUHU8GW" for pair in letters]
    addresses = [f"{pair}@b.org" for pair in letters]
    for other in (addresses, codes, sums, [f"{pair}0f9" for pair in letters]):
        assert guess_columns(pd.DataFrame(named | {"package": other})).title is None
    headed = named | {"about": [f"On {pair}" for pair in letters]}
    assert guess_columns(pd.DataFrame(headed)).title == "about"


def test_a_date_and_a_title_that_are_given_have_these_names() -> None:
    table = clues().assign(year=2000, title="none")
    choice = ColumnChoice("clue", "clue_no", "round", "air", "name")
    arranged = arrange_columns(table, choice, "t")
    assert arranged["date"].tolist() == table["air"].tolist()
    assert arranged["title"].tolist() == table["name"].tolist()
    assert {"air", "name"}.isdisjoint(arranged.columns)
    assert {"year (column)", "title (column)"} <= set(arranged.columns)
    assert date_columns(arranged)[0] == "date"


def test_no_date_stays_none_though_a_column_looks_like_one() -> None:
    arranged = arrange_columns(clues(), ColumnChoice("clue", "", "", "", ""), "t")
    assert "air" in arranged.columns
    assert date_columns(arranged) == []
    not_given = arrange_columns(clues(), ColumnChoice("clue", "", ""), "t")
    assert "date" not in not_given.columns
    assert date_columns(not_given) == ["air"]


def test_a_title_that_is_the_text_is_not_stored_twice() -> None:
    arranged = arrange_columns(clues(), ColumnChoice("clue", "", "", "", "clue"), "t")
    assert arranged["title"].isna().all()


def test_a_date_that_is_given_must_be_one() -> None:
    choice = ColumnChoice("clue", "", "", "name")
    with pytest.raises(InputError, match=r"the column 'name' of t\.csv holds no dates"):
        arrange_columns(clues(), choice, "t.csv")


@pytest.mark.parametrize("role", COLUMN_NAMES)
def test_every_name_of_the_table_is_recognised_by_imports(role: str) -> None:
    for name in COLUMN_NAMES[role]:
        table = clues().drop(columns=["air", "name", "round", "clue_no"])
        table["other"] = [f"and {number} is said of it at some length too" for number in range(60)]
        cells = {
            "id": [f"c{number}" for number in range(60)],
            "label": [f"round {number % 4}" for number in range(60)],
            "title": ["the same"] * 60,
            "date": ["2019-03-05"] * 60,
            "text": ["few"] * 60,
        }
        if role != "text":
            table = table.rename(columns={"clue": "text"})
        table[f" {name.upper()} "] = cells[role]
        assert getattr(guess_columns(table), role) == f" {name.upper()} "


def test_short_answers_beside_dates_and_numbers_are_the_text() -> None:
    days = [f"2021/03/{row % 28 + 1:02} 10:00:00 AM GMT+1" for row in range(60)]
    answers = ["" if row % 3 else f"rather good {row}" for row in range(60)]
    table = pd.DataFrame({"Timestamp": days, "Age": [str(20 + row % 9) for row in range(60)]})
    assert guess_columns(table.assign(Why=answers)).text == "Why"
    assert guess_columns(table[["Timestamp"]].assign(Why=answers)).text == "Why"
    assert guess_columns(table).text is None
