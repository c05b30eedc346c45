"""Picture of a topic graph: nodes and edges with places and colours, ready to be drawn."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ..inference.posterior import Estimate
from ..inference.thresholds import SURE_ERRORS, UNSURE
from . import layout, routes, style, zones
from . import strings as drawing_strings
from .layout import Band, Box, Placement, layer_bands, place_boxes
from .routes import route_edges
from .strings import figures, figures_of, is_unsure
from .style import EDGE_WIDTHS, edge_step
from .zones import Zone, place_zones, with_more

# As much as a person can take in; beyond that the picture says what it left out.
MOST_NODES = 300
MOST_EDGES = 1000

TOPIC_SIZE = (126.0, 60.0)
WORD_HEIGHT = 32.0
WORD_WIDTHS = (64.0, 156.0)
# Mean width of a bold letter at 13 px, and the room left and right of a word.
LETTER_WIDTH = 7.6
WORD_PADDING = 26.0


@dataclass(frozen=True)
class Node:
    """A box of the picture.

    Attributes
    ----------
    key : str
        ``topic:ID``, ``word:WORD``, or what is done with a kind: ``fold:NAME``, ``less:NAME``.
    kind : str
        A kind of the grammar in ``graph_style``.
    label : str
        Whole label, as plain text.
    layer : int
        0 for words, higher is more general.
    probability : float or None
        Posterior of a topic; None where the picture is not about a query.
    code : str
        The permanent id of a topic, printed small.
    hover : tuple of str
        Lines shown beside the pointer.
    importance : float
        What is kept first when there is too much to show.
    clamped : bool
        Whether a topic is clamped on or off.
    error : float
        Standard error of the probability.
    before : Estimate or None
        Probability of a topic if nothing were clamped.
    figures : str
        What to print in the place of the probability.
    """

    key: str
    kind: str
    label: str
    layer: int
    probability: float | None = None
    code: str = ""
    hover: tuple[str, ...] = ()
    importance: float = 0.0
    clamped: bool = False
    error: float = 0.0
    before: Estimate | None = None
    figures: str = ""

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the box, so that its lettering fits."""
        if self.layer > 0 and self.kind != "fold":
            return TOPIC_SIZE
        narrowest, widest = WORD_WIDTHS
        wanted = WORD_PADDING + LETTER_WIDTH * len(self.label)
        # A box that folds topics takes no more of their row than they do.
        most = TOPIC_SIZE[0] if self.layer > 0 else widest
        return max(narrowest, min(most, wanted)), WORD_HEIGHT


@dataclass(frozen=True)
class Edge:
    """An arrow from a parent to a child; ``strong`` where both ends are on.

    ``figures`` stand beside it, where any are to be read.
    """

    parent: str
    child: str
    probability: float
    strong: bool
    figures: str = ""


@dataclass(frozen=True)
class LegendItem:
    """An entry of the legend; ``switch`` names the filter that a click on it turns."""

    kind: str
    text: str
    switch: str = ""
    pressed: bool = True


