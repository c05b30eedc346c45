"""Words of the graph itself (legend, hover, buttons) and of the Graph page."""

from __future__ import annotations

from collections.abc import Sequence

from orrery.app.words.figures import figures_of, is_unsure, percent
from orrery.core.exporting.thresholds import ON_THRESHOLD
from orrery.core.inference import Estimate

TITLE = "Graph"
SENTENCE = "Walk through the topics and what links them, down to their words."

LEGEND_ON = "on"
LEGEND_OFF = "off"
LEGEND_UNSURE = "unsure"
LEGEND_PRESENT = "word"
LEGEND_ABSENT = "word said absent"
LEGEND_UNKNOWN = "word not known"
LEGEND_STRANGER = "the model does not know this word"
LEGEND_CLAMPED = "held by hand"
CLAMPED = {"on": "held on", "off": "held off"}
LEGEND_TOPIC = "topic"
LEGEND_FOCUS = "you are here"
LEGEND_WORD = "word"
LEGEND_EDGES = ("weak", "medium", "strong link")
LEGEND_ENDS_OFF = "an end is off, absent or not known"
LEGEND_OTHERS = "a link of others"
LEGEND_ASIDE = "not on the path"

FOLDED = {
    "parents": "topics above",
    "siblings": "siblings",
    "children": "topics below",
    "words": "words",
}

KEYS = "Arrow keys walk, Enter selects."
KEYS_SWITCH = "Arrow keys walk, Enter selects, Space switches."
BUTTONS = {
    "in": "Zoom in",
    "out": "Zoom out",
    "fit": "Fit the whole picture",
    "png": "Save the picture as PNG",
    "svg": "Save the picture as SVG",
}

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
NO_TOPICS = "No topic brings this word; it occurs only by chance."
PATH_TO = "Path to another topic"
PATH_HINT = "A word or a name"
PATH_CLOSE = "Back to the neighbourhood"
PATH_HELP = "The strongest path along links up and down, through topics and words."
NO_PATH = "No path leads from {start} to {end}."
LEGEND_ENDS = "the two topics"
ASK = "Ask for these words"
HINT_OVERVIEW = (
    "Each stands below the one that brings it most often, if any does; "
    "click one to see all its links."
)
HINT_FLAT = "In this model no topic stands above another. Click one to see its words."
# A shelf is no part of the model, and a reader has to know that.
SHELF_HINT = "Topics whose documents use similar words. A shelf is no part of the model."
HINT_SHELVES = (
    "Bold headings are shelves: topics whose documents use similar words, side by side to be read. "
    "They are no part of the model."
)
NO_SHELF = "On no shelf"
NO_SHELF_HINT = "Topics that are like those of no shelf."
MAP_DESCRIPTION = "Map of the topics, each below the one that brings it most often, if any does."
MAP_KEYS = "Arrow keys walk, Enter opens or zooms in, Escape zooms out."
MAP_FILE = "map"
REST_HINT = "Click to see them."
# What a box says that holds more than can be read; {count} is how many.
MORE_HERE = ("+{count} here, still too small to be read", "Click to zoom in.")
HINT_FOCUS = "Click a topic or a word to go there; drag to move it aside."
EMPTY = "Here you will see the topics of a trained model and how they hang together."


def before(known: Estimate) -> str:
    """Say how probable a topic is without what is held."""
    return f"without what is held: {figures_of(known)}"


def expected(known: Estimate) -> str:
    """Say how probable a word is about which nothing is known."""
    return f"to be expected with probability {figures_of(known)}"


def topic_hover(label: str, code: str, known: Estimate | None) -> tuple[str, ...]:
    """Say which topic this is, and how probable."""
    if known is None:
        return (label, code)
    return (label, f"{code} · {standing(known)}")


def standing(known: Estimate) -> str:
    """Say whether a topic is on or off in a query, and how surely."""
    state = "on" if known.value > ON_THRESHOLD else "off"
    said = f"{LEGEND_UNSURE}, rather {state}" if is_unsure(known.value) else state
    return f"{said}, probability {figures_of(known)}"


def influence(name: str, probability: float, *, from_above: bool) -> str:
    """One line about an edge: where it comes from or goes to, and how strong it is."""
    arrow = "from" if from_above else "to"
    return f"{arrow} {name}: {percent(probability)}"


def fold(count: int, what: str) -> str:
    """Name a folded group of nodes."""
    return f"+{count} {what}"


def fold_back(count: int, what: str) -> str:
    """Name the way back to a folded group."""
    return f"Fold {count} {what}"


def hidden(links: int, threshold: float, nodes: int = 0) -> str:
    """Say what the picture leaves out, or nothing."""
    parts = []
    if links:
        parts.append(f"{links} {'links' if links > 1 else 'link'} below {percent(threshold)}")
    if nodes:
        parts.append(f"{nodes} topics and words that do not fit")
    return "Hidden: " + " and ".join(parts) + "." if parts else ""


def path(links: Sequence[float], together: float) -> str:
    """Describe a path by how often its links act."""
    if len(links) == 1:
        return f"They are linked directly: {percent(links[0])}."
    each = ", ".join(percent(probability) for probability in links)
    return f"The strongest path has {len(links)} links: {each}; all together {percent(together)}."


def no_real_path(names: Sequence[str], between: Sequence[str], together: float) -> str:
    """Say that what links two topics is next to nothing, and what it is."""
    over = f" over {', '.join(f'“{name}”' for name in between)}" if between else ""
    return (
        f"There is no real link between “{names[0]}” and “{names[1]}”: the strongest path{over} "
        f"acts in {percent(together)} of all cases."
    )


def hidden_topics(count: int) -> str:
    """Name the topics that a person has hidden."""
    return f"+{count} hidden"


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


def described(topics: int, words: int, edges: int) -> str:
    """Describe a picture to a screen reader."""
    return f"Topic graph with {topics} topics, {words} words and {edges} links."
