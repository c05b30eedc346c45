"""A model's own words for topics and words, such as "condition" and "symptom"."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..utils.errors import InputError

MAX_TERM = 30
# Quoted names and placeholders, which stay as they are; and the words for topics and words.
_SPOKEN = re.compile(
    r"“[^”]*”|\{[^}]*\}|\b(?P<article>[Aa] )?(?P<noun>topic|word)(?P<plural>s?)\b", re.IGNORECASE
)
_VOWELS = frozenset("aeiou")


@dataclass(frozen=True)
class Terms:
    """Singular nouns for a topic and for a word of a model."""

    topic: str = "topic"
    word: str = "word"

    def translated(self, sentence: str) -> str:
        """Sentence in these terms; names in “quotes” and ``{placeholders}`` stay as they are."""
        return sentence if self == Terms() else _SPOKEN.sub(self._translated, sentence)

    def in_all(self, value: Any) -> Any:
        """`translated` for every string in tuples, and in the values of mappings."""
        if isinstance(value, str):
            return self.translated(value)
        if isinstance(value, tuple):
            return tuple(map(self.in_all, value))
        if isinstance(value, Mapping):
            return {key: self.in_all(inner) for key, inner in value.items()}
        return value

    def _translated(self, match: re.Match[str]) -> str:
        noun = match["noun"]
        if noun is None:
            return match[0]
        term = self.topic if noun.lower() == "topic" else self.word
        article = match["article"] or ""
        if article and term[0].lower() in _VOWELS:
            article = f"{article[0]}n "
        shown = plural_of(term) if match["plural"] else term
        return article + (shown[0].upper() + shown[1:] if noun[0].isupper() else shown)


def plural_of(noun: str) -> str:
    """Regular English plural of a noun."""
    if noun.endswith("y") and noun[-2:-1] not in _VOWELS:
        return f"{noun[:-1]}ies"
    return noun + ("es" if noun.endswith(("s", "x", "z", "ch", "sh")) else "s")


def checked_term(text: str) -> str:
    """A noun on one line; `InputError` if it is empty, too long or not printable."""
    term = " ".join(text.split())
    if not term or len(term) > MAX_TERM or not term.isprintable():
        raise InputError(f"{text!r} cannot be a term; use 1 to {MAX_TERM} letters, in the singular")
    return term


def terms_of(summary: Mapping[str, Any]) -> Terms:
    """Terms in the summary of a model; "topic" and "word" by default."""
    stored = summary.get("terms")
    found = stored if isinstance(stored, Mapping) else {}
    usual = Terms()
    terms = []
    for kind, default in (("topic", usual.topic), ("word", usual.word)):
        try:
            terms.append(checked_term(str(found.get(kind) or default)))
        except InputError:
            terms.append(default)
    return Terms(*terms)


def terms_to_values(terms: Terms) -> dict[str, str]:
    """Values for the summary of a model, from which `terms_of` restores the terms."""
    return {"topic": terms.topic, "word": terms.word}
