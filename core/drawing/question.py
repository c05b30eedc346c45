"""A typed query as words with states, as evidence for the model, and as text again."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from ..data.clauses import DENYING, INNER, PRESENT_SIGN, Item, is_negation
from ..data.query import SIGNS, Contradiction, QueryTokens, read_query, stretches_of
from ..data.recipe import Recipe, tokenize
from ..data.stop_words import english_stop_words
from ..inference.evidence import Evidence
from ..inference.thresholds import (
    MAX_LISTED_WORDS,
    MIN_SENTENCE_WORDS,
    MIN_SENTENCES,
    MIN_TEXT_WORDS,
)
from ..utils.errors import InputError
from . import explorer_strings
from .links import word_text
from .local_model import TypedWord
from .strings import listed
from .style import shortened

if TYPE_CHECKING:
    from ..model.topic_model import Run, TopicModel


_RUN = re.compile(r"\w+")
_SENTENCE_END = re.compile(r"[.!?](?=\s|$)")
_LIST_MARK = re.compile(r"[,;\n]")
# Signed words after the end of a whole text; a sign within it is punctuation.
_LAST_SIGNS = re.compile(r'(?:(?<=\s)[-?](?:"[^"]*"|[^\s"]+)\s*)+$')
_BULLET = re.compile(r"(?m)^[ \t]*[-?]")
_STATES = tuple(SIGNS)
_MARKS = tuple(filter(None, SIGNS.values()))
# The next state of a word when a click changes it.
NEXT = dict(zip(_STATES, (*_STATES[1:], _STATES[0]), strict=True))


@dataclass(frozen=True)
class Question:
    """A typed query."""

    typed: tuple[TypedWord, ...]  # in typed order
    contradictions: tuple[Contradiction, ...] = ()  # words with two states; then no answer exists
    box: str = "q"  # URL parameter of the text box
    # Whether all words that are not typed are absent, as in a document, and not unknown.
    closed_world: bool = False
    left_out: tuple[str, ...] = ()  # stop words, if the recipe has none of its own
    body: str = ""  # a whole text without the signed words after it; empty for a few words
    # Words of a whole text that the model does not know, without stop words, and how often each
    # occurs; the most frequent first.
    unknown: tuple[tuple[str, int], ...] = ()
    # Words such as "no", each with the known word that follows it in the same sentence.
    denied_words: tuple[tuple[str, str], ...] = ()
    # Terms of a query to a ready-made vocabulary, and its text.
    items: tuple[Item, ...] = ()
    text: str = ""

    @property
    def name(self) -> str:
        """The query as a heading; of a whole text, its beginning."""
        return shortened(" ".join(self.body.split())) if self.body else written(self.typed)

    @property
    def source(self) -> str:
        """Text that is read as this query again."""
        return self.text or self.name

    def words(self, state: str) -> tuple[str, ...]:
        """Words with a state."""
        return tuple(word.text for word in self.typed if word.state == state)

    @property
    def denials(self) -> tuple[TypedWord, ...]:
        """Words such as "no" that change no word, and that the model does not know."""
        return tuple(word for word in self.typed if word.token < 0 and is_negation(word.text))

    def denied(self, denial: TypedWord) -> str:
        """The known word after a denial, which is read as present; "" if there is none."""
        return dict(self.denied_words).get(denial.text, "")

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

        The text of a query to a ready-made vocabulary stays. A denial of the word alone is left
        out; else the word gets a sign, which overrides a denial. In other models, words are
        separated by commas if they would otherwise be read as one phrase. Behind a whole text, the
        absent and unknown words are added with their signs.
        """
        typed = tuple(
            replace(word, state=state) if word.key == key else word for word in self.typed
        )
        if run.recipe.matrix:
            word = self.word(key)
            if word is None or word.state == state:
                return self.text
            # Without a sign, a denied word is absent.
            forms = dict.fromkeys([word.text, *_forms(word.text, state)])
            undenied = [self._without_denial(word, form) for form in forms]
            replaced = [self.with_forms({word.token: form}) for form in forms]
            return _first_read_as(run, typed, [*filter(None, undenied), *replaced])
        if self.body:
            signed = [word for word in typed if word.state != "present"]
            within = {word.token for word in _words_of_text(run, self.body)}
            more = [word for word in typed if word.state == "present" and word.token not in within]
            return " ".join(filter(None, [self.body, written(more), written(signed)]))
        plain = written(typed)
        return plain if read_question(run, plain).typed == typed else written(typed, ", ")

    def with_forms(self, forms: Mapping[int, str]) -> str:
        """Text with another spelling of some words, by their tokens, wherever they occur."""
        parts, end = [], 0
        for item in self.items:
            if item.token in forms:
                parts += [self.text[end : item.begin], forms[item.token]]
                end = item.end
        return "".join([*parts, self.text[end:]])

    def _without_denial(self, word: TypedWord, form: str) -> str:
        """Text with another spelling of a word in place of its denial; "" if it is not denied."""
        found = [item for item in self.items if item.token == word.token]
        if len(found) != 1 or not found[0].denial:
            return ""
        (item,) = found
        begin = self.text.rfind(item.denial, 0, item.begin)
        between = self.text[begin + len(item.denial) : item.begin].lstrip()
        return self.text[:begin] + between + form + self.text[item.end :]

    def with_word(self, run: Run, word: str, state: str) -> str:
        """Text of this query with one more word, of the vocabulary, in a state."""
        typed = (*self.typed, TypedWord(word_text(word), state, run.vocabulary.index(word)))
        if run.recipe.matrix:
            joint = ", " if self.text.strip() else ""
            forms = _forms(typed[-1].text, state)
            return _first_read_as(run, typed, (f"{self.text}{joint}{form}" for form in forms))
        if self.body:
            return f"{self.body} {written(typed[-1:])}"
        plain = written(typed)
        return plain if read_question(run, plain).typed == typed else written(typed, ", ")


