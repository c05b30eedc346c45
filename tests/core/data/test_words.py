"""Words of every script, by every language's rules, in Python as in the offline explorer.

``tests/word_cases.json`` has sentences, and what the explorer receives of the recipes that read
them; ``tests/javascript/words.test.js`` reads it too. ``python -m tests.core.data.test_words``
writes it anew after a change of the rules.
"""

from __future__ import annotations

import json
import random
import re
import unicodedata
from collections import defaultdict
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orrery.core.data.recipe import (
    Recipe,
    check_recipe,
    normalised,
    recipe_from_dict,
    recipe_to_dict,
    split_words,
    tokenize,
)
from orrery.core.data.spelling import DOTLESS, ELIDED
from orrery.core.data.vocabulary import letters_in_words
from orrery.core.data.word_patterns import CHARACTER_PATTERN, EARLIER_PATTERNS
from orrery.core.export.explorer import browser_recipe
from tests.conftest import ROOT

FILE = ROOT / "tests/word_cases.json"
CASES = json.loads(FILE.read_text("utf-8"))
SENTENCES: dict[str, str] = CASES["sentences"]
PLAIN = Recipe(stop_words=(), phrases=False, languages="")
EARLIER = {"fold": False, "join_line_ends": False, "segmenter": ""}
THAI = ("หนังสือ", "ห้องสมุด", "อ่าน", "แมว", "น้ำ")
RECIPES = {
    "plain": PLAIN,
    "capitals": replace(PLAIN, lowercase=False),
    "characters": replace(PLAIN, token_pattern=CHARACTER_PATTERN),
    "segments": replace(PLAIN, segments=(*THAI, "图书馆", "图书", "馆", "我们")),
    "earlier words": replace(PLAIN, token_pattern=EARLIER_PATTERNS["words"], **EARLIER),
    "earlier characters": replace(PLAIN, token_pattern=EARLIER_PATTERNS["characters"], **EARLIER),
    **{name: replace(PLAIN, languages=name) for name in (*ELIDED, *DOTLESS, "persian", "romanian")},
}
TEXTS = (
    "L’examen d'histoire, qu'il n'a pas passé; aujourd'hui, l'été",
    "Un po' d'acqua all'ospedale; dell'università, c'è anch'io",
    "Al col·legi de l'Hospitalet, COL·LEGI, coŀlegi, el cel.la; veure'l, anar-hi",
    "İSTANBUL'da IŞIK ılık İçin ısı; Iğdır i̇z",
    "și şi țară ţară Ţară",
    "כתב צה״ל צה\"ל שָׁלוֹם ג׳ירפה",
    "كَتَبَ كتـــاب ﻛﺘﺎﺏ يكتب ى",
    "می‌خواهم مى‌خواهم كتاب",
    "n͏aïve nai\u0308ve ﬁre co\u00adoperate m² word™ O´Neill",
    "Don't stop: e-mail, x-ray; the dog's mp3 ’tis o’clock non\u2011breaking A-B 3d",
    "東京タワーへ行きました 人々は〇一 𠮷野家 AI技术 ｶﾀｶﾅ",
    "หนังสือแมวabcน้ำอ่าน我们在图书馆学习",
    "ΟΔΥΣΣΕΥΣ Σίσυφος ΌΣΟΣ Straße GROẞ",
    "अवन् ക്‍ അവന്‍ ക്\u200dഷ ශ්‍රී നന്‍മ",
    "м’яч м'яч мʼяч",
    "",
    "... -- ' '' - a ·· l·l",
)  # fmt: skip


def letters_by_script() -> dict[str, tuple[list[str], list[str]]]:
    """Letters and marks of each script, which is the first word of their names in Unicode."""
    found: dict[str, tuple[list[str], list[str]]] = defaultdict(lambda: ([], []))
    for letter in map(chr, range(0x80, 0x1FFFF)):
        kind = unicodedata.category(letter)
        if kind[0] in "LM" and kind != "Me" and unicodedata.normalize("NFKC", letter) == letter:
            script = unicodedata.name(letter, "MODIFIER").split()[0]
            found[script][kind[0] == "M"].append(letter)
    return {
        script: parts
        for script, parts in found.items()
        if len(parts[0]) >= 12 and script not in ("MODIFIER", "COMBINING", "HALFWIDTH")
    }


SCRIPTS = letters_by_script()


@st.composite
def words_of_a_script(draw: st.DrawFn) -> list[str]:
    """Words of two letters or more, with marks in the middle and at the end."""
    letters, marks = SCRIPTS[draw(st.sampled_from(sorted(SCRIPTS)))]
    inner = st.sampled_from(letters) | (st.sampled_from(marks) if marks else st.nothing())
    word = st.builds(
        "".join, st.tuples(*[st.sampled_from(letters)] * 2, st.text(inner, max_size=5))
    )
    return draw(st.lists(word, min_size=1, max_size=6))


