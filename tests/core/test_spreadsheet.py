"""No text is taken for a formula, and every text comes back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orrery.core.spreadsheet import guarded, unguarded

TEXT = st.text(st.sampled_from("'=+-@ab \t＝"), max_size=6) | st.text(max_size=6)


@given(TEXT)
def test_every_text_comes_back_and_none_is_a_formula(text: str) -> None:
    assert unguarded(guarded(text)) == text
    assert guarded(text)[:1] not in {*"=+-@\t\r＝＋－＠"} or not text


@pytest.mark.parametrize("text", ["Salt", "'tis", "a=b", "", " =1"])
def test_other_texts_stay(text: str) -> None:
    assert guarded(text) == unguarded(text) == text
