"""Scrolling of the page to one of its parts, once, as soon as the part exists."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

_mount = st.components.v2.component(
    "orrery_scroll",
    html='<div class="orrery-scroll"></div>',
    js=Path(__file__).with_name("scroll.js").read_text(encoding="utf-8"),
)


def scroll_to(selector: str, *, key: str) -> None:
    """Scroll the page to the element of a CSS selector, once for each widget key.

    The selector must not contain text of a user.
    """
    _mount(key=key, data={"selector": selector}, height=1)
