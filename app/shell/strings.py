"""Strings of the frame of every page: sidebar, page titles, empty states, errors."""

from __future__ import annotations

from collections.abc import Sequence

from ...core import __version__
from ...core.drawing.explorer_strings import MAP_KEYS as MAP_KEYS
from ...core.drawing.explorer_strings import MORE_HERE as MORE_HERE

APP = "Orrery"
PAGE_TITLES = {
    "home": "Home",
    "query": "Query",
    "graph": "Graph",
    "map": "Map",
    "documents": "Documents",
    "groups": "Groups",
    "corpus": "Corpus",
    "train": "Train",
    "evaluate": "Evaluate",
    "names": "Names",
    "stories": "Stories",
    "share": "Share",
    "help": "Help",
}
# Heading in the sidebar for each page.
PAGE_SECTIONS = (
    dict.fromkeys(("query", "graph", "map", "documents", "groups"), "Explore")
    | dict.fromkeys(("corpus", "train", "evaluate", "names"), "Build")
    | dict.fromkeys(("stories", "share"), "Present")
    | {"help": "Learn"}
)

SIDEBAR_CORPUS = "Corpus"
SIDEBAR_MODEL = "Model"
NONE_YET = "None yet"
SAMPLE_NOTE = "The sample that comes with Orrery; a copy of its model can be changed."

ABOUT = (
    f"**{APP} {__version__}** learns which topics a collection of texts is made of, and how one "
    "leads to another, and lets people walk around in them. No request leaves the machine that it "
    "runs on."
)
OPENING = "Orrery is opening …"
OPENING_LONG = "After a start it loads for some seconds; from then on it opens at once."
WORKING = "Working on it …"
OPENING_CORPUS = "Opening the corpus …"
OPENING_MODEL = "Opening the model …"
COMPILING = "Getting ready for long texts. This happens once per machine and takes some seconds."

EMPTY_TITLE = "No model yet"
SOON_TITLE = "The model is being trained"
TO_WATCH = "Watch the training"
TO_CORPUS = "Add a corpus"
TO_TRAIN = "Train a model"


def not_here(kind: str, asked: str, shown: str) -> str:
    """Report that a name in a link does not exist, and what is shown instead."""
    noun = {"corpus": "corpus", "run": "model", "watch": "run"}[kind]
    return f"There is no {noun} {asked} here" + (f"; this one is {shown}." if shown else ".")


def being_trained(run: str, phase: str) -> str:
    """State of the run whose model the page needs."""
    return f"Run {run}: {phase}. You can use its model as soon as the run ends or is stopped."


def failure(error: Exception) -> str:
    """Describe an error, with the file if the operating system raised it."""
    if not isinstance(error, OSError):
        return str(error)
    place = error.filename or "a file"
    if isinstance(error, FileNotFoundError):
        return f"{place} is gone; it may have been deleted elsewhere"
    reason = error.strerror or str(error)
    return f"{place} cannot be used ({reason}); free some disk space, or let Orrery write there"


def sentence(text: str) -> str:
    """Turn a message into a sentence: capital first, full stop last."""
    trimmed = text.strip()
    if not trimmed:
        return ""
    # Only a plain word gets a capital: the name of a file must not change.
    first = trimmed.split()[0]
    if first.isalpha() and first.islower():
        trimmed = trimmed[0].upper() + trimmed[1:]
    return trimmed if trimmed[-1] in ".?…" else trimmed + "."


GRAPH_KEYS = "Arrow keys walk, Enter selects."
KEYS = (
    "Arrow keys move, plus and minus zoom, 0 shows all, Enter opens the document in the middle, "
    "S selects what is in view, Escape clears the selection."
)
TOOLS = {
    "nearer": "Zoom in",
    "further": "Zoom out",
    "whole": ["Fit", "Show the whole map"],
    "move": ["Move", "Drag to move the map"],
    "box": ["Box", "Drag a box around documents to select them"],
    "lasso": ["Lasso", "Draw around documents to select them"],
    "view": ["In view", "Select everything in view"],
    "png": "Save as PNG",
    "none": "This browser draws no WebGL, so the points are not shown; the list below is.",
}
GONE = "The texts that this model was trained on are not available, so no documents can be shown."
CHANGED = "The corpus of this model has changed since; train again to see its documents here."

QUERY, COMPARISON = "Query", "Comparison"
TOPIC, WORD, PATH, MAP = "Topic", "Word", "Path", "Map of all topics"
DOCUMENT, DOCUMENTS = "Document", "Documents"

PLAYER = {
    "previous": "Previous view (left arrow)",
    "next": "Next view (right arrow)",
    "full": "Full screen",
    "full_help": "Full screen on or off",
    "end": "End",
    "end_help": "End the story (Escape)",
    "note": "Note of this view",
}


def compared(texts: Sequence[str]) -> str:
    """Title of one query or of two."""
    return " | ".join(texts)


def way(ends: Sequence[str]) -> str:
    """Title of a topic, or of a path between two."""
    return " → ".join(ends)


def counter(number: int, count: int) -> str:
    """Position in a story."""
    return f"{number} of {count}"
