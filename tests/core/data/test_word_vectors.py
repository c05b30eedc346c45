"""Words of a similar meaning, by the vectors of the extra."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from orrery.core.data import word_vectors
from orrery.core.data.suggestions import suggest

VOCABULARY = ("car", "auto", "doctor", "church", "no_such_phrase")


@pytest.mark.skipif(word_vectors._folder() is None, reason="orrery[vectors] is not installed")
def test_a_synonym_is_near() -> None:
    assert word_vectors.nearest(VOCABULARY, "automobile", 2) == [1, 0]
    assert word_vectors.nearest(VOCABULARY, "physician", 4)[0] == 2
    assert word_vectors.nearest(VOCABULARY, "qqzzxx", 4) == []
    model: Any = SimpleNamespace(vocabulary=VOCABULARY)
    assert {near.word for near in suggest(model, "automobile")} == {"car", "auto"}


def test_without_the_extra_nothing_is_near(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(word_vectors, "_folder", lambda: None)
    assert word_vectors.nearest(VOCABULARY, "automobile", 2) == []
