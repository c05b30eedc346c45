"""Words of the Query page."""

from __future__ import annotations

from collections.abc import Sequence

TITLE = "Query"
SENTENCE = "Type words, and see which topics of the model they switch on."
BOX = "Your words"
HINT = "Some words; -memory says that a word is absent, ?memory leaves it open"
EXAMPLES = "Examples"
# Names of more words make no sentence.
MOST_LISTED = 4
OTHERS = "Treat all other words as"
OTHERS_HELP = (
    "Absent: the text has these words and no others, as in training. "
    "Unknown: it may have others, so only what you typed counts."
)
ABSENT = "absent"
UNKNOWN = "unknown"
COLOURS = "Colours"

NOTHING_LEFT = "None of these words counts; very common ones are left out. Try others."
NOTHING_KNOWN = "The model knows none of these words: {words}. Try words from its texts."
EMPTY_QUERY = "Type a few words above, or choose an example, to see the topics behind them."
NOTHING_ON = "No topic is on, and none is linked with these words."
TAKE_OFFER = "Treat them as unknown"
CANVAS_EMPTY = "Everything is switched off in the legend. Switch something on to see it."

ON_TITLE = "Topics that are on"
HINT_PICTURE = "Click to select, shift-click to switch, double-click to open in Graph."

WHAT_IF = "What if it were"
WHAT_IF_HELP = (
    "Everything else is updated at once. Shift-click or the space bar does the same in the picture."
)
WORD_STATES = {"present": "present", "absent": "absent", "unknown": "unknown"}
TOPIC_STATES = {"free": "free", "on": "on", "off": "off"}
CLAMPED_TITLE = "Held by hand"
FREE_ONE = "Let the words decide again"
FREE_ALL = "Free all"

READINGS = "Readings"
READINGS_HELP = (
    "Topics that would each explain the words, so that one of them is enough. The figure is the "
    "probability that the topic is on and none before it is. Click one to assume it; click it "
    "again to let the words decide."
)
NUMBERS = {2: "Two", 3: "Three", 4: "Four", 5: "Five"}

EMPTY = "Here you will ask a trained model which topics your words belong to."


def readings(count: int, words: Sequence[str]) -> str:
    """Say how many readings there are of the words that are there."""
    number = NUMBERS.get(count, str(count))
    return f"{number} readings of {f'“{words[0]}”' if len(words) == 1 else 'these words'}"


def roughness(margin: str) -> str:
    """Say how far the figures may be off."""
    return f"Probabilities are accurate to ± {margin}."


def senses(names: Sequence[str]) -> str:
    """Ask which sense of a word is meant, by the names that its topics have everywhere."""
    return f"{names[0]} **or** {names[1]}?" if len(names) > 1 else names[0]


def unknown_words(words: Sequence[str]) -> str:
    """Name the words that the model does not know."""
    if len(words) == 1:
        return f"The model does not know “{words[0]}”, so it is ignored here."
    return f"The model does not know {_listed(words)}, so they are ignored here."


def contradiction(words: Sequence[str]) -> str:
    """Say that words were typed both ways."""
    listed = ", ".join(f"“{word}”" for word in words)
    return f"Typed both as present and as absent, so treated as present: {listed}."


def quiet(count: int) -> str:
    """Name the topics that are folded."""
    return f"+{count} quiet topic{'s' if count != 1 else ''}"


def nothing_on(nearest: str, probability: str, ordinary: Sequence[str]) -> str:
    """Say that no topic is on, which comes nearest, and that the words tell of none if so."""
    said = f"No topic is on. The nearest is “{nearest}” with {probability}"
    if not ordinary:
        return f"{said}; another word may help."
    if len(ordinary) > MOST_LISTED:
        return f"{said}; all these words mostly occur without any topic."
    occur = "occurs" if len(ordinary) == 1 else "occur"
    return f"{said}; {_listed(ordinary)} mostly {occur} without any topic."


def _listed(words: Sequence[str]) -> str:
    *first, last = [f"“{word}”" for word in words]
    return f"{', '.join(first)} and {last}" if first else last


def left_out(nodes: int, edges: int) -> str:
    """Say what did not fit into the picture, or nothing."""
    parts = []
    if nodes:
        parts.append(f"the {nodes} least probable topics" if nodes > 1 else "one topic")
    if edges:
        parts.append(f"the {edges} weakest links" if edges > 1 else "one weak link")
    return f"Left out to keep the picture readable: {' and '.join(parts)}." if parts else ""


def described(on: int, off: int, words: int) -> str:
    """Describe the picture to a screen reader."""
    return f"Local model of the query: {on} topics on, {off} topics off, {words} words."


def more_on(count: int) -> str:
    """Say how many topics the list leaves out."""
    return f"and {count} more, marked ● in the picture."


def offer_open_world(count: int) -> str:
    """Say what would be on if the other words were not treated as absent."""
    topics = "topic is" if count == 1 else "topics are"
    return f"Nothing is on if all other words are absent; {count} {topics} on if they are unknown."
