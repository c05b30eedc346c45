"""Words of the panel that says why a topic is on or off."""

from __future__ import annotations

from collections.abc import Sequence

from orrery.app.words.figures import figures, figures_of
from orrery.app.words.graph import CLAMPED
from orrery.core.inference import Estimate

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
        f"as it is rare: without a reason it is on with probability {figures(chance)}."
    )


def _times(factor: float) -> str:
    if factor > 1000:
        return "more than 1,000"
    return f"{factor:.3g}" if factor < 10 else f"{factor:.0f}"


def rare(chance: float) -> str:
    """Say that a topic is off because it is seldom on."""
    return (
        "It is off mostly because it is rare: without a reason it is on "
        f"with probability {figures(chance)}."
    )


def common(chance: float) -> str:
    """Say that a topic is on because it often is."""
    return (
        f"It is on mostly by chance: without a reason it is on with probability {figures(chance)}."
    )


def clamped(state: str, probability: float, free: Estimate | None = None) -> str:
    """Say that a topic is held by hand, what now speaks for it, and how it is without."""
    without = "" if free is None else f"Without what is held it is at {figures_of(free)}. "
    return (
        f"It is held {state} by hand. {without}Holding it moves the topics around it, and what "
        f"they and the words now say would give it about {figures(probability, ROUGH)}."
    )


def part_of(name: str) -> str:
    """Say that the topic is shown as part of another one."""
    return f"It is shown as part of “{name}”."


def circular(name: str, itself: float) -> str:
    """Say that a topic above is on because of the topic that is explained."""
    return (
        f"“{name}” above is on because of this topic, so it is no reason for it: "
        f"without this topic it would be at {figures(itself, ROUGH)}."
    )


def above_itself(name: str, itself: float, reason: str) -> str:
    """Say what a topic above is without the topic that is explained, and why."""
    return f"Without this topic “{name}” above would be at {figures(itself, ROUGH)}, {reason}."


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
        f"{figures(apart)}."
    )
    listed = " and ".join(f"“{word}”" for word in shared)
    verb = "speaks" if len(shared) == 1 else "speak"
    if joint.value > apart:
        return f"It goes together with “{name}”: {at_once}"
    if not shared:
        return f"It and “{name}” exclude each other: {at_once}"
    return f"{listed} {verb} for “{name}” too, and one of them is enough: {at_once}"
