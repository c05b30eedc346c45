"""Drafts of topic names and notes, typed into a table or read from a file, and the table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ...core.model.overlay import YES, Edit, Field, Overlay, edits_towards, same_names
from ...core.model.topic_model import Run
from ...core.naming.table import TopicRow, top_words
from ...core.utils.lazy import LazyModule
from . import strings as shared_strings

if TYPE_CHECKING:
    import pandas as pd
else:
    pd = LazyModule("pandas")


PAGE_SIZE = 200
# Letters in the column of words; it would cut more without a sign.
MAX_WORDS = 60
# By topic and field; each has the value from before the person's first change.
Drafts = dict[tuple[str, Field], Edit]
EDITED: Mapping[str, Field] = {
    shared_strings.COLUMNS["name"]: "name",
    shared_strings.COLUMNS["note"]: "note",
    shared_strings.COLUMNS["hidden"]: "hidden",
}


def with_drafts(
    drafts: Drafts, overlay: Overlay, values: Mapping[str, Mapping[Field, str]]
) -> Drafts:
    """Update drafts by new values; a value that equals the stored one is not a draft.

    Raises
    ------
    InputError
        If a name or note is invalid.
    """
    edits = {(edit.topic, edit.field): edit for edit in edits_towards(overlay, values)}
    touched = {(topic, field) for topic, fields in values.items() for field in fields}
    kept = {key: edit for key, edit in drafts.items() if key not in touched}
    for key, edit in edits.items():
        before = drafts[key].before if key in drafts else edit.before
        kept[key] = Edit(edit.topic, edit.field, before, edit.after)
    return kept


def edited_values(
    ids: Sequence[str], edited: Mapping[Any, Mapping[str, Any]]
) -> dict[str, dict[Field, str]]:
    """Values that a person typed into the table, by topic.

    ``ids`` are the topics of the rows, and ``edited`` has the changed cells as the editor reports
    them: columns and values by the number of the row.
    """
    return {
        ids[int(row)]: {
            EDITED[column]: _text(value) for column, value in cells.items() if column in EDITED
        }
        for row, cells in edited.items()
    }


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return YES if value else ""
    return "" if value is None else str(value)


def without_made(
    values: Mapping[str, Mapping[Field, str]], made: Mapping[str, str]
) -> dict[str, dict[Field, str]]:
    """The values, in which the name made of words is no name of a person's own."""
    return {
        topic: {
            field: "" if field == "name" and value == made[topic] else value
            for field, value in fields.items()
        }
        for topic, fields in values.items()
    }


def table(
    rows: Iterable[TopicRow],
    drafts: Drafts,
    made: Mapping[str, str],
    named: Mapping[str, str] = shared_strings.COLUMNS,
) -> pd.DataFrame:
    """The rows with their drafts, under the names of the columns.

    A topic without a name of its own has the one ``made`` of its words, by id.
    """
    found = [_drafted(row, drafts) for row in rows]
    shown = pd.DataFrame(
        {
            named["id"]: [row.id for row in found],
            named["name"]: [row.name or made[row.id] for row in found],
            named["words"]: [_first_words(row.words) for row in found],
            named["documents"]: [row.documents for row in found],
            named["note"]: [row.note for row in found],
            named["hidden"]: [row.hidden for row in found],
        }
    )
    return shown.astype({named["documents"]: "Int64", named["hidden"]: bool})


def _first_words(words: Sequence[str]) -> str:
    """Words that fit into their column, followed by "…" if there are more."""
    kept: list[str] = []
    for word in words:
        if kept and len(", ".join([*kept, word])) > MAX_WORDS:
            return f"{', '.join(kept)} …"
        kept.append(word)
    return ", ".join(kept)


def _drafted(row: TopicRow, drafts: Drafts) -> TopicRow:
    def value(field: Field, is_now: str) -> str:
        edit = drafts.get((row.id, field))
        return is_now if edit is None else edit.after

    is_hidden = value("hidden", YES if row.hidden else "") == YES
    name, note = value("name", row.name), value("note", row.note)
    return TopicRow(row.id, name, row.words, row.documents, note, is_hidden)


def changes_table(run: Run, edits: Sequence[Edit], columns: tuple[str, str]) -> pd.DataFrame:
    """Changes, one row each: topic, field, and both values under the given titles."""
    label = dict(zip(run.network.graph.topic_ids, run.made_labels, strict=True))
    return pd.DataFrame(
        {
            run.terms.translated(shared_strings.TOPIC): [
                f"{edit.topic} ({label.get(edit.topic, '')})" for edit in edits
            ],
            shared_strings.WHAT: [shared_strings.FIELDS[edit.field] for edit in edits],
            columns[0]: [shared_strings.value(edit, edit.before) for edit in edits],
            columns[1]: [shared_strings.value(edit, edit.after) for edit in edits],
        }
    )


def warnings(run: Run, edits: Sequence[Edit]) -> list[str]:
    """Warnings about confusing names: names of several topics, and ids of other topics."""
    named = {edit.topic: edit.after for edit in edits if edit.field == "name"}
    after = {**run.overlay.labels, **named}
    new = {name for name in named.values() if name}
    twice = [name for name in same_names(filter(None, after.values())) if name in new]
    ids = set(run.network.graph.topic_ids)
    others = sorted({name for topic, name in named.items() if name in ids and name != topic})
    warned = [shared_strings.same(twice)] if twice else []
    return warned + ([shared_strings.like_ids(others)] if others else [])


def matching(run: Run, order: Sequence[int], find: str, shown: str) -> list[int]:
    """Topics of the table that match a search, in the order of the table.

    ``find`` is a part of the name, the id, the note, the name made of words, or the words in the
    table; ``shown`` is one of `strings.SHOWN`.
    """
    overlay, ids = run.overlay, run.network.graph.topic_ids
    wanted = " ".join(find.casefold().split())
    if not wanted and shown == shared_strings.ALL:
        return list(order)

    def is_wanted(topic: int) -> bool:
        code = ids[topic]
        is_of_kind = {
            shared_strings.ALL: True,
            shared_strings.UNNAMED: code not in overlay.labels,
            shared_strings.NAMED: code in overlay.labels or code in overlay.notes,
            shared_strings.HIDDEN: code in overlay.hidden,
        }[shown]
        texts = (code, run.topic_labels[topic], run.made_labels[topic], overlay.notes.get(code, ""))
        return is_of_kind and (
            any(wanted in text.casefold() for text in texts)
            or wanted in _first_words(top_words(run, topic)).casefold()
        )

    return [topic for topic in order if is_wanted(topic)]
