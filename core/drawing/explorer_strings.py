"""Strings that the app and the offline explorer share, with ``{placeholders}``.

Python fills the placeholders with `str.format`. The explorer receives all strings as JSON under
lower-case names (`explorer_strings`), and ``say`` in ``explorer/model/strings.js`` fills them. A
pair contains the singular and the plural, or the strings for and against a topic.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..data.query import CONTRADICTION as _CONTRADICTION
from ..data.query import WORD_STATES as _WORD_STATES
from ..model.terms import Terms

# Query boxes.
BOX = "Your words"
HINT = f"Some words; {', '.join(state.hint for state in _WORD_STATES if state.hint)}"
# Word in `HINT`, for which a model without it has another one.
_EXAMPLE_WORD = "memory"
# How the query is read; `UNKNOWN` and `ABSENT`, the states of all other words, are in the address.
OTHERS = "I typed"
UNKNOWN, FEW_WORDS = "unknown", "a few words"
ABSENT, WHOLE_TEXT = "absent", "a whole text"
COMPARE = "Compare"
COMPARE_HELP = "Put a second query beside this one, and see what they share."
COMPARISON_CLOSE = "Close the second query"
SECOND_HINT = "Words to compare with"

# Notes on the query.
NOTHING_LEFT = (
    "None of these words counts. Very common words are left out, and usually numbers and single "
    "letters. Try others."
)
NOTHING_KNOWN = "The model knows none of these words: {words}."
TRY_TEXTS = "Try words from its texts."
TRY_TERMS = "Type the beginning of a word to see those that it knows."
UNKNOWN_WORDS = (
    "The model does not know {words}. The answer below ignores it.",
    "The model does not know {words}. The answer below ignores them.",
)
NEGATION = (
    "“{word}” is not understood, so “{denied}” is read as present. For a word that is absent, type "
    "- before it: -{example}."
)
# With and without words that are present.
DENIED = (
    "Read as absent: {absent}; as present: {present}. {rule} Type + or - before a word to change "
    "this: +{example}."
)
DENIED_ALL = (
    "Read as absent: {absent}; no word is read as present. {rule} Type + before a word to change "
    "this: +{example}."
)
# How far a denial holds: by a verb such as "denies", and by another word.
DENIAL_HOLDS = {
    "verb": "“{denial}” holds beyond commas, up to other punctuation, a new line, or a word such "
    "as “but”, “has” or “with”.",
    "word": "“{denial}” holds up to punctuation, a new line, or a word such as “but”, “has” or "
    "“with”; in a list with “or”, it holds beyond commas.",
}
# Buttons that change the reading of one word.
SWITCH_DENIED = {"present": "Make “{word}” present", "absent": "Make “{word}” absent"}
SWITCH_ALL = "Make {words} absent"
SWITCH_HELP = "Click to read “{word}” as {state}"
UNKNOWN_TERM = (
    "The model does not know “{term}”, so it changes nothing: “{inner}” in it is not read as "
    "{state}. To read it so, type {example}."
)
USED_ALONE = "The model does not know “{phrase}”; the answer uses “{known}” alone."
NEGATION_ALONE = "“{word}” is not understood. For a word that is absent, type - before it."
NEAR_WORDS = "Instead of “{word}”:"
DID_YOU_MEAN = "Did you mean: {words}?"
NEAR_HELP = "Click to put “{known}” in the place of “{word}”."
CONTRADICTION = f"{_CONTRADICTION.replace('{word}', '“{word}”')}."
OFFER = (
    "Read as a whole text, no topic is on; read as a few words, {count} topic is on.",
    "Read as a whole text, no topic is on; read as a few words, {count} topics are on.",
)
TAKE_OFFER = "Read it as a few words"

# Beside the picture; `where` is the place in which a node opens.
HINT_PICTURE = "Click to select, shift-click to switch on or off, double-click to open{where}."
ROUGHNESS = "Probabilities are accurate to ± {margin}."
STRANGER = "The model does not know this word, so it is ignored here."
STANDING = "{state}, probability {figures}"
RATHER = "unsure, rather {state}"
BEFORE = "before your switches: {figures}"

# The answer: a sentence above the picture, and a list beside it. Each topic is in one group.
ANSWER = {
    "on": "On: {topics}.",
    "unsure": "Most probable, but unsure: {topics}.",
    "off": "Most probable: {topics}. No topic is on.",
}
ANSWER_TOPIC = "{name} {figures}"
ANSWER_MORE = "and {count} more"
UNLINKED_ANSWER = "These words change nothing: they are left open, or no topic is linked with them."
HIDDEN_ANSWER = "The topics of these words are hidden."
ON_TITLE = "On"
UNSURE_TITLE = "Unsure"
LIKELIEST_TITLE = "Most probable topics"
UNLINKED = "Most frequent topics in general"
ANOTHER_WORD = "Another word may settle it."
ALL_ORDINARY = "Most texts with these words are about none of the topics."
ORDINARY = (
    "Most texts with {words} are about none of the topics.",
    "Most texts with {words} are about none of the topics.",
)
DESCRIBED = (
    "Local model of the query: {on} topics on, {unsure} unsure, {off} off, {words} words drawn."
)
# A part of the topics that are off.
QUIET = ("{count} less probable one", "{count} less probable ones")
READ_AS_TEXT = (
    "Read as a whole text: the model knows {known} different words of it. Words that it knows and "
    "that are not in the text count as absent."
)
# Its words that the model does not know: all, or the most frequent ones, or some.
UNKNOWN_OF_TEXT = (
    "{count} word of this text is not in the model: {words}",
    "{count} words of this text are not in the model: {words}",
)
OFTEN, FOR_EXAMPLE = "most often {words}", "for example {words}"
TIMES_IN_TEXT = "“{word}” ({count} times)"
MORE_UNKNOWN = "{count} more"

# Clamped topics (what-if).
SET = "set {state}"
WHAT_IF = "What if it were"
WORD_STATES = {state.name: state.name for state in _WORD_STATES}
TOPIC_STATES = {"free": "automatic", "on": "on", "off": "off"}
CLAMPED_TITLE = "Switched by you"
FREE_ONE = "Let the words decide again"
FREE_ALL = "Undo all"

# Senses.
SENSES_TITLE = "{number} senses of {words}"
# For a model with its own terms: a symptom has diseases that explain it, but no senses.
_EXPLAINING_TITLE = "{number} topics that explain {words}"
SENSES_WORDS = ("“{word}”", "these words")
SENSES_HELP = (
    "Topics that would each explain the words, so that one of them is enough. {figure}"
    "Click one to assume it; click it again to let the words decide."
)
NUMBERS = {2: "Two", 3: "Three", 4: "Four", 5: "Five"}

# Explanation of a topic.
TITLE_ON = "What speaks for “{label}” ({figures})?"
TITLE_OFF = "Why only {figures} for “{label}”?"
TITLE_UNSURE = "What speaks for and against “{label}” ({figures})?"
PART_OF = "It is shown as part of “{name}”."
AXIS = "← speaks against it · speaks for it →"
LEAK = "before any word"
# How frequent a topic is, as {rate} of the sentences below; assumed if the graph has no rates.
RATE = "rare ({share} before any word)"
RATE_ASSUMED = "taken to be as rare as all others ({share})"
ITSELF = "how frequent it is by itself"
ABSENT_WORDS = "many of its usual words are missing"
WORD = ("“{name}”", "“{name}”")
ABSENT_WORD = ("“{name}” is absent", "“{name}” is absent")
PARENT = ("“{name}” above", "“{name}” above")
CHILD = ("“{name}” below", "“{name}” below")
TOGETHER = ("more, as the reasons support each other", "less, as the reasons overlap")
JOINT = "{names}, taken together"
OTHER_REASONS = ("{count} other", "{count} others")
TOTAL = "all together: {figures}"
# Sentences about the reasons: the subject is one word or topic, or several.
WORDS_FOR = ("{names} points to this topic.", "{names} point to this topic.")
WORDS_BUT_RARE = (
    "{names} points to this topic, but is not enough: it is {rate}.",
    "{names} point to this topic, but are not enough: it is {rate}.",
)
WORDS_BUT = (
    "{names} points to this topic, but is not enough.",
    "{names} point to this topic, but are not enough.",
)
# The probability of the topic would be higher without them.
WORDS_ELSEWHERE = ("{names} fits other topics better.", "{names} fit other topics better.")
TOPICS_FOR = (
    "The topic {names} speaks for it.",
    "The topics {names} speak for it.",
)
TOPICS_TOO = (
    "The topic {names} speaks for it too.",
    "The topics {names} speak for it too.",
)
TOPICS_BUT = (
    "The topic {names} speaks for it, but is not enough.",
    "The topics {names} speak for it, but are not enough.",
)
COMMON = "It is common ({share} before any word), and these words do not change that."
RARE = "Nothing points to it, and it is {rate}."
NEITHER = "Nothing speaks clearly for it or against it."
AGAINST = "Against it: {reason}."
HELD = "You switched it {state}."
WITHOUT_HELD = "Before: {figures}."
ALL_FIGURES = "All figures"
FIGURES_HEAD = ("Reason", "Log-odds", "Odds")
TIMES, DIVIDED = "× {factor}", "÷ {factor}"
MANY_TIMES = "more than 1,000"
LEFT_OUT_WORDS = "Without this word it would be"
LEFT_OUT = "Without this it would be"
LEFT_OUT_NOTE = "Now it is {figures}."
PIECES = {
    **{s.name: f"{{name}} ({s.name})" if s.sign else "{name}" for s in _WORD_STATES},
    "on": "{name} (switched on)",
    "off": "{name} (switched off)",
}

# All topics taken together: their most probable states. Of a few words, nothing is known about
# topics that are not linked with them.
TOGETHER_TITLE = "Taken together"
TOGETHER_HELP = (
    "The figures above treat each topic alone. Here, all topics are taken together: each line is "
    "one answer to the question which topics are on and which are off, with its probability. The "
    "first line is the most probable answer; the others say what they change in it. If the other "
    "words are unknown, only the topics of these words count: nothing is known about the rest."
)
NO_STATE = {
    UNKNOWN: "no topic of these words",
    ABSENT: "no topic",
}
STATE = "{topics} and {rest}"
BEST_STATE = "Of all combinations, the most probable one ({figure}) is {state}."
UNLIKELY_STATE = f"{BEST_STATE} It is more probable, though, that another one is true."
EVEN_STATE = f"{BEST_STATE} It is about as probable that another one is true."
NO_BEST_STATE = "No combination of topics stands out: each has a probability below 0.1."
NO_BEST_FOUND = (
    "No combination of topics that was found stands out: each has a probability below 0.1. There "
    "are too many to try them all: another one may have a probability of up to {share}."
)
THE_REST = {UNKNOWN: "no other topic of these words", ABSENT: "nothing else"}
WITH, WITHOUT = "with {topics}", "without {topics}"
INSTEAD = "{topics} instead of {others}"
AT_LEAST = "at least {share}"
SEARCH_ENDED = (
    "There are too many combinations to try them all: another one may have a probability of up to "
    "{share}."
)
# How often the model expects the query; a model without texts has cases.
CASES = {"texts": "texts", "cases": "cases"}
EXPECTED_MOST = "By the model, most {cases} fit this query"
EXPECTED = "By the model, about 1 of {count} {cases} fits this query"
EXPECTED_RARELY = "By the model, less than 1 of a billion {cases} fits this query"
AS_OFTEN = "{expected}: {factor} times as many as if its words came together only by chance."
AS_SELDOM = "{expected}: {factor} times fewer than if its words came together only by chance."
AS_UNRELATED = "{expected}: about as many as if its words came together only by chance."

# The most informative next words.
NEXT_TITLE = "Most informative next"
NEXT_HELP = (
    "Is one of these words in the text, too? The answers settle most about the topics that are "
    "unsure; the first word settles most. The figure is the probability that the model expects for "
    "a yes."
)
NEXT_SURE = "No topic of these words is unsure, so no further word is needed."
NEXT_NOTHING = "No further word would change the unsure topics much."
NEXT_NO_QUESTION = "No further question would make a topic much more probable."
NEXT_QUESTION = "Next question"
NEXT_QUESTION_HELP = (
    "Is this present, too? These questions usually lead to a nearly certain topic quickly; the "
    "first one is the best. The figure is the probability that the model expects for a yes."
)
NEXT_ROUGH = "These figures are estimates; another word may settle more."
NEXT_ANSWERS = {"present": "Yes", "absent": "No", "unknown": "Skip"}
NEXT_ANSWERS_HELP = {
    "present": "“{word}” is present; the model expects this answer with a probability of {figure}",
    "absent": "“{word}” is absent",
    "unknown": "Leave “{word}” unknown and ask for another word",
}
# The figure and its name are on one line.
NEXT_YES = "yes\u00a0{figure}"
SURE_ENOUGH = "“{name}” has a probability of {figures}. No further question is needed."
ASK_ON = "Ask on"

# Comparison of two queries.
BOTH = "both"
ONLY = "only “{query}”"
# For queries whose names are longer than the heading of a zone.
ONLY_SIDES = ("only left", "only right")
UNDER = "With “{query}”:"
SIDES = "Probabilities: left | right query."
HINT_COMPARISON = "Shift-click to switch on or off, double-click to open{where}."
CARD_HERE = "Click a topic or a word to see its card and its switch here."
SIDE_FIGURES = ("left: {figures}", "right: {figures}")
NO_WORD_BELOW = "not linked with this query"
NONE_ON = "No topic is on or unsure for either query; try adding words."
SILENT = "No topic is on or unsure for “{query}”; try adding words to it."
DIFFERENCE = "Largest difference: “{name}”, {first} and {second}."
WITH_QUERY = "{figures} with “{query}”"
NOT_LINKED = "not linked with “{query}”"
NO_DIFFERENCE = "No topic differs by 0.01 or more."
ONLY_ON = "On or unsure only for “{query}”: {topics}."
ALSO_ONLY_ON = "Also on or unsure only for “{query}”: {topics}."
SHARED_ON = "On or unsure for both: {names}."
ALSO_SHARED_ON = "Also on or unsure for both: {names}."
NO_OTHER_SHARED = "No other topic is on or unsure for both."
SHARED_GIVEN = "Both contain {names}, but no topic is on or unsure for both."
SHARED_NOTHING = "No topic is on or unsure for both."
TWO_QUERIES = (
    "Topics of two queries: {first} only in the first, {both} in both, {second} only in the second."
)

# Size of the model, and what is found that is no topic.
N_TOPICS = ("{count} topic", "{count} topics")
N_WORDS = ("{count} word", "{count} words")
A_WORD = "word"
A_TOPIC = "topic"

# Map of all topics.
WHOLE = "All topics"
GRAPH_SENTENCE = "Explore the topics and the links between them, down to their words."
FIND = "Find a topic or word"
FIND_HINT = "Word, name or id"
NOTHING_FOUND = "No topic is named or linked with “{text}”. Try another word."
SHOW_FOUND = "Show {count} more"
MORE_FOUND = "{count} more found: type another word to narrow the search."
ALL_SHOWN = "All {total} topics."
SOME_SHOWN = "{shown} of {total} topics."
AREA = (
    "Number: {what}. The bigger of two neighbours has more. +N: N more, for which this window has "
    "no room; click, or Ctrl and wheel, to zoom in."
)
AREA_FLAT = "Number: how frequent before any word."
AREA_COUNTED = "documents, of {documents}, with this topic or one inside it"
AREA_EXPECTED = "probability of this topic or one inside it before any word"
HINT_OVERVIEW = (
    "A topic is inside the one that leads to it most often; a click shows all its links."
)
HINT_FLAT = "This model has no hierarchy. Click a topic to see its words."
HINT_GROUPS = "Bold headings only sort the topics for reading; they are no part of the model."
GROUP_HINT = "Topics whose documents use similar words. The group is no part of the model."
OTHER_TOPICS = "Other topics"
OTHER_TOPICS_HINT = "Topics that are similar to no group."
SET_ASIDE = "Other: general words"
SET_ASIDE_HINT = (
    "Topics whose words are rarely together in the texts. A topic to which you give a name is "
    "shown with the others."
)
MAP_DESCRIPTION = "Map of the topics, each inside the topic that leads to it most often."
MAP_KEYS = "Arrow keys move, Enter opens or zooms in, Escape zooms out."
MORE_HERE = ("+{count} here, too small to read", "Click to zoom in.")
AFTER = ("after the largest", "after the {count} largest")

# Size of a topic, and its neighbours.
SIZED_COUNTED = "on in {count} of {documents} documents ({percent})"
SIZED_EXPECTED = "probability before any word {percent}"
WITH_BELOW = "with the topics inside it: {size}"
BY_ITSELF = "by itself: {size}"
ABOVE = "Above"
BELOW = "Below"
WORDS = "Words"
NO_TOPICS = "This word belongs to no topic."
FOUND_AGAIN = "found again in {found} of {times} trainings"
NO_PARENTS = "No topic above: one of the most general topics."
ALONE = "No topic is above it or below it."
NOTHING_BELOW = "No topics below."
NO_WORDS = "This topic has no words of its own."
WORD_TITLE = "Topics with this word"
# Meaning of the figures in a list of words.
WORDS_NOTE = "How often each occurs if this topic is on, from any cause."
LINKS_NOTE = "Probability that this topic alone causes each."
AS_ASSUMED = "as assumed for every topic"
ASSUMED_RATE = "Every topic is taken to be equally frequent ({share})."
MADE_OF_WORDS = "its words: {name}"
NAMED_IN_GRAPH = "in the graph: {name}"
BACK_TO_ANSWER = "← Back to the answer"

# In place of the strings above, for a model from a graph, which has no texts.
_WITHOUT_TEXTS: dict[str, str | tuple[str, ...]] = {
    "HINT_PICTURE": (
        "Click to select, shift-click to change a state, double-click to open{where}."
    ),
    "HINT_COMPARISON": "Shift-click to change a state, double-click to open{where}.",
    "OFFER": (
        "If all other words are absent, no topic is on; if they are unknown, {count} topic is on.",
        "If all other words are absent, no topic is on; if they are unknown, {count} topics "
        "are on.",
    ),
    "TAKE_OFFER": "Leave the other words unknown",
    "READ_AS_TEXT": (
        "The model knows {known} of these words. Words that it knows and that are not among them "
        "count as absent."
    ),
    "ALL_ORDINARY": "Most cases with these words have none of the topics.",
    "ORDINARY": 2 * ("Most cases with {words} have none of the topics.",),
    "NEXT_HELP": NEXT_HELP.replace("Is one of these words in the text, too?", "Is one present?"),
}


def string_for(name: str, *, has_texts: bool) -> Any:
    """String, or strings, of this module by its name, for a model with or without texts."""
    return globals()[name] if has_texts else _WITHOUT_TEXTS.get(name, globals()[name])


def strings_in_terms(
    terms: Terms, *, has_texts: bool = True, vocabulary: Sequence[str] = ()
) -> dict[str, str | tuple[str, ...] | dict[int | str, str]]:
    """`explorer_strings` in a model's own words for topics and words.

    The hint of the query box has a word of the ``vocabulary``.
    """
    strings = {name: string_for(name.upper(), has_texts=has_texts) for name in explorer_strings()}
    found: dict[str, str | tuple[str, ...] | dict[int | str, str]] = terms.in_all(strings)
    read_as = terms.translated(read_as_whole(has_texts=has_texts))
    hint = query_hint(terms, vocabulary)
    return found | {"senses_title": senses_title(terms), "whole_text": read_as, "hint": hint}


def query_hint(terms: Terms, vocabulary: Sequence[str]) -> str:
    """`HINT` in a model's own words; the example is the first single word that the model knows."""
    single = (word for word in vocabulary if word.isalpha())
    example = _EXAMPLE_WORD if _EXAMPLE_WORD in vocabulary else next(single, _EXAMPLE_WORD)
    return terms.translated(HINT).replace(_EXAMPLE_WORD, example)


def read_as_whole(*, has_texts: bool) -> str:
    """Name of a query whose other words are absent; a model from a graph has no texts."""
    return WHOLE_TEXT if has_texts else "all words"


def senses_title(terms: Terms) -> str:
    """`SENSES_TITLE` of a model with these terms, with its placeholders."""
    return SENSES_TITLE if terms == Terms() else terms.translated(_EXPLAINING_TITLE)


def explorer_strings() -> dict[str, str | tuple[str, ...] | dict[int | str, str]]:
    """All strings of this module by lower-case name."""
    return {
        name.lower(): value
        for name, value in globals().items()
        if name.isupper() and not name.startswith("_")
    }
