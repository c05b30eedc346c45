"""Tables as data frames: CSV, TSV, JSON lines and Parquet, under the column names of the file.

A title above the header is left out. So are lines that cannot be read, if they are few; the result
lists them.
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
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from ..utils.errors import InputError
from ..utils.lazy import LazyModule
from ..utils.types import ProgressCallback, no_progress
from .encodings import decode, storable_text
from .limits import check_expansion, refusing_damage
from .raw import RawTable

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa
    import pyarrow.parquet as pq
else:
    pd = LazyModule("pandas")
    pa = LazyModule("pyarrow")
    pq = LazyModule("pyarrow.parquet")

# Words in a column name; a longer cell in the first row is a sentence.
MAX_NAME_WORDS = 10
# Words in a title; a single word above a table could also be a column name.
MIN_TITLE_WORDS = 2
# Rows below the header that confirm a title: two rows of equal width are not a coincidence, and
# more than 20 add no information.
MIN_ROWS, SAMPLE_ROWS = 2, 20
_NUMBER = re.compile(r"[-+]?\d+([.,]\d+)?")


def is_header(row: Sequence[str]) -> bool:
    """Whether the first row contains column names: no numbers and no sentences."""
    names = [cell.strip() for cell in row]
    return any(names) and not any(
        _NUMBER.fullmatch(name) or len(name.split()) > MAX_NAME_WORDS for name in names
    )


def is_title(row: Sequence[str]) -> bool:
    """Whether only the first cell of the first row is filled, with several words."""
    first, *others = row
    return len(first.split()) >= MIN_TITLE_WORDS and not any(map(str.strip, others))


def rows_above_header(rows: Sequence[Sequence[str]]) -> int:
    """Count the rows of a title and the empty rows below it; 0 if there is no certain title.

    A title (`is_title`) is certain if a header of at least two different, non-empty names follows,
    and then rows with the same number of cells. The last of ``rows`` may be blank.
    """
    if not rows or not is_title(rows[0]):
        return 0
    filled = (place for place, row in enumerate(rows) if place and any(map(str.strip, row)))
    place = next(filled, len(rows))
    header, after = rows[place : place + 1], rows[place + 1 :]
    if not header or len(after) < MIN_ROWS:
        return 0
    names = header[0]
    # A sentence with commas has a space after each comma.
    is_named = all(cell.strip() and not cell[0].isspace() for cell in names)
    is_full = len(names) > 1 and is_named and is_header(names) and len({*names}) == len(names)
    return place if is_full and all(len(row) == len(names) for row in after) else 0


TABLE_SUFFIXES = frozenset({".csv", ".tsv", ".jsonl", ".ndjson", ".parquet"})
DELIMITERS = (",", ";", "\t", "|")
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
_END = "\0end of file"
# The limit of the csv module applies to the whole process, so only one thread may change it.
_FIELD_LIMIT = threading.Lock()
# Characters that make a line of text, or a row of a table, non-empty.
_FILLING, _IN_ROW = re.compile(r"\S"), re.compile(r"[^\r\n]")
# Characters of a title in a message.
MAX_TITLE = 80


class _Row(NamedTuple):
    """Cells of a row, and the lines of the file, from 1, that contain it."""

    lines: range
    cells: list[str]


Item = TypeVar("Item", _Row, tuple[int, str])


def read_table(
    name: str, data: bytes, encoding: str | None = None, progress: ProgressCallback = no_progress
) -> RawTable:
    """Read a table by the extension of its name; ``progress`` is a callback.

    Raises InputError if the file is empty, or more than one line for `ROWS_PER_BROKEN` rows cannot
    be read. The message names the first such line, or the first line of the file if most lines
    differ from it.
    """
    suffix = "." + name.lower().rpartition(".")[2]
    broken, title = _BrokenLines(), ""
    if suffix == ".parquet":
        table = _read_parquet(name, data, progress)
    elif suffix in (".jsonl", ".ndjson"):
        table = _read_json_lines(name, decode(data, name, encoding), progress, broken)
    else:
        is_tsv = suffix == ".tsv"
        title, text = _without_title(decode(data, name, encoding), is_tsv=is_tsv)
        table = _read_delimited(name, text, progress, broken, is_tsv=is_tsv)
    broken.check(len(table))
    names: dict[str, None] = {}
    for number, given in enumerate(table.columns, start=1):
        # A unique name for each column, from its position if necessary.
        unique = str(given).strip() or f"column {number}"
        while unique in names:
            unique += f" ({number})"
        names[unique] = None
    table.columns = pd.Index(list(names))
    if table.empty:
        raise InputError(f"{name} holds no documents; give a file with at least one row")
    return RawTable(table, name, tuple(broken.lines), broken.first, title)


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


def _read_json_lines(
    name: str, text: str, progress: ProgressCallback, broken: _BrokenLines
) -> pd.DataFrame:
    rows, places = [], []
    columns: set[str] = set()
    for place, (number, line) in enumerate(_with_progress(filled_lines(text), text, progress)):
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
        rows.append(
            {
                storable_text(key): storable_text(value) if isinstance(value, str) else value
                for key, value in row.items()
            }
        )
        places.append(place)
    return pd.DataFrame(rows, index=places)


def _check_width(name: str, n_columns: int) -> None:
    if n_columns > MAX_COLUMNS:
        raise InputError(
            f"{name} has more than {MAX_COLUMNS:,} columns; leave out those that are no text, or "
            "give a matrix of counts as .npz or .mtx"
        )


def _without_title(text: str, *, is_tsv: bool) -> tuple[str, str]:
    """Title above the header, or "", and the text with empty lines in place of the title."""
    beginning = [line for _, line in islice(filled_lines(text), 2)]
    delimiters = ["\t" if is_tsv else _delimiter(line) for line in beginning]
    if len(beginning) < 2:
        return "", text
    lines, ends, rows = list[str](), list[int](), list[list[str]]()
    with _long_fields():
        first = next(csv.reader(beginning, delimiter=delimiters[0]))
        if not is_title(first):
            return "", text
        # A title alone on its line contains no delimiter of the table.
        delimiter = delimiters[0] if len(first) > 1 else delimiters[1]

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


def _delimiter(line: str) -> str:
    """Most frequent delimiter of a line; a comma without any."""
    return max(DELIMITERS, key=line.count)


def _read_delimited(
    name: str, text: str, progress: ProgressCallback, broken: _BrokenLines, *, is_tsv: bool
) -> pd.DataFrame:
    rows = _split_rows(name, text, progress, is_tsv=is_tsv)
    first = rows[0].cells
    begin = 1 if is_header(first) else 0
    is_whole = _whole_rows(name, rows, broken)
    kept = {place - begin: row.cells for place, row in enumerate(rows) if is_whole[place]}
    if begin:
        del kept[-1]
    columns = first if begin else [""] * len(first)
    return pd.DataFrame(list(kept.values()), columns=columns, index=list(kept))


def read_rows(name: str, text: str, *, is_tsv: bool) -> list[tuple[int, list[str]]]:
    """Rows of a delimited table with their first line numbers, without blank lines.

    Raises InputError if the text is empty, or a row has more or fewer fields than the first; the
    message names the line.
    """
    rows, broken = _split_rows(name, text, no_progress, is_tsv=is_tsv), _BrokenLines()
    _whole_rows(name, rows, broken)
    broken.check(0)
    return [(row.lines.start, row.cells) for row in rows]


def _split_rows(name: str, text: str, progress: ProgressCallback, *, is_tsv: bool) -> list[_Row]:
    """Non-blank rows with any number of fields."""
    _, first_line = next(filled_lines(text), (0, None))
    if first_line is None:
        raise InputError(f"{name} is empty; give a file with a header and at least one row")
    delimiter = "\t" if is_tsv else _delimiter(first_line)
    with _long_fields():
        if is_tsv:
            rows = _tsv_rows(name, text, progress)
        else:
            read = _quoted_rows if '"' in text else _plain_rows
            rows = list(_with_progress(read(name, text, delimiter), text, progress))
    width = len(rows[0].cells)
    _check_width(name, width)
    # In a table of several columns, a line of spaces is blank.
    return [row for row in rows if width == 1 or len(row.cells) > 1 or row.cells[0].strip()]


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
