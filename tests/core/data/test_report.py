"""The bars of the chart of tokens per document."""

import inspect
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from orrery.core.data.columns import normal_table
from orrery.core.data.corpus import build_corpus, read_corpus
from orrery.core.data.raw import RawDocuments
from orrery.core.data.readers import read_documents
from orrery.core.data.recipe import Recipe
from orrery.core.data.report import (
    HISTOGRAM_BARS,
    ImportReport,
    histogram,
    remarks,
    skipped_line_messages,
    stored_report,
    summary,
)
from orrery.core.storage.corpora import load_corpus, save_corpus
from orrery.core.utils.errors import InputError


def made(texts: list[str], recipe: Recipe) -> ImportReport:
    table = pd.DataFrame({"text": texts, "id": range(len(texts)), "label": None})
    return build_corpus(RawDocuments(normal_table(table)), recipe)[1]


@given(st.lists(st.integers(0, 500), min_size=1))
def test_bars_hold_every_document_once_and_are_as_narrow_as_can_be(lengths: list[int]) -> None:
    bars = histogram(np.array(lengths))
    for low, high, count in bars:
        assert count == sum(low <= length <= high for length in lengths)
    assert sum(count for _, _, count in bars) == len(lengths)
    assert len(bars) <= HISTOGRAM_BARS
    width = bars[0][1] - bars[0][0] + 1
    assert width == 1 or (max(lengths) - min(lengths) + 1) > HISTOGRAM_BARS * (width - 1)


def test_no_documents_have_no_bars() -> None:
    assert histogram(np.array([], np.int64)) == ()


def test_what_was_kept_and_left_out_is_reported() -> None:
    recipe = Recipe(stop_words=("the",), phrases=False, min_df=2, max_df=1.0, max_vocabulary=1)
    report = made(["the cat the dog", "the cat the dog the cow", "12"], recipe)
    assert summary(report) == (
        "2 of 3 documents and 1 of 4 words kept, 1.0 different words a document"
    )
    assert remarks(report, recipe) == [
        "documents left out: 1 without a word of the vocabulary (2)",
        "words left out: 1 stop word, 1 too rare, 1 beyond the vocabulary limit of 1",
        "the stop words take 5 of 10 words in the texts (50%): the",
    ]


def test_documents_are_left_out_with_a_reason() -> None:
    recipe = Recipe(stop_words=("the",), phrases=False, min_df=2, max_df=1.0)
    report = made(["the cat", " ", "cat", "dog", "", *("the" for _ in range(6))], recipe)
    assert remarks(report, recipe)[0] == (
        "documents left out: 2 without text (1, 4), 7 without a word of the vocabulary "
        "(3, 5, 6, 7, 8 …)"
    )
    assert stored_report(json.loads(json.dumps(report.as_dict()))) == report


