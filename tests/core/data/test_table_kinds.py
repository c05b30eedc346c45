"""Tables as people export them: header, delimiter, quotation marks, missing values, blank rows."""

from __future__ import annotations

import csv
import io
import json
import random
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from orrery.core.data.columns import COLUMN_NAMES, ColumnChoice
from orrery.core.data.corpus import build_corpus
from orrery.core.data.header_rows import header_names
from orrery.core.data.missing import is_missing
from orrery.core.data.raw import RawDocuments, RawTable
from orrery.core.data.readers import documents_of, open_source, read_documents
from orrery.core.data.recipe import Recipe
from orrery.core.data.tables import TableOptions, read_table
from orrery.core.utils.errors import InputError

from .table_kinds import Kind, prose, random_table, sentence

SEEDS = st.integers(0, 10**6)
DELIMITERS = {"comma": ",", "semicolon": ";", "tab": "\t", "bar": "|"}


def written(rows: list[list[str]], delimiter: str, quoting: int = csv.QUOTE_MINIMAL) -> str:
    file = io.StringIO()
    csv.writer(file, delimiter=delimiter, quoting=quoting, lineterminator="\n").writerows(rows)
    return file.getvalue()


def blanked(rows: list[list[str]]) -> list[list[str]]:
    return [["" if is_missing(cell) else cell for cell in row] for row in rows]


def cells(read: RawTable) -> list[list[str]]:
    return [list(map(str, row)) for row in read.table.to_numpy().tolist()]


def guess(read: RawTable | RawDocuments, what: str) -> str:
    return next((found.value for found in read.guesses if found.what == what), "")


def with_punctuation(kind: Kind, seed: int) -> Kind:
    """Delimiters, quotation marks and line breaks in the texts and in the names."""
    random_ = random.Random(seed)
    signs = [", ", "; ", ' "so" ', " | ", "\n", "\t"]
    for row in kind.rows[1:]:
        if random_.random() < 0.5:
            row[kind.place_of_text] += random_.choice(signs) + sentence(random_)
    if kind.names and random_.random() < 0.5:
        kind.names[-1] += random_.choice([" (a; b; c)", ", please", " | x"])
    return kind


@settings(max_examples=60)
@given(
    SEEDS,
    st.booleans(),
    st.sampled_from(sorted(DELIMITERS)),
    st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC]),
)
def test_header_and_delimiter_are_found_by_evidence(
    seed: int, has_header: bool, delimiter: str, quoting: int
) -> None:
    kind = with_punctuation(random_table(seed, has_header=has_header), seed)
    rows = [*([kind.names] if kind.names else []), *kind.rows]
    text = written(rows, DELIMITERS[delimiter], quoting)
    read = read_table("t.csv", text.encode())
    assert cells(read) == blanked(kind.rows)
    assert guess(read, "header") == ("line 1" if has_header else "none, the columns are numbered")
    if has_header:
        assert read.table.columns.tolist() == kind.names
    # The options give the same table, and can enforce another.
    sure = TableOptions("yes" if has_header else "no", delimiter)
    assert cells(read_table("t.csv", text.encode(), options=sure)) == cells(read)
    other = TableOptions("no" if has_header else "yes")
    n_rows = len(read_table("t.csv", text.encode(), options=other).table)
    assert n_rows == len(kind.rows) + (1 if has_header else -1)


@settings(max_examples=20)
@given(SEEDS, st.sampled_from(sorted(DELIMITERS)), st.booleans())
def test_a_line_sep_is_no_row(seed: int, delimiter: str, is_quoted: bool) -> None:
    kind = random_table(seed, has_header=True)
    line = f"sep={DELIMITERS[delimiter]}"
    text = (f'"{line}"' if is_quoted else line) + "\r\n"
    text += written([kind.names or [], *kind.rows], DELIMITERS[delimiter])
    read = read_table("t.csv", text.encode())
    assert cells(read) == blanked(kind.rows)
    assert guess(read, "header") == "line 2"


