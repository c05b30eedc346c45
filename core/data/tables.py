"""Whether the first row of a table is a title above the header, the header, or a document.

Tables: CSV, TSV, JSON lines and Parquet as a data frame under the file's own names.

A few lines of many that cannot be read are left out, and it is known which; so is a title above
the header.
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
from itertools import chain, islice
from typing import Any, NamedTuple, TypeVar

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from ..utils.errors import InputError
from ..utils.progress import Watch, unwatched
from .encodings import decode, storable_text
from .limits import check_expansion
from .raw import RawTable

# A cell of the first row with more words than this is a sentence, not the name of a column.
LONGEST_NAME = 10
# A single word above a table is as well the name of a column.
FEWEST_TITLE_WORDS = 2
# Two rows as wide as the header are no accident; more than so many tell nothing new.
FEWEST_ROWS, ROWS_LOOKED_AT = 2, 20
_NUMBER = re.compile(r"[-+]?\d+([.,]\d+)?")


def is_header(row: Sequence[str]) -> bool:
    """Whether the first row names columns: it has no numbers and no sentences."""
    names = [cell.strip() for cell in row]
    return any(names) and not any(
        _NUMBER.fullmatch(name) or len(name.split()) > LONGEST_NAME for name in names
    )


def is_title(row: Sequence[str]) -> bool:
    """Whether the first row has a single filled cell, the first, of several words."""
    first, *others = row
    return len(first.split()) >= FEWEST_TITLE_WORDS and not any(map(str.strip, others))


def rows_above_header(rows: Sequence[Sequence[str]]) -> int:
    """Count the rows of a title and the empty ones below it; 0 where there is no title for sure.

    Below a title (`is_title`) stands a header of at least two columns, all named and differently,
    and below that rows of as many cells.

    Parameters
    ----------
    rows : sequence of sequence of str
        The first of a table; the last of them may be blank.
    """
    if not rows or not is_title(rows[0]):
        return 0
    filled = (place for place, row in enumerate(rows) if place and any(map(str.strip, row)))
    place = next(filled, len(rows))
    header, after = rows[place : place + 1], rows[place + 1 :]
    if not header or not _is_full_header(header[0]) or len(after) < FEWEST_ROWS:
        return 0
    return place if all(len(row) == len(header[0]) for row in after) else 0


def _is_full_header(row: Sequence[str]) -> bool:
    # Sentences with commas in them have a blank after each.
    is_named = all(cell.strip() and not cell[0].isspace() for cell in row)
    return len(row) > 1 and is_named and is_header(row) and len({*row}) == len(row)


TABLE_SUFFIXES = frozenset({".csv", ".tsv", ".jsonl", ".ndjson", ".parquet"})
DELIMITERS = (",", ";", "\t", "|")
# Every column is looked at for what it may hold; a table of more is a matrix of another format.
MOST_COLUMNS = 2_000
# Rows of Parquet that are unpacked before their size is looked at.
ROWS_AT_ONCE = 1_024
# What a cell takes in a table, besides what it holds.
POINTER_BYTES = 8
ROWS_BETWEEN_REPORTS = 5_000
# Lines that cannot be read are left out where there are at least so many rows for each of them; of
# more, the file is not what it seems.
ROWS_PER_BROKEN = 20
# Follows the last line; it arrives as a row of its own unless a quotation mark stands open.
_END = "\0end of file"
# The limit of the csv module is the process's: only one thread may have moved it.
_FIELD_LIMIT = threading.Lock()
# What makes a line of text, or a row of a table, more than an empty one.
_FILLING, _IN_ROW = re.compile(r"\S"), re.compile(r"[^\r\n]")
# Of a title so much is repeated to a person.
LONGEST_TITLE = 80


class _Row(NamedTuple):
    """Cells of a row, and the lines of the file that it stands on, from 1."""

    lines: range
    cells: list[str]


Told = TypeVar("Told", _Row, tuple[int, str])


def read_table(
    name: str, data: bytes, encoding: str | None = None, watch: Watch = unwatched
) -> RawTable:
    """Read a table by the ending of its name.

    ``watch`` is told now and then what share of it has been read, from 0 to 1.

    Raises
    ------
    InputError
        If the file is empty, or more than one line for `ROWS_PER_BROKEN` rows cannot be read; the
        first is named, or the first line where it is unlike most.
    """
    suffix = "." + name.lower().rpartition(".")[2]
    broken, title = _BrokenLines(), ""
    if suffix == ".parquet":
        table = _read_parquet(name, data, watch)
    elif suffix in (".jsonl", ".ndjson"):
        table = _read_json_lines(name, decode(data, name, encoding), watch, broken)
    else:
        is_tsv = suffix == ".tsv"
        title, text = _without_title(decode(data, name, encoding), is_tsv=is_tsv)
        table = _read_delimited(name, text, watch, broken, is_tsv=is_tsv)
    broken.check(len(table))
    table.columns = pd.Index(_column_names([str(name) for name in table.columns]))
    if table.empty:
        raise InputError(f"{name} holds no documents; give a file with at least one row")
    return RawTable(table, name, tuple(broken.lines), broken.first, title)


class _BrokenLines:
    """Lines that cannot be read, and what is said of the first."""

    def __init__(self) -> None:
        self.lines: list[int] = []
        self.first = ""

    def add(self, lines: Iterable[int], said: str) -> None:
        self.first = self.first or said
        self.lines.extend(lines)

    def check(self, n_rows: int) -> None:
        """Refuse the file for the first of them unless nearly all of it can be read."""
        if len(self.lines) * ROWS_PER_BROKEN > n_rows:
            raise InputError(self.first)


def split_lines(text: str) -> list[str]:
    """Lines of a text whatever its line ends; form feeds and the like end no line."""
    lines = _with_plain_ends(text).split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def filled_lines(text: str, filling: re.Pattern[str] = _FILLING) -> Iterator[tuple[int, str]]:
    """Those of `split_lines` that are not blank, each with its number from 0.

    What is blank is passed over as a whole: a hundred million empty lines take about a second.

    Parameters
    ----------
    text : str
    filling : pattern
        Of one character, none that ends a line; where there is one, a line is not blank.
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


