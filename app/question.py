"""Question: what a person typed, as evidence for the model."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.graph_links import word_text
from app.graph_view import TypedWord
from core.inference import Evidence

if TYPE_CHECKING:
    from core.storage import Run

# "-memory" or -"solid state": a minus at the start of a word, not the hyphen inside one.
_SAID_ABSENT = re.compile(r'(?<!\S)-(?:"([^"]*)"|(\S+))')


@dataclass(frozen=True)
class Question:
    """The words in typed order, and those that were typed both as present and as absent."""

    typed: tuple[TypedWord, ...]
    contradictory: tuple[str, ...] = ()

    def words(self, state: str) -> tuple[str, ...]:
        """Words with a state: ``present``, ``absent`` or ``unknown``."""
        return tuple(word.text for word in self.typed if word.state == state)

    def evidence(self, *, closed_world: bool) -> Evidence:
        """What inference is to take as seen and as absent."""
        tokens = {
            state: tuple(word.token for word in self.typed if word.state == state)
            for state in ("present", "absent")
        }
        return Evidence(tokens["present"], tokens["absent"], closed_world=closed_world)


def read_question(run: Run, text: str) -> Question:
    """Split a typed query into present, absent and unknown words, in typed order."""
    absent_text = " ".join(quoted or word for quoted, word in _SAID_ABSENT.findall(text))
    present_text = _SAID_ABSENT.sub(" ", text)
    present, unknown = _known_and_unknown(run, present_text, "present")
    absent, also_unknown = _known_and_unknown(run, absent_text, "absent")
    tokens = {word.token for word in present}
    contradictory = tuple(word.text for word in absent if word.token in tokens)
    words = {word.text: word for word in also_unknown + unknown + absent + present}
    return Question(tuple(_in_typed_order(list(words.values()), text)), contradictory)


def _known_and_unknown(run: Run, text: str, state: str) -> tuple[list[TypedWord], list[TypedWord]]:
    if not text.strip():
        return [], []
    tokens, unknown = run.parse(text)
    known = [
        TypedWord(word_text(run.vocabulary[int(token)]), state, int(token)) for token in tokens
    ]
    return known, [TypedWord(word_text(word), "unknown") for word in dict.fromkeys(unknown)]


def _in_typed_order(words: Sequence[TypedWord], text: str) -> list[TypedWord]:
    lowered = " ".join(word_text(text.lower()).split())

    def place(word: TypedWord) -> int:
        found = re.search(rf"(?<!\w){re.escape(word.text.lower())}(?!\w)", lowered)
        return found.start() if found else len(lowered)

    return sorted(words, key=place)
