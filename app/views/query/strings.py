"""Words of the Query page.

Words of the panel that says why a topic is on or off.

Words of the comparison of two queries.

Words of the panel of nearest documents.
"""

from __future__ import annotations

from collections.abc import Sequence

from ....core.data.query import CONTRADICTION
from ....core.drawing.strings import CLAMPED, figures_of
from ....core.drawing.strings import figures as written_figures
from ....core.inference.posterior import Estimate
from ....core.inference.thresholds import MOST_NAMED
from ...shared.strings import _listed as _listed_of_strings

TITLE = "Query"
SENTENCE = "Type words, and see which topics of the model they switch on."

NOTHING_LEFT = "None of these words counts; very common ones are left out. Try others."
NOTHING_KNOWN = "The model knows none of these words: {words}. Try words from its texts."
EMPTY_QUERY = "Type a few words above, or choose an example, to see the topics behind them."
TAKE_OFFER = "Treat them as unknown"
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


def unknown_words(words: Sequence[str]) -> str:
    """Name the words that the model does not know."""
    if len(words) == 1:
        return f"The model does not know “{words[0]}”, so it is ignored here."
    return f"The model does not know {_listed_of_strings(words)}, so they are ignored here."


def contradiction(word: str, first: str, second: str) -> str:
    """Say that a word was typed with two states, so that there is no answer."""
    return CONTRADICTION.format(word=f"“{word}”", first=first, second=second) + "."


def left_out(nodes: int, edges: int) -> str:
    """Say what did not fit into the picture, or nothing."""
    parts = []
    if nodes:
        parts.append(f"the {nodes} least probable topics" if nodes > 1 else "one topic")
    if edges:
        parts.append(f"the {edges} weakest links" if edges > 1 else "one weak link")
    return f"Left out to keep the picture readable: {' and '.join(parts)}." if parts else ""


def offer_open_world(count: int) -> str:
    """Say what would be on if the other words were not treated as absent."""
    topics = "topic is" if count == 1 else "topics are"
    return f"Nothing is on if all other words are absent; {count} {topics} on if they are unknown."


TITLE_ON = "Why is “{label}” on?"
TITLE_OFF = "Why is “{label}” off?"
TITLE_UNSURE = "Why is “{label}” unsure?"
TITLE_HELP = (
    "Each bar adds to the log-odds of the topic (the logarithm of how many times likelier it is to "
    "be on than off), or takes from them; they add up to its probability. 0 is a probability of "
    "one half, ±1 is about 0.73 or 0.27, ±3 is 0.95 or 0.05. Words and topics are weighed one by "
    "one; where all of them at once say something else, as when two topics need only one of them, "
    "the last bar makes up for it."
)
REASON = "Reason"
LOG_ODDS = "Adds to the log-odds"
CHART_ALT = "What speaks for the topic and against it, and what it comes to."
AXIS = "off ← log-odds (+1: odds × 2.7) → on"
CHANCE = "by chance"
# Messages alone are off by so much on average: one digit of what they come to is worth reading.
ROUGH = 0.02
LEFT_OUT_WORDS = "Without this word"
LEFT_OUT = "Without this"
ABSENT_WORDS = "pulled down by absent words"


def word(name: str, speaks_for: bool) -> str:
    """Say what a word that is present does."""
    return f"because of the word “{name}”" if speaks_for else f"pulled down by the word “{name}”"


def absent_word(name: str, speaks_for: bool) -> str:
    """Say what a word that is absent does."""
    return f"because “{name}” is absent" if speaks_for else f"pulled down, as “{name}” is absent"


def parent(name: str, speaks_for: bool) -> str:
    """Say what a topic above does."""
    return f"because of “{name}” above" if speaks_for else f"pulled down by “{name}” above"


def child(name: str, speaks_for: bool) -> str:
    """Say what a topic below does."""
    return f"because of “{name}” below" if speaks_for else f"pulled down by “{name}” below"


def others(count: int) -> str:
    """Name the reasons that are folded into one bar."""
    return f"{count} other" if count == 1 else f"{count} others"


def together(speaks_for: bool) -> str:
    """Name what only looking at everything at once shows."""
    return f"{'because of' if speaks_for else 'pulled down by'} how all fits together"


def total(known: Estimate) -> str:
    """Name the sum of all reasons."""
    return f"all together: {figures_of(known)}"


def mostly(reason: str, factor: float, *, is_on: bool) -> str:
    """Say which reason decides, and what it does to the odds."""
    state, does = ("on", "multiplies") if is_on else ("off", "divides")
    return f"It is {state} mostly {reason}, which {does} its odds by {_times(factor)}."


def unsure(reason: str, factor: float, doubt: str, doubt_factor: float) -> str:
    """Say what speaks most for a topic that is neither clearly on nor off, and what against it."""
    return (
        f"It may be on {reason}, which multiplies its odds by {_times(factor)}, and it may be off, "
        f"{doubt}, which divides them by {_times(doubt_factor)}."
    )


def unsure_rare(reason: str, factor: float, chance: float) -> str:
    """Say what speaks for a topic that is neither clearly on nor off, and that it is rare."""
    return (
        f"It may be on {reason}, which multiplies its odds by {_times(factor)}, and it may be off, "
        f"as it is rare: without a reason it is on with probability {written_figures(chance)}."
    )


