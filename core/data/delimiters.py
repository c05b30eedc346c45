"""Recognition of the delimiter of a table, of a title above it, and of tables among text files."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from ..utils.errors import InputError
from .header_rows import PRIOR, evidence_of_names
from .table_rows import IN_ROW, Row, filled_lines, long_fields, quotings, with_plain_ends

# Words in a title; a single word above a table could also be a column name.
MIN_TITLE_WORDS = 2
# Rows below the header that confirm a title: two rows of equal width are not a coincidence, and
# more than 20 add no information.
MIN_ROWS, SAMPLE_ROWS = 2, 20
# Rows below the header for each row with another number of cells, which may have a stray delimiter.
ROWS_PER_OTHER = 10
# Rows above the header: a title, and notes such as the date and the author of an export.
MAX_ABOVE = 12


def is_title(row: Sequence[str]) -> bool:
    """Whether only the first cell of the first row is filled, with several words."""
    first, *others = row
    return len(first.split()) >= MIN_TITLE_WORDS and not any(map(str.strip, others))


def rows_above_header(rows: Sequence[Sequence[str]]) -> int:
    """Count the rows of a title, and of notes and empty rows below it; 0 without a certain title.

    A title (`is_title`) is certain if a header of at least two different, non-empty names follows,
    and then rows with the same number of cells, with few exceptions. The last of ``rows`` may be
    blank.
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
    whole = [row for row in after if len(row) == len(names)]
    if not is_full or (len(after) - len(whole)) * ROWS_PER_OTHER > len(after):
        return 0
    return place if evidence_of_names(names, whole, PRIOR).nats > 0 else 0


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
# Share of the rows with as many cells as the first that a delimiter requires, and the share of the
# lines of a .txt file that makes it a table.
MIN_REGULAR, MIN_REGULAR_TXT = 0.5, 0.95
# First line that Excel reads as the delimiter of the table.
_SEP_LINE = re.compile(r'\s*"?sep=(.|\\t)"?[ \t]*(?:\r\n|\r|\n|$)', re.IGNORECASE)
# Characters of a title in a message.
MAX_TITLE = 80


class Regularity(NamedTuple):
    """Share of the rows with as many cells as the first, this number, and the numbers of rows."""

    share: float
    width: int  # 0 if the text is no table
    n_regular: int = 0
    n_rows: int = 0  # rows from the header on
    is_part: bool = False  # more rows follow


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


def without_title(text: str, delimiter: str) -> tuple[str, str]:
    """Title above the header, or "", and the text with empty lines in place of what is above it."""
    beginning = [line for _, line in islice(filled_lines(text), 2)]
    if len(beginning) < 2:
        return "", text
    lines, ends, rows = list[str](), list[int](), list[list[str]]()
    with long_fields():
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
    return _title_of(rows[:n_above]), IN_ROW.sub("", text[:begin]) + text[begin:]


def rows_without_title(rows: list[Row]) -> tuple[str, list[Row]]:
    """Title above the header, or "", and the rows from the header on."""
    n_above = rows_above_header([row.cells for row in rows[:SAMPLE_ROWS]])
    return _title_of([row.cells for row in rows[:n_above]]), rows[n_above:]


def _title_of(rows: Sequence[Sequence[str]]) -> str:
    cells = (" ".join(cell.split()) for row in rows for cell in row if cell.strip())
    title = "".join(sign for sign in " / ".join(cells) if sign.isprintable())
    return title if len(title) <= MAX_TITLE else f"{title[: MAX_TITLE - 1]}…"


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
        found = _regularity(sample, delimiter, is_cut=len(sample) < len(text))
        if found.width > 1 and found.share >= MIN_REGULAR_TXT:
            return True
    return False


def sep_line(text: str) -> tuple[str, str]:
    """Delimiter in a first line ``sep=;``, or "", and the text with an empty line in its place."""
    found = _SEP_LINE.match(text)
    if found is None:
        return "", text
    delimiter = "\t" if found[1] == "\\t" else found[1]
    return delimiter, IN_ROW.sub("", found[0]) + text[found.end() :]


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
    best: tuple[Regularity, str] | None = None
    # Spaces delimit only quoted cells, as R writes them, and then in every row.
    is_spaced = first_line.startswith('"') and '" ' in first_line
    for delimiter in (*DELIMITERS, " ") if is_spaced else DELIMITERS:
        if delimiter not in sample:
            continue
        found = _regularity(sample, delimiter, is_cut=len(sample) < len(text) - begin)
        if delimiter == " " and found.share < 1:
            continue
        if found.width > 1 and (best is None or found[:2] > best[0][:2]):
            best = (found, delimiter)
    if best is not None and best[0].share >= MIN_REGULAR:
        return best[1], _reason_of(best[0])
    frequent = max(DELIMITERS, key=first_line.count)
    if frequent in first_line:
        return frequent, "the most frequent in the first line"
    # Most rows have a delimiter, but not the first: the error about it follows.
    widths = Counter(map(len, _sampled_rows(sample, ",", is_cut=False)))
    width, count = widths.most_common(1)[0] if widths else (0, 0)
    if width > 1 and 2 * count > widths.total():
        return ",", "the most frequent in the rows"
    return NO_DELIMITER, "the first line has no delimiter"


def _reason_of(found: Regularity) -> str:
    """Clause with the number of rows that have the same number of cells."""
    rows = f"the first {found.n_rows:,} rows" if found.is_part else f"{found.n_rows:,} rows"
    if found.n_regular < found.n_rows:
        return f"so {found.n_regular:,} of {rows} have {found.width} cells"
    return f"so {f'each of {rows}' if found.is_part else 'every row'} has {found.width} cells"


def _regularity(sample: str, delimiter: str, *, is_cut: bool) -> Regularity:
    """How many of the rows have as many cells as the first."""
    best = Regularity(0.0, 0)
    for text in quotings(sample, delimiter):
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
        count = min(count, n_rows)
        is_part = is_cut or len(rows) == SNIFFED_ROWS
        best = max(best, Regularity(count / n_rows, width, count, n_rows, is_part))
    return best


def _is_one_wider(rows: Sequence[Sequence[str]], text: str) -> bool:
    """Whether the rows have row names, or an empty last cell, that the header lacks."""
    is_last_empty = len(rows[0]) > 1 and not any(row[-1].strip() for row in rows[1:])
    return is_last_empty or has_row_names(rows, text)


def has_row_names(rows: Sequence[Sequence[str]], text: str) -> bool:
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
    with long_fields():
        reader = csv.reader(io.StringIO(with_plain_ends(text)), delimiter=delimiter)
        rows = list(islice((row for row in reader if any(map(str.strip, row))), SNIFFED_ROWS))
    if is_cut and len(rows) < SNIFFED_ROWS and len(rows) > 1:
        rows.pop()
    return rows