def _forms(text: str, state: str) -> list[str]:
    """Spellings of a word in a state, the plainest first."""
    sign = _sign_of(state)
    quoted, signed = f'{sign}"{text}"', sign + text
    if state == "present":
        return [text, signed, quoted]
    return [quoted, signed] if " " in text else [signed, quoted]


def _sign_of(state: str) -> str:
    return SIGNS[state] or PRESENT_SIGN


def _first_read_as(run: Run, typed: tuple[TypedWord, ...], texts: Iterable[str]) -> str:
    """The first text that is read as these words; else a list of them with their signs."""
    wanted = sorted(typed, key=lambda word: word.key)
    for text in texts:
        question = read_question(run, text)
        found = sorted(question.typed, key=lambda word: word.key)
        if found == wanted and not question.contradictions:
            return text
    return ", ".join(_forms(word.text, word.state)[-1] for word in typed if word.token >= 0)


def written(typed: Iterable[TypedWord], joint: str = " ") -> str:
    """Write words as a person would type them."""
    return joint.join(map(_written_word, typed))


def _written_word(word: TypedWord) -> str:
    sign = SIGNS[word.state] if word.token >= 0 else ""
    # A name such as "-itis" begins as an absent word does.
    is_quoted = word.text.startswith(_MARKS) or (sign and " " in word.text)
    return f'{sign}"{word.text}"' if is_quoted else sign + word.text


def read_question(run: Run, text: str, box: str = "q") -> Question:
    """Split a typed query into words with their states, in typed order."""
    query = read_query(run, text)
    if run.recipe.matrix:
        return _question_of_terms(run, query, text, box)
    unknown = dict.fromkeys(map(word_text, query.unknown_words))
    strangers = [TypedWord(word, "unknown") for word in unknown]
    known: dict[str, TypedWord] = {}
    for state, tokens in query.tokens.items():
        for token in tokens:
            word = TypedWord(word_text(run.vocabulary[token]), state, token)
            known.setdefault(word.text, word)
    typed = tuple(_in_typed_order([*strangers, *known.values()], text))
    denied = tuple(_denied_words(typed, text).items())
    left_out = query.left_out
    return Question(typed, query.contradictions, box, left_out=left_out, denied_words=denied)


