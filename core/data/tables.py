"""Tables as data frames: CSV, TSV, JSON and Parquet, under the column names of the file.

A title above the header is left out. So are lines that cannot be read, if they are few; the result
lists them, and the guesses: delimiter, header, missing values.
"""

from __future__ import annotations

import csv
import io
import json
import re
import sys
import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from ..utils.errors import InputError
from ..utils.lazy import LazyModule
from ..utils.types import ProgressCallback, no_progress
from .encodings import decode
from .guesses import Guess
from .header_rows import MAX_HEADER_ROWS, PRIOR, count_header_rows, evidence_of_names
from .json_tables import flat_row, json_rows
from .limits import check_expansion, refusing_damage
from .missing import blank_missing, parse_missing
from .raw import RawTable

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa
    import pyarrow.parquet as pq
else:
    pd = LazyModule("pandas")
    pa = LazyModule("pyarrow")
    pq = LazyModule("pyarrow.parquet")

# Words in a title; a single word above a table could also be a column name.
MIN_TITLE_WORDS = 2
# Rows below the header that confirm a title: two rows of equal width are not a coincidence, and
# more than 20 add no information.
MIN_ROWS, SAMPLE_ROWS = 2, 20
# Rows above the header: a title, and notes such as the date and the author of an export.
MAX_ABOVE = 12


def is_title(row: Sequence[str]) -> bool:
    """Whether only the first cell of the first row is filled, with several words."""
    first, *others = row
    return len(first.split()) >= MIN_TITLE_WORDS and not any(map(str.strip, others))


def rows_above_header(rows: Sequence[Sequence[str]]) -> int:
    """Count the rows of a title, and of notes and empty rows below it; 0 without a certain title.

    A title (`is_title`) is certain if a header of at least two different, non-empty names follows,
    and then rows with the same number of cells. The last of ``rows`` may be blank.
    """
    if not rows or not is_title(rows[0]):
        return 0
    filled = (place for place, row in enumerate(rows) if any(cell.strip() for cell in row[1:]))
    place = next(filled, len(rows))
    header, after = rows[place : place + 1], rows[place + 1 :]
    if not header or len(after) < MIN_ROWS or place > MAX_ABOVE:
        return 0
    names = header[0]
    # A sentence with commas has a space after each comma.
    is_named = all(cell.strip() and not cell[0].isspace() for cell in names)
    is_full = len(names) > 1 and is_named and len({*names}) == len(names)
    if not is_full or any(len(row) != len(names) for row in after):
        return 0
    return place if evidence_of_names(names, after, PRIOR).nats > 0 else 0


TABLE_SUFFIXES = frozenset({".csv", ".tsv", ".json", ".jsonl", ".ndjson", ".parquet"})
DELIMITERS = (",", ";", "\t", "|")
DELIMITER_NAMES = {
    ",": "commas",
    ";": "semicolons",
    "\t": "tabs",
    "|": "vertical bars",
    " ": "spaces",
}
# Names by which an option gives a delimiter; "none" reads each line as a single cell.
NAMED_DELIMITERS = {
    "comma": ",",
    "semicolon": ";",
    "tab": "\t",
    "\\t": "\t",
    "bar": "|",
    "space": " ",
    "none": "\x1e",
}
NO_DELIMITER = NAMED_DELIMITERS["none"]
# Beginning of a text from which the delimiter is guessed.
SNIFFED_ROWS, SNIFFED_CHARACTERS = 200, 400_000
# Integers from here on have no type of their own in a table.
MAX_INTEGER = 2**63
# Share of the rows with as many cells as the first that a delimiter requires, and the share of the
# lines of a .txt file that makes it a table.
MIN_REGULAR, MIN_REGULAR_TXT = 0.5, 0.95
# Cells on which the guess of the header is based.
HEADER_CELLS = 200_000
# First line that Excel reads as the delimiter of the table.
_SEP_LINE = re.compile(r'\s*"?sep=(.|\\t)"?[ \t]*(?:\r\n|\r|\n|$)', re.IGNORECASE)
# Quotation mark after a backslash, except before a doubled one, which the standard rule explains.
_ESCAPED = r'(?<!\\)((?:\\\\)*)\\"(?!"(?!{}|[\r\n]|$))'
_LINES = re.compile(r"(\d+)(?:-(\d+))?")
# Each column is examined for its role; a wider table is a matrix in another format.
MAX_COLUMNS = 2_000
# Rows of Parquet that are unpacked before their size is checked.
ROWS_AT_ONCE = 1_024
# Bytes of a cell in a table, in addition to its content.
POINTER_BYTES = 8
ROWS_BETWEEN_REPORTS = 5_000
# Lines that cannot be read are left out if the table has at least this number of rows for each of
# them; with more such lines, the file has another format than expected.
ROWS_PER_BROKEN = 20
# Added after the last line; it becomes a row of its own unless a quotation mark is still open.
_END = "\0"
# The limit of the csv module applies to the whole process, so only one thread may change it.
_FIELD_LIMIT = threading.Lock()
# Characters that make a line of text, or a row of a table, non-empty.
_FILLING, _IN_ROW = re.compile(r"\S"), re.compile(r"[^\r\n]")
# Line numbers in a guess.
LINES_LISTED = 5
# Characters of a title in a message.
MAX_TITLE = 80


