"""Values computed once per model for all sessions: the boxes of the overview of its topics."""

from __future__ import annotations

from dataclasses import replace

from orrery.app.shared.cached_maps import MAX_DRAWN, SizedTree
from orrery.app.shared.topic_facts import subtree_sizes, topic_sizes
from orrery.app.shared.topic_map import topic_tree
from tests.app.toy import toy_run

RUN = toy_run()
ALL, REST = (-1, 0), (-1, 3)


def sized():
    subtree = subtree_sizes(RUN, None, 0.02)
    return SizedTree(topic_tree(RUN, 0.02, subtree.size), topic_sizes(RUN, None), subtree)


def test_a_part_is_drawn_once_for_all_and_anew_under_other_names():
    tree, made = sized(), []

    def draw():
        made.append(len(made))
        return made[-1]

    assert [tree.drawn(part, RUN, draw) for part in (ALL, ALL, REST, ALL)] == [0, 0, 1, 0]
    renamed = replace(RUN, topic_labels=("another", *RUN.topic_labels[1:]))
    assert [tree.drawn(ALL, run, draw) for run in (renamed, renamed, RUN)] == [2, 2, 3]


def test_only_so_many_parts_are_kept():
    tree = sized()
    for skip in range(3 * MAX_DRAWN):
        assert tree.drawn((-1, skip), RUN, lambda skip=skip: skip) == skip
        assert len(tree._drawn) <= MAX_DRAWN
    # The last ones.
    kept = [
        tree.drawn((-1, skip), RUN, lambda: None) for skip in range(2 * MAX_DRAWN, 3 * MAX_DRAWN)
    ]
    assert kept == list(range(2 * MAX_DRAWN, 3 * MAX_DRAWN))
