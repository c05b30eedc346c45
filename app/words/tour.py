"""Words of the tour of a first visit."""

from __future__ import annotations

TITLE = "A look around"
SENTENCE = "Four stops, a minute each, with a model that has already been trained."
CLOSE = "Close the tour"
AGAIN = "Show me around"

TITLES = {
    "ask": "Ask",
    "compare": "Compare",
    "why": "Ask why",
    "whole": "See the whole",
}
# On Home: what there is to see.
NOTES = {
    "ask": "Type a few words, and see the topics behind them light up.",
    "compare": "One word can mean two things. See both side by side.",
    "why": "A topic says what switched it on. Change that, and see what happens.",
    "whole": "All topics of the model, from general to specific.",
}
BUTTONS = {
    "ask": "Ask something",
    "compare": "Compare two",
    "why": "Ask why",
    "whole": "Open the graph",
}
# On the page of the stop: what is seen there, and what to try.
SEEN = {
    "ask": "Topics with a full dot ● are on, with an empty one ○ off. Type words of your own.",
    "compare": "Each query has its own topics at its side; what they share is in the middle.",
    "why": (
        "Under the picture: what speaks for the selected topic, and what against. "
        "Beside it you can say: what if it were off?"
    ),
    "whole": (
        "Every box is a topic with what belongs to it inside; of neighbours, the larger is on in "
        "more documents. Click one to go there."
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