def _question_of_terms(run: Run, query: QueryTokens, text: str, box: str) -> Question:
    state_of: dict[int, str] = {}
    for state, tokens in query.tokens.items():
        for token in tokens:
            state_of.setdefault(token, state)
    typed: dict[str, TypedWord] = {}
    for item in query.items:
        if item.token < 0:
            word = TypedWord(word_text(item.text), "unknown")
        else:
            name = word_text(run.vocabulary[item.token])
            word = TypedWord(name, state_of[item.token], item.token)
        typed.setdefault(word.key, word)
    words = tuple(typed.values())
    denied = tuple(_denied_words(words, text).items())
    return Question(
        words,
        query.contradictions,
        box,
        left_out=query.left_out,
        denied_words=denied,
        items=query.items,
        text=text,
    )


def read_typed(run: Run, text: str, box: str = "q", closed_world: bool | None = None) -> Question:
    """Read a query as a few words or as a whole text.

    A whole text is split into words exactly as a document of the corpus: signs count only behind
    its end, and words that the model does not know are left out.

    Parameters
    ----------
    run : Run
    text : str
    box : str
        URL parameter of the text box.
    closed_world : bool, optional
        Whether all words that are not typed are absent; by default in a whole text
        (`is_whole_text`).
    """
    is_text = is_whole_text(run, text)
    is_closed = is_text if closed_world is None else closed_world
    if is_text and is_closed:
        return _read_text(run, text, box)
    return replace(read_question(run, text, box), closed_world=is_closed)


def is_whole_text(run: Run, text: str) -> bool:
    """Whether a query is read as a whole text by default, not as a few words.

    It is if the model knows at least ``MIN_TEXT_WORDS`` of its words, or at least
    ``MIN_SENTENCE_WORDS`` in ``MIN_SENTENCES`` sentences, and it is no list with commas. Known
    words with signs in it, such as ``-memory``, make it a list too, unless it has the end of a
    sentence. In a model of a matrix or of an adopted graph, words are names of columns or nodes and
    form no text.
    """
    if run.recipe.matrix:
        return False
    body, _ = _split_signs(text)
    n_sentences = len(_SENTENCE_END.findall(body))
    parts = [len(part.split()) for part in _LIST_MARK.split(body)]
    if not n_sentences and len(parts) > 1 and max(parts) <= MAX_LISTED_WORDS:
        return False
    if not n_sentences and _has_signed_words(run, _without_bullets(body)):
        return False
    least = MIN_SENTENCE_WORDS if n_sentences >= MIN_SENTENCES else MIN_TEXT_WORDS
    return len(_words_of_text(run, body)) >= least


def _read_text(run: Run, text: str, box: str) -> Question:
    body, signs = _split_signs(text)
    words = {word.token: word for word in _words_of_text(run, body)}
    # A signed word was switched, and its sign is valid.
    for word in read_question(run, signs).typed:
        if word.token >= 0 and word.state != "present":
            words[word.token] = word
    unknown = _unknown_of_text(run, body)
    return Question(tuple(words.values()), box=box, closed_world=True, body=body, unknown=unknown)


def _split_signs(text: str) -> tuple[str, str]:
    found = _LAST_SIGNS.search(text)
    return (text[: found.start()].rstrip(), found[0]) if found else (text.strip(), "")


def _without_bullets(text: str) -> str:
    """Text without the signs at the beginning of lines, if several lines have one."""
    without, count = _BULLET.subn("", text)
    return without if count > 1 else text


def _has_signed_words(run: Run, text: str) -> bool:
    signed = [piece for state in SIGNS if SIGNS[state] for piece in stretches_of(text, state)]
    return any(len(run.parse(piece)[0]) for piece in signed)


def _words_of_text(run: Run, text: str) -> list[TypedWord]:
    """Words of the vocabulary in a text, as in a document, each once."""
    words = tokenize(run.recipe, text)
    tokens = list(dict.fromkeys(run.token_number[w] for w in words if w in run.token_number))
    return [TypedWord(word_text(run.vocabulary[token]), "present", token) for token in tokens]


def common_words(recipe: Recipe) -> frozenset[str]:
    """Words that are not listed as unknown words of a text.

    A recipe without stop words may have left them out because they are in most texts.
    """
    return frozenset() if recipe.stop_words else frozenset(english_stop_words())


