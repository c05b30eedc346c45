"""Words of the Query page.

Words of the panel that says why a topic is on or off.

Words of the comparison of two queries.

Words of the panel of nearest documents.
"""

from __future__ import annotations

from collections.abc import Sequence

from ....core.drawing import explorer_strings
from ....core.drawing.explorer_strings import ABSENT_WORDS as ABSENT_WORDS
from ....core.drawing.explorer_strings import AXIS as AXIS
from ....core.drawing.explorer_strings import BOTH as BOTH
from ....core.drawing.explorer_strings import CARD_HERE as CARD_HERE
from ....core.drawing.explorer_strings import CHANCE as CHANCE
from ....core.drawing.explorer_strings import CLAMPED_TITLE as CLAMPED_TITLE
from ....core.drawing.explorer_strings import FREE_ALL as FREE_ALL
from ....core.drawing.explorer_strings import FREE_ONE as FREE_ONE
from ....core.drawing.explorer_strings import LEFT_OUT as LEFT_OUT
from ....core.drawing.explorer_strings import LEFT_OUT_WORDS as LEFT_OUT_WORDS
from ....core.drawing.explorer_strings import NONE_ON as NONE_ON
from ....core.drawing.explorer_strings import NOTHING_KNOWN as NOTHING_KNOWN
from ....core.drawing.explorer_strings import NOTHING_LEFT as NOTHING_LEFT
from ....core.drawing.explorer_strings import SIDES as SIDES
from ....core.drawing.explorer_strings import TAKE_OFFER as TAKE_OFFER
from ....core.drawing.explorer_strings import TITLE_OFF as TITLE_OFF
from ....core.drawing.explorer_strings import TITLE_ON as TITLE_ON
from ....core.drawing.explorer_strings import TITLE_UNSURE as TITLE_UNSURE
from ....core.drawing.explorer_strings import TOPIC_STATES as TOPIC_STATES
from ....core.drawing.explorer_strings import WHAT_IF as WHAT_IF
from ....core.drawing.explorer_strings import WORD_STATES as WORD_STATES
from ....core.drawing.strings import figures as written_figures
from ....core.drawing.strings import figures_of, listed
from ....core.inference.posterior import Estimate
from ....core.inference.thresholds import MOST_NAMED, SUM_ERROR

TITLE = "Query"
SENTENCE = "Type words, and see which topics of the model they switch on."

HINT_PICTURE = explorer_strings.HINT_PICTURE.format(where=" in Graph")
EMPTY_QUERY = "Type a few words above, or choose an example, to see the topics behind them."
WHAT_IF_HELP = (
    "Everything else is updated at once. Shift-click or the space bar does the same in the picture."
)

READINGS = "Readings"
READINGS_HELP = explorer_strings.READINGS_HELP.format(
    figure="The figure is the probability that the topic is on and none before it is. "
)

EMPTY = "Here you will ask a trained model which topics your words belong to."


def readings(count: int, words: Sequence[str]) -> str:
    """Say how many readings there are of the words that are there."""
    number = explorer_strings.NUMBERS.get(count, str(count))
    one, several = explorer_strings.READINGS_WORDS
    said = one.format(word=words[0]) if len(words) == 1 else several
    return explorer_strings.READINGS_TITLE.format(number=number, words=said)


def unknown_words(words: Sequence[str]) -> str:
    """Name the words that the model does not know."""
    return explorer_strings.UNKNOWN_WORDS[len(words) > 1].format(words=listed(words))


def contradiction(word: str, first: str, second: str) -> str:
    """Say that a word was typed with two states, so that there is no answer."""
    return explorer_strings.CONTRADICTION.format(word=word, first=first, second=second)


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
    return explorer_strings.OFFER[count != 1].format(count=count)


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


def word(name: str, speaks_for: bool) -> str:
    """Say what a word that is present does."""
    return explorer_strings.WORD[not speaks_for].format(name=name)


def absent_word(name: str, speaks_for: bool) -> str:
    """Say what a word that is absent does."""
    return explorer_strings.ABSENT_WORD[not speaks_for].format(name=name)


def parent(name: str, speaks_for: bool) -> str:
    """Say what a topic above does."""
    return explorer_strings.PARENT[not speaks_for].format(name=name)


def child(name: str, speaks_for: bool) -> str:
    """Say what a topic below does."""
    return explorer_strings.CHILD[not speaks_for].format(name=name)


def others(count: int) -> str:
    """Name the reasons that are folded into one bar."""
    return explorer_strings.OTHER_REASONS[count != 1].format(count=count)


def together(speaks_for: bool) -> str:
    """Name what only looking at everything at once shows."""
    return explorer_strings.TOGETHER[not speaks_for]


def total(known: Estimate) -> str:
    """Name the sum of all reasons."""
    return explorer_strings.TOTAL.format(figures=figures_of(known))


def mostly(reason: str, factor: float, *, is_on: bool) -> str:
    """Say which reason decides, and what it does to the odds."""
    sentence = explorer_strings.MOSTLY_ON if is_on else explorer_strings.MOSTLY_OFF
    return sentence.format(reason=reason, factor=_times(factor))


