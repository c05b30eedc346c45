"""Clamped topics: the address names them, independently of their labels."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from orrery.app.views.query.what_if import next_state, read_clamped, with_state, write_clamped


def numbered(names):
    return {name: topic for topic, name in enumerate(names)}


NAMES = st.lists(st.text(min_size=1), unique=True, min_size=1, max_size=6)


@given(NAMES, st.data())
def test_what_is_written_reads_as_it_was(names, data):
    topics = st.integers(0, len(names) - 1)
    held = data.draw(st.dictionaries(topics, st.sampled_from(["on", "off"])))
    assert read_clamped(write_clamped(held, names), numbered(names)) == held


def test_a_name_may_have_the_signs_of_the_address_in_it():
    names = ["a,b", "a", "b:on", "a:on,b", "%2C", "%"]
    held = dict.fromkeys(range(len(names)), "off")
    assert read_clamped(write_clamped(held, names), numbered(names)) == held


def test_plain_names_stay_readable_and_nonsense_is_left_out():
    names = ["T0012", "T0040", "L2.1"]
    assert write_clamped({0: "on", 1: "off"}, names) == "T0012:on,T0040:off"
    assert read_clamped("T0040:off,T9:on,,L2.1:maybe,:on,T0012", numbered(names)) == {1: "off"}


def test_one_topic_is_held_or_freed_and_the_others_stay():
    held = with_state({3: "on", 5: "off"}, 3, "off")
    assert held == {5: "off", 3: "off"}
    assert with_state(held, 5, "free") == {3: "off"}


def test_three_steps_lead_through_the_contrary_back_to_free():
    assert [next_state(now, is_on=True) for now in ("free", "off", "on")] == ["off", "on", "free"]
    assert [next_state(now, is_on=False) for now in ("free", "on", "off")] == ["on", "off", "free"]
