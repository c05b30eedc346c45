"""Phrases: learned from what stands side by side, joined as a query joins them."""

import tracemalloc
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from orrery.core.data import limits, vocabulary
from orrery.core.data.recipe import Recipe, tokenize
from orrery.core.data.vocabulary import (
    PHRASE_COUNT,
    EncodedTexts,
    encode_texts,
    join_phrases,
    learn_phrases,
)

PLAIN = Recipe(stop_words=(), phrases=False)
TEXTS = st.lists(st.lists(st.sampled_from(["aa", "bb", "cc", "dd"])).map(" ".join), min_size=1)
PHRASES = st.sets(st.sampled_from(["aa_bb", "bb_cc", "aa_aa", "dd_aa", "zz_aa"])).map(
    lambda phrases: tuple(sorted(phrases))
)


def words_of(texts: EncodedTexts) -> list[list[str]]:
    return [
        [texts.words[word] for word in texts.word_idx[start:end]]
        for start, end in zip(texts.word_ptr[:-1], texts.word_ptr[1:], strict=True)
    ]


@given(TEXTS, PHRASES)
def test_joining_many_texts_equals_tokenizing_each(
    texts: list[str], phrases: tuple[str, ...]
) -> None:
    joined = join_phrases(encode_texts(texts, PLAIN), phrases)
    recipe = Recipe(stop_words=(), phrase_list=phrases)
    assert words_of(joined) == [tokenize(recipe, text) for text in texts]


@given(TEXTS, st.integers(1, 5), st.randoms(use_true_random=False))
def test_counting_changes_nothing(texts: list[str], at_once: int, chance: Random) -> None:
    encoded = encode_texts(texts, PLAIN)
    n_words = len(encoded.words)
    columns = chance.sample(range(n_words), chance.randint(0, n_words))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(vocabulary, "TEXTS_AT_ONCE", at_once)
        patch.setattr(vocabulary, "WORDS_AT_ONCE", at_once)
        counts = encoded.counts(np.array(columns, np.int64))
        frequency, occurrences = encoded.document_frequency(), encoded.occurrences()
    assert words_of(encoded) == [text.split() for text in texts]
    assert counts.has_sorted_indices
    words = [encoded.words[column] for column in columns]
    assert counts.toarray().tolist() == [list(map(text.split().count, words)) for text in texts]
    wanted = [sum(word in text.split() for text in texts) for word in encoded.words]
    assert frequency.tolist() == wanted
    everything = " ".join(texts).split()
    assert occurrences.tolist() == list(map(everything.count, encoded.words))


def a_corpus(phrase: str, n_together: int) -> list[str]:
    rng = np.random.default_rng(0)
    filler = [f"word{letter}" for letter in "abcdefghijklmnopqrstuvwxyz"]
    return [
        f"{' '.join(rng.choice(filler, 8))} {phrase if row < n_together else ''} "
        f"{' '.join(rng.choice(filler, 8))}"
        for row in range(60)
    ]


def test_words_that_never_part_are_a_phrase_and_others_are_none() -> None:
    texts = encode_texts(a_corpus("space shuttle", PHRASE_COUNT), PLAIN)
    assert learn_phrases(texts, (), 1) == ("space_shuttle",)


def test_too_few_occurrences_or_documents_make_no_phrase() -> None:
    few = encode_texts(a_corpus("space shuttle", PHRASE_COUNT - 1), PLAIN)
    assert learn_phrases(few, (), 1) == ()
    enough = encode_texts(a_corpus("space shuttle", PHRASE_COUNT), PLAIN)
    assert learn_phrases(enough, (), PHRASE_COUNT + 1) == ()
    repeated = encode_texts([*a_corpus("", 0), "space shuttle " * PHRASE_COUNT], PLAIN)
    assert learn_phrases(repeated, (), 2) == ()


def test_stop_words_are_in_no_phrase_and_part_their_neighbours() -> None:
    texts = encode_texts(a_corpus("bank of england", 30), PLAIN)
    assert learn_phrases(texts, ("of",), 1) == ()


def test_words_at_the_border_of_two_texts_are_no_neighbours() -> None:
    texts = encode_texts(["space", "", "shuttle"] * 30, PLAIN)
    assert learn_phrases(texts, (), 1) == ()


def test_phrases_do_not_depend_on_the_order_of_texts() -> None:
    texts = [*a_corpus("space shuttle", 20), *a_corpus("hot dog", 15)]
    learned = {learn_phrases(encode_texts(part, PLAIN), (), 1) for part in (texts, texts[::-1])}
    assert learned == {("hot_dog", "space_shuttle")}


def test_phrases_keep_to_the_memory_that_is_checked_before_reading() -> None:
    n_words, n_texts = 400_000, 2000
    rng = np.random.default_rng(0)
    # Every second word is a stop word, as in English.
    word_idx = rng.integers(0, 500, n_words).astype(np.int32) * rng.integers(
        0, 2, n_words, np.int32
    )
    word_idx[np.arange(0, n_words, 100)[:, np.newaxis] + [7, 8]] = [500, 501]
    words = tuple(f"word{number}" for number in range(502))
    texts = EncodedTexts(np.linspace(0, n_words, n_texts + 1).astype(np.int64), word_idx, words)
    tracemalloc.start()
    phrases = learn_phrases(texts, ("word0",), 1)
    assert len(join_phrases(texts, phrases).word_idx) == n_words - n_words // 100
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    # A word and its space are six bytes of a source; the texts and numbers have two for each.
    assert most < 6 * (limits.MEMORY_PER_BYTE - 2) * n_words


def test_no_texts_have_no_phrases() -> None:
    assert learn_phrases(encode_texts([], PLAIN), (), 1) == ()
    assert learn_phrases(encode_texts(["", "one"], PLAIN), (), 1) == ()
