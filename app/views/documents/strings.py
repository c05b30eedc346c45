"""Strings of the Documents page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ....core.drawing.strings import listed
from ....core.model.terms import counted

SENTENCE = "Find documents of the corpus, and see which topic explains each of their words."
BOX = "Search"
HINT = 'Some words; "a phrase"; -without; begin*'
EMPTY_TITLE = "No corpus yet"
EMPTY = "Here you will search the texts of a corpus and see which topics explain their words."

SORT = "Order"
# The order by label has the name of its column.
ORDERS = {
    "": "Best match first",
    "newest": "Newest first",
    "oldest": "Oldest first",
    "title": "Title",
    "label": "",
    "longest": "Longest first",
    "shortest": "Shortest first",
}
# Names of the default order if nothing was searched: with a topic, and without.
TYPICAL = "Most typical first"
UNSORTED = "As in the source"
PREVIOUS, NEXT = "Previous", "Next"
SIMILAR = "Similar documents"
SIMILAR_HELP = (
    "Documents with the same words and topics, by relevance; their length does not count."
)
NOTHING_SIMILAR = "No document is similar."
TOPIC = "Topic"
LABEL = "Label"
YEARS = "Years"
WITHOUT_TOPIC, UNSURE = "No topic", "Unsure"
ANY = "Any"
CLEAR = "Clear all"
ANY_GROUP = "Any group"
TOPIC_HELP = (
    "Documents in which this topic is on. The most typical have most of its words for their "
    "length. “Unsure”: every topic that is possible has a probability of 0.5 or less. “No topic”: "
    "none has 0.1 or more."
)
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
NO_SEARCH = "The search has no word, so nothing is searched."
NOTHING = "No document matches. Remove a word or a filter."
GONE = "There is no document “{text}” in this corpus."

BACK = "Back to the list"
TO_LIST = "All documents"
BACK_TO = "Back to {page}"


def place(number: int, total: int) -> str:
    """Position of a document in the list that it was opened from."""
    return f"{number:,} of {total:,}"


ASK = "Ask this as a query"
ASK_HELP = "Opens the Query page with the whole document, read as a whole text."
LEGEND_HINT = (
    "A word has the colour of the topic that explains it best; a stronger colour means more "
    "certainty. Click a topic to see only its words."
)
ALSO_ON = "Also on, though each word is explained better by another topic: {topics}."
SHOW_ALL = "Show all topics"
PICTURE = "Local model"
PICTURE_HINT = "Click a topic to see only its words; double-click to open it in Graph."
SHOW_MORE = "Show more"
NO_TEXT = "The source has no text, only a list of the words in each document, shown here."
TOO_MANY_LABELS = "The label has {labels:,} different values, too many to choose from."
APPLY = "Apply to new texts"
APPLY_SENTENCE = "Find the topics of texts that this model has not seen. The model stays as it is."
APPLY_UPLOAD = "New texts"
APPLY_HELP = "Any file that can be added as a corpus: a table, lines of text, or several files."
APPLY_READING = "Reading the texts …"
APPLY_COLUMNS = "Text columns"
AS_TRAINED = "as in the training texts"
APPLY_START = "Find their topics"
APPLYING = "Finding the topics"
NO_COLUMN = "Choose one or more columns with the text."
OTHER_NAMES = "Names of topics have changed since; this table has the earlier ones."
APPLY_AGAIN = "Find their topics again"
APPLY_UNKNOWN = "Words that the model does not know: {words}."
APPLY_DOWNLOAD = "Download the table"
APPLY_DOWNLOAD_HELP = (
    "One row for each text: the topics that are on, the unknown words, how well it is explained, "
    "and the probability of every topic under its id; “Topics by words” on Share has their names."
)
IN_GROUP = "Only documents of the group {name} ({column})."

PASSAGE = "Passage {number}"
PASSAGE_OF = "Passage {number} of {total} of {name}"
PASSAGE_BEFORE, PASSAGE_AFTER = "Previous passage", "Next passage"
WHOLE = "Show the whole document"
BACK_TO_PASSAGE = "Back to the passage"
MORE_PASSAGES = "Show more ({shown:,} of {total:,} passages so far)"
TOPICS_OF_DOCUMENT = "Topics of the document"
NO_TOPICS = "No topic is on in any passage."
TOPICS_OF_DOCUMENT_HINT = (
    "A document has the topics of its passages. The percentage is the probability that the topic "
    "is on in at least one of them, and the bar is the share of the passages in which it is on."
)


def count_passages(total: int) -> str:
    """Number of passages in words."""
    return "1 passage" if total == 1 else f"{total:,} passages"


def passages_with_topics(known: int, total: int) -> str:
    """Number of passages whose topics are known, if not all are."""
    if not known:
        return "The topics of its passages are not known."
    return f"Topics are known for {known:,} of its {count_passages(total)}."


def on_in(passages: int, total: int) -> str:
    """Number of passages in which a topic is on."""
    return f"on in {passages:,} of {count_passages(total)}"


def picture_note(shown: int, total: int) -> str:
    """Remark about the number of words in the picture; "" if it has all."""
    if shown == total:
        return ""
    return f"The {shown} of {total} words that the topics explain best."


def text_columns(names: Sequence[str], reason: str) -> str:
    """Text columns of a table, with the reason unless they were chosen."""
    columns = "column" if len(names) == 1 else "columns"
    why = f" ({reason})" if reason else ""
    return f"The text is in the {columns} {listed(names)}{why}."


def applied(summary: Mapping[str, Any]) -> list[str]:
    """Sentences about new texts (`orrery.core.export.applied.Applied`)."""
    count, marked = summary["n_documents"], summary["n_marked"]
    named = "1 text" if count == 1 else f"{count:,} texts"
    lines = [f"**{named}.** Topics explain {1.0 - summary['unexplained']:.0%} of their words."]
    # Summaries of earlier versions have no number of probabilities whose error was measured.
    if summary.get("n_checked", 1):
        lines[0] += f" Probabilities are accurate to ± {summary['error']:.2f}."
    if not summary["is_compared"]:
        lines.append("The training texts are missing, so that no text is compared with them.")
    elif marked:
        one = marked == 1
        verb, them = ("resembles", "it is") if one else ("resemble", "they are")
        lines.append(
            f"{marked:,} {verb} the training texts less than 99 % of these resemble each other; "
            f"{them} marked."
        )
    if summary["n_without_words"]:
        without = counted(f"{summary['n_without_words']:,}", "has no word", "have no word")
        lines.append(f"{without} that the model knows.")
    return lines
