"""Words of the graph itself (legend, hover, buttons) and of the Graph page."""

from __future__ import annotations

from ....core.drawing.strings import percent

TITLE = "Graph"
SENTENCE = "Walk through the topics and what links them, down to their words."

FIND = "Find a topic"
FIND_HINT = "Word, name or id"
NOTHING_FOUND = "No topic is named or linked with “{text}”. Try another word."
MORE_FOUND = "{count} more found: type another word to narrow the search."
THRESHOLD = "Show links from"
THRESHOLD_HELP = (
    "How often a topic that is on switches on the other end all by itself. "
    "Weaker links are hidden; the strongest are always a click away."
)
WHOLE = "All topics"
GONE = "This model has no topic “{text}”. Choose one from the overview."
WORD_TITLE = "Topics that bring this word"
PATH_TO = "Path to another topic"
PATH_HINT = "A word or a name"
PATH_CLOSE = "Back to the neighbourhood"
PATH_HELP = "The strongest path along links up and down, through topics and words."
ASK = "Ask for these words"
HINT_OVERVIEW = (
    "Each stands below the one that brings it most often, if any does; "
    "click one to see all its links."
)
HINT_FLAT = "In this model no topic stands above another. Click one to see its words."
HINT_SHELVES = (
    "Bold headings are shelves: topics whose documents use similar words, side by side to be read. "
    "They are no part of the model."
)
NO_SHELF = "On no shelf"
NO_SHELF_HINT = "Topics that are like those of no shelf."
MAP_DESCRIPTION = "Map of the topics, each below the one that brings it most often, if any does."
MAP_FILE = "map"
REST_HINT = "Click to see them."
HINT_FOCUS = "Click a topic or a word to go there; drag to move it aside."
EMPTY = "Here you will see the topics of a trained model and how they hang together."


def hidden(links: int, threshold: float, nodes: int = 0) -> str:
    """Say what the picture leaves out, or nothing."""
    parts = []
    if links:
        parts.append(f"{links} {'links' if links > 1 else 'link'} below {percent(threshold)}")
    if nodes:
        parts.append(f"{nodes} topics and words that do not fit")
    return "Hidden: " + " and ".join(parts) + "." if parts else ""


def overview(shown: int, total: int) -> str:
    """Say how much of the model the overview shows."""
    return f"All {total:,} topics." if shown == total else f"{shown:,} of {total:,} topics."


def area(documents: int) -> str:
    """Say what the area of a box and the figures in it mean."""
    what = (
        f"in how many of {documents:,} documents a topic or one below it is on"
        if documents
        else "in what share of all documents the model expects a topic or one below it to be on"
    )
    return (
        f"Figures: {what}. Of neighbours, the larger has more. "
        "+N: so many more, nearer by the wheel or a click."
    )


def size(value: float, documents: int) -> str:
    """Figure of a box of the map."""
    return f"{value:,.0f}" if documents else percent(value)


def sized(value: float, documents: int) -> str:
    """Say how large a topic is."""
    if documents:
        return f"on in {value:,.0f} of {documents:,} documents ({percent(value / documents)})"
    return f"expected in {percent(value)} of all documents"


def with_below(value: float, documents: int) -> str:
    """Say how large a topic is with those below it."""
    return f"with the topics below it {sized(value, documents)}"


def by_itself(value: float, documents: int) -> str:
    """Say how large a topic is without those below it."""
    return f"by itself {sized(value, documents)}"


def smaller(count: int) -> str:
    """Name topics that are too small to be drawn."""
    return f"{count:,} smaller {'topics' if count > 1 else 'topic'}"


def after(count: int) -> str:
    """Name the part of the map after the largest topics."""
    return f"after the {count:,} largest" if count > 1 else "after the largest"
