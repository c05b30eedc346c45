"""Known terms near the unknown words of a query to a ready-made vocabulary.

Unknown words beside each other are compared together: "short of breath" is near
"shortness of breath". A term is near if it has another form of an unknown word, or a word of five
letters or more that is spelt in a similar way; the query with its signs is read by
`orrery.core.data.clauses`. The offline explorer has the same rules in ``termsuggestions.js``;
``tests/suggestion_cases.json`` has the test cases of both.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from . import word_vectors
from .clauses import INNER, Item, is_negation
from .query import HasVocabulary, read_query
from .suggestions import MAX_SUGGESTIONS, Near, Suggestion, Why, edits, near_phrases, plain_word

# Entries for a query: more are not read.
MAX_ENTRIES = 5
# A query may be as long as a book; these groups of words, and words of a group, are compared.
MAX_GROUPS, MAX_GROUP_WORDS = 20, 10
# Terms of a similar meaning for a word.
MAX_BY_MEANING = 2
# Words that are replaced together if a term has a single one.
MAX_REPLACED = 3
# Letters of a known word from which it may be misspelt, and from which two letters may be wrong.
# In a term of several words, two letters are too many in a shorter word.
MIN_SPELT, LONG_SPELT, LONG_IN_TERM = 5, 8, 10
# Letters that two forms of a word share; fewer if one word begins the other.
MIN_SHARED, MIN_BEGINNING = 4, 3
# Each word of the term that is not typed lowers the rank by this.
UNMATCHED = 0.5
# The empty ending is one of them.
_ENDINGS = (
    " a al ary ate ated ation d e ed edly en er es ety ful ia ic ied ies ily iness ing ings ion "
    "ions ish ity ive less ly ness ous r s tion ure y"
)
ENDINGS = frozenset(_ENDINGS.split(" "))
IRREGULAR = {
    "bled": "bleeding", "feet": "foot", "fell": "falling", "lost": "loss", "swollen": "swelling",
    "teeth": "tooth",
}  # fmt: skip
_WORD = re.compile(r"[^\s_]+")
_EDGES = ".,;:!?\"'()[]{}-+"


class _Word(NamedTuple):
    """A word of the query that may be part of an unknown term: ``text[begin:end]``."""

    begin: int
    end: int
    plain: str
    kind: str = ""  # _INNER, _NEXT or _BEFORE for a known word


# A known word at the end of an unknown term ("chest pain"), a known term after an unknown word, and
# one before it ("pain in the jaw").
_INNER, _NEXT, _BEFORE = "inner", "next", "before"


class _Match(NamedTuple):
    token: int
    places: tuple[int, ...]  # words of the group that the term has
    rank: tuple[float, int, int, int, int]


def near_terms(model: HasVocabulary, text: str, count: int = MAX_SUGGESTIONS) -> list[Near]:
    """Known terms near the unknown words of a query, each entry with the words that it replaces.

    Parameters
    ----------
    model : HasVocabulary
        Model with a ready-made vocabulary.
    text : str
        Typed query.
    count : int
        Maximum number of terms of an entry.

    Returns
    -------
    list of Near
        At most `MAX_ENTRIES`, in typed order. Terms of the query are not offered. Terms of a
        similar meaning need ``orrery[vectors]``, and are offered if no other is near.
    """
    vocabulary = tuple(model.vocabulary)
    items = read_query(model, text).items
    typed = {item.token for item in items}
    found: dict[str, Near] = {}
    for group in _groups(text, items)[:MAX_GROUPS]:
        for near in _near_group(vocabulary, text, group[:MAX_GROUP_WORDS], typed):
            if near.known and len(found) < MAX_ENTRIES:
                found.setdefault(near.word, Near(near.word, near.known[:count]))
    return list(found.values())


def _groups(text: str, items: Sequence[Item]) -> list[list[_Word]]:
    """Unknown words beside each other, and the known terms beside them.

    Words within a term, as "of", may be before unknown words; only a space is before a known term.
    """
    groups: list[list[_Word]] = []
    last: Item | None = None
    for item in items:
        if item.token < 0 and is_negation(item.text):
            last = None
            continue
        gap = text[last.end : item.begin].split() if last else []
        is_beside = last is not None and last.end < item.begin and not last.inner
        is_beside &= not item.is_signed and last is not None and item.denial == last.denial
        is_beside &= all(word.lower() in INNER for word in gap)
        if item.token >= 0:
            if is_beside and not gap and last and last.token < 0:
                groups[-1].append(_Word(item.begin, item.end, plain_word(item.text), _NEXT))
        else:
            if not is_beside or last is None or last.token >= 0:
                groups.append([])
                if is_beside and last is not None and not last.is_signed:
                    before = _Word(last.begin, last.end, plain_word(last.text), _BEFORE)
                    groups[-1].append(before)
            groups[-1] += _words(text, item)
        last = item
    return groups


def _words(text: str, item: Item) -> list[_Word]:
    found = []
    for match in _WORD.finditer(text, item.begin, item.end):
        plain = plain_word(match[0].strip(_EDGES))
        if plain and plain not in INNER:
            begin = match.start() + len(match[0]) - len(match[0].lstrip(_EDGES))
            found.append(_Word(begin, begin + len(match[0].strip(_EDGES)), plain))
    if found and item.inner:
        found[-1] = found[-1]._replace(kind=_INNER)
    return found


def _near_group(
    vocabulary: tuple[str, ...], text: str, group: list[_Word], typed: set[int]
) -> list[Near]:
    """Entries for words beside each other, in typed order."""
    unknown = [word for word in group if not word.kind]
    if not unknown:
        return []
    phrase, known = _misspelt(vocabulary, text[group[0].begin : group[-1].end], group)
    if known:
        places = [place for place, word in enumerate(group) if word.plain in phrase.split()]
        here, first, last = Near(phrase, known), places[0], places[-1]
    else:
        matches = _matches(vocabulary, group)
        if not matches:
            return _near_by_meaning(vocabulary, group, typed)
        best = min(matches, key=lambda match: match.rank)
        first, last = best.places[0], best.places[-1]
        if first == last:
            if len(unknown) > MAX_REPLACED:
                parts = ([word] for word in unknown)
                return [
                    near for part in parts for near in _near_group(vocabulary, text, part, typed)
                ]
            # All unknown words are replaced, without the known terms beside them.
            first = 1 if group[0].kind == _BEFORE else 0
            last = len(group) - 2 if group[-1].kind == _NEXT else len(group) - 1
        inside = [one for one in matches if first <= one.places[0] and one.places[-1] <= last]
        # Where the query already has the nearest term, there is nothing to offer.
        inside = [one for one in inside if not typed & {best.token, one.token}]
        # A term that replaces a known one before the unknown words has a word of it too.
        is_before_replaced = group[first].kind == _BEFORE
        if is_before_replaced:
            inside = [one for one in inside if one.places[0] == first]
        if first < last and len(best.places) > 1 and len(unknown) == len(group):
            inside = [one for one in inside if len(one.places) > 1]
        inside.sort(key=lambda match: match.rank)
        words = " ".join(text[group[first].begin : group[last].end].split())
        here = Near(words, [_suggestion(vocabulary, one.token) for one in inside])
    before = _near_group(vocabulary, text, group[:first], typed)
    return [*before, here, *_near_group(vocabulary, text, group[last + 1 :], typed)]


def _suggestion(vocabulary: tuple[str, ...], token: int, why: Why = "form") -> Suggestion:
    return Suggestion(vocabulary[token].replace("_", " "), token, why)


def _misspelt(
    vocabulary: tuple[str, ...], text: str, group: list[_Word]
) -> tuple[str, list[Suggestion]]:
    """A phrase that is spelt like known ones, as "sore throte", and these."""
    for word in group:
        phrase, known = ("", []) if word.kind else near_phrases(vocabulary, text, word.plain)
        if known:
            return phrase, known
    return "", []


def _matches(vocabulary: tuple[str, ...], group: list[_Word]) -> list[_Match]:
    """Terms that have an unknown word of a group.

    If a known term follows, as in "leg swelling", a term has a word of it too, or the unknown word
    is its last.
    """
    index = _terms(vocabulary)
    has: dict[int, dict[int, tuple[int, int]]] = {}
    for place, word in enumerate(group):
        # The last word of a known term is its noun.
        plain = word.plain.split(" ")[-1]
        # Nothing is left of a term of joints alone, such as "_".
        for known in index.by_letter.get(plain[:1], ()):
            cost = _difference(plain, known)
            if cost is None:
                continue
            for token in index.by_word[known]:
                words = index.words[token]
                if cost <= 1 or len(words) == 1 or len(known) >= LONG_IN_TERM:
                    has.setdefault(token, {}).setdefault(place, (cost, words.index(known)))
    next_place = len(group) - 1 if group[-1].kind == _NEXT else -1
    found = []
    for token, pairs in has.items():
        # A known term before is replaced only with the words right after it.
        is_apart = group[0].kind == _BEFORE and sorted(pairs) != list(range(len(pairs)))
        if is_apart:
            pairs.pop(0, None)
        words, places = index.words[token], tuple(sorted(pairs))
        n_missing = len(words) - len({at for _, at in pairs.values()})
        is_head = any(at == len(words) - 1 for _, at in pairs.values())
        if all(group[place].kind for place in places):
            continue
        if next_place < 0 or next_place in pairs or is_head:
            n_edits = sum(cost for cost, _ in pairs.values())
            score = UNMATCHED * n_missing - len(places)
            rank = (score, n_edits, places[0], len(vocabulary[token]), token)
            found.append(_Match(token, places, rank))
    return found


def _difference(word: str, known: str) -> int | None:
    """Letters that are wrong in a word, 0 for a form of the known word, None for another word.

    A word that begins the known one, as "heart" in "heartbeat", counts as one wrong letter.
    """
    if _are_forms(IRREGULAR.get(word, word), IRREGULAR.get(known, known)):
        return 0
    if len(word) >= MIN_SPELT and known.startswith(word):
        return 1
    if len(known) < MIN_SPELT or abs(len(word) - len(known)) > 2:
        return None
    n_edits = edits(word, known)
    return n_edits if n_edits <= 1 + (min(len(word), len(known)) >= LONG_SPELT) else None


def _are_forms(one: str, other: str) -> bool:
    """Whether two words differ only in their endings."""
    shared = 0
    while shared < min(len(one), len(other)) and one[shared] == other[shared]:
        shared += 1
    shortest = min(len(one), len(other))
    for begin in range(shared, MIN_BEGINNING - 1, -1):
        is_whole = begin == shortest
        if (
            (begin >= MIN_SHARED or is_whole)
            and _is_ending(one, begin)
            and _is_ending(other, begin)
        ):
            return True
    return False


def _is_ending(word: str, begin: int) -> bool:
    ending = word[begin:]
    # Before some endings, the last letter is doubled: "spotting".
    return ending in ENDINGS or (ending[0] == word[begin - 1] and ending[1:] in ENDINGS)


def _near_by_meaning(
    vocabulary: tuple[str, ...], group: list[_Word], typed: set[int]
) -> list[Near]:
    found = []
    for word in group:
        tokens = [] if word.kind else word_vectors.nearest(vocabulary, word.plain, MAX_BY_MEANING)
        known = [
            _suggestion(vocabulary, token, "meaning") for token in tokens if token not in typed
        ]
        found += [Near(word.plain, known)] if known else []
    return found


class _Terms(NamedTuple):
    words: list[list[str]]  # of each term, without `INNER`
    by_word: dict[str, list[int]]  # terms with each word
    by_letter: dict[str, list[str]]  # words by their first letter, which no misspelling changes


@lru_cache(maxsize=8)
def _terms(vocabulary: tuple[str, ...]) -> _Terms:
    words: list[list[str]] = []
    by_word: dict[str, list[int]] = {}
    for token, term in enumerate(vocabulary):
        words.append([word for word in plain_word(term).split() if word not in INNER])
        for word in dict.fromkeys(words[-1]):
            by_word.setdefault(word, []).append(token)
    by_letter: dict[str, list[str]] = {}
    for word in by_word:
        by_letter.setdefault(word[0], []).append(word)
    return _Terms(words, by_word, by_letter)
