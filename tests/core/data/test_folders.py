"""Folders and archives of texts."""

import json
import os
import sys
import zipfile
from itertools import pairwise
from pathlib import Path, PurePosixPath

import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from orrery.core.data import limits
from orrery.core.data.columns import ColumnChoice, date_columns
from orrery.core.data.corpus import build_corpus
from orrery.core.data.files import read_file
from orrery.core.data.folders import (
    document_names,
    file_fingerprint,
    files_of,
    read_folder,
    read_zip,
)
from orrery.core.data.guesses import Guess
from orrery.core.data.raw import RawDocuments, RawTable
from orrery.core.data.readers import documents_of, preview_columns, read_documents
from orrery.core.data.recipe import Recipe
from orrery.core.data.report import remarks, stored_report
from orrery.core.utils.errors import InputError

linux_only = pytest.mark.skipif(
    sys.platform != "linux", reason="other systems have no such files or names"
)

FILES = {
    "b/deep/two": b"second text",
    "a/one.txt": b"first text",
    "a/10": b"file without an ending",
    "top.md": b"no label",
}
NOT_TEXTS = {"a/photo.jpg": b"\xff\xd8\xff\x00\x01", "table.csv": b"a,b\n1,2\n"}
HIDDEN = {
    **{".DS_Store": b"\0", ".git/config": b"text", "__MACOSX/x.txt": b"text"},
    # Files of Windows and of office programs.
    **{"desktop.ini": b"[text]", "a/Desktop.ini": b"[text]", "b/Thumbs.db": b"\xd0\xcf\x11\xe0"},
    **{"ehthumbs.db": b"\0", "a/~$report.docx": b"Anna", "~$top.md": b"Anna"},
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "texts"
    for name, data in {**FILES, **NOT_TEXTS, **HIDDEN}.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(data)
    return root


def zipped(folder: Path, inside: str = "") -> bytes:
    path = folder.with_suffix(".zip")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(folder.rglob("*"), reverse=True):
            archive.write(file, Path(inside, file.relative_to(folder)))
    return path.read_bytes()


def test_folder_in_sorted_order_with_subfolders_as_labels(folder: Path) -> None:
    raw = read_folder(folder)
    assert raw.table["file"].tolist() == ["a/10", "a/one.txt", "b/deep/two", "top.md"]
    assert raw.table["label"].tolist() == ["a", "a", "deep", None]
    assert raw.table["id"].tolist() == ["0", "1", "2", "3"]
    assert raw.table["text"][1] == "first text"
    assert set(raw.skipped) == set(NOT_TEXTS)


@pytest.mark.parametrize("inside", ["", "texts"])
def test_a_zip_reads_like_the_folder(folder: Path, inside: str) -> None:
    raw = read_zip("texts.zip", zipped(folder, inside))
    expected = read_folder(folder)
    assert raw.table.equals(expected.table)
    assert raw.skipped == expected.skipped


def test_documents_of_a_folder_are_named_by_their_paths_and_the_report_explains_them(
    folder: Path,
) -> None:
    (folder / "empty.md").write_bytes(b" ")
    raw = read_folder(folder)
    assert document_names(raw.table) == raw.table["file"].tolist() == files_of(raw.table)
    found = {guess.what: guess for guess in raw.guesses}
    assert found["label"].value == "the name of the subfolder"
    assert found["label"].reason == "a, deep"
    assert "“file”" in found["id"].reason
    recipe = Recipe(min_df=1, max_df=1.0, stop_words=())
    corpus, report = build_corpus(raw, recipe)
    assert report.dropped_document_ids == corpus.dropped_ids == ("3",)
    assert remarks(report, recipe)[0] == "documents left out: 1 without text (empty.md)"
    assert stored_report(json.loads(json.dumps(report.as_dict()))) == report


@given(st.lists(st.sampled_from(["a/x.eml", "b/y.mbox", "top.md", ""]), min_size=1))
def test_the_name_of_a_document_is_its_path_or_has_its_id(paths: list[str]) -> None:
    table = pd.DataFrame({"id": [str(n) for n in range(len(paths))], "file": paths})
    names = document_names(table)
    assert len({*names}) == len(names)
    if len({*paths}) > 1:
        for row, (name, path) in enumerate(zip(names, paths, strict=True)):
            assert name.startswith(path)
            assert (name == path) == (paths.count(path) == 1 and path != "")
            assert name == path or name.endswith(str(row))
    else:
        assert names == table["id"].tolist()
    # Ids of a table are better names than a column that happens to be called so.
    ids = [f"r{n}" for n in range(len(paths))]
    assert document_names(table.assign(id=ids)) == ids


def test_a_zip_with_one_table_reads_as_the_table(tmp_path: Path) -> None:
    (tmp_path / "t").mkdir()
    (tmp_path / "t" / "data.csv").write_bytes(b"text,kind\nx,1\ny,2\n")
    opened = read_zip("t.zip", zipped(tmp_path / "t"))
    assert isinstance(opened, RawTable)
    assert preview_columns(opened).columns == ("text", "kind")
    assert documents_of(opened, ColumnChoice(label="kind")).table["label"].tolist() == ["1", "2"]


@pytest.mark.parametrize(
    ("content", "options"),
    [
        ("first text\nsecond text\n\nthird\n", {}),
        ("text\tkind\nx\t1\ny\t2\nz\t2\n", {}),
        ("text;kind\nx;1\ny;2\n", {"delimiter": "semicolon", "header": "1"}),
        ("A paragraph\nof lines.\n\nAnother.\n", {"passages": "paragraphs"}),
    ],
)
def test_a_zip_with_one_text_file_reads_as_the_file(
    tmp_path: Path, content: str, options: dict[str, str]
) -> None:
    (tmp_path / "t" / "folder").mkdir(parents=True)
    file = tmp_path / "t" / "folder" / "lines.txt"
    file.write_text(content)
    zipped(tmp_path / "t")
    found = read_documents(tmp_path / "t.zip", **options)
    expected = read_documents(file, **options)
    assert found.table.equals(expected.table)
    assert isinstance(found, RawDocuments)
    assert isinstance(expected, RawDocuments)
    assert found.guesses == expected.guesses
    assert found.passages == expected.passages


def test_a_folder_without_texts(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no text files"):
        read_folder(tmp_path)
    (tmp_path / "data.csv").write_bytes(b"a,b\n")
    with pytest.raises(InputError, match=r"data\.csv is not; import such a file by itself"):
        read_folder(tmp_path)


def test_a_misspelt_encoding_does_not_skip_everything(folder: Path) -> None:
    with pytest.raises(InputError, match="no text encoding 'uft-8'"):
        read_folder(folder, "uft-8")


def test_damaged_archives(folder: Path) -> None:
    data = zipped(folder)
    middle = data.index(b"first") if b"first" in data else 45
    for damaged in (b"", b"PK", data[:-30], data[:middle] + b"####" + data[middle + 4 :]):
        with pytest.raises(InputError, match=r"x\.zip is not a zip file or is damaged"):
            read_zip("x.zip", damaged)


def test_locked_archives(folder: Path) -> None:
    data = bytearray(zipped(folder))
    # Bit 0 of the flags in every central directory entry marks encryption.
    position = data.find(b"PK\1\2")
    while position >= 0:
        data[position + 8] |= 1
        position = data.find(b"PK\1\2", position + 1)
    with pytest.raises(InputError, match="locked with a password"):
        read_zip("x.zip", bytes(data))


def test_a_zip_bomb_is_refused_before_it_is_unpacked(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "EXPANDED_LIMIT", 10)
    with pytest.raises(InputError, match=r"x\.zip unpacks to .* over the limit"):
        read_zip("x.zip", zipped(folder))


@linux_only
def test_what_is_no_file_is_counted_as_skipped(folder: Path) -> None:
    (folder / "link").symlink_to("nowhere")
    os.mkfifo(folder / "a" / "pipe")
    raw = read_folder(folder)
    assert len(raw.table) == len(FILES)
    assert set(raw.skipped) == {*NOT_TEXTS, "link", "a/pipe"}


def test_tables_beside_texts_are_reported(tmp_path: Path) -> None:
    (tmp_path / "readme.txt").write_text("Some words on the data.", encoding="utf-8")
    for name in ("data.csv", "more.xlsx", "x.zip"):
        (tmp_path / name).write_bytes(b"id,text\n1,words\n")
    (found,) = (guess for guess in read_folder(tmp_path).guesses if guess.what == "files left out")
    assert {*found.value.split(", ")} == {"data.csv", "more.xlsx", "x.zip"}


def test_a_file_that_is_left_out_is_named_once_with_the_true_reason(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "one.txt").write_bytes(b"first text")
    files = {
        "a/photo.JPG": (b"\xff\xd8\xff\x00\x01", "is a picture, not text"),
        "a/voice.mp3": (b"ID3\x03\x00", "is a sound recording, not text"),
        "a/film.mp4": (b"\0\0\0\x18ftyp", "is a video, not text"),
        "broken.docx": (b"PK", "is not a Word file or is damaged"),
        "index.csv": (b"a,b\n1,2\n", "a table, a matrix or an archive is imported by itself"),
    }
    for name, (data, _) in files.items():
        (tmp_path / name).write_bytes(data)
    for raw in (read_folder(tmp_path), read_zip("x.zip", zipped(tmp_path))):
        found = {guess.value: guess.reason for guess in raw.guesses if "left out" in guess.what}
        assert found.keys() == files.keys()
        for name, (_, reason) in files.items():
            assert found[name].startswith(reason)
            assert Path(name).name not in found[name]


def test_a_linked_folder_is_not_followed_and_is_named(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "far.txt").write_bytes(b"far text")
    (folder / "a" / "linked").symlink_to(tmp_path / "elsewhere")
    (folder / "back").symlink_to(folder)
    raw = read_folder(folder)
    assert len(raw.table) == len(FILES)
    assert set(raw.skipped) == {*NOT_TEXTS, "a/linked", "back"}


def test_a_closed_subfolder_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # By a stand-in, because root may open every folder.
    scan = os.scandir

    def guarded(place: str) -> object:
        if Path(place).name == "deep":
            raise PermissionError(13, "Permission denied", place)
        return scan(place)

    (folder / "b" / "deep" / "er").mkdir()
    monkeypatch.setattr(os, "scandir", guarded)
    with pytest.raises(InputError, match=r"folder .*deep cannot be read.*permission"):
        read_folder(folder)


def test_the_folder_here_is_called_by_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    with pytest.raises(InputError, match=r"^here holds no text files"):
        read_folder(Path("."))


@linux_only
def test_names_that_are_no_utf8_can_be_stored(tmp_path: Path) -> None:
    for name in (b"la\xffbel/text.txt", b"label/non\xff.txt", b"label/photo\xff.pdf"):
        path = Path(tmp_path, os.fsdecode(name))
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"words")
    raw = read_folder(tmp_path)
    assert set(raw.table["label"]) == {"la?bel", "label"}
    assert set(raw.table["file"]) == {"la?bel/text.txt", "label/non?.txt"}
    assert raw.skipped == ("label/photo?.pdf",)


def test_the_fingerprint_of_a_folder_changes_with_what_would_be_read(tmp_path: Path) -> None:
    below = tmp_path / "a" / "b"
    below.mkdir(parents=True)
    for number in range(3):
        (below / f"{number}.txt").write_text("word")
    seen = [file_fingerprint(tmp_path)]
    assert file_fingerprint(tmp_path) == seen[0]
    (below / "1.txt").write_text("words")
    os.utime(below / "1.txt", (1.0, 1.0))
    seen.append(file_fingerprint(tmp_path))
    (below / "2.txt").unlink()
    seen.append(file_fingerprint(tmp_path))
    (below / "0.txt").rename(below / "9.txt")
    seen.append(file_fingerprint(tmp_path))
    assert len(set(seen)) == len(seen)
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "index").write_text("hidden")
    assert file_fingerprint(tmp_path) == seen[-1]
    assert file_fingerprint(tmp_path / "none") == file_fingerprint(tmp_path / "none")


