"""Static SVG of pictures: of any picture for notebooks and files, and of the whole hierarchy.

Positions, routes and colours are the same as in the browser.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any
from xml.sax.saxutils import escape

from ..model.topic_groups import NO_GROUP
from ..model.topic_model import TopicModel
from . import style
from .hierarchy_layout import BOX_HEIGHT, BOX_WIDTH, MAX_TOPICS, Forest, Place, place_forest

MARGIN, FOOT, LINE = 24.0, 34.0, 18.0
# Room for the caption below a small picture.
MIN_WIDTH = 560.0
HEADING_GAP = 10.0
APART, OTHER_TOPICS = "Topics without links", "Other topics"
GROUPS_NOTE = (
    "Bold headings are groups of topics whose documents use similar words: no part of the model."
)
FONT = "Source Sans, Source Sans Pro, Helvetica Neue, Arial, sans-serif"


def svg_bytes(model: TopicModel) -> bytes:
    """SVG file of the hierarchy, with a caption; each topic is beside its main parent."""
    forest = forest_of(model)
    by_topic = {place.topic: place for place in forest.places}
    notes = caption(model, forest)
    foot = FOOT + LINE * (len(notes) - 1)
    width = max(forest.width, MIN_WIDTH) + 2 * MARGIN
    height = forest.height + 2 * MARGIN + foot
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'width="{width:.0f}" height="{height:.0f}" font-family="{FONT}">',
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="9" '
        'markerHeight="9" markerUnits="userSpaceOnUse" orient="auto">'
        f'<path d="M0 0.8 8 4 0 7.2z" fill="{style.EDGE_COLOUR}"/></marker></defs>',
        f'<rect width="100%" height="100%" fill="{style.GROUND}"/>',
        f'<g transform="translate({MARGIN:.0f} {MARGIN:.0f})">',
        *(_edge(by_topic[p.parent], p) for p in forest.places if p.parent >= 0),
        *(_box(model, place) for place in forest.places),
        *(_line(0.0, y, text, is_bold=is_bold) for y, text, is_bold in headings(model, forest)),
        "</g>",
        *(_line(MARGIN, height - MARGIN / 2 - LINE * n, x) for n, x in enumerate(notes[::-1])),
        "</svg>\n",
    ]
    return "\n".join(parts).encode("utf-8")


def forest_of(model: TopicModel, max_topics: int = MAX_TOPICS) -> Forest:
    """Layout of a model's displayed topics; of the most probable ones if there are too many."""
    return place_forest(
        model.network,
        model.hidden_topics,
        model.shown_as,
        model.topic_group_of,
        max_topics,
        model.set_aside_topics,
    )


def headings(model: TopicModel, forest: Forest) -> list[tuple[float, str, bool]]:
    """Position and text of each heading, and whether it is bold, as the names of groups are."""
    others = model.terms.translated(OTHER_TOPICS if _has_topic_groups(forest) else APART)
    found = []
    for top, group in forest.headings:
        is_group = group != NO_GROUP
        text = model.topic_group_names[group] if is_group else others
        found.append((top - HEADING_GAP, text, is_group))
    return found


def _has_topic_groups(forest: Forest) -> bool:
    return any(group != NO_GROUP for _, group in forest.headings)


def _line(x: float, y: float, text: str, *, is_bold: bool = False) -> str:
    size, fill = (14, style.TEXT) if is_bold else (12, style.FAINT_TEXT)
    weight = ' font-weight="600"' if is_bold else ""
    start = f'<text x="{x:.0f}" y="{y:.0f}" font-size="{size}"{weight} fill="{fill}">'
    return f"{start}{xml_text(text)}</text>"


def caption(model: TopicModel, forest: Forest) -> list[str]:
    """Lines that describe what the picture shows and what it leaves out."""
    total = model.network.graph.n_topics - len(model.wordless_topics)
    shown = f"All {total} topics" if len(forest.places) == total else (
        f"{len(forest.places)} of {total} topics"
    )  # fmt: skip
    hidden = f"; {model.n_hidden} hidden" if model.n_hidden else ""
    united = f"; {len(model.shown_as)} shown as part of others" if model.shown_as else ""
    has_links = any(place.parent >= 0 for place in forest.places)
    beside = ", each beside the topic that leads to it most often" if has_links else ""
    notes = [f"{shown}{beside}{hidden}{united}."]
    notes += [GROUPS_NOTE] if _has_topic_groups(forest) else []
    return list(map(model.terms.translated, notes))


