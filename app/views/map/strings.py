"""Strings of the Map page."""

from __future__ import annotations

from ....core.model.terms import counted

TITLE = "Map"
SENTENCE = "Every document is a point, near those about the same things."
EMPTY = (
    "Here every document of a corpus will be a point, near those about the same things, with the "
    "names of topics where their documents are densest."
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
NO_POINTS = "No topic is on in any of these documents, so none is on the map."
MAKING = "Looking up the topics of every document …"
PLACING = "Placing the documents …"

SEARCH = "Highlight"
SEARCH_HINT = 'Some words; "a phrase"; -without; begin*'
TOPIC = "Topic"
ANY = "Any"
COLOUR = "Colour by"
CLEAR = "Clear all"
NOTHING = "No document on the map matches. Remove a word, a filter or the selection."
HINT = (
    "Drag to move, Ctrl and wheel to zoom, click to read. Box and Lasso select documents, which "
    "you can save as a table or as a new corpus."
)
SAVE = "Save as CSV"
SAVE_HELP = "All of these documents with their columns, and the main topic of each."
CORPUS = "Make a corpus of them"
CORPUS_HELP = "A corpus of only these documents, to train on."
CORPUS_NAME = "Name of the corpus"
PART_NAME = "{corpus} part"
CORPUS_MAKE = "Make the corpus"
CORPUS_OPEN = "Train on it"
# Topics of lower probability are not stored with the model, so they give a document no place.
MIN_STORED = 0.1
NO_TOPIC = f"no topic of probability {MIN_STORED} or more"


LIST_THEM = "List the documents without a topic"


def selected(highlighted: int, points: int) -> str:
    """Number of highlighted documents."""
    return f"{highlighted:,} of {counted(f'{points:,}', 'document')}"


MORE_OF = "The selection has more of"
MORE_OF_HELP = (
    "Share of the selected documents and of all others. Pale: likely, not certain. The list below "
    "begins with the documents that have most of these topics."
)
SHARES = "{here} here, {elsewhere} elsewhere"
KINDS = {"topic": "Topics", "word": "Words", "label": "Label", "year": "Year"}


def more_topics(number: int) -> str:
    """Remark about topics that the legend leaves out."""
    if not number:
        return ""
    return f"{counted(f'{number:,}', 'more topic')}, in pale colours: choose one under “{TOPIC}”."


def without_place(number: int) -> str:
    """Remark about documents that are not on the map."""
    if number == 1:
        return f"One document has {NO_TOPIC} and is not shown."
    return f"{number:,} documents have {NO_TOPIC} and are not shown."


def made(name: str, documents: int) -> str:
    """Confirmation that a corpus was made."""
    return f"The corpus {name} was made, with {counted(f'{documents:,}', 'document')}."
