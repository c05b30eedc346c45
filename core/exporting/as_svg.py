"""The hierarchy of topics as a drawing that scales and prints."""

from __future__ import annotations

from xml.sax.saxutils import escape

from orrery.core.exporting import style
from orrery.core.exporting.as_graphml import NOT_IN_XML
from orrery.core.exporting.forest import BOX_HEIGHT, BOX_WIDTH, Forest, Place, place_forest
from orrery.core.model import TopicModel
from orrery.core.shelves import NO_SHELF

MARGIN, FOOT, LINE = 24.0, 34.0, 18.0
# The lines below a small picture are not cut.
LEAST_WIDTH = 560.0
HEADING_GAP = 10.0
APART, ON_NO_SHELF = "Topics that stand by themselves", "On no shelf"
SHELVES = (
    "Bold headings are shelves, topics whose documents use similar words: no part of the model."
)
FONT = "Source Sans, Source Sans Pro, Helvetica Neue, Arial, sans-serif"


def svg_bytes(model: TopicModel) -> bytes:
    """Content of the file; each topic hangs from its main parent, and the picture says so."""
    forest = forest_of(model)
    by_topic = {place.topic: place for place in forest.places}
    said = caption(model, forest)
    foot = FOOT + LINE * (len(said) - 1)
    width = max(forest.width, LEAST_WIDTH) + 2 * MARGIN
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
        *(_line(MARGIN, height - MARGIN / 2 - LINE * n, line) for n, line in enumerate(said[::-1])),
        "</svg>\n",
    ]
    return "\n".join(parts).encode("utf-8")


def forest_of(model: TopicModel) -> Forest:
    """Where the topics of a model stand, as it is shown."""
    return place_forest(model.network, model.hidden_topics, model.shown_as, model.shelf_of)


def headings(model: TopicModel, forest: Forest) -> list[tuple[float, str, bool]]:
    """Where each heading stands, what it says, and whether it is bold, the name of a shelf."""
    others = ON_NO_SHELF if _has_shelves(forest) else APART
    said = []
    for top, shelf in forest.headings:
        is_shelf = shelf != NO_SHELF
        text = model.shelf_names[shelf] if is_shelf else others
        said.append((top - HEADING_GAP, text, is_shelf))
    return said


def _has_shelves(forest: Forest) -> bool:
    return any(shelf != NO_SHELF for _, shelf in forest.headings)


def _line(x: float, y: float, text: str, *, is_bold: bool = False) -> str:
    size, fill = (14, style.TEXT) if is_bold else (12, style.FAINT_TEXT)
    weight = ' font-weight="600"' if is_bold else ""
    start = f'<text x="{x:.0f}" y="{y:.0f}" font-size="{size}"{weight} fill="{fill}">'
    return f"{start}{xml_text(text)}</text>"


def caption(model: TopicModel, forest: Forest) -> list[str]:
    """Say what the picture shows and what it leaves out, a line each."""
    total = model.network.graph.n_topics - len(model.wordless_topics)
    shown = f"All {total} topics" if len(forest.places) == total else (
        f"{len(forest.places)} of {total} topics"
    )  # fmt: skip
    hidden = f"; {model.n_hidden} hidden" if model.n_hidden else ""
    united = f"; {len(model.shown_as)} shown as part of others" if model.shown_as else ""
    said = f"{shown}, each beside the one that brings it most often, if any does{hidden}{united}."
    return [said, SHELVES] if _has_shelves(forest) else [said]


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
