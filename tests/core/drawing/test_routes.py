"""Ways of the arrows: whatever the picture, no arrow is led through a box."""

from __future__ import annotations

import pytest

from orrery.core.drawing.layout import Box, place_boxes
from orrery.core.drawing.placement import route_edges
from tests.core.drawing.test_layout import random_boxes


def sides(box, centre):
    x, y = centre[box.key]
    return x - box.width / 2, x + box.width / 2, y - box.height / 2, y + box.height / 2


@pytest.mark.parametrize("n_boxes", [7, 23, 60, 150])
@pytest.mark.parametrize("seed", range(4))
def test_no_way_touches_a_box(n_boxes, seed):
    boxes, links = random_boxes(n_boxes, seed)
    centre = place_boxes(boxes, links).centre
    for route in route_edges(boxes, centre, links):
        for (x, top), (below, bottom) in zip(route[::2], route[1::2], strict=True):
            assert x == below
            for box in boxes:
                left, right, upper, lower = sides(box, centre)
                assert not (left < x < right and upper < bottom and lower > top)


@pytest.mark.parametrize("seed", range(4))
def test_ways_lead_down_from_the_parent_to_the_child(seed):
    boxes, links = random_boxes(60, seed)
    by_key = {box.key: box for box in boxes}
    centre = place_boxes(boxes, links).centre
    routes = route_edges(boxes, centre, links)
    assert any(routes)
    for (parent, child), route in zip(links, routes, strict=True):
        heights = [
            centre[parent][1] + by_key[parent].height / 2,
            *(y for _, y in route),
            centre[child][1] - by_key[child].height / 2,
        ]
        assert heights == sorted(heights)


def test_a_box_in_the_way_is_passed_on_the_nearer_side():
    boxes = [Box("t", 2, 60, 40), Box("middle", 1, 100, 40), Box("w", 0, 60, 30)]
    centre = {"t": (0.0, -100.0), "middle": (30.0, 0.0), "w": (0.0, 100.0)}
    (route,) = route_edges(boxes, centre, [("t", "w")])
    assert [x for x, _ in route] == [-26.0, -26.0]


def test_an_arrow_with_nothing_near_runs_free():
    boxes = [Box("t", 2, 60, 40), Box("far", 1, 100, 40), Box("w", 0, 60, 30)]
    centre = {"t": (0.0, -100.0), "far": (300.0, 0.0), "w": (0.0, 100.0)}
    assert route_edges(boxes, centre, [("t", "w"), ("w", "t")]) == [[], []]
