"""A button that puts a text on the clipboard; the text goes nowhere else."""

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
    """Show the button.

    Parameters
    ----------
    label : str
        What stands on it.
    text : str
        What it copies.
    done, failed : str
        What is said afterwards.
    key : str
        Name of this place on the page.
    """
    _mount(
        key=key,
        data={"label": label, "text": text, "done": done, "failed": failed},
        height="content",
    )
