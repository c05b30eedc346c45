"""The small map: boxes as large as their topics, within the room and apart, names that fit."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

from orrery.app.shared.topic_map import (
    GAP,
    HEIGHT,
    WIDTH,
    Cell,
    Tree,
    map_topics,
    small_map,
    squarified,
)

SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("seed", range(5))
def test_rectangles_fill_the_room_by_their_sizes_and_do_not_overlap(seed: int) -> None:
    rng = np.random.default_rng(seed)
    sizes = sorted(rng.pareto(1.0, 30) + 1e-3, reverse=True)
    room = (3.0, 5.0, 300.0, 90.0)
    spots = np.array(squarified(sizes, room))
    x, y, wide, tall = spots.T
    assert wide * tall == pytest.approx(np.array(sizes) / sum(sizes) * 300 * 90)
    assert [min(x), max(x + wide)] == pytest.approx([3, 303])
    assert [min(y), max(y + tall)] == pytest.approx([5, 95])
    across = np.minimum.outer(x + wide, x + wide) - np.maximum.outer(x, x)
    down = np.minimum.outer(y + tall, y + tall) - np.maximum.outer(y, y)
    meet = (across > 1e-6) & (down > 1e-6)
    assert meet.sum() == len(sizes), "only a rectangle and itself have room in common"


def test_all_topics_are_drawn_with_names_as_text_and_none_leaves_the_picture() -> None:
    below = {0: (2, 3), 1: (), 2: (), 3: ()}
    tree = Tree((0, 1), below, (9.0, 8.0, 4.0, 3.0))
    labels = ("<b>&", "one · two", "a", "b")
    drawn = ElementTree.fromstring(small_map(map_topics(tree), labels, 'Topics of "x" & <y>'))
    boxes = drawn.findall(f"{SVG}rect")
    assert len(boxes) == 4
    for box in boxes:
        x, y, wide, tall = (float(box.attrib[name]) for name in ("x", "y", "width", "height"))
        assert 0 <= x <= x + wide <= WIDTH + GAP
        assert 0 <= y <= y + tall <= HEIGHT + GAP
    assert {text.text for text in drawn.findall(f"{SVG}text")} == set(labels)
    assert drawn.findtext(f"{SVG}title") == 'Topics of "x" & <y>'


def test_a_name_has_the_words_that_fit_and_what_is_left_out_has_none() -> None:
    cells = (Cell(0, -1, 30.0), Cell(1, -1, 1.0), Cell(-1, -1, 1.0, folded=7))
    labels = ("first · second", "long · words · that · do · not · fit")
    drawn = ElementTree.fromstring(small_map(cells, labels, ""))
    assert len(drawn.findall(f"{SVG}rect")) == 3
    texts = [text.text for text in drawn.findall(f"{SVG}text")]
    assert texts[0] == labels[0]
    assert all(labels[1].startswith(text) and text != labels[1] for text in texts[1:])


def test_a_family_too_narrow_for_what_is_in_it_is_drawn() -> None:
    cells = (Cell(0, -1, 398.0), Cell(1, -1, 4.0), Cell(2, 1, 3.0))
    drawn = ElementTree.fromstring(small_map(cells, ("a", "b", "c"), ""))
    assert len(drawn.findall(f"{SVG}rect")) == 3
