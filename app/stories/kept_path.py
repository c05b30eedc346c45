"""A kept way between two topics as a picture, as its address says (no streamlit)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from orrery.app.graph.links import node_name, topic_named
from orrery.app.graph.path import is_real, path_picture, strongest_path
from orrery.app.graph.picture import canvas_data
from orrery.app.graph.svg import picture_svg
from orrery.app.stories.kept import Parameters, chosen
from orrery.app.stories.travelling import Picture
from orrery.app.words import graph as words
from orrery.app.words import stories as story_words

if TYPE_CHECKING:
    from orrery.core.run import Run


# A name of more letters is cut in the heading, which is one line or two.
NAME_LETTERS = 60


def kept_path(run: Run, address: Parameters) -> Picture | None:
    """Draw the strongest path, or say that there is none; None where either end is not there."""
    start, end = (topic_named(run, chosen(address, end, "")) for end in ("topic", "to"))
    if start < 0 or end < 0 or start == end:
        return None
    names = [node_name(run, node) for node in (start, end)]
    shown = {
        "kind": "picture",
        "heading": f"{story_words.PATH}: {story_words.way([_short(name) for name in names])}",
    }
    path = strongest_path(run, start, end)
    if path is None:
        return shown | {"caption": words.NO_PATH.format(start=names[0], end=names[1])}
    strengths = [link.probability for link in path.links]
    if not is_real(run, path):
        between = [node_name(run, node) for node in path.nodes[1:-1]]
        return shown | {"caption": words.no_real_path(names, between, math.prod(strengths))}
    canvas = canvas_data(path_picture(run, path))
    drawn = {"wide": picture_svg(canvas, "light"), "dark": picture_svg(canvas, "dark")}
    return shown | {"caption": words.path(strengths, math.prod(strengths)), **drawn}


def _short(name: str) -> str:
    return name if len(name) <= NAME_LETTERS else f"{name[: NAME_LETTERS - 1].rstrip()}…"
