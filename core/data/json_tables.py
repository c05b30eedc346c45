"""JSON files that hold a table: an array of objects, or an object of arrays or columns."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from ..utils.errors import InputError
from .columns import MIN_MEAN_WORDS
from .encodings import storable_text
from .header_rows import count_header_rows

# Rows on which the guess of the names of columns is based.
HEADER_ROWS = 1_000
# Objects within objects; deeper ones stay JSON.
MAX_DEPTH = 8
# Texts of an object from which its keys are ids, and not the names of columns of one document:
# if most keys have a digit, and if not. Settings are shorter than texts.
MIN_TEXTS, MANY_TEXTS, SHARE_OF_IDS = 20, 100, 0.8
# Keys that the form "split" of pandas has beside the names of the columns and the rows.
_SPLIT_KEYS = frozenset({"columns", "data", "index", "index_names", "column_names"})
_SPACE = " \t\r\n\ufeff"


def json_rows(name: str, text: str) -> tuple[str, list[dict[str, Any]]] | None:
    """Objects of a file that is one JSON value, and where they are; None for lines of JSON.

    Raises InputError if the value contains no table.
    """
    begin = text.lstrip(_SPACE)
    if not begin.startswith(("[", "{")):
        return None
    if begin[0] == "{" and _is_object(begin.partition("\n")[0]):
        # A single object on one line is a table of one row, as in JSON lines.
        if "\n" in begin.strip(_SPACE):
            return None
        found = _table_in(name, json.loads(begin))
        return found if found and found[0] != "one object" else None
    try:
        value = json.loads(begin)
    except RecursionError:
        raise InputError(f"{name} is nested too deeply; give an array of objects") from None
    except ValueError as error:
        if begin[0] == "{" or _is_array(begin.partition("\n")[0]):
            return None
        line = getattr(error, "lineno", 1)
        raise InputError(
            f"{name} is not valid JSON at line {line}; export it again, or write one object such "
            'as {"text": "…"} on each line'
        ) from None
    found = _table_in(name, value)
    if found is None:
        raise InputError(
            f'{name} holds no array of objects; write [{{"text": "…"}}, …], or one object on each '
            "line"
        )
    return found


def flat_row(row: dict[str, Any]) -> dict[str, object]:
    """Values of an object; the value ``b`` of an object ``a`` within it is under ``a.b``."""
    flat: dict[str, object] = {}

    def add(prefix: str, values: dict[str, Any], depth: int) -> None:
        for key, value in values.items():
            name = storable_text(prefix + key)
            if isinstance(value, dict) and value and depth < MAX_DEPTH:
                add(f"{prefix}{key}.", value, depth + 1)
            else:
                flat[name] = storable_text(value) if isinstance(value, str) else value

    add("", row, 1)
    return flat


def _is_object(line: str) -> bool:
    return isinstance(_parsed(line), dict)


def _is_array(line: str) -> bool:
    return isinstance(_parsed(line), list)


def _parsed(line: str) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _table_in(name: str, value: Any) -> tuple[str, list[dict[str, Any]]] | None:
    """Objects of an array, of the longest array within an object, or of an object of columns."""
    if isinstance(value, list):
        if value and all(isinstance(row, dict) for row in value):
            return "an array of objects", value
        if value and all(isinstance(row, str) for row in value):
            return "an array of texts", [{"text": row} for row in value]
        return _rows_of_lists(value)
    if not isinstance(value, dict):
        return None
    split = _rows_of_split(value)
    if split is not None:
        return "an object with the names of the columns and the rows", split
    arrays = dict(_arrays_in(value, "", 1))
    if arrays:
        key = max(arrays, key=lambda name: len(arrays[name]))
        return f"the array of the key “{storable_text(key)}”", arrays[key]
    columns = _rows_of_columns(name, value)
    if columns is not None:
        return "an object with one list for each column, of the keys", columns
    if value and all(isinstance(row, dict) for row in value.values()):
        # Documents under their ids, as some databases export them.
        return "an object of the keys, which are ids", [
            {"id": key, **row} for key, row in value.items()
        ]
    if _are_texts_of_ids(value):
        rows = [{"id": key, "text": text} for key, text in value.items()]
        return "an object of the keys, which are ids of texts", rows
    return ("one object", [value]) if value else None


def _are_texts_of_ids(value: dict[str, Any]) -> bool:
    """Whether the values of an object are texts, and its keys their ids."""
    if len(value) < MIN_TEXTS or not all(isinstance(text, str) for text in value.values()):
        return False
    n_ids = sum(any(map(str.isdecimal, key)) for key in value)
    n_words = sum(len(text.split()) for text in value.values())
    has_ids = n_ids >= SHARE_OF_IDS * len(value) or len(value) > MANY_TEXTS
    return has_ids and n_words >= MIN_MEAN_WORDS * len(value)


def _rows_of_split(value: dict[str, Any]) -> list[dict[str, Any]] | None:
    """Rows of ``{"columns": ["text", …], "data": [["a", …], …]}``, the form "split" of pandas."""
    names, data = value.get("columns"), value.get("data")
    if not (isinstance(names, list) and isinstance(data, list) and data):
        return None
    if not value.keys() <= _SPLIT_KEYS:
        return None
    if not all(isinstance(row, list) and len(row) == len(names) for row in data):
        return None
    unique = _unique_names(names)
    return [dict(zip(unique, row, strict=True)) for row in data]


def _unique_names(names: list[Any]) -> list[str]:
    """Different names of the columns; those that are blank stay blank, with more spaces."""
    unique: dict[str, None] = {}
    for number, given in enumerate(names, start=1):
        name = storable_text(str(given))
        while name in unique:
            name += f" ({number})" if name.strip() else " "
        unique[name] = None
    return list(unique)


def _arrays_in(
    value: dict[str, Any], prefix: str, depth: int
) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Arrays of objects in an object and in the objects within it, with their keys."""
    for key, inner in value.items():
        if isinstance(inner, list) and inner and all(isinstance(row, dict) for row in inner):
            yield prefix + key, inner
        elif isinstance(inner, dict) and depth < MAX_DEPTH:
            yield from _arrays_in(inner, f"{prefix}{key}.", depth + 1)


