"""Networks of pyvis: every node and edge at our positions, and HTML that loads and runs nothing."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import replace
from html import unescape
from html.parser import HTMLParser

import numpy as np
import pytest
from hypothesis import given
from pyvis.network import Network

from orrery import NoisyOrTopics, infer
from orrery.core.drawing import style
from orrery.core.drawing.local_model import Look, query_picture
from orrery.core.drawing.picture import canvas_data
from orrery.core.drawing.pyvis_network import hierarchy_network, picture_network
from orrery.core.drawing.question import read_question
from orrery.core.drawing.svg import forest_of
from orrery.core.model.overlay import Overlay
from orrery.core.model.topic_groups import NO_GROUP, TopicGroups
from orrery.core.model.topic_model import TopicModel
from tests.core.export.models import EVIL, SAMPLE, models, sample

TEXT = "space shuttle program -orbit ?goal zzz"
# With "href", pyvis inserts the titles of all nodes as HTML.
HOSTILE = f'<a href="x">{EVIL}'


def hostile():
    return sample(Overlay(dict.fromkeys(sample().network.graph.topic_ids, HOSTILE)))


def picture_of(run, text=TEXT):
    question = read_question(run, text)
    posterior = infer(run.network, question.evidence(closed_world=False))
    return query_picture(run, posterior, question.typed, Look())


class Loads(HTMLParser):
    """Addresses that the elements of a page load."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        names = ("src", "href", "srcset", "poster", "data", "action")
        self.addresses += [value or "" for name, value in attributes if name in names]


def nodes_in(page: str) -> list[dict]:
    return json.loads(unescape(re.search(r"nodes = new vis\.DataSet\((.*)\);", page)[1]))


@pytest.mark.parametrize("theme", style.THEMES)
def test_the_hierarchy_has_the_positions_and_colours_of_the_exported_drawing(theme):
    run = sample()
    network = NoisyOrTopics.load(SAMPLE).to_pyvis(theme=theme)
    assert isinstance(network, Network)
    assert network.directed
    assert not network.options.physics.enabled
    forest, ids = forest_of(run), run.network.graph.topic_ids
    paint = style.paint("topic", 0.0, style.DEFAULT_PALETTE, theme)
    for place in forest.places:
        node = network.get_node(f"topic:{ids[place.topic]}")
        assert (node["x"], node["y"]) == (place.x, place.y)
        assert node["color"]["background"] == paint.fill
        assert node["color"]["border"] == paint.border
        assert node["font"]["color"] == paint.text
        assert node["title"] == f"{run.topic_labels[place.topic]}\n{ids[place.topic]}"
    topics = [key for key in network.get_nodes() if key.startswith("topic:")]
    assert len(topics) == len(forest.places) == run.network.graph.n_topics
    expected = {
        (f"topic:{ids[place.parent]}", f"topic:{ids[place.topic]}", place.probability)
        for place in forest.places
        if place.parent >= 0
    }
    assert expected
    assert {(e["from"], e["to"], e["probability"]) for e in network.edges} == expected
    assert {e["width"] for e in network.edges} <= set(style.EDGE_WIDTHS)
    assert network.heading == ""


def test_the_most_probable_topics_are_kept_and_their_number_is_stated():
    run = sample()
    network = hierarchy_network(run, 5, "light")
    ids = run.network.graph.topic_ids
    kept = {f"topic:{ids[place.topic]}" for place in forest_of(run, 5).places}
    assert set(network.get_nodes()) == kept
    assert len(kept) == 5
    assert f"<h1>{network.heading}</h1>" in network.generate_html()
    assert network.heading.startswith("5 of 64 topics")


def test_topic_groups_have_their_headings():
    run = sample()
    of = np.full(run.network.graph.n_topics, NO_GROUP)
    of[:40] = 0
    grouped = replace(run, topic_groups=TopicGroups(of, ((0, 1),)))
    network = hierarchy_network(grouped, 300, "light")
    assert network.get_node("heading:0")["label"] == grouped.topic_group_names[0]
    forest = forest_of(grouped)
    top = min(place.y for place in forest.places)
    assert network.get_node("heading:0")["y"] < top


