"""Words of the Map page."""

from __future__ import annotations

from ...text.strings import counted

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
CLEAR = "Clear all"
NOTHING = "No document on the map matches. Remove a word, a filter or the selection."
HINT = (
    "Drag to move, wheel to zoom, click to read. Box and Lasso select; what is selected can be "
    "saved, or become a corpus of its own."
)
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
