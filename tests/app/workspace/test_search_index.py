"""Search finds the same documents as a simple scan of the texts, for any query."""

from __future__ import annotations

import os
import re
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from orrery.app.workspace import search_index
from orrery.app.workspace.search_index import (
    begin_index,
    index_path,
    read_terms,
    search,
    write_index,
)
from orrery.core.storage.corpora import load_corpus
from orrery.core.utils.errors import InputError

WORDS = ["star", "orbit", "bass", "Größe", "NOT", "or", "near", "café"]
TEXTS = [
    "a star in orbit",
    "Star NOT a bass",
    "the orbit of a bass, the Größe of a star",
    "",
    "a cafe or near a CAFÉ",
    "starry orbit",
    "star star star orbit",
]


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("cache") / "search.sqlite"
    write_index(path, TEXTS)
    return path


def found(index: Path, text: str) -> set[int] | None:
    rows = search(index, text)
    return None if rows is None else set(rows.tolist())


def words_of(text: str) -> set[str]:
    """Words as the index takes them: any case, no accents."""
    return set(re.findall(r"\w+", text.lower().replace("é", "e").replace("ö", "o")))


@given(st.lists(st.sampled_from(WORDS), max_size=3), st.lists(st.sampled_from(WORDS), max_size=2))
def test_it_finds_the_texts_with_every_word_and_no_excluded_one(index, present, absent):
    rows = found(index, " ".join([*present, *(f"-{word}" for word in absent)]))
    if not present and not absent:
        assert rows is None
        return
    wanted, unwanted = words_of(" ".join(present)), words_of(" ".join(absent))
    expected = {
        row
        for row, text in enumerate(TEXTS)
        if wanted <= words_of(text) and not unwanted & words_of(text)
    }
    assert rows == expected


@given(st.text(max_size=30) | st.text('"*-()^:+{} \\\0ANDORNOTEAR', max_size=20))
def test_nothing_that_is_typed_is_an_error(index, text):
    rows = found(index, text)
    assert rows is None or rows <= set(range(len(TEXTS)))


def test_a_phrase_in_quotes_is_found_as_it_stands(index):
    assert found(index, '"a star"') == {0, 2}
    assert found(index, '-"a star" star') == {1, 6}
    assert found(index, '"star') == {0, 1, 2, 6}


def test_a_star_at_the_end_finds_beginnings(index):
    assert found(index, "starr*") == {5}
    assert found(index, "star*") == {0, 1, 2, 5, 6}


@given(st.sampled_from(["star", "orbit near", "-bass", ""]), st.text("_-. ", max_size=6))
def test_signs_without_a_letter_or_digit_are_not_searched(index, words, signs):
    assert found(index, f"{words} {signs}") == found(index, words)


def test_the_text_with_more_of_it_comes_first(index):
    assert search(index, "star orbit")[0] == 6


def test_terms_are_taken_apart():
    terms = read_terms('red  "new york" -blue -"deep sea" - "" red')
    assert terms.present == ("red", "new york")
    assert terms.absent == ("blue", "deep sea")


def wait(building: search_index.Building) -> None:
    assert building.thread is not None
    building.thread.join(30)
    assert not building.is_going


