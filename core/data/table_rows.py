"""Rows of a text with a delimiter: lines, quotation marks, and lines that cannot be read."""

from __future__ import annotations

import csv
import io
import re
import sys
import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain, compress, product
from typing import NamedTuple, TypeVar

from ..utils.errors import InputError
from ..utils.types import ProgressCallback
from .guesses import Guess

# Quotation mark after a backslash, except before a doubled one, which the standard rule explains.
_ESCAPED = r'(?<!\\)((?:\\\\)*)\\"(?!"(?!{}|[\r\n]|$))'
# Each column is examined for its role; a wider table is a matrix in another format.
MAX_COLUMNS = 2_000
ROWS_BETWEEN_REPORTS = 5_000
# Characters of the parts in which a text with quotation marks is read; a line more or less.
CHARACTERS_AT_ONCE = 1_000_000
# Rows that cannot be read are left out if the table has at least this number of rows for each of
# them; with more such rows, the file has another format than expected.
ROWS_PER_BROKEN = 20
# Share of the whole rows that have at most as many lines as one row that cannot be read; such a row
# with more lines counts as several, because an open quotation mark takes in the rows below it.
SHARE_OF_LINES = 0.95
# Added after the last line; it becomes a row of its own unless a quotation mark is still open.
_END = "\0"
# The limit of the csv module applies to the whole process, so only one thread may change it.
_FIELD_LIMIT = threading.Lock()
# Characters that make a line of text, or a row of a table, non-empty.
_FILLING, IN_ROW = re.compile(r"\S"), re.compile(r"[^\r\n]")
# Quoted cell, or a part of one between doubled quotation marks.
_QUOTED = re.compile(r'"[^"]*"')


class Row(NamedTuple):
    """Cells of a row, and the lines of the file, from 1, that contain it."""

    lines: range
    cells: list[str]


Item = TypeVar("Item", Row, tuple[int, str])


