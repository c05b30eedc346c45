"""Tables are read as written; a broken row is named by its line, or left out where few are."""

import csv
import io
import json
from collections.abc import Callable

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from orrery.core.data import table_rows, tables
from orrery.core.data.columns import as_text, guess_columns
from orrery.core.data.delimiters import SNIFFED_ROWS, guess_delimiter
from orrery.core.data.header_rows import count_header_rows
from orrery.core.data.table_rows import ROWS_PER_BROKEN, filled_lines, split_lines
from orrery.core.data.tables import (
    TableOptions,
    read_rows,
    read_table,
)
from orrery.core.utils.errors import InputError

CELL = st.text(st.characters(exclude_categories=["Cs", "Cc"]) | st.sampled_from('",;\t\n'))


def is_filled(row: tuple[str, ...]) -> bool:
    """Rows without content are left out."""
    return any(map(str.strip, row))


@given(
    st.lists(st.tuples(CELL, CELL).filter(is_filled), min_size=1), st.sampled_from([",", ";", "|"])
)
def test_csv_round_trip(rows: list[tuple[str, str]], delimiter: str) -> None:
    file = io.StringIO()
    writer = csv.writer(file, delimiter=delimiter, quoting=csv.QUOTE_ALL)
    writer.writerows([("alpha", "beta"), *rows])
    options = TableOptions(header="yes", delimiter=delimiter, missing="none")
    table = read_table("t.csv", file.getvalue().encode(), options=options).table
    assert table.columns.tolist() == ["alpha", "beta"]
    assert [tuple(row) for row in table.to_numpy().tolist()] == rows


def test_numbers_stay_as_they_are_written() -> None:
    table = read_table("t.csv", b"text\n007\n1e5\n1.50\n").table
    assert table["text"].tolist() == ["007", "1e5", "1.50"]


def test_line_ends_of_every_system() -> None:
    for end in (b"\n", b"\r\n", b"\r"):
        table = read_table("t.csv", end.join([b"a,b", b"1,x", b"2,y", b""])).table
        assert table["b"].tolist() == ["x", "y"]
    assert split_lines("a\x0cb\u2028c\n") == ["a\x0cb\u2028c"]


LINES = st.text(st.sampled_from(["a", "b", " ", "\t", "\n", "\r", "\x0c", "\x1c", "\u2028", ","]))


@given(LINES)
def test_lines_that_are_not_blank_keep_their_numbers(text: str) -> None:
    wanted = [(number, line) for number, line in enumerate(split_lines(text)) if line.strip()]
    assert list(filled_lines(text)) == wanted