def as_r_writes(rows: list[list[str]], names: list[str], separator: str, escape: str) -> str:
    """``write.table`` with row names, and quotation marks doubled or after a backslash."""

    def quoted(cell: str) -> str:
        if cell == "NA" or cell.replace(".", "", 1).isdigit():
            return cell
        return '"' + cell.replace('"', escape + '"') + '"'

    lines = [separator.join(f'"{name}"' for name in names)]
    for number, row in enumerate(rows, start=1):
        lines.append(separator.join([f'"{number}"', *map(quoted, row)]))
    return "\n".join(lines) + "\n"


@settings(max_examples=40)
# Most texts of this one have a comma after a quotation.
@example(3675, " ", '"')
@given(SEEDS, st.sampled_from([" ", ",", ";", "\t"]), st.sampled_from(['"', "\\"]))
def test_tables_of_r_with_row_names(seed: int, separator: str, escape: str) -> None:
    kind = random_table(seed, has_header=True)
    random_ = random.Random(seed)
    for row in kind.rows:
        if random_.random() < 0.4:
            row[kind.place_of_text] += f' she said "{sentence(random_, 2, 4)}", then left'
    names = [f"name {number}" for number in range(len(kind.rows[0]))]
    read = read_table("t.csv", as_r_writes(kind.rows, names, separator, escape).encode())
    assert read.table.columns.tolist() == ["column 1", *names]
    assert [row[1:] for row in cells(read)] == blanked(kind.rows)
    assert guess(read, "row names") == "the first column"


PARTS = st.sampled_from(["C:\\temp\\", "\\", '"', '\\"', ",", "\n", "a cat", "2,"])
PATHS = ["in C:\\temp\\", "the second", 'use grep \\"word\\" to find', "the fourth"]


@given(st.lists(st.lists(PARTS, max_size=4).map(lambda parts: "".join(["w", *parts])), min_size=3))
@example(PATHS)
def test_backslashes_join_no_rows_of_valid_csv(texts: list[str]) -> None:
    options = TableOptions("yes", "comma", "none")
    for quoting in (csv.QUOTE_NONNUMERIC, csv.QUOTE_ALL):
        file = io.StringIO()
        csv.writer(file, quoting=quoting).writerows([["id", "text"], *enumerate(texts)])
        read = read_table("t.csv", file.getvalue().encode(), options=options)
        assert read.table["text"].tolist() == texts


@pytest.mark.parametrize(
    ("mark", "value", "kept"),
    [('\\""', 'kept as \\"', '\\"'), ('\\"', 'read as "', '"')],
)
def test_the_reading_of_backslashes_is_reported(mark: str, value: str, kept: str) -> None:
    lines = ["id,text", *(f'{row},"he said {mark}yes{mark}, twice"' for row in range(9))]
    read = read_table("t.csv", "\n".join(lines).encode())
    assert guess(read, '\\" in cells') == value
    assert cells(read)[3] == ["3", f"he said {kept}yes{kept}, twice"]


def test_an_irregular_cell_does_not_divide_the_others() -> None:
    lines = ['"text"', *(f'"row {row} says \\"hi\\"\nsecond line"' for row in range(5))]
    read = read_table("t.csv", "\n".join([*lines, '"cited "as" so"']).encode())
    assert cells(read)[:2] == [['row 0 says "hi"\nsecond line'], ['row 1 says "hi"\nsecond line']]
    assert len(read.table) == 6


def test_a_backslash_before_the_end_of_a_cell_is_literal() -> None:
    lines = ["path,text", *(f'"C:\\docs\\{row}\\","a text, number {row}"' for row in range(30))]
    read = read_table("t.csv", "\n".join(lines).encode())
    assert cells(read)[7] == ["C:\\docs\\7\\", "a text, number 7"]


