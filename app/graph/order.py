"""Order of the boxes in their layers, so that few edges cross."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean

import numpy as np

SWEEPS = 8

# Keys of every layer from left to right.
Order = dict[int, list[str]]


def reduce_crossings(
    order: Order, links: Sequence[tuple[str, str]], keep_order: frozenset[int]
) -> Order:
    """Order layers by the mean place of their neighbours, in sweeps up and down.

    The best order met is kept, so the result never has more crossings than the order given.
    """
    layer_of = {key: layer for layer, keys in order.items() for key in keys}
    upper: dict[str, list[str]] = {key: [] for key in layer_of}
    lower: dict[str, list[str]] = {key: [] for key in layer_of}
    for parent, child in links:
        if layer_of[parent] != layer_of[child]:
            upper[child].append(parent)
            lower[parent].append(child)
    best, fewest = order, count_crossings(order, links)
    current = {layer: list(keys) for layer, keys in order.items()}
    layers = sorted(order)
    for sweep in range(SWEEPS):
        if fewest == 0:
            break
        upward = sweep % 2 == 0
        for layer in layers if upward else reversed(layers):
            if layer not in keep_order:
                current[layer] = _by_barycentre(current, layer, lower if upward else upper)
        crossings = count_crossings(current, links)
        if crossings < fewest:
            best, fewest = {layer: list(keys) for layer, keys in current.items()}, crossings
    return best


def _by_barycentre(order: Order, layer: int, neighbours: Mapping[str, list[str]]) -> list[str]:
    place = _relative_places(order)
    means = {
        key: fmean(place[other] for other in neighbours[key]) if neighbours[key] else place[key]
        for key in order[layer]
    }
    return sorted(order[layer], key=means.__getitem__)


def _relative_places(order: Order) -> dict[str, float]:
    """Place of every key in its layer, 0 at the left end and 1 at the right."""
    return {
        key: (number + 0.5) / len(keys)
        for keys in order.values()
        for number, key in enumerate(keys)
    }


def count_crossings(order: Order, links: Sequence[tuple[str, str]]) -> int:
    """Pairs of edges that join the same two layers and swap sides between them."""
    place = _relative_places(order)
    layer_of = {key: layer for layer, keys in order.items() for key in keys}
    groups: dict[tuple[int, int], list[tuple[float, float]]] = {}
    for parent, child in links:
        between = (layer_of[parent], layer_of[child])
        if between[0] != between[1]:
            groups.setdefault(between, []).append((place[parent], place[child]))
    crossings = 0
    for ends in groups.values():
        above, beneath = np.array(ends).T
        swapped = np.subtract.outer(above, above) * np.subtract.outer(beneath, beneath) < 0
        crossings += int(swapped.sum()) // 2
    return crossings
