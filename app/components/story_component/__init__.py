"""The note of a kept view over the page that it is about, with buttons and keys to the next."""

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
    """What the player shows.

    Attributes
    ----------
    number, count : int
        Which view this is, from 1, and how many there are.
    title, note : str
    begins : bool
        Whether a person has just asked for it, so that it may fill the screen.
    """

    number: int
    count: int
    title: str
    note: str
    begins: bool


def draw_player(shown: Shown) -> int | None:
    """Show the note; returns the number of the view to go to, 0 for the end, None to stay."""
    data = {
        "number": shown.number,
        "count": shown.count,
        "counter": shell_strings.counter(shown.number, shown.count),
        "title": shown.title,
        "note": shown.note,
        "begins": shown.begins,
        "words": shell_strings.PLAYER,
    }
    result = _mount(key=KEY, data=data, height=1, on_went_change=_nothing)
    went = result.get("went")
    return went if isinstance(went, int) else None


def _nothing() -> None:
    """Declare a trigger whose value the page reads from the result."""
