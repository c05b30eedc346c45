"""Strings that the app and the offline explorer share, with ``{placeholders}``.

Python fills the placeholders with `str.format`. The explorer receives all strings as JSON under
lower-case names (`explorer_strings`), and ``say`` in ``explorer/model/strings.js`` fills them. A
pair contains the singular and the plural, or the strings for and against a topic.
"""

from __future__ import annotations

from ..data.query import CONTRADICTION as _CONTRADICTION
from ..data.query import WORD_STATES as _WORD_STATES

# Query boxes.
BOX = "Your words"
HINT = f"Some words; {', '.join(state.hint for state in _WORD_STATES if state.hint)}"
OTHERS = "Treat all other words as"
UNKNOWN = "unknown"
ABSENT = "absent"
COMPARE = "Compare"
COMPARE_HELP = "Put a second query beside this one, and see what they share."
COMPARISON_CLOSE = "Close the second query"
SECOND_HINT = "Words to compare with"

# Notes on the query.
NOTHING_LEFT = "None of these words counts; very common ones are left out. Try others."
NOTHING_KNOWN = "The model knows none of these words: {words}. Try words from its texts."
UNKNOWN_WORDS = (
    "The model does not know {words}, so it is ignored here.",
    "The model does not know {words}, so they are ignored here.",
)
CONTRADICTION = f"{_CONTRADICTION.replace('{word}', '“{word}”')}."
OFFER = (
    "Nothing is on if all other words are absent; {count} topic is on if they are unknown.",
    "Nothing is on if all other words are absent; {count} topics are on if they are unknown.",
)
TAKE_OFFER = "Treat them as unknown"

# Beside the picture; `where` is the place in which a node opens.
HINT_PICTURE = "Click to select, shift-click to switch, double-click to open{where}."
ROUGHNESS = "Probabilities are accurate to ± {margin}."
STRANGER = "The model does not know this word, so it is ignored here."
STANDING = "{state}, probability {figures}"
RATHER = "unsure, rather {state}"
BEFORE = "without what is held: {figures}"
ON_TITLE = "Topics that are on"
NOTHING_ON = "No topic is on, and none is linked with these words."
NEAREST = "No topic is on. The nearest is “{name}” with {figures}; {advice}."
ANOTHER_WORD = "another word may help"
ALL_ORDINARY = "all these words mostly occur without any topic"
ORDINARY = (
    "{words} mostly occurs without any topic",
    "{words} mostly occur without any topic",
)

# Clamped topics (what-if).
WHAT_IF = "What if it were"
WORD_STATES = {state.name: state.name for state in _WORD_STATES}
TOPIC_STATES = {"free": "free", "on": "on", "off": "off"}
CLAMPED_TITLE = "Held by hand"
FREE_ONE = "Let the words decide again"
FREE_ALL = "Free all"

# Senses.
READINGS_TITLE = "{number} readings of {words}"
READINGS_WORDS = ("“{word}”", "these words")
READINGS_HELP = (
    "Topics that would each explain the words, so that one of them is enough. {figure}"
    "Click one to assume it; click it again to let the words decide."
)
NUMBERS = {2: "Two", 3: "Three", 4: "Four", 5: "Five"}

# Explanation of a topic.
TITLE_ON = "Why is “{label}” on?"
TITLE_OFF = "Why is “{label}” off?"
TITLE_UNSURE = "Why is “{label}” unsure?"
PART_OF = "It is shown as part of “{name}”."
AXIS = "off ← log-odds (+1: odds × 2.7) → on"
CHANCE = "by chance"
ABSENT_WORDS = "pulled down by absent words"
WORD = ("because of the word “{name}”", "pulled down by the word “{name}”")
ABSENT_WORD = ("because “{name}” is absent", "pulled down, as “{name}” is absent")
PARENT = ("because of “{name}” above", "pulled down by “{name}” above")
CHILD = ("because of “{name}” below", "pulled down by “{name}” below")
TOGETHER = ("because of how all fits together", "pulled down by how all fits together")
OTHER_REASONS = ("{count} other", "{count} others")
TOTAL = "all together: {figures}"
MOSTLY_ON = "It is on mostly {reason}, which multiplies its odds by {factor}."
MOSTLY_OFF = "It is off mostly {reason}, which divides its odds by {factor}."
MAY_BE_ON = (
    "It may be on {reason}, which multiplies its odds by {factor}, and it may be off, {doubt}."
)
DOUBT = "{reason}, which divides them by {factor}"
DOUBT_RARE = "as it is rare: without a reason it is on with probability {figures}"
RARE = "It is off mostly because it is rare: without a reason it is on with probability {figures}."
COMMON = "It is on mostly by chance: without a reason it is on with probability {figures}."
MANY_TIMES = "more than 1,000"
HELD = (
    "It is held {state} by hand. {without}Holding it moves the topics around it, and what "
    "they and the words now say would give it about {figures}."
)
WITHOUT_HELD = "Without what is held it is at {figures}. "
LEFT_OUT_WORDS = "Without this word"
LEFT_OUT = "Without this"
LEFT_OUT_NOTE = "How probable the topic would be had you not said it; now it is {figures}."
PIECES = {
    **{state.name: f"{state.sign}{{name}}" for state in _WORD_STATES},
    "on": "{name} (held on)",
    "off": "{name} (held off)",
}

