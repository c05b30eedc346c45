"""Documents as points that can be moved, zoomed, selected and opened: WebGL, without a library.

Positions and colours are sent to the browser as bytes by separate components, so that unchanged
data is not sent again, and hovering over a point sends only a few lines.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import streamlit as st

from ...shell import memory
from ...shell import strings as shell_strings
from .. import with_parts

HERE = Path(__file__).parent
SCRIPTS = (
    "points.js",
    "points_view.js",
    "points_drawing.js",
    "points_labels.js",
    "points_hand.js",
    "points_marks.js",
)
# Length of the hash that precedes the bytes as their name.
NAME = 32


@dataclass(frozen=True)
class PointsPicture:
    """Points with colours, labels and legend; all texts are plain text."""

    place: npt.NDArray[np.uint16]  # shape (n_points, 2)
    colour: npt.NDArray[np.uint8]  # numbers of colours, below 128, shape (n_points,)
    highlighted: npt.NDArray[np.bool_]  # whether each point is highlighted, shape (n_points,)
    palette: dict[str, list[str]]  # colours of the themes ``light`` and ``dark``
    labels: Sequence[tuple[str, int, int]]  # text, x, y; the most important first
    # Key, name, figures, number of the colour, and whether the entry is pressed.
    legend: Sequence[tuple[str, str, str, int, bool]]
    area: Sequence[int]  # corners of the selected area: x, y, x, y, …
    tip: tuple[int, list[str]] | None  # number of a point, and the lines of its tooltip
    description: str  # description for screen readers
    save_as: str  # file name for saving, without an extension


_mount_bytes = st.components.v2.component(
    "orrery_bytes",
    html='<div class="orrery-bytes"></div>',
    js=(HERE / "bytes.js").read_text(encoding="utf-8"),
)
_mount = st.components.v2.component(
    "orrery_points",
    html='<div class="orrery-points"></div>',
    css=with_parts(HERE / "points.css"),
    js=with_parts(*(HERE / name for name in SCRIPTS)),
)


def draw_points(
    picture: PointsPicture,
    *,
    key: str,
    on_hover: Callable[[int], None],
    on_area: Callable[[str], None],
    on_legend: Callable[[str], None],
) -> int:
    """Draw the points; return the number of the clicked point, or -1.

    The functions are called before the page is drawn again.

    Parameters
    ----------
    picture : PointsPicture
    key : str
        Widget key.
    on_hover : callable
        Called with the number of the point under the pointer.
    on_area : callable
        Called with the corners of a new selection, ``x.y.x.y…``, or "" for no selection.
    on_legend : callable
        Called with the key of the clicked entry.
    """
    look = (picture.colour << 1) | picture.highlighted
    with st.container(gap=None):
        place_name = _send(picture.place.astype("<u2").tobytes(), f"{key}-place")
        look_name = _send(look.astype(np.uint8).tobytes(), f"{key}-look")
        data: dict[str, Any] = {
            "place": place_name,
            "look": look_name,
            "palette": picture.palette,
            "labels": [list(label) for label in picture.labels],
            "legend": [list(entry) for entry in picture.legend],
            "area": list(picture.area),
            "tip": picture.tip and {"point": picture.tip[0], "lines": picture.tip[1]},
            "description": f"{picture.description} {shell_strings.KEYS}",
            "save": picture.save_as,
            "names": shell_strings.TOOLS,
        }

        def on_event(name: str, react: Callable[[Any], None]) -> Callable[[], None]:
            return lambda: react((memory.recall(key) or {}).get(name))

        result = _mount(
            key=key,
            data=data,
            height="content",
            on_hovered_change=on_event("hovered", lambda point: on_hover(_number(point))),
            on_area_change=on_event(
                "area", lambda text: on_area(text if isinstance(text, str) else "")
            ),
            on_legend_change=on_event("legend", lambda entry: on_legend(str(entry or ""))),
            on_opened_change=lambda: None,
        )
    return _number(result.get("opened"))


def _send(data: bytes, key: str) -> str:
    """Send bytes to the browser, and return the name under which it stores them."""
    name = sha256(data).hexdigest()[:NAME]
    _mount_bytes(key=key, data=name.encode("ascii") + data, height=1)
    return name


def _number(value: Any) -> int:
    """Number of a point from the browser; -1 for none and for invalid values."""
    is_number = isinstance(value, int | float) and 0 <= value < np.iinfo(np.int64).max
    return int(value) if is_number else -1
