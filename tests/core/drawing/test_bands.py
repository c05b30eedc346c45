"""Bands: rows of one layer have one background, and layers have different ones."""

from __future__ import annotations

import itertools

import pytest

from orrery.core.drawing.layout import layer_bands, place_boxes
from tests.core.drawing.test_layout import random_boxes


@pytest.mark.parametrize("n_boxes", [23, 60, 300])
@pytest.mark.parametrize("seed", range(3))
def test_every_box_stands_on_the_band_of_its_layer_alone(n_boxes, seed):
    boxes, links = random_boxes(n_boxes, seed)
    placed = place_boxes(boxes, links, keep_order=frozenset({0}))
    layers = sorted({box.layer for box in boxes})
    bands = layer_bands(boxes, placed)
    assert len(bands) == len(layers)
    for box, (layer, (middle, height)) in itertools.product(boxes, zip(layers, bands, strict=True)):
        _, y = placed.centre[box.key]
        within = abs(y - middle) + box.height / 2 <= height / 2
        outside = abs(y - middle) - box.height / 2 >= height / 2
        assert within if box.layer == layer else outside


def test_layers_of_one_row_each_need_no_band():
    boxes, links = random_boxes(7, 0)
    assert layer_bands(boxes, place_boxes(boxes, links, room=5000.0)) == ()
