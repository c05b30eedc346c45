"""Reading of a query to a ready-made vocabulary: signed terms, and denials such as "no fever".

The words of a matrix or an adopted graph are things that are present or absent, so "no fever" makes
fever absent. The query is read once from left to right, as a list of `Item`. A denial makes all
terms after it absent, up to the next comma, bracket, colon or dash, to a word of `CLAUSE_ENDS` or
`DENIAL_ENDS`, such as "but", "has" or "with", or to the end of the sentence or line. Two denials
hold beyond commas: a verb such as "denies", and one before a list with "or", as in "no fever, cough
or rash". What is before the denial makes no difference. A sign before a term always holds; a denial
is a guess, which the answer mentions. The offline explorer has the same rules in ``clauses.js``,
and the cases of both are in ``tests/query_cases.json``. A model of texts reads a query by
`orrery.core.data.query.parse_query`: there, "no" is a word of a text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


# Words that deny the terms after them. "cannot" denies what a person can do, and is no symptom.
NEGATIONS = frozenset(
    {"cannot", "cant", "hardly", "neither", "never", "no", "nobody", "none", "nor", "not"}
    | {"nothing", "without", "dont", "doesnt", "didnt", "isnt", "wasnt", "wont"}
)
# Further words that deny, as in "denies nausea", and `NEGATIONS` that do not deny.
DENYING = frozenset({"denied", "denies", "deny", "denying"})
NOT_DENYING = frozenset({"can't", "cannot", "cant", "couldn't", "hardly", "nobody"})
# After these, "not" denies nothing: "not only fever".
CANCELLING = frozenset({"doubt", "just", "merely", "only"})
# These continue a list.
LIST_JOINTS = frozenset({"nor", "or"})
# These end what a denial is about.
CLAUSE_ENDS = frozenset({"although", "but", "except", "however", "though", "yet"})
# After a denied term, these begin something else: "no fever and she has a cough".
DENIAL_ENDS = _set(
    "am are complains complaining did do does experiences feels had has have having he her his "
    "i is it my now patient presents reports she shows their there they was we were who with you "
    "your"
)
# With "of" after them, they are about the term that follows: "no signs of fever".
HEADS = frozenset({"complaint", "complaints", "evidence", "history", "sign", "signs", "symptoms"})
# These change nothing in a denied term: "no recent fever".
NEUTRAL = frozenset({"apparent", "associated", "current", "known", "obvious", "recent"})
# Words within a term, as in "shortness of breath".
INNER = _set("a an during from in of on the to when")
# Words about the person or the time, which are no terms of a model that has no such term.
ORDINARY = _set(
    "age ago aged boy day days evening female girl hour hours lady last male man minute minutes "
    "month months morning night nights old patient patients pt today tonight week weeks woman year "
    "years yesterday"
)
# After these, an "or" is about a place or an occasion, "in the left or right arm", unless a known
# term follows it. After the others, as after a number, it joins no list: "for two or three days".
PLACES = _set("at during from in on when")
DURATIONS = frozenset({"for", "since"})
# Words of a list in which "or" is searched.
MAX_LIST = 60
# All of these by name, for the offline explorer.
WORDS = {
    "negations": NEGATIONS, "denying": DENYING, "not_denying": NOT_DENYING,
    "cancelling": CANCELLING, "list_joints": LIST_JOINTS, "clause_ends": CLAUSE_ENDS,
    "denial_ends": DENIAL_ENDS, "heads": HEADS, "neutral": NEUTRAL, "inner": INNER,
    "ordinary": ORDINARY, "places": PLACES, "durations": DURATIONS,
}  # fmt: skip
# Before a term, this sign overrides a denial; `orrery.core.data.query` has the others.
PRESENT_SIGN = "+"
_PUNCTUATION = ".,;:!?\"'()[]{}"
# Separators of two pieces: the end of a sentence, of what is denied, a dash or colon, a comma.
_SENTENCE, _DENIAL, _BREAK, _COMMA = "sentence", "denial", "break", "comma"
_ENDS = re.compile(r"[.!?;][\"')\]}]*$")
_LETTER = re.compile(r"[^\W_]")
# A comma or semicolon between two letters, as in "headache,fever", and words that end there too.
DIVIDER = re.compile(r"""(?<=[^\W\d_])[,;](?=[-?+]?"?[^\W\d_])""")
_LISTED = r"""(?:(?<![^\W\d_])(?<!")[,;]|[,;](?![-?+]?"?[^\W\d_])|[^\s,;])+[,;]*"""


