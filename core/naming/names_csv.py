"""Table of topic names as a CSV file, written for a spreadsheet and read back."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from ..data.encodings import decode
from ..data.tables import read_rows
from ..model.overlay import WRITTEN, YES, Field, checked_label, checked_note
from ..utils.errors import InputError
from ..utils.parsing import guarded, unguarded
from .topic_table import TopicRow

COLUMNS = ("id", "name", "words", "documents", "note", "hidden")
NO = frozenset({"", "no", "false", "0", "n"})
IS_HIDDEN = frozenset({"yes", "true", "1", "x", "y"})
# Character that a program writes in place of one that it could not read.
BROKEN = "\N{REPLACEMENT CHARACTER}"


def names_csv(rows: Iterable[TopicRow]) -> bytes:
    """Return the table as CSV in UTF-8 with a byte order mark, which Excel needs.

    A text that a spreadsheet would read as a formula gets an apostrophe in front, which
    `read_names_csv` removes.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for row in rows:
        words = guarded(", ".join(row.words))
        hidden = YES if row.hidden else ""
        count = "" if row.documents is None else row.documents
        writer.writerow(
            [guarded(row.id), guarded(row.name), words, count, guarded(row.note), hidden]
        )
    return out.getvalue().encode("utf-8-sig")


def read_names_csv(name: str, data: bytes, topic_ids: Sequence[str]) -> dict[str, dict[Field, str]]:
    """Read names, notes and hidden marks of topics from a table; either all of it or nothing.

    Columns are found by their names, in any order; ``id`` and at least one of ``name``, ``note``
    and ``hidden`` are required. Topics that are not in the table remain unchanged. Raises
    InputError if a column is missing, an id is unknown or repeated, or a value is not allowed; the
    message names the line.

    Parameters
    ----------
    name : str
        File name; a name that ends in ``.tsv`` means tab-separated values.

    Returns
    -------
    dict of str to dict
        By topic id, the fields that the table has.
    """
    is_tsv = name.lower().endswith(".tsv")
    lines = read_rows(name, decode(data, name), is_tsv=is_tsv)
    column = _columns(name, lines[0][1])
    known, wanted = set(topic_ids), dict[str, dict[Field, str]]()
    for number, row in lines[1:]:
        if not any(cell.strip() for cell in row):
            continue
        topic = _topic(row[column["id"]], known)
        if topic not in known:
            raise InputError(
                f"line {number} of {name} is about a topic {_short(topic)!r}, which this model "
                "does not have; correct the id, or take the line out"
            )
        if topic in wanted:
            raise InputError(
                f"line {number} of {name} is about {_short(topic)!r} again; keep one line a topic"
            )
        wanted[topic] = {
            field: _cell(field, row[column[field]], f"line {number} of {name}")
            for field in WRITTEN
            if field in column
        }
    if not wanted:
        raise InputError(f"{name} has no line about a topic; give at least one")
    return wanted


def _columns(name: str, header: Sequence[str]) -> dict[str, int]:
    """Position of each column by its name."""
    found = [cell.strip().strip('"').lower() for cell in header]
    here = ", ".join(_short(cell) for cell in found if cell) or "none"
    if "id" not in found:
        raise InputError(f"{name} has no column id in its first line (it has {here}); add it")
    if not set(WRITTEN) & set(found):
        raise InputError(
            f"{name} has no column name, note or hidden in its first line (it has {here}); add one"
        )
    repeated = next((cell for cell in COLUMNS if found.count(cell) > 1), None)
    if repeated:
        raise InputError(f"{name} has the column {repeated} twice; keep one of them")
    return {cell: place for place, cell in enumerate(found)}


def _topic(cell: str, known: set[str]) -> str:
    """Topic id in a cell; ids may begin or end with a space, which spreadsheets keep."""
    return next(
        (text for text in (unguarded(cell), cell) if text in known), unguarded(cell.strip())
    )


def _cell(field: Field, cell: str, place: str) -> str:
    try:
        if BROKEN in cell:
            raise InputError(
                f"the {field} holds a broken letter ({BROKEN}); save the table as UTF-8"
            )
        if field == "hidden":
            return _hidden(cell)
        text = unguarded(cell.strip())
        return checked_label(text) if field == "name" else checked_note(text)
    except InputError as error:
        raise InputError(f"{place}: {error}") from None


def _hidden(cell: str) -> str:
    mark = cell.strip().lower()
    if mark not in NO | IS_HIDDEN:
        raise InputError(f"hidden is {_short(cell)!r}; write yes, or leave it empty")
    return YES if mark in IS_HIDDEN else ""


def _short(text: str, limit: int = 40) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"
