"""Whole numbers from text, and CSV files that are safe to open in a spreadsheet."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .lazy import LazyModule

if TYPE_CHECKING:
    import pandas as pd
else:
    pd = LazyModule("pandas")

# Larger numbers are mistakes, and Python refuses to read thousands of digits.
MAX_DIGITS = 9


def read_whole_number(text: str) -> int | None:
    """Whole number that a text consists of; None for other text and for more than 9 digits."""
    is_number = text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS
    return int(text) if is_number else None


# Characters that begin a formula, also in full width, and characters that a spreadsheet skips.
_FORMULA = re.compile("'*[=+\\-@\t\r\n＝＋－＠]")


def guarded(text: str) -> str:
    """Text with an apostrophe in front if a spreadsheet would read it as a formula."""
    return f"'{text}" if _FORMULA.match(text) else text


def unguarded(text: str) -> str:
    """Inverse of `guarded`."""
    return text[1:] if text.startswith("'") and _FORMULA.match(text) else text


def csv_bytes(table: pd.DataFrame) -> bytes:
    """Return a table as CSV with `guarded` texts, in UTF-8 with a byte order mark for Excel."""
    safe = table.apply(_guarded_column)
    safe.columns = [guarded(str(name)) for name in table.columns]
    return bytes(safe.to_csv(index=False, lineterminator="\n").encode("utf-8-sig"))


def _guarded_column(column: pd.Series) -> pd.Series:
    types = pd.api.types
    if types.is_numeric_dtype(column) or types.is_datetime64_any_dtype(column):
        return column
    return column.astype(object).map(lambda cell: guarded(cell) if isinstance(cell, str) else cell)
