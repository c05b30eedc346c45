"""Words of the comparison of two queries."""

from __future__ import annotations

from collections.abc import Sequence

from orrery.app.words.figures import figures_of
from orrery.core.exporting.thresholds import MOST_NAMED
from orrery.core.inference import Estimate

COMPARE = "Compare"
COMPARE_HELP = "Put a second query beside this one, and see what they share."
CLOSE = "Close the second query"
SECOND_HINT = "Words to compare with"
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
