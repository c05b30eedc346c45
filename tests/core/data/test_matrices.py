"""Ready-made matrices keep rows, columns and words as they are."""

from pathlib import Path

import numpy as np
import pytest
from scipy import io, sparse

from orrery.core.data.corpus import build_corpus
from orrery.core.data.matrices import read_mat, read_mtx, read_npz
from orrery.core.utils.errors import InputError

COUNTS = np.array([[2, 0, 1], [0, 0, 0], [0, 3, 0], [1, 1, 1]])
WORDS = ["zeta", "Alpha", "c++"]


def write_words(folder: Path, words: list[str] = WORDS) -> None:
    (folder / "vocabulary.txt").write_text("\n".join(words) + "\n", encoding="utf-8")


def test_npz_and_mtx_with_words_and_labels(tmp_path: Path) -> None:
    sparse.save_npz(tmp_path / "m.npz", sparse.csc_array(COUNTS))
    io.mmwrite(tmp_path / "m.mtx", sparse.coo_array(COUNTS))
    write_words(tmp_path)
    for labels in (None, ["a", "b", "a", "c"]):
        if labels is not None:
            (tmp_path / "labels.txt").write_text("\n".join(labels))
        for raw in (read_npz(tmp_path / "m.npz"), read_mtx(tmp_path / "m.mtx")):
            assert raw.counts.toarray().tolist() == COUNTS.tolist()
            assert raw.vocabulary == tuple(WORDS)
            assert raw.table["id"].tolist() == ["0", "1", "2", "3"]
            assert raw.table["label"].tolist() == (labels or [None] * 4)


@pytest.mark.parametrize("given", [None, "latin-1"])
def test_the_encoding_of_words_and_labels_is_reported(tmp_path: Path, given: str | None) -> None:
    sparse.save_npz(tmp_path / "m.npz", sparse.csr_array(COUNTS))
    (tmp_path / "vocabulary.txt").write_text("größe\nstraße\nfür\n", encoding="latin-1")
    (tmp_path / "labels.txt").write_text("a\nb\na\nc\n")
    raw = read_npz(tmp_path / "m.npz", given)
    assert raw.vocabulary == ("größe", "straße", "für")
    assert [(guess.what, guess.option) for guess in raw.guesses] == [
        ("encoding of vocabulary.txt", "encoding"), ("encoding of labels.txt", "encoding"),
    ]  # fmt: skip
    assert all((guess.reason == "") == (given is not None) for guess in raw.guesses)
    _, report = build_corpus(raw)
    assert report.how_it_was_read == raw.guesses
    write_mat(tmp_path / "m.mat")
    assert read_mat(tmp_path / "m.mat").guesses == ()


def write_mat(path: Path, **changes: object) -> None:
    def cells(words: list[str]) -> np.ndarray:
        array = np.empty((1, len(words)), object)
        array[0] = words
        return array

    content = {
        "documents": sparse.csc_array(COUNTS.T.astype(float)),
        "wordlist": cells(WORDS),
        "newsgroups": np.array([[1, 2, 2, 1]], np.uint8),
        "groupnames": cells(["comp.*", "rec.*"]),
    }
    io.savemat(path, {**content, **changes})


def test_mat_is_turned_and_labelled(tmp_path: Path) -> None:
    write_mat(tmp_path / "m.mat")
    raw = read_mat(tmp_path / "m.mat")
    assert raw.counts.toarray().tolist() == COUNTS.tolist()
    assert raw.vocabulary == tuple(WORDS)
    assert raw.table["label"].tolist() == ["comp.*", "rec.*", "rec.*", "comp.*"]


