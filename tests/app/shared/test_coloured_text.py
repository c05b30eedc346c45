"""Whatever a text holds, it is shown as it is: nothing in it becomes markup."""

from __future__ import annotations

import html
import re

from hypothesis import given
from hypothesis import strategies as st

from orrery.app.shared.document_causes import Piece, coloured

TEXTS = st.text("ab <>&\"'\n", max_size=60) | st.text(max_size=40)


def plain(shown: str) -> str:
    """Text as a browser shows it; but for our own colours there is no markup."""
    text = re.sub(r"</?span[^>]*>", "", shown)
    assert not set('<>"') & set(text)
    return html.unescape(text)


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


def test_a_word_is_marked_the_stronger_the_surer_the_topic_is_of_it() -> None:
    page = coloured("sure", [Piece(0, 4, "#123456", "", strength=1.0)])
    unsure = coloured("sure", [Piece(0, 4, "#123456", "", strength=0.4)])
    opacity = [int(html.split("#123456")[1][:2], 16) for html in (page, unsure)]
    assert opacity[0] > 2 * opacity[1] > 0
    assert "border-bottom" in page
    assert "border-bottom" not in unsure
