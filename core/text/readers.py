"""The one door for sources: a path in, documents or a ready-made matrix out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from core.errors import InputError
from core.text.bags import read_lda_c, read_uci
from core.text.columns import (
    ColumnChoice,
    arrange_columns,
    guess_columns,
    normal_table,
    refuse_columns,
)
from core.text.encodings import decode
from core.text.folders import read_folder, read_zip
from core.text.limits import check_name, name_of, read_source
from core.text.matrices import read_mat, read_mtx, read_npz
from core.text.raw import RawDocuments, RawMatrix
from core.text.tables import TABLE_SUFFIXES, read_table, split_lines

MATRIX_READERS: dict[str, Callable[[Path, str | None], RawMatrix]] = {
    ".npz": read_npz,
    ".mtx": read_mtx,
    ".dat": read_lda_c,
    ".mat": lambda path, _: read_mat(path),
}
PREVIEW_ROWS = 8


@dataclass(frozen=True, eq=False)
class ColumnPreview:
    """What a person needs to choose columns.

    Attributes
    ----------
    columns : tuple of str
        Names to choose from; empty where the source has no columns.
    rows : pandas.DataFrame
        The first rows, under those names (or as id, text and label).
    guess : ColumnChoice
        Columns that the import would take by itself; None where it cannot tell.
    """

    columns: tuple[str, ...]
    rows: pd.DataFrame
    guess: ColumnChoice


def read_documents(
    source: str | Path,
    *,
    text_column: str | None = None,
    id_column: str | None = None,
    label_column: str | None = None,
    encoding: str | None = None,
) -> RawDocuments | RawMatrix:
    """Read a source of any kind that Orrery knows, by the ending of its name.

    Parameters
    ----------
    source : str or Path
        ``.txt`` (a document a line), ``.csv``, ``.tsv``, ``.jsonl``, ``.parquet``, ``.zip``, a
        folder of text files, or a matrix: ``.npz``, ``.mtx``, ``docword.*.txt``, ``.dat``,
        ``.mat``.
    text_column, id_column, label_column : str, optional
        Columns of a table; guessed where not given. The empty string says that there is none:
        ids are then row numbers, and no document has a label.
    encoding : str, optional
        Encoding of the text; found out where not given.

    Raises
    ------
    InputError
        One sentence for whatever cannot be read.
    """
    path = _path_of(source)
    choice = ColumnChoice(text_column, id_column, label_column)
    suffix = path.suffix.lower()
    if not _is_folder(path):
        if suffix in TABLE_SUFFIXES:
            table = read_table(path.name, read_source(path), encoding)
            return RawDocuments(arrange_columns(table, choice, path.name))
        if suffix == ".zip":
            return read_zip(path.name, read_source(path), choice, encoding)
    refuse_columns(name_of(path), choice)
    return _read_without_columns(path, encoding)


def _read_without_columns(path: Path, encoding: str | None) -> RawDocuments | RawMatrix:
    """Read a source of which the kind alone says what is text and what is label."""
    suffix = path.suffix.lower()
    if _is_folder(path):
        return read_folder(path, encoding)
    if suffix in MATRIX_READERS:
        return MATRIX_READERS[suffix](path, encoding)
    if suffix == ".txt" and path.name.startswith("docword."):
        return read_uci(path, encoding)
    data = read_source(path)
    if suffix == ".txt":
        return _read_lines(path.name, decode(data, path.name, encoding))
    raise InputError(
        f"{path.name} is of no kind that can be imported; give .txt, .csv, .tsv, .jsonl, .parquet, "
        ".zip, a folder of text files, or a matrix (.npz, .mtx, .dat, .mat, docword.*.txt)"
    )


def preview_columns(source: str | Path, *, encoding: str | None = None) -> ColumnPreview:
    """First rows of a source and a guess of what its columns hold, for a person to confirm.

    Raises
    ------
    InputError
        One sentence for whatever cannot be read; that the text column cannot be guessed is none.
    """
    path = _path_of(source)
    if path.suffix.lower() in TABLE_SUFFIXES and not _is_folder(path):
        table = read_table(path.name, read_source(path), encoding)
        rows, names = table.head(PREVIEW_ROWS), tuple(str(name) for name in table.columns)
        return ColumnPreview(names, rows, guess_columns(table))
    rows = read_documents(path, encoding=encoding).table.head(PREVIEW_ROWS)
    return ColumnPreview((), rows, ColumnChoice("text", "id", "label"))


def _path_of(source: str | Path) -> Path:
    if not str(source).strip():
        raise InputError("the source has no name; name a file or a folder")
    check_name(Path(source))
    return Path(source)


def _is_folder(path: Path) -> bool:
    """Whether this is a folder; of what may not be looked at, reading says why."""
    try:
        return path.is_dir()
    except OSError:
        return False


def _read_lines(name: str, text: str) -> RawDocuments:
    """Read a document from every line that is not blank; its id is the line's 0-based number."""
    lines = [(str(number), line) for number, line in enumerate(split_lines(text)) if line.strip()]
    if not lines:
        raise InputError(f"{name} is empty; give a file with a document on each line")
    table = pd.DataFrame(lines, columns=["id", "text"])
    table["label"] = None
    return RawDocuments(normal_table(table))
