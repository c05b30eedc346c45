"""Words of the tour of a first visit."""

from __future__ import annotations

TITLE = "A look around"
SENTENCE = (
    "Ask, compare, ask why; see all topics, all documents and what groups of them have most. "
    "A minute each, with a model that has already been trained."
)
BEGIN = "Begin the tour"
CLOSE = "Close the tour"
AGAIN = "Show me around"

TITLES = {
    "ask": "Ask",
    "compare": "Compare",
    "why": "Ask why",
    "whole": "Map of topics",
    "map": "Map of documents",
    "groups": "Groups",
    "stories": "Stories",
}
# On the page of the stop: what is seen there, and what to try.
SEEN = {
    "ask": "Topics with a full dot ● are on, with an empty one ○ off. Type words of your own.",
    "compare": "Each query has its own topics at its side; what they share is in the middle.",
    "why": "What speaks for the selected topic, and what against. Ask: what if it were off?",
    "whole": (
        "Every box is a topic with what belongs to it inside; of neighbours, the larger is on in "
        "more documents. Click one to go there."
    ),
    "map": "Every point is a document, near those about the same things. Click one to read it.",
    "groups": "The darker, the more documents of a group a topic is on in. Click to read them.",
    "stories": (
        "Views worth showing, each with your note, to play one after another. "
        "“Keep this view” on any page puts it here."
    ),
}
END = "End the tour"
DONE = "Done"


def stop(number: int, count: int, name: str) -> str:
    """Head of a stop: its number and its title."""
    return f"**{number} of {count} · {TITLES[name]}**"


def next_stop(name: str) -> str:
    """Name the button that leads to the next stop."""
    return f"Next: {TITLES[name].lower()}"