def _edge(parent: Place, child: Place) -> str:
    x, end = parent.x + BOX_WIDTH / 2, child.x - BOX_WIDTH / 2 - 1
    middle = (x + end) / 2
    return (
        f'<path d="M{x:.1f} {parent.y:.1f}C{middle:.1f} {parent.y:.1f} {middle:.1f} {child.y:.1f} '
        f'{end:.1f} {child.y:.1f}" fill="none" stroke="{style.EDGE_COLOUR}" '
        f'stroke-width="{style.edge_width(child.probability)}" marker-end="url(#tip)"/>'
    )


def _box(model: TopicModel, place: Place) -> str:
    label, name = model.topic_labels[place.topic], model.network.graph.topic_ids[place.topic]
    # A node of a graph may have its label as its id.
    name = "" if name == label else name
    left, top = place.x - BOX_WIDTH / 2, place.y - BOX_HEIGHT / 2
    return (
        f"<g><title>{xml_text(label)}</title>"
        f'<rect x="{left:.1f}" y="{top:.1f}" width="{BOX_WIDTH:.0f}" height="{BOX_HEIGHT:.0f}" '
        f'rx="7" fill="{style.TOPIC_FILL}" stroke="{style.TOPIC_BORDER}" stroke-width="1.2"/>'
        f'<text x="{place.x:.1f}" y="{place.y - 1:.1f}" font-size="13" text-anchor="middle" '
        f'fill="{style.TEXT}">{xml_text(style.shortened(label))}</text>'
        f'<text x="{place.x:.1f}" y="{place.y + 13:.1f}" font-size="9.5" text-anchor="middle" '
        f'fill="{style.FAINT_TEXT}">{xml_text(style.shortened(name))}</text></g>'
    )


def xml_text(text: str) -> str:
    """Escape text for XML; characters that XML cannot contain become "�"."""
    return escape(NOT_IN_XML.sub("\N{REPLACEMENT CHARACTER}", text))


# Characters that XML 1.0 cannot contain.
NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
PICTURE_MARGIN = 24.0
HEAD, STRETCH, CORNER, PICTURE_LINE, BAND_OVERHANG, BAND_OPACITY, FIGURES, HALO = (
    style.DRAWING[name]
    for name in (
        "head", "stretch", "corner", "line", "band_overhang", "band_opacity", "figures", "halo",
    )
)  # fmt: skip
ROUND, SQUARE = style.DRAWING["round"], style.DRAWING["square"]
SMALL_LINE, SMALL_LETTERS = style.DRAWING["small_line"], style.DRAWING["small_letters"]
LETTER = 6.6
SMALLEST, LARGEST = 8.0, 13.0


def picture_svg(canvas: Mapping[str, Any], theme: str = "light") -> str:
    """Draw the data of a picture (`canvas_data`) as SVG."""
    wide, tall = (side + 2 * PICTURE_MARGIN for side in canvas["size"])
    by_id = {node["id"]: node for node in canvas["nodes"]}
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide:.0f}" height="{tall:.0f}" '
        f'viewBox="{-wide / 2:.1f} {-tall / 2:.1f} {wide:.1f} {tall:.1f}" font-family="{FONT}">',
        f"<title>{xml_text(canvas['description'])}</title>",
        f'<rect x="{-wide / 2:.1f}" y="{-tall / 2:.1f}" width="100%" height="100%" '
        f'fill="{style.BACKGROUND[theme]}"/>',
        *(_band(band, canvas["size"][0], theme) for band in canvas["bands"]),
        *(_picture_edge(edge, by_id, canvas, theme) for edge in canvas["edges"]),
        *(_picture_box(node, theme) for node in canvas["nodes"]),
        "</svg>\n",
    ]
    return "\n".join(parts)


