"""Strings of the Stories page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ....core.model.terms import counted

TITLE = "Stories"
SENTENCE = "Views that you kept, each with a note, in the order of your presentation."
SENTENCE_SHOWN = "Kept views, each with a note, in the order of the presentation."

EMPTY_TITLE = "No story yet"
EMPTY = (
    "A story is a sequence of views with your notes, to play full-screen. Open a page, such as a "
    "query, and press *Keep this view* in its upper right corner."
)
EMPTY_SHOWN = "There is no story here yet."
EMPTY_GO = "Open a query"
EMPTY_NO_MODEL = (
    "A story is a sequence of views of a model with your notes, to play full-screen. "
    "Once there is a model, every view of it can be kept."
)
NO_VIEWS = "This story has no views. Open a page and press *Keep this view*."

PLAY = "Play"
PLAY_HELP = "Full-screen, from the selected view; arrow keys change the view, Escape ends."
MORE = "This story"
STORY_TITLE = "Title of the story"
DELETE_STORY = "Delete the story"
DOWNLOAD = "Offline explorer with this story"
DOWNLOAD_HELP = (
    "One page that plays the story in any browser without a network. Queries, comparisons, topics, "
    "words and the topic graph are interactive there; paths, the map of documents and groups are "
    "pictures; names and evaluations are tables."
)
WITH_TEXTS_HELP = (
    "The file then contains the documents of this story, and the beginnings of the most typical "
    "documents of each topic. Everyone who has the file can read them."
)

OPEN = "Open the view"
EARLIER, LATER = "Earlier", "Later"
DELETE = "Delete"
UNDO, DISMISS = "Undo", "Dismiss"
USE_MODEL = "Use this model"
OTHER_MODEL = "Another model"
NO_OTHER = "There is no other model; train one on this corpus to take its place."
OTHER_NOTE = "The queries work with any model of the corpus. Other views may not find their topics."
NO_CORPUS = "a corpus that is gone"

CHANGED = "someone else changed this text; edit yours again to replace their version"
SHOW_THEIRS = "Show theirs instead of mine"
DELETED = "“{title}” was deleted."
PLACE_AND_KIND = "View {number} of {count} · {kind}"
IN_LIST = "{number} · {title}"


def only_notes(numbers: Sequence[int]) -> str:
    """Views of which the file contains only the note."""
    notes = "its note" if len(numbers) == 1 else "their notes"
    return f"{_views(numbers)} cannot be shown there, only {notes}."


def left_out(numbers: Sequence[int]) -> str:
    """Views with documents that the file does not contain."""
    if len(numbers) == 1:
        return f"{_views(numbers)} needs documents; without them the file has only its note."
    return f"{_views(numbers)} need documents; without them the file has only their notes."


def _views(numbers: Sequence[int]) -> str:
    *first, last = map(str, numbers)
    return f"Views {', '.join(first)} and {last}" if first else f"View {last}"


def model_of(corpus: str, model: str, own: str) -> str:
    """Name of a model, with its corpus if that is not the story's own."""
    return model if corpus == own else f"{model} ({corpus or NO_CORPUS})"


def other_corpus(corpus: str, own: str) -> str:
    """Warning about a model of another corpus than the story's own."""
    return (
        f"The model of the story was trained on {own or NO_CORPUS}, this one on "
        f"{corpus or NO_CORPUS}. It may not know the words of the queries."
    )


def missing(found: Mapping[int, str]) -> str:
    """Views with content that no longer exists."""
    named = "; ".join(f"view {number}: {reason}" for number, reason in found.items())
    notes = "Its note" if len(found) == 1 else "Their notes"
    return f"{named[0].upper()}{named[1:]}. {notes} can still be read." if named else ""


def about(model: str, views: int) -> str:
    """Length and model of a story."""
    return f"{counted(views, 'view')} of the model {model}"
