"""Topic graphs as pyvis networks with our colours and positions, which a notebook can restyle."""

from __future__ import annotations

import html
import re
import webbrowser
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from pyvis.network import Network

from ..model.topic_model import TopicModel
from . import style
from .hierarchy_layout import BOX_HEIGHT, BOX_WIDTH
from .picture import LETTER_WIDTH, Picture, canvas_data
from .strings import percent
from .svg import FONT, caption, forest_of, headings
from .web_page import asset

Theme = Literal["light", "dark"]
# Elements of pyvis's template that load a file from the network.
LOADED = re.compile(r"<(link|script)\b[^>]*\bhttps?:[^>]*>(\s*</script>)?")
# Without margins, the size constraints set the size of the whole box. A plain 0 would be ignored by
# vis-network, so each side is given.
MARGIN = dict.fromkeys(("top", "right", "bottom", "left"), 0)
CORNERS = {True: 9, False: 2}
FONT_SIZE, HEADING_SIZE = 13, 14
HEADING_STYLE = "<style>h1 { font: 600 14px sans-serif }</style>"
# Size of arrow tips relative to the default, which covers half of the gap between two layers.
TIP_SIZE = 0.6
# Border, body margin and a scroll bar of the page inside a notebook's frame.
FRAME = "24px"


class TopicNetwork(Network):  # type: ignore[misc]
    """A pyvis network whose HTML makes no network request and runs no script from a model's text.

    The parameters of `pyvis.network.Network` cannot achieve this: its template loads Bootstrap
    from the network even with ``cdn_resources="in_line"``, does not escape the heading, and inserts
    the titles of all nodes as HTML as soon as one of them contains "href". `generate_html` removes
    these parts of the template, and a content security policy blocks any other request.
    `write_html`, `show` and the notebook use the same HTML, and no folder ``lib`` is written.

    Parameters
    ----------
    direction : {"horizontal", "vertical"}
        Direction in which edges leave a parent.
    theme : {"light", "dark"}
    """

    def __init__(self, direction: str, theme: Theme) -> None:
        ground, text = style.BACKGROUND[theme], style.TEXT_COLOURS[theme]
        super().__init__(directed=True, bgcolor=ground, font_color=text, cdn_resources="in_line")
        self.toggle_physics(False)
        self.set_edge_smooth("cubicBezier")
        self.options.edges.smooth.forceDirection = direction

    def generate_html(
        self, name: str = "index.html", local: bool = True, notebook: bool = False
    ) -> str:
        """Page with the network, including vis-network; the parameters are the same as in pyvis."""
        source = (Path(self.template_dir) / self.path).read_text(encoding="utf-8")
        source = LOADED.sub("", source).replace("tooltip_link", "false")
        # The heading occurs twice.
        source = source.replace("<h1>{{heading}}</h1>", "", 1)
        source = source.replace("<head>", f"<head>{asset('shared/head.html')}{HEADING_STYLE}", 1)
        # With `notebook`, pyvis renders this attribute in place of its file.
        self.template = self.templateEnv.overlay(autoescape=True).from_string(source)
        return str(super().generate_html(name, local, notebook=True))

    def write_html(
        self, name: str, local: bool = True, notebook: bool = False, open_browser: bool = False
    ) -> None:
        """Write the page as UTF-8; pyvis uses the default encoding of the system."""
        Path(name).write_text(self.generate_html(name), encoding="utf-8")
        if open_browser:
            webbrowser.open(Path(name).resolve().as_uri())

    def _repr_html_(self) -> str:
        height = f"calc({self.height} + {FRAME})"
        return (
            f'<iframe srcdoc="{html.escape(self.generate_html())}" sandbox="allow-scripts" '
            f'style="{html.escape(f"width:{self.width};height:{height};border:0")}"></iframe>'
        )

    def add_box(
        self,
        key: str,
        place: tuple[float, float],
        size: tuple[float, float],
        lines: Sequence[str],
        title: str,
        colours: Sequence[str],
        **options: Any,
    ) -> None:
        """Add a node as a box.

        Parameters
        ----------
        place, size : tuple of float
            Centre, and width and height, in pixels.
        lines : sequence of str
            Text of the box.
        title : str
            Text of the tooltip.
        colours : sequence of str
            Colours of fill, border and text.
        **options
            Further options of vis-network, or data of the caller.
        """
        fill, border, text = colours
        paint = {"background": fill, "border": border}
        self.add_node(
            key,
            label="\n".join(lines),
            shape="box",
            title=title,
            x=place[0],
            y=place[1],
            color=paint | {"highlight": paint},
            widthConstraint={"minimum": size[0], "maximum": size[0]},
            heightConstraint={"minimum": size[1]},
            margin=MARGIN,
            **options,
        )
        self.get_node(key)["font"] = {"color": text, "size": FONT_SIZE, "face": FONT}

    def add_arrow(
        self, parent: str, child: str, probability: float, theme: Theme, *, strong: bool = True
    ) -> None:
        """Add an edge with the probability that the parent activates its child."""
        self.add_edge(
            parent,
            child,
            width=style.edge_width(probability),
            arrows={"to": {"enabled": True, "scaleFactor": TIP_SIZE}},
            color=style.EDGE_COLOURS["strong" if strong else "pale"][theme],
            title=percent(probability),
            probability=probability,
        )


