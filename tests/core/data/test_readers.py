"""The door for sources: every kind finds its reader, and the app can look first."""

import io
import os
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from orrery.core.data import readers
from orrery.core.data.columns import ColumnChoice
from orrery.core.data.raw import RawDocuments
from orrery.core.data.readers import open_source, preview_columns, read_documents
from orrery.core.utils.errors import InputError

CSV = b"id,title,text,theme\nn1,One,first text,space\nn2,Two,second text,sport\n"


def test_every_table_format_gives_the_same_documents(tmp_path: Path) -> None:
    frame = pd.read_csv(io.BytesIO(CSV))
    (tmp_path / "t.csv").write_bytes(CSV)
    frame.to_csv(tmp_path / "t.tsv", sep="\t", index=False)
    frame.to_json(tmp_path / "t.jsonl", orient="records", lines=True)
    frame.to_parquet(tmp_path / "t.parquet")
    for suffix in ("csv", "tsv", "jsonl", "parquet"):
        table = read_documents(tmp_path / f"t.{suffix}").table
        assert table.columns.tolist() == ["id", "text", "label", "title"]
        assert table.iloc[1].tolist() == ["n2", "second text", "sport", "Two"]


def test_a_text_file_is_a_document_a_line(tmp_path: Path) -> None:
    (tmp_path / "t.txt").write_bytes(b"first\r\n\r\nthird\x0cline\r\n")
    table = read_documents(tmp_path / "t.txt").table
    assert table["text"].tolist() == ["first", "third\x0cline"]
    assert table["id"].tolist() == ["0", "2"]
    assert table["label"].tolist() == [None, None]


@pytest.mark.parametrize(
    "option",
    ["id_column", "encoding", "header", "delimiter", "missing", "passages", "text_column"],
)
@pytest.mark.parametrize("value", [True, 2.5, {"a": 1}, [1]])
def test_options_of_another_type_are_named(tmp_path: Path, option: str, value: object) -> None:
    (tmp_path / "t.csv").write_text("id,text\n1,some words\n", encoding="utf-8")
    with pytest.raises(InputError, match=rf"{option} is .*; expected a string"):
        read_documents(tmp_path / "t.csv", **{option: value})


def test_the_line_of_the_header_may_be_a_number(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("made by hand\nid,text\n1,some words\n", encoding="utf-8")
    for line in (2, np.int64(2), "2"):
        assert read_documents(tmp_path / "t.csv", header=line).table["text"].tolist() == [
            "some words"
        ]


@pytest.mark.parametrize("kind", [list, tuple, pd.Index, np.array])
def test_text_columns_are_in_any_sequence(tmp_path: Path, kind: Callable[..., Any]) -> None:
    (tmp_path / "t.csv").write_bytes(CSV)
    raw = read_documents(tmp_path / "t.csv", text_column=kind(["title", "text"]))
    assert raw.table["text"].iloc[0] == "One\n\nfirst text"


def test_columns_can_be_named(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes(CSV)
    raw = read_documents(
        tmp_path / "t.csv", text_column="title", id_column="text", label_column="id"
    )
    assert raw.table.iloc[0][["id", "text", "label"]].tolist() == ["first text", "One", "n1"]


def test_the_encoding_can_be_named(tmp_path: Path) -> None:
    (tmp_path / "t.txt").write_bytes("Größe".encode("cp437"))
    raw = read_documents(tmp_path / "t.txt", encoding="cp437")
    assert isinstance(raw, RawDocuments)
    assert raw.table["text"][0] == "Größe"


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("t.txt", b"", r"t\.txt is empty"),
        ("t.txt", b"a\0b", r"t\.txt holds binary data"),
        ("t.csv", b"\x89PNG\r\n\x1a\n\0\0", r"t\.csv holds binary data"),
        ("t.docx", b"PK", r"t\.docx is not a Word file or is damaged; save it again"),
        ("t.xyz", b"PK", r"t\.xyz is of no kind that can be imported"),
        ("t.doc", b"PK", r"t\.doc cannot be read; save it as \.docx"),
        ("t", b"text", "t is of no kind"),
    ],
)
def test_unreadable_sources(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match=message):
        read_documents(tmp_path / name)