def test_the_words_of_a_char_array_are_read_without_their_padding(tmp_path: Path) -> None:
    names = np.array(["comp", "religion"])
    write_mat(tmp_path / "m.mat", wordlist=np.array(WORDS), groupnames=names)
    assert io.loadmat(tmp_path / "m.mat")["wordlist"].tolist() == ["zeta ", "Alpha", "c++  "]
    raw = read_mat(tmp_path / "m.mat")
    assert raw.vocabulary == tuple(WORDS)
    assert raw.table["label"].tolist() == ["comp", "religion", "religion", "comp"]
    # The cells of a cell array are not padded.
    write_mat(tmp_path / "m.mat", wordlist=np.array([["a", "a ", "c"]], object))
    assert read_mat(tmp_path / "m.mat").vocabulary == ("a", "a ", "c")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (WORDS[:2], "has 3 columns for 2 words"),
        ([*WORDS, "x"], "seems to be tokens by documents"),
        (["a", "b", "a"], "word 3 of the vocabulary of m.npz stands twice"),
        (["a", "", "c"], "word 2 of the vocabulary of m.npz is empty"),
    ],
)
def test_words_that_do_not_fit(tmp_path: Path, words: list[str], message: str) -> None:
    sparse.save_npz(tmp_path / "m.npz", sparse.csr_array(COUNTS))
    write_words(tmp_path, words)
    with pytest.raises(InputError, match=message):
        read_npz(tmp_path / "m.npz")


def test_missing_words_and_labels_that_do_not_fit(tmp_path: Path) -> None:
    sparse.save_npz(tmp_path / "m.npz", sparse.csr_array(COUNTS))
    with pytest.raises(InputError, match=r"needs its words in vocabulary\.txt"):
        read_npz(tmp_path / "m.npz")
    write_words(tmp_path)
    (tmp_path / "labels.txt").write_text("a\nb\n")
    with pytest.raises(InputError, match=r"labels\.txt has 2 labels for the 4 documents"):
        read_npz(tmp_path / "m.npz")
    write_mat(tmp_path / "m.mat", newsgroups=np.array([[1, 2]], np.uint8))
    with pytest.raises(InputError, match=r"newsgroups of m\.mat has 2 labels for the 4 documents"):
        read_mat(tmp_path / "m.mat")


@pytest.mark.parametrize("value", [-1.0, np.nan])
def test_values_that_are_no_counts(tmp_path: Path, value: float) -> None:
    sparse.save_npz(tmp_path / "m.npz", sparse.csr_array(np.where(COUNTS == 3, value, COUNTS)))
    write_words(tmp_path)
    with pytest.raises(InputError, match="not counts"):
        read_npz(tmp_path / "m.npz")


