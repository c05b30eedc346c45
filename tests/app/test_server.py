"""What a browser gets before the app is there: Streamlit's page, with a sign on it."""

from __future__ import annotations

import re
from pathlib import Path

import streamlit

from orrery.app import server
from orrery.app.words import common as words

PARTS = re.compile(r'(?:src|href)="([^"]*)"')


def test_the_opening_page_is_streamlits_with_a_sign_title_and_icon_of_ours() -> None:
    theirs = Path(streamlit.__file__).with_name("static").joinpath("index.html").read_text("utf-8")
    ours = server.opening_page()
    gone = set(PARTS.findall(theirs)) - set(PARTS.findall(ours))
    assert gone == {"./favicon.png"}
    (added,) = set(PARTS.findall(ours)) - set(PARTS.findall(theirs))
    assert added.startswith("data:image/svg+xml")
    assert f"<title>{words.APP}</title>" in ours
    sign = ours.partition('<div id="root"></div>')[2]
    assert 'id="opening"' in sign
    assert words.OPENING in sign
    assert "<svg" in sign
    assert not re.search(r"\{\w+\}", sign)
