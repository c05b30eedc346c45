"""Texts made safe for Markdown, HTML and file names, and excerpts with marked words."""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ...core.data.corpus import Corpus
from ...core.data.word_patterns import SPACELESS

# Characters that Markdown, KaTeX or Streamlit's directives (":red[…]") could read as markup.
_SPECIAL = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|$:~&])")

# Streamlit draws ":material/home:" as an icon and "->" as an arrow even if they are escaped.
_DRAWN = re.compile(r":(?=[\w/+-]+:)|[-<>~](?=[->=])")
# Invisible character that keeps its neighbours from being read as one token.
WORD_JOINER = "\u2060"

MAX_FILE_NAME = 80
# Longest name from a URL in a message about it; the ids of documents may be longer.
MAX_REQUESTED_NAME = 200


def markdown_text(text: str) -> str:
    """Escape a text so that Markdown shows it unchanged."""
    apart = _DRAWN.sub(rf"\g<0>{WORD_JOINER}", " ".join(text.split()))
    return _SPECIAL.sub(r"\\\1", apart)


def requested_name(text: str) -> str:
    """Escape a name from a URL for Markdown, cut to a readable length."""
    return markdown_text(shortened(text, MAX_REQUESTED_NAME))


def shortened(text: str, most: int) -> str:
    """Cut a text to at most ``most`` characters, with "…" at the end."""
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


def html_text(text: str) -> str:
    """Escape a text so that HTML shows it unchanged."""
    return html.escape(text, quote=True)


def file_name(*parts: str) -> str:
    """File name that is valid on every system, from labels with any characters."""
    kept = (re.sub(r"\W+", "-", part).strip("-") for part in parts)
    return "-".join(filter(None, kept))[:MAX_FILE_NAME].rstrip("-").lower() or "orrery"


def document_text(corpus: Corpus, row: int) -> str:
    """Text of a document, or its words if it has no text (as in a document-word matrix)."""
    return str(corpus.documents["text"].iat[row] or document_words(corpus, row))


def document_words(corpus: Corpus, row: int) -> str:
    """All words of a document in the order of the vocabulary."""
    return " ".join(corpus.vocabulary[token] for token in corpus.tokens_of(row))


def searched_texts(corpus: Corpus) -> Sequence[str]:
    """Texts of all documents; if no document has a text, the words of each."""
    texts: list[str] = corpus.documents["text"].tolist()
    if any(texts):
        return texts
    return [document_words(corpus, row) for row in range(corpus.n_documents)]


LENGTH = 340
ELLIPSIS = "…"
# A cut moves to the next space within this many letters; other texts are cut anywhere.
MAX_WORD = 40
# Background of a word that was searched for, as in app.css.
MARKED = "#2E9E5B61"


@dataclass(frozen=True)
class Wanted:
    """A word to be found in a text."""

    name: str
    pattern: str  # regular expression
    weight: float = 1.0  # value of showing the word; above 0


@dataclass(frozen=True)
class Part:
    """A part of an excerpt; ``word`` is the wanted word that it contains, or empty."""

    text: str
    word: str = ""


class _Place(NamedTuple):
    begin: int
    end: int
    name: str


def wanted_words(weight: Mapping[str, float]) -> list[Wanted]:
    """Words of a vocabulary, phrases with ``_``, each with its weight."""
    return [Wanted(name, _pattern(name.split("_")), worth) for name, worth in weight.items()]


def wanted_terms(terms: Sequence[str]) -> list[Wanted]:
    """Words and phrases as typed into a search; a final star matches any ending."""
    words = {term: re.findall(r"\w+", term) for term in terms}
    return [
        Wanted(term, _pattern(parts, r"\w*" if term.endswith("*") else ""))
        for term, parts in words.items()
        if parts
    ]


def _pattern(parts: Sequence[str], ending: str = "") -> str:
    """Pattern of a word or phrase without letters directly before or after it.

    In languages without spaces, words are neither separated nor delimited.
    """
    escaped = [re.escape(part) for part in parts]
    if re.match(SPACELESS, parts[0]):
        return r"[\W_]*".join(escaped)
    phrase = r"[\W_]+".join(escaped)
    return rf"(?<![^\W_]){phrase}{ending}(?![^\W_])"


def excerpt(text: str, wanted: Sequence[Wanted], length: int = LENGTH) -> list[Part]:
    """Cut out the part of a text with the highest total weight of words, and mark them.

    ``length`` is the maximum number of letters, without the ellipses.
    """
    clean = " ".join(text.split())
    found = _places(clean, wanted)
    start, end = _window(clean, found, {word.name: word.weight for word in wanted}, length)
    parts = [Part(ELLIPSIS)] if start > 0 else []
    here = start
    for place in found:
        if place.begin >= here and place.end <= end:
            parts += [Part(clean[here : place.begin])]
            parts += [Part(clean[place.begin : place.end], place.name)]
            here = place.end
    parts.append(Part(clean[here:end] + (ELLIPSIS if end < len(clean) else "")))
    return [part for part in parts if part.text]


def _places(text: str, wanted: Sequence[Wanted]) -> list[_Place]:
    """Every occurrence of a wanted word, from left to right."""
    if not wanted:
        return []
    # Longest first, so that a phrase is found before its words.
    ordered = sorted(wanted, key=lambda word: len(word.name), reverse=True)
    every = re.compile("|".join(f"({word.pattern})" for word in ordered), re.IGNORECASE)
    return [
        _Place(match.start(), match.end(), ordered[(match.lastindex or 1) - 1].name)
        for match in every.finditer(text)
    ]


def _window(
    text: str, found: Sequence[_Place], weight: Mapping[str, float], length: int
) -> tuple[int, int]:
    """Ends of the part with the highest weight, counting each word once, at word boundaries."""
    if len(text) <= length:
        return 0, len(text)
    best, start = -1.0, 0
    inside: Counter[str] = Counter()
    entered = left_behind = 0
    for first in (0, *(place.begin for place in found)):
        # Some letters before the first marked word give it a context.
        left = max(0, min(first - length // 6, len(text) - length))
        while entered < len(found) and found[entered].end <= left + length:
            inside[found[entered].name] += 1
            entered += 1
        while left_behind < entered and found[left_behind].begin < left:
            inside[found[left_behind].name] -= 1
            left_behind += 1
        worth = sum(value for name, value in weight.items() if inside[name])
        if worth > best:
            best, start = worth, left
    if start > 0:
        start = max(start, text.find(" ", start, start + MAX_WORD) + 1)
    return start, max(word_end(text, start + length), start)


def word_end(text: str, place: int) -> int:
    """End of the last whole word before a position; the position itself in a very long word."""
    if place >= len(text):
        return len(text)
    space = text.rfind(" ", max(place - MAX_WORD, 0), place)
    return space if space > 0 else place


def excerpt_html(parts: Sequence[Part], typed: frozenset[str]) -> str:
    """HTML of an excerpt; typed words are marked more strongly."""
    shown = []
    for part in parts:
        kind = "typed" if part.word in typed else "keyword"
        text = html_text(part.text)
        shown.append(f'<mark class="{kind}">{text}</mark>' if part.word else text)
    return "".join(shown)