def test_an_index_is_built_once_and_reports(
    space: Path, make_corpus: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = make_corpus("a")
    monkeypatch.setattr(search_index, "BLOCK", 5)
    corpus, path = load_corpus(folder), index_path(space, folder)
    building = begin_index(path, corpus)
    wait(building)
    assert (building.done, building.error) == (corpus.n_documents, "")
    changed = path.stat().st_mtime_ns
    again = begin_index(path, corpus)
    assert again.done == again.total
    assert path.stat().st_mtime_ns == changed
    assert [file.name for file in path.parent.iterdir()] == [path.name]
    held = corpus.documents["text"].str.contains("shuttle")
    assert found(path, "shuttle") == set(np.flatnonzero(held).tolist())


def test_blocks_change_nothing(tmp_path: Path, index: Path, monkeypatch) -> None:
    monkeypatch.setattr(search_index, "BLOCK", 2)
    done = []
    write_index(tmp_path / "b.sqlite", TEXTS, done.append)
    assert done == [2, 4, 6, 7]
    assert search(tmp_path / "b.sqlite", "star").tolist() == search(index, "star").tolist()


def test_other_content_has_another_place(space: Path, make_corpus) -> None:
    from orrery.core.data.corpus import build_corpus
    from orrery.core.data.raw import RawDocuments
    from orrery.core.data.recipe import Recipe
    from orrery.core.storage.corpora import save_corpus

    folder = make_corpus("a")
    table = load_corpus(folder).documents.iloc[:12]
    save_corpus(build_corpus(RawDocuments(table), Recipe(min_df=1))[0], space / "corpora" / "b")
    assert index_path(space, folder) != index_path(space, space / "corpora" / "b")
    assert index_path(space, folder) == index_path(space, folder)


def test_a_place_that_cannot_be_written_is_one_sentence(
    tmp_path: Path, make_corpus: Callable[[str], Path]
) -> None:
    (tmp_path / "cache").write_text("a file, not a folder")
    building = begin_index(tmp_path / "cache" / "i.sqlite", load_corpus(make_corpus("a")))
    wait(building)
    assert "cannot be written" in building.error


@pytest.mark.parametrize("content", [b"nonsense" * 1000, b""])
def test_a_damaged_index_is_removed_and_reported(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "i.sqlite"
    path.write_bytes(content)
    with pytest.raises(InputError, match="search again"):
        search(path, "star")
    assert not path.exists()


def test_an_index_of_another_version_is_removed_and_reported(tmp_path: Path) -> None:
    path = tmp_path / "i.sqlite"
    write_index(path, TEXTS)
    with closing(sqlite3.connect(path)) as database:
        query = "SELECT name FROM sqlite_master WHERE name LIKE '%_config'"
        for (name,) in database.execute(query).fetchall():
            database.execute(f'UPDATE "{name}" SET v = 99 WHERE k = ?', ("version",))
        database.commit()
    with pytest.raises(InputError, match="build it anew"):
        search(path, "star")
    assert not path.exists()


@pytest.mark.parametrize("page", range(0, 8, 3))
def test_an_index_with_a_part_of_zeros_is_removed_or_still_answers(
    tmp_path: Path, index: Path, page: int
) -> None:
    path = tmp_path / "i.sqlite"
    data = bytearray(index.read_bytes())
    data[4096 * page : 4096 * (page + 1)] = bytes(4096)
    path.write_bytes(data)
    with suppress(InputError):
        assert search(path, "star") is not None
        return
    assert not path.exists()


@pytest.mark.parametrize(
    "code", [sqlite3.SQLITE_BUSY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR_READ]
)
def test_an_index_that_cannot_be_read_now_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    path = tmp_path / "i.sqlite"
    write_index(path, TEXTS)

    def fail(*_: object) -> None:
        error = sqlite3.OperationalError("disk I/O error")
        error.sqlite_errorcode = code
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(search_index, "_matching", fail)
        with pytest.raises(InputError, match=r"cannot be read \(disk I/O error\)"):
            search(path, "star")
    assert found(path, "starr*") == {5}


def test_what_a_killed_process_left_goes_with_the_next_index(tmp_path: Path) -> None:
    old, young = (tmp_path / f".search-{name}.partial" for name in ("old", "young"))
    for file in (old, young):
        file.write_bytes(b"")
    hours_ago = time.time() - 2 * search_index.STALE_SECONDS
    os.utime(old, (hours_ago, hours_ago))
    write_index(tmp_path / "i.sqlite", TEXTS)
    assert (old.exists(), young.exists()) == (False, True)
