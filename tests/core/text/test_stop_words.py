"""Stop words by name or from a file."""

from pathlib import Path

import pytest
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

from core.errors import InputError
from core.text.recipe import Recipe, tokenize
from core.text.stop_words import TELLING_WORDS, english_stop_words, resolve_stop_words


def test_english_is_scikit_learns_list_with_contractions_and_without_telling_words() -> None:
    telling = set(TELLING_WORDS.split())
    assert telling <= ENGLISH_STOP_WORDS
    assert set(english_stop_words()) > ENGLISH_STOP_WORDS - telling
    assert tokenize(Recipe(), "the interest on this bill") == ["interest", "bill"]
    assert tokenize(Recipe(), "I'm sure they've gone; don't you think it's late?") == [
        "sure",
        "gone",
        "think",
        "late",
    ]


def test_none_is_no_words() -> None:
    assert resolve_stop_words("none") == ()


def test_a_file_gives_its_words_in_lower_case(tmp_path: Path) -> None:
    path = tmp_path / "stop.txt"
    path.write_text("Foo bar\n\nfoo\n", encoding="utf-8")
    assert resolve_stop_words(str(path)) == ("bar", "foo")


def test_a_missing_file_is_named() -> None:
    with pytest.raises(InputError, match=r"there is no file nowhere\.txt"):
        resolve_stop_words("nowhere.txt")