class BrokenRows:
    """Rows that cannot be read, each by its lines, and the message about the first of them."""

    def __init__(self) -> None:
        self.rows: list[range] = []
        self.first = ""
        self.lines_per_row = 1  # largest usual number of lines of a row

    @property
    def lines(self) -> tuple[int, ...]:
        """All lines of the rows."""
        return tuple(chain.from_iterable(self.rows))

    def add(self, lines: range, message: str) -> None:
        """Add the lines of one row, and the message about them."""
        self.first = self.first or message
        self.rows.append(lines)

    def check(self, n_rows: int) -> None:
        """Raise the error of the first row unless nearly the whole file can be read."""
        n_broken = sum(-(-len(lines) // self.lines_per_row) for lines in self.rows)
        if n_broken * ROWS_PER_BROKEN > n_rows:
            raise InputError(self.first)


def split_lines(text: str) -> list[str]:
    """Lines of a text with any kind of line ends; form feeds and similar characters end no line."""
    lines = with_plain_ends(text).split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def filled_lines(text: str, filling: re.Pattern[str] = _FILLING) -> Iterator[tuple[int, str]]:
    """Non-blank lines of `split_lines` with their numbers from 0.

    A line is blank if the pattern ``filling``, which matches one character other than a line end,
    does not occur in it. Runs of blank lines are skipped at once: a hundred million empty lines
    take about a second.
    """
    text = with_plain_ends(text)
    number = end = 0
    while found := filling.search(text, end):
        begin = text.rfind("\n", end, found.start()) + 1 or end
        number += text.count("\n", end, begin)
        end = text.find("\n", found.start())
        end = len(text) if end < 0 else end
        yield number, text[begin:end]


def with_plain_ends(text: str) -> str:
    """Text with a line feed at the end of each line."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def check_width(name: str, n_columns: int) -> None:
    """Raise an InputError for a table with too many columns."""
    if n_columns > MAX_COLUMNS:
        raise InputError(
            f"{name} has more than {MAX_COLUMNS:,} columns; leave out those that are no text, or "
            "give a matrix of counts as .npz or .mtx"
        )


def quotings(text: str, delimiter: str) -> list[str]:
    r"""Text with ``\"`` as a quotation mark within a cell, if it occurs, and the text as it is."""
    if '\\"' not in text:
        return [text]
    # Paths of Windows end in a backslash, before the mark that closes the cell.
    if not re.search(rf'\\"(?!{re.escape(delimiter)}|[\r\n]|$)', text):
        return [text]
    pattern = _ESCAPED.format(re.escape(delimiter))
    return [re.sub(pattern, r'\1""', text), text]


def split_rows(
    name: str,
    text: str,
    progress: ProgressCallback,
    delimiter: str,
    guesses: list[Guess],
    *,
    is_tsv: bool,
) -> list[Row]:
    r"""Non-blank rows with any number of fields.

    If ``\"`` may be a quotation mark within a cell, how it was read is appended to ``guesses``.
    """
    if next(filled_lines(text), None) is None:
        raise InputError(f"{name} is empty; give a file with a header and at least one row")
    with long_fields():
        if is_tsv and delimiter == "\t":
            rows = _tsv_rows(name, text, progress)
        elif '"' in text:
            rows = _best_quoted_rows(name, text, progress, delimiter, guesses)
        else:
            rows = list(with_progress(_plain_rows(name, text, delimiter), text, progress))
    width = len(rows[0].cells)
    check_width(name, width)
    # In a table of several columns, a line of spaces is blank.
    return [row for row in rows if width == 1 or len(row.cells) > 1 or row.cells[0].strip()]


def _best_quoted_rows(
    name: str,
    text: str,
    progress: ProgressCallback,
    delimiter: str,
    guesses: list[Guess],
) -> list[Row]:
    r"""Rows of the best of the `quotings` of a text, the last of which is the text as it is.

    Of two versions, one that follows RFC 4180 throughout is read first. Otherwise the version that
    breaks fewer lines is the best. A quotation mark after a delimiter and spaces also opens a cell,
    unless this breaks more.
    """
    versions = quotings(text, delimiter)
    best: tuple[int, list[Row], Guess] | None = None
    failure: InputError | None = None
    spaced = re.compile(rf'{re.escape(delimiter)} +"')
    # Outside quoted cells, whose content is left out here.
    has_spaces = delimiter != " " and spaced.search(text) and spaced.search(_QUOTED.sub('""', text))
    ways = list(product(versions, (True, False)[not has_spaces :], [False]))
    if len(versions) > 1:
        ways = [*((version, bool(has_spaces), True) for version in reversed(versions)), *ways]
    for version, skips, strict in ways:
        try:
            quoted = _quoted_rows(name, version, delimiter, skips_spaces=skips, strict=strict)
            rows = list(with_progress(quoted, text, progress))
        except InputError as error:
            failure = error
            continue
        except csv.Error:
            continue
        n_broken = _lines_broken(rows)
        if best is None or n_broken < best[0]:
            guess = _guess_of_escapes(is_escape=version is not text, strict=strict)
            best = n_broken, rows, guess
        if n_broken == 0:
            break
    if best is None:
        raise failure or InputError(f"{name} cannot be read; export it again")
    if len(versions) > 1:
        guesses.append(best[2])
    return best[1]


def _guess_of_escapes(*, is_escape: bool, strict: bool) -> Guess:
    value = 'read as "' if is_escape else r"kept as \""
    reason = "no other reading breaks fewer lines"
    if strict:
        reason = "every quoted cell then ends before a separator or at the end of a line"
    return Guess(r"\" in cells", value, reason)


def _tsv_rows(name: str, text: str, progress: ProgressCallback) -> list[Row]:
    """Rows with quotation marks read literally or as quotes, whichever breaks fewer lines."""
    plain = [
        Row(
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
    return list(with_progress(plain, text, progress))


def _lines_broken(rows: Sequence[Row]) -> int:
    width = len(rows[0].cells)
    return sum(len(row.lines) for row in rows if len(row.cells) != width)


def whole_rows(name: str, rows: Sequence[Row], broken: BrokenRows) -> list[bool]:
    """Whether each row has as many fields as the first; other rows are added to ``broken``.

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
    n_lines = sorted(len(row.lines) for row in compress(rows, is_whole))
    broken.lines_per_row = n_lines[int(SHARE_OF_LINES * (len(n_lines) - 1))]
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
def long_fields() -> Iterator[None]:
    """Let the csv module read fields of any length within the block."""
    with _FIELD_LIMIT:
        before = csv.field_size_limit(min(sys.maxsize, 2**31 - 1))
        try:
            yield
        finally:
            csv.field_size_limit(before)


def with_progress(rows: Iterable[Item], text: str, progress: ProgressCallback) -> Iterator[Item]:
    """The same rows; ``progress`` receives the fraction of the lines that is done."""
    n_lines = text.count("\n") + text.count("\r") - text.count("\r\n") + 1
    for done, row in enumerate(rows, start=1):
        yield row
        if done % ROWS_BETWEEN_REPORTS == 0:
            progress((row.lines.start if isinstance(row, Row) else row[0]) / n_lines)


def _plain_rows(name: str, text: str, delimiter: str) -> Iterator[Row]:
    """Rows of a table without quotation marks, in which each line is a row."""
    lines = list(filled_lines(text, IN_ROW))
    rows = csv.reader((line for _, line in lines), delimiter=delimiter)
    for (number, _), row in zip(lines, rows, strict=True):
        yield Row(range(number + 1, number + 2), row)


def _quoted_rows(
    name: str, text: str, delimiter: str, *, skips_spaces: bool = False, strict: bool = False
) -> Iterator[Row]:
    """Rows with their lines, with quotation marks read as in RFC 4180.

    Raises csv.Error if ``strict`` and a quoted cell goes on after its closing quotation mark.
    """
    lines = chain(chain.from_iterable(_files_of_lines(with_plain_ends(text))), [_END])
    reader = csv.reader(lines, delimiter=delimiter, skipinitialspace=skips_spaces, strict=strict)
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
            yield Row(range(starts_on, reader.line_num + 1), row)
        starts_on = reader.line_num + 1


def _files_of_lines(text: str) -> Iterator[io.StringIO]:
    """Parts of a text, each of whole lines: a file of all would take four bytes per character.

    The last line ends too; otherwise `_END` would be part of it.
    """
    begin = 0
    while begin < len(text):
        end = text.find("\n", begin + CHARACTERS_AT_ONCE) + 1 or len(text)
        part = text[begin:end]
        yield io.StringIO(part if part.endswith("\n") else part + "\n")
        begin = end


def _unquoted(cell: str) -> str:
    is_quoted = len(cell) > 1 and cell[0] == cell[-1] == '"'
    return cell[1:-1].replace('""', '"') if is_quoted else cell
