"""A corpus folder reads back as saved, and damage is one clear sentence."""

import hashlib
import io
import json
import os
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from orrery.core.data.columns import default_ids, normal_table
from orrery.core.data.corpus import Corpus, build_corpus
from orrery.core.data.raw import RawDocuments, RawMatrix
from orrery.core.data.recipe import Recipe
from orrery.core.storage.corpora import (
    CONTENT_FILES,
    CORPUS_VERSION,
    load_corpus,
    read_description,
    save_corpus,
)
from orrery.core.storage.reading import sealed, vocabulary_hash
from orrery.core.utils.errors import InputError
from tests.random_networks import corpus_of_sets

RECIPE = Recipe(stop_words=("the",), phrase_list=("red_star",), min_df=1, max_df=1.0)
TEXTS = ["red star", "the blue star", "!", "Größe \x00 red"]


def a_corpus(texts: list[str] = TEXTS) -> Corpus:
    table = pd.DataFrame({"id": default_ids(len(texts)), "text": texts})
    table["label"] = [None if row % 2 else "x" for row in range(len(texts))]
    table["year"] = range(len(texts))
    return build_corpus(RawDocuments(normal_table(table)), RECIPE)[0]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    table = normal_table(pd.DataFrame({"id": default_ids(4), "text": TEXTS, "label": None}))
    corpus, report = build_corpus(RawDocuments(table), RECIPE)
    save_corpus(corpus, tmp_path / "c", report)
    return tmp_path / "c"


def assert_equal(one: Corpus, other: Corpus) -> None:
    assert (one.token_ptr == other.token_ptr).all()
    assert (one.token_idx == other.token_idx).all()
    assert one.token_ptr.dtype == other.token_ptr.dtype
    assert one.token_idx.dtype == other.token_idx.dtype
    assert one.vocabulary == other.vocabulary
    assert one.recipe == other.recipe
    assert one.dropped_ids == other.dropped_ids
    pd.testing.assert_frame_equal(one.documents, other.documents)


def test_round_trip(tmp_path: Path) -> None:
    corpus = a_corpus()
    save_corpus(corpus, tmp_path / "c")
    assert_equal(load_corpus(tmp_path / "c"), corpus)
    assert load_corpus(tmp_path / "c").documents["label"].tolist() == ["x", None, None]


def test_integers_beside_missing_values_stay_integers(tmp_path: Path) -> None:
    corpus = a_corpus()
    large = pd.array([2**62 + 1, None, 3], "Int64")
    corpus = replace(corpus, documents=corpus.documents.assign(number=large))
    save_corpus(corpus, tmp_path / "c")
    found = load_corpus(tmp_path / "c").documents["number"]
    assert found[0] == 2**62 + 1
    assert found.isna().tolist() == [False, True, False]
    assert str(found[2]) == "3"


def test_the_report_of_a_corpus_is_saved_with_it(tmp_path: Path) -> None:
    corpus = a_corpus()
    assert corpus.report is not None
    save_corpus(corpus, tmp_path / "c")
    stored = read_description(tmp_path / "c")["report"]
    assert stored == json.loads(json.dumps(corpus.report.as_dict()))
    # A part of it is another corpus, of which the report is not true.
    save_corpus(load_corpus(tmp_path / "c").subset([0, 2]).in_use(), tmp_path / "part")
    assert read_description(tmp_path / "part")["report"] is None


WORD = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n"), min_size=1)


@given(st.lists(WORD, unique=True, min_size=1), st.randoms(use_true_random=False))
def test_round_trip_of_any_words(
    tmp_path_factory: pytest.TempPathFactory, words: list[str], random: random.Random
) -> None:
    counts = np.array(
        [[random.randint(0, 1) for _ in words] for _ in range(3)] + [[1] * len(words)]
    )
    table = normal_table(pd.DataFrame({"id": default_ids(4), "text": "", "label": None}))
    corpus, _ = build_corpus(RawMatrix(sparse.csr_array(counts), tuple(words), table), Recipe())
    folder = tmp_path_factory.mktemp("any") / "c"
    save_corpus(corpus, folder)
    assert_equal(load_corpus(folder), corpus)


