"""A drawing saved as PNG by the browser, which has the letters and the colours."""

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
    """Save an SVG as PNG, once, when this is first drawn.

    Parameters
    ----------
    drawing : bytes
        SVG that is complete in itself.
    name : str
        Of the file, without an ending.
    failed : str
        What is said where the browser cannot draw it.
    key : str
        Name of this place on the page; another time it needs another.
    """
    _mount(key=key, data={"svg": drawing.decode("utf-8"), "name": name, "failed": failed}, height=1)
