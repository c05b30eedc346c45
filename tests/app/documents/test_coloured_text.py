"""Whatever a text holds, it is shown as it is: nothing in it becomes markup."""

from __future__ import annotations

import html
import re

from hypothesis import given
from hypothesis import strategies as st

from orrery.app.documents.coloured_text import MARK, SNIPPET_LETTERS, Piece, coloured, snippet
from orrery.app.workspace.search_index import read_terms

TEXTS = st.text("ab <>&\"'\n", max_size=60) | st.text(max_size=40)
LONG = " ".join(f"word{number}" for number in range(300))


def plain(shown: str) -> str:
    """Text as a browser shows it; but for our own marks there is no markup."""
    text = re.sub(r"<(?:/?mark|/?span)[^>]*>", "", shown)
    assert not set('<>"') & set(text)
    return html.unescape(text)


def marked(shown: str) -> list[str]:
    return [html.unescape(found) for found in re.findall(rf"{re.escape(MARK)}(.*?)</mark>", shown)]


@given(TEXTS, st.text(max_size=8))
def test_a_snippet_shows_the_text_and_nothing_else(text, typed):
    line = " ".join(text.split())
    assert plain(snippet(text, read_terms(typed))) == line


def test_words_of_the_search_are_marked_whole_and_in_any_case():
    shown = snippet("A Star, stars & the new  York <b>star</b>", read_terms('star "new york" -a'))
    assert marked(shown) == ["Star", "new York", "star"]
    assert marked(snippet("stars starry", read_terms("star*"))) == ["stars", "starry"]


def test_a_snippet_is_the_part_around_the_first_word_found():
    shown = snippet(LONG, read_terms("word200"))
    assert marked(shown) == ["word200"]
    assert shown.startswith("… word")
    assert shown.endswith(" …")
    assert len(plain(shown)) <= SNIPPET_LETTERS + 4
    assert set(plain(shown).split()) - {"…"} <= set(LONG.split())


def test_without_a_search_it_is_the_beginning():
    assert snippet(LONG, read_terms("")).startswith("word0 word1 ")


@st.composite
def texts_with_pieces(draw):
    text = draw(TEXTS)
    places = st.lists(st.integers(0, len(text)), unique=True, max_size=6)
    cuts = sorted(draw(places))
    pairs = list(zip(cuts[::2], cuts[1::2], strict=False))
    return text, [Piece(begin, end, "#123456", 'a "title" <b>') for begin, end in pairs]


@given(texts_with_pieces())
def test_coloured_words_change_no_letter(situation):
    text, pieces = situation
    shown = coloured(text, pieces)
    assert plain(shown) == text
    assert shown.count("<span") == len(pieces)
    inside = re.findall(r"<span [^>]*>(.*?)</span>", shown, re.DOTALL)
    assert [html.unescape(part) for part in inside] == [text[p.begin : p.end] for p in pieces]


def test_a_title_cannot_leave_its_quotes():
    assert 'title="a &quot;title&quot; &lt;b&gt;"' in coloured(
        "x", [Piece(0, 1, "#123456", 'a "title" <b>')]
    )
