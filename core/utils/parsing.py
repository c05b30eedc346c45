"""A whole number as people type it, and as an address or a name has it.

Texts in CSV files that people open in a spreadsheet: none is taken for a formula.
"""

from __future__ import annotations

import re

import pandas as pd
from pandas.api.types import is_datetime64_any_dtype, is_numeric_dtype

# Nobody means more, and Python refuses to read thousands of digits.
MOST_DIGITS = 9


def read_whole_number(text: str) -> int | None:
    """Whole number that a text says, None where it says anything else, or far too much."""
    is_one = text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS
    return int(text) if is_one else None


# What spreadsheets read a formula after, also in its full-width form, and what they skip before it.
_FORMULA = re.compile("'*[=+\\-@\t\r\n＝＋－＠]")


def guarded(text: str) -> str:
    """The text, behind an apostrophe where a spreadsheet would take it for a formula."""
    return f"'{text}" if _FORMULA.match(text) else text


def unguarded(text: str) -> str:
    """The text that was `guarded`; any other as it is."""
    return text[1:] if text.startswith("'") and _FORMULA.match(text) else text


def csv_bytes(table: pd.DataFrame) -> bytes:
    """A table as CSV whose texts are `guarded`, with a mark of its encoding, which Excel needs."""
    safe = table.apply(_guarded_column)
    safe.columns = [guarded(str(name)) for name in table.columns]
    return bytes(safe.to_csv(index=False, lineterminator="\n").encode("utf-8-sig"))


def _guarded_column(column: pd.Series) -> pd.Series:
    if is_numeric_dtype(column) or is_datetime64_any_dtype(column):
        return column
    return column.astype(object).map(lambda cell: guarded(cell) if isinstance(cell, str) else cell)
