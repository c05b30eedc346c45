"""Brings a part of the page into view once, as soon as it is there."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

_mount = st.components.v2.component(
    "orrery_scroll",
    html='<div class="orrery-scroll"></div>',
    js=Path(__file__).with_name("scroll.js").read_text(encoding="utf-8"),
)


def scroll_to(selector: str, *, key: str) -> None:
    """Scroll the page until what the CSS selector finds is in view.

    Parameters
    ----------
    selector : str
        Our own, never of a user's text.
    key : str
        Name of this place on the page; the page scrolls once for it.
    """
    _mount(key=key, data={"selector": selector}, height=1)
