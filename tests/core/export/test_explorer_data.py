"""The explorer's constants equal the constants of the app and of inference."""

from __future__ import annotations

import base64
import re

import numpy as np
import pytest

from orrery.core.drawing import style
from orrery.core.drawing.web_page import asset, local_model_script
from orrery.core.export.explorer import COMPOSING, SCRIPTS, explorer_data
from orrery.core.inference import explanation, infer, senses, thresholds
from orrery.core.model.overlay import Overlay
from tests.core.export.models import sample

SOURCE = "\n".join([local_model_script(*COMPOSING), *(asset(name) for name in SCRIPTS)])
HANDED = ("inference", "thresholds", "layout", "sizes", "style")


@pytest.fixture(scope="module")
def data():
    found = explorer_data(sample())
    return found | found["picture"]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("on", thresholds.ON_THRESHOLD),
        ("unsure", thresholds.UNSURE),
        ("most_bars", thresholds.MAX_BARS),
        ("most_pieces", explanation.MAX_PIECES),
        ("least_share", senses.MIN_SHARE),
        ("most_together", senses.MAX_TOGETHER),
        ("least_covered", senses.MIN_COVERED),
        ("edge_steps", style.EDGE_STEPS),
        ("error", infer.MAX_ERROR),
        ("draws", infer.ROUND_SIZE),
        ("most_terms", infer.MAX_TERMS),
        ("most_small_nodes", infer.MAX_SMALL_NODES),
        ("most_small_edges", infer.MAX_SMALL_EDGES),
        ("most_small_states", infer.MAX_SMALL_TERMS),
        ("most_nodes", infer.MAX_NODES),
        ("most_edges", infer.MAX_EDGES),
    ],
)
def test_the_page_has_the_number_that_stands_elsewhere(data, name, value):
    assert {data[part][name] for part in HANDED if name in data[part]} == {value}


@pytest.mark.parametrize("part", HANDED)
def test_what_is_handed_over_is_read_and_not_written_down_again(data, part):
    for name, value in data[part].items():
        assert re.search(rf"\b{name}\b", SOURCE), name
        if isinstance(value, dict):
            continue
        # In "name: NAME" a script calls it so.
        called = {name, name.upper(), *re.findall(rf"\b{name}: ([A-Z_]+)\b", SOURCE)}
        for own in called - {"on", "error"}:
            assert not re.search(rf"\b{own}\s*=\s*[-\[.\d]", SOURCE), own


def test_a_topic_is_as_frequent_as_it_and_its_parts_together():
    model = sample(Overlay(merged={"L1.1": "L1.2"}))
    part, whole = (model.network.graph.topic_number[name] for name in ("L1.1", "L1.2"))
    found = explorer_data(model)
    own, shown = (
        np.frombuffer(base64.b64decode(found[name]), "<f4") for name in ("prior", "displayed_prior")
    )
    assert shown[whole] == pytest.approx(1 - (1 - own[whole]) * (1 - own[part]))
    assert shown[part] == 0
    others = np.delete(np.arange(len(own)), [part, whole])
    np.testing.assert_array_equal(own[others], shown[others])


def test_a_topic_has_the_words_of_those_shown_as_part_of_it(data):
    model = sample(Overlay(merged={"L2.1": "L2.2"}))
    part, whole = (model.network.graph.topic_number[name] for name in ("L2.1", "L2.2"))
    either, found = [dict(data["words"][topic]) for topic in (part, whole)], explorer_data(model)
    assert found["words"][part] == data["words"][part]
    assert [word for word, _ in found["words"][whole]] != [*either[1]]
    for word, probability in found["words"][whole]:
        assert probability == max(words.get(word, 0.0) for words in either)
