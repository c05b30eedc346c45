"""Words of the panel that says why a topic is on or off."""

from __future__ import annotations

from app.graph_style import figures

TITLE_ON = "Why is “{label}” on?"
TITLE_OFF = "Why is “{label}” off?"
TITLE_HELP = (
    "Each bar adds to the log-odds of the topic, or takes from them; together they make its "
    "probability. 0 is a probability of one half, ±1 is about 0.73 or 0.27, ±3 is 0.95 or 0.05."
)
REASON = "Reason"
LOG_ODDS = "Adds to the log-odds"
CHART_ALT = "What speaks for the topic and against it, and what it comes to."
AXIS = "off ← log-odds (nats) → on"
CHANCE = "by chance"
ABSENT_WORDS = "pulled down by absent words"


def word(name: str, speaks_for: bool) -> str:
    """Say what a word does that is there."""
    return f"because of the word “{name}”" if speaks_for else f"pulled down by the word “{name}”"


def absent_word(name: str, speaks_for: bool) -> str:
    """Say what a word does that was said to be absent."""
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


def together(probability: float) -> str:
    """Name the sum of all reasons."""
    return f"all together: {figures(probability)}"


def mostly(reason: str, factor: float, *, is_on: bool) -> str:
    """Say which reason decides, and what it does to the odds."""
    state, does = ("on", "multiplies") if is_on else ("off", "divides")
    times = (
        "more than 1,000" if factor > 1000 else f"{factor:.3g}" if factor < 10 else f"{factor:.0f}"
    )
    return f"It is {state} mostly {reason}, which {does} its odds by {times}."


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


def held(state: str, probability: float, free: float | None = None) -> str:
    """Say that a topic is held by hand, what now speaks for it, and how it is without."""
    without = "" if free is None else f"Without what is held it is at {figures(free)}. "
    return (
        f"It is held {state} by hand. {without}Holding it moves the topics around it, and what "
        f"they and the words now say would give it {figures(probability)}."
    )


def part_of(name: str) -> str:
    """Say that the topic is shown as part of another one."""
    return f"It is shown as part of “{name}”."


def signed(log_odds: float) -> str:
    """Write log-odds with their sign."""
    text = f"{abs(log_odds):.1f}" if abs(log_odds) >= 0.95 else f"{abs(log_odds):.2f}"
    return ("−" if log_odds < 0 else "+") + text
