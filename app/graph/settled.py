"""Places that stay: what was there keeps its place, and what is new stands at the end of a row.

A picture that is clicked must not move under the pointer, or a second click hits something else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from orrery.app.graph.layout import GAP_X, LAYER_GAP, Box, Placement

# Centres of one row differ by no more than rounding.
SAME_ROW = 1.0


def with_more(placement: Placement, placed: Sequence[Box], more: Sequence[Box]) -> Placement:
    """Add boxes to a placement without moving any of its own.

    Parameters
    ----------
    placement : Placement
    placed : sequence of Box
        The boxes of the placement.
    more : sequence of Box
        New ones, each at that end of a row of its layer which is the nearest to the middle, so that
        the picture grows wider only where it must; one of a layer that has no row yet stands beside
        all others, at the height of its layer.

    Returns
    -------
    Placement
        Still around the origin.
    """
    centre, boxes = dict(placement.centre), list(placed)
    for box in more:
        peers = [other for other in boxes if other.layer == box.layer]
        centre[box.key] = (
            _at_an_end(box, peers, centre) if peers else _beside_all(box, boxes, centre)
        )
        boxes.append(box)
    wide = [2 * (abs(centre[box.key][0]) + box.width / 2) for box in boxes]
    tall = [2 * (abs(centre[box.key][1]) + box.height / 2) for box in boxes]
    return Placement(centre, max([placement.width, *wide]), max([placement.height, *tall]))


def _at_an_end(
    box: Box, peers: Sequence[Box], centre: Mapping[str, tuple[float, float]]
) -> tuple[float, float]:
    """Where a box stands at an end of a row of its layer, of equals on the lowest."""
    ends = []
    for height in {centre[other.key][1] for other in peers}:
        row = [other for other in peers if abs(centre[other.key][1] - height) < SAME_ROW]
        left = min(centre[other.key][0] - other.width / 2 for other in row)
        right = max(centre[other.key][0] + other.width / 2 for other in row)
        step = GAP_X + box.width / 2
        ends += [(left - step, height), (right + step, height)]
    return min(ends, key=lambda end: (abs(end[0]), -end[1], end[0]))


def _beside_all(
    box: Box, boxes: Sequence[Box], centre: Mapping[str, tuple[float, float]]
) -> tuple[float, float]:
    """Where a box stands on the right of all others, below higher layers and above lower ones."""
    right = max((centre[other.key][0] + other.width / 2 for other in boxes), default=0.0)
    step = LAYER_GAP + box.height
    higher = [centre[other.key][1] for other in boxes if other.layer > box.layer]
    lower = [centre[other.key][1] for other in boxes if other.layer < box.layer]
    above = max(higher, default=min(lower, default=0.0) - 2 * step)
    below = min(lower, default=above + 2 * step)
    return right + GAP_X + box.width / 2, (above + below) / 2
