"""Words of the comparison of two queries."""

from __future__ import annotations

from collections.abc import Sequence

from app import graph_style

COMPARE = "Compare"
COMPARE_HELP = "Put a second query beside this one, and see what they share."
CLOSE = "Close the second query"
SECOND_HINT = "Words to compare with"
BOTH = "both"
HINT = "Probabilities: left | right query. Shift click to switch, double click to open in Graph."
CARD_HERE = "Click a topic or a word to see its card and its switch here."
NONE_ON = "Neither query switches a topic on; more words may tell."
MOST_NAMED = 3


def only(query: str) -> str:
    """Head the zone of what only one query has."""
    return f"only {query}"


def under(query: str) -> str:
    """Name the query that the reasons are given for."""
    return f"Under “{query}”:"


def figures(left: float | None, right: float | None) -> str:
    """Write the probabilities under both queries; a dash where a query has no word below."""
    return " | ".join("–" if p is None else graph_style.figures(p) for p in (left, right))


def probabilities(left: float | None, right: float | None) -> tuple[str, ...]:
    """Say the probabilities under both queries."""
    return tuple(
        f"{side}: {'no word below it' if p is None else graph_style.figures(p)}"
        for side, p in (("left", left), ("right", right))
    )


def shared(labels: Sequence[str]) -> str:
    """Say which topics both queries switch on."""
    if not labels:
        return "They share no topic."
    named = [f"“{label}”" for label in labels[:MOST_NAMED]]
    more = len(labels) - len(named)
    if more:
        return f"Both switch on {', '.join(named)} and {more} more."
    listed = named[0] if len(named) == 1 else ", ".join(named[:-1]) + " and " + named[-1]
    return f"Both switch on {listed}."


def described(first: int, both: int, second: int) -> str:
    """Describe the picture to a screen reader."""
    return (
        f"Topics of two queries: {first} only in the first, {both} in both, "
        f"{second} only in the second."
    )
