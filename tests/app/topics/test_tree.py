"""The tree of topics: every topic stands once, below its strongest parent."""

from dataclasses import replace

import pytest

from orrery.app.graph.links import parent_links
from orrery.app.topics.tree import topic_tree, with_families
from tests.app.toy import large_run

RUN = large_run(60, 300, 0, links=4)
SIZE = tuple(float(7 * topic % 11) for topic in range(60))


@pytest.mark.parametrize("threshold", [0.0, 0.1, 0.5, 1.0])
def test_a_child_hangs_from_its_strongest_parent_and_a_root_has_none(threshold):
    tree = topic_tree(RUN, threshold, SIZE)
    strongest = {t: parent_links(RUN.network, t, threshold)[:1] for t in range(60)}
    assert set(tree.roots) == {topic for topic, links in strongest.items() if not links}
    for parent, below in tree.below.items():
        assert all(strongest[child][0].parent == parent for child in below)


def test_every_topic_stands_once_and_the_largest_first():
    tree = topic_tree(RUN, 0.05, SIZE)
    assert sorted(tree.members(tree.roots)) == list(range(60))
    for topics in (tree.roots, *tree.below.values()):
        sizes = [SIZE[topic] for topic in topics]
        assert sizes == sorted(sizes, reverse=True)


def test_what_is_hidden_or_part_of_another_is_not_there():
    parts = replace(RUN, hidden_topics=frozenset({0, 30}), shown_as={59: 58})
    tree = topic_tree(parts, 0.0, SIZE)
    assert set(tree.members(tree.roots)) == set(range(60)) - {0, 30, 59}


def test_the_total_of_the_roots_is_that_of_all():
    tree = topic_tree(RUN, 0.05, SIZE)
    total = tree.total()
    assert sum(total[root] for root in tree.roots) == pytest.approx(sum(SIZE), rel=0.01)
    assert all(value > 0 for value in total.values())


def test_a_topic_with_nothing_below_is_as_large_as_its_family():
    tree = topic_tree(RUN, 0.05, SIZE)
    family = [size + 100.0 for size in SIZE]
    larger = with_families(tree, family)
    for topic, below in tree.below.items():
        assert larger.size[topic] == (SIZE[topic] if below else family[topic])
    assert (larger.roots, larger.below) == (tree.roots, tree.below)


def test_a_topic_without_words_hangs_nowhere_and_holds_none():
    silent = replace(RUN, hidden_topics=frozenset({3}), wordless_topics=frozenset({3}))
    tree = topic_tree(silent, 0.0, SIZE)
    assert set(tree.members(tree.roots)) == set(range(60)) - {3}