def test_the_fingerprint_of_a_linked_folder_changes_with_its_files(tmp_path: Path) -> None:
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "a.txt").write_text("word")
    (tmp_path / "linked").symlink_to(tmp_path / "texts")
    seen = file_fingerprint(tmp_path / "linked")
    (tmp_path / "texts" / "a.txt").write_text("other words")
    assert file_fingerprint(tmp_path / "linked") != seen


@pytest.mark.parametrize(
    ("name", "beside"),
    [
        *(("m.npz", "vocabulary.txt"), ("m.mtx", "labels.txt"), ("m.dat", "vocab.txt")),
        *(("m.dat", "vocabulary.txt"), ("docword.x.txt", "vocab.x.txt")),
    ],
)
def test_the_fingerprint_of_a_matrix_changes_with_its_words_and_labels(
    tmp_path: Path, name: str, beside: str
) -> None:
    (tmp_path / name).write_text("1")
    seen = [file_fingerprint(tmp_path / name)]
    for text in ("one\n", "another\n"):
        (tmp_path / beside).write_text(text)
        seen.append(file_fingerprint(tmp_path / name))
    assert len(set(seen)) == 3


@given(
    title=st.text("abc'\"#:é ", min_size=1, max_size=12).map(str.strip).filter(bool),
    marks=st.sampled_from(["{}", "'{}'", '"{}"']),
    end=st.sampled_from(["\n", "\r\n"]),
    body=st.text("ab#-: \n", max_size=30),
)
def test_front_matter_of_markdown_is_no_text(title: str, marks: str, end: str, body: str) -> None:
    is_plain = title[0] not in "'\"#:" and not {" #", ": "} & {*map("".join, pairwise(title))}
    assume(marks != "{}" or is_plain)
    head = ["---", f"title: {marks.format(title)}", "date: 2024-06-11", "tags:", "  - a", "- b"]
    head += ["", "# comment", "author: [x, y]", "---", ""]
    guesses: list[Guess] = []
    data = (end.join(head) + body).encode()
    (found,) = read_file(PurePosixPath("a/note.MD"), data, None, guesses)
    assert (found.title, found.date, found.text) == (title, "2024-06-11", body)
    assert "front matter" in [guess.what for guess in guesses]
    # Only Markdown has front matter.
    (other,) = read_file(PurePosixPath("a/note.txt"), data, None, [])
    assert (other.title, other.text) == ("", data.decode())


