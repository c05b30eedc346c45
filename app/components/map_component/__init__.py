"""A map of nested boxes that can be clicked: buttons placed by Python, no library."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from orrery.app.components import with_parts
from orrery.app.session import memory
from orrery.app.words import graph as words

HERE = Path(__file__).parent


@dataclass(frozen=True)
class MapBox:
    """A box of the map, all texts plain.

    Attributes
    ----------
    key : str
        What is told when it is clicked.
    kind : str
        ``leaf``, ``strip`` or ``rest``.
    place : tuple of float
        x and width as parts of the whole, y and height in pixels.
    depth : int
    label, figures : str
    hover : tuple of str
    """

    key: str
    kind: str
    place: tuple[float, float, float, float]
    depth: int
    label: str
    figures: str
    hover: tuple[str, ...]


_mount = st.components.v2.component(
    "orrery_map",
    html='<div class="orrery-map"></div>',
    css=with_parts(HERE / "map.css"),
    js=with_parts(HERE / "map.js", HERE / "saving.js"),
)


def draw_map(
    boxes: Sequence[MapBox],
    *,
    height: float,
    description: str,
    said: str,
    save_as: str,
    key: str,
    on_click: Callable[[str], None],
) -> None:
    """Show the boxes.

    Parameters
    ----------
    boxes : sequence of MapBox
    height : float
        Of all boxes, in pixels.
    description : str
        What the map is, for those who hear it.
    said : str
        What stands below it.
    save_as : str
        Name of the files that it can be saved to, without an ending.
    key : str
        Name of this place on the page.
    on_click : callable
        Told the key of the box that was clicked, before the page is drawn again.
    """
    data = {
        "height": height,
        "description": description,
        "keys": words.MAP_KEYS,
        "said": said,
        "save": save_as,
        "names": words.BUTTONS,
        "boxes": [
            {
                "key": box.key,
                "kind": box.kind,
                "place": [round(part, 5) for part in box.place],
                "depth": box.depth,
                "label": box.label,
                "figures": box.figures,
                "hover": list(box.hover),
            }
            for box in boxes
        ],
    }

    def clicked() -> None:
        on_click((memory.recall(key) or {}).get("clicked") or "")

    _mount(key=key, data=data, height="content", on_clicked_change=clicked)
