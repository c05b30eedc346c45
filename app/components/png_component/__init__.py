"""Drawing that the browser saves as PNG, because it has the fonts and colours."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from .. import with_parts

HERE = Path(__file__).parent

_mount = st.components.v2.component(
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
    _mount(key=key, data={"svg": drawing.decode("utf-8"), "name": name, "failed": failed}, height=1)
