"""Note of a kept view above its page, with buttons and keys to the next view."""

from __future__ import annotations

from dataclasses import dataclass
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


@dataclass(frozen=True)
class Shown:
    """Contents of the player."""

    # Number of the view, from 1, and number of views.
    number: int
    count: int
    title: str
    note: str
    begins: bool  # whether the visitor has just started the story, so that it may fill the screen


def draw_player(shown: Shown) -> int | None:
    """Draw the note; return the number of the view to go to, 0 to end, or None to stay."""
    data = {
        "number": shown.number,
        "count": shown.count,
        "counter": shell_strings.COUNTER.format(number=shown.number, count=shown.count),
        "title": shown.title,
        "note": shown.note,
        "begins": shown.begins,
        "words": shell_strings.PLAYER,
    }
    # The callback declares the trigger; the page reads its value from the result.
    result = _mount(key=KEY, data=data, height=1, on_went_change=lambda: None)
    went = result.get("went")
    return went if isinstance(went, int) else None
