"""Strings of the Names page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ....core.drawing.strings import listed
from ....core.model.overlay import Edit
from ....core.model.terms import counted

SENTENCE = "Name the topics, many at once. Names do not change the answers of the model."
EMPTY = "Here you will name the topics of a trained model."

FIND = "Find"
FIND_HINT = "Name, word, note or id"
SHOW = "Show"
NAME_HELP = "Type a name of your own. Empty the cell to name the topic by its words again."
WORDS_HELP = "Top words of the topic."
NOTE_HELP = "A note of your own; it is shown here, in the JSON, and in stories with this page."
HIDDEN_HELP = "Pictures leave the topic out, with a note."
DOCUMENTS_UNKNOWN = "The number of documents with this topic was not stored with this model."
TABLE_ALT = "All topics with their names, words and notes."

SAVE = "Save"
DISCARD = "Discard"
THEIRS, MINE = "Is now", "Yours"
CONFLICT = "Someone else has changed the same topics. Your changes are not saved yet."
KEEP_MINE, KEEP_THEIRS = "Save mine", "Keep theirs"
UNDO = "Undo"
NO_UNDO = "There is no change to take back."

SPREADSHEET = "In a spreadsheet"
SPREADSHEET_SENTENCE = (
    "Save the table as CSV, edit the columns name, note and hidden, and upload it. Topics are "
    "identified by their ids; topics without a line are not changed."
)
SPREADSHEET_HELP = (
    "Texts that begin with =, +, - or @ get an apostrophe in the file, so that no spreadsheet "
    "reads them as a formula; the apostrophe is removed when you upload the file."
)
SAVE_TABLE = "Save the table as CSV"
BRING_BACK = "Upload the table"

MODEL = "Ask a language model of your own"
MODEL_SENTENCE = (
    "Copy the prompt, give it to any language model, and paste its answer here. Orrery itself "
    "sends nothing."
)
QUOTED = "The prompt quotes your texts."
PART = "Topics"
COPY = "Copy the prompt"
NOT_COPIED = "This browser does not let the page copy; select the text below."
ANSWER = "The answer"
ANSWER_HINT = "L1.3: Rivers and floods"
ANSWER_HELP = "Lines with an id, a colon and a name; a Markdown table, CSV or JSON also works."
READ = "Read the names"
LINE, TEXT, WHY = "Line", "Text", "Why"


def unsaved(count: int) -> str:
    """Number of unsaved changes."""
    return f"{counted(f'{count:,}', 'change')} not saved yet"


def unsaved_elsewhere(models: Sequence[str]) -> str:
    """Remark about unsaved changes of other models."""
    return f"Changes of names are not saved yet in {listed(models)}; choose the model to save them."


def save(count: int) -> str:
    """Label of the button that saves the changes."""
    return f"{SAVE} {counted(f'{count:,}', 'change')}" if count else SAVE


def step(edits: Sequence[Edit]) -> str:
    """Changes that an undo reverts."""
    counts = Counter(edit.field for edit in edits)
    parts = [_of_topics(field, count) for field, count in counts.items()]
    return f"Undoes the last change: {', '.join(parts)}."


def _of_topics(field: str, count: int) -> str:
    what = {"name": "the name", "note": "the note", "hidden": "hiding", "merged": "joining"}[field]
    return f"{what} of {counted(f'{count:,}', 'topic')}"


def read(found: int, missed: int) -> str:
    """Result of reading an answer."""
    text = f"{counted(f'{found:,}', 'change')} read; see above, and save."
    if not found:
        text = "No new name was read."
    return text + (f" {counted(f'{missed:,}', 'line')} not understood:" if missed else "")


def part(number: int, parts: int, topics: int) -> str:
    """Label of a part of the prompt."""
    if parts == 1:
        return counted(f"{topics:,}", "topic")
    return f"Part {number} of {parts} · {counted(topics, 'topic')}"


def copied(topics: int) -> str:
    """Confirmation of a copy."""
    return f"Copied, with {counted(f'{topics:,}', 'topic')}."
