"""Note of a kept view above its page, with buttons and keys to the next view."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from ...shell import strings as shell_strings
from .. import with_parts

HERE = Path(__file__).parent
KEY = "story-player"

_mount = st.components.v2.component(
    "orrery_story",
    html='<section class="orrery-story"></section>',
    css=with_parts(HERE / "story.css"),
    js=with_parts(HERE / "story.js"),
)


def draw_player(number: int, count: int, title: str, note: str, *, begins: bool) -> int | None:
    """Draw the note; return the number of the view to go to, 0 to end, or None to stay.

    ``number`` is the number of the view, from 1; ``begins`` is whether the visitor has just started
    the story, so that it may fill the screen.
    """
    data = {
        "number": number,
        "count": count,
        "counter": shell_strings.COUNTER.format(number=number, count=count),
        "title": title,
        "note": note,
        "begins": begins,
        "words": shell_strings.PLAYER,
    }
    # The callback declares the trigger; the page reads its value from the result.
    result = _mount(key=KEY, data=data, height=1, on_went_change=lambda: None)
    went = result.get("went")
    return went if isinstance(went, int) else None
