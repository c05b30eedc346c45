"""Strings of the card of a topic."""

from __future__ import annotations

from ...core.drawing.strings import percent
from ...core.model.terms import counted

TOPIC_GROUP = "Topic group"
MORE = "More"
CLOSE = "Close"
ALIKE = "It knows"
OPEN_IN_GRAPH = "Open in Graph"
ITS_WORDS = "Its words"
ITS_NAME_IN_GRAPH = "In the graph"

NAME = "Name"
NAME_HELP = "Your own name replaces the one made of its words everywhere."
NAME_HELP_OF_GRAPH = "Your own name replaces the one in the graph everywhere."
SAVE = "Rename"
RENAMED = "The name of this topic is now “{name}”. Click Rename again to replace it."
MODELS_GONE = "Left out, because gone or damaged: {names}."
SAME_NAME = "{others} has this name too. With another name, answers tell them apart."
SAME_NAMES = "{others} have this name too. With other names, answers tell them apart."
BACK_TO_WORDS = "Back to its words"
BACK_TO_GRAPH = "Back to its name in the graph"
HIDE = "Hide in pictures"
HIDE_HELP = "Pictures leave it out and say how many are hidden; answers stay the same."
SHOW_AGAIN = "Show again"
TOGETHER = "Show another topic as part of it"
TOGETHER_HINT = "Choose a topic of the same layer"
TOGETHER_HELP = (
    "Pictures and cards show the chosen topic as part of this one, which then has the words of "
    "both; the model and its answers stay the same."
)
INCLUDES = "Includes"
APART = "Show apart"
READ_ONLY = "The sample cannot be changed; make a copy to rename and hide topics."
COPY = "Make a copy"
COPY_HELP = "A copy of the model in your workspace, on the same corpus; it takes a second."

TRAIN_ON = "Split or train on"
TRAIN_ON_SENTENCE = (
    "Starts a new run that continues from this model, on the same documents and with your names. "
    "This model does not change."
)
SPLIT = "Split this topic in two"
SPLIT_NOTE = (
    "Its words are divided between two topics with new names, by the documents that they share; "
    "all other links stay."
)
AS_IT_IS = "Keep all topics"
AS_IT_IS_NOTE = "The same links with the same weights, trained further."
WITHOUT_GUIDANCE = "The guidance given to this run is not applied again."
SPLITTING = "Dividing the words …"

ORDER = "Words by"
BY_RELEVANCE = "relevance"
BY_WEIGHT = "link"
SHARE = "Specific … frequent"
SHARE_HELP = (
    "Left: words that are specific to this topic. Right: words that are frequent where it is on."
)
# For readers who know topic models of texts.
SHARE_SOURCE = "(λ of Sievert and Shirley 2014.)"
COLUMN_WORD = "Word"
COLUMN_PROBABILITY = "Occurs (%)"
COLUMN_PROBABILITY_HELP = (
    "How often the word occurs if this topic is on: because of it, or from any other cause."
)
COLUMN_LIFT = "Lift"
COLUMN_LIFT_HELP = "How many times as often as in general."
COLUMN_LINK = "Link (%)"
COLUMN_LINK_HELP = (
    "Probability that this topic alone causes the word through their link, as in pictures; empty "
    "if the path leads through topics below."
)
NO_LINKED_WORDS = "This topic has no words of its own; it consists of the topics below it."
SIMILAR = "Similar"
NOTHING_SIMILAR = "No similar topics."

STABILITY_HELP = (
    "Trainings with another seed, each on a random sample of the documents (unless all were "
    "chosen), that have a topic "
    "which is on in the same documents. In brackets: the share of such trainings, with 95 % "
    "confidence."
)
COURSE = "Share of documents in which it is on"
SHARE_OF_DOCUMENTS = "of the documents"
YEARS_ALT = "Share of the documents of each year in which the topic is on."
LABELS_ALT = "Share of the documents of each label in which the topic is on."
YEAR, LABEL, ON = "Year", "Label", "On"
STRONGEST = "Most typical documents"
STRONGEST_HELP = (
    "Documents in which the topic is on, starting with those whose words it explains best. "
    "Marked words are at least twice as frequent where it is on."
)
NO_DOCUMENTS = "It is not on in any document of the corpus."
WEAKER = "and {count} weaker"


def years(first: int, last: int) -> str:
    """Name of a span of years."""
    return str(first) if first == last else f"{first}–{last}"


def on_in(on: int, documents: int) -> str:
    """Number of documents of a group in which a topic is on."""
    return f"in {on:,} of {documents:,} documents ({percent(on / max(documents, 1))})"


def more_labels(smaller: int, without: int) -> str:
    """Numbers of labels that a chart leaves out, by the reason; may be empty."""
    parts = [f"+{counted(f'{smaller:,}', 'label')} with smaller shares"] if smaller else []
    parts += [f"+{counted(f'{without:,}', 'label')} without it"] if without else []
    return ", ".join(parts)


def all_documents(count: int) -> str:
    """Label of the button that opens all documents of a topic."""
    return "Open in Documents" if count == 1 else f"All {count:,} in Documents"


def code(
    topic: str,
    state: str,
    *,
    documents: int | None = None,
    with_below: int = 0,
    is_hidden: bool = False,
) -> str:
    """Id of a topic, its state in a query, its number of documents, and whether it is hidden.

    ``with_below`` is the number of documents with the topic or one below it, if it is known.
    """
    known = "" if documents is None else on_in_documents(documents)
    if documents is not None and with_below > documents:
        known = on_with_below(documents, with_below)
    return " · ".join(filter(None, (topic, state, known, "hidden" if is_hidden else "")))


def prior(probability: float, *, has_texts: bool, is_assumed: bool) -> str:
    """Prior probability of a topic, and whether it was assumed for all topics of a graph."""
    if has_texts:
        return f"On in {percent(probability)} of all documents by the model"
    how = ", as assumed for every topic" if is_assumed else ""
    return f"Probability before any word {percent(probability)}{how}"


def link(probability: float, documents: int | None) -> str:
    """Strength of a link, and number of documents in which its parent is on.

    A strong link has little effect if its parent is rarely on.
    """
    known = "" if documents is None else f", {on_in_documents(documents)}"
    return f"{percent(probability)}{known}"


MAX_PASSAGE = 160


def repeated(text: str, documents: int, read: int) -> str:
    """Report that the documents of a topic repeat a passage."""
    shown = text if len(text) <= MAX_PASSAGE else f"{text[:MAX_PASSAGE].rstrip()} …"
    which = (
        f"{documents} of its documents"
        if documents == read
        else f"{documents} of {read} of its documents"
    )
    return f"The same passage is in {which}: “{shown}”"


def on_with_below(alone: int, with_below: int) -> str:
    """Number of documents in which a topic is on, by itself and with the topics below it."""
    documents = counted(f"{alone:,}", "document")
    return f"in {documents} by itself, {with_below:,} with the topics below"


def on_in_documents(documents: int) -> str:
    """Number of documents of the corpus in which a topic is on."""
    return f"on in {f'{documents:,}' if documents else 'no'} document{'s' * (documents > 1)}"


def usage(on: int, documents: int) -> str:
    """Number of checked documents in which a topic is on."""
    return f"in {on:,} of the {documents:,} documents checked ({percent(on / max(documents, 1))})"
