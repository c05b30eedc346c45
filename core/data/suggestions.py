"""Known words near a word that the model does not know: by form, by spelling, and by meaning.

The suggestions are offered, and a person chooses one; no word is ever replaced. The offline
explorer and the query box of the app have the same rules in ``assets/shared/suggest.js``, without
those for meaning; ``tests/suggestion_cases.json`` contains the test cases of both.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt
import regex

from ..utils.types import BoolArray, Int64Array
from . import word_vectors
from .clauses import INNER, is_negation
from .query import SIGNS, HasVocabulary

Why = Literal["form", "part", "spelling", "meaning"]

MAX_SUGGESTIONS = 4
# Minimum letters of a word that is compared, and of a beginning that two forms share.
MIN_LETTERS, MIN_STEM = 3, 4
# Within a known word, the typed one has more letters; at the beginning of a word, fewer suffice.
MIN_INNER = 4
# Maximum letters after the shared beginning, as in vaccine and vaccination, and the minimum share
# of the longer word that the beginning has if neither word is the beginning of the other.
MAX_ENDING, MIN_STEM_SHARE, MIN_BEGINNING_SHARE = 5, 0.5, 0.4
# Minimum share of equal letters in the same order, from which a word may be a typing error.
MIN_SIMILARITY = 0.7
# From this similarity, a form or a typing error is listed before words of a similar meaning.
CLEAR_SIMILARITY = 0.8
ROUNDING = 1e-9
# Added for a word that the typed word begins, and similarity of a phrase that contains it.
BEGINNING_BONUS, PHRASE_SIMILARITY = 0.1, 0.8
# A stem, or a word of a phrase, may be misspelt if it has this number of letters and begins with
# the typed letter: one letter may be wrong, in a longer word two. Similarity that it has at most.
MIN_PART, LONG_PART = 4, 8
STEM_SIMILARITY, PART_SIMILARITY = 0.9, 0.8
# Endings that are removed for the stem, the longest first.
STEM_ENDINGS = ("ing", "es", "ed", "s")
# Letters of a word in a phrase for each letter that may be wrong in it.
LETTERS_PER_EDIT = 3
_ACCENT = regex.compile("[\u0300-\u036f]")
# Words of a query that can be a phrase: nothing but spaces is between them.
_STRETCH_END = regex.compile(r"[,;.!?\n]+(?=\s|$)|\n")
# Words that are completed together, their signs, and what ends a phrase.
MAX_COMPLETED = 4
_PIECE = re.compile(r"[^\s,;]+")
_PIECE_SIGNS, _PIECE_ENDS = '-?+"', ".!?:)"
_WORD_EDGE = "-?\"'()[]{}:"
# Vocabularies in the cache.
MAX_VOCABULARIES = 8


class Suggestion(NamedTuple):
    """Known word near an unknown one."""

    word: str  # as displayed, with spaces for underscores
    token: int
    # The word is another form of it, is a phrase with it or contains it, is spelt in a similar way,
    # or has a similar meaning.
    why: Why


def suggest(model: HasVocabulary, word: str, count: int = MAX_SUGGESTIONS) -> list[Suggestion]:
    """Known words near an unknown word, the nearest first.

    Parameters
    ----------
    model : HasVocabulary
        Model or corpus.
    word : str
        Unknown word, in any case.
    count : int
        Maximum number of words.

    Returns
    -------
    list of Suggestion
        Empty if no word is near. Words of a similar meaning need ``orrery[vectors]``.
    """
    vocabulary = tuple(model.vocabulary)
    near = _near_by_letters(_index(vocabulary), plain_word(word))
    clear = [found for similarity, found in near if similarity >= CLEAR_SIMILARITY]
    others = [found for similarity, found in near if similarity < CLEAR_SIMILARITY]
    # One place is kept for the meaning, because a similar form may have another meaning.
    by_meaning = [
        Suggestion(_shown(vocabulary[token]), token, "meaning")
        for token in word_vectors.nearest(vocabulary, plain_word(word), count)
    ]
    first = clear[: max(count - min(len(by_meaning), 2), 1)]
    ordered: dict[int, Suggestion] = {}
    for found in (*first, *by_meaning, *clear, *others):
        ordered.setdefault(found.token, found)
    return list(ordered.values())[:count]


class Near(NamedTuple):
    """Unknown word or misspelt phrase of a query, as typed, and known words near it."""

    word: str
    known: list[Suggestion]


def suggest_for(
    model: HasVocabulary, text: str, unknown: Sequence[str], count: int = MAX_SUGGESTIONS
) -> list[Near]:
    """Known words near each unknown word of a query, or near it and its neighbours.

    Words beside each other that nearly spell a known phrase are one entry: "sore throte" is near
    "sore throat". Words without a suggestion are left out, and so are words that deny the next one:
    "never" is no misspelt "fever".

    Parameters
    ----------
    model : HasVocabulary
    text : str
        Typed query.
    unknown : sequence of str
        Its unknown words; each is compared, so pass only displayed ones.
    count : int
        Maximum number of known words for each.
    """
    index = _index(tuple(model.vocabulary))
    found: list[Near] = []
    done: set[str] = set()
    for word in unknown:
        if plain_word(word) in done or is_negation(word):
            continue
        phrase, phrases = _near_phrases(index, text, plain_word(word))
        known = phrases[:count] or suggest(model, word, count)
        done |= set(phrase.split())
        if known:
            found.append(Near(phrase or word, known))
    return found


def near_phrases(vocabulary: tuple[str, ...], text: str, word: str) -> tuple[str, list[Suggestion]]:
    """The longest stretch of a query with a word that nearly spells phrases, and these phrases."""
    return _near_phrases(_index(vocabulary), text, word)


def _near_phrases(index: _Index, text: str, word: str) -> tuple[str, list[Suggestion]]:
    """The longest stretch of a query with a word that nearly spells phrases, and these phrases."""
    longest = max(index.of_n_words, default=1)
    stretches = [
        [part.strip(_WORD_EDGE) for part in plain_word(stretch).split()]
        for stretch in _STRETCH_END.split(text)
    ]
    for size in range(longest, 1, -1):
        for words in stretches:
            for begin in range(len(words) - size + 1):
                window = words[begin : begin + size]
                phrases = _spelt_like(index, window) if word in window else []
                if phrases:
                    return " ".join(window), phrases
    return "", []


def _spelt_like(index: _Index, words: Sequence[str]) -> list[Suggestion]:
    """Phrases whose every word is spelt like the one at its place, the most similar first."""
    typed = " ".join(words)
    phrases = index.of_n_words.get(len(words), _NO_TOKENS)
    found = []
    for token in phrases[index.share_letters(typed, phrases)].tolist():
        known = index.plain[token]
        pairs = zip(words, known.split(" "), strict=True)
        if all(edits(one, two) <= len(one) // LETTERS_PER_EDIT for one, two in pairs):
            n_edits = edits(typed, known)
            if 1.0 - n_edits / max(len(typed), len(known)) >= MIN_SIMILARITY - ROUNDING:
                found.append((n_edits, token))
    return [Suggestion(index.shown[token], token, "spelling") for _, token in sorted(found)]


def complete(model: HasVocabulary, typed: str, count: int = MAX_SUGGESTIONS) -> list[Suggestion]:
    """Known words that the last typed words begin, or that are other forms of the last one.

    "short of br" begins "shortness of breath", and "pain ja" begins "jaw pain".

    Parameters
    ----------
    model : HasVocabulary
    typed : str
        Text of a query; only its last words, without punctuation between them, are completed.
    count : int
        Maximum number of words. Words that the typed words begin in their order come first, then
        the shortest words.
    """
    tails = _tails(typed)
    if not tails:
        return []
    index = _index(tuple(model.vocabulary))
    shown = index.shown
    begun = next(filter(None, (_begun(index, tail) for tail in tails)), [])
    forms: list[Suggestion] = []
    if len(begun) < count:
        near = (suggestion for _, suggestion in _near_by_letters(index, tails[-1][-1]))
        forms = [found for found in near if found.why == "form" and found.token not in begun]
    return [*(Suggestion(shown[token], token, "form") for token in begun), *forms][:count]


def begun_by(model: HasVocabulary, text: str) -> list[Suggestion]:
    """Known words of which every typed word begins a part, for a search.

    Those that the whole text begins come first, then the shortest.
    """
    words = plain_word(text).split()
    index = _index(tuple(model.vocabulary))
    tokens = _begun(index, words) if words else []
    return [Suggestion(index.shown[token], token, "part") for token in tokens]


def _begun(index: _Index, typed: list[str]) -> list[int]:
    phrase, words = " ".join(typed), _without_inner(typed)
    # The last typed word begins a part of each word that is found.
    texts = [(token, index.plain[token]) for token in index.containing(words[-1])]
    found = [
        (not text.startswith(phrase), len(index.shown[token]), token)
        for token, text in texts
        if text.startswith(phrase) or _begin(words, text.split(" "))
    ]
    return [token for _, _, token in sorted(found)]


def _tails(typed: str) -> list[list[str]]:
    """The last words of a text that may be a phrase, and the last ones of these; longest first."""
    pieces = list(_PIECE.finditer(typed))[-MAX_COMPLETED:]
    tails: list[list[str]] = []
    end = len(typed)
    for piece in reversed(pieces):
        gap = typed[piece.end() : end]
        # Nothing may follow the last word, and only spaces the others.
        is_apart = gap.strip() or piece[0][-1] in _PIECE_ENDS if tails else gap
        if is_apart:
            break
        words = plain_word(piece[0].lstrip(_PIECE_SIGNS)).split()
        if not words:
            break
        tails.append([*words, *(tails[-1] if tails else ())])
        end = piece.start()
        if piece[0][0] in _PIECE_SIGNS:
            break
    return tails[::-1]


def _without_inner(words: list[str]) -> list[str]:
    """Words without those such as "of"; the last one may be unfinished."""
    return [word for word in words[:-1] if word not in INNER] + words[-1:]


def _begin(words: Sequence[str], parts: Sequence[str]) -> bool:
    """Whether each typed word begins another word of a phrase."""
    rest = list(parts)
    for place, word in enumerate(words):
        n_letters = MIN_LETTERS if place == len(words) - 1 else MIN_INNER
        is_long = len(word) >= n_letters or (place == len(words) - 1 and place > 0)
        found = next((p for p in rest if p == word or (is_long and p.startswith(word))), None)
        if found is None:
            return False
        rest.remove(found)
    return True


def with_word(text: str, unknown: str, known: str) -> str:
    """Text of a query with a known word in place of an unknown one, under the same sign.

    For the click on a suggestion. The known word is added at the end if the text does not contain
    the unknown one as it is displayed.
    """
    parts = r"[\s_]+".join(map(regex.escape, _shown(unknown).split()))
    signs = "|".join(map(regex.escape, filter(None, SIGNS.values())))
    place = regex.compile(
        rf'(?<!\w)(?:((?<!\S)(?:{signs}))"?{parts}"?|{parts})(?!\w)', regex.IGNORECASE
    )

    def written(match: regex.Match[str]) -> str:
        sign = match[1] or ""
        return f'{sign}"{known}"' if sign and " " in known else sign + known

    changed, count = place.subn(written, text)
    return changed if count else f"{text} {known}".strip()


def _near_by_letters(index: _Index, word: str) -> list[tuple[float, Suggestion]]:
    """Similarity of each word that shares enough letters with a word, the most similar first."""
    if len(word) < MIN_LETTERS:
        return []
    found: list[tuple[float, Suggestion]] = []
    may_be_typo = index.share_letters(word)
    for token in index.may_be_near(word, may_be_typo):
        similarity, why = _compare(word, index.plain[token], bool(may_be_typo[token]))
        if why:
            found.append((similarity, Suggestion(index.shown[token], token, why)))
    # A misspelt part is less certain, so it is only offered if nothing else is near.
    if not found:
        for token in index.may_have_part(word):
            similarity, why = _compare_parts(word, index.plain[token])
            if why:
                found.append((similarity, Suggestion(index.shown[token], token, why)))
    found.sort(key=lambda pair: (-pair[0], len(pair[1].word), pair[1].token))
    return found


def _compare(word: str, known: str, may_be_typo: bool) -> tuple[float, Why | None]:
    """Similarity of two words, and why they are near."""
    if word == known:
        return 1.0, "spelling"
    n_word, n_known = len(word), len(known)
    begin = _shared_beginning(word, known)
    best: tuple[float, Why | None] = (0.0, None)
    if " " in known and word in known.split(" "):
        best = (PHRASE_SIMILARITY + BEGINNING_BONUS * n_word / n_known, "part")
    elif " " in word and known in word.split(" "):
        best = (PHRASE_SIMILARITY * n_known / n_word, "part")
    elif begin >= MIN_LETTERS and _are_forms(begin, n_word, n_known):
        bonus = BEGINNING_BONUS if begin == n_word else 0.0
        best = (2.0 * begin / (n_word + n_known) + bonus, "form")
    elif (n_word > MIN_INNER or f" {word}" in known) and n_word > MIN_LETTERS and word in known:
        best = (2.0 * n_word / (n_word + n_known), "part")
    if may_be_typo:
        longest = max(n_word, n_known)
        similarity = 1.0 - edits(word, known) / longest
        if similarity >= MIN_SIMILARITY and similarity > best[0]:
            best = (similarity, "spelling")
    return best


def _compare_parts(word: str, known: str) -> tuple[float, Why | None]:
    """Similarity of a misspelt word with the stem of a known one, or with a word of a phrase."""
    parts = known.split(" ")
    why: Why = "spelling"
    most = STEM_SIMILARITY
    if len(parts) > 1:
        most, why = PART_SIMILARITY, "part"
    stems = {part: None for part in parts} | {_stem(part): None for part in parts}
    best = 0.0
    for stem in stems:
        longest, allowed = max(len(word), len(stem)), 1 + (len(stem) >= LONG_PART)
        if (
            min(len(word), len(stem)) >= MIN_PART
            and stem[0] == word[0]
            and abs(len(stem) - len(word)) <= allowed
        ):
            n_edits = edits(word, stem)
            if n_edits <= allowed:
                best = max(best, most * (1.0 - n_edits / longest))
    return (best, why) if best else (0.0, None)


def _stem(word: str) -> str:
    """Word without its ending, if enough letters remain."""
    for ending in STEM_ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= MIN_PART:
            return word[: -len(ending)]
    return word


def _shared_beginning(one: str, other: str) -> int:
    pairs = enumerate(zip(one, other, strict=False))
    return next((place for place, (a, b) in pairs if a != b), min(len(one), len(other)))


def _are_forms(begin: int, n_word: int, n_known: int) -> bool:
    """Whether two words with a shared beginning may be forms of one word."""
    shorter, longer = sorted((n_word, n_known))
    if begin == shorter:
        return begin >= MIN_BEGINNING_SHARE * longer
    is_stem = begin >= MIN_STEM and begin >= MIN_STEM_SHARE * longer
    return is_stem and longer - begin <= MAX_ENDING


def edits(word: str, known: str) -> int:
    """Fewest letters to insert, remove, replace or swap with the next, each letter changed once.

    The optimal string alignment distance.
    """
    before: list[int] = []
    last = list(range(len(known) + 1))
    for row, letter in enumerate(word, start=1):
        current = [row]
        for column, other in enumerate(known, start=1):
            cost = min(last[column] + 1, current[-1] + 1, last[column - 1] + (letter != other))
            is_swap = row > 1 and column > 1 and letter == known[column - 2]
            if is_swap and other == word[row - 2]:
                cost = min(cost, before[column - 2] + 1)
            current.append(cost)
        before, last = last, current
    return last[-1]


def plain_word(word: str) -> str:
    """Word in lower case without accents, as it is compared."""
    letters = _shown(word).lower()
    if not letters.isascii():
        letters = _ACCENT.sub("", unicodedata.normalize("NFD", letters))
    return " ".join(letters.split())


def _shown(word: str) -> str:
    return word.replace("_", " ")


_NO_TOKENS = np.empty(0, np.int64)
# Letters are counted by their code modulo this number; more than that share a count.
N_COUNTS = 64
# Between the words of a vocabulary in one string, which contain no such character.
_BETWEEN = "\n"


class _Index:
    """Spellings of a vocabulary, and where each can be found.

    All words are compared with a typed one by `_compare` and `_compare_parts`; the index leaves
    out words for which these cannot give a reason. Each part is made when it is first needed,
    because all parts together take seconds for the largest vocabularies.
    """

    def __init__(self, vocabulary: tuple[str, ...]) -> None:
        self.shown = list(map(_shown, vocabulary))
        self.plain = list(map(plain_word, vocabulary))
        self._lengths = np.array(list(map(len, self.plain)), np.int64)
        self._joined = _BETWEEN.join(self.plain)
        self._ends = np.cumsum(self._lengths + 1)

    @cached_property
    def of_n_words(self) -> dict[int, Int64Array]:
        """Tokens by their number of words."""
        n_words = np.array([text.count(" ") + 1 for text in self.plain], np.int64)
        return {size: np.flatnonzero(n_words == size) for size in np.unique(n_words).tolist()}

    @cached_property
    def _counts(self) -> npt.NDArray[np.uint8]:
        return _letter_counts(self.plain)

    @cached_property
    def _same(self) -> dict[str, list[int]]:
        return positions_by(self.plain)

    @cached_property
    def _by_beginning(self) -> dict[str, list[int]]:
        return positions_by([text[:MIN_LETTERS] for text in self.plain])

    @cached_property
    def _by_part(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for token, text in enumerate(self.plain):
            for part in text.split(" ") if " " in text else ():
                found.setdefault(part, []).append(token)
        return found

    @cached_property
    def _stems(self) -> dict[tuple[str, int], dict[str, list[int]]]:
        """Tokens by the stems of their words, by the first letter and length of the stem."""
        found: dict[tuple[str, int], dict[str, list[int]]] = {}
        for token, text in enumerate(self.plain):
            parts = text.split(" ")
            for stem in {*parts, *map(_stem, parts)}:
                kind = found.setdefault((stem[:1], len(stem)), {})
                kind.setdefault(stem, []).append(token)
        return found

    def share_letters(self, word: str, tokens: Int64Array | None = None) -> BoolArray:
        """Whether each word has enough letters in common with a word to be a typing error of it.

        Each edit adds at most one letter, and removes at most one.

        Parameters
        ----------
        word : str
        tokens : int64 array, optional
            Words to compare; by default all.
        """
        chosen = slice(None) if tokens is None else tokens
        lengths = self._lengths[chosen]
        allowed = (1.0 - MIN_SIMILARITY) * np.maximum(lengths, len(word)) + ROUNDING
        is_near: BoolArray = abs(lengths - len(word)) <= allowed
        near = np.flatnonzero(is_near)
        more = self._counts[chosen][near].astype(np.int16) - _letter_counts([word])[0]
        n_added = np.maximum(more, 0).sum(axis=1)
        n_missing = n_added - more.sum(axis=1)
        is_near[near] = np.maximum(n_added, n_missing) <= allowed[near]
        return is_near

    def may_be_near(self, word: str, may_be_typo: BoolArray) -> list[int]:
        """Words for which `_compare` may give a reason, in the order of the vocabulary."""
        found = {*np.flatnonzero(may_be_typo).tolist()}
        found.update(self._same.get(word, ()))
        found.update(self._by_beginning.get(word[:MIN_LETTERS], ()))
        found.update(self._by_part.get(word, ()))
        for part in word.split(" "):
            found.update(self._same.get(part, ()))
        if len(word) > MIN_LETTERS:
            found.update(self.containing(word if len(word) > MIN_INNER else f" {word}"))
        return sorted(found)

    def containing(self, text: str) -> list[int]:
        """Words that contain a text, ascending."""
        places = [match.start() for match in re.finditer(re.escape(text), self._joined)]
        return np.unique(np.searchsorted(self._ends, places, side="right")).tolist()  # type: ignore

    def may_have_part(self, word: str) -> list[int]:
        """Words for which `_compare_parts` may give a reason, in the order of the vocabulary."""
        found: set[int] = set()
        for length in range(max(len(word) - 2, MIN_PART), len(word) + 3):
            allowed = 1 + (length >= LONG_PART)
            for stem, tokens in self._stems.get((word[:1], length), {}).items():
                if abs(length - len(word)) <= allowed and edits(word, stem) <= allowed:
                    found.update(tokens)
        return sorted(found)


@lru_cache(maxsize=MAX_VOCABULARIES)
def _index(vocabulary: tuple[str, ...]) -> _Index:
    return _Index(vocabulary)


def positions_by(texts: Sequence[str]) -> dict[str, list[int]]:
    """Ascending positions of each text."""
    found: dict[str, list[int]] = {}
    for position, text in enumerate(texts):
        found.setdefault(text, []).append(position)
    return found


def _letter_counts(texts: Sequence[str]) -> npt.NDArray[np.uint8]:
    """Number of each letter in each text, shape (len(texts), N_COUNTS); at most 255."""
    codes = np.array([ord(letter) % N_COUNTS for text in texts for letter in text], np.int64)
    row = np.repeat(np.arange(len(texts)), list(map(len, texts)))
    counts = np.bincount(row * N_COUNTS + codes, minlength=len(texts) * N_COUNTS)
    return np.minimum(counts, 255).reshape(len(texts), N_COUNTS).astype(np.uint8)
