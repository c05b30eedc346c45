"""Tables as data frames: CSV, TSV, JSON and Parquet, under the column names of the file.

A title above the header is left out. So are rows that cannot be read, if they are few; the result
lists them, and the guesses: delimiter, header, missing values.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..utils.errors import InputError
from ..utils.lazy import LazyModule
from ..utils.parsing import read_whole_number
from ..utils.types import ProgressCallback, no_progress
from .delimiters import (
    DELIMITER_NAMES,
    NO_DELIMITER,
    guess_delimiter,
    has_row_names,
    parse_delimiter,
    rows_without_title,
    sep_line,
    without_title,
)
from .encodings import decode
from .guesses import Guess
from .header_rows import MAX_HEADER_ROWS, count_header_rows, header_names
from .json_tables import flat_row, json_rows
from .limits import check_expansion, refusing_damage
from .missing import blank_missing, parse_missing
from .raw import RawTable
from .table_rows import (
    BrokenRows,
    Row,
    check_width,
    filled_lines,
    split_rows,
    whole_rows,
    with_progress,
)

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa
    import pyarrow.parquet as pq
else:
    pd = LazyModule("pandas")
    pa = LazyModule("pyarrow")
    pq = LazyModule("pyarrow.parquet")

TABLE_SUFFIXES = frozenset({".csv", ".tsv", ".json", ".jsonl", ".ndjson", ".parquet"})
# Integers from here on have no type of their own in a table.
MAX_INTEGER = 2**63
# Cells on which the guess of the header is based.
HEADER_CELLS = 200_000
_LINES = re.compile(r"(\d+)(?:-(\d+))?")
# Rows of Parquet that are unpacked before their size is checked.
ROWS_AT_ONCE = 1_024
# Bytes of a cell in a table, in addition to its content.
POINTER_BYTES = 8
# Line numbers in a guess.
LINES_LISTED = 5
# Escapes; a line end is not the beginning of \nabla or a part of C:\new, and is not escaped itself.
_ESCAPED_N = re.compile(r"(?<![\\:])\\n")
_ESCAPED_END = re.compile(r"(?<![\\:])(?:\\r)?\\n(?![a-z])")
_ESCAPED_TAB = re.compile(r"(?<![\\:])\\t(?![a-z])")
# Number of escaped line ends, and the share of the rows with one, from which they are line ends.
MIN_ESCAPED, SHARE_ESCAPED = 2, 0.05
# Cell that is a formula of Excel for a text.
_FORMULA = re.compile(r'="([^"]*)"')


@dataclass(frozen=True)
class TableOptions:
    """How to read a table; None for what is guessed.

    Attributes
    ----------
    header : str, optional
        "yes" if the first row contains the column names, "no" without them, or the line of
        the file that contains them ("3"; "1-3" for several lines of names). Lines above are left
        out. The code of a question and the question on the next line are one name.
    delimiter : str, optional
        Character between the cells, or its name: comma, semicolon, tab, bar, space; "none" if each
        line is one cell, and, for a .txt file, a document.
    missing : str, optional
        Cells that mark a missing value, separated by commas, or "none".
    """

    header: str | None = None
    delimiter: str | None = None
    missing: str | None = None

    def given(self) -> list[str]:
        """Names of the options that are set."""
        return [name for name, value in vars(self).items() if value is not None]

    def check(self) -> None:
        """Raise an InputError for a value that no table can have."""
        parse_delimiter(self.delimiter)
        parse_missing(self.missing)
        _header_lines(self.header)


def _header_lines(given: str | None) -> range | None:
    """Lines of the header; an empty range for none, and None if it is guessed or the first row."""
    if given is None or given == "yes":
        return None
    if given == "no":
        return range(0)
    found = _LINES.fullmatch(given)
    first = last = 0
    if found:
        first, last = (read_whole_number(line) or 0 for line in (found[1], found[2] or found[1]))
    if not 0 < first <= last < first + 10:
        raise InputError(
            f"the header is {given!r}; give yes, no, or the lines with the column names, such as 1 "
            "or 1-3"
        )
    return range(first, last + 1)


def read_table(
    name: str,
    data: bytes,
    encoding: str | None = None,
    progress: ProgressCallback = no_progress,
    options: TableOptions | None = None,
) -> RawTable:
    """Read a table by the extension of its name; ``progress`` is a callback.

    Raises InputError if the file is empty, or more than one row in `ROWS_PER_BROKEN` cannot be
    read. The message names the line of the first such row, or the first line of the file if most
    rows differ from it.
    """
    options = options or TableOptions()
    options.check()
    suffix = "." + name.lower().rpartition(".")[2]
    broken, guesses = BrokenRows(), list[Guess]()
    if suffix == ".parquet":
        table = _read_parquet(name, data, progress)
    elif suffix in (".json", ".jsonl", ".ndjson"):
        text = decode(data, name, encoding, guesses)
        table = _read_json(name, text, progress, broken, guesses)
    else:
        text = decode(data, name, encoding, guesses)
        return table_of_text(name, text, guesses, progress, options)
    return _raw_table(name, table, "", broken, guesses, options)


def table_of_text(
    name: str,
    text: str,
    guesses: list[Guess],
    progress: ProgressCallback = no_progress,
    options: TableOptions | None = None,
) -> RawTable:
    """Read a table whose cells are separated by a delimiter; see `read_table`."""
    options = options or TableOptions()
    is_tsv = name.lower().endswith(".tsv")
    delimiter, text = _chosen_delimiter(text, guesses, options, is_tsv=is_tsv)
    title = ""
    if options.header is None:
        title, text = without_title(text, delimiter)
    rows = split_rows(name, text, progress, delimiter, guesses, is_tsv=is_tsv)
    return _table_of_rows(name, rows, text, title, guesses, options)


def table_of_cells(
    name: str, cells: Sequence[list[str]], options: TableOptions | None = None
) -> RawTable:
    """Read a table from the rows of a sheet, which count as its lines; see `read_table`.

    All rows have the same number of cells, and at least one cell is filled.
    """
    options = options or TableOptions()
    check_width(name, len(cells[0]))
    rows = [Row(range(line, line + 1), row) for line, row in enumerate(cells, start=1) if any(row)]
    title = ""
    if options.header is None:
        title, rows = rows_without_title(rows)
    text = "\n".join(cell for row in rows for cell in row.cells)
    return _table_of_rows(name, rows, text, title, [], options)


def _raw_table(
    name: str,
    table: pd.DataFrame,
    title: str,
    broken: BrokenRows,
    guesses: list[Guess],
    options: TableOptions,
) -> RawTable:
    """Table with unique names and without missing values and columns without content."""
    broken.check(len(table))
    names: dict[str, None] = {}
    for number, given in enumerate(table.columns, start=1):
        # A unique name for each column, from its position if necessary.
        unique = str(given).strip() or f"column {number}"
        while unique in names:
            unique += f" ({number})"
        names[unique] = None
    is_named = [bool(str(given).strip()) for given in table.columns]
    table.columns = pd.Index(list(names))
    if table.empty:
        raise InputError(f"{name} holds no documents; give a file with at least one row")
    # Excel writes empty columns after the last one.
    empty = [
        column
        for column, has_name in zip(table.columns, is_named, strict=True)
        if not has_name and not any(map(_is_filled, table[column]))
    ]
    if len(empty) < len(table.columns):
        table = table.drop(columns=empty)
    table, marked = blank_missing(table, parse_missing(options.missing))
    if marked:
        listed = ", ".join(f"{mark} ({count:,})" for mark, count in marked.most_common(5))
        more = " …" if len(marked) > 5 else ""
        reason = "" if options.missing else "the usual marks of R, SQL, Excel, pandas and Reddit"
        guesses.append(Guess("empty cells marked as", listed + more, reason, "missing"))
    firsts = tuple(lines.start for lines in broken.rows)
    if firsts:
        value = f"{len(firsts):,}, on {_line_word(firsts)} {_listed_lines(firsts)}"
        if len(broken.lines) > len(firsts):
            value += f"; {len(broken.lines):,} lines in all"
        guesses.append(Guess("rows left out", value, broken.first))
    return RawTable(table, name, broken.lines, firsts, broken.first, title, tuple(guesses))


def _is_filled(cell: Any) -> bool:
    if isinstance(cell, str):
        return cell.strip() != ""
    return not (pd.api.types.is_scalar(cell) and pd.isna(cell))


def _read_parquet(name: str, data: bytes, progress: ProgressCallback) -> pd.DataFrame:
    with refusing_damage(f"{name} is not a Parquet file or is damaged; export it again"):
        file = pq.ParquetFile(io.BytesIO(data))
        schema = _without_categories(file.schema_arrow)
        width = len(schema)
        check_width(name, width)
        # Repeated values take almost no space in the file, so the size of the file is no measure.
        check_expansion(name, POINTER_BYTES * file.metadata.num_rows * width)
        batches, size, rows = [], 0, 0
        for read in file.iter_batches(ROWS_AT_ONCE):
            batch = read.cast(schema)
            size += batch.nbytes
            rows += batch.num_rows
            check_expansion(name, size)
            batches.append(batch)
            progress(rows / file.metadata.num_rows)
        return data_frame(pa.Table.from_batches(batches, schema=schema))


def data_frame(whole: pa.Table) -> pd.DataFrame:
    """Return a table of Arrow for pandas; integers beside missing values stay integers."""
    table: pd.DataFrame = whole.to_pandas(ignore_metadata=True)
    for place, column in enumerate(whole.columns):
        if pa.types.is_integer(column.type) and column.null_count:
            kind = pd.UInt64Dtype() if pa.types.is_uint64(column.type) else pd.Int64Dtype()
            whole_numbers = column.to_pandas(types_mapper=lambda _, kind=kind: kind)
            table.isetitem(place, whole_numbers.array)
    return table


def _without_categories(schema: pa.Schema) -> pa.Schema:
    """Schema with the values of categories, which have no mean and no empty string."""
    return pa.schema(
        field.with_type(field.type.value_type) if pa.types.is_dictionary(field.type) else field
        for field in schema
    )


def _read_json(
    name: str,
    text: str,
    progress: ProgressCallback,
    broken: BrokenRows,
    guesses: list[Guess],
) -> pd.DataFrame:
    """Table of JSON lines, or of an array of objects; nested objects become columns ``a.b``."""
    found = json_rows(name, text)
    rows, places = list[dict[str, object]](), list[int]()
    columns: set[str] = set()
    is_nested = False

    def add(place: int, row: dict[str, object]) -> None:
        nonlocal is_nested
        flat = flat_row(row)
        is_nested = is_nested or any(isinstance(value, dict) for value in row.values())
        columns.update(flat)
        check_width(name, len(columns))
        rows.append(flat)
        places.append(place)

    if found is not None:
        where, objects = found
        guesses.append(Guess("form", where, "the file is one JSON value"))
        for place, row in enumerate(objects):
            add(place, row)
    else:
        for place, (number, line) in enumerate(with_progress(filled_lines(text), text, progress)):
            try:
                row = json.loads(line)
            except (ValueError, RecursionError):
                row = None
            if isinstance(row, dict):
                add(place, row)
                continue
            broken.add(
                range(number + 1, number + 2),
                f"line {number + 1} of {name} is not a JSON object; write one object "
                'such as {"text": "…"} on each line',
            )
    if is_nested:
        reason = "objects within objects; the name tells where a value was"
        nested = [column for column in rows[0] if "." in column] if rows else []
        value = ", ".join(nested[:3]) + (" …" if len(nested) > 3 else "")
        guesses.append(Guess("nested columns", value or "yes", reason))
    table = pd.DataFrame(rows, index=places)
    for column in table.select_dtypes("float").columns:
        # A missing value must not turn ids of many digits into rounded numbers.
        given = [row.get(column) for row in rows]
        if all(value is None or type(value) is int for value in given):
            is_small = all(type(n) is not int or abs(n) < MAX_INTEGER for n in given)
            table[column] = pd.Series(given, index=places, dtype="Int64" if is_small else object)
    return table


def _table_of_rows(
    name: str,
    rows: list[Row],
    text: str,
    title: str,
    guesses: list[Guess],
    options: TableOptions,
) -> RawTable:
    """Table of the non-blank rows below a title; ``text`` has all their cells."""
    broken = BrokenRows()
    rows = _as_written(rows, text, guesses)
    n_empty = len(rows)
    # A line without content is blank, with delimiters or without.
    rows = [row for row in rows if any(map(str.strip, row.cells))] or rows
    n_empty -= len(rows)
    if n_empty:
        guesses.append(Guess("empty rows left out", f"{n_empty:,}", "they have no content"))
    lines = _header_lines(options.header)
    if lines:
        rows = _rows_from_line(name, rows, lines)
    has_row_names = options.header != "no" and _add_name_of_row_names(rows, text, guesses)
    is_whole = whole_rows(name, rows, broken)
    if options.header is not None:
        n_header, reason = _rows_of_header(rows, lines), ""
    else:
        whole = [row.cells for row, kept in zip(rows, is_whole, strict=True) if kept]
        n_sampled = max(HEADER_CELLS // max(len(rows[0].cells), 1), 2 * MAX_HEADER_ROWS)
        n_header, reason = count_header_rows(whole[:n_sampled]) if is_whole[0] else (0, "")
    if has_row_names and n_header == 0:
        n_header, reason = 1, "it has no name for the row names"
    header = [row.cells for row in rows[:n_header]]
    columns, where = header_names(header) if header else ([""] * len(rows[0].cells), "")
    guesses.append(_header_guess(rows, n_header, reason, where))
    if title:
        value = f"“{title}”, left out"
        guesses.append(Guess("title above the header", value, "", "header"))
    kept = {
        place: row.cells
        for place, row in enumerate(rows[n_header:])
        if is_whole[n_header + place] and not _is_header_again(row, header)
    }
    again = [row.lines.start for row in rows[n_header:] if _is_header_again(row, header)]
    if again:
        reason = "as in files that were put one below the other"
        value = f"{_line_word(again)} {_listed_lines(again)}, left out"
        guesses.append(Guess("header again on", value, reason))
    table = pd.DataFrame(list(kept.values()), columns=columns, index=list(kept))
    return _raw_table(name, table, title, broken, guesses, options)


def _as_written(rows: list[Row], text: str, guesses: list[Guess]) -> list[Row]:
    """Rows with the content of formulas and escapes in place of their notation."""
    if '="' in text:
        rows = _formulas_as_values(rows, guesses)
    if "\\n" in text:
        rows = _escapes_as_line_ends(rows, text, guesses)
    return rows


def _formulas_as_values(rows: list[Row], guesses: list[Guess]) -> list[Row]:
    """Rows with ``="007"``, which keeps the zeros of a cell in Excel, as ``007``."""
    n_found = sum(bool(_FORMULA.fullmatch(cell)) for row in rows for cell in row.cells)
    if not n_found:
        return rows
    value = f"={chr(34)}…{chr(34)} of Excel, left out of {n_found:,} cells"
    guesses.append(Guess("formulas", value))
    return [row._replace(cells=[_FORMULA.sub(r"\1", cell) for cell in row.cells]) for row in rows]


def _escapes_as_line_ends(rows: list[Row], text: str, guesses: list[Guess]) -> list[Row]:
    r"""Rows with ``\n`` of SQL and of programs as a line end; ``\nu`` of a formula is kept."""
    ends = len(_ESCAPED_END.findall(text))
    if ends < MIN_ESCAPED or 2 * ends < len(_ESCAPED_N.findall(text)):
        return rows
    n_rows = sum(any(map(_ESCAPED_END.search, row.cells)) for row in rows)
    if n_rows < SHARE_ESCAPED * len(rows):
        return rows
    reason = "most are followed by no small letter; write \\\\n for a backslash and the letter"
    guesses.append(Guess("line ends", f"written as \\n in {n_rows:,} rows", reason))
    return [row._replace(cells=[_unescaped(cell) for cell in row.cells]) for row in rows]


def _unescaped(cell: str) -> str:
    return _ESCAPED_TAB.sub("\t", _ESCAPED_END.sub("\n", cell))


def _chosen_delimiter(
    text: str, guesses: list[Guess], options: TableOptions, *, is_tsv: bool
) -> tuple[str, str]:
    """Delimiter that is given, in a line ``sep=;``, or guessed, and the text without this line."""
    separator, text = sep_line(text)
    delimiter, reason = parse_delimiter(options.delimiter), ""
    if delimiter is None and separator:
        delimiter, reason = separator, "the first line says so"
    elif delimiter is None:
        delimiter, reason = guess_delimiter(text, is_tsv=is_tsv)
    value = DELIMITER_NAMES.get(delimiter, repr(delimiter))
    if delimiter == NO_DELIMITER:
        value = "nothing, each line is one cell"
    if delimiter != NO_DELIMITER or options.delimiter:
        guesses.append(Guess("cells separated by", value, reason, "delimiter"))
    return delimiter, text


def _add_name_of_row_names(rows: list[Row], text: str, guesses: list[Guess]) -> bool:
    """Add a cell to the header if each row has one more: row names, or an empty last cell."""
    widths = {len(row.cells) for row in rows[1:]}
    if len(rows) < 3 or widths != {len(rows[0].cells) + 1}:
        return False
    if not any(row.cells[-1].strip() for row in rows[1:]):
        rows[0] = rows[0]._replace(cells=[*rows[0].cells, ""])
        return False
    if not has_row_names([row.cells for row in rows], text):
        return False
    rows[0] = rows[0]._replace(cells=["", *rows[0].cells])
    reason = "each row has one cell more than the header, as R writes them"
    guesses.append(Guess("row names", "the first column", reason))
    return True


def _is_header_again(row: Row, header: Sequence[list[str]]) -> bool:
    return bool(header) and len(row.cells) > 1 and row.cells == header[0]


def _rows_of_header(rows: Sequence[Row], lines: range | None) -> int:
    """Number of rows in the given lines, or 1 for the first row."""
    return 1 if lines is None else sum(row.lines.start in lines for row in rows)


def _line_word(lines: Sequence[int]) -> str:
    return "line" if len(lines) == 1 else "lines"


def _listed_lines(lines: Sequence[int]) -> str:
    return ", ".join(map(str, lines[:LINES_LISTED])) + " …" * (len(lines) > LINES_LISTED)


def _header_guess(rows: Sequence[Row], n_header: int, reason: str, where: str) -> Guess:
    if not n_header:
        return Guess("header", "none, the columns are numbered", reason, "header")
    first, last = rows[0].lines.start, rows[n_header - 1].lines.start
    if n_header == 1:
        return Guess("header", f"line {first}", reason, "header")
    more = f"{where}; each of them is unlike the rows below"
    reason = f"{reason}; {more}" if reason else ""
    return Guess("header", f"lines {first} to {last}", reason, "header")


def _rows_from_line(name: str, rows: list[Row], lines: range) -> list[Row]:
    """Rows from the given header on."""
    kept = [row for row in rows if row.lines.start >= lines.start]
    if not kept or kept[0].lines.start not in lines:
        raise InputError(f"line {lines.start} of {name} has no column names; name another line")
    return kept


def read_rows(name: str, text: str, *, is_tsv: bool) -> list[tuple[int, list[str]]]:
    """Rows of a delimited table with their first line numbers, without blank lines.

    Raises InputError if the text is empty, or a row has more or fewer fields than the first; the
    message names the line.
    """
    delimiter = guess_delimiter(text, is_tsv=is_tsv)[0]
    rows = split_rows(name, text, no_progress, delimiter, [], is_tsv=is_tsv)
    broken = BrokenRows()
    whole_rows(name, rows, broken)
    broken.check(0)
    return [(row.lines.start, row.cells) for row in rows]