def _band(band: Sequence[float], wide: float, theme: str) -> str:
    """Background of one layer, behind its rows."""
    y, tall = band
    x, width = -wide / 2 - BAND_OVERHANG, wide + 2 * BAND_OVERHANG
    fill = style.TEXT_COLOURS[theme]
    return (
        f'<rect class="band" x="{x:.1f}" y="{y - tall / 2:.1f}" width="{width:.1f}" '
        f'height="{tall:.1f}" rx="10" fill="{fill}" fill-opacity="{BAND_OPACITY}"/>'
    )


def _picture_edge(
    edge: Mapping[str, Any], nodes: Mapping[str, Any], canvas: Mapping[str, Any], theme: str
) -> str:
    """Arrow from the bottom of the parent, through the gaps, to the top of the child."""
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
    """Figures on the last part of an arrow, with a halo."""
    if not figures:
        return ""
    ground = f'stroke="{style.BACKGROUND[theme]}" stroke-width="{HALO}" paint-order="stroke"'
    more = f'font-weight="600" {ground} stroke-linejoin="round"'
    return _text(*middle, FIGURES, style.TEXT_COLOURS[theme], xml_text(figures), more)


def _aside(node: Mapping[str, Any], other: float) -> float:
    """Position of an arrow's end, shifted a little in the direction of its other end."""
    most = max(0.0, node["width"] / 2 - CORNER)
    return float(node["x"] + max(-most, min(most, (other - node["x"]) * 0.3)))


def _picture_box(node: Mapping[str, Any], theme: str) -> str:
    fill, border, text, faint = node["paint"][theme]
    x, y = node["x"] - node["width"] / 2, node["y"] - node["height"] / 2
    dash = f' stroke-dasharray="{" ".join(map(str, node["dash"]))}"' if node["dash"] else ""
    shape = (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{node["width"]:.1f}" height="{node["height"]:.1f}" '
        f'rx="{ROUND if node["rounded"] else SQUARE:g}" fill="{fill}" stroke="{border}" '
        f'stroke-width="{node["border"]}"{dash}/>'
    )
    hover = xml_text("\n".join(node["hover"]))
    return f'<g class="node"><title>{hover}</title>{shape}{"".join(_lines(node, text, faint))}</g>'


def _lines(node: Mapping[str, Any], text: str, faint: str) -> list[str]:
    """Text of a box, with figures and id in the last line."""
    lines = list(node["lines"])
    if node["mark"]:
        lines[0] = f"{node['mark']} {lines[0]}"
    foot = [(node["figures"], 12.0, 600, text), (node["code"], 9.5, 400, faint)]
    foot = [part for part in foot if part[0]]
    longest = max(map(len, lines))
    size = max(SMALLEST, min(LARGEST, LARGEST * (node["width"] - 14) / (LETTER * longest)))
    size = min(size, SMALL_LETTERS) if node["small"] else size
    step, rows = SMALL_LINE if node["small"] else PICTURE_LINE, len(lines) + bool(foot)
    if rows > 3:
        # Three lines and the figures are closer to each other, and smaller.
        size = min(size, node["height"] / 5)
        step = min(step, (node["height"] - size - 9) / (rows - 1))
    y = node["y"] - step * (rows - 1) / 2
    struck = ' text-decoration="line-through"' if node["struck"] else ""
    drawn = [
        _text(node["x"], y + number * step, size, text, xml_text(line),
              f'font-weight="{600 if node["bold"] else 400}"{struck}')
        for number, line in enumerate(lines)
    ]  # fmt: skip
    if foot:
        spans = " ".join(
            f'<tspan font-size="{size}" font-weight="{weight}" fill="{colour}">{xml_text(part)}'
            "</tspan>"
            for part, size, weight, colour in foot
        )
        drawn.append(_text(node["x"], y + len(lines) * step + 1, 12.0, text, spans))
    return drawn


def _text(x: float, y: float, size: float, colour: str, content: str, more: str = "") -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:.1f}" text-anchor="middle" '
        f'dominant-baseline="central" fill="{colour}" {more}>{content}</text>'
    )
