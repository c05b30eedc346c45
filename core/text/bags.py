"""Bags of words as text files: the UCI collection's docword and Blei's LDA-C."""

from __future__ import annotations

from array import array
from pathlib import Path

import numpy as np
from scipy import sparse

from orrery.core.arrays import Int64Array
from orrery.core.errors import InputError
from orrery.core.text.encodings import decode
from orrery.core.text.limits import check_memory, read_source
from orrery.core.text.matrices import make_raw_matrix, read_labels, read_vocabulary
from orrery.core.text.raw import RawMatrix
from orrery.core.text.tables import split_lines

UCI_HEADER_LINES = 3


def read_uci(path: Path, encoding: str | None = None) -> RawMatrix:
    """Read ``docword.NAME.txt`` (D, W, NNZ, then document, word, count from 1), ``vocab.NAME.txt``.

    Raises
    ------
    InputError
        If a line is not as it should be (it is named), or lines are missing.
    """
    vocabulary = read_vocabulary(path, [path.name.replace("docword", "vocab", 1)], encoding)
    lines = split_lines(decode(read_source(path), path.name, "ascii"))
    header = [_whole_numbers(line, 1) for line in lines[:UCI_HEADER_LINES]]
    if len(header) < UCI_HEADER_LINES or None in header:
        raise InputError(
            f"{path.name} does not begin with the numbers of documents, words and entries; "
            "expected the UCI bag-of-words format"
        )
    n_documents, n_words, n_entries = (int(row[0]) for row in header if row is not None)
    entries = _uci_entries(path.name, lines[UCI_HEADER_LINES:], n_documents, n_words)
    if len(entries) != n_entries:
        raise InputError(
            f"{path.name} announces {n_entries} entries and holds {len(entries)}; "
            "it is cut short, so fetch it again"
        )
    check_memory(path.name, 8 * n_documents)
    counts = sparse.csr_array(
        (entries[:, 2], (entries[:, 0] - 1, entries[:, 1] - 1)), shape=(n_documents, n_words)
    )
    return make_raw_matrix(path.name, counts, vocabulary, read_labels(path, encoding))


def _uci_entries(name: str, lines: list[str], n_documents: int, n_words: int) -> Int64Array:
    flat = array("q")
    for number, line in enumerate(lines, start=UCI_HEADER_LINES + 1):
        row = _whole_numbers(line, 3)
        if row is None or not (0 < row[0] <= n_documents and 0 < row[1] <= n_words):
            raise InputError(
                f"line {number} of {name} is {line[:40]!r}; expected document (1 to "
                f"{n_documents}), word (1 to {n_words}) and count"
            )
        flat.extend(row)
    return np.array(flat, dtype=np.int64).reshape(-1, 3)


def _whole_numbers(line: str, how_many: int) -> list[int] | None:
    cells = line.split()
    if len(cells) != how_many or not all(cell.isdecimal() and len(cell) < 19 for cell in cells):
        return None
    return [int(cell) for cell in cells]


def read_lda_c(path: Path, encoding: str | None = None) -> RawMatrix:
    """Read a ``.dat`` file with lines ``N word:count word:count …`` (from 0), ``vocab.txt`` beside.

    Raises
    ------
    InputError
        If a line is not as it should be; it is named.
    """
    vocabulary = read_vocabulary(path, ["vocab.txt", "vocabulary.txt"], encoding)
    words, counts, row_ends = array("q"), array("q"), array("q", [0])
    for number, line in enumerate(split_lines(decode(read_source(path), path.name)), start=1):
        pairs = _lda_c_pairs(line, len(vocabulary))
        if pairs is None:
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
    return make_raw_matrix(path.name, matrix, vocabulary, read_labels(path, encoding))


def _lda_c_pairs(line: str, n_words: int) -> list[list[int]] | None:
    """Pairs of word and count; None where the line does not keep to the format."""
    announced, *cells = line.split() or ["0"]
    pairs = [_whole_numbers(cell.replace(":", " ", 1), 2) for cell in cells]
    kept = [pair for pair in pairs if pair is not None and pair[0] < n_words]
    return kept if announced == str(len(kept)) and len(kept) == len(pairs) else None