def unsure(reason: str, factor: float, doubt: str, doubt_factor: float) -> str:
    """Say what speaks most for a topic that is neither clearly on nor off, and what against it."""
    against = explorer_strings.DOUBT.format(reason=doubt, factor=_times(doubt_factor))
    return _may_be_on(reason, factor, against)


def unsure_rare(reason: str, factor: float, chance: float) -> str:
    """Say what speaks for a topic that is neither clearly on nor off, and that it is rare."""
    against = explorer_strings.DOUBT_RARE.format(figures=written_figures(chance))
    return _may_be_on(reason, factor, against)


def _may_be_on(reason: str, factor: float, doubt: str) -> str:
    return explorer_strings.MAY_BE_ON.format(reason=reason, factor=_times(factor), doubt=doubt)


def _times(factor: float) -> str:
    if factor > 1000:
        return explorer_strings.MANY_TIMES
    return f"{factor:.3g}" if factor < 10 else f"{factor:.0f}"


def rare(chance: float) -> str:
    """Say that a topic is off because it is seldom on."""
    return explorer_strings.RARE.format(figures=written_figures(chance))


def common(chance: float) -> str:
    """Say that a topic is on because it often is."""
    return explorer_strings.COMMON.format(figures=written_figures(chance))


def clamped(state: str, probability: float, free: Estimate | None = None) -> str:
    """Say that a topic is held by hand, what now speaks for it, and how it is without."""
    without = "" if free is None else explorer_strings.WITHOUT_HELD.format(figures=figures_of(free))
    given = written_figures(probability, SUM_ERROR)
    return explorer_strings.HELD.format(state=state, without=without, figures=given)


def part_of(name: str) -> str:
    """Say that the topic is shown as part of another one."""
    return explorer_strings.PART_OF.format(name=name)


def circular(name: str, itself: float) -> str:
    """Say that a topic above is on because of the topic that is explained."""
    return (
        f"“{name}” above is on because of this topic, so it is no reason for it: "
        f"without this topic it would be at {written_figures(itself, SUM_ERROR)}."
    )


def above_itself(name: str, itself: float, reason: str) -> str:
    """Say what a topic above is without the topic that is explained, and why."""
    figures = written_figures(itself, SUM_ERROR)
    return f"Without this topic “{name}” above would be at {figures}, {reason}."


def signed(log_odds: float) -> str:
    """Write log-odds with their sign."""
    text = f"{abs(log_odds):.1f}" if abs(log_odds) >= 0.95 else f"{abs(log_odds):.2f}"
    if float(text) == 0.0:
        return "0"
    return ("−" if log_odds < 0 else "+") + text


def left_out_note(known: Estimate) -> str:
    """Say what the figures of the list are."""
    return explorer_strings.LEFT_OUT_NOTE.format(figures=figures_of(known))


def piece(kind: str, name: str) -> str:
    """Name a word, or a topic that is held by hand, as it was said."""
    return explorer_strings.PIECES[kind].format(name=name)


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


HINT = explorer_strings.HINT_COMPARISON.format(where=" in Graph")


def only(query: str) -> str:
    """Head the zone of what only one query has."""
    return explorer_strings.ONLY.format(query=query)


def under(query: str) -> str:
    """Name the query that the reasons are given for."""
    return explorer_strings.UNDER.format(query=query)


def under_query(query: str) -> str:
    """Name the query that documents are nearest to."""
    return f"Nearest to “{query}”"


def figures(left: Estimate | None, right: Estimate | None) -> str:
    """Write the probabilities under both queries; a dash where a query has no word below."""
    return " | ".join("–" if known is None else figures_of(known) for known in (left, right))


def probabilities(left: Estimate | None, right: Estimate | None) -> tuple[str, ...]:
    """Say the probabilities under both queries."""
    return tuple(
        side.format(figures=explorer_strings.NO_WORD_BELOW if known is None else figures_of(known))
        for side, known in zip(explorer_strings.SIDE_FIGURES, (left, right), strict=True)
    )


def shared(labels: Sequence[str], asked: Sequence[str]) -> str:
    """Say which topics both queries switch on; where none, which words both ask for."""
    if labels:
        return explorer_strings.SHARED_ON.format(names=listed(labels, MOST_NAMED))
    if asked:
        return explorer_strings.SHARED_ASKED.format(names=listed(asked, MOST_NAMED))
    return explorer_strings.SHARED_NOTHING


def silent(query: str) -> str:
    """Say that one of two queries switches nothing on, so that they share nothing either."""
    return explorer_strings.SILENT.format(query=query)


def described(first: int, both: int, second: int) -> str:
    """Describe the picture to a screen reader."""
    return explorer_strings.TWO_QUERIES.format(first=first, both=both, second=second)


NEAREST_TITLE = "Nearest documents"
NEAREST_TITLE_HELP = (
    "The documents of the model's corpus with the most of your words come first; of these, the "
    "ones with the most words that this query makes likelier than usual. The words you typed are "
    "marked strongly, words of their topics lightly."
)
NONE = "No document has words that this query makes likelier."
