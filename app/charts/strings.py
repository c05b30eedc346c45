"""Strings of charts."""

from __future__ import annotations

import math
from math import isnan

from ...core.drawing.strings import percent
from ..text.strings import number

RUN = "Run"
PHASES = {
    "exploring": "Exploring",
    "pruning": "Pruning",
    "settling": "Settling",
    "training": "Training",
}
MOVE = "Step"
MOVES_TABLE = {
    "epoch": "Epoch",
    "merged": "Merged",
    "pruned": "Pruned",
    "grown": "Grown",
    "topics": "Topics",
    "edges": "Edges",
    "bound": "Bound, nats",
}
AXES = {"epoch": "epochs", "minutes": "minutes"}
Y_TITLE = "nats per document"
TRAINING_LINE = "training"
HELD_OUT_LINE = "held out"


def move(merged: int, pruned: int, grown: int, topics: int, edges: int, bound: float) -> str:
    """Describe a change of the graph, as far as it is known."""
    done = f"{grown:,} edges grown" if grown else f"topics: {merged} merged, {pruned} pruned"
    cost = "" if isnan(bound) else f"; bound {bound:+.2f} nats per document".replace("-", "−")
    return f"{done}; now {topics:,} topics, {edges:,} edges{cost}"


GROUP, OTHER, PERIOD = "Group", "Beside", "Period"
# The first row of the heat map; no topic has this name, which ends with an invisible character.
SIZE_ROW = "Documents\N{ZERO WIDTH SPACE}"
TOPIC, SHARE, CERTAIN, DOCUMENTS = "Topic", "Share", "Certain", "Documents"
# Title of the axis of a stack, which may exceed 100 %.
ADDED = "Shares of the topics, added up"
MAP_ALT = "Topics by groups."
COURSE_ALT = "Share of the documents of each period in which the topic is on."
INTERVAL_ALT = "Topics with how many times as often they are on, each with its interval."


def highest(share: float, group: str) -> str:
    """Maximum of a course."""
    return f"at most {percent(share)}, in {group}"


def ratio(value: float) -> str:
    """Write how many times as often a topic is on."""
    if math.isnan(value):
        return "nowhere"
    return "only here" if math.isinf(value) else f"{number(value)} times"


def interval(value: float, low: float, high: float) -> str:
    """Ratio and its interval, for a tooltip."""
    end = "no limit" if math.isinf(high) else number(high)
    return f"{ratio(value)}, interval {number(low)} to {end}"
