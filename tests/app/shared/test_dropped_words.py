"""A word outside the vocabulary is answered from the texts that contain it, and marked so."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from tests.app.pages import open_page, shown_text


def page() -> None:
    import streamlit as st

    from orrery.app.shared import dropped_words
    from orrery.app.shell import address, loaders

    run = loaders.current_run()
    assert run is not None
    st.write(f"found: {dropped_words.show(run, address.get('word'))}")


opened = partial(open_page, page)


def test_the_topics_of_its_texts_are_shown_and_named_so(demo: Path) -> None:
    text = shown_text(opened(word="planed"))
    assert "found: True" in text
    assert "“planed” is in 1 text, but it is not a word of the model" in text
    assert "- wood · plank · nail:" in text


def test_a_word_in_no_text_has_none(demo: Path) -> None:
    assert shown_text(opened(word="zzyzx")) == "found: False"