@dataclass(frozen=True)
class TableOptions:
    """How to read a table; None for what is guessed.

    Attributes
    ----------
    header : str, optional
        "yes" if the first row contains the column names, "no" without them, or the line of
        the file that contains them ("3"; "1-3" for several lines of names). Lines above are left
        out.
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


def parse_delimiter(given: str | None) -> str | None:
    """Character of a delimiter that is given by its name or as itself.

    Raises InputError if it is neither.
    """
    if given is None:
        return None
    delimiter = NAMED_DELIMITERS.get(given.strip().lower() or given, given)
    if len(delimiter) != 1 or delimiter in '"\r\n\0':
        raise InputError(
            f"the delimiter is {given!r}; give one character, or comma, semicolon, tab, bar, space "
            "or none"
        )
    return delimiter


def _header_lines(given: str | None) -> range | None:
    """Lines of the header; an empty range for none, and None if it is guessed or the first row."""
    if given is None or given == "yes":
        return None
    if given == "no":
        return range(0)
    found = _LINES.fullmatch(given)
    first, last = (int(found[1]), int(found[2] or found[1])) if found else (0, 0)
    if not 0 < first <= last < first + 10:
        raise InputError(
            f"the header is {given!r}; give yes, no, or the lines with the column names, such as 1 "
            "or 1-3"
        )
    return range(first, last + 1)


class _Row(NamedTuple):
    """Cells of a row, and the lines of the file, from 1, that contain it."""

    lines: range
    cells: list[str]


Item = TypeVar("Item", _Row, tuple[int, str])


def read_table(
    name: str,
    data: bytes,
    encoding: str | None = None,
    progress: ProgressCallback = no_progress,
    options: TableOptions | None = None,
) -> RawTable:
    """Read a table by the extension of its name; ``progress`` is a callback.

    Raises InputError if the file is empty, or more than one line for `ROWS_PER_BROKEN` rows cannot
    be read. The message names the first such line, or the first line of the file if most lines
    differ from it.
    """
    options = options or TableOptions()
    options.check()
    suffix = "." + name.lower().rpartition(".")[2]
    broken, title, guesses = _BrokenLines(), "", list[Guess]()
    if suffix == ".parquet":
        table = _read_parquet(name, data, progress)
    elif suffix in (".json", ".jsonl", ".ndjson"):
        text = decode(data, name, encoding, guesses)
        table = _read_json(name, text, progress, broken, guesses)
    else:
        text = decode(data, name, encoding, guesses)
        return table_of_text(name, text, guesses, progress, options)
    return _raw_table(name, table, title, broken, guesses, options)


def table_of_text(
    name: str,
    text: str,
    guesses: list[Guess],
    progress: ProgressCallback = no_progress,
    options: TableOptions | None = None,
) -> RawTable:
    """Read a table whose cells are separated by a delimiter; see `read_table`."""
    options, broken = options or TableOptions(), _BrokenLines()
    table, title = _read_delimited(name, text, progress, broken, guesses, options)
    return _raw_table(name, table, title, broken, guesses, options)


def _raw_table(
    name: str,
    table: pd.DataFrame,
    title: str,
    broken: _BrokenLines,
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
        reason = "" if options.missing else "the usual marks of R, SQL, Excel and pandas"
        guesses.append(Guess("empty cells marked as", listed + more, reason, "missing"))
    if broken.lines:
        listed = ", ".join(map(str, broken.lines[:LINES_LISTED]))
        listed += " …" * (len(broken.lines) > LINES_LISTED)
        guesses.append(Guess("lines left out", listed, broken.first))
    return RawTable(table, name, tuple(broken.lines), broken.first, title, tuple(guesses))


def _is_filled(cell: Any) -> bool:
    if isinstance(cell, str):
        return cell.strip() != ""
    return not (pd.api.types.is_scalar(cell) and pd.isna(cell))


class _BrokenLines:
    """Lines that cannot be read, and the message about the first of them."""

    def __init__(self) -> None:
        self.lines: list[int] = []
        self.first = ""

    def add(self, lines: Iterable[int], message: str) -> None:
        self.first = self.first or message
        self.lines.extend(lines)

    def check(self, n_rows: int) -> None:
        """Raise the error of the first line unless nearly the whole file can be read."""
        if len(self.lines) * ROWS_PER_BROKEN > n_rows:
            raise InputError(self.first)


def split_lines(text: str) -> list[str]:
    """Lines of a text with any kind of line ends; form feeds and similar characters end no line."""
    lines = _with_plain_ends(text).split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def filled_lines(text: str, filling: re.Pattern[str] = _FILLING) -> Iterator[tuple[int, str]]:
    """Non-blank lines of `split_lines` with their numbers from 0.

    A line is blank if the pattern ``filling``, which matches one character other than a line end,
    does not occur in it. Runs of blank lines are skipped at once: a hundred million empty lines
    take about a second.
    """
    text = _with_plain_ends(text)
    number = end = 0
    while found := filling.search(text, end):
        begin = text.rfind("\n", end, found.start()) + 1 or end
        number += text.count("\n", end, begin)
        end = text.find("\n", found.start())
        end = len(text) if end < 0 else end
        yield number, text[begin:end]


def _with_plain_ends(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _read_parquet(name: str, data: bytes, progress: ProgressCallback) -> pd.DataFrame:
    with refusing_damage(f"{name} is not a Parquet file or is damaged; export it again"):
        file = pq.ParquetFile(io.BytesIO(data))
        width = len(file.schema_arrow)
        _check_width(name, width)
        # Repeated values take almost no space in the file, so the size of the file is no measure.
        check_expansion(name, POINTER_BYTES * file.metadata.num_rows * width)
        batches, size, rows = [], 0, 0
        for batch in file.iter_batches(ROWS_AT_ONCE):
            size += batch.nbytes
            rows += batch.num_rows
            check_expansion(name, size)
            batches.append(batch)
            progress(rows / file.metadata.num_rows)
        whole = pa.Table.from_batches(batches, schema=file.schema_arrow)
        table: pd.DataFrame = whole.to_pandas(ignore_metadata=True)
    return table


def _read_json(
    name: str,
    text: str,
    progress: ProgressCallback,
    broken: _BrokenLines,
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
        _check_width(name, len(columns))
        rows.append(flat)
        places.append(place)

    if found is not None:
        where, objects = found
        guesses.append(Guess("form", where, "the file is one JSON value"))
        for place, row in enumerate(objects):
            add(place, row)
    else:
        for place, (number, line) in enumerate(_with_progress(filled_lines(text), text, progress)):
            try:
                row = json.loads(line)
            except (ValueError, RecursionError):
                row = None
            if isinstance(row, dict):
                add(place, row)
                continue
            broken.add(
                [number + 1],
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


def _check_width(name: str, n_columns: int) -> None:
    if n_columns > MAX_COLUMNS:
        raise InputError(
            f"{name} has more than {MAX_COLUMNS:,} columns; leave out those that are no text, or "
            "give a matrix of counts as .npz or .mtx"
        )


def _without_title(text: str, delimiter: str) -> tuple[str, str]:
    """Title above the header, or "", and the text with empty lines in place of what is above it."""
    beginning = [line for _, line in islice(filled_lines(text), 2)]
    if len(beginning) < 2:
        return "", text
    lines, ends, rows = list[str](), list[int](), list[list[str]]()
    with _long_fields():
        if not is_title(next(csv.reader(beginning, delimiter=delimiter))):
            return "", text

        def recorded_lines() -> Iterator[str]:
            for _, line in filled_lines(text):
                lines.append(line)
                yield f"{line}\n"

        reader = csv.reader(recorded_lines(), delimiter=delimiter)
        for row in islice(reader, SAMPLE_ROWS):
            ends.append(reader.line_num)
            rows.append(row)
    n_above = rows_above_header(rows)
    if not n_above:
        return "", text
    begin = 0
    for line in lines[: ends[n_above - 1]]:
        begin = text.index(line, begin) + len(line)
    begin = text.index(lines[ends[n_above - 1]], begin)
    text = _IN_ROW.sub("", text[:begin]) + text[begin:]
    title = "".join(sign for sign in " ".join(rows[0][0].split()) if sign.isprintable())
    return title if len(title) <= MAX_TITLE else f"{title[: MAX_TITLE - 1]}…", text


def is_table_text(text: str) -> bool:
    """Whether a .txt file is a table: nearly all rows have the same number of cells.

    Excel writes such files with tabs, as "Unicode text". Commas and spaces are delimiters only if
    the first line begins with a quotation mark, as R writes tables.
    """
    if _SEP_LINE.match(text):
        return True
    _, first_line = next(filled_lines(text), (0, ""))
    sample = text[:SNIFFED_CHARACTERS]
    for delimiter in "\t;|, " if first_line.startswith('"') else "\t;|":
        if delimiter not in first_line.strip():
            continue
        if len(_sampled_rows(sample, delimiter, is_cut=False)) < MIN_ROWS + 1:
            continue
        share, width = _regularity(sample, delimiter, is_cut=len(sample) < len(text))
        if width > 1 and share >= MIN_REGULAR_TXT:
            return True
    return False


def _sep_line(text: str) -> tuple[str, str]:
    """Delimiter in a first line ``sep=;``, or "", and the text with an empty line in its place."""
    found = _SEP_LINE.match(text)
    if found is None:
        return "", text
    delimiter = "\t" if found[1] == "\\t" else found[1]
    return delimiter, _IN_ROW.sub("", found[0]) + text[found.end() :]


def guess_delimiter(text: str, *, is_tsv: bool = False) -> tuple[str, str]:
    """Delimiter of a table and the reason; `NO_DELIMITER` if the table has a single column.

    With the right delimiter, nearly all rows have as many cells as the first. A delimiter within
    quotation marks does not count.
    """
    _, first_line = next(filled_lines(text), (0, ""))
    if is_tsv and "\t" in first_line:
        return "\t", "the name of the file ends in .tsv"
    begin = text.find(first_line)
    sample = text[begin : begin + SNIFFED_CHARACTERS]
    best: tuple[float, int, str] | None = None
    for delimiter in DELIMITERS:
        if delimiter not in sample:
            continue
        share, width = _regularity(sample, delimiter, is_cut=len(sample) < len(text) - begin)
        if width > 1 and (best is None or (share, width) > best[:2]):
            best = (share, width, delimiter)
    if best is not None and best[0] >= MIN_REGULAR:
        every = "every row" if best[0] == 1 else f"{best[0]:.0%} of the rows"
        return best[2], f"so {every} has {best[1]} cells"
    if first_line.startswith('"') and '" ' in first_line:
        share, width = _regularity(sample, " ", is_cut=len(sample) < len(text) - begin)
        if share == 1 and width > 1:
            return " ", f"so every row has {width} cells"
    frequent = max(DELIMITERS, key=first_line.count)
    if frequent in first_line:
        return frequent, "the most frequent in the first line"
    # Most rows have a delimiter, but not the first: the error about it follows.
    widths = Counter(map(len, _sampled_rows(sample, ",", is_cut=False)))
    width, count = widths.most_common(1)[0] if widths else (0, 0)
    if width > 1 and 2 * count > widths.total():
        return ",", "the most frequent in the rows"
    return NO_DELIMITER, "the first line has no delimiter"


def _regularity(sample: str, delimiter: str, *, is_cut: bool) -> tuple[float, int]:
    """Share of the rows with as many cells as the first, and this number; 0 if it is no table."""
    best = (0.0, 0)
    for text in _quotings(sample, delimiter):
        rows = _sampled_rows(text, delimiter, is_cut=is_cut)
        if not rows:
            continue
        widths = Counter(map(len, rows))
        width, count = widths.most_common(1)[0]
        n_rows = len(rows)
        if len(rows[0]) != width:
            n_above = rows_above_header(rows[:SAMPLE_ROWS])
            if n_above:
                n_rows -= n_above
            elif width == len(rows[0]) + 1 and _is_one_wider(rows, sample):
                count += 1
            else:
                continue
        best = max(best, (min(count / n_rows, 1.0), width))
    return best


def _is_one_wider(rows: Sequence[Sequence[str]], text: str) -> bool:
    """Whether the rows have row names, or an empty last cell, that the header lacks."""
    is_last_empty = len(rows[0]) > 1 and not any(row[-1].strip() for row in rows[1:])
    return is_last_empty or _has_row_names(rows, text)


def _has_row_names(rows: Sequence[Sequence[str]], text: str) -> bool:
    """Whether the rows begin with a cell that the header lacks, as R writes them."""
    width = len(rows[0]) + 1
    firsts = [row[0] for row in rows[1:] if len(row) == width]
    if len(firsts) < 2 or len(set(firsts)) < len(firsts):
        return False
    # Without quotation marks, a delimiter within the texts gives the same picture.
    lines = [line for _, line in islice(filled_lines(text), 3)]
    are_quoted = all(line.startswith('"') for line in lines)
    return are_quoted or "\t" in lines[0]


def _sampled_rows(text: str, delimiter: str, *, is_cut: bool) -> list[list[str]]:
    """Filled rows at the beginning; the last may be cut."""
    with _long_fields():
        reader = csv.reader(io.StringIO(_with_plain_ends(text)), delimiter=delimiter)
        rows = list(islice(reader, SNIFFED_ROWS))
    if is_cut and len(rows) < SNIFFED_ROWS and len(rows) > 1:
        rows.pop()
    return [row for row in rows if any(map(str.strip, row))]


def _quotings(text: str, delimiter: str) -> list[str]:
    r"""Text with ``\"`` as a quotation mark within a cell, if it occurs, and the text as it is."""
    if '\\"' not in text:
        return [text]
    # Paths of Windows end in a backslash, before the mark that closes the cell.
    if not re.search(rf'\\"(?!{re.escape(delimiter)}|[\r\n]|$)', text):
        return [text]
    pattern = _ESCAPED.format(re.escape(delimiter))
    return [re.sub(pattern, r'\1""', text), text]


