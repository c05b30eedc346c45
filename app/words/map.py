"""Words of the Map page."""

from __future__ import annotations

from orrery.app.words.common import counted

TITLE = "Map"
SENTENCE = "Every document is a point, near those about the same things."
EMPTY = (
    "Here every document of a corpus will be a point, near those about the same things, with the "
    "names of topics where their documents are thickest."
)
NO_CORPUS = "The corpus of this model is not here, so there are no documents to show."
NO_MAP_TITLE = "No map yet"
NO_MAP = (
    "Here every document will be a point, near those about the same things. The map is made once, "
    "in the background, and kept with the model: seconds for a thousand documents, some minutes "
    "for 100,000."
)
NOT_MADE_HERE = "This model has no map yet, and this server only shows what is there."
MAKE = "Make the map"
AGAIN = "Make it again"
STOP = "Stop"
FAILED = "The map was not made"
NOBODY = "No topic is on in any of these documents, so none has a place."
MAKING = "Looking up the topics of every document …"
PLACING = "Placing the documents …"

SEARCH = "Light up"
SEARCH_HINT = 'Some words; "a phrase"; -without; begin*'
TOPIC = "Topic"
ANY = "Any"
COLOUR = "Colour by"
COLOURS = {"topic": "Topic", "label": "Label", "year": "Year"}
CLEAR = "Clear all"
NOTHING = "No document on the map matches. Remove a word, a filter or the selection."
HEADING = "Map of the documents"
HINT = (
    "Drag to move, wheel to zoom, click to read. Box and Lasso select; what is selected can be "
    "saved, or become a corpus of its own."
)
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
SAVE = "Save as CSV"
SAVE_HELP = "All of these documents with their columns, and the topic that each is about most."
CORPUS = "Make a corpus of them"
CORPUS_HELP = "A corpus of these documents alone, to train on."
CORPUS_NAME = "Name of the corpus"
CORPUS_MAKE = "Make the corpus"
CORPUS_OPEN = "Train on it"
PREVIOUS, NEXT = "Previous", "Next"
# A topic on at a lower probability is not kept with the model, and gives a document no place.
LEAST_KEPT = 0.1
NO_TOPIC = f"no topic of probability {LEAST_KEPT} or more"


def told(points: int, colour: str) -> str:
    """Say what the picture shows, where nobody can point at it."""
    documents = counted(f"{points:,}", "document")
    return f"{documents}, each near those about the same things. Coloured by {colour.lower()}."


def lit(number: int, total: int, which: str) -> str:
    """Say how many documents are lit, and which."""
    those = f": those {which}" if which else ""
    return f"Lit are {number:,} of {total:,}{those}."


def description(points: int, labels: int) -> str:
    """Say what the picture is."""
    return (
        f"A map of {counted(f'{points:,}', 'document')} with the names of "
        f"{counted(f'{labels:,}', 'topic')}."
    )


def selected(lit: int, points: int) -> str:
    """Say how many documents are lit."""
    return f"{lit:,} of {counted(f'{points:,}', 'document')}"


def without_place(number: int) -> str:
    """Say that some documents are not on the map."""
    if number == 1:
        return f"One document has {NO_TOPIC}, and no place here."
    return f"{number:,} documents have {NO_TOPIC}, and no place here."


def made(name: str, documents: int) -> str:
    """Say that a corpus was made."""
    return f"{name} is a corpus now, of {counted(f'{documents:,}', 'document')}."


def corpus_name(name: str) -> str:
    """Suggest a name for a part of a corpus."""
    return f"{name} part"
