"""Entry point for all sources: from a path to documents or a ready-made matrix."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from numbers import Integral
from pathlib import Path
from typing import TYPE_CHECKING

from ..utils.errors import InputError
from ..utils.lazy import LazyModule
from ..utils.types import ProgressCallback, no_progress
from .columns import (
    ColumnChoice,
    arrange_columns,
    columns_of_dates,
    date_columns,
    explain_columns,
    guess_columns,
    refuse_columns,
    resolve_columns,
    why_text,
    with_ordered_dates,
)
from .dates import check_order
from .files import DOCUMENT_SUFFIXES, OLD_FORMATS, is_rtf
from .folders import FOLDER, read_folder, read_single, read_txt, read_zip, refuse_options
from .limits import check_name, read_source, shown_name
from .matrices import read_lda_c, read_mat, read_mtx, read_npz, read_uci
from .office import SHEET_SUFFIXES, read_spreadsheet
from .passages import NONE, TURNS, check_rule, rule_for_one
from .raw import RawDocuments, RawMatrix, RawTable
from .tables import TABLE_SUFFIXES, TableOptions, read_table

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
    reason: str = ""  # reason for the guess of the text column


def read_documents(
    source: str | Path,
    *,
    text_column: str | Sequence[str] | None = None,
    id_column: str | None = None,
    label_column: str | None = None,
    title_column: str | None = None,
    date_column: str | None = None,
    encoding: str | None = None,
    header: str | int | None = None,
    delimiter: str | None = None,
    missing: str | None = None,
    date_order: str | None = None,
    sheet: str | None = None,
    passages: str | None = None,
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
    header, delimiter, missing : str, optional
        How to read a table; see `TableOptions`. Guessed by default. The header may be an int.
    date_order : str, optional
        Order of the numbers of a date such as 5/3/21: ``dmy``, ``mdy`` or ``ymd``. Such dates
        are then stored as 2021-03-05. By default, each column determines its order.
    sheet : str, optional
        Name of the sheet of a spreadsheet, or its number from 1; guessed by default.
    passages : str, optional
        Rule by which documents are divided into passages, for `build_corpus`: ``paragraphs``,
        ``sentences:N``, ``turns``, ``marker:TEXT`` or ``none``. By default, only a file that is one
        document is divided: at the turns of a transcript, otherwise at paragraphs.

    Raises
    ------
    InputError
        If the source cannot be read, or the rule is not valid.
    """
    lines = _header_option(header)
    _check_types(
        id_column=id_column,
        label_column=label_column,
        title_column=title_column,
        date_column=date_column,
        encoding=encoding,
        delimiter=delimiter,
        missing=missing,
        date_order=date_order,
        passages=passages,
    )
    text_columns = _text_columns(text_column)
    rule = None if passages is None else check_rule(passages)
    choice = ColumnChoice(text_columns, id_column, label_column, date_column, title_column)
    path = _path_of(source)
    # Checked before reading, except for files whose content is not known yet.
    if path.suffix.lower() not in (*TABLE_SUFFIXES, *SHEET_SUFFIXES, ".zip", ".txt"):
        refuse_columns(shown_name(path), choice)
    options = TableOptions(lines, delimiter, missing)
    opened = open_source(source, encoding=encoding, options=options, sheet=sheet, passages=rule)
    if not isinstance(opened, RawTable):
        refuse_columns(shown_name(path), choice)
    return documents_of(opened, choice, rule, date_order)


def _check_types(**given: object) -> None:
    """Raise InputError for an option that is no string."""
    for name, value in given.items():
        if not isinstance(value, str | None):
            raise InputError(f"{name} is {value!r}; expected a string")


def _header_option(given: str | int | None) -> str | None:
    """Header as `TableOptions` expects it; a line of the file may be a number."""
    if isinstance(given, Integral) and not isinstance(given, bool):
        return str(given)
    if not isinstance(given, str | None):
        raise InputError(f"header is {given!r}; expected a string or the number of a line")
    return given


def _text_columns(given: str | Iterable[str] | None) -> str | tuple[str, ...] | None:
    """Text columns as strings; InputError for anything else."""
    if isinstance(given, str | None):
        return given
    is_several = isinstance(given, Iterable) and not isinstance(given, Mapping)
    names = tuple(given) if is_several else ()
    if not names or not all(isinstance(name, str) for name in names):
        raise InputError(f"text_column is {given!r}; expected a string or a tuple of strings")
    return names


def open_source(
    source: str | Path,
    *,
    encoding: str | None = None,
    sheet: str | None = None,
    passages: str | None = None,
    progress: ProgressCallback = no_progress,
    options: TableOptions | None = None,
) -> RawTable | RawDocuments | RawMatrix:
    """Read a source by its file extension; the columns of a table get their roles later.

    Raises InputError if the source cannot be read.

    Parameters
    ----------
    source : str or Path
        ``.txt`` (one document per line, or a table), ``.csv``, ``.tsv``, ``.json``,
        ``.jsonl``, ``.parquet``, ``.xlsx``, ``.ods``, ``.docx``, ``.odt``, ``.pdf``, ``.rtf``,
        ``.html``, ``.srt``, ``.vtt``, ``.eml``, ``.mbox``, ``.zip``, a folder of such texts, or a
        matrix: ``.npz``, ``.mtx``, ``docword.*.txt``, ``.dat``, ``.mat``.
    encoding : str, optional
        Encoding of the text; guessed by default.
    sheet : str, optional
        Name of the sheet of a spreadsheet, or its number from 1; guessed by default.
    passages : str, optional
        Rule of `documents_of`; it decides whether a ``.txt`` file is one document.
    progress : callable
        Progress callback; receives the fraction of a table that is read.
    options : TableOptions, optional
        How to read a table; guessed by default.
    """
    path = _path_of(source)
    options = options or TableOptions()
    options.check()
    suffix = path.suffix.lower()
    try:
        is_folder = path.is_dir()
    except OSError:
        # Without permission to inspect the path, `read_source` raises the error below.
        is_folder = False
    is_uci = suffix == ".txt" and path.name.startswith("docword.")
    kind = FOLDER if is_folder else ".mtx" if is_uci else suffix
    refuse_options(shown_name(path), kind, encoding, options, sheet)
    if is_folder:
        return read_folder(path, encoding)
    if suffix in MATRIX_READERS:
        return MATRIX_READERS[suffix](path, encoding)
    if is_uci:
        return read_uci(path, encoding)
    return _read_file(path, encoding, options, sheet, passages or NONE, progress)


