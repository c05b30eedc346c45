"""The tree of topics: every topic stands once, below the parent that brings it most often."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from orrery.app.shared.topic_map import topic_tree
from orrery.core.drawing.links import parent_links
from orrery.core.drawing.neighbourhood import path_from_top
from orrery.core.model.graph import build_graph
from orrery.core.model.network import build_network
from orrery.core.model.subtrees import MIN_LINK
from orrery.core.model.topic_names import NO_WORDS
from tests.app.toy import edited, large_run, run_of

RUN = large_run(60, 300, 0, links=4)
SIZE = tuple(float(7 * topic % 11) for topic in range(60))


@pytest.mark.parametrize("threshold", [0.0, 0.1, 0.5, 1.0])
def test_a_child_is_below_the_parent_that_brings_it_most_often_and_a_root_has_none(threshold):
    tree, prior = topic_tree(RUN, threshold, SIZE), RUN.prior
    often = {
        topic: {
            link.parent: prior[link.parent] * link.probability
            for link in parent_links(RUN.network, topic, threshold)
        }
        for topic in range(60)
    }
    held = {t for t, acts in often.items() if max(acts.values(), default=0) >= 0.1 * prior[t]}
    assert set(tree.roots) == set(range(60)) - held
    for parent, below in tree.below.items():
        assert all(often[child][parent] == max(often[child].values()) for child in below)


def test_every_topic_stands_once_and_the_largest_first():
    tree = topic_tree(RUN, 0.05, SIZE)
    assert sorted(tree.members(tree.roots)) == list(range(60))
    for topics in (tree.roots, *tree.below.values()):
        sizes = [SIZE[topic] for topic in topics]
        assert sizes == sorted(sizes, reverse=True)


def test_what_is_hidden_or_part_of_another_is_not_there():
    parts = edited(RUN, hidden=[0, 30], merged={59: 58})
    tree = topic_tree(parts, 0.0, SIZE)
    assert set(tree.members(tree.roots)) == set(range(60)) - {0, 30, 59}


def test_a_topic_has_room_for_its_size_and_for_each_that_is_below_it():
    tree = topic_tree(RUN, 0.05, SIZE)
    assert set(tree.room) == set(range(60))
    for topic, room in tree.room.items():
        inside = [tree.room[child] for child in tree.below[topic]]
        assert room == pytest.approx(max(SIZE[topic], *inside, 0.0), abs=0.01)
        assert room > 0


def test_a_topic_without_words_has_no_parent_and_holds_none():
    silent = replace(RUN, topic_labels=(*RUN.topic_labels[:3], NO_WORDS, *RUN.topic_labels[4:]))
    tree = topic_tree(silent, 0.0, SIZE)
    assert set(tree.members(tree.roots)) == set(range(60)) - {3}


def in_a_circle():
    """Two pairs of merged topics: a part of each is above a part of the other."""
    edges = [("a", "b"), ("c", "d"), ("b", 0), ("d", 0)]
    names = {"a": 0, "b": 1, "c": 2, "d": 3}
    parents, children = zip(*((names[p], names.get(c, 4)) for p, c in edges), strict=True)
    graph, _ = build_graph(1, list(names), parents, children)
    network = build_network(graph, np.full(4, 1.0), np.full(5, 0.1))
    number = {name: topic for topic, name in enumerate(graph.topic_ids)}
    merged = {number["a"]: number["d"], number["c"]: number["b"]}
    return edited(run_of(network, ("word",), tuple("abcd")), merged=merged)


def merged(seed, share):
    """A run in which a person merged some topics into others, wherever those lie."""
    run, leak = large_run(40, 30, seed, links=3), np.random.default_rng(seed)
    is_part = leak.random(40) < share
    whole = np.flatnonzero(~is_part)
    if not len(whole):
        return run
    parts = {int(part): int(leak.choice(whole)) for part in np.flatnonzero(is_part)}
    return edited(run, merged=parts)


@given(st.builds(merged, st.integers(0, 1000), st.sampled_from([0.0, 0.2, 0.5, 0.9])))
@example(in_a_circle())
def test_topics_shown_as_one_never_lie_above_themselves(run):
    """Each step towards the top is a step up, so the way there ends and a tree holds all."""
    n_topics = run.network.graph.n_topics
    heights = run.network.graph.heights()
    left_out = run.hidden_topics | set(run.shown_as)
    shown = sorted(set(range(n_topics)) - left_out)
    for topic in shown:
        above = run.main_parents[topic]
        assert above < 0 or heights[above] > heights[topic]
    paths = [path_from_top(run, topic) for topic in shown]
    assert all(len(set(path)) == len(path) for path in paths)
    tree = topic_tree(run, 0.0, [1.0] * n_topics)
    assert sorted(tree.members(tree.roots)) == shown


@given(st.builds(merged, st.integers(0, 1000), st.sampled_from([0.0, 0.2, 0.5, 0.9])))
def test_the_path_to_a_topic_is_its_place_in_the_tree(run):
    tree = topic_tree(run, MIN_LINK, [1.0] * run.network.graph.n_topics)
    for topic in tree.members(tree.roots):
        path = path_from_top(run, topic)
        assert path[0] in tree.roots
        assert path[-1] == topic
        for parent, child in itertools.pairwise(path):
            assert child in tree.below[parent]


def test_a_subtree_is_counted_with_its_topic():
    tree = topic_tree(RUN, 0.05, SIZE)
    assert sum(tree.count[root] for root in tree.roots) == 60
    for topic, below in tree.below.items():
        assert tree.count[topic] == len(tree.members([topic])) >= 1 + len(below)
