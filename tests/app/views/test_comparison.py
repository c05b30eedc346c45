"""Two queries: every topic in its zone, zones side by side, nothing overlapping."""

from __future__ import annotations

import itertools

import pytest

from orrery.app.views.query import strings
from orrery.app.views.query.comparison import (
    OTHER_STATE,
    Side,
    answer_sentences,
    comparison_picture,
    largest_difference,
    topics_by_zone,
)
from orrery.core.drawing import explorer_strings
from orrery.core.drawing.picture import canvas_data
from orrery.core.drawing.placement import HEAD
from orrery.core.drawing.question import read_question
from orrery.core.inference.infer import infer
from orrery.core.inference.posterior import Estimate
from orrery.core.inference.thresholds import MAX_HEADING, MAX_NAMED, group_of
from orrery.core.model.terms import Terms
from tests.app.toy import toy_run

RUN = toy_run()
PAIRS = [("nasa orbit star", "concert guitar star"), ("nasa", "nasa"), ("hermit", "match coach"),
         ("nasa orbit theory", "cell virus theory evidence growth -memory zzz")]  # fmt: skip


def side(text):
    question = read_question(RUN, text)
    return Side(question.typed, infer(RUN.network, question.evidence(closed_world=False)))


def on(part):
    topics, probability = part.posterior.local.topics, part.posterior.probability
    return {
        topic
        for topic, value in zip(topics.tolist(), probability.tolist(), strict=True)
        if group_of(value) != "off"
    }


@pytest.mark.parametrize("pair", PAIRS)
def test_zones_are_what_one_or_both_switch_on(pair):
    first, second = map(side, pair)
    left, both, right = map(set, topics_by_zone(RUN, first, second))
    assert left == on(first) - on(second)
    assert both == on(first) & on(second)
    assert right == on(second) - on(first)


def test_a_word_that_is_absent_in_one_query_is_drawn_on_both_sides():
    picture = comparison_picture(RUN, side("star guitar nasa"), side("star -guitar nasa"), "x")
    kinds = {node.key: node.kind for node in picture.nodes if node.layer == 0}
    assert kinds == {
        "word:star": "present",
        "word:nasa": "present",
        "word:guitar": "present",
        f"{OTHER_STATE}word:guitar": "absent",
    }
    centre = picture.placement.centre
    assert centre["word:guitar"][0] < centre["word:star"][0]
    assert centre[f"{OTHER_STATE}word:guitar"][0] > centre["word:nasa"][0]
    # Each box has the links of its own query.
    ends = {(edge.parent, edge.child) for edge in picture.edges}
    assert len(ends) == len(picture.edges)
    for key in ("word:guitar", f"{OTHER_STATE}word:guitar"):
        assert any(child == key for _, child in ends)


def test_long_queries_are_named_by_their_side():
    assert strings.zone_headings("nasa", "star")[::2] == ("only “nasa”", "only “star”")
    long = "n" * (MAX_HEADING + 1)
    assert strings.zone_headings("nasa", long)[::2] == explorer_strings.ONLY_SIDES


@pytest.mark.parametrize("pair", PAIRS)
def test_every_box_stands_in_its_zone_and_none_overlap(pair):
    first, second = map(side, pair)
    picture = comparison_picture(RUN, first, second, "green-red")
    zones = dict(zip("fbs", picture.zones, strict=True))
    centre = picture.placement.centre
    words_of = [{word.key for word in part.typed} for part in (first, second)]
    for node in picture.nodes:
        if node.layer == 0:
            has = [node.key in keys for keys in words_of]
        else:
            topic = RUN.network.graph.topic_ids.index(node.code)
            has = [topic in on(part) for part in (first, second)]
        zone = zones["b" if all(has) else "f" if has[0] else "s"]
        x, y = centre[node.key]
        assert abs(x - zone.x) + node.size[0] / 2 <= zone.width / 2
        assert y + node.size[1] / 2 <= picture.placement.height / 2
        assert y - node.size[1] / 2 >= HEAD - picture.placement.height / 2
    for a, b in itertools.combinations(picture.nodes, 2):
        apart_x = abs(centre[a.key][0] - centre[b.key][0]) >= (a.size[0] + b.size[0]) / 2
        apart_y = abs(centre[a.key][1] - centre[b.key][1]) >= (a.size[1] + b.size[1]) / 2
        assert apart_x or apart_y
    edges = [zone.x - zone.width / 2 for zone in picture.zones]
    assert edges == sorted(edges)


@pytest.mark.parametrize("pair", PAIRS)
def test_on_a_phone_every_zone_is_one_column(pair):
    picture = comparison_picture(RUN, *map(side, pair), "green-red")
    narrow = picture.narrow
    # As wide as a phone shows with letters that can be read.
    assert narrow.placement.width <= 449
    assert narrow.nodes == picture.nodes
    data = canvas_data(picture)
    boxes = list(zip(data["nodes"], data["narrow"]["nodes"], strict=True))
    columns = {zone.x for zone in narrow.zones}
    assert {box["x"] for _, box in boxes} <= {round(x, 1) for x in columns}
    for (node, one), (other, two) in itertools.combinations(boxes, 2):
        apart = abs(one["y"] - two["y"]) >= (node["height"] + other["height"]) / 2
        assert apart or one["x"] != two["x"]
    places = {node["id"]: box["y"] for node, box in boxes}
    assert all(places[edge["from"]] < places[edge["to"]] for edge in data["edges"])