def documents_of(
    opened: RawTable | RawDocuments | RawMatrix,
    choice: ColumnChoice,
    passages: str | None = None,
    date_order: str | None = None,
) -> RawDocuments | RawMatrix:
    """Documents of an opened source; ``choice`` assigns the columns of a table.

    Parameters
    ----------
    passages : str, optional
        Rule by which `build_corpus` divides the documents (`core.data.passages.check_rule`).
        Default: only a file that is one document is divided.
    date_order : str, optional
        As in `read_documents`.

    Raises
    ------
    InputError
        If a column is missing, the text column cannot be guessed, an id occurs twice, there is no
        date column for an order, or the source is a matrix and a rule or an order is given.
    """
    if isinstance(opened, RawMatrix):
        if date_order is not None:
            raise InputError("a ready-made matrix has no dates; leave out --date-order")
        if passages not in (None, NONE):
            raise InputError("a ready-made matrix has no texts to divide; leave out --passages")
        return opened
    check_order(date_order)
    raw = _documents_of(opened, choice, date_order)
    if passages is None and not isinstance(opened, RawTable) and len(raw.table) == 1:
        # The report of the division names the rule.
        passages = rule_for_one(raw.table["text"].iloc[0])
    if passages == TURNS and not date_columns(raw.table):
        # The turns of an exported chat have dates, which are known after the division.
        return replace(raw, passages=passages, date_order=date_order)
    if date_order is not None:
        raw = replace(raw, table=with_ordered_dates(raw.table, date_order))
    return replace(raw, passages=passages or NONE)


def _documents_of(
    opened: RawTable | RawDocuments, choice: ColumnChoice, date_order: str | None
) -> RawDocuments:
    if isinstance(opened, RawTable):
        resolved = resolve_columns(opened.table, choice, opened.name)
        table = arrange_columns(opened.table, resolved, opened.name)
        return RawDocuments(
            table,
            text_columns=tuple(resolved.text or ()),
            label_column=_other_name(resolved.label, "label"),
            date_column=_other_name(resolved.date, "date"),
            broken_lines=opened.broken_lines,
            broken_rows=opened.broken_rows,
            why_broken=opened.why_broken,
            title=opened.title,
            guesses=(
                *opened.guesses,
                *explain_columns(opened.table, resolved, choice, date_order),
            ),
        )
    return opened


def _other_name(column: str | None, role: str) -> str:
    """Name of the column of a role; empty without one, or if it is named like the role."""
    return column if column and column != role else ""


def preview_columns(opened: RawTable | RawDocuments | RawMatrix) -> ColumnPreview:
    """First rows of an opened source and a guess of its columns, for the user to confirm."""
    rows = opened.table.head(PREVIEW_ROWS)
    if isinstance(opened, RawTable):
        names = tuple(str(name) for name in opened.table.columns)
        guess, dates = guess_columns(opened.table), tuple(columns_of_dates(opened.table))
        reason = why_text(opened.table, guess.text) if isinstance(guess.text, str) else ""
        return ColumnPreview(names, rows, guess, dates, reason)
    return ColumnPreview((), rows, ColumnChoice("text", "id", "label"))


def _read_file(
    path: Path,
    encoding: str | None,
    options: TableOptions,
    sheet: str | None,
    passages: str,
    progress: ProgressCallback,
) -> RawTable | RawDocuments:
    """Read a file that is no matrix by its extension."""
    suffix = path.suffix.lower()
    data = read_source(path)
    if suffix in TABLE_SUFFIXES:
        return read_table(path.name, data, encoding, progress, options)
    if suffix in SHEET_SUFFIXES:
        return read_spreadsheet(path.name, data, sheet, progress, options)
    if suffix == ".zip":
        return read_zip(path.name, data, encoding, progress, sheet, options, passages)
    if suffix in DOCUMENT_SUFFIXES or is_rtf(suffix, data):
        return read_single(path.name, data, encoding)
    if suffix == ".txt":
        return read_txt(path.name, data, encoding, options, passages, progress)
    if suffix in OLD_FORMATS:
        raise InputError(f"{path.name} cannot be read; save it as {OLD_FORMATS[suffix]}")
    raise InputError(
        f"{path.name} is of no kind that can be imported; give .txt, .csv, .tsv, .json, .jsonl, "
        ".parquet, .xlsx, .ods, .docx, .odt, .pdf, .rtf, .html, .srt, .vtt, .eml, .mbox, .zip, "
        "a folder of texts, or a matrix (.npz, .mtx, .dat, .mat, docword.*.txt)"
    )


def _path_of(source: str | Path) -> Path:
    if not str(source).strip():
        raise InputError("the source has no name; name a file or a folder")
    check_name(Path(source))
    return Path(source)