@given(words_of_a_script(), st.sampled_from([" ", ", ", ". ", "\n", " — ", "… "]))
def test_words_of_every_script_are_what_stands_between_blanks(words: list[str], blank: str) -> None:
    text = blank.join(words)
    assert split_words(PLAIN, text) == [normalised(PLAIN, word) for word in words]


def test_most_scripts_are_tried() -> None:
    assert len(SCRIPTS) > 100
    assert {"TELUGU", "BENGALI", "TIBETAN", "THAANA", "JAVANESE", "ADLAM", "NKO"} <= set(SCRIPTS)


@given(st.text(), st.sampled_from(sorted(RECIPES)))
def test_the_normal_form_is_its_own_normal_form(text: str, name: str) -> None:
    recipe = RECIPES[name]
    if recipe.fold:
        words = split_words(recipe, text)
        assert split_words(recipe, normalised(recipe, text)) == words


@given(st.text(st.characters(max_codepoint=0x7F)))
def test_texts_in_ascii_have_the_words_of_earlier_versions(text: str) -> None:
    for name in ("words", "characters"):
        recipe = {"words": PLAIN, "characters": RECIPES["characters"]}[name]
        assert split_words(recipe, text) == split_words(RECIPES[f"earlier {name}"], text)
        # Beyond ASCII, another library finds the words.
        assert split_words(recipe, f"{text} ж") == split_words(recipe, text)


def between_blanks(language: str) -> list[str]:
    """Words of two letters or more, without the punctuation around them."""
    recipe = replace(PLAIN, languages=language if language in DOTLESS else "")
    found = []
    for stretch in SENTENCES[language].split():
        word = normalised(recipe, stretch).strip(".,;:!?()’'\"—–")
        word = "".join(re.findall(r"[^،。।؛؟።፤፣၊။,]", word))
        if language in ELIDED:
            word = word.split("'")[-1]
        if len(word) > 1:
            found.append(word)
    return found


def recipe_for(language: str) -> Recipe:
    return RECIPES.get(language, PLAIN)


def test_words_agree_with_blanks_in_99_of_100_cases() -> None:
    n_words = n_right = 0
    for language in SENTENCES:
        expected = between_blanks(language)
        found = split_words(recipe_for(language), SENTENCES[language])
        n_words += len(expected)
        n_right += sum(word in found for word in expected)
    assert len(SENTENCES) >= 40
    assert n_right >= 0.99 * n_words


def test_the_explorer_receives_these_recipes() -> None:
    assert json.loads(json.dumps(written())) == CASES


def mixed_texts() -> list[str]:
    """Texts of letters, marks, joiners and punctuation of any scripts, always the same."""
    any_of = random.Random(0)
    inside = ["'", "\u2019", "-", "\u200c", "\u200d", "·", "\u00ad", "\u0307", "1", "İ", "I", "s"]
    texts = []
    for _ in range(120):
        letters, marks = SCRIPTS[any_of.choice(sorted(SCRIPTS))]
        signs = [*any_of.sample(letters, 8), *marks[:4], *inside, " ", ". ", "\u200b"]
        texts.append("".join(any_of.choices(signs, k=30)))
    return texts


def rules_of(recipe: Recipe) -> dict[str, Any]:
    """What the explorer receives, without the English stop words that are not listed as unknown."""
    received = browser_recipe(recipe, ())
    del received["common_words"]
    return received


def written() -> dict[str, Any]:
    """Content of the file."""
    sentences = [
        [language if language in RECIPES else "plain", text] for language, text in SENTENCES.items()
    ]
    every = [[name, text] for name in RECIPES for text in TEXTS]
    mixed = [[("plain", "turkish")[n % 2], text] for n, text in enumerate(mixed_texts())]
    return {
        "sentences": SENTENCES,
        "recipes": {name: rules_of(recipe) for name, recipe in RECIPES.items()},
        "cases": [
            [name, text, split_words(RECIPES[name], text)]
            for name, text in (*sentences, *every, *mixed)
        ],
    }


@pytest.mark.parametrize(
    ("language", "one", "other"),
    [
        ("turkish", "İçin IŞIK ISIRGAN", "için ışık ısırgan"),
        ("azerbaijani", "İLƏ QIZIL", "ilə qızıl"),
        ("lithuanian", "i\u0307\u0303pylė \u012f\u0307\u0301eina", "ĩpylė į\u0301eina"),
        ("", "İstanbul", "istanbul"),
        ("arabic", "كَتَبَ الكِتـــاب", "كتب الكتاب"),
        ("hebrew", "שָׁלוֹם", "שלום"),
        ("persian", "كتابي", "کتابی"),
        ("romanian", "Şi ţară", "și țară"),
        ("french", "L’examen d’histoire qu’étude", "l examen d histoire qu étude"),
        ("italian", "dell’acqua un’amica", "dell acqua un amica"),
        ("catalan", "coŀlegi l’hospital veure'l", "col·legi l hospital veure"),
        ("", "ﬁre ＷＩＤＥ", "fire wide"),
        ("", "п’ять пʼять", "п'ять п'ять"),
    ],
)
def test_spellings_of_one_word(language: str, one: str, other: str) -> None:
    recipe = replace(PLAIN, languages=language if language != "lithuanian" else "")
    elided = {"qu", "dell", "un"} if language in ELIDED else set()
    words = [word for word in split_words(recipe, other) if word not in elided]
    assert split_words(recipe, one) == words


