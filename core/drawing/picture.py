"""Picture of a topic graph: nodes and edges with positions and colours, ready to be drawn."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ..inference.posterior import Estimate
from ..inference.thresholds import SURE_ERRORS, UNSURE, group_of
from ..model.terms import Terms
from . import layout, style
from . import placement as routes
from . import strings as drawing_strings
from .layout import Band, Box, Placement, layer_bands, place_boxes
from .placement import Zone, place_zones, route_edges, with_more
from .strings import figures, figures_of
from .style import EDGE_WIDTHS, bit_step, edge_step

# As much as a person can take in; the picture reports what it leaves out.
MAX_NODES = 300
MAX_EDGES = 1000

TOPIC_SIZE = (126.0, 60.0)
# Drawn size of a topic that is off. Its place is as large as any topic's, so that nothing
# moves when it is switched on.
OFF_SIZE = (108.0, 50.0)
WORD_HEIGHT = 32.0
WORD_WIDTHS = (64.0, 156.0)
# Mean width of a bold letter at 13 px, and the padding of a word on both sides together.
LETTER_WIDTH = 7.6
WORD_PADDING = 26.0


@dataclass(frozen=True)
class Node:
    """A box of the picture."""

    key: str  # topic:ID or word:WORD; fold:KIND or less:KIND for a box that unfolds or folds
    kind: str  # a kind of `style.PALETTES` or `style.NEUTRAL`
    label: str  # whole, as plain text
    layer: int  # 0 for words, higher for more general topics
    probability: float | None = None  # posterior of a topic; None if the picture has no query
    code: str = ""  # permanent id of a topic, in small print
    hover: tuple[str, ...] = ()  # lines of the tooltip
    importance: float = 0.0  # the most important nodes are kept if there are too many
    clamped: bool = False
    error: float = 0.0  # standard error of the probability
    before: Estimate | None = None  # probability if no topic were clamped
    figures: str = ""  # printed instead of the probability

    @property
    def group(self) -> str:
        """Group of a topic in an answer: ``on``, ``unsure`` or ``off``; else the kind."""
        is_answered = self.kind in style.MARKS and self.probability is not None
        return group_of(self.probability or 0.0) if is_answered else self.kind

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the box, such that its text fits."""
        if self.layer > 0 and self.kind != "fold":
            return TOPIC_SIZE
        narrowest, widest = WORD_WIDTHS
        wanted = WORD_PADDING + LETTER_WIDTH * len(self.label)
        # A box that folds topics is at most as wide as a topic.
        most = TOPIC_SIZE[0] if self.layer > 0 else widest
        return max(narrowest, min(most, wanted)), WORD_HEIGHT


@dataclass(frozen=True)
class Edge:
    """An arrow from a parent to a child; ``strong`` if both ends are on.

    ``figures`` are printed beside it. Its width is by ``bits``, the mutual information of its ends,
    or else by the probability.
    """

    parent: str
    child: str
    probability: float
    strong: bool
    figures: str = ""
    bits: float | None = None

    @property
    def step(self) -> int:
        """Index of its width."""
        return edge_step(self.probability) if self.bits is None else bit_step(self.bits)


@dataclass(frozen=True)
class LegendItem:
    """An entry of the legend; a click on it toggles the filter ``switch``."""

    kind: str
    text: str
    switch: str = ""
    pressed: bool = True


@dataclass(frozen=True)
class Picture:
    """A graph with positions; ``left_out_nodes`` and ``left_out_edges`` did not fit into it.

    ``zones`` are panels behind it, each with a heading; ``bands`` show which rows are one layer.
    ``narrow`` is the layout for a phone, if it differs. ``frame`` is the size of the picture before
    topics were clamped, so that its scale stays.
    """

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    placement: Placement
    palette: str = style.DEFAULT_PALETTE
    legend: tuple[LegendItem, ...] = ()
    left_out_nodes: int = 0
    left_out_edges: int = 0
    description: str = ""
    counts: dict[str, int] = field(default_factory=dict)
    zones: tuple[Zone, ...] = ()
    bands: tuple[Band, ...] = ()
    narrow: Picture | None = None
    frame: tuple[float, float] | None = None


def in_terms(picture: Picture, terms: Terms) -> Picture:
    """Picture with its legend and description in a model's own words for topics and words."""
    legend = tuple(replace(item, text=terms.translated(item.text)) for item in picture.legend)
    return replace(picture, legend=legend, description=terms.translated(picture.description))


def unsure_legend(nodes: Sequence[Node]) -> tuple[LegendItem, ...]:
    """Legend entry of pale boxes with a dashed border, if there are any."""
    if not any(node.group == "unsure" for node in nodes):
        return ()
    return (LegendItem("unsure", drawing_strings.LEGEND_UNSURE_LIMITS),)


