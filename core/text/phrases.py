"""Phrases: pairs of words that stand side by side far more often than chance would have it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from core.text.counting import BoolArray, EncodedTexts, PointerArray, is_among
from core.text.recipe import phrase_pairs

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
    pairs, pair_number, count = np.unique(key, return_inverse=True, return_counts=True)
    word_count = np.bincount(texts.word_idx, minlength=n_words) * ~is_stop_word
    first, second = word_count[pairs // n_words], word_count[pairs % n_words]
    score = _npmi(count, first, second, int(word_count.sum()))
    is_phrase = (count >= PHRASE_COUNT) & (score >= PHRASE_NPMI)
    kept = is_phrase[pair_number]
    document = texts.text_of_word()[position[kept]]
    in_document = np.unique(pair_number[kept].astype(np.int64) * len(texts.word_ptr) + document)
    n_documents = np.bincount(in_document // len(texts.word_ptr), minlength=len(pairs))
    is_phrase &= n_documents >= min_documents
    return tuple(
        sorted(
            f"{texts.words[pair // n_words]}_{texts.words[pair % n_words]}"
            for pair in pairs[is_phrase].tolist()
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
    phrase_number = np.full(len(texts.word_idx), -1, np.int64)
    key, position = _neighbours(texts, np.zeros(n_words, bool))
    order = np.argsort(phrase_key)
    place = np.minimum(np.searchsorted(phrase_key[order], key), len(pairs) - 1)
    hit = phrase_key[order][place] == key
    phrase_number[position[hit]] = order[place[hit]]
    first = _greedy_from_the_left(phrase_number >= 0)
    word_idx = np.where(first, n_words + phrase_number, texts.word_idx).astype(np.int32)
    stays = np.ones(len(word_idx), bool)
    stays[np.flatnonzero(first) + 1] = False
    n_before = np.concatenate([[0], np.cumsum(stays)])
    words = (*texts.words, *("_".join(pair) for pair in pairs))
    return replace(texts, word_ptr=n_before[texts.word_ptr], word_idx=word_idx[stays], words=words)


def _neighbours(texts: EncodedTexts, is_excluded: BoolArray) -> tuple[PointerArray, PointerArray]:
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


def _greedy_from_the_left(can_join: BoolArray) -> BoolArray:
    """In every run of overlapping pairs take every other one, the first included."""
    position = np.arange(len(can_join))
    starts = can_join & ~np.concatenate([[False], can_join[:-1]])
    run_start = np.maximum.accumulate(np.where(starts, position, 0))
    is_taken: BoolArray = can_join & ((position - run_start) % 2 == 0)
    return is_taken


def _npmi(
    pair: PointerArray, first: PointerArray, second: PointerArray, total: int
) -> npt.NDArray[np.float64]:
    """``log(p(a,b) / (p(a) p(b))) / -log p(a,b)`` from counts."""
    p_pair = pair / max(total, 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        pmi = np.log(pair * float(total) / (first.astype(float) * second))
        return np.nan_to_num(pmi / -np.log(p_pair), nan=0.0)
