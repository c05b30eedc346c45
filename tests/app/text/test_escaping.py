"""Text is shown as it is: nothing in it is markup, an icon or an arrow."""

from __future__ import annotations

import html
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orrery.app.text.safe_text import (
    MAX_FILE_NAME,
    WORD_JOINER,
    file_name,
    html_text,
    markdown_text,
)

TEXTS = st.text(":-<>=~/_*[]()$`#! ab\\", max_size=24) | st.text(max_size=24)
# Texts that Streamlit 1.67 renders as something else anywhere in a text.
DRAWN = (r":[\w/+-]+:", "->", "<-", "--", ">=", "<=", "~=")


def unescaped(shown: str) -> str:
    return re.sub(r"\\(.)", r"\1", shown, flags=re.DOTALL)


@given(TEXTS)
def test_markdown_has_every_letter_and_nothing_that_is_drawn(text):
    shown = unescaped(markdown_text(text))
    for pattern in DRAWN:
        assert not re.search(pattern, shown)
    assert shown.replace(WORD_JOINER, "") == " ".join(text.split()).replace(WORD_JOINER, "")


@given(TEXTS)
def test_every_sign_of_markdown_is_escaped(text):
    bare = re.sub(r"\\.", "", markdown_text(text), flags=re.DOTALL)
    assert not set("\\`*_{}[]()<>#+-.!|$:~&") & set(bare)


@pytest.mark.parametrize("text", ["plain words", "10:30", "a:b", "x-ray", "a > b"])
def test_nothing_is_put_between_signs_that_mean_nothing(text):
    assert WORD_JOINER not in markdown_text(text)


@given(TEXTS)
def test_html_is_the_text(text):
    shown = html_text(text)
    assert html.unescape(shown) == text
    assert not set("<>\"'") & set(shown)


@given(TEXTS, TEXTS)
def test_a_file_name_is_one_that_every_system_can_hold(first, second):
    name = file_name(first, second)
    assert 0 < len(name) <= MAX_FILE_NAME
    assert re.fullmatch(r"[\w-]+", name)
    assert not name.startswith("-")
