"""Words of stories: keeping a view, the Stories page, and playing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...text.strings import counted

TITLE = "Stories"
SENTENCE = "Views that you kept, each with a note, in the order in which you tell them."
SENTENCE_SHOWN = "Views that were kept, each with a note, in the order in which they are told."

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
USE_MODEL = "Use this model"
OTHER_MODEL = "Another model"
NO_OTHER = "There is no other model here; train one to take its place."
OTHER_NOTE = (
    "Queries are asked anew of it; topics have other ids in another model, and may not be found."
)

ONLY_SHOWN = "This server only shows what is there, so nothing can be {done} here."
ONLY_SHOWN_DONE = {"corpus": "added", "train": "trained"}
ONLY_SHOWN_GO = "Ask the model"


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


def missing(found: Mapping[int, str]) -> str:
    """Say which views show what is not there any more."""
    named = "; ".join(f"view {number}: {said}" for number, said in found.items())
    return f"{named[0].upper()}{named[1:]}. Their notes can still be read." if named else ""


def deleted(title: str) -> str:
    """Say what was deleted."""
    return f"“{title}” was deleted."


def place(number: int, count: int, kind: str) -> str:
    """Say which view this is."""
    return f"View {number} of {count} · {kind}"


def in_list(number: int, title: str) -> str:
    """Label of a view in the list of all."""
    return f"{number} · {title}"


def about(model: str, views: int) -> str:
    """Say how long a story is, and of which model."""
    return f"{counted(views, 'view')} of the model {model}"
