"""Map of nested boxes that can be clicked and zoomed: buttons, without a library.

Its script and styles are assets, because the offline explorer shows the same map.
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
    """A box of the map; all texts are plain text.

    Attributes
    ----------
    key : str
        Argument of ``on_click`` when the box is clicked.
    kind : str
        ``topic``, ``rest``, or ``shelf``: a topic group, which a click enlarges without a call of
        ``on_click``.
    above : int
        Number of the enclosing box, which precedes this one; -1 for none.
    size : float
        Size with all enclosed boxes, relative to the other boxes in the same box.
    label, figures : str
    hover : tuple of str
    folded : int
        Number of topics in a box of kind ``rest``.
    """

    key: str
    kind: str
    above: int
    size: float
    label: str
    figures: str
    hover: tuple[str, ...]
    folded: int = 0


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
    said: str,
    save_as: str,
    key: str,
    on_click: Callable[[str], None],
) -> None:
    """Draw the boxes; a click on one is reported.

    Parameters
    ----------
    boxes : sequence of MapBox
    description : str
        Description for screen readers.
    said : str
        Caption below the map.
    save_as : str
        File name for saving, without an extension.
    key : str
        Widget key.
    on_click : callable
        Called with the key of the clicked box, before the page is drawn again.
    """
    data = {
        "description": description,
        "keys": shell_strings.MAP_KEYS,
        "said": said,
        "save": save_as,
        "names": drawing_strings.BUTTONS,
        "more": shell_strings.MORE_HERE,
        "boxes": [vars(box) for box in boxes],
    }

    def clicked() -> None:
        on_click((memory.recall(key) or {}).get("clicked") or "")

    _mount(key=key, data=data, height="content", on_clicked_change=clicked)


def draw_small_map(boxes: Sequence[MapBox], *, description: str, key: str) -> None:
    """Show the boxes as a small picture with names alone, in which nothing can be clicked."""
    listed = [vars(box) for box in boxes]
    data = {"small": True, "description": description, "said": "", "more": [], "boxes": listed}
    _mount(key=key, data=data, height="content")
