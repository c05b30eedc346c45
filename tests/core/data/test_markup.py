"""Markup of any kind leaves the words that it surrounds, and nothing of itself."""

from __future__ import annotations

import html
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orrery.core.data.columns import normal_table
from orrery.core.data.corpus import build_corpus
from orrery.core.data.markup import find_markup, without_markup
from orrery.core.data.raw import RawDocuments
from orrery.core.data.recipe import Recipe, recipe_from_dict, recipe_to_dict
from orrery.core.utils.lazy import LazyModule

pd = LazyModule("pandas")

WORDS = st.lists(
    st.sampled_from(["moon", "étoile", "звезда", "星", "sun", "R&D", "5"]), min_size=1, max_size=6
)
WRAPPERS = (
    "<p>{}</p>",
    '<div class="c" title="a > b">{}</div>',
    "<STRONG>{}</STRONG>",
    "<br/>{}<br />",
    "<poem>{}</poem>",
    "<!-- note -->{}<script>var x = 1;</script><style>p {{}}</style>",
    "&nbsp;{}&#160;&#xA0;",
    "[b]{}[/b]",
    '<a href="http://example.org/?a=1&amp;b=2">{}</a>',
    "{} https://t.co/x9Y?z=1",
    "www.example.org/page {}",
    "RT @user_1: {}",
    "{} @ann@server.social",
    "{} pic.twitter.com/abc ann@example.org",
)


@given(st.lists(st.tuples(WORDS, st.sampled_from(WRAPPERS)), min_size=1), st.booleans())
def test_only_words_are_left(parts: list[tuple[list[str], str]], is_escaped: bool) -> None:
    written = " ".join(
        wrapper.format(" ".join(map(html.escape, words))) for words, wrapper in parts
    )
    has_address = any(sign in written for sign in ("http", "www", "@", "t.co", "pic."))
    if is_escaped and not has_address:
        written = html.escape(written, quote=False)
    read = without_markup(written)
    assert read.replace("\xa0", " ").split() == [word for words, _ in parts for word in words]


LIGATURES = {"ff": 11, "fi": 12, "fl": 13, "ffi": 14, "ffl": 15}


@given(
    st.lists(st.sampled_from(["office", "waffle", "affine", "fields", "flow", "moon", "étoile"])),
    st.sampled_from(["", " ", "\n", "\r\n  "]),
)
def test_codes_of_characters_are_read(words: list[str], line_end: str) -> None:
    def written(part: str) -> str:
        for letters in ("ffi", "ffl", "ff", "fi", "fl"):
            part = part.replace(letters, f"(cid:{LIGATURES[letters]})")
        return part

    def divided(word: str) -> str:
        return f"{written(word[:-2])}(cid:173){line_end}{written(word[-2:])}"

    text = " (cid:96)1 ".join(map(divided, words))
    assert without_markup(text).split() == " 1 ".join(words).split()
    if words:
        assert list(find_markup([text] * 3)) == ["codes such as (cid:12)"]


@given(st.text(st.sampled_from("ab 12.,;:!?()<>-+*=/\n")))
def test_texts_without_markup_do_not_change(text: str) -> None:
    if not find_markup([text, text]):
        assert without_markup(text) == text


@pytest.mark.parametrize(
    "text", ["I <3 you", "x<y and z>w", "a < b & c > d", "AT&T", "#Hashtag", "5 @ 3 euros", "[1]"]
)
def test_signs_in_texts_stay(text: str) -> None:
    assert without_markup(text) == text
    assert find_markup([text] * 10) == {}


def test_tags_within_a_word_join_it_and_others_part_words() -> None:
    assert without_markup("<p>H<b>ello</b></p>moon<br>sun").split() == ["Hello", "moon", "sun"]


def test_it_is_offered_where_some_texts_have_it_and_removed_on_request() -> None:
    texts = ["the moon &amp; the stars"] * 5 + ["a plain text about the moon"] * 45
    assert find_markup(texts) == {"entities": 0.1}
    assert find_markup(texts[4:]) == {}
    table = pd.DataFrame({"id": [str(row) for row in range(50)], "text": texts, "label": None})
    for is_stripped in (False, True):
        recipe = Recipe(min_df=1, max_df=1.0, strip_markup=is_stripped)
        corpus, report = build_corpus(RawDocuments(normal_table(table)), recipe)
        assert ("amp" in corpus.vocabulary) != is_stripped
        (found,) = (guess for guess in report.how_it_was_read if guess.what == "markup")
        assert found.value.startswith("left out" if is_stripped else "kept as words")
        assert found.option == "strip_markup"
        assert recipe_from_dict(recipe_to_dict(corpus.recipe)) == corpus.recipe
        assert ("strip_markup" in recipe_to_dict(recipe)) == is_stripped


@pytest.mark.parametrize(
    "piece", ["<", "<a ", "<a '", "&", "@", "a.", "<script", "http:", "[b=", "<x> ", "<!--", "a@b-"]
)
def test_it_takes_linear_time(piece: str) -> None:
    begin = time.process_time()
    without_markup(piece * 20_000)
    find_markup([piece * 20_000])
    assert time.process_time() - begin < 2