@pytest.mark.parametrize("broken", [1, 15])
def test_a_row_of_many_lines_is_reported_with_their_number(broken: int, tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    rows = [f"{n},moon and stars" for n in range(2_000)]
    rows[500], rows[500 + broken] = '500,"moon', '501,stars",too many'
    file.write_text("\n".join(["id,text", *rows]))
    recipe = Recipe(min_df=1, max_df=1.0)
    _, report = build_corpus(read_documents(file), recipe)
    assert report.documents == 2_000 - broken - 1
    within = f"1 row, of {broken + 1} lines, could not be read and was left out"
    assert remarks(report, recipe)[0].startswith(within)


@pytest.mark.parametrize(
    ("broken", "shown_text"),
    [
        ([4], "1 row could not be read and was left out: line 6 of t.csv has 3 fields where"),
        (
            range(0, 60, 10),
            "6 rows could not be read and were left out (lines 2, 12, 22, 32, 42 …): line 2 of",
        ),
    ],
)
def test_rows_that_could_not_be_read_are_reported(
    broken: Sequence[int], shown_text: str, tmp_path: Path
) -> None:
    file = tmp_path / "t.csv"
    rows = [f"{n},moon and stars" + ",too many" * (n in broken) for n in range(200)]
    file.write_text("\n".join(["id,text", *rows]))
    recipe = Recipe(min_df=1, max_df=1.0)
    corpus, report = build_corpus(read_documents(file), recipe)
    assert report.documents == 200 - len(broken)
    assert remarks(report, recipe)[0].startswith(shown_text)
    with pytest.warns(UserWarning, match=re.escape(shown_text)):
        read_corpus(file, recipe)
    # A report of an earlier version has the number of lines only.
    older = {name: value for name, value in report.as_dict().items() if name != "broken_rows"}
    assert skipped_line_messages(older)[0] == remarks(report, recipe)[0].replace(" row", " line", 1)
    # Ids of their own are not asked for: the numbers of the rows, those left out counted.
    other = build_corpus(read_documents(file, id_column=""), recipe)[0]
    assert other.documents["id"].tolist() == corpus.documents["id"].tolist()


def test_an_argument_that_does_not_exist_is_named(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("text\nmoon and stars\n")
    with pytest.raises(InputError, match=r"min_df is a field .* give recipe=Recipe\(min_df=…\)"):
        read_corpus(tmp_path / "t.csv", min_df=3)
    with pytest.raises(InputError, match=r"no argument 'colum'; .* source, recipe, text_column,"):
        read_corpus(tmp_path / "t.csv", colum="text")
    recipe = Recipe(min_df=1, max_df=1.0)
    assert read_corpus(tmp_path / "t.csv", recipe, label_column="").n_documents == 1


def test_a_title_that_was_left_out_is_reported(tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    rows = [f"{n},moon and stars" for n in range(9)]
    recipe = Recipe(min_df=1, max_df=1.0)
    file.write_text("\n".join(["Comments of 2024", "", "id,text", *rows]))
    corpus, report = build_corpus(read_documents(file), recipe)
    assert corpus.documents["id"].tolist() == [str(n) for n in range(9)]
    shown_text = "“Comments of 2024” above the header was taken for a title and left out"
    assert remarks(report, recipe)[0] == shown_text
    with pytest.warns(UserWarning, match=shown_text):
        read_corpus(file, recipe)


def test_one_word_repeated_has_nothing_to_remark() -> None:
    recipe = Recipe(min_df=1, max_df=1.0)
    report = made(["moon " * 50] * 10, recipe)
    assert summary(report).startswith("10 of 10 documents and 1 of 1 words kept")
    assert remarks(report, recipe) == []


def test_how_a_source_was_read_is_stored_with_its_corpus(tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    rows = [f"{n};moon and <b>stars</b>;{'ab'[n % 2]}" for n in range(40)]
    file.write_text("\n".join(["nr;comment;course", *rows]))
    corpus = read_corpus(file, Recipe(min_df=1, max_df=1.0))
    assert corpus.report is not None
    read = {guess.what: guess for guess in corpus.report.how_it_was_read}
    assert read["cells separated by"].value == "semicolons"
    assert read["header"].value == "line 1"
    assert (read["text"].value, read["id"].value) == ("“comment”", "“nr”")
    assert read["label"].value == "“course”"
    assert read["markup"].value == "kept as words: tags in 100% of the texts"
    # Every option that is named is an argument of the reader or a field of the recipe.
    known = {*inspect.signature(read_documents).parameters, *vars(Recipe())}
    assert {guess.option.removeprefix("no_") for guess in read.values()} - {""} <= known
    text = str(corpus.report)
    assert all(guess.value in text for guess in read.values())
    save_corpus(corpus, tmp_path / "c", corpus.report)
    loaded = load_corpus(tmp_path / "c").report
    assert loaded == corpus.report
    assert json.dumps(loaded.as_dict()) == json.dumps(corpus.report.as_dict())
    # Set by the user, a value has no reason.
    raw = read_documents(file, header="no", text_column="column 2")
    (given,) = (guess for guess in raw.guesses if guess.what == "header")
    assert (given.value, given.reason) == ("none, the columns are numbered", "")


@given(st.one_of(st.none(), st.integers(), st.dictionaries(st.text(), st.integers())))
def test_a_report_of_another_form_is_none(values: Any) -> None:
    assert stored_report(values) is None
