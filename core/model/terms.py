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
# States of topics, which are words only for topics of texts: a disease is not "on". A sentence
# about all topics or their number speaks of probability, and one about a single topic of its
# presence. Before an article or the like, "on" is a preposition: "words that are on the page".
_NO_PLACE = r"(?! (?:an?|the|this|that|these|those|its?|top|your|all|any|every|each)\b)"
_STATE = re.compile(
    r"“[^”]*”|(?P<start>^(?:on|off)\b(?=:|$| [\d{])|\b(?:on|off)\b(?= or unsure\b))|"
    r"(?P<every>(?:\b(?:no (?:other )?topic|which topics of the model)|(?:\{count\}|\b\d+) topics?)"
    rf" (?:is|are) (?:clearly )?)on\b{_NO_PLACE}|\{{[^}}]*\}}|"
    rf"(?P<one>\b(?:is|are) )(?P<state>on|off)\b{_NO_PLACE}",
    re.IGNORECASE,
)
_PROBABLE = {"on": "probable", "off": "improbable", "On": "Probable", "Off": "Improbable"}
_PRESENT = {"on": "present", "off": "absent"}
_VOWELS = frozenset("aeiou")
# Between the singular and the plural of a term, as a person types both.
BOTH = "/"
# Plurals that no rule below makes ("ch" may be a k); of several words, the last one changes.
_IRREGULAR = {
    "epoch": "epochs", "monarch": "monarchs", "stomach": "stomachs",
    "appendix": "appendices", "axis": "axes", "bacterium": "bacteria",
    "child": "children", "corpus": "corpora",
    "crisis": "crises", "criterion": "criteria", "echo": "echoes", "foot": "feet",
    "goose": "geese", "half": "halves", "hero": "heroes", "knife": "knives", "leaf": "leaves",
    "life": "lives", "man": "men", "medium": "media", "mouse": "mice", "ox": "oxen",
    "pelvis": "pelves", "person": "people", "phenomenon": "phenomena", "potato": "potatoes",
    "quiz": "quizzes", "self": "selves", "shelf": "shelves", "stimulus": "stimuli",
    "thief": "thieves", "tomato": "tomatoes", "tooth": "teeth", "veto": "vetoes", "wife": "wives",
    "wolf": "wolves", "woman": "women",
    # Both forms are the same.
    **{noun: noun for noun in (
        "aids", "data", "diabetes", "economics", "ethics", "fish", "herpes", "mathematics",
        "means", "measles", "media", "mumps", "news", "physics", "politics", "rabies", "scabies",
        "series", "sheep", "species", "staff", "statistics",
    )},
}  # fmt: skip
# Singular nouns that end in a single s, but not in -is, -us or -ss, as plurals do.
_SINGULAR = frozenset({"atlas", "bias", "canvas", "gas", "lens", "pancreas"})
# Plurals of nouns in -sis, but not "diseases", "doses" and "phases".
_OF_SIS = (
    "gnoses", "croses", "uroses", "choses", "broses", "leroses", "mboses", "rrhoses", "enoses",
    "stases", "theses", "yses", "opses",
)  # fmt: skip
# Nouns in -e, -ie or -se whose plural looks like one in -es, -y or -us.
_WITH_E = frozenset({
    "abuse", "avalanche", "brownie", "calorie", "cookie", "excuse", "fuse", "genie",
    "misuse", "movie", "muse", "niche", "prairie", "psyche", "quiche", "recluse", "rookie", "use",
    "zombie",
})  # fmt: skip
# Endings of plurals whose singular has no e; but a headache and a prize have one.
_ADDED_ES = re.compile(r"(?:ss|x|[^aeiou]z|ch|sh|us|ens)es$")
_KEPT_E = re.compile(r"(?:^|[^aeio])aches$|[ao]uses$")


