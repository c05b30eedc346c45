"""The picture to print as PNG: made by Orrery as a drawing, and saved by the browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from orrery.app.components.png_component import save_as_png
from orrery.app.session import memory
from orrery.app.words import share as words
from orrery.core.exporting import export_files

if TYPE_CHECKING:
    from orrery.core.run import Run

WANTED, TIMES = "png-wanted", "png-times"


def offer(run: Run, name: str) -> None:
    """Show the button; a press makes the drawing and sends it to the browser, once."""
    st.button(words.PNG, key="picture-png", help=words.download(words.PNG_TITLE), on_click=_ask)
    if not memory.recall(WANTED):
        return
    memory.forget(WANTED)
    (drawing,) = export_files(run, "svg", name).values()
    # A place of its own each time, for a picture that stays where it was is not saved again.
    key = f"png-{memory.recall(TIMES, 0)}"
    save_as_png(drawing, f"{name}-svg", failed=words.NO_PNG, key=key)


def _ask() -> None:
    memory.remember(WANTED, True)
    memory.remember(TIMES, memory.recall(TIMES, 0) + 1)
