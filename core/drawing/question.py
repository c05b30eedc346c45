"""A typed query as words with states, as evidence for the model, and as text again."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ..data.query import SIGNS, Contradiction, read_query
from ..inference.evidence import Evidence
from ..utils.errors import InputError
from .links import word_text
from .local_model import TypedWord

if TYPE_CHECKING:
    from ..model.topic_model import Run


_RUN = re.compile(r"\w+")
_STATES = tuple(SIGNS)
# The next state of a word when a click changes it.
NEXT = dict(zip(_STATES, (*_STATES[1:], _STATES[0]), strict=True))


@dataclass(frozen=True)
class Question:
    """A typed query."""

    typed: tuple[TypedWord, ...]  # in typed order
    contradictions: tuple[Contradiction, ...] = ()  # words with two states; then no answer exists
    box: str = "q"  # URL parameter of the text box

    def words(self, state: str) -> tuple[str, ...]:
        """Words with a state."""
        return tuple(word.text for word in self.typed if word.state == state)

    @property
    def strangers(self) -> tuple[str, ...]:
        """Words that the model does not know."""
        return tuple(word.text for word in self.typed if word.token < 0)

    def evidence(self, *, closed_world: bool, clamped: Mapping[int, str] | None = None) -> Evidence:
        """Evidence for inference; ``clamped`` has topics clamped ``on`` or ``off``.

        Raises
        ------
        InputError
            If the question contradicts itself.
        """
        if self.contradictions:
            raise InputError(self.contradictions[0].sentence)
        known = [word for word in self.typed if word.token >= 0]
        tokens = {
            state: tuple(word.token for word in known if word.state == state) for state in SIGNS
        }
        topics = {
            state: tuple(topic for topic, how in (clamped or {}).items() if how == state)
            for state in ("on", "off")
        }
        return Evidence(**tokens, **topics, closed_world=closed_world)

    def word(self, key: str) -> TypedWord | None:
        """The typed word with this node key, if the model knows it."""
        return next((word for word in self.typed if word.key == key and word.token >= 0), None)

    def switched(self, run: Run, key: str, state: str) -> str:
        """Text of the question with one of its words in another state.

        Words are separated by commas if they would otherwise be read as one phrase.
        """
        typed = tuple(
            replace(word, state=state) if word.key == key else word for word in self.typed
        )
        plain = written(typed)
        return plain if read_question(run, plain).typed == typed else written(typed, ", ")


def written(typed: Iterable[TypedWord], joint: str = " ") -> str:
    """Write words as a person would type them."""
    return joint.join(map(_written_word, typed))


def _written_word(word: TypedWord) -> str:
    sign = SIGNS[word.state] if word.token >= 0 else ""
    return f'{sign}"{word.text}"' if sign and " " in word.text else sign + word.text


def read_question(run: Run, text: str, box: str = "q") -> Question:
    """Split a typed query into words with their states, in typed order."""
    query = read_query(run, text)
    unknown = dict.fromkeys(map(word_text, query.unknown_words))
    strangers = [TypedWord(word, "unknown") for word in unknown]
    known: dict[str, TypedWord] = {}
    for state, tokens in query.tokens.items():
        for token in tokens:
            word = TypedWord(word_text(run.vocabulary[token]), state, token)
            known.setdefault(word.text, word)
    typed = tuple(_in_typed_order([*strangers, *known.values()], text))
    return Question(typed, query.contradictions, box)


def _in_typed_order(words: Sequence[TypedWord], text: str) -> list[TypedWord]:
    lowered = " ".join(word_text(text.lower()).split())
    # The query may be as long as a book, so the text is searched only once.
    starts: dict[str, list[int]] = {}
    for run in _RUN.finditer(lowered):
        starts.setdefault(run[0], []).append(run.start())

    def place(word: TypedWord) -> int:
        wanted = word.text.lower()
        run = _RUN.search(wanted)
        begins = (start - run.start() for start in starts.get(run[0], ())) if run else ()
        return next((at for at in begins if _is_word_at(lowered, wanted, at)), len(lowered))

    return sorted(words, key=place)


def _is_word_at(text: str, word: str, begin: int) -> bool:
    """Whether a whole word of the text begins at ``begin``."""
    end = begin + len(word)
    if begin < 0 or not text.startswith(word, begin):
        return False
    return not _RUN.search(text[max(begin - 1, 0) : begin] + text[end : end + 1])
