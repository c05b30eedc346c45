"""Stop words by name or from a file."""

from pathlib import Path

import pytest
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS
from stopwordsiso import stopwords

from orrery.core.data.recipe import Recipe, tokenize
from orrery.core.data.stop_words import (
    CONTRACTIONS,
    ENGLISH_TOPIC_WORDS,
    LANGUAGES,
    TOPIC_WORDS,
    english_stop_words,
    resolve_stop_words,
)
from orrery.core.utils.errors import InputError


def test_english_is_scikit_learns_list_with_contractions_and_without_topic_words() -> None:
    topic_words = set(ENGLISH_TOPIC_WORDS.split())
    assert topic_words <= ENGLISH_STOP_WORDS
    contractions = set(CONTRACTIONS.split())
    assert set(english_stop_words()) == (ENGLISH_STOP_WORDS | contractions) - topic_words
    assert tokenize(Recipe(), "the interest on this bill") == ["interest", "bill"]
    assert tokenize(Recipe(), "I'm sure they've gone; don't you think it's late?") == [
        "sure",
        "gone",
        "think",
        "late",
    ]


def test_every_language_has_a_list_as_words_are_read() -> None:
    assert len(LANGUAGES) >= 20
    for language, code in LANGUAGES.items():
        words = resolve_stop_words(language)
        assert len(words) > 150, language
        assert words == resolve_stop_words(code.upper())
        assert all(word == word.lower() and "\u2019" not in word for word in words)


def test_contractions_and_topic_words_of_other_languages() -> None:
    french, german = resolve_stop_words("french"), resolve_stop_words("german")
    assert {"quelqu'un", "aujourd'hui"} <= set(french)
    assert not {"été", "état"} & set(french)
    assert "mensch" not in german
    assert "und" in german
    assert set(resolve_stop_words("french, german")) == {*french, *german}


def test_stop_words_are_in_letters_of_today() -> None:
    assert {"şi", "și", "toţi", "toți", "eşti", "ești"} <= set(resolve_stop_words("romanian"))
    assert {"ακόμα", "ακομα", "αλλά", "δεν"} <= set(resolve_stop_words("greek"))
    assert {"می‌شود", "کردن", "كردن", "این"} <= set(resolve_stop_words("persian"))
    assert {"altmış", "işte", "değil"} <= set(resolve_stop_words("turkish"))
    letters = {
        "turkish": "abcçdefgğhıijklmnoöprsştuüvyzâîûx",
        "czech": "aábcčdďeéěfghiíjklmnňoóprřsštťuúůvyýzžqwx",
        "norwegian": "abcdefghijklmnopqrstuvwxyzæøåéêòóôà",
        "hungarian": "aábcdeéfghiíjklmnoóöőpqrstuúüűvwxyz-.",
    }
    for language, known in letters.items():
        assert not [w for w in resolve_stop_words(language) if set(w) - set(known)], language


def test_every_topic_word_is_on_the_list_that_it_is_taken_from() -> None:
    for language, words in TOPIC_WORDS.items():
        assert set(words.split()) <= stopwords(LANGUAGES[language])


def test_a_language_that_there_is_not_is_named_with_those_there_are() -> None:
    with pytest.raises(InputError, match=r"no list of stop words for 'klingon'; take arabic, .*"):
        resolve_stop_words("klingon")
    with pytest.raises(InputError, match=r"no list of stop words for 'german,klingon'"):
        resolve_stop_words("german,klingon")


def test_a_file_may_have_a_name_like_a_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine").write_text("Foo", encoding="utf-8")
    assert resolve_stop_words("mine") == ("foo",)


def test_none_is_no_words() -> None:
    assert resolve_stop_words("none") == ()


def test_a_file_gives_its_words_in_lower_case(tmp_path: Path) -> None:
    path = tmp_path / "stop.txt"
    path.write_text("Foo bar\n\nfoo\n", encoding="utf-8")
    assert resolve_stop_words(str(path)) == ("bar", "foo")


def test_a_missing_file_is_named() -> None:
    with pytest.raises(InputError, match=r"there is no file nowhere\.txt"):
        resolve_stop_words("nowhere.txt")
