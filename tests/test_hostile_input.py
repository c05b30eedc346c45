"""Malicious input is read or refused in one sentence, in bounded memory and time."""

from __future__ import annotations

import os
import pickle
import random
import re
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orrery.core.data.columns import ColumnChoice
from orrery.core.data.query import parse_query
from orrery.core.data.readers import documents_of, open_source, preview_columns
from orrery.core.data.recipe import Recipe
from orrery.core.storage.graphs import read_guidance, read_whole_graph
from orrery.core.utils.errors import InputError
from tests import hostile
from tests.opening import in_time
from tests.tried import TRIED

# The slow part takes hostile.FULL.
SIZE = int(os.environ.get("ORRERY_HOSTILE_SIZE", str(hostile.SMALL)))
FUZZ = int(os.environ.get("ORRERY_FUZZ", "150"))
# Free memory as reported, and so the limit for a hostile file.
MEMORY = 2 * 2**30
Record = Callable[[str, object], None]
CASES = [name for name, _ in hostile.sources(Path("never"))]


def sentence(error: InputError) -> str:
    text = str(error)
    assert text.strip()
    assert "\n" not in text
    assert len(text) < 2_000
    return text


def read(path: Path) -> str:
    """Read a source as the app does: preview first, then the documents; return its messages."""
    try:
        opened = open_source(path)
        preview_columns(opened)
        found = documents_of(opened, ColumnChoice())
    except InputError as error:
        return sentence(error)
    assert list(found.table.columns[:3]) == ["id", "text", "label"]
    found.table["text"].str.encode("utf-8")
    return ""


@pytest.mark.parametrize("case", CASES)
def test_sources(
    tmp_path: Path, case: str, record_property: Record, monkeypatch: pytest.MonkeyPatch
) -> None:
    mark, place = tmp_path / "executed", tmp_path / "in"
    place.mkdir()
    files = dict(hostile.sources(mark, SIZE))[case]()
    for name, data in files.items():
        (place / name).write_bytes(data)
    monkeypatch.setattr("orrery.core.data.limits.memory_available", lambda: MEMORY)
    before = psutil.Process().memory_info().rss
    with in_time(60 + SIZE // 10**6):
        read(place / next(iter(files)))
    grown = psutil.Process().memory_info().rss - before
    assert grown < MEMORY
    assert not mark.exists()
    assert [path.name for path in tmp_path.iterdir()] == ["in"]
    assert sorted(path.name for path in place.iterdir()) == sorted(files)
    record_property("hostile sources", 1)


def test_a_mark_is_made_where_a_pickle_is_loaded(tmp_path: Path) -> None:
    """The pickles above would be noticed."""
    pickle.loads(pickle.dumps(hostile.Evil(tmp_path / "mark")))
    assert (tmp_path / "mark").exists()


SECRET = "the secret of this machine"
GRAPHS = [(name, file) for name, file, _ in hostile.graphs(Path("/secret"))]


@pytest.mark.parametrize("number", range(len(GRAPHS)), ids=[name for name, _ in GRAPHS])
def test_graphs(tmp_path: Path, number: int, record_property: Record) -> None:
    (tmp_path / "secret").write_text(SECRET)
    _, file, data = list(hostile.graphs(tmp_path / "secret"))[number]
    (tmp_path / file).write_bytes(data)
    with in_time():
        try:
            words, graph, _, _ = read_whole_graph(tmp_path / file)
        except InputError as error:
            shown_text = sentence(error)
        else:
            shown_text = " ".join([*words, *graph.topic_ids])
    assert SECRET not in shown_text
    record_property("hostile graphs", 1)


@pytest.mark.parametrize(("name", "data"), hostile.guidance())
def test_guidance(tmp_path: Path, name: str, data: bytes, record_property: Record) -> None:
    (tmp_path / "g.toml").write_bytes(data)
    with in_time():
        try:
            read_guidance(tmp_path / "g.toml")
        except InputError as error:
            sentence(error)
    record_property("hostile guidance", 1)


OFFICE = {name: hostile.archive(parts) for name, parts in hostile.office_files().items()}

# Also the names of the files, which are ids of documents.
WORDS_WRITTEN = set(re.findall("[a-z]+", str(hostile.office_files())))


def words_of(path: Path) -> set[str]:
    """Words of a source, without numbers and marks."""
    texts = documents_of(open_source(path), ColumnChoice()).table
    return set(re.findall("[a-z]+", " ".join(texts.fillna("").astype(str).to_numpy().ravel())))


@pytest.mark.parametrize("name", OFFICE)
def test_a_sound_office_file_is_read(tmp_path: Path, name: str) -> None:
    """The damaged ones below would be read without their damage."""
    (tmp_path / name).write_bytes(OFFICE[name])
    assert {"sentence", "planets", "stars"} <= words_of(tmp_path / name)


@settings(max_examples=FUZZ, deadline=None)
@given(st.sampled_from(sorted(OFFICE)), st.booleans(), st.integers(0, 2**32))
def test_a_damaged_office_file_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, name: str, is_inside: bool, seed: int
) -> None:
    place = tmp_path_factory.getbasetemp() / "office"
    place.mkdir(exist_ok=True)
    damaged = hostile.damaged_office_file(random.Random(seed), name, is_inside=is_inside)
    (place / name).write_bytes(damaged)
    TRIED["damaged office files"] += 1
    with in_time(20):
        if read(place / name) == "" and not is_inside:
            # A part has a checksum, so nothing is read that was not written.
            assert words_of(place / name) <= WORDS_WRITTEN


