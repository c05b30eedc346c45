"""A saved path between two topics: drawn for both themes, or a sentence with the reason."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from orrery.app.shared.kept_pages import kept_path
from orrery.core.drawing.links import node_name
from orrery.core.drawing.path import strongest_path
from orrery.core.model.overlay import Overlay
from tests.core.export.models import EVIL, sample

RUN = sample()
NUMBER = RUN.network.graph.topic_number


def test_a_path_is_drawn_for_both_themes_with_all_that_it_leads_over() -> None:
    found = kept_path(RUN, {"topic": ["L2.1"], "to": ["L1.14"]})
    assert found is not None
    path = strongest_path(RUN, NUMBER["L2.1"], NUMBER["L1.14"])
    assert path is not None
    assert found["wide"] != found["dark"]
    for drawing in (found["wide"], found["dark"]):
        shown_text = "".join(ET.fromstring(drawing).itertext())
        assert all(node_name(RUN, node).split(" · ")[0] in shown_text for node in path.nodes)
    assert f"{len(path.links)} links" in found["caption"]


def test_where_nothing_real_leads_is_reported() -> None:
    found = kept_path(RUN, {"topic": ["L1.11"], "to": ["L1.44"]})
    assert found is not None
    assert "no real link" in found["caption"]
    assert "wide" not in found


@pytest.mark.parametrize(("topic", "to"), [("L1.11", "gone"), ("", "L1.44"), ("L1.11", "L1.11")])
def test_ends_that_are_not_there_make_no_path(topic: str, to: str) -> None:
    assert kept_path(RUN, {"topic": [topic], "to": [to]}) is None


def test_names_stay_text() -> None:
    evil = sample(Overlay(dict.fromkeys(RUN.network.graph.topic_ids, EVIL)))
    found = kept_path(evil, {"topic": ["L2.1"], "to": ["L1.14"]})
    assert found is not None
    drawing = ET.fromstring(found["wide"])
    tags = {part.tag.partition("}")[2] for part in drawing.iter()}
    assert tags <= {"svg", "title", "rect", "g", "path", "text", "tspan"}
    assert EVIL in "".join(drawing.itertext())


def test_of_long_names_the_heading_has_the_beginning() -> None:
    long = sample(Overlay(dict.fromkeys(RUN.network.graph.topic_ids, "w" * 200)))
    found = kept_path(long, {"topic": ["L2.1"], "to": ["L1.14"]})
    assert found is not None
    assert len(found["heading"]) < 150
