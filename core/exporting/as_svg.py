"""The hierarchy of topics as a drawing that scales and prints."""

from __future__ import annotations

from xml.sax.saxutils import escape

from orrery.core.exporting import style
from orrery.core.exporting.as_graphml import NOT_IN_XML
from orrery.core.exporting.forest import BOX_HEIGHT, BOX_WIDTH, Forest, Place, place_forest
from orrery.core.model import TopicModel

MARGIN, FOOT = 24.0, 34.0
APART, HEADING_GAP = "Topics that stand by themselves", 10.0
FONT = "Source Sans, Source Sans Pro, Helvetica Neue, Arial, sans-serif"


def svg_bytes(model: TopicModel) -> bytes:
    """Content of the file; each topic hangs from its main parent, and the picture says so."""
    forest = place_forest(model.network, model.hidden_topics, model.shown_as)
    by_topic = {place.topic: place for place in forest.places}
    width, height = forest.width + 2 * MARGIN, forest.height + 2 * MARGIN + FOOT
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
        *([_line(0.0, forest.apart - HEADING_GAP, APART)] if forest.apart else []),
        "</g>",
        _line(MARGIN, height - MARGIN / 2, caption(model, forest)),
        "</svg>\n",
    ]
    return "\n".join(parts).encode("utf-8")


def _line(x: float, y: float, text: str) -> str:
    return f'<text x="{x:.0f}" y="{y:.0f}" font-size="12" fill="{style.FAINT_TEXT}">{text}</text>'


def caption(model: TopicModel, forest: Forest) -> str:
    """Say what the picture shows and what it leaves out."""
    total = model.network.graph.n_topics - len(model.wordless_topics)
    shown = f"All {total} topics" if len(forest.places) == total else (
        f"{len(forest.places)} of {total} topics"
    )  # fmt: skip
    hidden = f"; {model.n_hidden} hidden" if model.n_hidden else ""
    united = f"; {len(model.shown_as)} shown as part of others" if model.shown_as else ""
    return f"{shown}, each beside the one that brings it most often, if any does{hidden}{united}."


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
    """Text that XML shows as it is; characters that it cannot hold become "�"."""
    return escape(NOT_IN_XML.sub("\N{REPLACEMENT CHARACTER}", text))