def test_elision_needs_the_language() -> None:
    assert split_words(PLAIN, "l'examen") == ["l'examen"]
    assert split_words(PLAIN, "d'you o'clock") == ["d'you", "o'clock"]


def test_stop_words_have_the_language_of_the_recipe() -> None:
    turkish = Recipe(stop_words="turkish", phrases=False)
    assert turkish.languages == "turkish"
    assert tokenize(turkish, "İçin kitap VE İÇİN") == ["kitap"]
    assert tokenize(replace(turkish, lowercase=False), "İçin Kitap için") == ["Kitap"]
    french = Recipe(stop_words="french", phrases=False)
    assert tokenize(french, "Qu'il n'y a pas d'été, c'est l'état") == ["été", "état"]
    romanian = Recipe(stop_words="romanian", phrases=False)
    assert tokenize(romanian, "şi și toţi toți eşti grădină") == ["grădină"]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"stop_words": "klingon"}, "no list of stop words"),
        ({"stop_words": 5}, "stop_words of the recipe is 5; expected a list of texts"),
        ({"stop_words": ["a", 1]}, "expected a list of texts"),
        ({"lowercase": "no"}, "lowercase of the recipe is 'no'; expected True or False"),
        ({"token_pattern": None}, "token_pattern of the recipe is None; expected a text"),
        ({"min_df": "5"}, "min_df of the recipe is '5'; expected a number"),
        ({"min_df": True}, "min_df of the recipe is True; expected a number"),
        ({"max_vocabulary": 2.5}, "max_vocabulary of the recipe is 2.5; expected a whole number"),
    ],
)
def test_values_of_a_wrong_type_are_refused(settings: dict[str, Any], message: str) -> None:
    from orrery.core.utils.errors import InputError

    with pytest.raises(InputError, match=re.escape(message)) as refusal:
        Recipe(**settings)
    assert "\n" not in str(refusal.value)


def test_stop_words_by_name_are_their_list() -> None:
    assert Recipe(stop_words="english").stop_words == Recipe().stop_words
    assert Recipe(stop_words=["b", "a"]).stop_words == ("b", "a")
    assert Recipe(stop_words="none").stop_words == ()


def test_a_stored_recipe_keeps_its_words() -> None:
    for recipe in RECIPES.values():
        stored = recipe_from_dict(json.loads(json.dumps(recipe_to_dict(recipe))))
        check_recipe(stored)
        assert all(split_words(stored, text) == split_words(recipe, text) for text in TEXTS)
    added = ("fold", "languages", "segmenter", "segments", "join_line_ends", "line_ends")
    earlier = recipe_to_dict(RECIPES["earlier words"])
    assert not {*earlier} & {*added}
    assert split_words(recipe_from_dict(earlier), "తెలుగు İz") != split_words(PLAIN, "తెలుగు İz")


def test_share_of_letters_in_words() -> None:
    assert letters_in_words(["ab cd"], PLAIN) == letters_in_words([], PLAIN) == 1
    assert letters_in_words(["ab c d"], PLAIN) == 0.5
    for language, text in SENTENCES.items():
        assert letters_in_words([text], recipe_for(language)) > 0.85, language
    assert letters_in_words(["పుస్తకం సంపుటి"], RECIPES["earlier words"]) < 0.7


@given(st.lists(st.sampled_from(THAI), min_size=1, max_size=8))
def test_texts_without_blanks_are_divided_by_the_words_of_the_recipe(words: list[str]) -> None:
    assert split_words(RECIPES["segments"], "".join(words)) == words


def test_words_are_not_divided_before_a_mark() -> None:
    recipe = replace(PLAIN, segments=("แก",))
    assert split_words(recipe, "แก้ว") == ["แก้ว"]


@given(st.text(st.sampled_from([*"".join(THAI), "我", "们", "a", " "]), max_size=30))
def test_divided_words_are_parts_of_the_text_in_order(text: str) -> None:
    recipe = RECIPES["segments"]
    here = 0
    read = normalised(recipe, text)
    for word in split_words(recipe, text):
        here = read.index(word, here) + len(word)


def test_every_recipe_is_of_a_kind_of_its_own() -> None:
    stored = [json.dumps(recipe_to_dict(recipe), sort_keys=True) for recipe in RECIPES.values()]
    assert all(one != other for one, other in pairwise(sorted(stored)))


if __name__ == "__main__":
    FILE.write_text(json.dumps(written(), ensure_ascii=False, indent=1) + "\n", "utf-8")
