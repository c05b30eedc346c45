"""A piece of the graph: what is above, beside and below, and what is folded is counted."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest

from orrery.core.drawing import strings as drawing_strings
from orrery.core.drawing.links import node_key, parent_links, word_text
from orrery.core.drawing.neighbourhood import (
    SHOWN,
    UNFOLDED,
    Around,
    neighbourhood_picture,
    path_from_top,
)
from orrery.core.drawing.picture import MAX_NODES
from orrery.core.drawing.style import bit_step
from orrery.core.inference.arcs import arc_strengths
from tests.app.toy import edited, large_run, toy_run

RUN = toy_run()
LEISURE, BIOLOGY, MUSIC = 2, 6, 10
N_TOPICS = RUN.network.graph.n_topics


def word(text):
    return N_TOPICS + RUN.vocabulary.index(text)


def label(picture, key):
    return next(node.label for node in picture.nodes if node.key == key)


def kinds(picture):
    return {node.key: node.kind for node in picture.nodes}


def test_a_topic_has_its_parents_above_and_its_words_below():
    picture = neighbourhood_picture(RUN, Around(BIOLOGY, 0.0))
    y = {key: place[1] for key, place in picture.placement.centre.items()}
    here = y["topic:T0006"]
    assert kinds(picture)["topic:T0006"] == "focus"
    assert y["topic:T0000"] < here
    assert y["topic:T0004"] < here
    assert all(y[key] > here for key, kind in kinds(picture).items() if kind == "word")
    words = {node.label for node in picture.nodes if node.kind == "word"}
    every = {"cell", "virus", "species", "plant", "culture", "field", "bat"}
    assert words <= every
    assert len(words) == min(SHOWN["words"], len(every))


@pytest.mark.parametrize("node", range(0, 200, 25))
def test_the_words_are_the_first_ones_of_the_card(node):
    run = large_run(200, 900, 0, links=40)
    picture = neighbourhood_picture(run, Around(node, 0.0))
    shown = {box.label for box in picture.nodes if box.kind == "word"}
    own = set(run.network.graph.children(node).tolist())
    card = [word for word, _, _ in run.shown_words(node, 900)]
    n_topics = run.network.graph.n_topics
    direct = [word for word in card if n_topics + run.token_number[word] in own]
    assert shown == {word_text(word) for word in direct[: len(shown)]}


def test_siblings_stand_level_with_the_topic():
    picture = neighbourhood_picture(RUN, Around(MUSIC, 0.0))
    centre = picture.placement.centre
    assert {"topic:T0009", "topic:T0011"} <= set(centre)
    assert centre["topic:T0009"][1] == centre["topic:T0010"][1] == centre["topic:T0011"][1]


@pytest.mark.parametrize("topic", range(N_TOPICS))
def test_pale_arrows_are_explained_where_there_are_any(topic):
    picture = neighbourhood_picture(RUN, Around(topic, 0.0))
    pale = [edge for edge in picture.edges if not edge.strong]
    shown_text = [item.text for item in picture.legend if item.kind == "edge-pale"]
    assert shown_text == ([drawing_strings.LEGEND_OTHERS] if pale else [])


@pytest.mark.parametrize("node", range(12, 40, 4))
def test_siblings_are_never_below_a_topic_with_topics_of_its_own(node):
    picture = neighbourhood_picture(large_run(200, 900, 0, links=3), Around(node, 0.0))
    focus = next(shown for shown in picture.nodes if shown.kind == "focus")
    linked = {end for edge in picture.edges for end in (edge.parent, edge.child)
              if focus.key in (edge.parent, edge.child)}  # fmt: skip
    beside = [n for n in picture.nodes if n.kind == "topic" and n.key not in linked]
    assert focus.layer > 1
    assert beside
    assert all(sibling.layer >= focus.layer for sibling in beside)


def test_a_topic_on_top_shows_the_topics_below_it():
    picture = neighbourhood_picture(RUN, Around(LEISURE, 0.0))
    shown = kinds(picture)
    assert {"topic:T0009", "topic:T0010", "topic:T0011", "word:club", "word:evening"} < set(shown)
    arrows = {(edge.parent, edge.child) for edge in picture.edges}
    assert ("topic:T0002", "topic:T0010") in arrows


def test_a_word_shows_every_topic_that_brings_it_and_those_above():
    picture = neighbourhood_picture(RUN, Around(word("program"), 0.0))
    assert {"topic:T0005", "topic:T0007", "topic:T0010"} < set(kinds(picture))
    assert {"topic:T0000", "topic:T0001", "topic:T0002"} < set(kinds(picture))
    assert kinds(picture)["word:program"] == "present"
    y = {key: place[1] for key, place in picture.placement.centre.items()}
    assert max(y, key=y.__getitem__) == "word:program"


@pytest.mark.parametrize("threshold", [0.0, 0.1, 0.5, 0.9])
def test_the_threshold_hides_links_and_counts_them(threshold):
    picture = neighbourhood_picture(RUN, Around(BIOLOGY, threshold, {"words": 1}))
    assert all(edge.probability >= threshold for edge in picture.edges)
    drawn = [edge for edge in picture.edges if "topic:T0006" in (edge.parent, edge.child)]
    assert len(drawn) + picture.counts["hidden"] == 2 + 7


@pytest.mark.parametrize("node", [0, 3, 40, 150, 320])
def test_every_link_of_the_focus_is_drawn_folded_or_hidden(node):
    run = large_run(200, 900, 0, links=6)
    graph = run.network.graph
    picture = neighbourhood_picture(run, Around(node, 0.03))
    focus = next(n.key for n in picture.nodes if n.importance == 2.0)
    drawn = sum(focus in (edge.parent, edge.child) for edge in picture.edges)
    folded = sum(
        int(n.label.split()[0][1:])
        for n in picture.nodes
        if n.kind == "fold" and n.key != "fold:siblings"
    )
    children = len(graph.children(node)) if node < graph.n_topics else 0
    assert drawn + folded + picture.counts["hidden"] == len(graph.parents(node)) + children


@pytest.mark.parametrize("node", range(0, 200, 9))
def test_topics_of_one_layer_stand_in_one_row_or_in_one_band(node):
    """Several rows of what is below a topic look like several levels without a band behind them."""
    picture = neighbourhood_picture(large_run(200, 900, 0, links=6), Around(node, 0.0))
    rows = {}
    for shown in picture.nodes:
        rows.setdefault(shown.layer, set()).add(round(picture.placement.centre[shown.key][1]))
    focus = next(shown.layer for shown in picture.nodes if shown.importance == 2.0)
    # Parents, and the topic with its siblings.
    assert all(len(heights) == 1 for layer, heights in rows.items() if layer >= focus)
    if any(len(heights) > 1 for heights in rows.values()):
        assert len(picture.bands) == len(rows)
        for layer, (middle, height) in zip(sorted(rows), picture.bands, strict=True):
            assert all(abs(y - middle) < height / 2 for y in rows[layer])


@pytest.mark.parametrize("has_parents", [False, True])
def test_children_fill_the_rows_that_parents_and_words_leave(has_parents):
    run = large_run(200, 900, 0, links=6)
    graph, found = run.network.graph, set()
    for node in range(graph.n_topics):
        around = Around(node, 0.0)
        children = {link.child for link in around.children(run, node)}
        # Topics with many children, none of them words.
        if len(children) < 20 or max(children) >= graph.n_topics:
            continue
        if bool(around.parents(run, node)) != has_parents:
            continue
        keys = {node_key(run, child) for child in children}
        found.add(sum(one.key in keys for one in neighbourhood_picture(run, around).nodes))
    rows = 3 if has_parents else 4
    # One of them may also be shown as a sibling.
    assert min(found) == rows * SHOWN["children"] + 1


def test_topics_that_are_set_aside_are_the_last_children():
    run = large_run(200, 900, 0, links=6)
    around = Around(0, 0.0)
    children = [link.child for link in around.children(run, 0)]
    coherence = [0.5] * 200
    coherence[children[0]] = 0.0
    aside = replace(run, coherence=tuple(coherence))
    first = node_key(run, children[0])
    assert first in {node.key for node in neighbourhood_picture(run, around).nodes}
    assert first not in {node.key for node in neighbourhood_picture(aside, around).nodes}


def test_what_is_folded_can_be_unfolded():
    run = large_run(200, 900, 0, links=6)
    around = Around(100, 0.0)
    folded = neighbourhood_picture(run, around)
    assert "fold:words" in kinds(folded)
    more = neighbourhood_picture(run, Around(100, 0.0, {"words": 1}))
    assert "fold:words" not in kinds(more)
    assert more.counts["words"] > folded.counts["words"]


def test_what_is_unfolded_continues_in_steps_and_can_always_be_folded_back():
    run = large_run(12, 4000, 0, links=2)
    folded = neighbourhood_picture(run, Around(5, 0.0))
    assert "less:words" not in kinds(folded)
    n_words = folded.counts["words"] + int(label(folded, "fold:words").split()[0])
    assert n_words > MAX_NODES
    before = folded
    for times in range(1, 6):
        picture = neighbourhood_picture(run, Around(5, 0.0, {"words": times}))
        unfolded = int(label(picture, "less:words").split()[1])
        rest = int(label(picture, "fold:words").split()[0]) if "fold:words" in kinds(picture) else 0
        assert unfolded + rest == n_words - folded.counts["words"]
        assert picture.counts["words"] == min(n_words, UNFOLDED * times) or rest == 0
        # A click shows more, or there is nothing to click.
        assert picture.counts["words"] > before.counts["words"] or "fold:words" not in kinds(before)
        assert len(picture.nodes) <= MAX_NODES
        before = picture
    assert rest == 0
    assert before.left_out_nodes > 0


def test_the_path_from_the_top_follows_what_brings_each_most_often():
    path = path_from_top(RUN, word("nasa"))
    assert path == [0, 5, word("nasa")]
    assert path_from_top(RUN, LEISURE) == [LEISURE]
    assert path_from_top(edited(RUN, hidden=[0]), word("nasa"))[0] != 0
    assert path_from_top(edited(RUN, merged={5: 6}), word("nasa"))[:2] == [0, 6]
    run = large_run(200, 900, 1, links=5)
    for node in (0, 90, 199, 700):
        path = path_from_top(run, node)
        assert path[-1] == node
        for parent, child in itertools.pairwise(path):
            often = {
                link.parent: run.prior[link.parent] * link.probability
                for link in parent_links(run.network, child)
            }
            assert often[parent] == max(often.values())


def test_widths_show_the_information_of_the_ends_if_chosen():
    plain = neighbourhood_picture(RUN, Around(BIOLOGY, 0.0))
    picture = neighbourhood_picture(RUN, Around(BIOLOGY, 0.0, by_bits=True))
    strengths = arc_strengths(RUN.network)
    graph = RUN.network.graph
    names = [*(f"topic:{name}" for name in graph.topic_ids), *map("word:{}".format, RUN.vocabulary)]
    bits = {
        (names[graph.parent_idx[edge]], names[graph.edge_children()[edge]]): value
        for edge, value in zip(strengths.edge.tolist(), strengths.bits.tolist(), strict=True)
    }
    assert {(edge.parent, edge.child): edge.bits for edge in picture.edges} == {
        (edge.parent, edge.child): pytest.approx(bits[edge.parent, edge.child])
        for edge in plain.edges
    }
    assert [edge.step for edge in picture.edges] == [bit_step(edge.bits) for edge in picture.edges]
    assert all(edge.bits is None for edge in plain.edges)
    assert "much information" in {item.text for item in picture.legend}
    assert "strong link" in {item.text for item in plain.legend}
