"""Similar words: what is found among those with enough letters in common is found among all."""

from __future__ import annotations

from difflib import get_close_matches

from hypothesis import given
from hypothesis import strategies as st

from orrery.app.shared.topic_facts import MAX_SIMILAR, MIN_SPELLING_SIMILARITY, Spellings, spellings

# Few letters, so that words are alike; some of one class, some beyond the Latin alphabet.
LETTERS = "abcdA_ßāЖ\U0001f600"


@given(st.data())
def test_the_same_words_are_alike_as_of_all_with_that_first_letter(data: st.DataObject) -> None:
    typed = data.draw(st.text(LETTERS.replace("_", ""), min_size=1, max_size=12))
    # Each word is what was typed, but for a stretch of it.
    cuts = st.tuples(st.integers(1, 12), st.integers(1, 12), st.text(LETTERS, max_size=4))
    drawn = data.draw(st.lists(cuts, max_size=20))
    words = [typed[:begin] + put + typed[max(begin, end) :] for begin, end, put in drawn]
    vocabulary = list(dict.fromkeys([*words, *(word.lower() for word in words)]))
    texts = [word.replace("_", " ") for word in vocabulary]
    near = [text for text in texts if text[:1] == typed.lower()[:1]]
    expected = get_close_matches(typed.lower(), near, MAX_SIMILAR, MIN_SPELLING_SIMILARITY)
    assert Spellings(tuple(vocabulary)).alike(typed) == expected


def test_a_typo_is_found_and_an_unlike_word_is_not() -> None:
    spelt = spellings(("orbit", "orbits", "oven", "planet"))
    assert spelt.alike("orbti") == ["orbit"]
    assert spelt.alike("Q") == spelt.alike("") == []


def test_the_words_of_a_vocabulary_are_read_once() -> None:
    assert spellings(("a_b", "c")) is spellings(("a_b", "c"))
    assert spellings(("a_b", "c")).number == {"a b": 0, "c": 1}
