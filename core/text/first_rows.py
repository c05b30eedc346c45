"""Whether the first row of a table is a title above the header, the header, or a document."""

from __future__ import annotations

import re
from collections.abc import Sequence

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
