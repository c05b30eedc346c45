"""Families: every topic stands once, below its strongest parent."""

import pytest

from app.graph_families import families_of
from app.graph_links import parent_links
from tests.app.toy import large_run

NETWORK = large_run(60, 300, 0, links=4).network


@pytest.mark.parametrize("threshold", [0.0, 0.1, 0.5, 1.0])
def test_a_child_hangs_from_its_strongest_parent_and_a_root_has_none(threshold):
    families = families_of(NETWORK, threshold)
    roots = {family.root for family in families}
    assert roots == {t for t in range(60) if not parent_links(NETWORK, t, threshold)}
    for family in families:
        for link in family.links:
            assert link == parent_links(NETWORK, link.child, threshold)[0]
            assert link.parent == family.root


def test_no_topic_stands_twice():
    families = families_of(NETWORK, 0.0)
    shown = [family.root for family in families]
    shown += [link.child for family in families for link in family.links]
    assert len(set(shown)) == len(shown)


def test_topics_that_stand_alone_come_last():
    alone = [not family.links for family in families_of(NETWORK, 0.5)]
    assert any(alone)
    assert not all(alone)
    assert alone == sorted(alone)
