"""A picture of topics as a drawing that scales and prints (no streamlit).

It draws what the canvas draws, with the same places, routes and colours. Arrows and boxes are in
the order of the data, by which the browser finds those that were dragged.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from orrery.app.graph import style
from orrery.core.exporting.as_svg import FONT, xml_text

MARGIN = 24.0
HEAD = 9.0
STRETCH = 0.45
# How far from the middle of a box an arrow may begin or end: less than its half width.
CORNER = 12.0
LINE = 16.0
# How far the ground of a layer reaches beyond its boxes, and how strong it is.
BAND_OVERHANG, BAND_OPACITY = 10.0, 0.05
LETTER = 6.6
SMALLEST, LARGEST = 8.0, 13.0
# Figures of an arrow, and how far the ground reaches that parts them from it.
FIGURES, HALO = 12.0, 5.0


def picture_svg(canvas: Mapping[str, Any], theme: str = "light") -> str:
    """Draw the data of a canvas (`graph_picture.canvas_data`) as SVG."""
    wide, tall = (side + 2 * MARGIN for side in canvas["size"])
    by_id = {node["id"]: node for node in canvas["nodes"]}
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide:.0f}" height="{tall:.0f}" '
        f'viewBox="{-wide / 2:.1f} {-tall / 2:.1f} {wide:.1f} {tall:.1f}" font-family="{FONT}">',
        f"<title>{xml_text(canvas['description'])}</title>",
        f'<rect x="{-wide / 2:.1f}" y="{-tall / 2:.1f}" width="100%" height="100%" '
        f'fill="{style.BACKGROUND[theme]}"/>',
        *(_band(band, canvas["size"][0], theme) for band in canvas["bands"]),
        *(_edge(edge, by_id, canvas, theme) for edge in canvas["edges"]),
        *(_box(node, theme) for node in canvas["nodes"]),
        "</svg>\n",
    ]
    return "\n".join(parts)


def _band(band: Sequence[float], wide: float, theme: str) -> str:
    """The ground of one layer, which its rows stand on."""
    y, tall = band
    x, width = -wide / 2 - BAND_OVERHANG, wide + 2 * BAND_OVERHANG
    return (
        f'<rect class="band" x="{x:.1f}" y="{y - tall / 2:.1f}" width="{width:.1f}" '
        f'height="{tall:.1f}" rx="10" fill="{style.TEXT[theme]}" fill-opacity="{BAND_OPACITY}"/>'
    )


def _edge(
    edge: Mapping[str, Any], nodes: Mapping[str, Any], canvas: Mapping[str, Any], theme: str
) -> str:
    """Down from the lower side of the parent, through the gaps, to the upper side of the child."""
    parent, child, route = nodes[edge["from"]], nodes[edge["to"]], edge["route"]
    first = route[0][0] if route else child["x"]
    last = route[-1][0] if route else parent["x"]
    top = child["y"] - child["height"] / 2
    x, y = _aside(parent, first), parent["y"] + parent["height"] / 2
    end = (_aside(child, last), top - HEAD + 1)
    before, curve = (x, y), f"M{x:.1f} {y:.1f}"
    for next_x, next_y in [*route, end]:
        pull = (next_y - y) * STRETCH
        curve += (
            f"C{x:.1f} {y + pull:.1f} {next_x:.1f} {next_y - pull:.1f} {next_x:.1f} {next_y:.1f}"
        )
        before, (x, y) = (x, y), (next_x, next_y)
    middle = (before[0] + end[0]) / 2, (before[1] + end[1]) / 2
    width = canvas["arrow_widths"][edge["step"]]
    colour = canvas["arrows"]["strong" if edge["strong"] else "pale"][theme]
    half = 3 + width / 2
    return (
        f'<g class="edge"><path d="{curve}" fill="none" stroke="{colour}" stroke-width="{width}"/>'
        f"{_arrow_figures(edge['figures'], middle, theme)}"
        f'<path d="M{end[0]:.1f} {top:.1f}L{end[0] - half:.1f} {top - HEAD:.1f} '
        f'{end[0] + half:.1f} {top - HEAD:.1f}z" fill="{colour}"/></g>'
    )


def _arrow_figures(figures: str, middle: tuple[float, float], theme: str) -> str:
    """Figures of an arrow on its last piece, on a ground of their own."""
    if not figures:
        return ""
    ground = f'stroke="{style.BACKGROUND[theme]}" stroke-width="{HALO}" paint-order="stroke"'
    more = f'font-weight="600" {ground} stroke-linejoin="round"'
    return _text(*middle, FIGURES, style.TEXT[theme], xml_text(figures), more)


def _aside(node: Mapping[str, Any], other: float) -> float:
    """Shift the end a little in the direction that the arrow runs."""
    most = max(0.0, node["width"] / 2 - CORNER)
    return float(node["x"] + max(-most, min(most, (other - node["x"]) * 0.3)))


def _box(node: Mapping[str, Any], theme: str) -> str:
    fill, border, text, faint = node["paint"][theme]
    x, y = node["x"] - node["width"] / 2, node["y"] - node["height"] / 2
    dash = f' stroke-dasharray="{" ".join(map(str, node["dash"]))}"' if node["dash"] else ""
    shape = (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{node["width"]:.1f}" height="{node["height"]:.1f}" '
        f'rx="{9 if node["rounded"] else 2}" fill="{fill}" stroke="{border}" '
        f'stroke-width="{node["border"]}"{dash}/>'
    )
    hover = xml_text("\n".join(node["hover"]))
    return f'<g class="node"><title>{hover}</title>{shape}{"".join(_lines(node, text, faint))}</g>'


def _lines(node: Mapping[str, Any], text: str, faint: str) -> list[str]:
    """Text of a box, with its figures and id in the last line."""
    lines = list(node["lines"])
    if node["mark"]:
        lines[0] = f"{node['mark']} {lines[0]}"
    foot = [(node["figures"], 12.0, 600, text), (node["code"], 9.5, 400, faint)]
    foot = [part for part in foot if part[0]]
    y = node["y"] - LINE * (len(lines) - 1 + bool(foot)) / 2
    longest = max(map(len, lines))
    size = max(SMALLEST, min(LARGEST, LARGEST * (node["width"] - 14) / (LETTER * longest)))
    struck = ' text-decoration="line-through"' if node["struck"] else ""
    drawn = [
        _text(node["x"], y + number * LINE, size, text, xml_text(line),
              f'font-weight="{600 if node["bold"] else 400}"{struck}')
        for number, line in enumerate(lines)
    ]  # fmt: skip
    if foot:
        spans = " ".join(_span(*part) for part in foot)
        drawn.append(_text(node["x"], y + len(lines) * LINE + 1, 12.0, text, spans))
    return drawn


def _span(part: str, size: float, weight: int, colour: str) -> str:
    return (
        f'<tspan font-size="{size}" font-weight="{weight}" fill="{colour}">{xml_text(part)}</tspan>'
    )


def _text(x: float, y: float, size: float, colour: str, content: str, more: str = "") -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:.1f}" text-anchor="middle" '
        f'dominant-baseline="central" fill="{colour}" {more}>{content}</text>'
    )
