"""A topic graph that can be clicked: vis-network on a canvas, with nothing loaded from the network.

The drawing library is the copy that the installed pyvis package carries. It stands in a component
of its own, which never changes: Streamlit then sends its half a megabyte once for each place on a
page and not with every picture.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from ....core.drawing.picture import Picture, canvas_data
from ....core.drawing.svg import picture_svg
from ....core.drawing.web_page import vis_network_source
from ...shell import memory
from ...shell import strings as shell_strings
from .. import with_parts

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Clicked:
    """What a person did in the picture.

    Attributes
    ----------
    node : str
        Key of the node that was clicked.
    switch : str
        Switch of the legend that was clicked.
    turned : str
        Key of the node that was clicked with the shift key down, or switched with the space bar.
    """

    node: str = ""
    switch: str = ""
    turned: str = ""


def library_source() -> str:
    """Script that hands the library to the pictures, including those already waiting for it."""
    return "\n".join(
        (
            "window.orreryVis ||= (function () {",
            "const exports = {}; const module = { exports };",
            vis_network_source(),
            "return exports; })();",
            'window.dispatchEvent(new Event("orrery-vis"));',
            "export default function () {}",
        )
    )


_mount_library = st.components.v2.component(
    "orrery_library", html='<div class="orrery-library"></div>', js=library_source()
)
_mount = st.components.v2.component(
    "orrery_graph",
    html='<div class="orrery-graph"></div>',
    css=with_parts(HERE / "graph.css"),
    js=with_parts(HERE / "graph.js"),
)


def draw_graph(
    picture: Picture,
    *,
    key: str,
    on_click: Callable[[Clicked], None],
    selected: str = "",
    can_open: bool = True,
    can_turn: bool = False,
    save_as: str = "",
    can_save_svg: bool = True,
) -> str:
    """Show a picture; the key of a node that was double-clicked is returned, else "".

    Parameters
    ----------
    picture : Picture
    key : str
        Name of this place on the page.
    on_click : callable
        Called before the page is drawn again, so that the page is drawn once for each click.
    selected : str
        Key of the node that is selected: the rest is dimmed.
    can_open : bool
        Whether a click selects a node and a double click opens it.
    can_turn : bool
        Whether nodes can be switched.
    save_as : str
        Name of the files that the picture can be saved to, without an ending; "" for no saving.
    can_save_svg : bool
        Whether as a drawing too, which goes to the browser with the picture each time.
    """
    canvas = canvas_data(picture)
    drawing = ""
    if save_as and can_save_svg:
        drawing = picture_svg(canvas, st.context.theme.type or "light")
    answers = f"{key}-answers"
    data = canvas | {
        "answers": memory.recall(answers, 0),
        "selected": selected,
        "buttons": shell_strings.BUTTONS,
        "opens": can_open,
        "turns": can_turn,
        "save": {"name": save_as, "svg": drawing} if save_as else None,
        "keys": shell_strings.KEYS_SWITCH if can_turn else shell_strings.GRAPH_KEYS,
    }

    def told(name: str) -> str:
        """What the browser reported just now; the picture drawn next is the answer to it."""
        number, value = (memory.recall(key) or {}).get(name) or (0, "")
        memory.remember(answers, max(number, memory.recall(answers, 0)))
        return str(value)

    def clicked() -> None:
        on_click(Clicked(node=told("clicked")))

    def switched() -> None:
        on_click(Clicked(switch=told("switched")))

    def turned() -> None:
        on_click(Clicked(turned=told("turned")))

    def opened() -> None:
        told("opened")

    with st.container(gap=None):
        _mount_library(key=f"{key}-library", height=1)
        result = _mount(
            key=key,
            data=data,
            on_clicked_change=clicked,
            on_switched_change=switched,
            on_turned_change=turned,
            on_opened_change=opened,
        )
    return str((result.get("opened") or (0, ""))[1])
