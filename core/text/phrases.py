"""Phrases: pairs of words that stand side by side far more often than chance would have it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from orrery.core.arrays import BoolArray, FloatArray, Int64Array
from orrery.core.text.counting import EncodedTexts, is_among
from orrery.core.text.recipe import phrase_pairs

# Normalised pointwise mutual information: 0 is chance, 1 is words that never part.
PHRASE_NPMI = 0.55
# Rarer pairs look inseparable by luck alone.
PHRASE_COUNT = 10


def learn_phrases(
    texts: EncodedTexts, stop_words: tuple[str, ...], min_documents: int
) -> tuple[str, ...]:
    """Find the pairs of neighbours with a high NPMI (Bouma 2009).

    Parameters
    ----------
    texts : EncodedTexts
    stop_words : tuple of str
        These words are in no phrase, and no phrase reaches over them.
    min_documents : int
        A phrase is in at least so many documents.

    Returns
    -------
    tuple of str
        Phrases as ``first_second``, in alphabetical order.
    """
    n_words = len(texts.words)
    is_stop_word = is_among(texts.words, stop_words)
    key, position = _neighbours(texts, is_stop_word)
    pairs, count = np.unique(key, return_counts=True)
    word_count = np.bincount(texts.word_idx, minlength=n_words) * ~is_stop_word
    first, second = word_count[pairs // n_words], word_count[pairs % n_words]
    score = _npmi(count, first, second, int(word_count.sum()))
    pairs = pairs[(count >= PHRASE_COUNT) & (score >= PHRASE_NPMI)]
    place, found = _look_up(key, pairs)
    document = np.searchsorted(texts.word_ptr, position[found], side="right") - 1
    in_document = np.unique(place * len(texts.word_ptr) + document)
    n_documents = np.bincount(in_document // len(texts.word_ptr), minlength=len(pairs))
    return tuple(
        sorted(
            f"{texts.words[pair // n_words]}_{texts.words[pair % n_words]}"
            for pair in pairs[n_documents >= min_documents].tolist()
        )
    )


def join_phrases(texts: EncodedTexts, phrases: tuple[str, ...]) -> EncodedTexts:
    """Join phrases greedily from the left; equals what ``tokenize`` does to each text."""
    n_words = len(texts.words)
    number = {word: index for index, word in enumerate(texts.words)}
    pairs = [pair for pair in sorted(phrase_pairs(phrases)) if number.keys() >= set(pair)]
    if not pairs:
        return texts
    phrase_key = np.array([number[a] * n_words + number[b] for a, b in pairs], np.int64)
    in_phrases = np.zeros(n_words, bool)
    in_phrases[phrase_key // n_words] = in_phrases[phrase_key % n_words] = True
    # Few words are in a phrase: all that follows is as short as their neighbourhoods are few.
    key, position = _neighbours(texts, ~in_phrases)
    order = np.argsort(phrase_key)
    place, found = _look_up(key, phrase_key[order])
    is_taken = _greedy_from_the_left(position[found])
    first = position[found][is_taken]
    word_idx = texts.word_idx.copy()
    word_idx[first] = n_words + order[place[is_taken]]
    return replace(
        texts,
        word_ptr=texts.word_ptr - np.searchsorted(first + 1, texts.word_ptr),
        word_idx=np.delete(word_idx, first + 1),
        words=(*texts.words, *("_".join(pair) for pair in pairs)),
    )


def _neighbours(texts: EncodedTexts, is_excluded: BoolArray) -> tuple[Int64Array, Int64Array]:
    """Key (first word * n_words + second) and position of every pair within one text."""
    idx = texts.word_idx
    if len(idx) < 2:
        return np.empty(0, np.int64), np.empty(0, np.int64)
    is_last = np.zeros(len(idx), bool)
    is_last[texts.word_ptr[1:][np.diff(texts.word_ptr) > 0] - 1] = True
    has_underscore = np.array(["_" in word for word in texts.words], bool)
    is_out = (is_excluded | has_underscore)[idx]
    position = np.flatnonzero(~is_last[:-1] & ~is_out[:-1] & ~is_out[1:])
    key = idx[position].astype(np.int64) * len(texts.words) + idx[position + 1]
    return key, position


def _look_up(key: Int64Array, among: Int64Array) -> tuple[Int64Array, Int64Array]:
    """Places among ascending keys, and which of the keys they are for: those that are there."""
    place = np.searchsorted(among, key)
    found = np.flatnonzero(place < len(among))
    found = found[among[place[found]] == key[found]]
    return place[found], found


def _greedy_from_the_left(position: Int64Array) -> BoolArray:
    """In every run of overlapping pairs take every other one, the first included."""
    starts = np.diff(position, prepend=-2) > 1
    run_start = np.maximum.accumulate(np.where(starts, position, 0))
    is_taken: BoolArray = (position - run_start) % 2 == 0
    return is_taken


def _npmi(pair: Int64Array, first: Int64Array, second: Int64Array, total: int) -> FloatArray:
    """``log(p(a,b) / (p(a) p(b))) / -log p(a,b)`` from counts."""
    p_pair = pair / max(total, 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        pmi = np.log(pair * float(total) / (first.astype(float) * second))
        return np.nan_to_num(pmi / -np.log(p_pair), nan=0.0)