def _read_parquet(name: str, data: bytes, watch: Watch) -> pd.DataFrame:
    try:
        file = pq.ParquetFile(io.BytesIO(data))
        width = len(file.schema_arrow)
        _check_width(name, width)
        # Values that repeat take next to nothing in the file, whatever it says of its size.
        check_expansion(name, POINTER_BYTES * file.metadata.num_rows * width)
        batches, size, rows = [], 0, 0
        for batch in file.iter_batches(ROWS_AT_ONCE):
            size += batch.nbytes
            rows += batch.num_rows
            check_expansion(name, size)
            batches.append(batch)
            watch(rows / file.metadata.num_rows)
        whole = pa.Table.from_batches(batches, schema=file.schema_arrow)
        table: pd.DataFrame = whole.to_pandas(ignore_metadata=True)
        return table
    except (InputError, MemoryError):
        raise
    # Types that are nested or out of range fail in many ways.
    except Exception:
        raise InputError(f"{name} is not a Parquet file or is damaged; export it again") from None


def _read_json_lines(name: str, text: str, watch: Watch, broken: _BrokenLines) -> pd.DataFrame:
    rows, places = [], []
    columns: set[str] = set()
    for place, (number, line) in enumerate(_told(filled_lines(text), text, watch)):
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            row = None
        if not isinstance(row, dict):
            broken.add(
                [number + 1],
                f"line {number + 1} of {name} is not a JSON object; write one object "
                'such as {"text": "…"} on each line',
            )
            continue
        columns.update(row)
        _check_width(name, len(columns))
        rows.append({storable_text(key): _storable_value(row[key]) for key in row})
        places.append(place)
    return pd.DataFrame(rows, index=places)


def _check_width(name: str, n_columns: int) -> None:
    if n_columns > MOST_COLUMNS:
        raise InputError(
            f"{name} has more than {MOST_COLUMNS:,} columns; leave out those that are no text, or "
            "give a matrix of counts as .npz or .mtx"
        )


def _storable_value(value: Any) -> Any:
    return storable_text(value) if isinstance(value, str) else value


def _without_title(text: str, *, is_tsv: bool) -> tuple[str, str]:
    """The title above the header, or none, and the text with empty lines in its place."""
    beginning = [line for _, line in islice(filled_lines(text), 2)]
    delimiters = ["\t" if is_tsv else _delimiter(line) for line in beginning]
    if len(beginning) < 2:
        return "", text
    lines, ends, rows = list[str](), list[int](), list[list[str]]()
    with _long_fields():
        first = next(csv.reader(beginning, delimiter=delimiters[0]))
        if not is_title(first):
            return "", text
        # A title that is alone on its line does not know what separates the cells below it.
        delimiter = delimiters[0] if len(first) > 1 else delimiters[1]
        reader = csv.reader(_kept(filled_lines(text), lines), delimiter=delimiter)
        for row in islice(reader, ROWS_LOOKED_AT):
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
    return title if len(title) <= LONGEST_TITLE else f"{title[: LONGEST_TITLE - 1]}…", text


def _kept(lines: Iterable[tuple[int, str]], kept: list[str]) -> Iterator[str]:
    """The same lines as those of a file; those that have been asked for are kept."""
    for _, line in lines:
        kept.append(line)
        yield f"{line}\n"


def _delimiter(line: str) -> str:
    """The delimiter that a line has most of; a comma if it has none."""
    return max(DELIMITERS, key=line.count)


