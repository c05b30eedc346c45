"""Table of all topics with their top words, names and notes, and the same table as a CSV file."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..data.encodings import decode
from ..data.tables import read_rows
from ..inference.thresholds import ON_THRESHOLD
from ..model.overlay import EDITED_FIELDS, YES, Field, checked_label, checked_note
from ..model.topic_model import TopicModel
from ..storage.activations import Activations
from ..utils.errors import InputError
from ..utils.parsing import guarded, unguarded

WORDS_SHOWN = 8


@dataclass(frozen=True)
class TopicRow:
    """Row of the table of topic names."""

    id: str
    name: str  # name that a user gave, or ""
    words: tuple[str, ...]  # top words; phrases contain spaces
    # Number of documents in which the topic is on, among those with stored probabilities; None
    # without stored probabilities.
    documents: int | None
    note: str
    hidden: bool


def topic_documents(model: TopicModel, stored: Activations | None) -> npt.NDArray[np.int64] | None:
    """Number of documents in which each topic is on, int64 of shape (n_topics,).

    Only documents with stored probabilities count. None if nothing is stored or if the stored
    table has another number of topics.
    """
    n_topics = model.network.graph.n_topics
    if stored is None or stored.probability.shape != (len(stored.rows), n_topics):
        return None
    table = stored.probability
    on = table.indices[table.data > ON_THRESHOLD]
    return np.bincount(on, minlength=n_topics).astype(np.int64)


def table_order(
    model: TopicModel, documents: npt.NDArray[np.int64] | None
) -> npt.NDArray[np.int64]:
    """Topics in the order of the table: the most frequent first, unclear topics last.

    Unused topics, which have neither words nor a name, are left out.
    """
    n_topics = model.network.graph.n_topics
    size = model.prior[:n_topics] if documents is None else documents
    is_unclear = np.zeros(n_topics, bool)
    is_unclear[list(model.unclear_topics)] = True
    order = np.lexsort((-size, is_unclear))
    is_unused = np.zeros(n_topics, bool)
    is_unused[list(model.wordless_topics)] = True
    return order[~is_unused[order]].astype(np.int64)


def topic_rows(
    model: TopicModel, topics: Iterable[int], documents: npt.NDArray[np.int64] | None
) -> list[TopicRow]:
    """Rows of these topics, in the given order."""
    ids, overlay = model.network.graph.topic_ids, model.overlay
    return [
        TopicRow(
            id=ids[topic],
            name=overlay.labels.get(ids[topic], ""),
            words=top_words(model, topic),
            documents=None if documents is None else int(documents[topic]),
            note=overlay.notes.get(ids[topic], ""),
            hidden=ids[topic] in overlay.hidden,
        )
        for topic in topics
    ]


def top_words(model: TopicModel, topic: int, count: int = WORDS_SHOWN) -> tuple[str, ...]:
    """Top words of a topic; phrases contain spaces."""
    return tuple(word.replace("_", " ") for word, _, _ in model.topic_words.words(topic, count))


COLUMNS = ("id", "name", "words", "documents", "note", "hidden")
NO_MARKS = frozenset({"", "no", "false", "0", "n"})
YES_MARKS = frozenset({"yes", "true", "1", "x", "y"})
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
    """Read names, notes and hidden marks of topics from a table, without applying any.

    Columns are found by their names, in any order; ``id`` and at least one of ``name``, ``note``
    and ``hidden`` are required. A file name that ends in ``.tsv`` means tab-separated values. The
    result has, by topic id, the fields that the table has. Topics that are not in the table are not
    in the result, and the columns ``words`` and ``documents`` are ignored. Raises InputError if a
    column is missing, an id is unknown or repeated, or a value is not allowed; the message names
    the line.
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
                "does not have; correct the id, or delete the line"
            )
        if topic in wanted:
            raise InputError(
                f"line {number} of {name} is about {_short(topic)!r} again; keep one line per topic"
            )
        wanted[topic] = {
            field: _cell(field, row[column[field]], f"line {number} of {name}")
            for field in EDITED_FIELDS
            if field in column
        }
    if not wanted:
        raise InputError(f"{name} has no line about a topic; give at least one")
    return wanted


def _columns(name: str, header: Sequence[str]) -> dict[str, int]:
    """Position of each column by its name."""
    # Some programs write quotes around the names that a reader of CSV does not remove.
    found = [cell.strip().strip('"').lower() for cell in header]
    here = ", ".join(_short(cell) for cell in found if cell) or "none"
    if "id" not in found:
        raise InputError(f"{name} has no column id in its first line (it has {here}); add it")
    if not set(EDITED_FIELDS) & set(found):
        raise InputError(
            f"{name} has no column name, note or hidden in its first line (it has {here}); add one"
        )
    repeated = next((cell for cell in COLUMNS if found.count(cell) > 1), None)
    if repeated:
        raise InputError(f"{name} has the column {repeated} twice; keep one of them")
    return {cell: place for place, cell in enumerate(found)}


def _topic(cell: str, known: set[str]) -> str:
    """Topic id in a cell; ids may begin or end with a space, so the cell is tried unstripped."""
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
    if mark not in NO_MARKS | YES_MARKS:
        raise InputError(f"hidden is {_short(cell)!r}; write yes, or leave it empty")
    return YES if mark in YES_MARKS else ""


def _short(text: str, limit: int = 40) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"
