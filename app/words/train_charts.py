"""Words on the charts of a run."""

from __future__ import annotations

from math import isnan

from orrery.app.words.figures import NAT

RUN = "Run"
BESIDE = "Compare with earlier runs"
SCALE = "Scale"
SCALES = {"linear": "linear", "log": "log"}
LINES = "Lines"
LINES_SHOWN = {"both": "both", "smooth": "smoothed", "raw": "raw"}
PHASES = {
    "exploring": "Exploring",
    "pruning": "Pruning",
    "settling": "Settling",
    "training": "Training",
}
GRAPH_TITLE = "Topics: :blue[in use], in the graph"
GRAPH_HELP = "Topics in use of those in the graph. A dot marks each change of the graph."
EDGES_TITLE = "Edges"
EDGES_HELP = "Edges in the graph. A dot marks each change of the graph."
RATE_TITLE = "Documents / s"
SMALL_ALT = {
    "topics": "Topics in use and topics in the graph over time.",
    "edges": "Edges of the graph over time.",
    "rate": "Documents processed per second over time.",
}
MOVE = "Step"
MOVES_TITLE = "Changes of the graph"
NO_MOVES = "None so far."
MOVES_TABLE = {
    "epoch": "Epoch",
    "merged": "Merged",
    "pruned": "Pruned",
    "grown": "Grown",
    "topics": "Topics",
    "edges": "Edges",
    "bound": "Bound, nats",
}
AXIS = "Across"
AXES = {"epoch": "epochs", "minutes": "minutes"}
Y_TITLE = "nats per document"
TRAINING_LINE = "training"
HELD_OUT_LINE = "held out"
CHART_ALT = "Bound on the log-likelihood of training and held-out documents over time."
LINE_NOTES = {
    "both": "Pale: single steps. Strong: their mean. Points: held-out documents.",
    "smooth": "Line: mean of the steps. Points: held-out documents.",
    "raw": "Line: single steps. Points: held-out documents.",
}
UNIT_NOTE = f"How likely the model makes a document: {NAT}."
BESIDE_NOTE = "Grey: earlier runs, held-out points with a line."
LEFT_OUT = "left out: no further layer"
CHART_EMPTY = "The curve begins with the first step of training."


def move(merged: int, pruned: int, grown: int, topics: int, edges: int, bound: float) -> str:
    """Say what a change of the graph did, as far as it is known."""
    done = f"{grown:,} edges grown" if grown else f"topics: {merged} merged, {pruned} pruned"
    cost = "" if isnan(bound) else f"; bound {bound:+.2f} nats per document".replace("-", "−")
    return f"{done}; now {topics:,} topics, {edges:,} edges{cost}"
