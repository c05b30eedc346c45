"""Strings of the Documents page."""

from __future__ import annotations

SENTENCE = "Find documents of the corpus, and see which topic explains each of their words."
BOX = "Search"
HINT = 'Some words; "a phrase"; -without; begin*'
EMPTY_TITLE = "No corpus yet"
EMPTY = "Here you will search the texts of a corpus and see which topics explain their words."

SORT = "Order"
# The order by label has the name of its column.
ORDERS = {
    "": "Best first",
    "newest": "Newest first",
    "oldest": "Oldest first",
    "title": "Title",
    "label": "",
    "longest": "Longest first",
    "shortest": "Shortest first",
}
PREVIOUS, NEXT = "Previous", "Next"
SIMILAR = "Similar documents"
SIMILAR_HELP = (
    "Documents with the same words and topics, by relevance; their length does not count."
)
NOTHING_SIMILAR = "No document is similar."
TOPIC = "Topic"
LABEL = "Label"
YEARS = "Years"
ANY = "Any"
CLEAR = "Clear all"
ANY_GROUP = "Any group"
TOPIC_HELP = "Documents in which this topic is on, the most certain first."
NO_ACTIVATIONS = (
    "This model has no list of which topics its documents have, so you cannot filter by topic. A "
    "run makes the list when it ends."
)
OTHER_CORPUS = (
    "The model was trained on another vocabulary than that of this corpus, so the topics of these "
    "documents are unknown."
)
NO_MODEL = "There is no model of this corpus yet; you can search and read the texts."
BUILDING = "Building the search index: {done:,} of {total:,} documents. This happens once."
NOTHING = "No document matches. Remove a word or a filter."
GONE = "There is no document “{text}” in this corpus."

BACK = "Back to the list"


def place(number: int, total: int) -> str:
    """Position of a document in the list that it was opened from."""
    return f"{number:,} of {total:,}"


ASK = "Ask this as a query"
ASK_HELP = "Opens the Query page with the words that the topics explain best."
LEGEND_HINT = (
    "A word has the colour of the topic that explains it best; a stronger colour means more "
    "certainty. Click a topic to see only its words."
)
SHOW_ALL = "Show all topics"
PICTURE = "Local model"
PICTURE_HINT = "Click a topic to see only its words; double-click to open it in Graph."
SHOW_MORE = "Show more"
NO_TEXT = "The source has no text, only a list of the words in each document, shown here."
TOO_MANY_LABELS = "The label has {labels:,} different values, too many to choose from."
IN_GROUP = "Only documents of the group {name} ({column})."


def picture_note(shown: int, total: int) -> str:
    """Remark about the number of words in the picture; "" if it has all."""
    if shown == total:
        return ""
    return f"The {shown} of {total} words that the topics explain best."
