"""Small components: copy a text, save a drawing as PNG, scroll the page, complete a query."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from ...core.drawing.web_page import asset
from . import with_parts

HERE = Path(__file__).parent

_mount_copy = st.components.v2.component(
    "orrery_copy",
    html='<div class="orrery-copy"></div>',
    css=with_parts(HERE / "copy.css"),
    js=with_parts(HERE / "copy.js"),
)


def copy_button(label: str, text: str, *, done: str, failed: str, key: str) -> None:
    """Draw the button, which copies ``text`` and then shows ``done`` or ``failed``."""
    data = {"label": label, "text": text, "done": done, "failed": failed}
    _mount_copy(key=key, data=data, height="content")


_mount_png = st.components.v2.component(
    "orrery_png",
    html='<div class="orrery-png" role="status"></div>',
    js=with_parts(HERE / "png.js"),
)


def save_as_png(drawing: bytes, name: str, *, failed: str, key: str) -> None:
    """Save an SVG as PNG, once, when the component is first drawn.

    Parameters
    ----------
    drawing : bytes
        Self-contained SVG.
    name : str
        File name without an extension.
    failed : str
        Message if the browser cannot draw the SVG.
    key : str
        Widget key; use a new one each time.
    """
    _mount_png(
        key=key, data={"svg": drawing.decode("utf-8"), "name": name, "failed": failed}, height=1
    )


_mount_scroll = st.components.v2.component(
    "orrery_scroll",
    html='<div class="orrery-scroll"></div>',
    js=Path(__file__).with_name("scroll.js").read_text(encoding="utf-8"),
)


def scroll_to(selector: str, *, key: str) -> None:
    """Scroll the page to the element of a CSS selector, once for each widget key.

    The selector must not contain text of a user.
    """
    _mount_scroll(key=key, data={"selector": selector}, height=1)


_mount_completion = st.components.v2.component(
    "orrery_completion",
    html='<div class="orrery-completion"></div>',
    js=asset("shared/suggest.js")
    + Path(__file__).with_name("completion.js").read_text(encoding="utf-8"),
)


def complete_queries(words: Sequence[str]) -> None:
    """Offer these words in the query boxes of the page while a person types."""
    _mount_completion(key="completion", data={"words": list(words)}, height=1)