def edge_legend(edges: Sequence[Edge] = (), pale: str = "") -> tuple[LegendItem, ...]:
    """Legend entries of the three widths of an edge, and of pale edges if there are any."""
    by_bits = any(edge.bits is not None for edge in edges)
    texts = drawing_strings.LEGEND_BITS if by_bits else drawing_strings.LEGEND_EDGES
    items = [LegendItem(f"edge{step}", text) for step, text in enumerate(texts)]
    if not all(edge.strong for edge in edges):
        items.append(LegendItem("edge-pale", pale))
    return tuple(items)


def compose(
    nodes: Sequence[Node], edges: Sequence[Edge], before_nodes: Sequence[Node] = ()
) -> Picture:
    """Drop the least important nodes and edges of a large graph, and place the others.

    Layer 0, the words, keeps its order. The nodes ``before_nodes`` of the previous picture keep
    their positions, and a removed node leaves a gap.
    """
    picture, ends = _kept(nodes, edges)
    boxes = [_box(node) for node in picture.nodes]
    frame = None
    if before_nodes:
        before, ends_before = _kept(before_nodes, edges)
        placed = [_box(node) for node in before.nodes]
        placement = place_boxes(placed, ends_before, keep_order=frozenset({0}))
        frame = placement.width, placement.height
        more = [box for box in boxes if box.key not in placement.centre]
        placement = with_more(placement, placed, more)
    else:
        placement = place_boxes(boxes, ends, keep_order=frozenset({0}))
    bands = layer_bands(boxes, placement)
    return replace(picture, placement=placement, bands=bands, frame=frame)


def compose_zones(groups: Sequence[tuple[str, Sequence[Node]]], edges: Sequence[Edge]) -> Picture:
    """Place each group of nodes in a zone under its heading, otherwise like `compose`."""
    picture, ends = _kept([node for _, nodes in groups for node in nodes], edges)
    keys = {node.key for node in picture.nodes}

    def placed(*, is_narrow: bool) -> Picture:
        boxes = [
            (text, [_box(n, is_narrow=is_narrow) for n in nodes if n.key in keys])
            for text, nodes in groups
        ]
        placement, zones = place_zones(boxes, ends, is_narrow=is_narrow)
        bands = layer_bands([box for _, group in boxes for box in group], placement)
        return replace(picture, placement=placement, zones=zones, bands=bands)

    return replace(placed(is_narrow=False), narrow=placed(is_narrow=True))


def _kept(nodes: Sequence[Node], edges: Sequence[Edge]) -> tuple[Picture, list[tuple[str, str]]]:
    """Picture of the most important nodes and edges, not placed yet, and the ends of its edges."""
    kept = tuple(nodes)
    if len(nodes) > MAX_NODES:
        ranked = sorted(nodes, key=lambda node: -node.importance)[:MAX_NODES]
        important = {node.key for node in ranked}
        kept = tuple(node for node in nodes if node.key in important)
    keys = {node.key for node in kept}
    possible = [edge for edge in edges if edge.parent in keys and edge.child in keys]
    joined = sorted(possible, key=lambda edge: -edge.probability)[:MAX_EDGES]
    # Pale arrows first, so that the dark ones are drawn over them.
    joined.sort(key=lambda edge: (edge.strong, edge.probability))
    picture = Picture(
        nodes=kept,
        edges=tuple(joined),
        placement=Placement({}, 0.0, 0.0),
        left_out_nodes=len(nodes) - len(kept),
        left_out_edges=len(possible) - len(joined),
    )
    return picture, [(edge.parent, edge.child) for edge in joined]


def _box(node: Node, *, is_narrow: bool = False) -> Box:
    width, height = node.size
    # On a phone a long word is at most as wide as a topic.
    width = min(width, TOPIC_SIZE[0]) if is_narrow else width
    return Box(node.key, node.layer, width, height, pull=node.probability or node.importance)


def canvas_data(picture: Picture) -> dict[str, object]:
    """Everything that the browser or `picture_svg` draws, as plain lists and numbers.

    Labels are text, never markup.
    """
    ends = [(edge.parent, edge.child) for edge in picture.edges]
    routes_of_edges = route_edges(map(_box, picture.nodes), picture.placement.centre, ends)
    return {
        "nodes": [_node_data(node, picture) for node in picture.nodes],
        "edges": [
            {
                "from": edge.parent,
                "to": edge.child,
                "step": edge.step,
                "strong": edge.strong,
                "figures": edge.figures,
                "route": _rounded(route),
            }
            for edge, route in zip(picture.edges, routes_of_edges, strict=True)
        ],
        "legend": [_legend_data(item, picture.palette) for item in picture.legend],
        **_grounds_data(picture),
        "description": picture.description,
        "arrows": style.EDGE_COLOURS,
        "arrow_widths": list(EDGE_WIDTHS),
        "drawing": style.DRAWING,
        "room": layout.ROOM,
        "frame": None if picture.frame is None else list(picture.frame),
        "narrow": _narrow_data(picture.narrow) if picture.narrow else None,
    }


