"""Corpora on disk: a folder of four files, written atomically and checked when it is read."""

from __future__ import annotations

import hashlib
import io
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from ..data.columns import STANDARD, normal_table
from ..data.corpus import Corpus
from ..data.recipe import recipe_from_dict, recipe_to_dict
from ..data.report import ImportReport, stored_report
from ..data.tables import data_frame
from ..utils.errors import InputError
from ..utils.lazy import LazyModule
from ..utils.read_only import writer
from ..utils.types import Int32Array, Int64Array
from .atomic import new_folder, write_bytes, write_json, write_npz
from .reading import (
    check_seal,
    damaged,
    read_json,
    read_npz,
    read_stored,
    sealed,
    sha256,
    stored_version,
    vocabulary_bytes,
)

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa
    import pyarrow.parquet as pq

    from ..model.topic_model import Run
else:
    pd = LazyModule("pandas")
    pa = LazyModule("pyarrow")
    pq = LazyModule("pyarrow.parquet")

CORPUS_VERSION = 2
# Corpora of version 1 have no seal.
FIRST_SEALED = 2
CORPUS_FORMAT = "orrery corpus"
CONTENT_FILES = ("documents.parquet", "tokens.npz", "vocabulary.txt")
# Whole texts of the documents, only in a corpus of passages. Earlier versions ignore it.
WHOLE_TEXTS = "whole_texts.parquet"


@writer
def save_corpus(corpus: Corpus, folder: str | Path, report: ImportReport | None = None) -> None:
    """Write a corpus folder atomically, with a report of its import, by default `Corpus.report`.

    Raises InputError if ``folder`` exists already.
    """
    report = report or corpus.report
    with new_folder(Path(folder)) as partial:
        write_bytes(partial / "documents.parquet", _documents_bytes(corpus.documents))
        # Under the names of `scipy.sparse.load_npz`.
        arrays = {
            "format": np.array(b"csr"),
            "shape": np.array([corpus.n_documents, corpus.n_tokens], np.int64),
            "indptr": corpus.token_ptr,
            "indices": corpus.token_idx,
            "data": np.ones(len(corpus.token_idx), np.uint8),
        }
        write_npz(partial / "tokens.npz", arrays)
        write_bytes(partial / "vocabulary.txt", vocabulary_bytes(corpus.vocabulary))
        files = [*CONTENT_FILES]
        if corpus.whole_texts:
            table = pd.DataFrame(corpus.whole_texts.items(), columns=["id", "text"])
            write_bytes(partial / WHOLE_TEXTS, _documents_bytes(table))
            files.append(WHOLE_TEXTS)
        description = {
            "format": CORPUS_FORMAT,
            "version": CORPUS_VERSION,
            "documents": corpus.n_documents,
            "vocabulary": corpus.n_tokens,
            "ones": len(corpus.token_idx),
            "recipe": recipe_to_dict(corpus.recipe),
            "dropped_ids": list(corpus.dropped_ids),
            "hashes": {name: sha256((partial / name).read_bytes()) for name in files},
            "report": None if report is None else report.as_dict(),
        }
        write_json(partial / "corpus.json", sealed(description))


def load_corpus(folder: str | Path) -> Corpus:
    """Read a corpus folder and check it against its hashes.

    Raises InputError if the folder is missing, is not a corpus or has another version, or if a file
    in it is missing or damaged.
    """
    place = Path(folder)
    description = read_description(place)
    hashes = description["hashes"]
    table = _read_documents(place / "documents.parquet", hashes["documents.parquet"])
    vocabulary = _read_vocabulary(place / "vocabulary.txt", hashes["vocabulary.txt"])
    if len(vocabulary) != description.get("vocabulary"):
        raise damaged(place / "vocabulary.txt")
    pointer, indices = _read_tokens(place / "tokens.npz", hashes["tokens.npz"], len(vocabulary))
    if len(pointer) != len(table) + 1:
        raise damaged(place / "tokens.npz")
    return Corpus(
        token_ptr=pointer,
        token_idx=indices,
        vocabulary=vocabulary,
        documents=table,
        recipe=recipe_from_dict(description["recipe"]),
        dropped_ids=tuple(str(name) for name in description["dropped_ids"]),
        whole_texts=_read_whole_texts(place / WHOLE_TEXTS, hashes.get(WHOLE_TEXTS)),
        report=stored_report(description.get("report")),
    )


def load_presence(folder: str | Path) -> tuple[sparse.csr_array, str]:
    """Read the words of each document of a corpus folder, but no texts.

    Returns
    -------
    presence : float64 csr_array, shape (n_documents, n_tokens)
        1.0 marks presence.
    fingerprint : str
        `corpus_fingerprint` of the corpus.

    Raises
    ------
    InputError
        As `load_corpus`.
    """
    place = Path(folder)
    hashes = read_description(place)["hashes"]
    vocabulary = _read_vocabulary(place / "vocabulary.txt", hashes["vocabulary.txt"])
    pointer, indices = _read_tokens(place / "tokens.npz", hashes["tokens.npz"], len(vocabulary))
    shape = (len(pointer) - 1, len(vocabulary))
    presence = sparse.csr_array((np.ones(len(indices)), indices, pointer), shape=shape)
    return presence, _fingerprint(vocabulary, pointer, indices)


