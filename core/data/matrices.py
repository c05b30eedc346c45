"""Readers of ready-made matrices with their vocabulary.

Formats: scipy ``.npz``, Matrix Market, Roweis's ``.mat``, UCI bag of words and Blei's LDA-C. The
``.mat`` file contains its words and labels; the others need a file of words beside them, whose
encoding is reported, and can have ``labels.txt``.
"""

from __future__ import annotations

import io
from array import array
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from ..utils.errors import InputError
from ..utils.lazy import LazyModule
from .columns import default_ids, normal_table
from .encodings import decode, has_line_break, storable_text
from .guesses import Guess
from .limits import (
    ARCHIVE_MEMORY_PER_BYTE,
    check_arrays,
    check_memory,
    check_pointer,
    read_source,
    refusing_damage,
)
from .raw import RawMatrix
from .table_rows import split_lines

if TYPE_CHECKING:
    import pandas as pd
    import scipy.io as scipy_io
else:
    pd = LazyModule("pandas")
    scipy_io = LazyModule("scipy.io")


# Names of the files beside a matrix.
WORDS, LABELS = "vocabulary.txt", "labels.txt"
LDA_C_WORDS = ["vocab.txt", WORDS]


def read_npz(path: Path, encoding: str | None = None) -> RawMatrix:
    """Read a matrix saved by ``scipy.sparse.save_npz``, with ``vocabulary.txt`` beside it."""
    data = read_source(path)
    message = "is not a sparse matrix or is damaged; save it with scipy.sparse.save_npz"
    with refusing_damage(f"{path.name} {message}"):
        check_arrays(path.name, data)
        counts = _checked(path.name, sparse.load_npz(io.BytesIO(data)))
    return _with_vocabulary(path, counts, encoding)


def read_mtx(path: Path, encoding: str | None = None) -> RawMatrix:
    """Read a Matrix Market file with ``vocabulary.txt`` beside it."""
    data = read_source(path)
    message = "is not a Matrix Market file or is damaged; write it with scipy.io.mmwrite"
    with refusing_damage(f"{path.name} {message}"):
        n_documents, n_tokens, n_entries, *_ = map(str, scipy_io.mminfo(io.BytesIO(data)))
        # A dense matrix has all its cells as entries; each takes two indices and a value.
        n_numbers = int(n_documents) + int(n_tokens) + 3 * int(n_entries)
        check_memory(path.name, 8 * n_numbers, ARCHIVE_MEMORY_PER_BYTE)
        counts = scipy_io.mmread(io.BytesIO(data))
    return _with_vocabulary(path, counts, encoding)


def read_mat(path: Path) -> RawMatrix:
    """Read a ``.mat`` file like Roweis's ``20news_w100.mat``.

    ``documents`` has tokens by documents, ``wordlist`` the tokens; ``newsgroups`` with
    ``groupnames``, if the file has them, are the labels.
    """
    data = read_source(path)
    message = (
        "lacks the variables 'documents' (tokens by documents) and 'wordlist', or is damaged; save "
        "them in MATLAB's version 5 to 7 format"
    )
    with refusing_damage(f"{path.name} {message}"):
        content = scipy_io.loadmat(io.BytesIO(data))  # type: ignore[arg-type]
        counts = _checked(path.name, content["documents"]).T
        vocabulary = _words(content["wordlist"])
        labels = None
        if "newsgroups" in content and "groupnames" in content:
            names = dict(enumerate(_words(content["groupnames"]), start=1))
            labels = [names[int(group)] for group in np.ravel(content["newsgroups"])]
    place = f"newsgroups of {path.name}"
    return make_raw_matrix(path.name, counts, vocabulary, labels, place_of_labels=place)


def _words(cells: Any) -> list[str]:
    """Words of a cell array, or of a char array, in which spaces make them equally long."""
    words = [storable_text(str(np.ravel(cell)[0])) for cell in np.ravel(cells)]
    return [word.rstrip(" ") for word in words] if cells.dtype.kind == "U" else words


