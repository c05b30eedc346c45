"""A topic graph that can be clicked: SVG, with no library and nothing loaded from the network.

Its script and styles are assets, for the offline explorer draws the same pictures.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from ....core.drawing import strings as drawing_strings
from ....core.drawing.picture import Picture, canvas_data
from ....core.drawing.web_page import local_model_script, local_model_style
from ...shell import memory
from ...shell import strings as shell_strings


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


_mount = st.components.v2.component(
    "orrery_graph",
    html='<div class="orrery-graph"></div>',
    css=local_model_style(),
    js=f"{local_model_script()}\nexport default drawLocalModel;",
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
    """
    answers = f"{key}-answers"
    data = canvas_data(picture) | {
        "answers": memory.recall(answers, 0),
        "selected": selected,
        "buttons": drawing_strings.BUTTONS,
        "opens": can_open,
        "turns": can_turn,
        "save": {"name": save_as} if save_as else None,
        "keys": drawing_strings.KEYS_SWITCH if can_turn else shell_strings.GRAPH_KEYS,
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

    result = _mount(
        key=key,
        data=data,
        height="content",
        on_clicked_change=clicked,
        on_switched_change=switched,
        on_turned_change=turned,
        on_opened_change=opened,
    )
    return str((result.get("opened") or (0, ""))[1])