def _read_delimited(
    name: str, text: str, watch: Watch, broken: _BrokenLines, *, is_tsv: bool
) -> pd.DataFrame:
    rows = _split_rows(name, text, watch, is_tsv=is_tsv)
    first = rows[0].cells
    begin = 1 if is_header(first) else 0
    is_whole = _whole_rows(name, rows, broken)
    kept = {place - begin: row.cells for place, row in enumerate(rows) if is_whole[place]}
    if begin:
        del kept[-1]
    columns = first if begin else [""] * len(first)
    return pd.DataFrame(list(kept.values()), columns=columns, index=list(kept))


def read_rows(name: str, text: str, *, is_tsv: bool) -> list[tuple[int, list[str]]]:
    """Rows of a delimited table, each with the line that it begins on; blank lines are none.

    Raises
    ------
    InputError
        If the text is empty, or a row has more or fewer fields than the first; the line is named.
    """
    rows, broken = _split_rows(name, text, unwatched, is_tsv=is_tsv), _BrokenLines()
    _whole_rows(name, rows, broken)
    broken.check(0)
    return [(row.lines.start, row.cells) for row in rows]


def _split_rows(name: str, text: str, watch: Watch, *, is_tsv: bool) -> list[_Row]:
    """Rows however many fields they have, none of them blank."""
    _, first_line = next(filled_lines(text), (0, None))
    if first_line is None:
        raise InputError(f"{name} is empty; give a file with a header and at least one row")
    delimiter = "\t" if is_tsv else _delimiter(first_line)
    with _long_fields():
        if is_tsv:
            rows = _tsv_rows(name, text, watch)
        else:
            read = _quoted_rows if '"' in text else _plain_rows
            rows = list(_told(read(name, text, delimiter), text, watch))
    width = len(rows[0].cells)
    _check_width(name, width)
    # A line of spaces is none of a table of several columns.
    return [row for row in rows if width == 1 or len(row.cells) > 1 or row.cells[0].strip()]


def _tsv_rows(name: str, text: str, watch: Watch) -> list[_Row]:
    """Rows as they are most whole: with quotation marks as plain signs, or understood."""
    plain = [
        _Row(range(number + 1, number + 2), [_unquote(cell) for cell in line.split("\t")])
        for number, line in filled_lines(text)
    ]
    n_broken = _lines_broken(plain)
    if n_broken and '"' in text:
        try:
            quoted = list(_quoted_rows(name, text, "\t"))
        except InputError:
            # A mark that is never closed is a plain sign, or else all after it is broken.
            if n_broken * ROWS_PER_BROKEN > len(plain):
                raise
        else:
            plain = quoted if _lines_broken(quoted) < n_broken else plain
    return list(_told(plain, text, watch))


def _lines_broken(rows: Sequence[_Row]) -> int:
    width = len(rows[0].cells)
    return sum(len(row.lines) for row in rows if len(row.cells) != width)


def _whole_rows(name: str, rows: Sequence[_Row], broken: _BrokenLines) -> list[bool]:
    """Which rows have as many fields as the first; the lines of others are broken.

    Raises
    ------
    InputError
        If it is the first that is unlike most.
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
    """Let the csv module read a field of any length, and only within the block."""
    with _FIELD_LIMIT:
        before = csv.field_size_limit(min(sys.maxsize, 2**31 - 1))
        try:
            yield
        finally:
            csv.field_size_limit(before)


def _told(rows: Iterable[Told], text: str, watch: Watch) -> Iterator[Told]:
    """The same rows; ``watch`` hears now and then what share of the lines has passed."""
    n_lines = text.count("\n") + text.count("\r") - text.count("\r\n") + 1
    for done, row in enumerate(rows, start=1):
        yield row
        if done % ROWS_BETWEEN_REPORTS == 0:
            watch((row.lines.start if isinstance(row, _Row) else row[0]) / n_lines)


def _plain_rows(name: str, text: str, delimiter: str) -> Iterator[_Row]:
    """Rows of a table without quotation marks, of which each is a line."""
    lines = list(filled_lines(text, _IN_ROW))
    rows = csv.reader((line for _, line in lines), delimiter=delimiter)
    for (number, _), row in zip(lines, rows, strict=True):
        yield _Row(range(number + 1, number + 2), row)


def _quoted_rows(name: str, text: str, delimiter: str) -> Iterator[_Row]:
    """Rows with the lines that each stands on, quotation marks understood as in RFC 4180."""
    # As a file: very many lines never stand in memory one by one.
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


def _unquote(cell: str) -> str:
    is_quoted = len(cell) > 1 and cell[0] == cell[-1] == '"'
    return cell[1:-1].replace('""', '"') if is_quoted else cell


def _column_names(given: list[str]) -> list[str]:
    """Give every column a name of its own, from the number of its place where need be."""
    names: dict[str, None] = {}
    for number, name in enumerate(map(str.strip, given), start=1):
        if not name:
            name = f"column {number}"
        while name in names:
            name += f" ({number})"
        names[name] = None
    return list(names)
