"""No text is taken for a formula, and every text comes back."""

from __future__ import annotations

import io

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from orrery.core.utils.parsing import csv_bytes, guarded, unguarded

TEXT = st.text(st.sampled_from("'=+-@ab \t＝"), max_size=6) | st.text(max_size=6)


@given(TEXT)
def test_every_text_comes_back_and_none_is_a_formula(text: str) -> None:
    assert unguarded(guarded(text)) == text
    assert guarded(text)[:1] not in {*"=+-@\t\r＝＋－＠"} or not text


@pytest.mark.parametrize("text", ["Salt", "'tis", "a=b", "", " =1"])
def test_other_texts_stay(text: str) -> None:
    assert guarded(text) == unguarded(text) == text


def test_no_cell_and_no_name_of_a_table_is_a_formula() -> None:
    texts = ["=1+1", "größe", None]
    columns = {"@name": texts, "kind": pd.Categorical(texts), "figure": [-1.5, 2.0, None]}
    data = csv_bytes(pd.DataFrame(columns))
    assert data.startswith(b"\xef\xbb\xbf")
    back = pd.read_csv(io.BytesIO(data), keep_default_na=False)
    assert back.columns.tolist() == ["'@name", "kind", "figure"]
    assert back["'@name"].tolist() == back["kind"].tolist() == ["'=1+1", "größe", ""]
    assert back["figure"].tolist() == ["-1.5", "2.0", ""]