@pytest.mark.parametrize(
    "name", ["x.txt", "x.csv", "x.npz", "x.mat", "x.zip", "docword.x.txt", "x"]
)
def test_missing_sources(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError):
        read_documents(tmp_path / name)


def test_preview_shows_rows_and_guesses(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes(CSV)
    preview = preview_columns(open_source(tmp_path / "t.csv"))
    assert preview.columns == ("id", "title", "text", "theme")
    assert preview.guess == ColumnChoice("text", "id", "theme", title="title")
    assert preview.rows["title"].tolist() == ["One", "Two"]


def test_preview_of_what_cannot_be_guessed_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes(b"q,a\none,two\n")
    assert preview_columns(open_source(tmp_path / "t.csv")).guess.text is None


def test_preview_of_a_source_without_columns(tmp_path: Path) -> None:
    (tmp_path / "t.txt").write_bytes(b"one\ntwo\n")
    preview = preview_columns(open_source(tmp_path / "t.txt"))
    assert preview.columns == ()
    assert preview.rows["text"].tolist() == ["one", "two"]


@pytest.mark.parametrize("option", ["text_column", "id_column", "label_column"])
@pytest.mark.parametrize("name", ["t.txt", "folder", "t.zip", "x.mtx", "docword.x.txt"])
def test_columns_of_a_source_without_columns_are_refused(
    tmp_path: Path, name: str, option: str
) -> None:
    (tmp_path / "folder").mkdir()
    for text in ("folder/a.txt", "folder/b.txt", "t.txt"):
        (tmp_path / text).write_bytes(b"some words\n")
    with zipfile.ZipFile(tmp_path / "t.zip", "w") as archive:
        archive.write(tmp_path / "folder" / "a.txt", "a.txt")
    for file in ("vocabulary.txt", "vocab.x.txt"):
        (tmp_path / file).write_bytes(b"alpha\n")
    header = b"%%MatrixMarket matrix coordinate integer general\n"
    (tmp_path / "x.mtx").write_bytes(header + b"1 1 1\n1 1 1\n")
    (tmp_path / "docword.x.txt").write_bytes(b"1\n1\n1\n1 1 1\n")
    read_documents(tmp_path / name)
    flag = "--" + option.replace("_", "-")
    with pytest.raises(InputError, match=f"{name} has no columns; leave out {flag}"):
        read_documents(tmp_path / name, **{option: "nope"})


def test_columns_of_a_folder_are_refused_before_all_of_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readers, "read_folder", lambda *_: pytest.fail("it was read"))
    with pytest.raises(InputError, match="no columns"):
        read_documents(tmp_path, label_column="nope")


def test_the_empty_path_is_refused() -> None:
    for read in (read_documents, open_source):
        with pytest.raises(InputError, match="name a file or a folder"):
            read("")


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")
def test_a_folder_whose_name_is_no_utf8_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / os.fsdecode(b"non\xff")
    folder.mkdir()
    (folder / "a.txt").write_bytes(b"words")
    for read in (read_documents, open_source):
        with pytest.raises(InputError, match=r"non\?.* rename it") as caught:
            read(folder)
        str(caught.value).encode("utf-8")


def test_there_can_be_no_id_and_no_label(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes(CSV)
    table = read_documents(tmp_path / "t.csv", id_column="", label_column="").table
    assert table["id"].tolist() == ["0", "1"]
    assert table["label"].tolist() == [None, None]


@pytest.mark.parametrize(
    ("name", "option"),
    [
        ("t.jsonl", "header"),
        ("t.parquet", "encoding"),
        ("t.html", "delimiter"),
        ("t.docx", "missing"),
        ("t.xlsx", "delimiter"),
        ("t.npz", "sheet"),
        ("folder", "header"),
        ("t.zip", "missing"),
    ],
)
def test_an_option_without_effect_is_refused(tmp_path: Path, name: str, option: str) -> None:
    source = tmp_path / name
    if name == "folder":
        source.mkdir()
    elif name == "t.zip":
        with zipfile.ZipFile(source, "w") as archive:
            archive.writestr("a.txt", "some text")
            archive.writestr("b.txt", "more text")
    value = {"header": "no", "missing": "none", "delimiter": "tab"}.get(option, "1")
    with pytest.raises(InputError, match=f"leave out --{option}"):
        read_documents(source, **{option: value})
