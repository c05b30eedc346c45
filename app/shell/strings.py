"""Strings of the frame of every page: sidebar, page titles, empty states, errors."""

from __future__ import annotations

import errno

from ...core import __version__
from ...core.drawing.explorer_strings import MAP_KEYS as MAP_KEYS
from ...core.drawing.explorer_strings import MORE_HERE as MORE_HERE
from ...core.model.terms import counted

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

NO_STRUCTURE = (
    "On texts that it has not seen, this model predicts no better than independent words do: its "
    "topics may have come about by chance. More texts, or longer ones, may help."
)

SIDEBAR_CORPUS = "Corpus"
SIDEBAR_MODEL = "Model"
NONE_YET = "None yet"
# In the menu of corpora, for a model that was not trained on one of them.
NO_CORPUS = "None"
NOT_FROM_TEXTS = {
    "documents": "This model was made from a graph, so it has no documents.",
    "map": "This model was made from a graph, so there are no documents to put on a map.",
    "groups": "This model was made from a graph, so there are no documents to compare.",
    "train": "This model was made from a graph, so it is not trained. Choose a corpus to train on.",
    "evaluate": "This model was made from a graph. It was not trained here, so there is nothing to "
    "evaluate.",
}
# In the sidebar, about the pages that are grey.
CLOSED_FROM_GRAPH = "Grey pages need texts; this model was made from a graph."
CLOSED_WITHOUT_TEXTS = "Grey pages need the texts of this model, which are not in this workspace."
TEXTS_GONE = "The texts of this model are not in this workspace."
TO_HOME = "Choose another model or corpus"
SAMPLE_NOTE = "The sample that comes with Orrery; a copy of its model can be changed."

ABOUT = (
    f"**{APP} {__version__}** learns the topics of a collection of texts and the links between "
    "them, and lets people explore them. No request leaves the machine that it runs on."
)
OPENING = "Orrery is opening …"
OPENING_LONG = "After a start it loads for some seconds; from then on it opens at once."
WORKING = "Working on it …"
OPENING_CORPUS = "Opening the corpus …"
OPENING_MODEL = "Opening the model …"
COMPILING = "Getting ready for long texts. This happens once per machine and takes some seconds."

EMPTY_TITLE = "No model yet"
CHOOSE_TITLE = "Choose a model"
CHOOSE = "No model here was trained on the corpus {corpus}. There are others:"
SOON_TITLE = "The model is being trained"
TO_WATCH = "Watch the training"
TO_CORPUS = "Add a corpus"
TO_TRAIN = "Train a model"
BEING_TRAINED = "Run {run}: {phase}. Its topics so far can be seen and queried there."


def not_here(kind: str, requested: str, shown: str) -> str:
    """Report that a name in a link does not exist, and what is shown instead."""
    noun = {"corpus": "corpus", "run": "model", "watch": "run"}[kind]
    return f"There is no {noun} {requested} here" + (f"; this one is {shown}." if shown else ".")


def lost_with_run(stories: int) -> str:
    """Consequences of deleting a run that has a number of stories."""
    text = "So are your names and notes. This cannot be undone."
    if not stories:
        return text
    return f"{text} {counted(str(stories), 'story')} of this model will lack it."


# Advice for errors of the operating system.
ADVICE = {
    errno.ENOSPC: "free some disk space",
    errno.EDQUOT: "free some disk space",
    errno.EACCES: "let Orrery read and write there",
    errno.EPERM: "let Orrery read and write there",
    errno.EROFS: "let Orrery write there",
    errno.ENAMETOOLONG: "use a shorter name",
}


def failure(error: Exception) -> str:
    """Describe an error, with the file if the operating system raised it."""
    if not isinstance(error, OSError):
        return str(error)
    place = error.filename or "a file"
    if isinstance(error, FileNotFoundError):
        return f"{place} is gone; it may have been deleted elsewhere"
    reason = error.strerror or str(error)
    advice = ADVICE.get(error.errno or 0, "")
    return f"{place} cannot be used ({reason})" + (f"; {advice}" if advice else "")


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


GRAPH_KEYS = "Arrow keys move, Enter selects."
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
    "none": "This browser does not support WebGL, so the points are not shown; use the list below.",
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
# Position in a story.
COUNTER = "{number} of {count}"

# A read-only server shows this instead of the pages that add corpora and train models.
ONLY_SHOWN = "This server is read-only, so nothing can be {done} here."
ONLY_SHOWN_DONE = {"corpus": "added", "train": "trained"}
ONLY_SHOWN_GO = "Query the model"

# Form and answers of a server that requires a token.
TOKEN_EXPLANATION = (
    "This app asks for a token. "
    "It is the last part of the address that the app printed when it was started."
)
TOKEN_LABEL = "Token"
TOKEN_OPEN = "Open"
TOKEN_WRONG = "This is not the token."
TOKEN_TOO_MANY = "Too many wrong tokens. Wait a minute, then try again."
TOKEN_MISSING = "Orrery requires a token here: open the address that it printed at its start."
TOKEN_OF_VIEWERS = "This token is for viewing only."
