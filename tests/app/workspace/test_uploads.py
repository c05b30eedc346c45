"""Files from the browser: kept whole, named safely, thrown away in the end."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orrery.app.text.strings import SAMPLE
from orrery.app.workspace import uploads
from orrery.core.utils.errors import InputError


@dataclass
class FakeUpload:
    name: str
    data: bytes = b"content"

    @property
    def file_id(self) -> str:
        return f"id-{self.name}"

    def getbuffer(self) -> memoryview:
        return memoryview(self.data)


@pytest.mark.parametrize("name", ["notes.csv", "a b.txt", "../../evil.csv", "/etc/passwd"])
def test_a_file_is_kept_inside_the_workspace_as_it_is(tmp_path: Path, name: str) -> None:
    path = uploads.keep_uploads(tmp_path, [FakeUpload(name, b"\x00\xffdata")])
    assert path.read_bytes() == b"\x00\xffdata"
    assert (tmp_path / "uploads").resolve() in path.resolve().parents
    assert path.name == Path(name).name


def test_a_removed_file_is_read_no_longer(tmp_path: Path) -> None:
    files = [FakeUpload(f"{number}-{'long' * 10}.txt") for number in range(6)]
    assert len(list(uploads.keep_uploads(tmp_path, files).iterdir())) == 6
    folder = uploads.keep_uploads(tmp_path, files[:-1])
    assert sorted(path.name for path in folder.iterdir()) == [file.name for file in files[:-1]]


def test_files_of_one_name_are_all_kept(tmp_path: Path) -> None:
    files = [FakeUpload("a/notes.txt", b"1"), FakeUpload("b/notes.txt", b"22"), FakeUpload("x.txt")]
    folder = uploads.keep_uploads(tmp_path, files)
    kept = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert kept == {"notes.txt": b"1", "notes-2.txt": b"22", "x.txt": b"content"}


def test_a_path_may_begin_at_home_if_there_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/me")
    assert uploads.typed_path(" ~/notes.csv ") == Path("/home/me/notes.csv")
    with pytest.raises(InputError, match="no home folder '~nobody-at-all'"):
        uploads.typed_path("~nobody-at-all/notes.csv")


def test_looking_twice_writes_once(tmp_path: Path) -> None:
    path = uploads.keep_uploads(tmp_path, [FakeUpload("a.csv")])
    first = path.stat().st_mtime_ns
    assert uploads.keep_uploads(tmp_path, [FakeUpload("a.csv")]) == path
    assert path.stat().st_mtime_ns == first


@pytest.mark.parametrize(
    ("names", "source"),
    [
        (["m.npz", "vocabulary.txt", "labels.txt"], "m.npz"),
        (["vocab.nips.txt", "docword.nips.txt"], "docword.nips.txt"),
        (["vocab.txt", "lda.DAT"], "lda.DAT"),
    ],
)
def test_a_matrix_is_the_source_and_the_rest_stands_beside_it(
    tmp_path: Path, names: list[str], source: str
) -> None:
    path = uploads.keep_uploads(tmp_path, [FakeUpload(name) for name in names])
    assert path.name == source
    assert sorted(file.name for file in path.parent.iterdir()) == sorted(names)


def test_several_texts_are_a_folder(tmp_path: Path) -> None:
    path = uploads.keep_uploads(tmp_path, [FakeUpload("a.txt"), FakeUpload("b.txt")])
    assert sorted(file.name for file in path.iterdir()) == ["a.txt", "b.txt"]


@pytest.mark.parametrize("names", [["a.csv", "b.csv"], ["a.npz", "b.npz"], ["a.csv", "b.txt"]])
def test_files_that_do_not_belong_together_are_refused(tmp_path: Path, names: list[str]) -> None:
    with pytest.raises(
        InputError, match=r"do not belong together.* tables are imported one at a time"
    ):
        uploads.keep_uploads(tmp_path, [FakeUpload(name) for name in names])


def test_a_saved_upload_is_discarded_and_a_path_of_ones_own_stays(tmp_path: Path) -> None:
    own = tmp_path / "mine.csv"
    own.write_text("text\n")
    uploads.discard(tmp_path, own)
    assert own.is_file()
    kept = uploads.keep_uploads(tmp_path, [FakeUpload("a.txt"), FakeUpload("b.txt")])
    uploads.discard(tmp_path, kept)
    assert list((tmp_path / "uploads").iterdir()) == []


def test_uploads_that_no_one_came_back_to_are_discarded(tmp_path: Path) -> None:
    old = uploads.keep_uploads(tmp_path, [FakeUpload("old.csv")])
    long_ago = time.time() - 2 * uploads.KEEP_SECONDS
    os.utime(old.parent, (long_ago, long_ago))
    new = uploads.keep_uploads(tmp_path, [FakeUpload("new.csv")])
    assert new.exists()
    assert not old.exists()


@pytest.mark.parametrize("name", ["", "  ", ".hidden", "a/b", "..", "a\\b", "x" * 81, "a\x00b"])
def test_names_that_are_none_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError):
        uploads.corpus_path(tmp_path, name)


def test_a_name_that_is_taken_is_refused(tmp_path: Path) -> None:
    uploads.corpus_path(tmp_path, "My notes").mkdir(parents=True)
    for name in (" My notes ", SAMPLE):
        with pytest.raises(InputError, match="already; choose another name"):
            uploads.corpus_path(tmp_path, name)


@pytest.mark.parametrize(
    "source",
    ["notes.csv", "my notes (2).tsv", "....", "docword.nips.txt", "a" * 200, f"{'b' * 79} c.csv"],
)
def test_the_name_that_is_offered_is_accepted(tmp_path: Path, source: str) -> None:
    taken: list[str] = []
    for _ in range(12):
        name = uploads.free_name(uploads.corpus_name(Path(source)), taken)
        folder = uploads.corpus_path(tmp_path, name)
        assert folder.name == name
        folder.mkdir(parents=True)
        taken.append(name)


@given(st.lists(st.sampled_from(["Notes", "notes", "NOTES", "notes-2", "Straße", "STRASSE"])))
def test_offered_names_differ_also_where_case_does_not_count(names: list[str]) -> None:
    taken: list[str] = []
    for name in names:
        taken.append(uploads.free_name(name, taken))
    assert len({name.casefold() for name in taken}) == len(names)


def test_files_whose_names_differ_in_case_alone_are_all_kept(tmp_path: Path) -> None:
    files = [FakeUpload(name, name.encode()) for name in ("A.txt", "a.txt", "a-2.TXT", "A.TXT")]
    kept = list(uploads.keep_uploads(tmp_path, files).iterdir())
    assert len({path.name.casefold() for path in kept}) == len(files)
    assert {path.read_bytes() for path in kept} == {file.data for file in files}