@pytest.mark.parametrize(
    "text",
    [
        "---\n\nA line between rules.\n\n---\n\nMore.",
        "---\nWords without a field\n---\n",
        "---\ntitle: without an end\n",
        "Words first\n---\ntitle: x\n---\n",
        "----\ntitle: x\n----\n",
        "---\ntitle: x\nWords of the text\n---\n",
        "---\n" + "key:   \n   \n" * 10_000,
    ],
)
def test_rules_between_the_parts_of_markdown_are_no_front_matter(text: str) -> None:
    (found,) = read_file(PurePosixPath("note.md"), text.encode(), None, [])
    assert (found.title, found.text) == ("", text)


def test_titles_and_dates_of_front_matter_are_columns(tmp_path: Path) -> None:
    for row in range(3):
        head = f"---\ntitle: Note {row}\ndate: 2024-06-1{row}\n---\n"
        (tmp_path / f"{row}.md").write_text(head * (row < 2) + f"words {row}")
    raw = read_folder(tmp_path)
    assert raw.table["text"].tolist() == ["words 0", "words 1", "words 2"]
    assert raw.table["title"].fillna("").tolist() == ["Note 0", "Note 1", ""]
    assert date_columns(raw.table) == ["date"]
    (found,) = (guess for guess in raw.guesses if guess.what == "front matter")
    assert found.reason == "in 2 files"