def _checked(name: str, counts: Any) -> sparse.csr_array:
    """Convert a matrix to CSR after a check of its indices, which scipy's compiled code trusts.

    Raises ValueError if it is not a matrix, or its pointers or indices are out of range.
    """
    if counts.ndim != 2:
        raise ValueError("expected a matrix")
    check_memory(name, 8 * sum(counts.shape))
    # Matrices in coordinate or diagonal form have no such check; their constructors check them.
    if hasattr(counts, "check_format"):
        counts.check_format(full_check=True)
        check_pointer(counts.indptr, len(counts.indices))
    matrix = sparse.csr_array(counts)
    matrix.check_format(full_check=True)
    matrix.sum_duplicates()
    return matrix


def files_beside(path: Path) -> list[Path]:
    """Files of words and labels that are read with a matrix if they exist."""
    names = [*LDA_C_WORDS, LABELS]
    if path.name.startswith("docword."):
        names.append(_uci_words(path))
    return [path.with_name(name) for name in names]


def _with_vocabulary(path: Path, counts: Any, encoding: str | None) -> RawMatrix:
    guesses: list[Guess] = []
    vocabulary = read_vocabulary(path, [WORDS], encoding, guesses)
    labels = read_labels(path, encoding, guesses)
    return make_raw_matrix(path.name, counts, vocabulary, labels, guesses)


def read_vocabulary(
    path: Path, names: list[str], encoding: str | None, guesses: list[Guess]
) -> list[str]:
    """Words in the first existing file of these names beside a matrix, one per line.

    The encoding is appended to ``guesses``.
    """
    found = next((path.with_name(name) for name in names if path.with_name(name).is_file()), None)
    if found is None:
        raise InputError(
            f"{path.name} needs its words in {names[0]} beside it, one a line; put that file there"
        )
    return _decoded_lines(found, encoding, guesses)


def read_labels(path: Path, encoding: str | None, guesses: list[Guess]) -> list[str] | None:
    """Labels in ``labels.txt`` beside a matrix, one per line; None without that file.

    The encoding is appended to ``guesses``.
    """
    labels = path.with_name(LABELS)
    if not labels.is_file():
        return None
    return _decoded_lines(labels, encoding, guesses)


def _decoded_lines(path: Path, encoding: str | None, guesses: list[Guess]) -> list[str]:
    """Lines of a file beside a matrix; the guess of the encoding names the file."""
    found: list[Guess] = []
    lines = split_lines(decode(read_source(path), path.name, encoding, found))
    guesses += [replace(guess, what=f"{guess.what} of {path.name}") for guess in found]
    return lines


def make_raw_matrix(
    name: str,
    counts: Any,
    vocabulary: list[str],
    labels: list[str] | None,
    guesses: Sequence[Guess] = (),
    place_of_labels: str = "labels.txt",
) -> RawMatrix:
    """Check a matrix of documents by tokens against its words and labels.

    Raises InputError if the sizes do not match, a word is empty, repeated or contains a line break,
    or a count is negative or not a number.
    """
    matrix = sparse.csr_array(counts)
    matrix.sum_duplicates()
    n_documents, n_tokens = matrix.shape
    if n_tokens != len(vocabulary):
        turned = "; it seems to be tokens by documents, so transpose it"
        raise InputError(
            f"{name} has {n_tokens} columns for {len(vocabulary)} words; expected documents by "
            f"tokens{turned if n_documents == len(vocabulary) else ''}"
        )
    seen: set[str] = set()
    for number, word in enumerate(vocabulary, start=1):
        has_break = has_line_break(word)
        if has_break or not word.strip() or word in seen:
            fault = "stands twice" if word in seen else "is empty"
            fault = "has a line break" if has_break else fault
            raise InputError(
                f"word {number} of the vocabulary of {name} {fault} ({word!r}); "
                "give each column a word of its own"
            )
        seen.add(word)
    if labels is not None and len(labels) != n_documents:
        raise InputError(
            f"{place_of_labels} has {len(labels)} labels for the {n_documents} documents of "
            f"{name}; give one for each"
        )
    is_number = np.issubdtype(matrix.dtype, np.number) or matrix.dtype == bool
    if not is_number or np.iscomplexobj(matrix.data) or not (matrix.data >= 0).all():
        raise InputError(f"{name} holds values that are not counts; expected 0 or more everywhere")
    table = pd.DataFrame({"id": default_ids(n_documents), "text": "", "label": None})
    if labels is not None:
        table["label"] = labels
    return RawMatrix(matrix, tuple(vocabulary), normal_table(table), tuple(guesses))


