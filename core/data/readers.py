"""Entry point for all sources: from a path to documents or a ready-made matrix."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ..utils.errors import InputError
from ..utils.lazy import LazyModule
from ..utils.types import ProgressCallback, no_progress
from .columns import (
    ColumnChoice,
    arrange_columns,
    columns_of_dates,
    guess_columns,
    normal_table,
    refuse_columns,
    resolve_columns,
    with_ordered_dates,
)
from .encodings import decode
from .folders import read_folder, read_zip
from .limits import check_name, read_source, shown_name
from .matrices import read_lda_c, read_mat, read_mtx, read_npz, read_uci
from .raw import RawDocuments, RawMatrix, RawTable
from .tables import TABLE_SUFFIXES, filled_lines, read_table

if TYPE_CHECKING:
    import pandas as pd
else:
    pd = LazyModule("pandas")

MATRIX_READERS: dict[str, Callable[[Path, str | None], RawMatrix]] = {
    ".npz": read_npz,
    ".mtx": read_mtx,
    ".dat": read_lda_c,
    ".mat": lambda path, _: read_mat(path),
}
PREVIEW_ROWS = 8


@dataclass(frozen=True, eq=False)
class ColumnPreview:
    """Information that a user needs to choose columns."""

    columns: tuple[str, ...]  # names of the columns; empty if the source has no columns
    rows: pd.DataFrame  # first rows under these names, or as id, text and label
    # Columns that the import would use by default; None for a column that cannot be guessed.
    guess: ColumnChoice
    dates: tuple[str, ...] = ()  # date columns, the most likely first


def read_documents(
    source: str | Path,
    *,
    text_column: str | tuple[str, ...] | None = None,
    id_column: str | None = None,
    label_column: str | None = None,
    title_column: str | None = None,
    date_column: str | None = None,
    encoding: str | None = None,
    date_order: str | None = None,
) -> RawDocuments | RawMatrix:
    """Read the documents of a source in any supported format.

    Parameters
    ----------
    source : str or Path
        See `open_source`.
    text_column, id_column, label_column : str, optional
        Columns of a table; guessed by default. Several text columns (a tuple of names, or names
        separated by commas) are joined. The empty string means no such column: ids are then row
        numbers, and no document has a label.
    title_column, date_column : str, optional
        Columns of a table; stored as ``title`` and ``date``. By default, all columns keep their
        names, and pages look for a title and a date among them by name (`COLUMN_NAMES`). The empty
        string means no such column.
    encoding : str, optional
        Encoding of the text; guessed by default.
    date_order : str, optional
        Order of the numbers of a date such as 5/3/21: ``dmy``, ``mdy`` or ``ymd``. Dates are then
        stored as 2021-03-05. By default, each column determines its order.

    Raises
    ------
    InputError
        If the source cannot be read.
    """
    choice = ColumnChoice(text_column, id_column, label_column, date_column, title_column)
    path = _path_of(source)
    # Checked before reading, except for an archive, whose content is not known yet.
    if path.suffix.lower() not in (*TABLE_SUFFIXES, ".zip"):
        refuse_columns(shown_name(path), choice)
    opened = open_source(source, encoding=encoding)
    if not isinstance(opened, RawTable):
        refuse_columns(shown_name(path), choice)
    raw = documents_of(opened, choice)
    if date_order is None:
        return raw
    return replace(raw, table=with_ordered_dates(raw.table, date_order))


def open_source(
    source: str | Path, *, encoding: str | None = None, progress: ProgressCallback = no_progress
) -> RawTable | RawDocuments | RawMatrix:
    """Read a source by its file extension; the columns of a table get their roles later.

    Raises InputError if the source cannot be read.

    Parameters
    ----------
    source : str or Path
        ``.txt`` (one document per line), ``.csv``, ``.tsv``, ``.jsonl``, ``.parquet``, ``.zip``, a
        folder of text files, or a matrix: ``.npz``, ``.mtx``, ``docword.*.txt``, ``.dat``,
        ``.mat``.
    encoding : str, optional
        Encoding of the text; guessed by default.
    progress : callable
        Progress callback; receives the fraction of a table that is read.
    """
    path = _path_of(source)
    suffix = path.suffix.lower()
    try:
        is_folder = path.is_dir()
    except OSError:
        # Without permission to inspect the path, `read_source` raises the error below.
        is_folder = False
    if is_folder:
        return read_folder(path, encoding)
    if suffix in MATRIX_READERS:
        return MATRIX_READERS[suffix](path, encoding)
    if suffix == ".txt" and path.name.startswith("docword."):
        return read_uci(path, encoding)
    data = read_source(path)
    if suffix in TABLE_SUFFIXES:
        return read_table(path.name, data, encoding, progress)
    if suffix == ".zip":
        return read_zip(path.name, data, encoding, progress)
    if suffix == ".txt":
        # A document for every line that is not blank; its id is the 0-based line number.
        text = decode(data, path.name, encoding)
        lines = [(str(number), line) for number, line in filled_lines(text)]
        if not lines:
            raise InputError(f"{path.name} is empty; give a file with a document on each line")
        table = pd.DataFrame(lines, columns=["id", "text"])
        return RawDocuments(normal_table(table.assign(label=None)))
    raise InputError(
        f"{path.name} is of no kind that can be imported; give .txt, .csv, .tsv, .jsonl, .parquet, "
        ".zip, a folder of text files, or a matrix (.npz, .mtx, .dat, .mat, docword.*.txt)"
    )


def documents_of(
    opened: RawTable | RawDocuments | RawMatrix, choice: ColumnChoice
) -> RawDocuments | RawMatrix:
    """Documents of an opened source; ``choice`` assigns the columns of a table.

    Raises InputError if a column is missing, the text column cannot be guessed, or an id occurs
    twice.
    """
    if isinstance(opened, RawTable):
        resolved = resolve_columns(opened.table, choice, opened.name)
        table = arrange_columns(opened.table, resolved, opened.name)
        return RawDocuments(
            table,
            text_columns=tuple(resolved.text or ()),
            broken_lines=opened.broken_lines,
            why_broken=opened.why_broken,
            title=opened.title,
            guesses=opened.guesses,
        )
    return opened


def preview_columns(opened: RawTable | RawDocuments | RawMatrix) -> ColumnPreview:
    """First rows of an opened source and a guess of its columns, for the user to confirm."""
    rows = opened.table.head(PREVIEW_ROWS)
    if isinstance(opened, RawTable):
        names = tuple(str(name) for name in opened.table.columns)
        guess, dates = guess_columns(opened.table), tuple(columns_of_dates(opened.table))
        return ColumnPreview(names, rows, guess, dates)
    return ColumnPreview((), rows, ColumnChoice("text", "id", "label"))


def _path_of(source: str | Path) -> Path:
    if not str(source).strip():
        raise InputError("the source has no name; name a file or a folder")
    check_name(Path(source))
    return Path(source)