@settings(max_examples=30)
@given(SEEDS, st.sampled_from(["json", "no json", "blank"]))
def test_further_rows_of_names_are_no_documents(seed: int, style: str) -> None:
    random_ = random.Random(seed)
    names = ["StartDate", "Progress", "ResponseId", "Q1", "Q2_TEXT", "Finished"]
    labels = ["Start Date", "Progress", "Response ID", "How satisfied are you?",
              "Please tell us in your own words what you enjoyed most.", "Finished"]  # fmt: skip
    if style == "blank":
        labels = ["", "", "", "Response", "Open-Ended Response", ""]
    rows = [
        [f"2023-01-1{row % 9} 10:00:00", "100", f"R_{row:04}", random_.choice(["happy", "sad"]),
         prose(random_), "True"]
        for row in range(40)
    ]  # fmt: skip
    above = [names, labels]
    if style == "json":
        above.append([json.dumps({"ImportId": name}) for name in names])
    read = read_table("t.csv", written([*above, *rows], ",").encode())
    assert cells(read) == rows
    # The question below a code is a part of the name.
    wanted = [
        f"{name} {label}" if name[0] == "Q" and style != "blank" else name
        for name, label in zip(names, labels, strict=True)
    ]
    assert read.table.columns.tolist() == wanted
    assert guess(read, "header") == f"lines 1 to {len(above)}"
    options = TableOptions(header=f"1-{len(above)}")
    assert (
        cells(read_table("t.csv", written([*above, *rows], ",").encode(), options=options)) == rows
    )


QUESTIONS = ("What did you like?", "What should\nwe improve?", "Country", "Country")


@settings(max_examples=30)
@given(SEEDS, st.integers(1, 4), st.sampled_from(["", " "]))
def test_a_code_and_the_question_below_it_are_one_name(seed: int, count: int, empty: str) -> None:
    random_ = random.Random(seed)
    questions = list(QUESTIONS[:count])
    codes = [f"Q{number}" for number in range(1, count + 1)]
    above = [[empty, *codes, empty], ["Respondent ID", *questions, "Completed at"]]
    rows = [
        [f"{row:05}", *(prose(random_) for _ in codes), f"1{row % 9}/08/2024"] for row in range(40)
    ]
    read = read_table("t.csv", written([*above, *rows], ",").encode())
    asked = [
        " ".join(f"{code} {text}".split()) for code, text in zip(codes, questions, strict=True)
    ]
    assert read.table.columns.tolist() == ["Respondent ID", *asked, "Completed at"]
    assert cells(read) == rows
    reason = next(found.reason for found in read.guesses if found.what == "header")
    assert f"; a code and the question below it are one name, such as “{asked[0]}”; " in reason


@pytest.mark.parametrize(
    ("header", "names", "where"),
    [
        ([["Q1", "id"], ["Response", ""]], ["Q1", "id"], "in the first of them"),
        ([["a", "Q2"], ["b", '{"ImportId": 1}']], ["a", "Q2"], "in the first of them"),
        ([["", "a"], ["id", "string"]], ["id", "a"], "the first of them, and “id” is in another"),
        ([["id", "text"]], ["id", "text"], "in the first of them"),
        ([["id", "Q1"], ["id", "Q1"]], ["id", "Q1"], "in the first of them"),
        # A short row, and one with another cell.
        ([["id", "Q1"], ["x"]], ["id", "Q1"], "in the first of them"),
        ([["id", "a"], ["x", "y", "z"]], ["id", "a"], "in the first of them"),
    ],
)
def test_other_cells_below_a_name_are_no_part_of_it(
    header: list[list[str]], names: list[str], where: str
) -> None:
    found, reason = header_names(header)
    assert found == names
    assert reason.endswith(where)


@settings(max_examples=30)
@given(SEEDS, st.integers(0, 60))
def test_first_rows_with_outliers_are_documents(seed: int, n_more: int) -> None:
    """An odd cell in the first row of data does not make it a second header."""
    random_ = random.Random(seed)
    kind = random_table(seed, has_header=True, n_rows=20 + n_more)
    kind.rows[0][random_.randrange(len(kind.rows[0]))] = "unknown"
    read = read_table("t.csv", written([kind.names or [], *kind.rows], ",").encode())
    assert cells(read) == blanked(kind.rows)


def test_a_header_that_files_in_a_row_repeat_is_left_out() -> None:
    part = [["id", "text"], *([str(row), f"moon and stars {row}"] for row in range(30))]
    read = read_table("t.csv", written(part * 3, ",").encode())
    assert len(read.table) == 90
    assert guess(read, "header again on") == "lines 32, 63, left out"