@dataclass(frozen=True)
class Picture:
    """A placed graph; ``left_out_nodes`` and ``left_out_edges`` did not fit into it.

    ``zones`` are panels behind it, each with a heading; ``bands`` show which rows are one layer.
    ``narrow`` is the same as a phone shows it, where that differs.
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


def unsure_legend(nodes: Sequence[Node]) -> tuple[LegendItem, ...]:
    """What pale boxes with a dashed border mean, where there are any."""
    of_topics = (node.probability for node in nodes if node.kind in style.MARKS)
    if not any(known is not None and is_unsure(known) for known in of_topics):
        return ()
    return (LegendItem("unsure", drawing_strings.LEGEND_UNSURE),)


def edge_legend(edges: Sequence[Edge] = (), pale: str = "") -> tuple[LegendItem, ...]:
    """The three widths of an edge, and what is ``pale`` where any of them is."""
    items = [
        LegendItem(f"edge{step}", text) for step, text in enumerate(drawing_strings.LEGEND_EDGES)
    ]
    if not all(edge.strong for edge in edges):
        items.append(LegendItem("edge-pale", pale))
    return tuple(items)


def compose(nodes: Sequence[Node], edges: Sequence[Edge], settled: Sequence[Node] = ()) -> Picture:
    """Keep what can be taken in, and place it; a layer of words keeps its order.

    Parameters
    ----------
    nodes : sequence of Node
    edges : sequence of Edge
    settled : sequence of Node
        Nodes of the picture that this one follows: they keep the places that they have there, and
        leave them empty where they have gone.
    """
    picture, ends = _kept(nodes, edges)
    boxes = [_box(node) for node in picture.nodes]
    if settled:
        placement = _settled(boxes, settled, edges)
    else:
        placement = place_boxes(boxes, ends, keep_order=frozenset({0}))
    return replace(picture, placement=placement, bands=layer_bands(boxes, placement))


def _settled(boxes: Sequence[Box], settled: Sequence[Node], edges: Sequence[Edge]) -> Placement:
    """Places of boxes beside those that stand already."""
    before, ends = _kept(settled, edges)
    standing = [_box(node) for node in before.nodes]
    placement = place_boxes(standing, ends, keep_order=frozenset({0}))
    more = [box for box in boxes if box.key not in placement.centre]
    return with_more(placement, standing, more)


def compose_zones(groups: Sequence[tuple[str, Sequence[Node]]], edges: Sequence[Edge]) -> Picture:
    """Like `compose`, each group of nodes in a zone under its heading."""
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
    """What can be taken in, not placed yet, and the ends of its edges."""
    kept = _most_important(nodes)
    keys = {node.key for node in kept}
    possible = [edge for edge in edges if edge.parent in keys and edge.child in keys]
    joined = sorted(possible, key=lambda edge: -edge.probability)[:MOST_EDGES]
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
    # On a phone a long word is no wider than a topic.
    width = min(width, TOPIC_SIZE[0]) if is_narrow else width
    return Box(node.key, node.layer, width, height, pull=node.probability or node.importance)


def _most_important(nodes: Sequence[Node]) -> tuple[Node, ...]:
    if len(nodes) <= MOST_NODES:
        return tuple(nodes)
    ranked = sorted(nodes, key=lambda node: -node.importance)[:MOST_NODES]
    keys = {node.key for node in ranked}
    return tuple(node for node in nodes if node.key in keys)


def canvas_data(picture: Picture) -> dict[str, object]:
    """Everything that the browser or `picture_svg` draws, as plain lists and numbers.

    Labels are text, and are never read as markup.
    """
    return {
        "nodes": [_node_data(node, picture) for node in picture.nodes],
        "edges": [
            _edge_data(edge, route)
            for edge, route in zip(picture.edges, _routes(picture), strict=True)
        ],
        "legend": [_legend_data(item, picture.palette) for item in picture.legend],
        **_grounds_data(picture),
        "description": picture.description,
        "arrows": style.EDGE_COLOURS,
        "arrow_widths": list(EDGE_WIDTHS),
        "drawing": style.DRAWING,
        "room": layout.ROOM,
        "narrow": _narrow_data(picture.narrow) if picture.narrow else None,
    }


def picture_constants() -> dict[str, object]:
    """Constants of layout, styles and texts, for the explorer, which makes `canvas_data` itself."""
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
            "heading": [zones.HEADING_WIDTH, zones.HEADING_PADDING, zones.HEADING_LETTER],
            "zone_head": zones.HEAD,
            "zone_columns": zones.MOST_COLUMNS,
            "zone_words": zones.MOST_WORDS,
            "spacious": vars(zones.SPACIOUS),
            "narrow": vars(zones.NARROW),
        },
        "sizes": {
            "topic": TOPIC_SIZE,
            "word_height": WORD_HEIGHT,
            "word_widths": WORD_WIDTHS,
            "letter": LETTER_WIDTH,
            "padding": WORD_PADDING,
        },
        "max_nodes": MOST_NODES,
        "max_edges": MOST_EDGES,
        "style": style.CONSTANTS,
        "strings": drawing_strings.PICTURE_STRINGS,
    }


def _narrow_data(picture: Picture) -> dict[str, object]:
    """What of a picture is otherwise on a phone; nodes and edges in the order of the others."""
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
    """Size of a picture, and what stands behind its boxes."""
    return {
        "size": [picture.placement.width, picture.placement.height],
        "zones": [[zone.text, zone.x, zone.width] for zone in picture.zones],
        "bands": [list(band) for band in picture.bands],
    }


def _rounded(route: Sequence[tuple[float, float]]) -> list[list[float]]:
    return [[round(x, 1), round(y, 1)] for x, y in route]


def _node_data(node: Node, picture: Picture) -> dict[str, object]:
    x, y = picture.placement.centre[node.key]
    width, height = node.size
    is_topic = node.kind in ("on", "off", "topic", "focus")
    return {
        "id": node.key,
        "x": round(x, 1),
        "y": round(y, 1),
        "width": width,
        "height": height,
        "lines": list(style.node_lines(node.label)) if is_topic else [node.label],
        "mark": style.MARKS.get(node.kind, ""),
        "figures": _figures(node),
        "pinned": node.clamped,
        # A topic that a person named has its name for an id too.
        "code": "" if node.code == node.label else node.code,
        "hover": list(node.hover),
        **_box_style(node.kind, node.probability, picture.palette),
    }


def _figures(node: Node) -> str:
    """Probability of a topic, and what it was where holding others by hand has moved it."""
    if node.figures or node.probability is None:
        return node.figures
    if node.clamped:
        return drawing_strings.CLAMPED[node.kind]
    shown = figures(node.probability, node.error)
    if node.before is None or not _has_moved(node.probability, node.error, node.before):
        return shown
    before = figures_of(node.before)
    return shown if shown == before else f"{before} → {shown}"


def _has_moved(probability: float, error: float, before: Estimate) -> bool:
    """Whether a probability differs from what it was by more than both errors may do."""
    return abs(probability - before.value) > SURE_ERRORS * math.hypot(error, before.error)


def _box_style(kind: str, probability: float | None, palette: str) -> dict[str, object]:
    paints, outline = {}, style.outline(kind, probability)
    for theme in style.THEMES:
        colours = style.paint(kind, probability or 0.0, palette, theme)
        paints[theme] = [
            colours.fill,
            colours.border,
            colours.text,
            style.FAINT_TEXT_COLOURS[theme],
        ]
    return {
        "paint": paints,
        "border": outline.width,
        "dash": list(outline.dash),
        "rounded": kind in style.ROUNDED,
        "bold": kind in ("present", "absent", "focus"),
        "struck": kind == "absent",
    }


def _routes(picture: Picture) -> list[list[tuple[float, float]]]:
    boxes = map(_box, picture.nodes)
    ends = [(edge.parent, edge.child) for edge in picture.edges]
    return route_edges(boxes, picture.placement.centre, ends)


def _edge_data(edge: Edge, route: list[tuple[float, float]]) -> dict[str, object]:
    return {
        "from": edge.parent,
        "to": edge.child,
        "step": edge_step(edge.probability),
        "strong": edge.strong,
        "figures": edge.figures,
        "route": _rounded(route),
    }


def _legend_data(item: LegendItem, palette: str) -> dict[str, object]:
    """Text, switch and swatch of a legend entry; what is unsure is drawn at one half."""
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