def _times(factor: float) -> str:
    if factor > 1000:
        return "more than 1,000"
    return f"{factor:.3g}" if factor < 10 else f"{factor:.0f}"


def rare(chance: float) -> str:
    """Say that a topic is off because it is seldom on."""
    return (
        "It is off mostly because it is rare: without a reason it is on "
        f"with probability {written_figures(chance)}."
    )


def common(chance: float) -> str:
    """Say that a topic is on because it often is."""
    return (
        "It is on mostly by chance: without a reason it is on with probability "
        f"{written_figures(chance)}."
    )


def clamped(state: str, probability: float, free: Estimate | None = None) -> str:
    """Say that a topic is held by hand, what now speaks for it, and how it is without."""
    without = "" if free is None else f"Without what is held it is at {figures_of(free)}. "
    return (
        f"It is held {state} by hand. {without}Holding it moves the topics around it, and what "
        f"they and the words now say would give it about {written_figures(probability, ROUGH)}."
    )


def part_of(name: str) -> str:
    """Say that the topic is shown as part of another one."""
    return f"It is shown as part of “{name}”."


def circular(name: str, itself: float) -> str:
    """Say that a topic above is on because of the topic that is explained."""
    return (
        f"“{name}” above is on because of this topic, so it is no reason for it: "
        f"without this topic it would be at {written_figures(itself, ROUGH)}."
    )


def above_itself(name: str, itself: float, reason: str) -> str:
    """Say what a topic above is without the topic that is explained, and why."""
    return (
        f"Without this topic “{name}” above would be at {written_figures(itself, ROUGH)}, {reason}."
    )


def signed(log_odds: float) -> str:
    """Write log-odds with their sign."""
    text = f"{abs(log_odds):.1f}" if abs(log_odds) >= 0.95 else f"{abs(log_odds):.2f}"
    if float(text) == 0.0:
        return "0"
    return ("−" if log_odds < 0 else "+") + text


def left_out_note(known: Estimate) -> str:
    """Say what the figures of the list are."""
    return f"How probable the topic would be had you not said it; now it is {figures_of(known)}."


def piece(kind: str, name: str) -> str:
    """Name a word, or a topic that is held by hand, as it was said."""
    return (
        f"{name} ({CLAMPED[kind]})" if kind in CLAMPED else f"-{name}" if kind == "absent" else name
    )


def pair(name: str, shared: Sequence[str], joint: Estimate, apart: float) -> str:
    """Say that two topics exclude each other, or go together, and which words speak for both."""
    at_once = (
        f"both are on with probability {figures_of(joint)}, where each on its own would make it "
        f"{written_figures(apart)}."
    )
    listed = " and ".join(f"“{word}”" for word in shared)
    verb = "speaks" if len(shared) == 1 else "speak"
    if joint.value > apart:
        return f"It goes together with “{name}”: {at_once}"
    if not shared:
        return f"It and “{name}” exclude each other: {at_once}"
    return f"{listed} {verb} for “{name}” too, and one of them is enough: {at_once}"


BOTH = "both"
SIDES = "Probabilities: left | right query."
HINT = "Shift click to switch, double click to open in Graph."
CARD_HERE = "Click a topic or a word to see its card and its switch here."
NONE_ON = "Neither query switches a topic on; try adding words."


def only(query: str) -> str:
    """Head the zone of what only one query has."""
    return f"only “{query}”"


def under(query: str) -> str:
    """Name the query that the reasons are given for."""
    return f"Asked with “{query}”:"


def under_query(query: str) -> str:
    """Name the query that documents are nearest to."""
    return f"Nearest to “{query}”"


def figures(left: Estimate | None, right: Estimate | None) -> str:
    """Write the probabilities under both queries; a dash where a query has no word below."""
    return " | ".join("–" if known is None else figures_of(known) for known in (left, right))


def probabilities(left: Estimate | None, right: Estimate | None) -> tuple[str, ...]:
    """Say the probabilities under both queries."""
    return tuple(
        f"{side}: {'no word below it' if known is None else figures_of(known)}"
        for side, known in (("left", left), ("right", right))
    )


def shared(labels: Sequence[str], asked: Sequence[str]) -> str:
    """Say which topics both queries switch on; where none, which words both ask for."""
    if labels:
        return f"Both switch on {_listed(labels)}."
    if asked:
        return f"Both ask for {_listed(asked)}, but no topic is on under both."
    return "No topic is on under both."


def silent(query: str) -> str:
    """Say that one of two queries switches nothing on, so that they share nothing either."""
    return f"“{query}” switches no topic on; try adding words to it."


def _listed(names: Sequence[str]) -> str:
    named = [f"“{name}”" for name in names[:MOST_NAMED]]
    more = len(names) - len(named)
    if more:
        return f"{', '.join(named)} and {more} more"
    return named[0] if len(named) == 1 else ", ".join(named[:-1]) + " and " + named[-1]


def described(first: int, both: int, second: int) -> str:
    """Describe the picture to a screen reader."""
    return (
        f"Topics of two queries: {first} only in the first, {both} in both, "
        f"{second} only in the second."
    )


NEAREST_TITLE = "Nearest documents"
NEAREST_TITLE_HELP = (
    "The documents of the model's corpus with the most of your words come first; of these, the "
    "ones with the most words that this query makes likelier than usual. The words you typed are "
    "marked strongly, words of their topics lightly."
)
NONE = "No document has words that this query makes likelier."