class Found(NamedTuple):
    """The longest term at the beginning of some words."""

    n_words: int
    token: int
    is_exact: bool  # whether the punctuation around the words belongs to the term


# Finds the longest term at the beginning of a list of words.
Lookup = Callable[[list[str]], Found | None]


class Item(NamedTuple):
    """A term of a query, ``text[begin:end]`` with its sign."""

    begin: int
    end: int
    text: str  # as typed, without sign and quotation marks
    token: int  # -1 if the vocabulary does not have it
    state: str
    is_signed: bool = False
    denial: str = ""  # the word that denies it, as typed
    inner: tuple[int, ...] = ()  # tokens within an unknown term, which are not read
    is_after_denial: bool = False  # whether a comma is between a denial and the term


class _Piece(NamedTuple):
    begin: int
    end: int
    raw: str  # without a sign
    state: str  # by its sign, or ""
    is_quoted: bool
    after: str  # what follows: _SENTENCE, _DENIAL, _BREAK, _COMMA, or nothing

    @property
    def bare(self) -> str:
        return self.raw.strip(_PUNCTUATION) if _LETTER.search(self.raw) else ""

    @property
    def word(self) -> str:
        return self.bare.lower().replace("’", "'")


def is_negation(word: str) -> bool:
    """Whether a word may deny the next one."""
    plain = word.lower().replace("’", "'")
    return plain in NEGATIONS or plain in DENYING or plain.endswith("n't")


def denies(word: str) -> bool:
    """Whether a word makes the terms after it absent."""
    return is_negation(word) and word.lower().replace("’", "'") not in NOT_DENYING


def read_clauses(
    text: str,
    longest: int,
    lookup: Lookup,
    common: frozenset[str],
    sign_of: Mapping[str, str],
    *,
    is_divided: bool = True,
) -> tuple[tuple[Item, ...], tuple[str, ...]]:
    """Read a query to a ready-made vocabulary.

    Parameters
    ----------
    text : str
        Typed query.
    longest : int
        Number of words of the longest term.
    lookup : callable
        Longest term at the beginning of a list of words, or None.
    common : frozenset of str
        Words that are left out if the vocabulary does not have them.
    sign_of : mapping of str to str
        State of each sign.
    is_divided : bool
        Whether a comma between two letters divides words; not if terms contain one.

    Returns
    -------
    items : tuple of Item
        Terms in typed order; a word such as "no" is one of them only if nothing after it is denied.
    left_out : tuple of str
        Ordinary words that are no terms.
    """
    reader = _Reader(_split(text, sign_of, is_divided), longest, lookup, common)
    while reader.place < len(reader.pieces):
        reader.step()
    reader.cancel()
    items = tuple(sorted(reader.items, key=lambda item: item.begin))
    return items, tuple(dict.fromkeys(reader.left_out))


def _split(text: str, sign_of: Mapping[str, str], is_divided: bool) -> list[_Piece]:
    signs, word = re.escape("".join(sign_of)), _LISTED if is_divided else r"\S+"
    found = list(re.finditer(rf'(?<![^\s,;])[{signs}]"[^"]+"(?![^\s.,;:!?)\]}}])|{word}', text))
    pieces = []
    for number, match in enumerate(found):
        sign = match[0][0] if len(match[0]) > 1 and match[0][0] in sign_of else ""
        raw = match[0][len(sign) :]
        is_quoted = bool(sign) and len(raw) > 2 and raw[0] == raw[-1] == '"'
        following = found[number + 1].start() if number + 1 < len(found) else len(text)
        after = "" if is_quoted else _after(raw)
        if "\n" in text[match.end() : following]:
            after = _SENTENCE
        raw = raw[1:-1] if is_quoted else raw
        state = sign_of.get(sign, "")
        pieces.append(_Piece(*match.span(), raw, state, is_quoted, after))
    return pieces


def _after(raw: str) -> str:
    if _ENDS.search(raw):
        return _SENTENCE
    if raw.endswith((")", "]", "}", "),")):
        return _DENIAL
    if raw.endswith(":") or raw in {"-", "–", "—"}:
        return _BREAK
    return _COMMA if raw.endswith((",", ',"')) or raw == "/" else ""