def _rows_of_lists(value: list[Any]) -> tuple[str, list[dict[str, Any]]] | None:
    """Rows of an array of arrays of equal length, whose first may contain the names."""
    if len(value) < 2 or not all(isinstance(row, list) for row in value):
        return None
    names = value[0]
    if not names or any(len(row) != len(names) for row in value):
        return None
    cells = [["" if cell is None else str(cell) for cell in row] for row in value[:HEADER_ROWS]]
    if all(isinstance(name, str) for name in names) and count_header_rows(cells)[0]:
        unique = _unique_names(names)
        return "an array of arrays, the first of names", [
            dict(zip(unique, row, strict=True)) for row in value[1:]
        ]
    names = [f"column {number}" for number in range(1, len(names) + 1)]
    return "an array of arrays, without names", [
        dict(zip(names, row, strict=True)) for row in value
    ]


def _rows_of_columns(name: str, value: dict[str, Any]) -> list[dict[str, Any]] | None:
    """Rows of ``{"text": ["a", "b"], …}`` or ``{"text": {"0": "a", "2": "b"}, …}``.

    The keys of the second form are row numbers, with gaps if rows were left out.
    """
    columns = list(value.values())
    if columns and all(isinstance(column, list) for column in columns):
        if len({len(column) for column in columns}) != 1:
            lengths = ", ".join(f"“{storable_text(key)}” {len(value[key])}" for key in [*value][:3])
            raise InputError(
                f"{name} holds lists of different lengths ({lengths}); export it again, with one "
                "value for each row in every list"
            )
        return [dict(zip(value, row, strict=True)) for row in zip(*columns, strict=True)]
    if len(columns) < 2 or not all(isinstance(column, dict) for column in columns):
        return None
    keys = list(columns[0])
    if any(list(column) != keys for column in columns):
        return None
    if not keys or not all(key.isascii() and key.isdecimal() for key in keys):
        return None
    return [{title: column[key] for title, column in value.items()} for key in keys]
