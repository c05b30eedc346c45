"""Words of the Names page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ....core.model.overlay import Edit
from ...text.strings import counted

SENTENCE = "Name the topics, many at once. Answers and numbers stay as the model has learned them."
EMPTY = "Here you will name the topics of a trained model."

FIND = "Find"
FIND_HINT = "Name, word, note or id"
SHOW = "Show"
PREVIOUS, NEXT = "Previous page", "Next page"
NAME_HELP = "Your own name; where it is empty, the topic goes by its words."
WORDS_HELP = "Its most telling words."
NOTE_HELP = "For yourself; it is shown here, in the JSON, and where a story keeps this page."
HIDDEN_HELP = "Pictures leave the topic out and say so."
DOCUMENTS_UNKNOWN = "How many documents it is on in was not stored with this model."
TABLE_ALT = "All topics with their names, words, documents and notes."

SAVE = "Save"
DISCARD = "Discard"
THEIRS, MINE = "Is now", "Yours"
CONFLICT = "Someone else changed the same topics since you saw them, and nothing is saved yet."
KEEP_MINE, KEEP_THEIRS = "Save mine", "Keep theirs"
UNDO = "Undo"
NO_UNDO = "There is no change to take back."

SPREADSHEET = "In a spreadsheet"
SPREADSHEET_SENTENCE = (
    "Save the table as CSV, edit the columns name, note and hidden, and bring it back. Topics are "
    "known by their ids; lines that you take out change nothing."
)
SPREADSHEET_HELP = (
    "Texts that begin with =, +, - or @ stand behind an apostrophe in the file, so that no "
    "spreadsheet takes them for a formula; it is taken away again when the file comes back."
)
SAVE_TABLE = "Save the table as CSV"
BRING_BACK = "Bring the table back"

MODEL = "Ask a language model of your own"
MODEL_SENTENCE = (
    "Copy the prompt, give it to any language model, and bring its answer back. Orrery sends "
    "nothing: what leaves this machine is what you carry away. The prompt quotes your texts."
)
PART = "Topics"
COPY = "Copy the prompt"
NOT_COPIED = "This browser does not let the page copy; select the text below."
ANSWER = "The answer"
ANSWER_HINT = "L1.3: Rivers and floods"
ANSWER_HELP = "Lines with an id, a colon and a name; a Markdown table, CSV or JSON will do as well."
READ = "Read the names"
LINE, TEXT, WHY = "Line", "Text", "Why"


def unsaved(count: int) -> str:
    """Say that there are changes which are not saved."""
    return f"{counted(f'{count:,}', 'change')} not saved yet"


def save(count: int) -> str:
    """Name the button that saves them."""
    return f"{SAVE} {counted(f'{count:,}', 'change')}" if count else SAVE


def step(edits: Sequence[Edit]) -> str:
    """Say what an undo takes back."""
    counts = Counter(edit.field for edit in edits)
    parts = [_of_topics(field, count) for field, count in counts.items()]
    return f"Takes back the last change: {', '.join(parts)}."


def _of_topics(field: str, count: int) -> str:
    what = {"name": "the name", "note": "the note", "hidden": "hiding", "merged": "joining"}[field]
    return f"{what} of {counted(f'{count:,}', 'topic')}"


def read(found: int, missed: int) -> str:
    """Say what an answer brought."""
    said = f"{counted(f'{found:,}', 'change')} read; see above, and save."
    if not found:
        said = "No name that is new was read."
    return said + (f" {counted(f'{missed:,}', 'line')} not understood:" if missed else "")


def part(number: int, parts: int, topics: int) -> str:
    """Name a part of the prompt."""
    if parts == 1:
        return counted(f"{topics:,}", "topic")
    return f"Part {number} of {parts} · {counted(topics, 'topic')}"


def copied(topics: int) -> str:
    """Say what was copied."""
    return f"Copied, with {counted(f'{topics:,}', 'topic')}."