UCI_HEADER_LINES = 3


def read_uci(path: Path, encoding: str | None = None) -> RawMatrix:
    """Read a UCI bag of words: ``docword.NAME.txt`` and ``vocab.NAME.txt``.

    The first three lines have the numbers of documents, words and entries; each other line has a
    document, a word and a count, where documents and words are numbered from 1. Raises InputError
    if lines are missing or a line is not valid; the message names it.
    """
    guesses: list[Guess] = []
    vocabulary = read_vocabulary(path, [_uci_words(path)], encoding, guesses)
    lines = split_lines(decode(read_source(path), path.name, "ascii"))
    header = [_whole_numbers(line, 1) for line in lines[:UCI_HEADER_LINES]]
    if len(header) < UCI_HEADER_LINES or None in header:
        raise InputError(
            f"{path.name} does not begin with the numbers of documents, words and entries; "
            "expected the UCI bag-of-words format"
        )
    n_documents, n_words, n_entries = (int(row[0]) for row in header if row is not None)
    flat = array("q")
    for number, line in enumerate(lines[UCI_HEADER_LINES:], start=UCI_HEADER_LINES + 1):
        row = _whole_numbers(line, 3)
        if row is None or not (0 < row[0] <= n_documents and 0 < row[1] <= n_words):
            raise InputError(
                f"line {number} of {path.name} is {line[:40]!r}; expected document (1 to "
                f"{n_documents}), word (1 to {n_words}) and count"
            )
        flat.extend(row)
    entries = np.array(flat, dtype=np.int64).reshape(-1, 3)
    if len(entries) != n_entries:
        raise InputError(
            f"{path.name} announces {n_entries} entries and holds {len(entries)}; "
            "it is cut short, so fetch it again"
        )
    check_memory(path.name, 8 * n_documents)
    counts = sparse.csr_array(
        (entries[:, 2], (entries[:, 0] - 1, entries[:, 1] - 1)), shape=(n_documents, n_words)
    )
    labels = read_labels(path, encoding, guesses)
    return make_raw_matrix(path.name, counts, vocabulary, labels, guesses)


def _uci_words(path: Path) -> str:
    return path.name.replace("docword", "vocab", 1)


def _whole_numbers(line: str, count: int) -> list[int] | None:
    """Whole numbers on a line; None if there are not exactly ``count`` of them."""
    cells = line.split()
    if len(cells) != count or not all(cell.isdecimal() and len(cell) < 19 for cell in cells):
        return None
    return [int(cell) for cell in cells]


def read_lda_c(path: Path, encoding: str | None = None) -> RawMatrix:
    """Read an LDA-C ``.dat`` file, with ``vocab.txt`` beside it.

    A line is a document: the number of its distinct words, then ``word:count`` for each of them,
    where words are numbered from 0. Raises InputError if a line is not valid; the message names it.
    """
    guesses: list[Guess] = []
    vocabulary = read_vocabulary(path, LDA_C_WORDS, encoding, guesses)
    words, counts, row_ends = array("q"), array("q"), array("q", [0])
    for number, line in enumerate(split_lines(decode(read_source(path), path.name)), start=1):
        announced, *cells = line.split() or ["0"]
        read = [_whole_numbers(cell.replace(":", " ", 1), 2) for cell in cells]
        pairs = [pair for pair in read if pair is not None and pair[0] < len(vocabulary)]
        if announced != str(len(pairs)) or len(pairs) != len(read):
            raise InputError(
                f"line {number} of {path.name} is {line[:40]!r}; expected the number of different "
                f"words, then word:count with words from 0 to {len(vocabulary) - 1}"
            )
        for word, count in pairs:
            words.append(word)
            counts.append(count)
        row_ends.append(len(words))
    matrix = sparse.csr_array(
        tuple(np.array(column, dtype=np.int64) for column in (counts, words, row_ends)),
        shape=(len(row_ends) - 1, len(vocabulary)),
    )
    labels = read_labels(path, encoding, guesses)
    return make_raw_matrix(path.name, matrix, vocabulary, labels, guesses)
