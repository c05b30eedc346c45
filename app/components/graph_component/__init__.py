"""Topic graph that can be clicked: SVG, without a library and without network access.

Its script and styles are assets, because the offline explorer draws the same pictures.
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
    """A click in the picture; one of the fields is set."""

    node: str = ""  # key of the clicked node
    switch: str = ""  # name of the clicked switch in the legend
    turned: str = ""  # key of a node that was shift-clicked, or switched with the space bar


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
    """Draw a picture; return the key of a double-clicked node, or "".

    Parameters
    ----------
    picture : Picture
    key : str
        Widget key.
    on_click : callable
        Called before the page is drawn again, so that each click draws the page once.
    selected : str
        Key of the selected node; other nodes are dimmed.
    can_open : bool
        Whether a click selects a node and a double click opens it.
    can_turn : bool
        Whether nodes can be switched on and off.
    save_as : str
        File name for saving, without an extension; "" disables saving.
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

    def reported(name: str) -> str:
        """Return the value of an event, and record that the next picture responds to it."""
        number, value = (memory.recall(key) or {}).get(name) or (0, "")
        memory.remember(answers, max(number, memory.recall(answers, 0)))
        return str(value)

    def opened() -> None:
        reported("opened")

    result = _mount(
        key=key,
        data=data,
        height="content",
        on_clicked_change=lambda: on_click(Clicked(node=reported("clicked"))),
        on_switched_change=lambda: on_click(Clicked(switch=reported("switched"))),
        on_turned_change=lambda: on_click(Clicked(turned=reported("turned"))),
        on_opened_change=opened,
    )
    return str((result.get("opened") or (0, ""))[1])
