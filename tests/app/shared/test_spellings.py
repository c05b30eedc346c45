"""Displayed spellings of a vocabulary."""

from __future__ import annotations

from orrery.app.shared.topic_facts import spellings


def test_the_words_of_a_vocabulary_are_read_once() -> None:
    assert spellings(("a_b", "c")) is spellings(("a_b", "c"))
    assert spellings(("a_b", "c")).number == {"a b": 0, "c": 1}
