"""Words that depend on numbers: nouns that fit them, figures with their units."""

from __future__ import annotations

import pytest

from orrery.app.shared import strings as shared_strings
from orrery.app.text import strings as common_strings
from orrery.app.views.home import strings
from orrery.app.views.map import strings as map_words
from orrery.app.views.query import strings as why
from orrery.app.views.train import strings as train
from orrery.core.evaluation.metrics import METRICS
from orrery.core.model.terms import counted
from orrery.core.runs.activations import MIN_PROBABILITY
from orrery.core.training.structure_learning import MAX_VALIDATION


@pytest.mark.parametrize(
    ("number", "shown_text"),
    [
        (0, "0 epochs"),
        (1, "1 epoch"),
        (21, "21 epochs"),
        ("1,001", "1,001 epochs"),
        ("0.5 of 1", "0.5 of 1 epoch"),
        ("1.0 of 20", "1.0 of 20 epochs"),
    ],
)
def test_a_noun_fits_its_number(number: int | str, shown_text: str) -> None:
    assert counted(number, "epoch") == shown_text


def test_one_is_counted_as_one() -> None:
    assert strings.counts(1, 1, ()) == "1 document, 1 word"
    assert "1 epoch in" in common_strings.finished(1, 1, 3.0)
    assert "0 of 1 epoch in" in common_strings.finished(0, 1, 3.0)
    assert "0.5 of 1 epoch." in common_strings.stopped(0.5, 1)


def test_a_run_is_described_in_plain_words_and_a_bound_has_its_unit() -> None:
    assert strings.run_facts("stopped", "1", "trained today") == "stopped, 1 topic, trained today"
    assert strings.run_facts("waiting", "", "") == "waiting"
    headers = [*shared_strings.TRAIN_TABLE.values(), *(metric.title for metric in METRICS)]
    assert all("nats per document" in header for header in headers if "nats" in header)


def test_the_description_of_documents_equals_the_program() -> None:
    assert f"at most {MAX_VALIDATION:,}" in train.METHOD_NOTES["learned"]
    assert map_words.MIN_STORED == MIN_PROBABILITY
    assert "956 documents have no topic of probability 0.1 or more" in map_words.without_place(956)


def test_nothing_is_added_without_a_sign() -> None:
    shown_text = [why.signed(one) for one in (-0.003, 0.0, 0.006, -0.06, 2.7)]
    assert shown_text == ["0", "0", "+0.01", "−0.06", "+2.7"]