@pytest.mark.parametrize("name", ["t.csv", "t.tsv", "t.jsonl"])
def test_missing_values_are_empty_only_as_whole_cells(name: str) -> None:
    marks = [
        ".",
        "NA",
        "NULL",
        "#N/A",
        "#NAME?",
        "NaN",
        "None",
        "\\N",
        "#WERT!",
        "<NA>",
        "nan",
        " NA ",
    ]
    words = ["none", "Nancy", "NA is short", "#wow", "nil", "na", "No", "NAN Bread", "-"]
    rows = [[str(row), value] for row, value in enumerate([*marks, *words])]
    if name == "t.jsonl":
        text = "\n".join(json.dumps({"id": row[0], "note": row[1]}) for row in rows)
    else:
        text = written([["id", "note"], *rows], "," if name == "t.csv" else "\t")
    read = read_table(name, text.encode())
    assert read.table["note"].tolist() == [*[""] * len(marks), *words]
    kept = read_table(name, text.encode(), options=TableOptions(missing="none"))
    assert kept.table["note"].tolist() == [*marks, *words]
    own = read_table(name, text.encode(), options=TableOptions(missing="nil, No")).table["note"]
    assert [value for value in [*marks, *words] if value not in own.tolist()] == ["nil", "No"]


@settings(max_examples=20, deadline=None)
@given(SEEDS, st.sampled_from([",,", "  , ,", ""]))
def test_blank_rows_change_nothing(seed: int, blank: str) -> None:
    random_ = random.Random(seed)
    lines = [f"{row},{random_.choice('ab')},{sentence(random_)}" for row in range(60)]
    mixed = [line for line in lines for line in (line, *[blank] * random_.randint(0, 3))]
    tables = []
    for rows in (lines, mixed):
        read = read_table("t.csv", "\n".join(["id,label,text", *rows]).encode())
        tables.append(documents_of(read, ColumnChoice()))
    assert isinstance(tables[0], RawDocuments)
    assert isinstance(tables[1], RawDocuments)
    pd.testing.assert_frame_equal(tables[0].table, tables[1].table)


def test_documents_without_text_do_not_count_towards_the_limits() -> None:
    texts = [f"wheel {'moon' if row % 3 else 'sun'}" for row in range(30)]
    tables = []
    for rows in (texts, [*texts, *["", "  "] * 30]):
        ids = [str(row) for row in range(len(rows))]
        tables.append(pd.DataFrame({"id": ids, "text": rows, "label": None}))
    corpora = [build_corpus(RawDocuments(table), Recipe(max_df=0.5))[0] for table in tables]
    assert corpora[0].vocabulary == corpora[1].vocabulary == ("sun",)
    assert set(corpora[1].dropped_ids) > {str(row) for row in range(30, 90)}


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8"])
def test_text_files_of_tabs_are_tables(tmp_path: Path, encoding: str) -> None:
    source = tmp_path / "t.txt"
    rows = [
        ["Nr", "Kurs", "Text"],
        *([str(n), "ab"[n % 2], f"Ein Satz, Nr. {n}"] for n in range(20)),
    ]
    source.write_text(written(rows, "\t"), encoding=encoding)
    table = read_documents(source).table
    assert table["text"].tolist() == [row[2] for row in rows[1:]]
    assert table["label"].tolist() == [row[1] for row in rows[1:]]
    lines = read_documents(source, delimiter="none").table
    assert len(lines) == 21
    for delimiter in ";|":
        source.write_text(written(rows, delimiter), encoding=encoding)
        assert len(read_documents(source).table) == 20
    cells = "\n".join(f'"{n}" "Ein Satz mit Nr. {n}" "{"ab"[n % 2]}"' for n in range(20))
    for text in (f'"Text" "Kurs"\n{cells}', f'"Nr","Text","Kurs"\n{cells}'.replace('" "', '","')):
        source.write_text(text, encoding=encoding)
        assert read_documents(source).table["text"].iloc[3] == "Ein Satz mit Nr. 3"
    # A few tabs within lines make no table.
    source.write_text("a line\n" * 10 + "a\tline\n", encoding=encoding)
    assert len(read_documents(source).table) == 11