def test_the_same_corpus_gives_the_same_files(tmp_path: Path) -> None:
    for name in ("a", "b"):
        save_corpus(a_corpus(), tmp_path / name)
    for name in (*CONTENT_FILES, "corpus.json"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_description_holds_counts_recipe_and_report(folder: Path) -> None:
    description = read_description(folder)
    corpus = load_corpus(folder)
    assert description["version"] == CORPUS_VERSION
    assert description["documents"] == corpus.n_documents == 3
    assert description["vocabulary"] == corpus.n_tokens
    assert description["report"]["dropped_documents"] == 1
    assert description["hashes"]["vocabulary.txt"] == vocabulary_hash(corpus.vocabulary)


def test_tokens_are_readable_by_scipy(folder: Path) -> None:
    matrix = sparse.load_npz(folder / "tokens.npz")
    assert (matrix.toarray() == load_corpus(folder).to_csr().toarray()).all()


def test_nothing_is_overwritten_and_nothing_is_left_half_written(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(InputError, match="exists already"):
        save_corpus(a_corpus(), folder)

    def no_space(*_: object) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr("orrery.core.storage.corpora.write_json", no_space)
    with pytest.raises(OSError, match="no space"):
        save_corpus(a_corpus(), folder.with_name("d"))
    assert [path.name for path in folder.parent.iterdir()] == ["c"]


def test_not_a_corpus(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no corpus folder"):
        load_corpus(tmp_path / "nix")
    with pytest.raises(InputError, match="is not a corpus folder"):
        load_corpus(tmp_path)
    (tmp_path / "corpus.json").write_text("{}")
    with pytest.raises(InputError, match="is not a corpus folder"):
        load_corpus(tmp_path)


@pytest.mark.parametrize("name", [*CONTENT_FILES, "corpus.json"])
def test_missing_cut_and_changed_files(folder: Path, name: str) -> None:
    path = folder / name
    data = path.read_bytes()
    for damaged in (b"", data[: len(data) // 2], data[:-3] + b"???"):
        path.write_bytes(damaged)
        with pytest.raises(InputError, match=f"damaged: {name}"):
            load_corpus(folder)
    path.unlink()
    with pytest.raises(InputError, match=f"{name} is missing|not a corpus folder"):
        load_corpus(folder)


def edit_description(folder: Path, edit: Callable[[dict], object]) -> None:
    path = folder / "corpus.json"
    description = json.loads(path.read_text(encoding="utf-8"))
    edit(description)
    path.write_text(json.dumps(sealed(description)), encoding="utf-8")


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (lambda d: d.update(version=3), "is a corpus of version 3, and this Orrery reads 1 to 2"),
        (lambda d: d.update(format="x"), "is not a corpus folder"),
        (lambda d: d.pop("recipe"), r"damaged: corpus\.json"),
        (lambda d: d["hashes"].pop("tokens.npz"), r"damaged: corpus\.json"),
        (lambda d: d["hashes"].update({"tokens.npz": "0"}), r"damaged: tokens\.npz"),
        (lambda d: d["recipe"].update(min_df="x"), "recipe is damaged at min_df"),
        (lambda d: d["recipe"].update(token_pattern="("), "not a regular expression"),
    ],
)
def test_descriptions_that_cannot_be_followed(
    folder: Path, edit: Callable[[dict], object], message: str
) -> None:
    edit_description(folder, edit)
    with pytest.raises(InputError, match=message):
        load_corpus(folder)


def replace_content(folder: Path, name: str, data: bytes) -> None:
    """Put other content under a hash that fits, as a hand at the folder could."""
    (folder / name).write_bytes(data)
    digest = hashlib.sha256(data).hexdigest()
    edit_description(folder, lambda d: d["hashes"].update({name: digest}))


def npz(**arrays: object) -> bytes:
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)
    return buffer.getvalue()


@pytest.mark.parametrize(
    "arrays",
    [
        {},
        {"indptr": [0, 1, 2, 3]},
        {"indptr": [0, 1, 2, 4], "indices": [0, 1, 2]},
        {"indptr": [0, 2, 1, 3], "indices": [0, 1, 2]},
        {"indptr": [0, 1, 2, 3], "indices": [0, 1, 99]},
        {"indptr": [0, 1, 2, 3], "indices": [0, 1, -1]},
        {"indptr": [0, 2, 2, 3], "indices": [1, 0, 1]},
        {"indptr": [0, 2, 2, 3], "indices": [1, 1, 1]},
        {"indptr": [0, 1, 2], "indices": [0, 1]},
        {"indptr": [0, 1, 2, 3], "indices": [0.0, 1.0, 2.0]},
        {"indptr": [[0, 1, 2, 3]], "indices": [0, 1, 2]},
        {"indptr": np.array([0, 1, 2, 3], object), "indices": [0, 1, 2]},
        {"indptr": np.array([0, 100, 2, 3], np.uint64), "indices": [0, 1, 2]},
    ],
)
def test_tokens_that_make_no_matrix(folder: Path, arrays: dict) -> None:
    replace_content(folder, "tokens.npz", npz(**arrays))
    with pytest.raises(InputError, match=r"damaged: tokens\.npz"):
        load_corpus(folder)


@given(
    st.lists(st.frozensets(st.integers(0, 4)), min_size=1, max_size=5).filter(any),
    st.integers(-3, 8),
    st.randoms(use_true_random=False),
)
def test_every_token_is_a_word_of_the_vocabulary(
    tmp_path_factory: pytest.TempPathFactory,
    rows: list[frozenset[int]],
    token: int,
    random: random.Random,
) -> None:
    corpus = corpus_of_sets(rows, 5)
    folder = tmp_path_factory.mktemp("tokens") / "c"
    save_corpus(corpus, folder)
    row = random.choice([number for number, tokens in enumerate(rows) if tokens])
    changed = [sorted(tokens) for tokens in rows]
    # The first or the last of a document's tokens, so that they still ascend.
    changed[row] = sorted({*changed[row][1:], token} if token < 0 else {*changed[row][:-1], token})
    pointer = np.concatenate([[0], np.cumsum([len(tokens) for tokens in changed])])
    indices = np.array([token for tokens in changed for token in tokens], np.int32)
    replace_content(folder, "tokens.npz", npz(indptr=pointer, indices=indices))
    if 0 <= token < 5:
        assert load_corpus(folder).token_idx.tolist() == indices.tolist()
    else:
        with pytest.raises(InputError, match=r"damaged: tokens\.npz"):
            load_corpus(folder)


class Trap:
    """Makes a folder when it is unpickled."""

    def __init__(self, place: Path) -> None:
        self.place = place

    def __reduce__(self) -> tuple[Callable[[str], None], tuple[str]]:
        return os.mkdir, (str(self.place),)


def test_loading_executes_nothing(folder: Path) -> None:
    sprung = folder / "sprung"
    trap = np.array([Trap(sprung)], object)
    replace_content(folder, "tokens.npz", npz(indptr=trap, indices=trap))
    with pytest.raises(InputError, match=r"damaged: tokens\.npz"):
        load_corpus(folder)
    assert not sprung.exists()


def test_tokens_with_empty_rows_are_a_matrix(folder: Path) -> None:
    data = npz(indptr=[0, 0, 2, 2], indices=[0, 1])
    replace_content(folder, "tokens.npz", data)
    assert load_corpus(folder).token_ptr.tolist() == [0, 0, 2, 2]


@pytest.mark.parametrize("data", [b"", b"a\nb", b"a\na\n", b"\xff\n"])
def test_words_that_make_no_vocabulary(folder: Path, data: bytes) -> None:
    replace_content(folder, "vocabulary.txt", data)
    with pytest.raises(InputError, match=r"damaged: vocabulary\.txt"):
        load_corpus(folder)


def test_documents_that_are_no_table(folder: Path) -> None:
    buffer = io.BytesIO()
    pd.DataFrame({"id": ["1"]}).to_parquet(buffer)
    for data in (b"junk", buffer.getvalue()):
        replace_content(folder, "documents.parquet", data)
        with pytest.raises(InputError, match=r"damaged: documents\.parquet"):
            load_corpus(folder)


def test_as_many_words_as_were_saved(folder: Path) -> None:
    data = (folder / "vocabulary.txt").read_bytes()
    replace_content(folder, "vocabulary.txt", data + b"another\n")
    with pytest.raises(InputError, match=r"damaged: vocabulary\.txt"):
        load_corpus(folder)