def test_damaged_files(tmp_path: Path) -> None:
    sparse.save_npz(tmp_path / "m.npz", sparse.csr_array(COUNTS))
    io.mmwrite(tmp_path / "m.mtx", sparse.coo_array(COUNTS))
    write_mat(tmp_path / "m.mat")
    write_words(tmp_path)
    for name, read in (("m.npz", read_npz), ("m.mtx", read_mtx), ("m.mat", read_mat)):
        data = (tmp_path / name).read_bytes()
        for damaged in (b"", b"junk", data[: len(data) // 2], data[: len(data) // 8]):
            (tmp_path / name).write_bytes(damaged)
            with pytest.raises(InputError, match=f"{name} .*damaged"):
                read(tmp_path / name)


def test_pickled_objects_are_refused(tmp_path: Path) -> None:
    pickled = np.array([{"x": 1}], object)
    np.savez(tmp_path / "m.npz", format=b"csr", data=pickled, shape=(1, 1))
    write_words(tmp_path)
    with pytest.raises(InputError, match=r"m\.npz is not a sparse matrix"):
        read_npz(tmp_path / "m.npz")


def test_a_mat_file_of_something_else(tmp_path: Path) -> None:
    io.savemat(tmp_path / "m.mat", {"x": np.eye(2)})
    with pytest.raises(InputError, match="lacks the variables 'documents'"):
        read_mat(tmp_path / "m.mat")


def test_an_mtx_header_that_claims_too_much(tmp_path: Path) -> None:
    header = "%%MatrixMarket matrix coordinate integer general\n1000000000000 3 1\n1 1 1\n"
    (tmp_path / "m.mtx").write_text(header)
    write_words(tmp_path)
    with pytest.raises(InputError, match="memory"):
        read_mtx(tmp_path / "m.mtx")


@pytest.mark.parametrize(
    "claim", ["array real general\n1000000 1000000", "coordinate integer general\n3 3 900000000000"]
)
def test_an_mtx_header_that_claims_too_many_entries(tmp_path: Path, claim: str) -> None:
    (tmp_path / "m.mtx").write_text(f"%%MatrixMarket matrix {claim}\n1\n")
    write_words(tmp_path)
    with pytest.raises(InputError, match="memory"):
        read_mtx(tmp_path / "m.mtx")


SPARSE = {"data": [1, 1, 1], "indices": [0, 2, 1], "indptr": [0, 2, 3], "shape": [2, 3]}
COORDINATES = {"data": [1, 1], "row": [0, 1], "col": [0, 2], "shape": [2, 3]}


@pytest.mark.parametrize("form", ["csr", "csc"])
@pytest.mark.parametrize(
    "changes",
    [
        {"indices": [0, 2, 9]},
        {"indices": [0, -1, 1]},
        {"indptr": [0, 3, 2]},
        {"indptr": [1, 2, 3]},
        {"indptr": [0, 2, 99]},
        {"indices": [0, 2]},
        {"data": ["a", "b", "c"]},
        {"shape": [3]},
    ],
)
def test_sparse_arrays_that_make_no_matrix(tmp_path: Path, form: str, changes: dict) -> None:
    arrays = {**SPARSE, **changes}
    if form == "csc":
        arrays["shape"] = arrays["shape"][::-1]
    np.savez(tmp_path / "m.npz", format=form.encode(), **arrays)
    write_words(tmp_path, WORDS if form == "csr" else WORDS[:2])
    with pytest.raises(InputError, match=r"m\.npz .*(damaged|not counts)"):
        read_npz(tmp_path / "m.npz")


@pytest.mark.parametrize("changes", [{"row": [0, 2]}, {"col": [0, -1]}, {"col": [0, 3]}])
def test_coordinates_that_make_no_matrix(tmp_path: Path, changes: dict) -> None:
    np.savez(tmp_path / "m.npz", format=b"coo", **{**COORDINATES, **changes})
    write_words(tmp_path)
    with pytest.raises(InputError, match=r"m\.npz .*damaged"):
        read_npz(tmp_path / "m.npz")


def test_a_row_of_counts_is_no_matrix(tmp_path: Path) -> None:
    sparse.save_npz(tmp_path / "m.npz", sparse.coo_array(np.array([1, 0, 2])))
    write_words(tmp_path)
    with pytest.raises(InputError, match=r"m\.npz .*damaged"):
        read_npz(tmp_path / "m.npz")


def test_a_shape_that_claims_too_much(tmp_path: Path) -> None:
    np.savez(tmp_path / "m.npz", format=b"coo", **{**COORDINATES, "shape": [10**12, 3]})
    write_words(tmp_path)
    with pytest.raises(InputError, match="memory"):
        read_npz(tmp_path / "m.npz")


@pytest.mark.parametrize("where", ["indices", "indptr"])
def test_a_mat_file_with_numbers_out_of_range(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    write_mat(tmp_path / "m.mat")
    load = io.loadmat

    def damaged(file: object) -> dict:
        content = load(file)
        getattr(content["documents"], where)[1] = 99
        return content

    monkeypatch.setattr(io, "loadmat", damaged)
    with pytest.raises(InputError, match=r"m\.mat .*damaged"):
        read_mat(tmp_path / "m.mat")


@pytest.mark.parametrize("group", [0, 3])
def test_a_mat_file_with_a_group_that_has_no_name(tmp_path: Path, group: int) -> None:
    write_mat(tmp_path / "m.mat", newsgroups=np.array([[1, 2, group, 1]], np.uint8))
    with pytest.raises(InputError, match=r"m\.mat .*damaged"):
        read_mat(tmp_path / "m.mat")


@pytest.mark.parametrize("word", ["two\nlines", "two\rlines"])
def test_a_word_with_a_line_break_is_refused(tmp_path: Path, word: str) -> None:
    write_mat(tmp_path / "m.mat", wordlist=np.array([["a", word, "c"]], object))
    with pytest.raises(InputError, match=r"word 2 of .* m\.mat has a line break"):
        read_mat(tmp_path / "m.mat")
