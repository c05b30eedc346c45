"""The table of names as a CSV file: out to a spreadsheet, and back in as a whole or not at all."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any

from ..data.encodings import decode
from ..data.tables import read_rows
from ..model.overlay import WRITTEN, YES, Field, checked_label, checked_note
from ..utils.errors import InputError
from ..utils.parsing import guarded, unguarded
from .topic_table import TopicRow

COLUMNS = ("id", "name", "words", "documents", "note", "hidden")
NO = frozenset({"", "no", "false", "0", "n"})
IS_HIDDEN = frozenset({"yes", "true", "1", "x", "y"})
# What stands where a program could not read a letter.
BROKEN = "\N{REPLACEMENT CHARACTER}"


def names_csv(rows: Iterable[TopicRow]) -> bytes:
    """The table as CSV with a mark of its encoding, which Excel needs.

    A text that a spreadsheet would take for a formula stands behind an apostrophe, which
    `read_names_csv` takes away again.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for row in rows:
        words = guarded(", ".join(row.words))
        hidden = YES if row.hidden else ""
        told = "" if row.documents is None else row.documents
        writer.writerow(
            [guarded(row.id), guarded(row.name), words, told, guarded(row.note), hidden]
        )
    return out.getvalue().encode("utf-8-sig")


def read_names_csv(name: str, data: bytes, topic_ids: Sequence[str]) -> dict[str, dict[Field, str]]:
    """Read what a table says about topics, by their ids.

    Columns are known by their names, in any order; of ``name``, ``note`` and ``hidden`` one is
    enough. Topics that the table leaves out stay as they are.

    Parameters
    ----------
    name : str
        Of the file; ``.tsv`` is read as such.
    data : bytes
    topic_ids : sequence of str
        Of the model.

    Returns
    -------
    dict of str to dict
        For each topic of the table, the fields that it has.

    Raises
    ------
    InputError
        If a column is missing, an id unknown or repeated, or a name, a note or a mark cannot be
        kept; the line is named.
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
    """Places of the columns by their names."""
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
    """The id in a cell; ids may begin or end with a space, which spreadsheets keep."""
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
    said = cell.strip().lower()
    if said not in NO | IS_HIDDEN:
        raise InputError(f"hidden is {_short(cell)!r}; write yes, or leave it empty")
    return YES if said in IS_HIDDEN else ""


def _short(text: Any, most: int = 40) -> str:
    told = str(text)
    return told if len(told) <= most else told[: most - 1] + "…"