def test_layers_are_level_over_all_zones_and_words_lowest():
    picture = comparison_picture(RUN, side(PAIRS[0][0]), side(PAIRS[0][1]), "green-red")
    centre = picture.placement.centre
    lowest = {}
    for node in picture.nodes:
        lowest[node.layer] = max(lowest.get(node.layer, -1e9), centre[node.key][1])
    assert [lowest[layer] for layer in sorted(lowest)] == sorted(lowest.values(), reverse=True)
    assert all(centre[e.parent][1] < centre[e.child][1] for e in picture.edges)


def test_both_probabilities_are_printed():
    picture = comparison_picture(RUN, side("nasa orbit"), side("concert pitch"), "green-red")
    figures = {node["id"]: node["figures"] for node in canvas_data(picture)["nodes"]}
    assert "|" in figures["topic:T0005"]


def test_the_sentence_names_what_is_shared():
    assert strings.shared([], []) == "No topic is on or unsure for both."
    assert strings.shared([], ["x"]) == "Both contain “x”, but no topic is on or unsure for both."
    assert strings.shared(["a"], ["x"]) == "On or unsure for both: “a”."
    assert strings.shared(["a", "b", "c"], []) == "On or unsure for both: “a”, “b” and “c”."
    assert strings.shared(list("abcde"), []) == "On or unsure for both: “a”, “b”, “c” and 2 more."


@pytest.mark.parametrize(
    "pair", [("nasa orbit star", "concert guitar star"), ("concert", "concert nasa orbit")]
)
def test_the_first_sentence_names_the_largest_difference(pair):
    first, second = map(side, pair)
    name, left, right = largest_difference(RUN, first, second)
    figures = [
        dict(zip(part.posterior.local.topics.tolist(), part.posterior.probability.tolist(),
                 strict=True))
        for part in (first, second)
    ]  # fmt: skip

    def change(topic):
        return abs(
            figures[0].get(topic, RUN.prior[topic]) - figures[1].get(topic, RUN.prior[topic])
        )

    most = max({*figures[0], *figures[1]}, key=change)
    assert name == RUN.topic_labels[most]
    sentence = answer_sentences(RUN, first, second)[0]
    assert sentence == strings.difference(name, left, right, (first.name, second.name))
    assert sentence.startswith(f"Largest difference: “{name}”, ")


def test_each_topic_of_one_query_is_in_its_sentence():
    first, second = side("nasa orbit star"), side("concert guitar star")
    left, both, right = topics_by_zone(RUN, first, second)
    lines = answer_sentences(RUN, first, second)
    for topics, name in ((left, first.name), (right, second.name)):
        (line,) = (line for line in lines if f"on or unsure only for “{name}”" in line.lower())
        labels = [RUN.topic_labels[topic] for topic in topics]
        others = [label for label in labels if f"“{label}”" not in lines[0]]
        assert line.startswith("Also ") == (len(others) < len(labels))
        assert sum(label in line for label in others) == min(len(others), MAX_NAMED)
    assert not both or lines[-1].startswith("On or unsure for both")


@pytest.mark.parametrize(
    "pair",
    [
        ("nasa orbit star", "concert guitar star"),
        ("concert", "concert nasa orbit"),
        ("star", "concert"),
        ("nasa", "nasa orbit"),
        ("guitar", "concert guitar"),
    ],
)
def test_no_topic_is_named_twice(pair):
    lines = answer_sentences(RUN, *map(side, pair))
    named = [label for line in lines for label in RUN.topic_labels if f"“{label}”" in line]
    assert named
    assert len(named) == len(set(named))


def test_more_topics_follow_the_one_that_has_been_named():
    said = strings.only_on([("a", Estimate(0.8, 0.0))], "x", is_more=True)
    assert said == "Also on or unsure only for “x”: “a” 0.80."
    assert Terms("disease", "symptom").translated(said).startswith("Also probable or unsure only")
    assert strings.shared(["a"], [], is_more=True) == "Also on or unsure for both: “a”."
    assert strings.shared([], ["x"], is_more=True) == "No other topic is on or unsure for both."


def test_equal_queries_do_not_differ():
    assert answer_sentences(RUN, side("nasa"), side("nasa"))[0] == explorer_strings.NO_DIFFERENCE


def test_a_query_that_is_not_linked_with_a_topic_is_said_to_be_so():
    said = strings.difference("a", Estimate(0.8, 0.0), None, ("x", "y"))
    assert said == "Largest difference: “a”, 0.80 with “x” and not linked with “y”."
    assert (
        Terms("disease", "symptom").translated(strings.only_on([("flu", Estimate(0.8, 0.0))], "x"))
        == "Probable or unsure only for “x”: “flu” 0.80."
    )