def read_description(folder: str | Path) -> dict[str, Any]:
    """Read ``corpus.json``: counts, recipe, hashes and the import report, without the documents.

    Raises InputError if the folder is not a corpus, or a corpus that this version cannot read.
    """
    place = Path(folder)
    # A damaged record may contain an invalid path, for which `Path.is_dir` raises an error.
    if not os.path.isdir(place):
        raise InputError(f"there is no corpus folder {place}; check the name or import it first")
    path = place / "corpus.json"
    if not path.is_file():
        raise InputError(f"{place} is not a corpus folder; make one with orrery import")
    description = read_json(path)
    version = stored_version(description, CORPUS_FORMAT)
    if version is None:
        raise InputError(f"{place} is not a corpus folder; make one with orrery import")
    if not 1 <= version <= CORPUS_VERSION:
        raise InputError(
            f"{place} is a corpus of version {version}, and this Orrery reads 1 to "
            f"{CORPUS_VERSION}; import its source again"
        )
    check_seal(path, description, is_needed=version >= FIRST_SEALED)
    types = {"recipe": dict, "hashes": dict, "dropped_ids": list}
    is_whole = all(isinstance(description.get(name), kind) for name, kind in types.items())
    if not is_whole or not all(
        isinstance(description["hashes"].get(name), str) for name in CONTENT_FILES
    ):
        raise damaged(path)
    return description


def content_name(folder: str | Path) -> str:
    """Hash of the content of a corpus in 20 digits, independent of its path (InputError)."""
    hashes = read_description(folder)["hashes"]
    return sha256("".join(hashes[name] for name in CONTENT_FILES).encode())[:20]


def _documents_bytes(documents: pd.DataFrame) -> bytes:
    buffer = io.BytesIO()
    table = pa.Table.from_pandas(documents, preserve_index=False)
    # Without the pandas metadata, the bytes depend only on the documents.
    pq.write_table(table.replace_schema_metadata(None), buffer, compression="zstd")
    return buffer.getvalue()


def _read_whole_texts(path: Path, expected_hash: object) -> dict[str, str]:
    """Whole texts by id; empty if the corpus has no passages."""
    if not isinstance(expected_hash, str):
        return {}
    data = read_stored(path, expected_hash)
    try:
        table = pq.read_table(io.BytesIO(data), columns=["id", "text"]).to_pydict()
        return dict(zip(map(str, table["id"]), map(str, table["text"]), strict=True))
    except (pa.ArrowException, OSError, KeyError):
        raise damaged(path) from None


def _read_documents(path: Path, expected_hash: str) -> pd.DataFrame:
    data = read_stored(path, expected_hash)
    try:
        table = data_frame(pq.read_table(io.BytesIO(data)))
    except (pa.ArrowException, OSError):
        raise damaged(path) from None
    if not set(STANDARD) <= set(table.columns):
        raise damaged(path)
    return normal_table(table)


def _read_vocabulary(path: Path, expected_hash: str) -> tuple[str, ...]:
    try:
        words = read_stored(path, expected_hash).decode("utf-8").split("\n")
    except UnicodeDecodeError:
        raise damaged(path) from None
    if words.pop() != "" or not words or len(set(words)) != len(words):
        raise damaged(path)
    return tuple(words)


def _read_tokens(path: Path, expected_hash: str, n_tokens: int) -> tuple[Int64Array, Int32Array]:
    arrays = read_npz(path, expected_hash)
    pointer, indices = arrays.get("indptr"), arrays.get("indices")
    if pointer is None or indices is None or not _is_token_matrix(pointer, indices, n_tokens):
        raise damaged(path)
    return pointer.astype(np.int64), indices.astype(np.int32)


def _is_token_matrix(pointer: npt.NDArray[Any], indices: npt.NDArray[Any], n_tokens: int) -> bool:
    """Whether these arrays are documents by tokens, with strictly ascending columns in each row."""
    for array in (pointer, indices):
        if array.ndim != 1 or not np.issubdtype(array.dtype, np.integer):
            return False
    # Differences of unsigned integers are never negative.
    pointer = pointer.astype(np.int64)
    if not len(pointer) or pointer[0] != 0 or pointer[-1] != len(indices):
        return False
    if (np.diff(pointer) < 0).any() or ((indices < 0) | (indices >= n_tokens)).any():
        return False
    rises = np.diff(indices.astype(np.int64)) > 0
    starts = pointer[1:-1]
    rises[starts[(starts > 0) & (starts < len(indices))] - 1] = True
    return bool(rises.all())


def corpus_fingerprint(corpus: Corpus) -> str:
    """Hash of the parts of a corpus that affect training: its vocabulary and tokens."""
    return _fingerprint(corpus.vocabulary, corpus.token_ptr, corpus.token_idx)


def _fingerprint(vocabulary: tuple[str, ...], token_ptr: Int64Array, token_idx: Int32Array) -> str:
    digest = hashlib.sha256(vocabulary_bytes(vocabulary))
    digest.update(token_ptr.tobytes())
    digest.update(token_idx.tobytes())
    return digest.hexdigest()


def is_trained_on(folder: Path, corpus: Corpus) -> bool:
    """Whether the run in a folder was trained on exactly these documents, in this order.

    A corpus with the same vocabulary may contain other documents, or another order of them.
    """
    return start_fingerprint(folder) == corpus_fingerprint(corpus)


def training_corpus(run: Run) -> Corpus | None:
    """Corpus that a run was trained on; None if it is missing or has changed."""
    try:
        corpus = load_corpus(run.corpus_path)
    except InputError:
        return None
    return corpus if is_trained_on(run.folder, corpus) else None


def start_fingerprint(folder: Path) -> str:
    """Fingerprint of the corpus at the start of a run; "" if it is not stored."""
    try:
        return str(read_npz(folder / "start.npz")["fingerprint"])
    except (InputError, KeyError):
        return ""
