"""Bands behind the layers of a picture: rows of one layer must not look like a hierarchy."""

from __future__ import annotations

from collections.abc import Sequence

from orrery.app.graph.layout import GAP_Y, Box, Placement

# Above and below the boxes of a band.
EDGE = GAP_Y / 2
# Centres of one row differ by no more than rounding.
SAME_ROW = 1.0

Band = tuple[float, float]


def layer_bands(boxes: Sequence[Box], placement: Placement) -> tuple[Band, ...]:
    """Middle and height of the band of every layer, if any layer has more than one row.

    Parameters
    ----------
    boxes : sequence of Box
    placement : Placement
        Where they stand; bands are as wide as all of it.

    Returns
    -------
    tuple of (float, float)
        The lowest layer first; none where every layer is a single row, which says so by itself.
    """
    layers: dict[int, list[Box]] = {}
    for box in boxes:
        layers.setdefault(box.layer, []).append(box)
    middles = {
        layer: [placement.centre[box.key][1] for box in members]
        for layer, members in layers.items()
    }
    if all(max(ys) - min(ys) < SAME_ROW for ys in middles.values()):
        return ()
    return tuple(_band(layers[layer], middles[layer]) for layer in sorted(layers))


def _band(boxes: Sequence[Box], middles: Sequence[float]) -> Band:
    sides = [box.height / 2 for box in boxes]
    top = min(y - half for y, half in zip(middles, sides, strict=True)) - EDGE
    bottom = max(y + half for y, half in zip(middles, sides, strict=True)) + EDGE
    return (top + bottom) / 2, bottom - top