def _unknown_of_text(run: Run, text: str) -> tuple[tuple[str, int], ...]:
    left_out = common_words(run.recipe)
    counts = Counter(
        word_text(word)
        for word in tokenize(run.recipe, text)
        if word not in run.token_number and word.lower() not in left_out
    )
    return tuple(counts.most_common())


def _in_typed_order(words: Sequence[TypedWord], text: str) -> list[TypedWord]:
    lowered = _lowered(text)
    places = _places(words, lowered)
    return sorted(words, key=lambda word: next(iter(places[word.text]), len(lowered)))


def _denied_words(typed: Sequence[TypedWord], text: str) -> dict[str, str]:
    """Denials with the known word after them in a sentence, if it is read as present."""
    denied: dict[str, str] = {}
    if not any(word.token < 0 and is_negation(word.text) for word in typed):
        return denied
    for sentence in _SENTENCE_END.split(_lowered(text)):
        places = _places(typed, sentence)
        spots = sorted((at, place) for place, word in enumerate(typed) for at in places[word.text])
        denials: list[str] = []
        for _, place in spots:
            word = typed[place]
            if word.token < 0:
                denials += [word.text] * is_negation(word.text)
                continue
            if word.state == "present":
                denied = dict.fromkeys(denials, word.text) | denied
            denials = []
    return denied


def _lowered(text: str) -> str:
    return " ".join(word_text(text.lower()).split())


def _places(words: Sequence[TypedWord], lowered: str) -> dict[str, list[int]]:
    """Where each word begins in a text, ascending, by the text of the word."""
    # The query may be as long as a book, so the text is searched only once.
    starts: dict[str, list[int]] = {}
    for found in _RUN.finditer(lowered):
        starts.setdefault(found[0], []).append(found.start())
    places: dict[str, list[int]] = {}
    for word in words:
        wanted = word.text.lower()
        first = _RUN.search(wanted)
        begins = (at - first.start() for at in starts.get(first[0], ())) if first else ()
        places[word.text] = [at for at in begins if _is_word_at(lowered, wanted, at)]
    return places


def _is_word_at(text: str, word: str, begin: int) -> bool:
    """Whether a whole word of the text begins at ``begin``."""
    end = begin + len(word)
    if begin < 0 or not text.startswith(word, begin):
        return False
    return not _RUN.search(text[max(begin - 1, 0) : begin] + text[end : end + 1])


def notes(model: TopicModel, question: Question) -> list[str]:
    """List the guesses in reading a query, and how to override each.

    Denied words are absent; a denied term that the model does not know is not read in parts; of
    another one, a known part is used; and a word such as "no" may change nothing.
    """
    said = [*_denial_notes(model, question), *_term_notes(model, question.items)]
    said += [
        model.terms.translated(explorer_strings.USED_ALONE).format(
            phrase=part.phrase, known=word_text(model.vocabulary[part.token])
        )
        for part in parts_used(question)
    ]
    if question.denials:
        said.append(_note_on_denial(model, question))
    return said


def _denial_notes(model: TopicModel, question: Question) -> list[str]:
    denied = [item for item in question.items if item.denial and item.token >= 0]
    if not denied:
        return []
    names = [word_text(model.vocabulary[item.token]) for item in denied]
    present = question.words("present")
    said = explorer_strings.DENIED if present else explorer_strings.DENIED_ALL
    # A rule for the first denial of each kind.
    denials: dict[str, str] = {}
    for item in denied:
        word = item.denial.lower()
        denials.setdefault("verb" if word in DENYING else "word", word)
    rules = [
        explorer_strings.DENIAL_HOLDS[kind].format(denial=word) for kind, word in denials.items()
    ]
    note = model.terms.translated(said).format(
        absent=listed(list(dict.fromkeys([*names, *question.words("absent")]))),
        present=listed(list(present)) if present else "",
        rule=" ".join(rules),
        example=_quoted(names[0]),
    )
    return [note]


def denial_switches(question: Question) -> list[tuple[TypedWord, str]]:
    """Words of a query whose reading depends on a denial, each with its other state.

    These are the denied words, and those after the comma at which a denial ends.
    """
    other = {"absent": "present", "present": "absent"}
    tokens = {
        item.token
        for item in question.items
        if (item.denial and item.state) or (item.is_after_denial and item.state == "present")
    }
    words = [word for word in question.typed if word.token in tokens and word.token >= 0]
    is_denied = any(word.state == "absent" for word in words)
    return [(word, other[word.state]) for word in words if is_denied and word.state in other]


