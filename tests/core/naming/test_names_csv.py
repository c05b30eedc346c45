"""The table of names can come back from any spreadsheet, and errors are reported."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orrery.core.naming.table import COLUMNS, TopicRow, names_csv, read_names_csv
from orrery.core.utils.errors import InputError

IDS = ("L1.1", "L1.2", "größe z", "=1+1", "'x", "-", " a")
LINE = st.text(st.sampled_from("ab'=+-@,;\"<|é日"), max_size=8).map(lambda t: " ".join(t.split()))


@st.composite
def tables(draw: st.DrawFn) -> list[TopicRow]:
    ids = draw(st.lists(st.sampled_from(IDS), min_size=1, unique=True))
    words = st.lists(LINE, max_size=3).map(tuple)
    counts = st.none() | st.integers(0, 9)
    return [
        TopicRow(i, draw(LINE), draw(words), draw(counts), draw(LINE), draw(st.booleans()))
        for i in ids
    ]


def as_read(rows: list[TopicRow]) -> dict[str, dict[str, str]]:
    return {
        row.id: {"name": row.name, "note": row.note, "hidden": "yes" if row.hidden else ""}
        for row in rows
    }


@given(tables())
def test_a_table_comes_back_as_it_went(rows: list[TopicRow]) -> None:
    data = names_csv(rows)
    assert read_names_csv("names.csv", data, IDS) == as_read(rows)
    cells = list(csv.reader(io.StringIO(data.decode("utf-8-sig"))))
    assert tuple(cells[0]) == COLUMNS
    assert not any(cell[:1] in {*"=+-@"} for row in cells[1:] for cell in row)


@given(tables())
def test_a_table_comes_back_from_excel(rows: list[TopicRow]) -> None:
    """With semicolons, a mark of UTF-8 or UTF-16, other line ends, columns moved and added."""
    text = names_csv(rows).decode("utf-8-sig")
    out = io.StringIO()
    for number, row in enumerate(csv.reader(io.StringIO(text))):
        csv.writer(out, delimiter=";", lineterminator="\r").writerow(
            [*reversed(row), "Remarks" if number == 0 else "mine"]
        )
    for encoding in ("utf-8", "utf-8-sig", "utf-16"):
        assert read_names_csv("n.csv", out.getvalue().encode(encoding), IDS) == as_read(rows)


def test_an_old_encoding_is_recognised() -> None:
    text = "id;name\r\nL1.1;Küche, Gemüse, Brötchen, Äpfel\r\nL1.2;Öl für Möbel\r\n"
    read = read_names_csv("n.csv", text.encode("cp1252"), IDS)
    assert read["L1.1"] == {"name": "Küche, Gemüse, Brötchen, Äpfel"}


def test_a_column_is_enough_and_lines_may_be_left_out() -> None:
    assert read_names_csv("n.csv", b"ID,Note\nL1.2,see below\n,\n", IDS) == {
        "L1.2": {"note": "see below"}
    }
    assert read_names_csv("n.tsv", b"id\thidden\nL1.1\tTRUE\nL1.2\tno\n", IDS) == {
        "L1.1": {"hidden": "yes"},
        "L1.2": {"hidden": ""},
    }


@pytest.mark.parametrize(
    ("data", "reported"),
    [
        (b"", "is empty"),
        (b"id,name\n", "has no line about a topic"),
        (b"topic,name\nL1.1,x\n", r"no column id in its first line \(it has topic, name\)"),
        (b"id,words\nL1.1,x\n", "no column name, note or hidden"),
        (b"id,name,name\nL1.1,x,y\n", "has the column name twice"),
        (b"id,name\nL9,x\n", "line 2 of n.csv is about a topic 'L9', which this model"),
        (b"id,name\nL1.1,x\n\nL1.1,y\n", "line 4 of n.csv is about 'L1.1' again"),
        (b"id,name\nL1.1," + b"x" * 10_000, "line 2 of n.csv: the name has 10000 characters"),
        (b"id,name\nL1.1,bell\x07\n", "line 2 of n.csv: the name holds a sign"),
        ("id,name\nL1.1,a\u202eb\n".encode(), "the name holds a sign that cannot be shown"),
        ("id,name\nL1.1,K\ufffdche\n".encode(), "holds a broken letter"),
        (b"id,hidden\nL1.1,perhaps\n", "line 2 of n.csv: hidden is 'perhaps'; write yes"),
        (b"id,name\nL1.1,a,b\n", "line 2 of n.csv has 3 fields where line 1 has 2"),
        (b'id,name\nL1.1,"a\n', "is never closed"),
        (b"PK\x03\x04\x00\x00", "holds binary data"),
    ],
)
def test_what_is_wrong_is_reported_in_a_sentence(data: bytes, reported: str) -> None:
    with pytest.raises(InputError, match=reported) as caught:
        read_names_csv("n.csv", data, IDS)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 200