ROWS = [{"n": row, "body": {"text": f"moon and stars {row}", "lang": "en"}} for row in range(5)]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("t.json", json.dumps(ROWS)),
        ("t.json", json.dumps(ROWS, indent=2)),
        ("t.jsonl", json.dumps(ROWS, indent=2)),
        ("t.json", json.dumps({"meta": {"n": 5}, "data": ROWS}, indent=2)),
        ("t.json", json.dumps({"meta": {"n": 5}, "data": ROWS})),
        ("t.json", "\n".join(map(json.dumps, ROWS))),
        ("t.json", pd.DataFrame(ROWS).to_json(orient="columns")),
        ("t.json", pd.DataFrame(ROWS).to_json(orient="records", lines=True)),
    ],
)
def test_json_of_every_form(tmp_path: Path, name: str, value: str) -> None:
    (tmp_path / name).write_text(value)
    raw = read_documents(tmp_path / name)
    assert raw.table["text"].tolist() == [row["body"]["text"] for row in ROWS]
    assert isinstance(raw, RawDocuments)
    assert guess(raw, "text") == "“body.text”"


@pytest.mark.parametrize(
    "value", ["[1, 2]", "[", "{", "[]", "{}", '[{"a": 1}', "[" * 100_000, '{"a":' * 100_000, "3"]
)
def test_json_without_a_table_is_refused(value: str) -> None:
    with pytest.raises(InputError):
        read_table("t.json", value.encode())


@pytest.mark.parametrize(
    ("option", "value"),
    [("header", "0"), ("header", "maybe"), ("header", "3-1"), ("delimiter", ",,"),
     ("delimiter", '"'), ("missing", "NA,,NULL"), ("header", "99")],
)  # fmt: skip
def test_an_option_that_no_table_can_have_is_refused(option: str, value: str) -> None:
    with pytest.raises(InputError):
        read_table("t.csv", b"id,text\n1,x\n2,y\n", options=TableOptions(**{option: value}))


