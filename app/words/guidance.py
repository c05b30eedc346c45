"""Words of the guidance that a person gives to training."""

from __future__ import annotations

from collections.abc import Mapping

TITLE = "Guidance"
SENTENCE = (
    "What you know better than the data. One rule per line; leave empty what you do not need."
)
LABELS = {
    "seeds": "Seed words of a topic",
    "must_link": "Words that belong together",
    "cannot_link": "Words to keep apart",
    "frozen": "Frozen edges",
    "forbidden": "Forbidden edges",
}
EXAMPLES = {
    "seeds": "space: orbit, rocket",
    "must_link": "guitar, drum, bass",
    "cannot_link": "star, bread",
    "frozen": "space > orbit = 1.5",
    "forbidden": "space > oven",
}
HELP = {
    "seeds": "A name for the topic, a colon, and the words that it starts with. More words join "
    "it during training.",
    "must_link": "They get a common parent.",
    "cannot_link": "Two words that never share a parent.",
    "frozen": "Topic > word, or topic > topic. Training leaves the edge alone; the weight is "
    "optional. A topic is one of your seeds, or of the proposed graph, such as L1.3.",
    "forbidden": "Topic > word: an edge that the graph never has.",
}
COUNTED = {
    "seeds": ("seeded topic", "seeded topics"),
    "must_link": ("group kept together", "groups kept together"),
    "cannot_link": ("pair kept apart", "pairs kept apart"),
    "frozen": ("frozen edge", "frozen edges"),
    "forbidden": ("forbidden edge", "forbidden edges"),
}


def summary(counts: Mapping[str, int]) -> str:
    """Say what is asked for, and that the rules do not contradict each other."""
    parts = [f"{n:,} {COUNTED[field][n != 1]}" for field, n in counts.items() if n]
    listed = parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
    return f"{listed}; the rules do not contradict each other."


def bad_line(line: str, example: str) -> str:
    """Say that a line cannot be read."""
    return f"the line {line!r} cannot be read; write it as {example!r}"


def no_topic(rule: str, name: str) -> str:
    """Say that there is no such parent."""
    return f"{rule} names {name!r}, but there is no such topic; seed it, or use an id such as L1.3"


def no_child(rule: str, name: str) -> str:
    """Say that there is no such child."""
    return f"{rule} names {name!r}, but there is no such topic or word"