def picture_constants(terms: Terms) -> dict[str, object]:
    """Constants of layout, style and strings; with them the explorer makes `canvas_data` itself."""
    return {
        "layout": {
            "gap_x": layout.GAP_X,
            "gap_y": layout.GAP_Y,
            "layer_gap": layout.LAYER_GAP,
            "room": layout.ROOM,
            "room_share": layout.ROOM_SHARE,
            "rounding": layout.ROUNDING,
            "sweeps": layout.SWEEPS,
            "digits": layout.DIGITS,
            "clearance": routes.CLEARANCE,
            "heading": [routes.HEADING_WIDTH, routes.HEADING_PADDING, routes.HEADING_LETTER],
            "zone_head": routes.HEAD,
            "zone_columns": routes.MAX_COLUMNS,
            "zone_words": routes.MAX_WORDS,
            "spacious": vars(routes.SPACIOUS),
            "narrow": vars(routes.NARROW),
        },
        "sizes": {
            "topic": TOPIC_SIZE,
            "topic_off": OFF_SIZE,
            "word_height": WORD_HEIGHT,
            "word_widths": WORD_WIDTHS,
            "letter": LETTER_WIDTH,
            "padding": WORD_PADDING,
        },
        "max_nodes": MAX_NODES,
        "max_edges": MAX_EDGES,
        "style": style.CONSTANTS,
        "strings": terms.in_all(drawing_strings.PICTURE_STRINGS),
    }


def _narrow_data(picture: Picture) -> dict[str, object]:
    """Positions, widths and routes on a phone, in the order of the nodes and edges."""
    boxes = [_box(node, is_narrow=True) for node in picture.nodes]
    centre = picture.placement.centre
    ends = [(edge.parent, edge.child) for edge in picture.edges]
    return {
        "nodes": [
            {"x": round(centre[b.key][0], 1), "y": round(centre[b.key][1], 1), "width": b.width}
            for b in boxes
        ],
        "edges": [{"route": _rounded(route)} for route in route_edges(boxes, centre, ends)],
        **_grounds_data(picture),
    }


def _grounds_data(picture: Picture) -> dict[str, object]:
    """Size of a picture, and the zones and bands behind its boxes."""
    return {
        "size": [picture.placement.width, picture.placement.height],
        "zones": [[zone.text, zone.x, zone.width] for zone in picture.zones],
        "bands": [list(band) for band in picture.bands],
    }


def _rounded(route: Sequence[tuple[float, float]]) -> list[list[float]]:
    return [[round(x, 1), round(y, 1)] for x, y in route]


def _node_data(node: Node, picture: Picture) -> dict[str, object]:
    x, y = picture.placement.centre[node.key]
    is_small = node.group == "off" and not node.clamped and node.layer > 0
    width, height = OFF_SIZE if is_small else node.size
    is_topic = node.kind in ("on", "off", "topic", "focus")
    return {
        "id": node.key,
        "x": round(x, 1),
        "y": round(y, 1),
        "width": width,
        "height": height,
        "lines": list(style.node_lines(node.label)) if is_topic else [node.label],
        "mark": style.LEGEND_MARKS.get(node.group, ""),
        "figures": _figures(node),
        "pinned": node.clamped,
        "small": is_small,
        # The label that a person gave to a topic may be its id.
        "code": "" if node.code == node.label else node.code,
        "hover": list(node.hover),
        **_box_style(node.kind, node.probability, picture.palette),
    }


def _figures(node: Node) -> str:
    """Probability of a topic, and the one before clamping if the difference exceeds the errors."""
    if node.figures or node.probability is None:
        return node.figures
    if node.clamped:
        return drawing_strings.CLAMPED[node.kind]
    shown = figures(node.probability, node.error)
    if node.before is None:
        return shown
    margin = SURE_ERRORS * math.hypot(node.error, node.before.error)
    before = figures_of(node.before)
    has_moved = abs(node.probability - node.before.value) > margin and shown != before
    return f"{before} → {shown}" if has_moved else shown


def _box_style(kind: str, probability: float | None, palette: str) -> dict[str, object]:
    paints, outline = {}, style.outline(kind, probability)
    for theme in style.THEMES:
        colours = style.paint(kind, probability or 0.0, palette, theme)
        faint = style.FAINT_TEXT_COLOURS[theme]
        paints[theme] = [colours.fill, colours.border, colours.text, faint]
    return {
        "paint": paints,
        "border": outline.width,
        "dash": list(outline.dash),
        "rounded": kind in style.ROUNDED,
        "bold": kind in style.BOLD,
        "struck": kind in style.STRUCK,
    }


def _legend_data(item: LegendItem, palette: str) -> dict[str, object]:
    """Text, switch and symbol of a legend entry; an unsure topic is drawn at one half."""
    probability = {"on": 1.0, "off": UNSURE[0], "unsure": 0.5}.get(item.kind)
    entry: dict[str, object] = {
        "kind": item.kind,
        "text": item.text,
        "switch": item.switch,
        "pressed": item.pressed,
        "mark": style.LEGEND_MARKS.get(item.kind, ""),
    }
    kind = "off" if item.kind == "unsure" else item.kind
    is_box = kind in style.NEUTRAL or kind in style.MARKS
    return entry | (_box_style(kind, probability, palette) if is_box else {})