def test_a_given_header_leaves_out_what_is_above(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("made by,me,\n,,\nid,text,x\n1,moon,a\n2,star,b\n")
    opened = open_source(tmp_path / "t.csv", options=TableOptions(header="3"))
    assert opened.table.columns.tolist() == ["id", "text", "x"]
    assert len(opened.table) == 2


@settings(max_examples=20)
@given(SEEDS, st.integers(1, 4), st.sampled_from([",", ";", "\t"]))
def test_notes_above_the_header_are_left_out(seed: int, n_notes: int, delimiter: str) -> None:
    kind = random_table(seed, has_header=True)
    names = [f"name {number}" for number in range(len(kind.rows[0]))]
    notes = ["Comments of the club", "2024-01-01", "Source: our survey", ""][:n_notes]
    text = "\n".join(notes) + "\n\n" + written([names, *kind.rows], delimiter)
    read = read_table("t.csv", text.encode())
    assert read.table.columns.tolist() == names
    assert cells(read) == blanked(kind.rows)
    assert read.title == " / ".join(filter(None, notes))


def test_columns_of_a_filtered_frame_are_rows_and_unequal_lists_are_an_error() -> None:
    frame = pd.DataFrame(ROWS)[::2]
    table = read_table("t.json", frame.to_json(orient="columns").encode()).table
    assert table["n"].tolist() == [0, 2, 4]
    with pytest.raises(InputError, match=r"t\.json holds lists of different lengths \(“id” 3"):
        read_table("t.json", b'{"id": [1, 2, 3], "text": ["a", "b"]}')


@pytest.mark.parametrize("delimiter", [",", ";"])
def test_spaces_before_a_quotation_mark_are_no_part_of_a_cell(delimiter: str) -> None:
    rows = [[str(row), f"red{delimiter} green {row}"] for row in range(30)]
    text = "\n".join([f"id{delimiter} note", *(f'{a}{delimiter} "{b}"' for a, b in rows)])
    assert cells(read_table("t.csv", text.encode())) == rows


def test_a_comma_before_a_quotation_in_a_cell_strips_no_spaces() -> None:
    lines = ["id,name", *(f' a{row},"she said, ""text number {row}"""' for row in range(9))]
    read = read_table("t.csv", "\n".join(lines).encode())
    assert cells(read)[3] == [" a3", 'she said, "text number 3"']


def test_formulas_that_keep_zeros_are_read_as_their_values() -> None:
    rows = [f'="{row:05}",words of {row}' for row in range(30)]
    read = read_table("t.csv", "\n".join(["code,note", *rows]).encode())
    assert read.table["code"].tolist() == [f"{row:05}" for row in range(30)]
    assert "30 cells" in guess(read, "formulas")


def test_a_column_of_codes_with_the_name_of_a_text_is_no_text() -> None:
    rows = [[f"file{row}.pdf", f"a long comment on subject {row}"] for row in range(30)]
    read = documents_of(
        open_table("t.csv", written([["document", "comment"], *rows], ",")), ColumnChoice()
    )
    assert isinstance(read, RawDocuments)
    assert read.table["text"].tolist() == [row[1] for row in rows]


@pytest.mark.parametrize(
    "words",
    [
        "今天天气很好",
        "今日は天気がいいです",
        "วันนี้อากาศดี",
        "Donaudampfschifffahrtsgesellschaftskapitän",
    ],
)
def test_texts_without_spaces_are_no_codes(words: str) -> None:
    rows = [[f"{words}{row}", f"a long comment on subject {row}"] for row in range(30)]
    read = documents_of(
        open_table("t.csv", written([["text", "note"], *rows], ",")), ColumnChoice()
    )
    assert isinstance(read, RawDocuments)
    assert read.table["text"].tolist() == [row[0] for row in rows]


@pytest.mark.parametrize("name", COLUMN_NAMES["text"])
def test_short_answers_with_the_name_of_a_text_are_the_text(name: str) -> None:
    answers = ["good", "bad", "expensive", "fine", "", "so-so", "slow", "7"]
    rows = [[answers[row % 8], f"a long comment on subject {row}"] for row in range(40)]
    assert read_text([[name, "note"], *rows]) == [row[0] for row in rows]


@pytest.mark.parametrize("code", ["文件{}.pdf", "scan {}.docx", "d_{}", "https://a.org/{}", "{}"])
def test_one_text_without_spaces_makes_no_texts_of_codes(code: str) -> None:
    rows = [[code.format(row), f"a long comment on subject {row}"] for row in range(30)]
    rows[3][0] = "今天天气很好"
    assert read_text([["document", "note"], *rows]) == [row[1] for row in rows]


@pytest.mark.parametrize("names", ["review,comment", "message,details", "text,sms", "tweet,body 2"])
@pytest.mark.parametrize(
    "values",
    [["positive", "negative"], ["INFO", "ERROR"], ["0", "1"], ["video", "image", "link", "status"]],
)
def test_a_few_single_words_are_labels_beside_long_texts(names: str, values: list[str]) -> None:
    rows = [[values[row % len(values)], f"a long comment on subject {row}"] for row in range(40)]
    first, second = names.split(",")
    read = documents_of(open_table("t.csv", written([[first, second], *rows], ",")), ColumnChoice())
    assert isinstance(read, RawDocuments)
    assert read.table["text"].tolist() == [row[1] for row in rows]
    assert read.table["label"].tolist() == [row[0] for row in rows]


@pytest.mark.parametrize("full", ["a whole text of many words {}", "https://a.org/{}", "{}", "yes"])
def test_a_full_text_comes_before_a_shortened_one(full: str) -> None:
    rows = [[f"a whole text of many {row}", full.format(row)] for row in range(40)]
    expected = [row[1] if " " in full else row[0] for row in rows]
    assert read_text([["text", "full_text"], *rows]) == expected


@pytest.mark.parametrize(
    ("cells", "other"),
    [
        (["COVID-19", "24/7", "iPhone 15", "Top 10", "and/or"], "Anna Maria Smith"),
        (["add", "dead", "face", "deed", "and/or", "he/she"], "a long comment on the subject"),
        (["Open readme.txt", "I lost my report.pdf"], "a long comment on the subject"),
    ],
)
def test_terms_are_no_codes(cells: list[str], other: str) -> None:
    rows = [[cells[row % len(cells)], f"{other} {row}"[: len(other)]] for row in range(30)]
    assert read_text([["text", "who"], *rows]) == [row[0] for row in rows]


@given(st.lists(st.sampled_from(["\\n", "\\r\\n", "\\t", "\\n\\n"]), min_size=2, max_size=6))
def test_line_ends_of_sql_are_no_letters(ends: list[str]) -> None:
    text = "".join(f"One sentence.{end}" for end in [*ends, "\\n"]) + "Last\\nOne"
    table = read_table("t.tsv", f"id\ttext\n1\t{text}\n2\t{text}\n".encode())
    assert table.table["text"][0].split() == ["One", "sentence."] * (len(ends) + 1) + [
        "Last",
        "One",
    ]
    assert guess(table, "line ends")


@pytest.mark.parametrize(
    "text",
    [
        r"the \nabla of \nu and \theta",
        r"the file C:\new\notes.txt",
        r"C:\temp\report\ref.txt",
        r"$\rho$ \theta \text{a}",
        r"\\server\new",
        r"\\n for a line",
    ],
)
@pytest.mark.parametrize("n_ends", [0, 2, 3])
def test_formulas_and_paths_keep_their_letters(text: str, n_ends: int) -> None:
    # A few line ends among many rows, or in rows of which these letters are not a part.
    for n_rows in (4, 60):
        texts = [text] * n_rows + ["One.\\nTwo."] * n_ends
        lines = "".join(f"{row}\t{cell}\n" for row, cell in enumerate(texts))
        read = read_table("t.tsv", f"id\ttext\n{lines}".encode()).table["text"].tolist()
        assert read[:n_rows] == [text] * n_rows
        if n_rows == 60:
            assert read == texts
        elif r"\n" not in text:
            assert read[n_rows:] == ["One.\nTwo."] * n_ends


def test_line_ends_in_a_few_of_many_rows_are_kept_as_written() -> None:
    texts = ["One.\\nTwo.\\nThree."] * 3 + ["one two three"] * 100
    lines = "".join(f"{row}\t{cell}\n" for row, cell in enumerate(texts))
    assert read_table("t.tsv", f"id\ttext\n{lines}".encode()).table["text"].tolist() == texts


@pytest.mark.parametrize("form", ["split", "records", "columns", "index", "table", "values"])
def test_every_form_of_json_of_pandas_gives_the_texts(form: str) -> None:
    table = pd.DataFrame(
        {"text": [f"words of {row}" for row in range(30)], "group": ["a", "b"] * 15}
    )
    read = read_table("t.json", table.to_json(orient=form).encode())
    name = "column 1" if form == "values" else "text"
    assert read.table[name].tolist() == table["text"].tolist()


def test_an_object_of_many_texts_has_their_ids() -> None:
    texts = {f"doc {row}": f"words of {row}" for row in range(30)}
    for indent in (None, 1):
        read = read_table("t.json", json.dumps(texts, indent=indent).encode())
        assert dict(read.table[["id", "text"]].itertuples(index=False)) == texts


@pytest.mark.parametrize("value", ["on", "a short sentence of settings"])
def test_settings_are_one_object(value: str) -> None:
    settings = {f"option_{chr(97 + row)}": value for row in range(26)}
    short = {f"option_{row}": "on" for row in range(200)}
    for options in (settings, short):
        assert len(read_table("t.json", json.dumps(options).encode()).table) == 1


def test_columns_and_data_beside_records_are_no_split_form() -> None:
    records = [{"text": f"words of {row}"} for row in range(30)]
    for data in ([[1]], []):
        value = {"columns": ["x"], "data": data, "records": records}
        read = read_table("t.json", json.dumps(value).encode())
        assert read.table["text"].tolist() == [row["text"] for row in records]
    sheet = [
        ["id", "", "", "note", "note", " "],
        *(
            [str(row), f"a long answer {row}", f"a second answer {row}", "x", f"y{row}", ""]
            for row in range(30)
        ),
    ]
    for value in (sheet, {"columns": sheet[0], "data": sheet[1:]}):
        read = read_table("t.json", json.dumps(value).encode())
        names = ["id", "column 2", "column 3", "note", "note (5)"]
        assert read.table.columns.tolist() == names
        assert read.table.to_numpy().tolist() == [row[:5] for row in sheet[1:]]
    twice = {"columns": ["a", "a"], "data": [["x", "y"], ["z", "w"]]}
    read = read_table("t.json", json.dumps(twice).encode())
    assert read.table.to_numpy().tolist() == twice["data"]


def read_text(rows: list[list[str]]) -> list[str]:
    read = documents_of(open_table("t.csv", written(rows, ",")), ColumnChoice())
    assert isinstance(read, RawDocuments)
    return read.table["text"].tolist()


def open_table(name: str, text: str) -> RawTable:
    return read_table(name, text.encode())