@given(LINES, st.sampled_from(["", '"q"', '"q\n\nr"']), st.sampled_from([1, 2, 5, 1_000]))
def test_rows_stand_where_a_reader_of_all_lines_finds_them(
    text: str, quoted: str, characters_at_once: int
) -> None:
    text = f"x\n{text.replace(',', '')}\n{quoted}\n"
    reader = csv.reader(f"{line}\n" for line in split_lines(text))
    wanted, begin = [], 1
    for row in reader:
        wanted += [(begin, row)] if row else []
        begin = reader.line_num + 1
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(table_rows, "CHARACTERS_AT_ONCE", characters_at_once)
        assert read_rows("t.csv", text, is_tsv=False) == wanted


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"a,b\n1,x\n2,y,z\n", "line 3 of t.csv has 3 fields where line 1 has 2"),
        (b"a,b\n1,x\n2\n", "line 3 of t.csv has 1 field where line 1 has 2"),
        (b'a,b\n1,"x\ny"\n2\n', "line 4 of t.csv"),
        (b'a,b\n1,"x\n2,y\n3,z\n', "opens on line 2 of t.csv is never closed"),
        (b'a\nx\n"', "opens on line 3 of t.csv is never closed"),
        (b"Comments, 2024\na,b,c\n1,2,x\n", "line 1 of t.csv has 2 fields where most have 3; take"),
        (b"text\nGood, bad\nOld, new\n", "line 1 of t.csv has 1 field where most have 2; take"),
        (b"", "t.csv is empty"),
        (b"\n \n", "t.csv is empty"),
        (b"a,b\n", "no documents"),
    ],
)
def test_broken_csv_names_the_line(data: bytes, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_table("t.csv", data)


def csv_lines(count: int) -> list[str]:
    return ["id,text", *(f"{number},some words" for number in range(count))]


def json_lines(count: int) -> list[str]:
    return [json.dumps({"id": number, "text": "some words"}) for number in range(count)]


@pytest.mark.parametrize(
    ("name", "make", "broken", "lines"),
    [
        ("t.csv", csv_lines, ("7,some, words", "8", '9,"two\nlines", more'), (6, 51, 91, 92)),
        ("t.jsonl", json_lines, ('{"id": 7, "te', "[7, 8]", "NaN"), (6, 51, 91)),
    ],
)
def test_a_few_broken_rows_are_left_out_and_named(
    name: str, make: Callable[[int], list[str]], broken: tuple[str, ...], lines: tuple[int, ...]
) -> None:
    wanted = read_table(name, "\n".join(make(100)).encode()).table
    made = make(100)
    for place, line in zip((5, 50, 90), broken, strict=True):
        made.insert(place, line)
    read = read_table(name, "\n".join(made).encode())
    pd.testing.assert_frame_equal(read.table.reset_index(drop=True), wanted)
    # Row numbers are known: messages about a row refer to the same row of the file.
    places = [place - (name == "t.csv") for place in (5, 50, 90)]
    assert sorted({*range(103)} - {*read.table.index}) == places
    assert read.broken_lines == lines


def test_a_quotation_mark_after_a_space_is_literal_where_this_breaks_fewer_lines() -> None:
    text = 'a,b\n1, "x\n2" y,w\n3,z\n'
    cells = [row for _, row in read_rows("t.csv", text, is_tsv=False)]
    assert cells == [["a", "b"], ["1", ' "x'], ['2" y', "w"], ["3", "z"]]


def test_a_row_that_swallows_others_is_as_many_broken_lines() -> None:
    lines = csv_lines(2_900)
    lines[1_000], lines[1_900] = '1000,"open, and', '1900,"close", x'
    with pytest.raises(InputError, match="line 1001 of"):
        read_table("t.csv", "\n".join(lines).encode())
    lines[1_900], lines[1_003] = csv_lines(2_900)[1_900], '1003,"close", x'
    read = read_table("t.csv", "\n".join(lines).encode())
    assert read.broken_lines == (1_001, 1_002, 1_003, 1_004)
    assert len(read.table) == 2_896


@given(
    st.lists(st.integers(1, 4), min_size=100, max_size=100),
    st.sets(st.integers(0, 99), min_size=1, max_size=6),
)
def test_broken_rows_are_counted_whatever_the_number_of_their_lines(
    n_lines: list[int], broken: set[int]
) -> None:
    """A text of four lines that has one cell too many is one row, and is named by its first."""
    n_lines[20:30] = [4] * 10
    lines, firsts = ["id,text"], []
    for row, count in enumerate(n_lines):
        if row in broken:
            firsts.append(len(lines) + 1)
        text = "\n".join(["some words"] * count)
        lines += f'{row},"{text}"{",more" * (row in broken)}'.split("\n")
    data = "\n".join(lines).encode()
    if len(broken) * ROWS_PER_BROKEN > 100 - len(broken):
        with pytest.raises(InputError, match=f"line {firsts[0]} of"):
            read_table("t.csv", data)
        return
    read = read_table("t.csv", data)
    assert sorted({*range(100)} - {*read.table.index}) == sorted(broken)
    assert read.broken_rows == tuple(firsts)
    value = f"{len(firsts)}, on line{'s' * (len(firsts) > 1)} {', '.join(map(str, firsts))}"
    if len(read.broken_lines) > len(firsts):
        value += f"; {len(read.broken_lines)} lines in all"
    assert len(read.broken_lines) == sum(n_lines[row] for row in broken)
    assert [guess.value for guess in read.guesses if guess.what == "rows left out"] == [value]


def test_one_broken_row_of_a_tsv_changes_no_other() -> None:
    stray = [f'{row}\t"open {row}' for row in range(100)]
    read = read_table("t.tsv", "\n".join(["id\ttext", *stray, "7\ta\tb"]).encode())
    assert read.table["text"].tolist() == [f'"open {row}' for row in range(100)]
    assert read.broken_lines == (102,)
    # Rows whose quotation marks hold line breaks are understood as before.
    quoted = [f'{row}\t"two\nlines {row}"' for row in range(100)]
    read = read_table("t.tsv", "\n".join(["id\ttext", *quoted, "7\ta\tb"]).encode())
    assert read.table["text"].tolist() == [f"two\nlines {row}" for row in range(100)]
    assert read.broken_lines == (202,)


def test_lines_of_spaces_are_no_rows() -> None:
    spaces = [*csv_lines(50), "  ", "\t", *csv_lines(50)[1:]]
    read = read_table("t.csv", "\n".join(spaces).encode())
    assert len(read.table) == 100
    assert not read.broken_lines


@pytest.mark.parametrize("n_broken", [5, 6])
def test_a_file_with_more_broken_rows_is_refused(n_broken: int) -> None:
    data = "\n".join([*csv_lines(100), *["1,2,3"] * n_broken]).encode()
    if n_broken * ROWS_PER_BROKEN <= 100:
        assert len(read_table("t.csv", data).broken_lines) == n_broken
    else:
        with pytest.raises(InputError, match="line 102 of"):
            read_table("t.csv", data)


def test_tsv_with_stray_quotation_marks() -> None:
    data = b'id\ttext\n1\t"Unclosed title\n2\tplain\n3\t"say ""hi"""\n'
    table = read_table("t.tsv", data).table
    assert table["text"].tolist() == ['"Unclosed title', "plain", 'say "hi"']


def test_tsv_with_quoted_line_breaks() -> None:
    table = read_table("t.tsv", b'id\ttext\n1\t"two\nlines"\n2\tone\n').table
    assert table["text"].tolist() == ["two\nlines", "one"]


FIELD = st.text(st.sampled_from('ab1 ,;\t\n"'))
TITLE = st.text(st.sampled_from('ab1,;\t"'), min_size=1).map(lambda text: f"Comments of {text}x")


@given(
    st.lists(st.tuples(FIELD, FIELD, FIELD).filter(is_filled), min_size=2, max_size=5),
    TITLE,
    st.booleans(),
    st.booleans(),
    st.integers(0, 3),
    st.sampled_from(["t.csv,", "t.csv;", "t.csv|", "t.tsv\t"]),
)
def test_a_title_above_the_header_changes_nothing(
    rows: list[tuple[str, str, str]],
    title: str,
    is_wide: bool,
    has_empty_row: bool,
    n_blank: int,
    kind: str,
) -> None:
    name, delimiter = kind[:-1], kind[-1]
    file = io.StringIO()
    writer = csv.writer(file, delimiter=delimiter, quoting=csv.QUOTE_ALL, lineterminator="\n")
    writer.writerows([("id", "of whom", "text"), *rows])
    plain = file.getvalue()
    head = '"' + title.replace('"', '""') + '"' + 2 * delimiter * is_wide
    head += "\n" * (1 + n_blank) + f"{delimiter}{delimiter}\n" * has_empty_row
    wanted, read = (read_table(name, text.encode()) for text in (plain, head + plain))
    pd.testing.assert_frame_equal(read.table, wanted.table)
    assert (wanted.title, read.title) == ("", " ".join(title.split()))


def test_a_broken_line_below_a_title_is_left_out_by_its_number_in_the_file() -> None:
    lines = ["Comments of 2024", "", *csv_lines(100)]
    lines.insert(50, "7,some, words")
    read = read_table("t.csv", "\n".join(lines).encode())
    assert read.broken_lines == (51,)
    assert read.why_broken.startswith("line 51 of t.csv has 3 fields where line 3 has 2;")
    assert sorted({*range(101)} - {*read.table.index}) == [47]


@given(st.sets(st.integers(20, 119), max_size=4), st.none() | st.integers(0, 15))
def test_broken_rows_below_a_title_are_left_out_as_without_one(
    broken: set[int], first: int | None
) -> None:
    rows = csv_lines(120)
    for row in broken | {first} - {None}:
        rows[row + 1] += ", and more"
    plain, titled = (
        read_table("t.csv", "\n".join([*above, *rows]).encode())
        for above in ([], ["Comments of 2024", ""])
    )
    assert titled.title == "Comments of 2024"
    pd.testing.assert_frame_equal(plain.table, titled.table)
    assert titled.broken_rows == tuple(line + 2 for line in plain.broken_rows)


@given(st.integers(3, 400), st.none() | st.integers(1, 300), st.booleans())
def test_the_reason_of_a_delimiter_counts_the_rows(
    n_rows: int, other: int | None, has_blank: bool
) -> None:
    rows = csv_lines(n_rows)
    if other is not None and other < n_rows:
        rows[other + 1] += ", and more"
    reason = guess_delimiter(("\n\n" if has_blank else "\n").join(rows))[1]
    assert "%" not in reason
    is_part = n_rows + 1 >= SNIFFED_ROWS
    n_read = min(n_rows + 1, SNIFFED_ROWS)
    is_among = other is not None and other < n_rows and other + 1 < n_read
    if is_among:
        counted = f"{n_read - 1} of {'the first ' * is_part}{n_read} rows have"
    else:
        counted = f"each of the first {n_read} rows has" if is_part else "every row has"
    assert reason == f"so {counted} 2 cells"


def test_all_lines_above_the_header_are_reported() -> None:
    lines = ["Feedback of customers", "Generated 2024-03-01", "", "n,text,kind"]
    lines += [f"{row},some words of row {row},k" for row in range(9)]
    read = read_table("t.csv", "\n".join(lines).encode())
    assert (read.title, len(read.table)) == ("Feedback of customers / Generated 2024-03-01", 9)


def test_a_long_title_is_cut_and_what_cannot_be_printed_left_out() -> None:
    lines = ["Comments \x1b[31m\u202e" + 100 * "x", *csv_lines(2)]
    title = read_table("t.csv", "\n".join(lines).encode()).title
    assert title == "Comments [31m" + 66 * "x" + "…"


@given(st.lists(st.text("ab1 ").filter(str.strip), min_size=1))
def test_a_table_of_one_column_has_no_title(lines: list[str]) -> None:
    read = read_table("t.csv", "\n".join(["of many words", *lines]).encode())
    assert read.title == ""
    assert len(read.table) - len(lines) in (0, 1)


@pytest.mark.parametrize(
    "lines",
    [
        ["text", "red;blue", "old;new", "far;near"],
        ["of many words", "red; blue", "old; new", "far; near"],
        ["of many words", "red;", "old;", "far;"],
        ["of many words", "a;b", "a;b", "a;b;c"],
        ["of many words", "1;2", "3;4", "5;6"],
        ["of many words", "a;a", "b;c", "d;e"],
        ["of many words", "a;b", "c;d"],
    ],
)
def test_delimiters_in_a_table_of_one_column_are_no_columns(lines: list[str]) -> None:
    read = read_table("t.csv", "\n".join(lines).encode())
    assert (read.title, read.table[lines[0]].tolist()) == ("", lines[1:])


@pytest.mark.parametrize(
    "lines",
    [
        # Columns without names.
        ["text,", "red,x", "old,y", "far,z"],
        [",of many words", "red,x", "old,y", "far,z"],
        ["of many words,", "red,1", "old,2", "far,3"],
        ["of many words,", "red,red", "old,y", "far,z"],
        ["of many words,", ",x", "old,y", "far,z"],
    ],
)
def test_a_header_with_a_single_name_stays_the_header(lines: list[str]) -> None:
    read = read_table("t.csv", "\n".join(lines).encode())
    assert (read.title, len(read.table)) == ("", 3)


@pytest.mark.parametrize(
    "data",
    [
        b"a document of words\ttrain\t1\nanother one\ttest\t2\n",
        b"this line has more words than any name of a column would have\nshort one\n",
    ],
)
def test_a_first_row_that_is_data_is_kept_as_data(data: bytes) -> None:
    table = read_table("t.tsv", data).table
    assert len(table) == 2
    assert table.columns[0] == "column 1"


def test_an_unnamed_column_is_numbered() -> None:
    assert read_table("t.csv", b",text\n0,x\n").table.columns.tolist() == ["column 1", "text"]


def test_a_name_that_stands_twice_is_numbered() -> None:
    assert read_table("t.csv", b"x,x,y\n1,2,3\n").table.columns.tolist() == ["x", "x (2)", "y"]


@given(st.lists(st.sampled_from(["x", "x (4)", "x (5)", "", "column 3"]), min_size=1))
def test_no_two_columns_have_the_same_name(names: list[str]) -> None:
    data = ",".join(["y", *names]) + "\n" + ",".join("1" for _ in ["y", *names]) + "\n"
    table = read_table("t.csv", data.encode()).table
    assert len(table.columns) == 1 + len(names)
    assert table.columns.is_unique


def test_a_very_long_cell() -> None:
    text = "word " * 100_000
    assert read_table("t.csv", f"id,text\n1,{text}\n".encode()).table["text"][0] == text


@given(st.lists(st.dictionaries(st.sampled_from(["text", "n"]), st.text(), min_size=1), min_size=1))
def test_json_lines_round_trip(rows: list[dict[str, str]]) -> None:
    data = "\n\n".join(json.dumps(row) for row in rows).encode()
    assert len(read_table("t.jsonl", data).table) == len(rows)


@pytest.mark.parametrize("line", [b"{", b"[1]", b'"text"', b"[" * 100_000, b"1" * 5000])
def test_broken_json_names_the_line(line: bytes) -> None:
    with pytest.raises(InputError, match=r"line 2 of t\.jsonl is not a JSON object"):
        read_table("t.jsonl", b'{"text": "a"}\n' + line + b"\n")


def test_parquet_round_trip_and_damage() -> None:
    buffer = io.BytesIO()
    pd.DataFrame({"text": ["a", "b"], "n": [1, 2]}, index=[5, 6]).to_parquet(buffer)
    data = buffer.getvalue()
    assert read_table("t.parquet", data).table["text"].tolist() == ["a", "b"]
    for damaged in (b"", b"PAR1", data[:-9], data[: len(data) // 2]):
        with pytest.raises(InputError, match=r"t\.parquet is not a Parquet file or is damaged"):
            read_table("t.parquet", damaged)


def test_categories_of_parquet_are_read_as_their_texts() -> None:
    words = ["very good", "NA", None, "not ok at all"]
    table = pd.DataFrame({"comment": ["the parcel came late today"] * 40, "rating": words * 10})
    as_texts, as_categories = io.BytesIO(), io.BytesIO()
    table.to_parquet(as_texts)
    table.astype({"rating": "category"}).to_parquet(as_categories)
    expected = read_table("t.parquet", as_texts.getvalue())
    found = read_table("t.parquet", as_categories.getvalue())
    pd.testing.assert_frame_equal(found.table, expected.table)
    assert found.guesses == expected.guesses
    assert guess_columns(found.table).text == "comment"


@given(st.lists(st.none() | st.integers(-(2**63), 2**63 - 1), min_size=1))
def test_integers_of_parquet_are_those_of_json(numbers: list[int | None]) -> None:
    rows = [{"text": "words", "n": number} for number in numbers]
    file = io.BytesIO()
    pq.write_table(
        pa.table({"text": ["words"] * len(rows), "n": pa.array(numbers, pa.int64())}), file
    )
    found = read_table("t.parquet", file.getvalue()).table["n"]
    assert [None if pd.isna(n) else int(n) for n in found] == numbers
    if any(number is not None for number in numbers):
        expected = read_table("t.jsonl", "\n".join(map(json.dumps, rows)).encode()).table["n"]
        assert found.map(as_text).tolist() == expected.map(as_text).tolist()


def test_the_largest_integers_of_parquet_stay_exact_beside_a_missing_value() -> None:
    file = io.BytesIO()
    pq.write_table(pa.table({"n": pa.array([2**64 - 1, None, 7], pa.uint64())}), file)
    assert int(read_table("t.parquet", file.getvalue()).table["n"][0]) == 2**64 - 1


def test_reading_leaves_the_limits_of_others_alone() -> None:
    before = csv.field_size_limit(1234)
    try:
        read_table("t.csv", b"id,text\n1,x\n")
        assert csv.field_size_limit() == 1234
        with pytest.raises(InputError):
            read_table("t.csv", b'a,b\n1,"x\n')
        assert csv.field_size_limit() == 1234
    finally:
        csv.field_size_limit(before)


def as_parquet(rows: list[tuple[str, str]]) -> bytes:
    file = io.BytesIO()
    pd.DataFrame(rows, columns=["a", "b"]).to_parquet(file)
    return file.getvalue()


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize(
    ("name", "write"),
    [
        ("t.csv", lambda rows, end: end.join(f"{a},{b}" for a, b in [("a", "b"), *rows])),
        ("t.csv", lambda rows, end: end.join(f'"{a}","{b}"' for a, b in [("a", "b"), *rows])),
        ("t.tsv", lambda rows, end: end.join(f"{a}\t{b}" for a, b in [("a", "b"), *rows])),
        ("t.jsonl", lambda rows, end: end.join(json.dumps({"a": a, "b": b}) for a, b in rows)),
        ("t.parquet", lambda rows, end: as_parquet(rows)),
    ],
)
def test_shares_that_are_reported_rise_to_one_and_change_nothing(
    name: str, write, end: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_rows, "ROWS_BETWEEN_REPORTS", 7)
    monkeypatch.setattr(tables, "ROWS_AT_ONCE", 7)
    written = write([(f"one {row}", f"two {row}") for row in range(70)], end)
    data = written if isinstance(written, bytes) else written.encode()
    reported: list[float] = []
    followed = read_table(name, data, progress=reported.append)
    assert followed.table.equals(read_table(name, data).table)
    assert reported == sorted(set(reported))
    assert len(reported) == 10
    # Evenly: each is a tenth further, but for the line of the header.
    assert reported == pytest.approx([part / 10 for part in range(1, 11)], abs=0.03)
    assert max(reported) <= 1


def test_half_a_surrogate_pair_is_replaced_in_names_and_cells() -> None:
    table = read_table("t.jsonl", b'{"text": "a\\ud800", "n\\ud800": 1}\n').table
    assert table.columns.tolist() == ["text", "n?"]
    assert table["text"].tolist() == ["a?"]


@pytest.mark.parametrize(
    ("above", "n_header"),
    [
        ([["Comment", "Age", "City", "Gender"], ["I like the music a lot.", "", "", ""]], 1),
        ([["Respondent ID", "Age", "What?", "Sex"], ["", "Years", "Open-Ended Response", ""]], 2),
        ([["0", "1", "2", "3"]], 1),
    ],
)
def test_a_short_answer_below_the_header_is_a_document(
    above: list[list[str]], n_header: int
) -> None:
    texts = [f"{'The river is very cold today'[: 12 + row % 16]} {row}." for row in range(60)]
    below = [
        [texts[row], str(20 + row % 9), ("Ulm", "Bonn", "Kiel")[row % 3], "mf"[row % 2]]
        for row in range(60)
    ]
    if n_header == 2:
        below = [[str(11_000 + row), *cells[1:2], cells[0], cells[3]]
                 for row, cells in enumerate(below)]  # fmt: skip
    assert count_header_rows([*above, *below])[0] == n_header


def test_a_frequent_answer_is_no_header_and_a_first_row_of_numbers_is_none() -> None:
    answers = [["Good"], *([("Good", "Very bad service", "Slow")[row % 3]] for row in range(60))]
    assert count_header_rows(answers)[0] == 0
    rows = [[str(row), f"Text number {row} about rivers.", str(row % 4)] for row in range(60)]
    assert count_header_rows(rows)[0] == 0
    assert count_header_rows([["1", "2", "3"], *rows])[0] == 1


def test_large_integers_beside_a_missing_value_stay_exact() -> None:
    rows = [{"text": "a", "n": 2**63 + 1}, {"text": "b", "n": None}, {"text": "c", "n": 7}]
    data = "\n".join(map(json.dumps, rows)).encode()
    column = read_table("t.jsonl", data).table["n"]
    assert column[0] == 2**63 + 1
    assert column.isna().tolist() == [False, True, False]
