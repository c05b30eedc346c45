"""Cells of a table that mark a missing value: of R, SQL, Excel, Stata and Reddit."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from ..utils.errors import InputError
from ..utils.lazy import LazyModule

if TYPE_CHECKING:
    import pandas as pd
else:
    pd = LazyModule("pandas")

# Whole cells only: the words "none" and "nil" are answers of people.
MISSING = frozenset(
    [
        "NA",
        "N/A",
        "n/a",
        "<NA>",
        "NA_character_",
        "NA_integer_",
        "NA_real_",
        "NULL",
        "null",
        "<NULL>",
        "<null>",
        "(null)",
        "(NULL)",
        "\\N",
        "NaN",
        "nan",
        "-NaN",
        "-nan",
        "NaT",
        "None",
        "#N/A",
        "#NA",
        "#N/D",
        "#NV",
        ".",
        "1.#IND",
        "-1.#IND",
        "1.#QNAN",
        "-1.#QNAN",
        "[deleted]",
        "[removed]",
        "0000-00-00",
        "0000-00-00 00:00:00",
    ]
) | {"#N/A N/A"}
# Errors of Excel in any language: #NAME?, #VALUE!, #DIV/0!, #WERT!, #¿NOMBRE?.
_ERROR = re.compile(r"#[¡¿]?[^\W\d_a-z]+(?:/0)?[!?]")


def is_missing(cell: str) -> bool:
    """Whether a whole cell marks a missing value."""
    return cell in MISSING or (cell.startswith("#") and _ERROR.fullmatch(cell) is not None)


def parse_missing(given: str | None) -> frozenset[str] | None:
    """Values that mark a missing cell, separated by commas; None for the usual ones.

    Raises InputError if one of several values is empty.
    """
    if given is None:
        return None
    values = [value.strip() for value in given.split(",")]
    if values == [""] or values == ["none"]:
        return frozenset()
    if not all(values):
        raise InputError(f"{given!r} names an empty value; separate values by single commas")
    return frozenset(values)


def blank_missing(
    table: pd.DataFrame, values: frozenset[str] | None
) -> tuple[pd.DataFrame, Counter[str]]:
    """Table with the empty string in place of missing values, and the number of each of these."""
    found: Counter[str] = Counter()
    columns = {}
    for name in table.columns:
        column = table[name]
        if pd.api.types.is_object_dtype(column) or pd.api.types.is_string_dtype(column):
            marks = _marks(column, values)
            is_marked = column.isin(list(marks))
            if marks and is_marked.any():
                found.update(column[is_marked].str.strip().tolist())
                column = column.mask(is_marked, "")
        columns[name] = column
    return (pd.DataFrame(columns) if found else table), found


def _marks(column: pd.Series, values: frozenset[str] | None) -> set[str]:
    """Cells of a column that mark a missing value, with the spaces around them."""
    # The longest mark has 13 characters; a longer cell is a text.
    short = {cell for cell in column if isinstance(cell, str) and len(cell) <= 40}
    if values is None:
        return {cell for cell in short if is_missing(cell.strip())}
    return {cell for cell in short if cell.strip() in values}