@given(models())
def test_every_topic_that_is_not_hidden_is_a_node(model: TopicModel):
    ids, hidden = model.network.graph.topic_ids, model.hidden_topics
    network = hierarchy_network(model, 300, "light")
    found = {node["id"]: node for node in network.nodes}
    expected = {f"topic:{ids[n]}": n for n in range(len(ids)) if n not in hidden}
    assert {key for key in found if key.startswith("topic:")} == set(expected)
    for key, number in expected.items():
        assert found[key]["title"] == f"{model.topic_labels[number]}\n{ids[number]}"


@pytest.mark.parametrize("theme", style.THEMES)
def test_the_answer_has_the_positions_and_colours_of_its_picture(theme):
    answer = NoisyOrTopics.load(SAMPLE).query(TEXT)
    network, picture = answer.to_pyvis(theme), picture_of(sample())
    canvas = canvas_data(picture)
    assert network.get_nodes() == [node["id"] for node in canvas["nodes"]]
    for node in canvas["nodes"]:
        drawn = network.get_node(node["id"])
        assert (drawn["x"], drawn["y"]) == (node["x"], node["y"])
        assert drawn["widthConstraint"] == {"minimum": node["width"], "maximum": node["width"]}
        colours = drawn["color"]["background"], drawn["color"]["border"], drawn["font"]["color"]
        assert colours == tuple(node["paint"][theme][:3])
        assert (drawn["shapeProperties"]["borderDashes"] or []) == node["dash"]
        assert node["figures"] in drawn["label"]
        assert node["mark"] in drawn["label"]
    edges = [(edge["from"], edge["to"]) for edge in network.edges]
    assert edges == [(edge.parent, edge.child) for edge in picture.edges]
    shown = {key: network.get_node(key)["probability"] for key in network.get_nodes()}
    known = dict(zip("topic:" + answer.topics["id"], answer.topics["probability"], strict=True))
    topics = [key for key in shown if key.startswith("topic:")]
    assert topics
    assert all(shown[key] == known[key] for key in topics)
    assert {shown[key] for key in shown if key not in topics} == {None}


@pytest.mark.parametrize("kind", ["hierarchy", "query"])
def test_the_html_loads_nothing_and_no_name_becomes_markup(kind, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run = hostile()
    network = (
        hierarchy_network(run, 300, "light")
        if kind == "hierarchy"
        else picture_network(picture_of(run, f"space {EVIL}"), "light")
    )
    network.heading = HOSTILE
    page = network.generate_html()
    assert Loads(page).addresses == []
    assert "default-src 'none'" in page
    assert "tooltip_link" not in page
    assert "popup.innerHTML" not in page
    assert 'onerror="document' not in page
    assert nodes_in(page) == network.nodes
    assert any(HOSTILE in node.get("title", "") for node in network.nodes)
    frame = network._repr_html_()
    assert unescape(re.search('srcdoc="([^"]*)"', frame)[1]) == page
    assert frame.count("<") == 2
    network.write_html("topics.html")
    assert (tmp_path / "topics.html").read_text("utf-8") == page
    assert network.show("topics.html").src == "topics.html"
    assert [path.name for path in tmp_path.iterdir()] == ["topics.html"]


def test_menus_of_pyvis_load_nothing_either():
    network = hierarchy_network(hostile(), 300, "light")
    network.select_menu = network.filter_menu = network.neighborhood_highlight = True
    network.show_buttons()
    assert Loads(network.generate_html()).addresses == []


def test_a_restyled_node_is_in_the_page():
    network = hierarchy_network(sample(), 300, "light")
    network.get_node("topic:L1.3")["color"] = "#123456"
    (node,) = (n for n in nodes_in(network.generate_html()) if n["id"] == "topic:L1.3")
    assert node["color"] == "#123456"


def test_pyvis_is_imported_when_it_is_used():
    code = (
        "import sys; from orrery import NoisyOrTopics; from orrery.core.api import answers; "
        "sys.exit('pyvis' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
