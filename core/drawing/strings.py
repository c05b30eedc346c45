"""Strings of pictures (legend, tooltips, buttons), and how probabilities are written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..data.query import WORD_STATES
from ..inference.posterior import Estimate
from ..inference.thresholds import FINE_ERROR, ON_THRESHOLD, SURE_ERRORS, UNSURE, group_of
from ..model.terms import Terms
from . import explorer_strings

USUAL_TERMS = Terms()


def is_unsure(probability: float) -> bool:
    """Whether a topic is neither clearly on nor clearly off."""
    return group_of(probability) == "unsure"


def figures(probability: float, error: float = 0.0) -> str:
    """Write a probability with as many digits as its standard error allows: two, or one.

    Only a probability of exactly 0 or 1 is written so; ">0.99" means that it is certainly greater.
    """
    digits = 2 if error <= FINE_ERROR else 1
    step = 10.0**-digits
    if 0.0 < probability < step / 2.0 or (probability == 0.0 and error > 0.0):
        return f"{'<' * (probability + SURE_ERRORS * error < step)}{step:.{digits}f}"
    if 1.0 - step / 2.0 <= probability < 1.0 or (probability == 1.0 and error > 0.0):
        least = 1.0 - step
        return f"{'>' * (probability - SURE_ERRORS * error > least)}{least:.{digits}f}"
    return f"{probability:.{digits}f}"


def figures_of(known: Estimate) -> str:
    """Write an estimate with the digits that its error allows."""
    return figures(known.value, known.error)


def percent(probability: float) -> str:
    """Write a probability in per cent with at most two digits."""
    value = 100 * probability
    if 0 < value < 0.95:
        return f"{value:.1f}\N{NO-BREAK SPACE}%" if value >= 0.1 else "<0.1\N{NO-BREAK SPACE}%"
    return f"{value:.0f}\N{NO-BREAK SPACE}%"


def listed(names: Sequence[str], most: int | None = None) -> str:
    """Write “one”, “two” and “three”; of many the first few and how many more there are."""
    named = [f"“{name}”" for name in names[:most]]
    more = len(names) - len(named)
    if more:
        return f"{', '.join(named)} and {more} more"
    *first, last = named
    return f"{', '.join(first)} and {last}" if first else last


LEGEND_ON = "on"
LEGEND_OFF = "off"
LEGEND_UNSURE = "unsure"
# The limits of the groups, in the entry of the one between them.
LEGEND_LIMITS = f"{UNSURE[0]:g} to {UNSURE[1]:g}"
LEGEND_UNSURE_LIMITS = f"{LEGEND_UNSURE} ({LEGEND_LIMITS})"
LEGEND_STATES = {state.name: state.meaning for state in WORD_STATES}
LEGEND_STRANGER = "the model does not know this word"
LEGEND_CLAMPED = "switched by you"
CLAMPED = {state: explorer_strings.SET.format(state=state) for state in ("on", "off")}
LEGEND_TOPIC = "topic"
LEGEND_FOCUS = "you are here"
LEGEND_WORD = "word"
LEGEND_EDGES = ("weak", "medium", "strong link")
LEGEND_BITS = ("little information", "medium", "much information")
LEGEND_ENDS_OFF = "little effect here"
LEGEND_OTHERS = "link between other nodes"
LEGEND_ASIDE = "not on the path"

FOLDED = {
    "parents": "topics above",
    "siblings": "siblings",
    "children": "topics below",
    "words": "words",
}
KEYS_SWITCH = "Arrow keys move, Enter selects, Space switches."
BUTTONS = {
    "in": "Zoom in",
    "out": "Zoom out",
    "fit": "Fit the whole picture",
    "png": "Save the picture as PNG",
    "svg": "Save the picture as SVG",
}

# Strings that the explorer also uses.
PICTURE_STRINGS = {
    "on": LEGEND_ON,
    "off": LEGEND_OFF,
    "unsure": LEGEND_UNSURE,
    "limits": LEGEND_LIMITS,
    "unsure_limits": LEGEND_UNSURE_LIMITS,
    **LEGEND_STATES,
    "stranger": LEGEND_STRANGER,
    "pin": LEGEND_CLAMPED,
    "edges": LEGEND_EDGES,
    "ends_off": LEGEND_ENDS_OFF,
    "clamped": CLAMPED,
    "keys": KEYS_SWITCH,
    "buttons": BUTTONS,
}
LEGEND_ENDS = "the two topics"


def before(known: Estimate) -> str:
    """Probability of a topic without clamped topics."""
    return explorer_strings.BEFORE.format(figures=figures_of(known))


def expected(known: Estimate) -> str:
    """Probability of a word whose presence is not given."""
    return f"to be expected with probability {figures_of(known)}"


def topic_hover(
    label: str, code: str, known: Estimate | None, terms: Terms = USUAL_TERMS
) -> tuple[str, ...]:
    """Label, id and state of a topic; a node of a graph may have its label as its id."""
    shown = "" if code == label else code
    state = "" if known is None else standing(known, terms)
    return tuple(filter(None, (label, " · ".join(filter(None, (shown, state))))))


def standing(known: Estimate, terms: Terms = USUAL_TERMS) -> str:
    """State of a topic in a query, in the terms of its model, and its probability."""
    state = terms.translated("on" if known.value > ON_THRESHOLD else "off")
    state = explorer_strings.RATHER.format(state=state) if is_unsure(known.value) else state
    return explorer_strings.STANDING.format(state=state, figures=figures_of(known))


def influence(name: str, probability: float, *, from_above: bool) -> str:
    """Direction and strength of a link."""
    arrow = "from" if from_above else "to"
    return f"{arrow} {name}: {percent(probability)}"


def fold(count: int, what: str) -> str:
    """Label of a folded group of nodes."""
    return f"+{count} {what}"


def fold_back(count: int, what: str) -> str:
    """Label of the box that folds a group again."""
    return f"Fold {count} {what}"


def hidden_topics(count: int) -> str:
    """Number of topics that a person has hidden."""
    return f"+{count} hidden"


def graph_described(topics: int, words: int, edges: int) -> str:
    """Description of a picture for a screen reader."""
    return f"Topic graph with {topics} topics, {words} words and {edges} links."


def quiet(count: int) -> str:
    """Number of improbable topics that are folded, all in one entry."""
    return explorer_strings.QUIET[count != 1].format(count=count)


def group_count(name: str, count: int) -> str:
    """Legend entry of the topics that are on, unsure or off, with their number."""
    return f"{name} {count}" + (f" ({LEGEND_LIMITS})" if name == LEGEND_UNSURE else "")


def described(counts: Mapping[str, int]) -> str:
    """Description of a query's picture for a screen reader."""
    return explorer_strings.DESCRIBED.format(**counts)
