"""Words on the charts of a run."""

from __future__ import annotations

RUN = "Run"
BESIDE = "Earlier runs beside it"
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
GRAPH_HELP = "Topics in use of those in the graph. A dot marks each step of merging and pruning."
EDGES_TITLE = "Edges"
EDGES_HELP = "Edges in the graph. A dot marks each step of merging and pruning."
RATE_TITLE = "Documents / s"
SMALL_ALT = {
    "topics": "Topics in use and topics in the graph over time.",
    "edges": "Edges of the graph over time.",
    "rate": "Documents worked on in a second over time.",
}
MOVE = "Step"
MOVES_TITLE = "Steps of merging and pruning"
NO_MOVES = "None so far."
MOVES_TABLE = {
    "epoch": "Epoch",
    "merged": "Topics merged",
    "pruned": "Topics pruned",
    "topics": "Topics left",
    "edges": "Edges left",
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
BESIDE_NOTE = "Grey: earlier runs, held-out points with a line."
CHART_EMPTY = "The curve begins with the first step of training."


def move(merged: int, pruned: int, topics: int, edges: int) -> str:
    """Say what a step of merging and pruning did."""
    return f"{merged} merged, {pruned} pruned; {topics:,} topics, {edges:,} edges left"