def _read_delimited(
    name: str,
    text: str,
    progress: ProgressCallback,
    broken: _BrokenLines,
    guesses: list[Guess],
    options: TableOptions,
) -> tuple[pd.DataFrame, str]:
    """Table and its title."""
    is_tsv = name.lower().endswith(".tsv")
    delimiter, text = _chosen_delimiter(text, guesses, options, is_tsv=is_tsv)
    title = ""
    if options.header is None:
        title, text = _without_title(text, delimiter)
    rows = _split_rows(name, text, progress, delimiter, is_tsv=is_tsv)
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
    is_whole = _whole_rows(name, rows, broken)
    if options.header is not None:
        n_header, reason = _rows_of_header(rows, lines), ""
    else:
        whole = [row.cells for row, kept in zip(rows, is_whole, strict=True) if kept]
        n_sampled = max(HEADER_CELLS // max(len(rows[0].cells), 1), 2 * MAX_HEADER_ROWS)
        n_header, reason = count_header_rows(whole[:n_sampled]) if is_whole[0] else (0, "")
    if has_row_names and n_header == 0:
        n_header, reason = 1, "it has no name for the row names"
    guesses.append(_header_guess(rows, n_header, reason))
    if title:
        value = f"“{title}”, left out"
        guesses.append(Guess("title above the header", value, "", "header"))
    header = [row.cells for row in rows[:n_header]]
    columns = header[0] if header else [""] * len(rows[0].cells)
    kept = {
        place: row.cells
        for place, row in enumerate(rows[n_header:])
        if is_whole[n_header + place] and not _is_header_again(row, header)
    }
    again = [row.lines.start for row in rows[n_header:] if _is_header_again(row, header)]
    if again:
        listed = ", ".join(map(str, again[:LINES_LISTED])) + " …" * (len(again) > LINES_LISTED)
        reason = "as in files that were put one below the other"
        value = f"{_line_word(again)} {listed}, left out"
        guesses.append(Guess("header again on", value, reason))
    # A name that is empty in the first row of names may be in another.
    for more in header[1:]:
        columns = [
            name if name.strip() else other for name, other in zip(columns, more, strict=True)
        ]
    return pd.DataFrame(list(kept.values()), columns=columns, index=list(kept)), title


def _chosen_delimiter(
    text: str, guesses: list[Guess], options: TableOptions, *, is_tsv: bool
) -> tuple[str, str]:
    """Delimiter that is given, in a line ``sep=;``, or guessed, and the text without this line."""
    separator, text = _sep_line(text)
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


def _add_name_of_row_names(rows: list[_Row], text: str, guesses: list[Guess]) -> bool:
    """Add a cell to the header if each row has one more: row names, or an empty last cell."""
    widths = {len(row.cells) for row in rows[1:]}
    if len(rows) < 3 or widths != {len(rows[0].cells) + 1}:
        return False
    if not any(row.cells[-1].strip() for row in rows[1:]):
        rows[0] = rows[0]._replace(cells=[*rows[0].cells, ""])
        return False
    if not _has_row_names([row.cells for row in rows], text):
        return False
    rows[0] = rows[0]._replace(cells=["", *rows[0].cells])
    reason = "each row has one cell more than the header, as R writes them"
    guesses.append(Guess("row names", "the first column", reason))
    return True


def _is_header_again(row: _Row, header: Sequence[list[str]]) -> bool:
    return bool(header) and len(row.cells) > 1 and row.cells == header[0]


def _rows_of_header(rows: Sequence[_Row], lines: range | None) -> int:
    """Number of rows in the given lines, or 1 for the first row."""
    return 1 if lines is None else sum(row.lines.start in lines for row in rows)


def _line_word(lines: Sequence[int]) -> str:
    return "line" if len(lines) == 1 else "lines"


def _header_guess(rows: Sequence[_Row], n_header: int, reason: str) -> Guess:
    if not n_header:
        return Guess("header", "none, the columns are numbered", reason, "header")
    first, last = rows[0].lines.start, rows[n_header - 1].lines.start
    if n_header == 1:
        return Guess("header", f"line {first}", reason, "header")
    more = "the names are in the first of them; the others are unlike the rows below"
    reason = f"{reason}; {more}" if reason else ""
    return Guess("header", f"lines {first} to {last}", reason, "header")


def _rows_from_line(name: str, rows: list[_Row], lines: range) -> list[_Row]:
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
    rows = _split_rows(name, text, no_progress, delimiter, is_tsv=is_tsv)
    broken = _BrokenLines()
    _whole_rows(name, rows, broken)
    broken.check(0)
    return [(row.lines.start, row.cells) for row in rows]


def _split_rows(
    name: str, text: str, progress: ProgressCallback, delimiter: str, *, is_tsv: bool
) -> list[_Row]:
    """Non-blank rows with any number of fields."""
    if next(filled_lines(text), None) is None:
        raise InputError(f"{name} is empty; give a file with a header and at least one row")
    with _long_fields():
        if is_tsv and delimiter == "\t":
            rows = _tsv_rows(name, text, progress)
        elif '"' in text:
            rows = _best_quoted_rows(name, text, progress, delimiter)
        else:
            rows = list(_with_progress(_plain_rows(name, text, delimiter), text, progress))
    width = len(rows[0].cells)
    _check_width(name, width)
    # In a table of several columns, a line of spaces is blank.
    return [row for row in rows if width == 1 or len(row.cells) > 1 or row.cells[0].strip()]


def _best_quoted_rows(
    name: str, text: str, progress: ProgressCallback, delimiter: str
) -> list[_Row]:
    r"""Rows with ``\"`` as a quotation mark within a cell, or literally, whichever breaks fewer."""
    readings: list[list[_Row]] = []
    failure: InputError | None = None
    for version in _quotings(text, delimiter):
        try:
            quoted = _quoted_rows(name, version, delimiter)
            readings.append(list(_with_progress(quoted, text, progress)))
        except InputError as error:
            failure = error
    if not readings:
        raise failure or InputError(f"{name} cannot be read; export it again")
    return min(readings, key=_lines_broken)


def _tsv_rows(name: str, text: str, progress: ProgressCallback) -> list[_Row]:
    """Rows with quotation marks read literally or as quotes, whichever breaks fewer lines."""
    plain = [
        _Row(
            range(number + 1, number + 2),
            [_unquoted(cell) for cell in line.split("\t")],
        )
        for number, line in filled_lines(text)
    ]
    n_broken = _lines_broken(plain)
    if n_broken and '"' in text:
        try:
            quoted = list(_quoted_rows(name, text, "\t"))
        except InputError:
            # An unclosed quotation mark is literal, unless too many lines are broken in that case.
            if n_broken * ROWS_PER_BROKEN > len(plain):
                raise
        else:
            plain = quoted if _lines_broken(quoted) < n_broken else plain
    return list(_with_progress(plain, text, progress))


def _lines_broken(rows: Sequence[_Row]) -> int:
    width = len(rows[0].cells)
    return sum(len(row.lines) for row in rows if len(row.cells) != width)


def _whole_rows(name: str, rows: Sequence[_Row], broken: _BrokenLines) -> list[bool]:
    """Whether each row has as many fields as the first; the lines of other rows are broken.

    Raises InputError if most rows differ from the first.
    """
    width = len(rows[0].cells)
    common, n_common = Counter(len(row.cells) for row in rows).most_common(1)[0]
    advice = "put quotation marks around fields that hold the delimiter or a line break"
    if common != width and 2 * n_common > len(rows):
        raise InputError(
            f"line {rows[0].lines.start} of {name} has {_fields(width)} where most have {common}; "
            f"take it out if it is a title, or {advice}"
        )
    is_whole = [len(row.cells) == width for row in rows]
    for row, whole in zip(rows, is_whole, strict=True):
        if not whole:
            broken.add(
                row.lines,
                f"line {row.lines.start} of {name} has {_fields(len(row.cells))} where line "
                f"{rows[0].lines.start} has {width}; {advice}",
            )
    return is_whole


def _fields(count: int) -> str:
    return "1 field" if count == 1 else f"{count:,} fields"


@contextmanager
def _long_fields() -> Iterator[None]:
    """Let the csv module read fields of any length within the block."""
    with _FIELD_LIMIT:
        before = csv.field_size_limit(min(sys.maxsize, 2**31 - 1))
        try:
            yield
        finally:
            csv.field_size_limit(before)


def _with_progress(rows: Iterable[Item], text: str, progress: ProgressCallback) -> Iterator[Item]:
    """The same rows; ``progress`` receives the fraction of the lines that is done."""
    n_lines = text.count("\n") + text.count("\r") - text.count("\r\n") + 1
    for done, row in enumerate(rows, start=1):
        yield row
        if done % ROWS_BETWEEN_REPORTS == 0:
            progress((row.lines.start if isinstance(row, _Row) else row[0]) / n_lines)


def _plain_rows(name: str, text: str, delimiter: str) -> Iterator[_Row]:
    """Rows of a table without quotation marks, in which each line is a row."""
    lines = list(filled_lines(text, _IN_ROW))
    rows = csv.reader((line for _, line in lines), delimiter=delimiter)
    for (number, _), row in zip(lines, rows, strict=True):
        yield _Row(range(number + 1, number + 2), row)


def _quoted_rows(name: str, text: str, delimiter: str) -> Iterator[_Row]:
    """Rows with their lines, with quotation marks read as in RFC 4180."""
    # As a file, so that the lines are not all in memory as separate strings.
    lines = io.StringIO(_with_plain_ends(text).removesuffix("\n") + "\n")
    reader = csv.reader(chain(lines, [_END]), delimiter=delimiter)
    starts_on = 1
    for row in reader:
        if row == [_END]:
            return
        if row and row[-1].endswith(_END):
            raise InputError(
                f"a quotation mark that opens on line {starts_on} of {name} is never closed; "
                "close it"
            )
        if row:
            yield _Row(range(starts_on, reader.line_num + 1), row)
        starts_on = reader.line_num + 1


def _unquoted(cell: str) -> str:
    is_quoted = len(cell) > 1 and cell[0] == cell[-1] == '"'
    return cell[1:-1].replace('""', '"') if is_quoted else cell
