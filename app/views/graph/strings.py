"""Strings of the Graph page."""

from __future__ import annotations

from ....core.drawing import explorer_strings
from ....core.drawing.strings import percent
from ....core.model.terms import counted

TITLE = "Graph"
SENTENCE = explorer_strings.GRAPH_SENTENCE

THRESHOLD = "Show links from"
THRESHOLD_HELP = (
    "Probability that a topic that is on switches on the other end of the link. "
    "Weaker links are hidden; a click shows the strongest of them."
)
WIDTH = "Width of a link"
WIDTHS = {"link": "Probability", "bits": "Information"}
BITS_NOTE = (
    "The width of a link shows how much its two ends say about each other. A strong link to a rare "
    "topic says little."
)
FOUND = "Show what came back in"
FOUND_HELP = (
    "Hides topics, and links in the picture of a topic, that fewer trainings found again. The "
    "trainings have other seeds, and random samples of the documents unless all were chosen; see "
    "the Evaluate page. Topics "
    "that came back rarely are paler on the map."
)
GONE = "This model has no topic “{text}”. Choose one from the overview."
GONE_WORD = "This model has no word “{text}”. Search for another one."
PATH_TO = "Path to another topic"
PATH_HINT = "A word or a name"
PATH_CLOSE = "Back to the neighbourhood"
PATH_HELP = "The strongest path along links up and down, through topics and words."
ASK = "Ask for these words"
MAP_FILE = "map"
REST_HINT = "Click to see them."
HINT_FOCUS = "Click a topic or a word to go there; drag to move it aside."
EMPTY = "Here you will see the topics of a trained model and the links between them."


def hidden(links: int, threshold: float, nodes: int = 0) -> str:
    """Sentence about hidden links and nodes, or ""."""
    parts = []
    if links:
        parts.append(f"{links} {'links' if links > 1 else 'link'} below {percent(threshold)}")
    if nodes:
        one, several = "topic or word that does not fit", "topics and words that do not fit"
        parts.append(counted(nodes, one, several))
    return "Hidden: " + " and ".join(parts) + "." if parts else ""


def rare_links(links: int, least: int, times: int) -> str:
    """Sentence about links that are not drawn because trainings seldom find them, or ""."""
    if not links:
        return ""
    return f"Not shown: {counted(str(links), 'link')} found again in {_fewer(least, times)}."


def rare_topics(topics: int, least: int, times: int) -> str:
    """Sentence about topics that are not on the map because trainings seldom find them."""
    return f"Not shown: {counted(f'{topics:,}', 'topic')} found again in {_fewer(least, times)}."


def no_topic(least: int, times: int) -> str:
    """Sentence in place of a map without topics."""
    return f"Every topic was found again in {_fewer(least, times)}; choose a lower number."


def _fewer(least: int, times: int) -> str:
    return f"fewer than {least} of {times} trainings"


def found_in(count: int, times: int) -> str:
    """Value of the slider of stability."""
    return f"{count} of {times} or more" if count else "all topics"


def overview(shown: int, total: int) -> str:
    """Sentence about the number of topics that the overview shows."""
    sentence = explorer_strings.ALL_SHOWN if shown == total else explorer_strings.SOME_SHOWN
    return sentence.format(shown=f"{shown:,}", total=f"{total:,}")


def area(documents: int, *, is_flat: bool, are_equal: bool = False) -> str:
    """Sentence that explains the area of a box, and its figure if it has one."""
    if are_equal and not documents:
        return ""
    if is_flat and not documents:
        return explorer_strings.AREA_FLAT
    counted = explorer_strings.AREA_COUNTED.format(documents=f"{documents:,}")
    what = counted if documents else explorer_strings.AREA_EXPECTED
    return explorer_strings.AREA.format(what=what)


def size(value: float, documents: int) -> str:
    """Figure of a box of the map."""
    return f"{value:,.0f}" if documents else percent(value)


def both_sizes(alone: str, with_below: str) -> str:
    """Figures of a box with others in it: of its topic by itself, and with those inside it."""
    return f"{with_below} ({alone} by itself)"


def repeated(figures: str) -> str:
    """Figures of a box whose topic is a passage that its documents repeat."""
    return f"{figures} · repeated text"


def largest_inside(name: str, figures: str) -> str:
    """Name the topic inside a box that is larger than the topic of the box."""
    return f"largest inside: {name} ({figures})"


def sized(value: float, documents: int) -> str:
    """Size of a topic in words."""
    if documents:
        return explorer_strings.SIZED_COUNTED.format(
            count=f"{value:,.0f}", documents=f"{documents:,}", percent=percent(value / documents)
        )
    return explorer_strings.SIZED_EXPECTED.format(percent=percent(value))


def with_below(value: float, documents: int) -> str:
    """Size of a topic with its subtree in words."""
    return explorer_strings.WITH_BELOW.format(size=sized(value, documents))


def by_itself(value: float, documents: int) -> str:
    """Size of a topic without its subtree in words."""
    return explorer_strings.BY_ITSELF.format(size=sized(value, documents))


def smaller(count: int) -> str:
    """Label of topics that are too small to be drawn."""
    return f"{count:,} smaller {'topics' if count > 1 else 'topic'}"


def after(count: int) -> str:
    """Label of the part of the map after the largest topics."""
    return explorer_strings.AFTER[count > 1].format(count=f"{count:,}")
