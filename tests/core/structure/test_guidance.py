"""Rules come back as they were written, or are refused with their name."""

from __future__ import annotations

import json

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from orrery.core.structure.guidance import (
    Guidance,
    check_guidance,
    guidance_from_values,
    guidance_to_values,
    spelled,
)
from orrery.core.utils.errors import InputError

WORDS = [f"w{number}" for number in range(6)]


@st.composite
def guidances(draw):
    """Rules over six words and three topics, that may contradict each other."""
    topic = st.sampled_from(["a", "b", "c"])
    group = st.lists(st.sampled_from(WORDS), min_size=2, max_size=3, unique=True).map(tuple)
    pair = st.lists(st.sampled_from(WORDS), min_size=2, max_size=2, unique=True).map(tuple)
    edge = st.tuples(topic, st.sampled_from(WORDS))
    seeds = draw(st.dictionaries(topic, group, max_size=2))
    frozen = draw(st.lists(edge, max_size=3, unique=True))
    return Guidance(
        seeds=tuple(seeds.items()),
        must_link=tuple(draw(st.lists(group, max_size=3))),
        cannot_link=tuple(draw(st.lists(pair, max_size=2))),
        frozen=tuple((*ends, draw(st.none() | st.floats(0.01, 5))) for ends in frozen),
        forbidden=tuple(draw(st.lists(edge, max_size=2, unique=True))),
    )


@given(guidances())
def test_rules_come_back_out_of_json(guidance):
    values = json.loads(json.dumps(guidance_to_values(guidance)))
    assert guidance_from_values(values) == guidance


@given(guidances())
def test_exactly_the_contradictions_are_refused(guidance):
    together = nx.Graph()
    together.add_nodes_from(WORDS)
    for group in guidance.must_link:
        nx.add_cycle(together, group)
    held = {(name, word) for name, words in guidance.seeds for word in words}
    held |= {edge[:2] for edge in guidance.frozen}
    is_wrong = bool(held & set(guidance.forbidden))
    for one, other in guidance.cannot_link:
        is_wrong |= nx.has_path(together, one, other)
        is_wrong |= any({(topic, one), (topic, other)} <= held for topic in "abc")
    if is_wrong:
        with pytest.raises(InputError, match=r"(cannot_link|forbidden) \d"):
            check_guidance(guidance)
    else:
        check_guidance(guidance)


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        (
            {"must_link": [["a", "b"], ["x", "y"], ["b", "c"]], "cannot_link": [["c", "a"]]},
            "cannot_link 1 parts 'c' and 'a', which must_link 3 and must_link 1 hold together",
        ),
        (
            {"seeds": {"s": ["a", "b", "c"]}, "cannot_link": [["x", "y"], ["a", "c"]]},
            "cannot_link 2 parts 'a' and 'c', which seeds 's' put below the topic 's'",
        ),
        (
            {"seeds": {"s": ["a"]}, "frozen": [["s", "b"]], "cannot_link": [["a", "b"]]},
            "which seeds 's' and frozen 1 put below the topic 's'",
        ),
        (
            {"frozen": [["s", "b", 2]], "forbidden": [["topic:s", "b"]]},
            "frozen 1 asks for the edge from 's' to 'b', which forbidden 1 rules out",
        ),
        ({"frozen": [["s", "b"], ["s", "b", 1]]}, "frozen 2 repeats frozen 1"),
        ({"seeds": {"s": ["a"], "topic:s": ["b"]}}, "seeds 's' needs a topic's name of its own"),
        ({"seed": {}}, "no rule 'seed'; use seeds, must_link"),
        ({"seeds": [["a"]]}, "seeds is not a table"),
        ({"seeds": {"s": []}}, "seeds 's' has too few names; expected at least 1"),
        ({"seeds": {"s": "ab"}}, "seeds 's' is not a list of names"),
        ({"must_link": "ab"}, "must_link is not a list"),
        ({"must_link": [["a"]]}, "must_link 1 has too few names; expected at least 2"),
        ({"must_link": [["a", " "]]}, "must_link 1 is not a list of names"),
        ({"cannot_link": [["a", "a"]]}, "cannot_link 1 names something twice"),
        ({"cannot_link": [["a", "b", "c"]]}, "cannot_link 1 has 3 names; expected two"),
        ({"frozen": [["a", "b", 0]]}, "frozen 1 has a weight that is no number above 0"),
        ({"frozen": [["a", "b", "c"]]}, "frozen 1 has a weight that is no number"),
        ({"frozen": [["a", "b", float("inf")]]}, "frozen 1 has a weight that is no number"),
        ({"frozen": [["a", "b", 10**400]]}, "above 0 and at most 30; give one"),
    ],
)
def test_wrong_rules_are_refused_by_name(rules, message):
    with pytest.raises(InputError, match=message):
        check_guidance(guidance_from_values(rules))


def test_phrases_may_come_with_spaces_and_other_children_are_topics():
    words = {"solid_state": 0, "ice cream": 1, "star": 2}
    rules = {
        "must_link": [["solid state", "ice cream"]],
        "forbidden": [["a", "solid state"], ["a", "b"], ["a", "topic:star"]],
    }
    found = spelled(guidance_from_values(rules), words)
    assert found.must_link == (("solid_state", "ice cream"),)
    assert found.forbidden == (("a", "solid_state"), ("a", "topic:b"), ("a", "topic:star"))


@pytest.mark.parametrize(
    "rules",
    [
        {"cannot_link": [["hot dog", "hot_dog"]]},
        {"must_link": [["a", "hot dog", "hot_dog"]]},
        {"seeds": {"s": ["hot_dog", "hot dog"]}},
    ],
)
def test_one_word_in_two_spellings_is_refused(rules):
    with pytest.raises(InputError, match=r"(1|'s') names a word twice"):
        spelled(guidance_from_values(rules), {"hot_dog": 0, "a": 1})
