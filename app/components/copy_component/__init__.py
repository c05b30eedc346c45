"""Button that copies a text to the clipboard, and sends it nowhere else."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from .. import with_parts

HERE = Path(__file__).parent

_mount = st.components.v2.component(
    "orrery_copy",
    html='<div class="orrery-copy"></div>',
    css=with_parts(HERE / "copy.css"),
    js=with_parts(HERE / "copy.js"),
)


def copy_button(label: str, text: str, *, done: str, failed: str, key: str) -> None:
    """Draw the button, which copies ``text`` and then shows ``done`` or ``failed``."""
    data = {"label": label, "text": text, "done": done, "failed": failed}
    _mount(key=key, data=data, height="content")
