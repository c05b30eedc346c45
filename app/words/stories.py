"""Words of stories: keeping a view, the Stories page, and playing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from orrery.app.words.common import counted

TITLE = "Stories"
SENTENCE = "Views that you kept, each with a note, in the order in which you tell them."
SENTENCE_SHOWN = "Views that were kept, each with a note, in the order in which they are told."

QUERY, COMPARISON = "Query", "Comparison"
TOPIC, WORD, PATH, MAP = "Topic", "Word", "Path", "Map of all topics"
DOCUMENT, DOCUMENTS = "Document", "Documents"

KEEP = "Keep this view"
VIEW_TITLE = "Title"
NOTE = "Note"
NOTE_HINT = "What is there to see here?"
IN_STORY = "Story"
KEEP_IT = "Keep"
TO_STORIES = "Open Stories"

EMPTY_TITLE = "No story yet"
EMPTY = (
    "A story is a sequence of views with your notes, to play full-screen. Open a page that shows "
    "something, a query for example, and press *Keep this view* in its upper right corner."
)
EMPTY_SHOWN = "Nobody has kept a view here yet."
EMPTY_GO = "Open a query"
EMPTY_NO_MODEL = (
    "A story is a sequence of views of a model with your notes, to play full-screen. "
    "Once there is a model, every view of it can be kept."
)
NO_VIEWS = "This story has no views. Open a page and press *Keep this view*."

PLAY = "Play"
PLAY_HELP = "Full-screen, from the selected view on; arrow keys turn, Escape ends."
MORE = "This story"
STORY_TITLE = "Title of the story"
DELETE_STORY = "Delete the story"
DOWNLOAD = "Offline explorer with this story"
DOWNLOAD_HELP = (
    "One page that plays the story in any browser without a network: queries, comparisons, topics, "
    "words and the map of topics open there; paths, the map of the documents and groups of them "
    "are pictures, names and evaluations tables."
)
WITH_TEXTS_HELP = (
    "The documents that this story shows go along, and beginnings of those that are most telling "
    "of each topic. Whoever has the file can read them."
)

OPEN = "Open the view"
EARLIER, LATER = "Earlier", "Later"
DELETE = "Delete"
UNDO, DISMISS = "Undo", "Dismiss"

NO_PAGE = "This Orrery has no page of this kind, so only the note is shown."
USE_MODEL = "Use this model"
OTHER_MODEL = "Another model"
NO_OTHER = "There is no other model here; train one to take its place."
OTHER_NOTE = (
    "Queries are asked anew of it; topics have other ids in another model, and may not be found."
)
STORY_GONE = "This story is not here; it was deleted, or belongs to another workspace."

PLAYER = {
    "previous": "Previous view (left arrow)",
    "next": "Next view (right arrow)",
    "full": "Full screen",
    "full_help": "Full screen on or off",
    "end": "End",
    "end_help": "End the story (Escape)",
    "note": "Note of this view",
}

ONLY_SHOWN = "This server only shows what is there, so nothing can be {done} here."
ONLY_SHOWN_DONE = {"corpus": "added", "train": "trained"}
ONLY_SHOWN_GO = "Ask the model"


def compared(texts: Sequence[str]) -> str:
    """Name one query or two."""
    return " | ".join(texts)


def way(ends: Sequence[str]) -> str:
    """Name a topic, or the way between two."""
    return " → ".join(ends)


def first_title(corpus: str) -> str:
    """Title of a story before a person gives it another."""
    return f"A story of {corpus}" if corpus else "A story"


def begins(story: str) -> str:
    """Say which story a first view begins."""
    return f"Begins a new story, “{story}”."


def new_story(title: str) -> str:
    """Name the choice of a story that is not there yet."""
    return f"A new story: {title}"


def only_notes(numbers: Sequence[int]) -> str:
    """Say which views are not in the file of the story."""
    if len(numbers) == 1:
        return f"View {numbers[0]} cannot be shown there, only its note."
    first = ", ".join(map(str, numbers[:-1]))
    return f"Views {first} and {numbers[-1]} cannot be shown there, only their notes."


def left_out(numbers: Sequence[int]) -> str:
    """Say which views show documents that do not go along."""
    if len(numbers) == 1:
        return f"View {numbers[0]} shows a document and goes without it, as its note only."
    first = ", ".join(map(str, numbers[:-1]))
    return f"Views {first} and {numbers[-1]} show documents and go without them, as notes only."


NO_FIGURES = "the model has no figures yet"


def no_document(name: str) -> str:
    """Say that a document is not in the corpus."""
    return f"the document {name} is not in the corpus any more"


def no_topic(name: str) -> str:
    """Say that a topic is not in the model."""
    return f"the topic {name} is not in the model"


def no_word(name: str) -> str:
    """Say that a word is not in the model."""
    return f"the word {name} is not in the model"


def missing(found: Mapping[int, str]) -> str:
    """Say which views show what is not there any more."""
    named = "; ".join(f"view {number}: {said}" for number, said in found.items())
    return f"{named[0].upper()}{named[1:]}. Their notes can still be read." if named else ""


def kept(number: int, story: str) -> str:
    """Say where a view was kept."""
    return f"Kept as view {number} of “{story}”."


def deleted(title: str) -> str:
    """Say what was deleted."""
    return f"“{title}” was deleted."


def place(number: int, count: int, kind: str) -> str:
    """Say which view this is."""
    return f"View {number} of {count} · {kind}"


def counter(number: int, count: int) -> str:
    """Say how far a story has gone."""
    return f"{number} of {count}"


def in_list(number: int, title: str) -> str:
    """Label of a view in the list of all."""
    return f"{number} · {title}"


def about(model: str, views: int) -> str:
    """Say how long a story is, and of which model."""
    return f"{counted(views, 'view')} of the model {model}"


def model_gone(model: str) -> str:
    """Say that the model of a story was deleted."""
    return f"The model {model} of this story is not here any more. Its notes can still be read."
