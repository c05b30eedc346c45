"""Small pieces of HTML by which objects show themselves in a notebook; every text is escaped.

Nothing here needs styles or scripts from elsewhere, and colours follow those of the notebook, light
or dark. Pictures are images inside the page, in which no script can run.
"""

from __future__ import annotations

import base64
import html
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

GREEN, RED, GREY = "#1E7A43", "#B3372E", "#8A94A3"
# A picture with more than this is grey all over.
MOST_DOTS, MOST_LINES = 400, 2_000
LONGEST_TEXT = 120
# Sides of the picture of layers, in pixels.
WIDTH, ROW, MARGIN, RADIUS = 640.0, 56.0, 16.0, 4.0

_CELL = "text-align:left;padding:2px 10px 2px 0;vertical-align:top"
_FIGURE = "text-align:right;padding:2px 10px 2px 0;font-variant-numeric:tabular-nums"


def escaped(text: object) -> str:
    """Text that may stand anywhere in HTML, inside quotes too."""
    return html.escape(str(text))


def shortened(text: str, limit: int = LONGEST_TEXT) -> str:
    """Text of at most so many characters, on one line."""
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


def card(title: str, facts: Iterable[str], *parts: str) -> str:
    """A title, facts on one line, and ready-made HTML below.

    Parameters
    ----------
    title : str
        Text.
    facts : iterable of str
        Texts.
    *parts : str
        HTML.
    """
    line = " · ".join(map(escaped, facts))
    return (
        f'<div style="margin:4px 0"><div><b>{escaped(title)}</b></div>'
        f'<div style="color:{GREY}">{line}</div>{"".join(parts)}</div>'
    )


def table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table of texts and numbers; numbers stand on the right, with three digits."""
    head = "".join(f'<th style="{_CELL}">{escaped(name)}</th>' for name in header)
    body = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows)
    return (
        '<table style="border-collapse:collapse;margin-top:4px">'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    )


def _cell(value: object) -> str:
    if isinstance(value, Html):
        return f'<td style="{_CELL}">{value.text}</td>'
    if isinstance(value, float):
        return f'<td style="{_FIGURE}">{value:.3g}</td>'
    style = _FIGURE if isinstance(value, int) else _CELL
    return f'<td style="{style}">{escaped(value)}</td>'


class Html:
    """Ready-made HTML for a cell of a table."""

    def __init__(self, text: str) -> None:
        self.text = text


def state_mark(probability: float) -> Html:
    """A green dot for on and a red circle for off, with the probability in figures."""
    is_on = probability > 0.5
    colour, mark = (GREEN, "●") if is_on else (RED, "○")
    figures = f"{probability:.2f}"
    if probability != round(probability, 2):
        # Nearly sure is not sure.
        figures = {"1.00": "&gt;0.99", "0.00": "&lt;0.01"}.get(figures, figures)
    return Html(f'<span style="color:{colour}">{mark}</span> {figures}')


def bar(value: float, largest: float) -> Html:
    """A bar to the right in green, or to the left in red, from a middle line."""
    share = 50.0 * min(abs(value) / largest, 1.0) if largest > 0 else 0.0
    left = 50.0 if value >= 0 else 50.0 - share
    colour = GREEN if value >= 0 else RED
    return Html(
        '<div style="position:relative;width:160px;height:12px">'
        f'<div style="position:absolute;left:{left:.1f}%;width:{share:.1f}%;height:12px;'
        f'background:{colour}"></div></div>'
    )


def tree(labels: Sequence[str], parents: Mapping[int, int]) -> str:
    """A hierarchy that folds: every node once, below its parent; those without one are on top."""
    below: dict[int, list[int]] = {}
    for node, parent in parents.items():
        below.setdefault(parent, []).append(node)
    tops = [node for node in parents if parents[node] not in parents]

    def branch(node: int) -> str:
        label = escaped(labels[node])
        inside = "".join(map(branch, below.get(node, ())))
        if not inside:
            return f'<div style="margin-left:18px">{label}</div>'
        return f'<details style="margin-left:4px"><summary>{label}</summary>{inside}</details>'

    return f'<div style="margin-top:4px">{"".join(map(branch, tops))}</div>'


def image(svg: str, text: str) -> str:
    """A drawing as an image inside the page, where no script of it can run.

    Parameters
    ----------
    svg : str
    text : str
        What it shows, for those who do not see it.
    """
    data = base64.b64encode(svg.encode("utf-8")).decode("ascii")
    return (
        f'<img src="data:image/svg+xml;base64,{data}" alt="{escaped(text)}" '
        'style="max-width:100%;height:auto">'
    )


def layers_svg(rows: Sequence[Sequence[int]], links: Iterable[tuple[int, int]]) -> str:
    """A dot for every node, a row for every layer, the most general on top.

    Parameters
    ----------
    rows : sequence of sequences of int
        Nodes of each layer, from the top.
    links : iterable of (int, int)
        Nodes above and below.
    """
    place = {
        node: (MARGIN + (WIDTH - 2 * MARGIN) * (column + 0.5) / len(row), MARGIN + ROW * depth)
        for depth, row in enumerate(rows)
        for column, node in enumerate(row)
    }
    tall = 2 * MARGIN + ROW * max(len(rows) - 1, 0)
    lines = [
        f'<path d="M{place[a][0]:.0f} {place[a][1]:.0f}L{place[b][0]:.0f} {place[b][1]:.0f}"/>'
        for a, b in links
        if a in place and b in place
    ][:MOST_LINES]
    dots = [f'<circle cx="{x:.0f}" cy="{y:.0f}" r="{RADIUS:g}"/>' for x, y in place.values()]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH:.0f}" height="{tall:.0f}" '
        f'viewBox="0 0 {WIDTH:.0f} {tall:.0f}"><g stroke="{GREY}" stroke-opacity="0.45">'
        f'{"".join(lines)}</g><g fill="#5B6FA8">{"".join(dots)}</g></svg>'
    )


def graph_card(title: str, graph: Any, *parts: str) -> str:
    """A card of a graph with a picture of its layers, where they are few enough to be seen.

    Parameters
    ----------
    title : str
    graph : orrery.core.model.graph.Graph
    *parts : str
        HTML to stand below.
    """
    heights = graph.heights()[: graph.n_topics]
    rows = [np.flatnonzero(heights == height).tolist() for height in range(graph.n_layers(), 0, -1)]
    facts = [
        f"{graph.n_topics} topics in {len(rows)} layers"
        f" ({' above '.join(str(len(row)) for row in rows)})",
        f"{graph.n_tokens} words",
        f"{graph.n_edges} edges",
    ]
    picture = ""
    if len(rows) > 1 and graph.n_topics <= MOST_DOTS:
        inner = slice(graph.first_token_edge)
        ends = zip(graph.parent_idx[inner], graph.edge_children()[inner], strict=True)
        links = [(int(parent), int(child)) for parent, child in ends]
        picture = image(layers_svg(rows, links), f"{facts[0]}, a dot a topic")
    return card(title, facts, picture, *parts)
