"""UCI and LDA-C bags of words; a broken line is named."""

from pathlib import Path

import pytest

from orrery.core.data.matrices import read_lda_c, read_uci
from orrery.core.utils.errors import InputError

UCI = "4\n3\n4\n1 1 2\n1 3 1\n3 2 5\n4 1 1\n"
LDA_C = "2 0:2 2:1\n0\n1 1:5\n1 0:1\n"
DENSE = [[2, 0, 1], [0, 0, 0], [0, 5, 0], [1, 0, 0]]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("vocab.kos.txt", "vocab.txt"):
        (tmp_path / name).write_text("alpha\nbeta\ngamma\n")
    return tmp_path


def write(folder: Path, name: str, content: str) -> Path:
    (folder / name).write_text(content)
    return folder / name


def test_both_formats_give_the_same_matrix(folder: Path) -> None:
    for raw in (
        read_uci(write(folder, "docword.kos.txt", UCI)),
        read_lda_c(write(folder, "x.dat", LDA_C)),
    ):
        assert raw.counts.toarray().tolist() == DENSE
        assert raw.vocabulary == ("alpha", "beta", "gamma")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "does not begin with the numbers"),
        ("4\nx\n4\n", "does not begin with the numbers"),
        (UCI.replace("3 2 5", "3 4 5"), r"line 6 of docword\.kos\.txt is '3 4 5'"),
        (UCI.replace("3 2 5", "0 2 5"), "line 6"),
        (UCI.replace("3 2 5", "3 2"), "line 6"),
        (UCI.replace("3 2 5", "3 2 -5"), "line 6"),
        (UCI[:-6], "announces 4 entries and holds 3"),
        ("4\n2\n0\n", "has 2 columns for 3 words"),
    ],
)
def test_broken_uci(folder: Path, content: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_uci(write(folder, "docword.kos.txt", content))


@pytest.mark.parametrize(
    "line", ["1 3:1", "2 0:1", "1 0:x", "1 0", "x", "1 0:1 1:1", "1 -1:1", "1 0:1:1"]
)
def test_broken_lda_c(folder: Path, line: str) -> None:
    with pytest.raises(InputError, match=r"line 2 of x\.dat"):
        read_lda_c(write(folder, "x.dat", f"0\n{line}\n"))


def test_missing_words_are_requested(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"needs its words in vocab\.nips\.txt"):
        read_uci(write(tmp_path, "docword.nips.txt", UCI))
    with pytest.raises(InputError, match=r"needs its words in vocab\.txt"):
        read_lda_c(write(tmp_path, "x.dat", LDA_C))