class _Reader:
    """State of the reading: the place, the denial that holds, and what was found."""

    def __init__(
        self, pieces: list[_Piece], longest: int, lookup: Lookup, common: frozenset[str]
    ) -> None:
        self.pieces = pieces
        self.longest, self.lookup, self.common = longest, lookup, common
        self.place = 0
        self.items: list[Item] = []
        self.left_out: list[str] = []
        self.denial: _Piece | None = None
        # Whether a term was denied, and whether one was since the denial or an "or".
        self.has_denied = self.is_begun = False
        # Whether a comma ended a denial of the sentence.
        self.is_after_denial = False

    def step(self) -> None:
        """Read the term or the word at the place."""
        piece, found = self.pieces[self.place], self._term(self.place)
        if piece.state:
            self._signed(piece, found)
        elif found:
            self._add(found.n_words, found, "absent" if self.denial else "present")
        elif piece.bare:
            self._word(piece)
        else:
            self._pass(piece)

    def cancel(self) -> None:
        """End the denial."""
        if self.denial and not self.has_denied:
            self._stranger(self.denial)
        self.denial = None
        self.has_denied = self.is_begun = self.is_after_denial = False

    def _term(self, place: int) -> Found | None:
        """Longest term at a place; its number of words is the number of pieces."""
        pieces = self.pieces[place : place + self.longest]
        if pieces[0].is_quoted:
            words = pieces[0].raw.split()
            found = self.lookup([pieces[0].raw])
            if not found and words:
                found = self.lookup(words)
                found = found if found and found.n_words == len(words) else None
            return found._replace(n_words=1) if found else None
        signed = (k for k, piece in enumerate(pieces) if k and piece.state)
        return self.lookup([piece.raw for piece in pieces[: next(signed, None)]])

    def _signed(self, piece: _Piece, found: Found | None) -> None:
        state = piece.state
        if found:
            self._add(found.n_words, found, state, is_signed=True)
        elif piece.is_quoted:
            self._add(1, None, state, self._inside(piece), is_signed=True)
        elif piece.bare:
            self._add(*self._unknown_term(state), is_signed=True)
        else:
            self._pass(piece)

    def _inside(self, piece: _Piece) -> tuple[int, ...]:
        """Tokens within a quoted term that the vocabulary does not have."""
        words, inner = piece.raw.split(), []
        while words:
            found = self.lookup(words[: self.longest])
            inner += [found.token] if found else []
            words = words[found.n_words if found else 1 :]
        return tuple(inner)

    def _unknown_term(self, state: str) -> tuple[int, None, str, tuple[int, ...]]:
        """Number of pieces of an unknown term at the place, its state, and the token at its end.

        It ends at punctuation, a sign, a denial or an ordinary word, or with a known term.
        """
        last = end = self.place
        while end < len(self.pieces):
            piece = self.pieces[end]
            if end > self.place:
                if piece.state or is_negation(piece.bare):
                    break
                found = self._term(end)
                if found:
                    return end + found.n_words - self.place, None, state, (found.token,)
                if not piece.bare or (piece.word not in INNER and self._is_ordinary(piece)):
                    break
            last = end if piece.word not in INNER else last
            end += 1
            if piece.after:
                break
        return last + 1 - self.place, None, state, ()

    def _word(self, piece: _Piece) -> None:
        """Read a word that begins no term."""
        following = self.pieces[self.place + 1].word if self.place + 1 < len(self.pieces) else ""
        if piece.word in LIST_JOINTS and self.denial:
            self.is_begun = False
        elif denies(piece.word):
            self._begin_denial(piece, following)
            return
        elif piece.word in CLAUSE_ENDS or self._ends_denial(piece.word):
            self.cancel()
        elif is_negation(piece.word):
            self._stranger(piece)
            self._pass(piece)
            return
        elif not self._is_ordinary(piece) and not self._is_neutral(piece.word, following):
            if self.denial:
                self._add(*self._unknown_term("absent"))
            else:
                self._add(1, None, "present")
            return
        self.left_out.append(piece.bare)
        self._pass(piece)

    def _ends_denial(self, word: str) -> bool:
        return word in DENIAL_ENDS and (self.is_begun or self.is_after_denial)

    def _is_neutral(self, word: str, following: str) -> bool:
        is_about_next = word in NEUTRAL or (word in HEADS and following == "of")
        return self.denial is not None and is_about_next

    def _is_ordinary(self, piece: _Piece) -> bool:
        word = piece.word
        return word in self.common or word in DENIAL_ENDS or word in ORDINARY or word.isdecimal()

    def _begin_denial(self, piece: _Piece, following: str) -> None:
        self.cancel()
        if following in CANCELLING and not piece.after:
            self.left_out.append(piece.bare)
        elif piece.after and piece.after != _BREAK:
            self._stranger(piece)
        else:
            self.denial = piece
        self._pass(piece)

    def _stranger(self, piece: _Piece) -> None:
        self.items.append(Item(piece.begin, piece.end, piece.bare, -1, "present"))

    def _pass(self, piece: _Piece) -> None:
        self.place += 1
        self._after(piece.after)

    def _after(self, after: str) -> None:
        """End the denial at punctuation, except at a comma in a list that it holds for.

        A dash or a colon right after it, as in "denies: fever", does not end it.
        """
        if after in (_SENTENCE, _DENIAL):
            self.cancel()
        elif after and self.has_denied and not (after == _COMMA and self._holds_for_list()):
            self.cancel()
            self.is_after_denial = True

    def _holds_for_list(self) -> bool:
        is_verb = self.denial is not None and self.denial.word in DENYING
        return is_verb or self._is_closed_by_or()

    def _is_closed_by_or(self) -> bool:
        """Whether "or" joins the list from the place on, as in "no fever, cough or rash"."""
        at, end = self.place, min(self.place + MAX_LIST, len(self.pieces))
        # Whether an entry of the list is right before, and whether it is a place.
        is_listed, is_place = True, False
        while at < end:
            found, word = self._term(at), self.pieces[at].word
            if not found:
                if word in LIST_JOINTS and is_listed and self._is_entry(at + 1, end, is_place):
                    return True
                ends = word in DENIAL_ENDS | CLAUSE_ENDS | DURATIONS or word.isdecimal()
                if ends or denies(word):
                    return False
            is_listed = found is not None or self._is_unknown_word(at)
            at += found.n_words if found else 1
            after = self.pieces[at - 1].after
            if after and after != _COMMA:
                return False
            is_listed |= after == _COMMA
            is_place = (is_place or word in PLACES) and after != _COMMA
        return False

    def _is_entry(self, at: int, end: int, is_place: bool) -> bool:
        """Whether a term follows an "or", after a place a known one; "any" may be between."""
        while at < end:
            if self._term(at):
                return True
            if self._is_unknown_word(at):
                return not is_place
            word = self.pieces[at].word
            if self.pieces[at].after or word in ORDINARY or word.isdecimal():
                return False
            at += 1
        return False

    def _is_unknown_word(self, at: int) -> bool:
        piece = self.pieces[at]
        is_inner = piece.word in INNER | NEUTRAL | HEADS
        return bool(piece.bare) and not is_inner and not self._is_ordinary(piece)

    def _add(
        self,
        n_pieces: int,
        found: Found | None,
        state: str,
        inner: tuple[int, ...] = (),
        *,
        is_signed: bool = False,
    ) -> None:
        pieces = self.pieces[self.place : self.place + n_pieces]
        first, last = pieces[0], pieces[-1]
        begin, end = first.begin, last.end
        raw = " ".join(piece.raw for piece in pieces)
        is_exact = first.is_quoted or (found is not None and found.is_exact)
        if not is_exact:
            # Punctuation around the term is not replaced with it.
            end -= len(raw) - len(raw.rstrip(_PUNCTUATION))
            begin += 0 if is_signed else len(raw) - len(raw.lstrip(_PUNCTUATION))
        denial = self.denial.bare if self.denial and not is_signed else ""
        text = raw if is_exact else raw.strip(_PUNCTUATION)
        token = found.token if found else -1
        is_after = self.is_after_denial and not is_signed
        self.items.append(Item(begin, end, text, token, state, is_signed, denial, inner, is_after))
        self.has_denied = self.is_begun = self.denial is not None
        self.place += n_pieces
        self._after("" if found and found.is_exact else last.after)
