"""A map of nested boxes that can be clicked: buttons that Python placed, no library."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from app import state
from app.components import with_tip

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
    html='<div class="orrery-map" role="group"></div>',
    css=with_tip(HERE / "map.css"),
    js=(HERE / "map.js").read_text(encoding="utf-8"),
)


def draw_map(
    boxes: Sequence[MapBox],
    *,
    height: float,
    description: str,
    key: str,
    on_click: Callable[[str], None],
) -> None:
    """Show the boxes; ``on_click`` is told the key of one before the page is drawn again."""
    data = {
        "height": height,
        "description": description,
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
        on_click((state.recall(key) or {}).get("clicked") or "")

    _mount(key=key, data=data, height="content", on_clicked_change=clicked)