ENDINGS = (".txt", ".csv", ".tsv", ".jsonl", ".parquet", ".zip", ".npz", ".mtx", ".dat", ".mat")
GRAPH_FILES = ("g.csv", "g.graphml", "g.toml", "g.xdsl", "g.bif")
VALUES = st.sampled_from(
    [
        *(b"\0", b"\n", b"\r", b",", b'"', b"\t", b"{", b"[", b'{"text": "a b"}\n', b"text,id\n"),
        *(b"PK\3\4", b"PAR1", b"\xff\xfe", b"\xef\xbb\xbf", "\u202e".encode(), b"\xed\xa0\x80"),
        *(b"1 0:1\n", b"9" * 30),
    ]
)


@settings(max_examples=FUZZ, deadline=None)
@given(st.sampled_from(ENDINGS), st.lists(st.one_of(VALUES, st.binary(max_size=40)), max_size=12))
def test_any_bytes_are_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, ending: str, pieces: list[bytes]
) -> None:
    place = tmp_path_factory.getbasetemp() / "fuzz"
    place.mkdir(exist_ok=True)
    (place / "vocabulary.txt").write_bytes(b"a\nb\n")
    (place / f"a{ending}").write_bytes(b"".join(pieces))
    TRIED["inputs at random"] += 1
    with in_time(20):
        read(place / f"a{ending}")


@settings(max_examples=FUZZ, deadline=None)
@given(st.sampled_from(GRAPH_FILES), st.lists(st.text(max_size=20), max_size=9))
def test_any_text_is_a_graph_or_guidance_or_refused(
    tmp_path_factory: pytest.TempPathFactory, file: str, pieces: list[str]
) -> None:
    place = tmp_path_factory.getbasetemp() / "fuzz"
    place.mkdir(exist_ok=True)
    begin = {
        "g.csv": "parent,child\n", "g.toml": "must_link = [['", "g.graphml": "<graphml>",
        "g.xdsl": "<smile><nodes>", "g.bif": "variable a {",
    }  # fmt: skip
    TRIED["inputs at random"] += 1
    (place / file).write_text(begin[file] + ",".join(pieces), "utf-8", "replace")
    try:
        (read_guidance if file == "g.toml" else read_whole_graph)(place / file)
    except InputError as error:
        sentence(error)


@pytest.mark.parametrize("recipe", [Recipe(), Recipe(phrases=False, phrase_list=("a_b",))])
@given(text=st.text(max_size=200))
def test_any_query_is_parsed(recipe: Recipe, text: str) -> None:
    present, unknown = parse_query(recipe, {"a": 0, "b": 1, "a_b": 2}, text)
    assert set(present.tolist()) <= {0, 1, 2}
    assert all(isinstance(word, str) for word in unknown)


@pytest.mark.parametrize("letters", ["a ", "a", "\u0301", "-", "a-", "a'", "a's", "_", "\u3041"])
def test_a_query_of_a_million_letters_is_parsed_in_time(letters: str) -> None:
    text = letters * (10**6 // len(letters))
    with in_time():
        parse_query(Recipe(), {"a": 0}, text)