# Comparison of two queries.
BOTH = "both"
ONLY = "only “{query}”"
UNDER = "Asked with “{query}”:"
SIDES = "Probabilities: left | right query."
HINT_COMPARISON = "Shift-click to switch, double-click to open{where}."
CARD_HERE = "Click a topic or a word to see its card and its switch here."
SIDE_FIGURES = ("left: {figures}", "right: {figures}")
NO_WORD_BELOW = "no word below it"
NONE_ON = "Neither query switches a topic on; try adding words."
SILENT = "“{query}” switches no topic on; try adding words to it."
SHARED_ON = "Both switch on {names}."
SHARED_ASKED = "Both ask for {names}, but no topic is on under both."
SHARED_NOTHING = "No topic is on under both."
TWO_QUERIES = (
    "Topics of two queries: {first} only in the first, {both} in both, {second} only in the second."
)

# Map of all topics.
WHOLE = "All topics"
GRAPH_SENTENCE = "Walk through the topics and what links them, down to their words."
FIND = "Find a topic or word"
FIND_HINT = "Word, name or id"
NOTHING_FOUND = "No topic is named or linked with “{text}”. Try another word."
MORE_FOUND = "{count} more found: type another word to narrow the search."
ALL_SHOWN = "All {total} topics."
SOME_SHOWN = "{shown} of {total} topics."
AREA = (
    "Figures: {what}. Of neighbours, the larger has more. "
    "+N: so many more, nearer by the wheel or a click."
)
AREA_COUNTED = "in how many of {documents} documents a topic or one below it is on"
AREA_EXPECTED = "in what share of all documents the model expects a topic or one below it to be on"
HINT_OVERVIEW = (
    "Each stands below the one that brings it most often, if any does; "
    "click one to see all its links."
)
HINT_FLAT = "In this model no topic stands above another. Click one to see its words."
HINT_SHELVES = (
    "Bold headings are shelves: topics whose documents use similar words, side by side to be read. "
    "They are no part of the model."
)
SHELF_HINT = "Topics whose documents use similar words. A shelf is no part of the model."
NO_SHELF = "On no shelf"
NO_SHELF_HINT = "Topics that are like those of no shelf."
MAP_DESCRIPTION = "Map of the topics, each below the one that brings it most often, if any does."
MAP_KEYS = "Arrow keys walk, Enter opens or zooms in, Escape zooms out."
MORE_HERE = ("+{count} here, still too small to be read", "Click to zoom in.")
AFTER = ("after the largest", "after the {count} largest")

# Size of a topic, and its neighbours.
SIZED_COUNTED = "on in {count} of {documents} documents ({percent})"
SIZED_EXPECTED = "expected in {percent} of all documents"
WITH_BELOW = "with the topics below it {size}"
BY_ITSELF = "by itself {size}"
ABOVE = "Above"
BELOW = "Below"
WORDS = "Words"
NO_TOPICS = "No topic brings this word; it occurs only by chance."
NO_PARENTS = "Nothing above: one of the most general topics."
ALONE = "No topic is above it or below it."
NOTHING_BELOW = "No topics below."
NO_WORDS = "This topic brings no words."
WORD_TITLE = "Topics that bring this word"


def explorer_strings() -> dict[str, str | tuple[str, ...] | dict[int | str, str]]:
    """All strings of this module by lower-case name."""
    return {
        name.lower(): value
        for name, value in globals().items()
        if name.isupper() and not name.startswith("_")
    }