def hierarchy_network(model: TopicModel, max_topics: int, theme: Theme) -> TopicNetwork:
    """Network of the topics of a model, each to the right of its main parent, as in the SVG export.

    Nodes have the keys ``topic:ID``; the headings of topic groups are nodes ``heading:NUMBER``. If
    topics are left out, the heading of the page states their number.
    """
    forest = forest_of(model, max_topics)
    network = TopicNetwork("horizontal", theme)
    if forest.left_out:
        network.heading = caption(model, forest)[0]
    colours = style.paint("topic", 0.0, style.DEFAULT_PALETTE, theme)
    ids = model.network.graph.topic_ids
    for place in forest.places:
        label = model.topic_labels[place.topic]
        network.add_box(
            f"topic:{ids[place.topic]}",
            (place.x, place.y),
            (BOX_WIDTH, BOX_HEIGHT),
            (style.shortened(label),),
            f"{label}\n{ids[place.topic]}",
            (colours.fill, colours.border, colours.text),
            borderWidth=style.outline("topic", None).width,
            shapeProperties={"borderRadius": CORNERS[True]},
        )
    for place in forest.places:
        if place.parent >= 0:
            ends = f"topic:{ids[place.parent]}", f"topic:{ids[place.topic]}"
            network.add_arrow(*ends, place.probability, theme)
    for number, (y, text, is_bold) in enumerate(headings(model, forest)):
        x = LETTER_WIDTH * len(text) / 2
        key = f"heading:{number}"
        network.add_node(key, label=text, shape="text", x=x, y=y)
        network.get_node(key)["font"] |= {"size": HEADING_SIZE if is_bold else FONT_SIZE}
    return network


def picture_network(picture: Picture, theme: Theme) -> TopicNetwork:
    """Network with the boxes and arrows of a picture of the app; vis-network routes the arrows.

    The nodes have the same keys as in the picture: ``topic:ID``, ``word:WORD``, ``unknown:WORD``.
    """
    network = TopicNetwork("vertical", theme)
    boxes: list[dict[str, Any]] = canvas_data(picture)["nodes"]  # type: ignore[assignment]
    for node, box in zip(picture.nodes, boxes, strict=True):
        lines = [*box["lines"], *filter(None, [box["figures"]])]
        lines[0] = f"{box['mark']} {lines[0]}".strip()
        network.add_box(
            node.key,
            (box["x"], box["y"]),
            (box["width"], box["height"]),
            lines,
            "\n".join(node.hover),
            box["paint"][theme][:3],
            borderWidth=box["border"],
            shapeProperties={
                "borderRadius": CORNERS[box["rounded"]],
                "borderDashes": box["dash"] or False,
            },
            probability=node.probability,
        )
    for edge in picture.edges:
        network.add_arrow(edge.parent, edge.child, edge.probability, theme, strong=edge.strong)
    return network
