"""A map of nested boxes that can be clicked and zoomed, and a small variant that is a picture.

Script and styles are in ``assets/shared``: the offline explorer draws the same map.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import streamlit as st

from ....core.drawing import strings as drawing_strings
from ....core.drawing.web_page import topic_map_script, topic_map_style
from ...shell import memory
from ...shell import strings as shell_strings


@dataclass(frozen=True)
class MapBox:
    """A box of the map; all texts are plain."""

    key: str  # reported by a click
    kind: str  # ``topic``, ``rest``, or ``shelf``, on which a click only zooms in
    above: int  # position of the box around it, which comes first; -1 for none
    size: float  # size of the box with all boxes in it, relative to others in the same box
    label: str
    figures: str
    hover: tuple[str, ...]
    folded: int = 0  # number of topics of a rest
    # Figures in few letters, for a box without room for ``figures``; empty without any.
    short: str = ""
    # Label and figures of the box while the boxes in it are too small to be drawn, if not its own.
    inner: str = ""
    inner_figures: str = ""
    # Share of the trainings that found the topic again; a box with a smaller share is paler.
    found: float = 1.0


_mount = st.components.v2.component(
    "orrery_map",
    html='<div class="orrery-map"></div>',
    css=topic_map_style(),
    js=f"{topic_map_script()}\nexport default drawTopicMap;",
)


def draw_map(
    boxes: Sequence[MapBox],
    *,
    description: str,
    caption: str,
    save_as: str,
    key: str,
    on_click: Callable[[str], None],
) -> None:
    """Draw the boxes; a click on one is reported.

    Parameters
    ----------
    boxes : sequence of MapBox
    description : str
        Description of the map for a screen reader.
    caption : str
        Sentence below the map.
    save_as : str
        Name of the files to which the map can be saved, without an ending.
    key : str
        Key of the component on the page.
    on_click : callable
        Called with the key of the box that was clicked, before the page is drawn again.
    """
    data = {
        "description": description,
        "keys": shell_strings.MAP_KEYS,
        "said": caption,
        "save": save_as,
        "names": drawing_strings.BUTTONS,
        "more": shell_strings.MORE_HERE,
        "boxes": [vars(box) for box in boxes],
    }

    def clicked() -> None:
        on_click((memory.recall(key) or {}).get("clicked") or "")

    _mount(key=key, data=data, height="content", on_clicked_change=clicked)


def draw_small_map(boxes: Sequence[MapBox], *, description: str, key: str) -> str:
    """Show the boxes as a small map without zoom; return the key of a box that was clicked."""
    listed = [vars(box) for box in boxes]
    data = {
        "small": True,
        "description": description,
        "said": "",
        "more": ["+{count}"],
        "boxes": listed,
    }
    data["keys"] = shell_strings.GRAPH_KEYS
    result = _mount(key=key, data=data, height="content", on_clicked_change=_clicked)
    return str(result.get("clicked") or "")


def _clicked() -> None:
    """Do nothing: the page reads the clicked box from the result."""
