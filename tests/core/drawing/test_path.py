"""The strongest path between two topics, against a search by hand."""

import xml.etree.ElementTree as ET
from dataclasses import replace
from itertools import pairwise

import networkx as nx
import numpy as np
import pytest

from orrery.core.drawing import path
from orrery.core.drawing.links import Link, shown_parents
from orrery.core.drawing.path import (
    MAX_SHARED,
    MIN_TOGETHER,
    is_real,
    path_picture,
    shared_words,
    strongest_path,
)
from orrery.core.drawing.picture import canvas_data
from orrery.core.drawing.strings import percent
from orrery.core.drawing.svg import picture_svg
from orrery.core.model.graph import build_graph
from orrery.core.model.network import build_network, weight_to_probability
from tests.app.toy import edited, large_run, run_of, toy_run

TOY = toy_run()
SPACE, MUSIC, LEISURE = 5, 10, 2


def product(path):
    return np.prod([link.probability for link in path.links])


@pytest.mark.parametrize("seed", range(8))
def test_no_other_way_is_stronger(seed):
    run = large_run(40, 60, seed, links=3)
    graph, random = run.network.graph, np.random.default_rng(seed)
    links = nx.Graph()
    probability = weight_to_probability(run.network.weight)
    ends = zip(graph.parent_idx.tolist(), graph.edge_children().tolist(), strict=True)
    for (parent, child), p in zip(ends, probability, strict=True):
        links.add_edge(parent, child, length=-np.log(p))
    start, end = map(int, random.choice(40, 2, replace=False))
    best = np.exp(-nx.shortest_path_length(links, start, end, weight="length"))
    assert product(strongest_path(run, start, end)) == pytest.approx(best)


@pytest.mark.parametrize("least", [MIN_TOGETHER, 1.0])
def test_the_way_is_the_same_wherever_the_first_search_ends(least, monkeypatch):
    run = large_run(40, 60, 5, links=3)
    ends = [(start, end) for start in range(0, 40, 7) for end in range(1, 40, 6) if start != end]
    monkeypatch.setattr(path, "LONGEST", np.inf)
    whole = [strongest_path(run, *pair) for pair in ends]
    monkeypatch.setattr(path, "LONGEST", -np.log(least))
    assert [strongest_path(run, *pair) for pair in ends] == whole
    assert any(product(found) < least for found in whole)


def test_a_way_is_made_of_links_from_one_end_to_the_other():
    path = strongest_path(TOY, SPACE, MUSIC)
    assert (path.nodes[0], path.nodes[-1]) == (SPACE, MUSIC)
    for (node, other), link in zip(pairwise(path.nodes), path.links, strict=True):
        assert {link.parent, link.child} == {node, other}
        assert link in shown_parents(TOY, link.child)


def test_the_way_is_the_same_backwards():
    run = large_run(40, 60, 3, links=3)
    there, back = strongest_path(run, 4, 30), strongest_path(run, 30, 4)
    assert product(there) == pytest.approx(product(back))


def test_a_direct_link_that_always_acts_is_a_way():
    weight = TOY.network.weight.copy()
    weight[:] = 800.0
    sure = replace(TOY, network=build_network(TOY.network.graph, weight, TOY.network.leak))
    assert strongest_path(sure, LEISURE, MUSIC).nodes == (LEISURE, MUSIC)


def test_hidden_topics_are_no_way():
    path = strongest_path(TOY, SPACE, 12)
    (between, *_) = [node for node in path.nodes[1:-1] if node < 13]
    around = strongest_path(edited(TOY, hidden=[between]), SPACE, 12)
    assert around is None or between not in around.nodes
    # A search for a hidden topic finds it.
    assert strongest_path(edited(TOY, hidden=[LEISURE]), LEISURE, MUSIC)


def test_topics_apart_have_no_way():
    everything_below = set(range(13)) - {SPACE, 12}
    assert strongest_path(edited(TOY, hidden=everything_below), SPACE, 12) is None


def test_topics_shown_as_one_are_one_step():
    run = edited(TOY, merged={9: MUSIC})
    path = strongest_path(run, MUSIC, LEISURE)
    assert path.links == (Link(LEISURE, MUSIC, path.links[0].probability),)
    assert 9 not in strongest_path(run, SPACE, LEISURE).nodes


def test_the_picture_has_every_node_of_the_way_and_its_links_dark():
    path = strongest_path(TOY, SPACE, MUSIC)
    picture = path_picture(TOY, path)
    assert len(picture.nodes) == len(path.nodes)
    assert sum(edge.strong for edge in picture.edges) == len(path.links)
    assert [node.kind for node in picture.nodes].count("focus") == 2
    height = {node.key: node.layer for node in picture.nodes}
    assert all(height[edge.parent] > height[edge.child] for edge in picture.edges)


def test_topics_that_share_words_are_drawn_with_the_strongest_of_them():
    words = [place for place in range(11) for _ in range(2)]
    graph, order = build_graph(11, ["a", "b"], [0, 1] * 11, [2 + word for word in words])
    weight = (0.2 + 0.1 * np.array(words))[order]
    run = run_of(build_network(graph, weight, np.full(13, 0.02)), tuple("abcdefghijk"), ("A", "B"))
    path = strongest_path(run, 0, 1)
    pairs = shared_words(run, path)
    assert [pair[0].child for pair in pairs] == list(range(12, 1, -1))
    assert pairs[0][0].child == path.nodes[1]
    picture = path_picture(run, path)
    assert len(picture.nodes) == 2 + MAX_SHARED
    assert len(picture.edges) == 2 * MAX_SHARED
    # No word is shared by a topic and one above it.
    assert shared_words(TOY, strongest_path(TOY, LEISURE, MUSIC)) == []


def test_each_arrow_of_the_way_has_its_figures_clear_of_the_boxes():
    path = strongest_path(TOY, SPACE, MUSIC)
    canvas = canvas_data(path_picture(TOY, path))
    sheet = ET.fromstring(picture_svg(canvas))
    written = sheet.findall("{*}g[@class='edge']/{*}text")
    assert sorted(text.text for text in written) == sorted(
        percent(p.probability) for p in path.links
    )
    for text in written:
        x, y = float(text.get("x")), float(text.get("y"))
        for box in canvas["nodes"]:
            is_beside = abs(x - box["x"]) > box["width"] / 2 + 12
            assert is_beside or abs(y - box["y"]) > box["height"] / 2 + 6


def with_weights(change):
    weight, leak = TOY.network.weight.copy(), TOY.network.leak.copy()
    change(weight, leak)
    return replace(TOY, network=build_network(TOY.network.graph, weight, leak))


def test_a_path_over_a_word_that_is_everywhere_is_none():
    path = strongest_path(TOY, SPACE, MUSIC)
    (word,) = [node for node in path.nodes if node >= TOY.network.graph.n_topics]
    assert is_real(TOY, path)

    def frequent(_, leak):
        leak[word] = 2.0

    often = with_weights(frequent)
    assert not is_real(often, strongest_path(often, SPACE, MUSIC))


def test_a_path_that_hardly_ever_acts_is_none():
    def faint(weight, _):
        weight[:] = MIN_TOGETHER / 2

    run = with_weights(faint)
    assert not is_real(run, strongest_path(run, SPACE, MUSIC))
    assert not is_real(run, strongest_path(run, LEISURE, MUSIC))