def all_denied(run: Run, question: Question) -> str:
    """Text that makes the present words absent, too, after the comma at which a denial ends."""
    denied = {word.token: word for word, state in denial_switches(question) if state == "absent"}
    if not denied:
        return question.text
    typed = tuple(
        replace(word, state="absent") if word.token in denied else word for word in question.typed
    )
    plainest = {token: _forms(word.text, "absent")[0] for token, word in denied.items()}
    quoted = {token: max(_forms(word.text, "absent"), key=len) for token, word in denied.items()}
    return _first_read_as(run, typed, map(question.with_forms, (plainest, quoted)))


class PartUsed(NamedTuple):
    """A phrase of which the model knows one term, which is used."""

    phrase: str
    token: int
    strangers: tuple[str, ...]  # its unknown words


def noted_strangers(question: Question) -> set[str]:
    """Unknown words that the notes on used parts and on unknown terms are about."""
    within = {word for part in parts_used(question) for word in part.strangers}
    return within | {word_text(item.text) for item in question.items if item.inner}


def parts_used(question: Question) -> list[PartUsed]:
    """Phrases such as "pain in the jaw" of a query to a ready-made vocabulary that has "pain".

    Unknown words belong to the known term after them, or else before them, if nothing but words
    such as "in" is between. The term may be denied, as in "no pain in the jaw".
    """
    items, text = question.items, question.text
    # For each item the number of the known one that it belongs to.
    owner: list[int | None] = [None] * len(items)
    for number in reversed(range(len(items))):
        item = items[number]
        if item.token >= 0:
            owner[number] = number
        elif number + 1 < len(items) and _are_beside(text, item, items[number + 1]):
            owner[number] = owner[number + 1]
    for number in range(1, len(items)):
        is_free = owner[number] is None and items[number].token < 0
        if is_free and _are_beside(text, items[number - 1], items[number]):
            owner[number] = owner[number - 1]
    belonging: dict[int, list[int]] = {}
    for number, known in enumerate(owner):
        if known is not None:
            belonging.setdefault(known, []).append(number)
    found = []
    for known, own in belonging.items():
        strangers = tuple(dict.fromkeys(word_text(items[n].text) for n in own if n != known))
        if strangers:
            phrase = " ".join(text[items[own[0]].begin : items[own[-1]].end].split())
            found.append(PartUsed(phrase, items[known].token, strangers))
    return list(dict.fromkeys(found))


def _are_beside(text: str, first: Item, second: Item) -> bool:
    """Whether two terms are parts of a phrase, without signs, and both denied or both not."""
    plain = not any(one.is_signed or one.inner or not one.state for one in (first, second))
    plain &= first.denial == second.denial
    is_phrase = plain and not any(
        one.token < 0 and is_negation(one.text) for one in (first, second)
    )
    gap = text[first.end : second.begin]
    return is_phrase and "\n" not in gap and all(word.lower() in INNER for word in gap.split())


def _quoted(text: str) -> str:
    """A term as it is typed behind a sign."""
    return f'"{text}"' if " " in text else text


def _term_notes(model: TopicModel, items: Iterable[Item]) -> list[str]:
    sentence = model.terms.translated(explorer_strings.UNKNOWN_TERM)
    said = [
        sentence.format(
            term=word_text(item.text),
            state=item.state,
            inner=word_text(model.vocabulary[item.inner[0]]),
            example=_sign_of(item.state) + _quoted(word_text(model.vocabulary[item.inner[0]])),
        )
        for item in items
        if item.inner
    ]
    return list(dict.fromkeys(said))


def _note_on_denial(model: TopicModel, question: Question) -> str:
    """Say of a query with `Question.denials` which word after one is read as present."""
    denial = next(filter(question.denied, question.denials), question.denials[0])
    denied = question.denied(denial)
    hint = explorer_strings.NEGATION if denied else explorer_strings.NEGATION_ALONE
    example = _quoted(denied)
    return model.terms.translated(hint).format(word=denial.text, denied=denied, example=example)
