"""HTML for the display of objects in a notebook; every text is escaped.

The HTML needs no external styles or scripts, and its colours suit a light and a dark notebook.
Drawings are embedded images, in which no script can run.
"""

from __future__ import annotations

import base64
import html
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

GREEN, RED, GREY = "#1E7A43", "#B3372E", "#8A94A3"
# Topics and links in the drawing of layers; a larger drawing is a uniform grey area.
MAX_DOTS, MAX_LINES = 400, 2_000
# Characters of a text in a table.
MAX_TEXT = 120
# Width, row height, margin and radius of a dot in the drawing of layers, in pixels.
WIDTH, ROW, MARGIN, RADIUS = 640.0, 56.0, 16.0, 4.0

_CELL = "text-align:left;padding:2px 10px 2px 0;vertical-align:top"
_FIGURE = "text-align:right;padding:2px 10px 2px 0;font-variant-numeric:tabular-nums"


def escaped(text: object) -> str:
    """Escape a text for any position in HTML, including attributes in quotes."""
    return html.escape(str(text))


def shortened(text: str, limit: int = MAX_TEXT) -> str:
    """Text on one line, cut to at most ``limit`` characters."""
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


def card(title: str, facts: Iterable[str], *parts: str) -> str:
    """Card with a title, facts on one line and ready-made HTML ``parts`` below."""
    line = " · ".join(map(escaped, facts))
    return (
        f'<div style="margin:4px 0"><div><b>{escaped(title)}</b></div>'
        f'<div style="color:{GREY}">{line}</div>{"".join(parts)}</div>'
    )


def table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Table of texts and numbers; numbers are right-aligned with three significant digits."""
    head = "".join(f'<th style="{_CELL}">{escaped(name)}</th>' for name in header)
    body = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows)
    return (
        '<table style="border-collapse:collapse;margin-top:4px">'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    )


def _cell(value: object) -> str:
    if isinstance(value, Html):
        return f'<td style="{_CELL}">{value}</td>'
    if isinstance(value, float):
        return f'<td style="{_FIGURE}">{value:.3g}</td>'
    style = _FIGURE if isinstance(value, int) else _CELL
    return f'<td style="{style}">{escaped(value)}</td>'


class Html(str):
    """Ready-made HTML for a cell of a table."""


def state_mark(probability: float) -> Html:
    """Probability in digits after a green dot (above 0.5) or a red circle."""
    is_on = probability > 0.5
    colour, mark = (GREEN, "●") if is_on else (RED, "○")
    figures = f"{probability:.2f}"
    if probability != round(probability, 2):
        # A rounded value must not suggest certainty.
        figures = {"1.00": "&gt;0.99", "0.00": "&lt;0.01"}.get(figures, figures)
    return Html(f'<span style="color:{colour}">{mark}</span> {figures}')


def bar(value: float, largest: float) -> Html:
    """Bar that extends to the right in green, or to the left in red, from a middle line."""
    share = 50.0 * min(abs(value) / largest, 1.0) if largest > 0 else 0.0
    left = 50.0 if value >= 0 else 50.0 - share
    colour = GREEN if value >= 0 else RED
    return Html(
        '<div style="position:relative;width:160px;height:12px">'
        f'<div style="position:absolute;left:{left:.1f}%;width:{share:.1f}%;height:12px;'
        f'background:{colour}"></div></div>'
    )


def tree(labels: Sequence[str], parents: Mapping[int, int]) -> str:
    """Collapsible hierarchy; each node appears once, below its parent, and roots are at the top."""
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
    """Drawing as an embedded image, in which no script can run; ``text`` is its description."""
    data = base64.b64encode(svg.encode("utf-8")).decode("ascii")
    return (
        f'<img src="data:image/svg+xml;base64,{data}" alt="{escaped(text)}" '
        'style="max-width:100%;height:auto">'
    )


def layers_svg(rows: Sequence[Sequence[int]], links: Iterable[tuple[int, int]]) -> str:
    """Drawing of a graph: a dot for each node, a row for each layer, the most general layer on top.

    ``rows`` are the nodes of each layer, from the top; ``links`` are pairs of parent and child. A
    link to a node that is not in ``rows`` is not drawn.
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
    ][:MAX_LINES]
    dots = [f'<circle cx="{x:.0f}" cy="{y:.0f}" r="{RADIUS:g}"/>' for x, y in place.values()]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH:.0f}" height="{tall:.0f}" '
        f'viewBox="0 0 {WIDTH:.0f} {tall:.0f}"><g stroke="{GREY}" stroke-opacity="0.45">'
        f'{"".join(lines)}</g><g fill="#5B6FA8">{"".join(dots)}</g></svg>'
    )


def graph_card(title: str, graph: Any, *parts: str) -> str:
    """Card of a `core.model.graph.Graph`, with a drawing of its layers if it is small enough.

    ``parts`` are HTML that follows the drawing.
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
    if len(rows) > 1 and graph.n_topics <= MAX_DOTS:
        inner = slice(graph.first_token_edge)
        ends = zip(graph.parent_idx[inner], graph.edge_children()[inner], strict=True)
        links = [(int(parent), int(child)) for parent, child in ends]
        picture = image(layers_svg(rows, links), f"{facts[0]}, a dot a topic")
    return card(title, facts, picture, *parts)
