"""Vocabulary of a corpus: texts as word indices, phrases, and the words that the recipe keeps.

A phrase is a pair of neighbouring words with high normalized pointwise mutual information.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy import sparse

from ..utils.errors import InputError
from ..utils.types import BoolArray, Int32Array, Int64Array
from .passages import LONG_WORDS
from .recipe import Recipe, normalised, phrase_pairs, split_words, stop_set, word_spans
from .word_patterns import TOKEN_PATTERN

CHARACTERS_BETWEEN_REPORTS = 500_000
# Documents that are enough to measure a share.
SAMPLE_DOCUMENTS = 400
# Fewer documents are imported, with a warning.
FEW_DOCUMENTS = 50
# Texts, and words, that are counted at once: few, because counting copies them several times.
TEXTS_AT_ONCE, WORDS_AT_ONCE = 10_000, 1_000_000


@dataclass(frozen=True, eq=False)
class EncodedTexts:
    """Words of many texts, in order."""

    # Shape (n_texts + 1,): ``word_idx[word_ptr[d]:word_ptr[d + 1]]`` are the words of text ``d`` in
    # their order.
    word_ptr: Int64Array
    word_idx: Int32Array
    words: tuple[str, ...]  # word of each index

    def counts(self, words: Int64Array) -> sparse.csr_array:
        """Count some words in each text: texts by these words, with ascending columns in a row."""
        blocks = [block[:, words] for block in self._blocks()]
        counts: sparse.csr_array = sparse.vstack(blocks, "csr")
        counts.sort_indices()
        return counts

    def document_frequency(self) -> Int64Array:
        """Count the texts with each word: shape (n_words,)."""
        n_words = len(self.words)
        return sum(
            (np.bincount(block.indices, minlength=n_words) for block in self._blocks()),
            start=np.zeros(n_words, np.int64),
        )

    def occurrences(self) -> Int64Array:
        """Count each word in all texts: shape (n_words,)."""
        n_words = len(self.words)
        counts = (np.bincount(part, minlength=n_words) for part in self.parts())
        return sum(counts, start=np.zeros(n_words, np.int64))

    def parts(self) -> Iterator[Int32Array]:
        """``word_idx`` in parts: NumPy copies indices as int64, which takes much memory for all."""
        for begin in range(0, len(self.word_idx), WORDS_AT_ONCE):
            yield self.word_idx[begin : begin + WORDS_AT_ONCE]

    def _blocks(self) -> Iterator[sparse.csr_array]:
        """Counts of all words, for blocks of texts: for all at once, they take much memory."""
        for begin in range(0, max(len(self.word_ptr) - 1, 1), TEXTS_AT_ONCE):
            pointer = self.word_ptr[begin : begin + TEXTS_AT_ONCE + 1]
            # A copy, because the summation works in place.
            words = self.word_idx[pointer[0] : pointer[-1]].copy()
            shape = (len(pointer) - 1, len(self.words))
            ones = np.ones(len(words), np.int32)
            block = sparse.csr_array((ones, words, pointer - pointer[0]), shape=shape)
            block.sum_duplicates()
            yield block


class _Numbering(dict[str, int]):
    """Assigns the next index to each new word."""

    def __missing__(self, word: str) -> int:
        number = self[word] = len(self)
        return number


def encode_texts(
    texts: Iterable[str], recipe: Recipe, progress: Callable[[int], None] = lambda done: None
) -> EncodedTexts:
    """Split texts into words, including stop words, and number the words by first occurrence.

    ``progress`` is called from time to time with the number of texts that are done.
    """
    number = _Numbering()
    positions, lengths = array("i"), array("q", [0])
    characters = 0
    for done, text in enumerate(texts):
        characters += len(text)
        if characters >= CHARACTERS_BETWEEN_REPORTS:
            characters = 0
            progress(done)
        positions.extend(map(number.__getitem__, split_words(recipe, text)))
        lengths.append(len(positions))
    return EncodedTexts(
        # Without a copy.
        np.asarray(lengths, dtype=np.int64),
        np.asarray(positions, dtype=np.int32),
        tuple(number),
    )


def letters_in_words(texts: Sequence[str], recipe: Recipe) -> float:
    """Share of the letters of texts that are part of a word, from 0 to 1; 1 if there is no letter.

    At most ``SAMPLE_DOCUMENTS`` texts are examined, evenly spaced.
    """
    in_words = n_letters = 0
    for text in texts[:: max(len(texts) // SAMPLE_DOCUMENTS, 1)]:
        read = normalised(recipe, text)
        n_letters += _n_letters(read)
        in_words += sum(_n_letters(read[begin:end]) for begin, end in word_spans(recipe, read))
    return in_words / n_letters if n_letters else 1.0


def _n_letters(text: str) -> int:
    return sum(map(str.isalpha, text))


def is_among(words: tuple[str, ...], stop_words: Collection[str]) -> BoolArray:
    """Whether each word, in lower case, is one of the stop words."""
    listed = frozenset(stop_words)
    return np.array([word.lower() in listed for word in words], bool)


# Examples that are enough to recognise a rule.
EXAMPLES = 20

STOP_WORD, BEYOND_LIMIT = "stop word", "beyond the vocabulary limit"
RULES = (STOP_WORD, "too rare", "too common", BEYOND_LIMIT)


@dataclass(frozen=True)
class DroppedTerms:
    """Words that one rule left out."""

    count: int  # number of distinct words
    examples: tuple[tuple[str, int], ...]  # those in most documents, and the numbers of documents
    occurrences: int = 0  # occurrences in the texts, including repetitions


@dataclass(frozen=True, eq=False)
class TermSelection:
    """Vocabulary and the words that were left out."""

    # Shape (n_tokens,): indices of the vocabulary words, by descending document frequency, then
    # alphabetically.
    kept: Int64Array
    dropped: dict[str, DroppedTerms]  # one entry for each of ``RULES``


def select_terms(
    words: tuple[str, ...],
    document_frequency: Int64Array,
    n_documents: int,
    recipe: Recipe,
    occurrences: Int64Array,
) -> TermSelection:
    """Choose the vocabulary by the rules of a recipe.

    ``occurrences`` of each word in all documents are only reported for the words left out.
    """
    fewest, most = document_limits(recipe, n_documents)
    names = np.array(words, dtype=object)
    alphabetical = np.array(sorted(range(len(words)), key=words.__getitem__), dtype=np.int64)
    order = alphabetical[np.argsort(-document_frequency[alphabetical], kind="stable")]
    # Words that occur only inside phrases are in no document, so they are not terms.
    order = order[document_frequency[order] > 0]
    is_stop_word = is_among(words, stop_set(recipe))
    rule = np.select(
        [is_stop_word, document_frequency < fewest, document_frequency > most],
        [0, 1, 2],
        default=-1,
    )
    kept = order[rule[order] < 0]
    rule[kept[recipe.max_vocabulary :]] = 3
    by_rule = {}
    for number, name in enumerate(RULES):
        terms = order[rule[order] == number]
        shown = terms[:EXAMPLES]
        pairs = zip(names[shown].tolist(), document_frequency[shown].tolist(), strict=True)
        by_rule[name] = DroppedTerms(len(terms), tuple(pairs), int(occurrences[terms].sum()))
    return TermSelection(kept[: recipe.max_vocabulary], by_rule)


def document_limits(recipe: Recipe, n_documents: int) -> tuple[int, int]:
    """Smallest and largest number of documents that may contain a word of the vocabulary."""
    fewest, most = recipe.min_df, recipe.max_df
    # A share of 0.07 of 100 documents must give 7 in spite of rounding errors.
    if isinstance(fewest, float):
        fewest = math.ceil(round(fewest * n_documents, 6))
    if isinstance(most, float):
        most = math.floor(round(most * n_documents, 6))
    return max(fewest, 1), most


# Normalized pointwise mutual information: 0 for independent words, 1 for words that occur only as a
# pair.
PHRASE_NPMI = 0.55
# Occurrences of a pair; rarer pairs can have a high NPMI by coincidence.
PHRASE_COUNT = 10


def learn_phrases(
    texts: EncodedTexts, stop_words: Collection[str], min_documents: int
) -> tuple[str, ...]:
    """Find the pairs of neighbouring words with a high NPMI (Bouma 2009).

    No phrase contains a stop word or extends across one, and at least ``min_documents`` documents
    contain it. The result has phrases as ``first_second``, in alphabetical order.
    """
    n_words = len(texts.words)
    is_stop_word = is_among(texts.words, stop_words)
    pairs, count = np.unique(_neighbours(texts, is_stop_word)[0], return_counts=True)
    # Most pairs are rare.
    is_frequent = count >= PHRASE_COUNT
    pairs, count = pairs[is_frequent], count[is_frequent]
    word_count = texts.occurrences() * ~is_stop_word
    first, second = word_count[pairs // n_words], word_count[pairs % n_words]
    total = int(word_count.sum())
    # log(p(a,b) / (p(a) p(b))) / -log p(a,b), from counts.
    with np.errstate(divide="ignore", invalid="ignore"):
        pmi = np.log(count * float(total) / (first.astype(float) * second))
        score = np.nan_to_num(pmi / -np.log(count / max(total, 1)), nan=0.0)
    pairs = pairs[score >= PHRASE_NPMI]
    place, position = _occurrences(texts, pairs)
    document = np.searchsorted(texts.word_ptr, position, side="right") - 1
    in_document = np.unique(place * len(texts.word_ptr) + document)
    n_documents = np.bincount(in_document // len(texts.word_ptr), minlength=len(pairs))
    return tuple(
        sorted(
            f"{texts.words[pair // n_words]}_{texts.words[pair % n_words]}"
            for pair in pairs[n_documents >= min_documents].tolist()
        )
    )


def join_phrases(texts: EncodedTexts, phrases: tuple[str, ...]) -> EncodedTexts:
    """Join phrases greedily from the left; equivalent to ``tokenize`` on each text."""
    n_words = len(texts.words)
    number = {word: index for index, word in enumerate(texts.words)}
    pairs = [pair for pair in sorted(phrase_pairs(phrases)) if number.keys() >= set(pair)]
    if not pairs:
        return texts
    phrase_key = np.array([number[a] * n_words + number[b] for a, b in pairs], np.int64)
    order = np.argsort(phrase_key)
    place, position = _occurrences(texts, phrase_key[order])
    # In each run of overlapping pairs, the first, third, fifth, … pair is joined.
    starts = np.diff(position, prepend=-2) > 1
    run_start = np.maximum.accumulate(np.where(starts, position, 0))
    is_taken = (position - run_start) % 2 == 0
    first = position[is_taken]
    word_idx = np.delete(texts.word_idx, first + 1)
    word_idx[first - np.arange(len(first))] = n_words + order[place[is_taken]]
    return replace(
        texts,
        word_ptr=texts.word_ptr - np.searchsorted(first + 1, texts.word_ptr),
        word_idx=word_idx,
        words=(*texts.words, *("_".join(pair) for pair in pairs)),
    )


def _neighbours(texts: EncodedTexts, is_excluded: BoolArray) -> tuple[Int64Array, BoolArray]:
    """Key (first word * n_words + second) of each pair within one text, and which words begin one.

    Shapes (n_pairs,) and (n_occurrences - 1,).
    """
    idx = texts.word_idx
    if len(idx) < 2:
        return np.empty(0, np.int64), np.empty(0, bool)
    is_last = np.zeros(len(idx), bool)
    is_last[texts.word_ptr[1:][np.diff(texts.word_ptr) > 0] - 1] = True
    has_underscore = np.array(["_" in word for word in texts.words], bool)
    is_excluded = is_excluded | has_underscore
    is_out = np.concatenate([is_excluded[part] for part in texts.parts()])
    is_pair = ~is_last[:-1] & ~is_out[:-1] & ~is_out[1:]
    key = np.multiply(idx[:-1][is_pair], len(texts.words), dtype=np.int64)
    key += idx[1:][is_pair]
    return key, is_pair


def _occurrences(texts: EncodedTexts, pairs: Int64Array) -> tuple[Int64Array, Int64Array]:
    """Where pairs of words occur: index of the pair, and position, in the order of the texts.

    ``pairs`` are keys of `_neighbours`, ascending.
    """
    n_words = len(texts.words)
    in_pairs = np.zeros(n_words, bool)
    in_pairs[pairs // n_words] = in_pairs[pairs % n_words] = True
    # Few words are in one of the pairs, so these neighbours are few.
    key, is_pair = _neighbours(texts, ~in_pairs)
    place = np.searchsorted(pairs, key)
    is_found = place < len(pairs)
    is_found[is_found] = pairs[place[is_found]] == key[is_found]
    return place[is_found], np.flatnonzero(is_pair)[is_found]


def choose_terms(
    texts: EncodedTexts, recipe: Recipe
) -> tuple[EncodedTexts, tuple[str, ...], TermSelection]:
    """Join phrases and choose the vocabulary, so that each joined phrase is in the vocabulary.

    Raises InputError if no word is left; the message names the rules that left the words out.

    Parameters
    ----------
    recipe : Recipe
        Its phrases are applied; if it requests phrases without a list, they are learned.

    Returns
    -------
    texts : EncodedTexts
        Texts with joined phrases.
    phrases : tuple of str
        The joined phrases.
    terms : TermSelection
        Vocabulary, as indices of the words of the returned texts.
    """
    n_documents = len(texts.word_ptr) - 1
    phrases: tuple[str, ...] = ()
    if recipe.phrases:
        fewest, _ = document_limits(recipe, n_documents)
        phrases = recipe.phrase_list or learn_phrases(texts, stop_set(recipe), fewest)
    while True:
        joined = join_phrases(texts, phrases)
        frequency = joined.document_frequency()
        terms = select_terms(joined.words, frequency, n_documents, recipe, joined.occurrences())
        vocabulary = {joined.words[word] for word in terms.kept.tolist()}
        in_vocabulary = tuple(phrase for phrase in phrases if phrase in vocabulary)
        # A phrase outside the vocabulary would remove its two words, so it is not joined.
        if in_vocabulary == phrases:
            break
        phrases = in_vocabulary
    if len(terms.kept):
        return joined, phrases, terms
    raise InputError(_without_words(texts, recipe, terms))


def are_few_and_long(n_documents: int, n_words: int) -> bool:
    """Whether documents are too few for topics, and so long that their passages may suffice."""
    return n_documents < FEW_DOCUMENTS and n_words > LONG_WORDS * n_documents


def _without_words(texts: EncodedTexts, recipe: Recipe, terms: TermSelection) -> str:
    """Message on texts without any word that the recipe keeps; it names the rules."""
    n_documents = len(texts.word_ptr) - 1
    counts = {rule: dropped.count for rule, dropped in terms.dropped.items()}
    if not sum(counts.values()):
        if recipe.token_pattern == TOKEN_PATTERN:
            return "the texts hold no words, for example only numbers; check the text column"
        return "the documents hold no word that the token pattern matches; check the text column"
    reasons = ", ".join(f"{rule}: {count:,}" for rule, count in counts.items() if count)
    passages = ""
    if are_few_and_long(n_documents, len(texts.word_idx)):
        long = f"the {n_documents:,} long documents" if n_documents > 1 else "the long document"
        passages = f"divide {long} into passages, such as paragraphs; otherwise "
    return (
        f"the recipe leaves no word ({reasons}); {passages}keep words in fewer documents (a lower "
        "number at “In at least”, min-df), keep words in more of them (a higher one at “In at "
        "most”, max-df), or take fewer stop words"
    )
