"""Topics shown as one: no box of the part, its links at the other, and no circle in the picture."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orrery.app.views.query.comparison import Side, comparison_picture, topics_by_zone
from orrery.core.drawing.links import node_key, parent_links, shown_children, shown_parents, united
from orrery.core.drawing.local_model import Look, TypedWord, query_picture
from orrery.core.drawing.neighbourhood import Around, neighbourhood_picture
from orrery.core.drawing.selection import (
    clamped_parts,
    shown_probability,
    surest_part,
    topic_probability,
)
from orrery.core.inference.evidence import Evidence
from orrery.core.inference.infer import infer
from orrery.core.inference.posterior import Posterior
from orrery.core.inference.thresholds import group_of
from orrery.core.model.topic_model import Run
from tests.app.toy import edited, large_run

BASE = large_run(60, 120, 2)
HEIGHTS = BASE.network.graph.heights()
N_TOPICS = BASE.network.graph.n_topics
BELOW = [int(topic) for topic in np.flatnonzero(HEIGHTS[:N_TOPICS] == 1)]


@st.composite
def merged_runs(draw: st.DrawFn) -> Run:
    """The model with some topics of its lowest layer shown as others of it."""
    parts = draw(st.lists(st.sampled_from(BELOW), unique=True, max_size=12))
    leaders = [topic for topic in BELOW if topic not in parts]
    return edited(BASE, merged={part: draw(st.sampled_from(leaders)) for part in parts})


@settings(deadline=None)
@given(merged_runs(), st.lists(st.integers(0, 119), min_size=1, max_size=5, unique=True))
def test_a_query_shows_the_whole_and_not_its_parts(run: Run, tokens: list[int]) -> None:
    posterior = infer(run.network, Evidence(tuple(tokens), closed_world=False))
    shown, each = shown_probability(run, posterior), topic_probability(posterior)
    assert not set(shown) & set(run.shown_as)
    for topic, probability in shown.items():
        members = [t for t in each if run.shown_as.get(t, t) == topic]
        assert probability == pytest.approx(posterior.any_of(members).value)
        assert max(each[t] for t in members) <= probability + 1e-9
        assert probability <= sum(each[t] for t in members) + 1e-9
    typed = [TypedWord(run.vocabulary[token], "present", token) for token in tokens]
    keys = {node.key for node in query_picture(run, posterior, typed, Look(show_quiet=True)).nodes}
    assert {node_key(run, topic) for topic in shown} <= keys
    assert not {node_key(run, part) for part in run.shown_as} & keys


@settings(deadline=None)
@given(merged_runs())
def test_the_graph_shows_every_link_of_the_parts_at_the_whole(run: Run) -> None:
    for part, topic in run.shown_as.items():
        above = {link.parent for link in shown_parents(run, topic)}
        assert {link.parent for link in parent_links(run.network, part)} <= above
        picture = neighbourhood_picture(run, Around(topic, 0.0, {"words": 1, "parents": 1}))
        assert node_key(run, part) not in {node.key for node in picture.nodes}
        layer = {node.key: node.layer for node in picture.nodes}
        assert all(layer[edge.parent] >= layer[edge.child] for edge in picture.edges)


def test_without_merges_links_are_as_they_are() -> None:
    for node in range(BASE.network.graph.n_nodes):
        assert shown_parents(BASE, node) == parent_links(BASE.network, node)


def test_two_links_become_the_stronger_one_and_none_leads_to_itself() -> None:
    part, topic = BELOW[0], BELOW[1]
    run = edited(BASE, merged={part: topic})
    links = [link for node in (part, topic) for link in parent_links(run.network, node)]
    found = united(run, links)
    assert len({(link.parent, link.child) for link in found}) == len(found)
    for link in found:
        assert link.probability == max(
            other.probability for other in links if other.parent == link.parent
        )
    assert all(link.parent != link.child for link in shown_children(run, topic))


def not_off(run: Run, posterior: Posterior) -> set[int]:
    """Topics that a comparison of this posterior shows: those that are on or unsure."""
    found = shown_probability(run, posterior)
    return {topic for topic, p in found.items() if group_of(p) != "off"}


@settings(deadline=None)
@given(merged_runs(), st.sets(st.sampled_from(range(N_TOPICS)), max_size=20))
def test_two_queries_share_what_is_shown(run: Run, hidden: set[int]) -> None:
    run = edited(run, hidden, run.shown_as)
    first, second = (requested(run, tokens) for tokens in ((1, 5, 9, 30), (1, 7, 60, 90)))
    left, both, right = map(set, topics_by_zone(run, first, second))
    assert left | both == not_off(run, first.posterior)
    assert right | both == not_off(run, second.posterior)
    picture = comparison_picture(run, first, second, "green-red")
    keys = {node.key for node in picture.nodes}
    assert not {node_key(run, topic) for topic in hidden | set(run.shown_as)} & keys
    ends = [(edge.parent, edge.child) for edge in picture.edges]
    assert len(set(ends)) == len(ends)


def requested(run: Run, tokens: tuple[int, ...]) -> Side:
    typed = tuple(TypedWord(run.vocabulary[token], "present", token) for token in tokens)
    return Side(typed, infer(run.network, Evidence(tokens, closed_world=False)))


def test_the_surest_part_speaks_for_the_whole() -> None:
    posterior = infer(BASE.network, Evidence((1, 5, 9), closed_world=False))
    each = topic_probability(posterior)
    first, second, *_ = sorted(set(BELOW) & set(each), key=lambda topic: -each[topic])
    absent = next(topic for topic in BELOW if topic not in each)
    for whole in (second, absent):
        assert surest_part(edited(BASE, merged={first: whole}), posterior, whole) == first
    assert surest_part(BASE, posterior, second) == second


@settings(deadline=None)
@given(merged_runs(), st.data())
def test_what_is_shown_as_one_is_held_as_one(run: Run, data: st.DataObject) -> None:
    evidence = Evidence((1, 5, 9), closed_world=False)
    free = infer(run.network, evidence)
    shown = sorted(shown_probability(run, free))
    how = data.draw(st.dictionaries(st.sampled_from(shown), st.sampled_from(["on", "off"])))
    held = clamped_parts(run, free, how)
    on, off = (tuple(t for t, state in held.items() if state == end) for end in ("on", "off"))
    found = shown_probability(run, infer(run.network, replace(evidence, on=on, off=off)))
    for topic, state in how.items():
        assert found.get(topic, 0.0) == pytest.approx(float(state == "on"))
    assert len(on) == sum(state == "on" for state in how.values())
