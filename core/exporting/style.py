"""Colours and sizes of exported pictures, and what the app shares with them."""

from __future__ import annotations

TOPIC_FILL, TOPIC_BORDER = "#F1F4FC", "#5B6FA8"
GROUND, TEXT, FAINT_TEXT = "#FFFFFF", "#17202B", "#667080"
EDGE_COLOUR = "#3C4858"
# An edge is drawn in one of three widths, by the probability with which it acts.
EDGE_STEPS = (0.05, 0.25)
EDGE_WIDTHS = (1.0, 2.0, 3.2)
LABEL_LIMIT = 26
# Letters of a label in a box: as many stand in one line, as many in each of two, and as many in
# all, in smaller type where they are many. In one of four topics of abstracts, three words have
# more.
ONE_LINE, LINE_LIMIT, NODE_LIMIT = 13, 24, 32


def edge_step(probability: float) -> int:
    """Which of the three widths an edge has: 0 weak, 1 medium, 2 strong."""
    return sum(probability >= step for step in EDGE_STEPS)


def edge_width(probability: float) -> float:
    """Width of an edge that acts with this probability, in pixels."""
    return EDGE_WIDTHS[edge_step(probability)]


def shortened(label: str, limit: int = LABEL_LIMIT) -> str:
    """Label of at most so many characters: whole words as far as they fit, then "…"."""
    if len(label) <= limit:
        return label
    kept = label[: limit - 1].rpartition(" ")[0].rstrip(" ·")
    return f"{kept} …" if kept else label[: limit - 1].rstrip(" ·") + "…"