@dataclass(frozen=True)
class Terms:
    """Singular nouns for a topic and for a word of a model."""

    topic: str = "topic"
    word: str = "word"
    # Plurals that a person chose; "" for the English plural of the noun.
    chosen_topics: str = ""
    chosen_words: str = ""

    @property
    def topics(self) -> str:
        """Plural of `topic`."""
        return self.chosen_topics or plural_of(self.topic)

    @property
    def words(self) -> str:
        """Plural of `word`."""
        return self.chosen_words or plural_of(self.word)

    def translated(self, sentence: str) -> str:
        """Sentence in these terms; names in “quotes” and ``{placeholders}`` stay as they are."""
        if self == Terms():
            return sentence
        return _SPOKEN.sub(self._translated, _STATE.sub(_state_in_words, sentence))

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
        is_topic = noun.lower() == "topic"
        term = self.topic if is_topic else self.word
        several = self.topics if is_topic else self.words
        article = match["article"] or ""
        if article and term[0].lower() in _VOWELS:
            article = f"{article[0]}n "
        shown = several if match["plural"] else term
        return article + (shown[0].upper() + shown[1:] if noun[0].isupper() else shown)


def _state_in_words(match: re.Match[str]) -> str:
    if match["start"]:
        return _PROBABLE[match["start"]]
    if match["every"]:
        return f"{match['every']}probable"
    return f"{match['one']}{_PRESENT[match['state'].lower()]}" if match["one"] else match[0]


def plural_of(noun: str) -> str:
    """English plural of a noun, or of the last word of several; a plural stays as it is."""
    before, space, last = noun.rpartition(" ")
    low = last.lower()
    if low in _IRREGULAR:
        plural = last[:1] + _IRREGULAR[low][1:] if last[:1].isupper() else _IRREGULAR[low]
    elif low.endswith("sis") or low.endswith("xis"):
        plural = f"{last[:-2]}es"
    elif low.endswith("y") and low[-2:-1] not in _VOWELS:
        plural = f"{last[:-1]}ies"
    elif low.endswith("s") and not low.endswith(("ss", "us", "is")) and low not in _SINGULAR:
        plural = last
    else:
        plural = last + ("es" if low.endswith(("s", "x", "z", "ch", "sh")) else "s")
    return before + space + plural


def singular_of(noun: str) -> str:
    """Singular of which a noun is the plural, by the rules of `plural_of`; else the noun.

    The last one of several words changes. A noun that may be a singular stays as it is.
    """
    before, space, last = noun.rpartition(" ")
    return before + space + (_SINGULARS.get(last) or _regular_singular(last))


def _regular_singular(noun: str) -> str:
    if noun.endswith(("ss", "us", "is")) or noun in _SINGULAR:
        return noun
    without_s = noun[:-1]
    if noun.endswith(_OF_SIS):
        made = f"{noun[:-2]}is"
    elif without_s in _WITH_E or _KEPT_E.search(noun):
        made = without_s
    elif noun.endswith("ies"):
        made = f"{noun[:-3]}y"
    else:
        made = noun[:-2] if _ADDED_ES.search(noun) else without_s
    # "senses" and "houses" are no plurals of "sens" and "hous".
    found = (one for one in (made, without_s) if one and one != noun and plural_of(one) == noun)
    return next(found, noun)


_SINGULARS = {plural_of(one): one for one in (*_SINGULAR, *_IRREGULAR)}


def counted(number: int | str, one: str, several: str = "") -> str:
    """Write a number with its noun: "1 epoch", "2 epochs", "0.5 of 1 epoch"."""
    is_one = str(number).rpartition(" ")[2] == "1"
    return f"{number} {one if is_one else several or plural_of(one)}"


def typed_terms(topic: str, word: str) -> Terms:
    """Terms that a person typed: a singular noun each, or both forms with "/" between them.

    Raises InputError for a form that cannot be a term.
    """
    (one, topics), (other, words) = map(_both_forms, (topic, word))
    return Terms(one, other, topics, words)


def _both_forms(text: str) -> tuple[str, str]:
    """Singular, and the plural if it was typed and is not the one that would be made."""
    singular, slash, plural = text.partition(BOTH)
    one = checked_term(singular)
    several = checked_term(plural) if slash else ""
    return one, "" if several == plural_of(one) else several


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
    plurals = []
    for kind in ("topics", "words"):
        try:
            plurals.append(checked_term(str(found.get(kind) or "")))
        except InputError:
            plurals.append("")
    return Terms(*terms, *plurals)


def terms_to_values(terms: Terms) -> dict[str, str]:
    """Values for the summary of a model, from which `terms_of` restores the terms."""
    plurals = {"topics": terms.chosen_topics, "words": terms.chosen_words}
    return {
        "topic": terms.topic,
        "word": terms.word,
        **{kind: plural for kind, plural in plurals.items() if plural},
    }
