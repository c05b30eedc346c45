"""A model's own words for topics and words, such as "condition" and "symptom"."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..utils.errors import InputError

MAX_TERM = 30


@dataclass(frozen=True)
class Terms:
    """Singular nouns for a topic and for a word of a model."""

    topic: str = "topic"
    word: str = "word"


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
