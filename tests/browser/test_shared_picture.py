"""Pictures of app and explorer: one layout, one renderer, the same colours for the same query."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

import pytest

from orrery.core.drawing import strings as drawing_strings
from orrery.core.drawing.layout import Box, layer_bands, place_boxes
from orrery.core.drawing.picture import (
    Edge,
    LegendItem,
    Node,
    canvas_data,
    compose,
    compose_zones,
    picture_constants,
)
from orrery.core.drawing.placement import place_zones, route_edges, with_more
from orrery.core.drawing.style import MARKS
from orrery.core.drawing.web_page import local_model_script
from orrery.core.export.explorer import COMPOSING, explorer_bytes
from orrery.core.inference.posterior import Estimate
from orrery.core.model.terms import Terms
from tests.browser.appearance import SCHEMES, wait_for_scheme
from tests.browser.conftest import OpenPage, Window
from tests.browser.driving import read_until
from tests.browser.explorer import answers
from tests.core.export.models import sample

pytestmark = pytest.mark.browser

N_MODELS = 150
WORDS = ("a", "sea", "program", "internationalisation", "gravitational waves of stars", "été 🜨 ß")
# Places are rounded to a tenth for the picture; halves are rounded either way.
ROUNDED, EXACT = 0.1001, 1e-6
# Kinds in the legend of a query.
SIGNS = (*MARKS, "present", "absent", "unknown", "fold", "unsure", "pin", "edge0", "edge-pale")
SOURCE = local_model_script(*COMPOSING)
SCRIPT = f"window.shared = (function () {{ {SOURCE}\nreturn {{ layoutOf, composer }}; }})();"


def a_model(seed: int) -> tuple[list[Node], list[Edge]]:
    """Topics in one to four layers and words, with links from above to below."""
    leak = random.Random(seed)
    nodes = []
    for layer in range(leak.randint(1, 4), 0, -1):
        for number in range(leak.randint(1, 14)):
            probability = leak.choice([leak.random(), leak.random() ** 6, 0.5, 1.0])
            label = " · ".join(leak.choices(WORDS, k=leak.randint(1, 3)))
            kind = "on" if probability > 0.5 else "off"
            code = f"L{layer}.{number}"
            # A person may have named a topic like its id.
            label = code if leak.random() < 0.1 else label
            nodes.append(
                Node(f"topic:{code}", kind, label, layer, probability, code, importance=probability)
            )
    for number in range(leak.randint(0, 12)):
        kind = leak.choice(["present", "present", "absent", "unknown"])
        nodes.append(Node(f"word:{number}", kind, leak.choice(WORDS), 0, importance=2.0))
    edges = [
        Edge(parent.key, child.key, leak.random() ** 2, strong=leak.random() < 0.5)
        for parent in nodes
        for child in nodes
        if parent.layer > child.layer and leak.random() < 0.15
    ]
    return nodes, edges


def in_groups(nodes: list[Node], seed: int) -> list[tuple[str, list[Node]]]:
    """The nodes in three groups, of which some may be empty."""
    leak = random.Random(seed)
    place = [leak.choice([0, 0, 1, 2]) for _ in nodes]
    headings = ("only “bass”", "both", "only “a very long query with many words in it”")
    return [(text, [n for n, at in zip(nodes, place, strict=True) if at == group])
            for group, text in enumerate(headings)]  # fmt: skip


def as_box(node: Node) -> Box:
    width, height = node.size
    return Box(node.key, node.layer, width, height, pull=node.probability or node.importance)


def as_data(value: Node | Edge | Box) -> dict[str, Any]:
    """As the browser takes it; what is None has no name there."""
    return {name: part for name, part in vars(value).items() if part is not None}


def assert_same(found: Any, expected: Any, tolerance: float, where: str = "") -> None:
    """Hold two values of JSON to be equal, and numbers to within a tolerance."""
    if isinstance(expected, dict):
        assert found.keys() == expected.keys(), where
        for name, value in expected.items():
            assert_same(found[name], value, tolerance, f"{where}.{name}")
    elif isinstance(expected, list | tuple):
        assert len(found) == len(expected), where
        for number, value in enumerate(expected):
            assert_same(found[number], value, tolerance, f"{where}[{number}]")
    elif isinstance(expected, float):
        assert found == pytest.approx(expected, abs=tolerance), where
    else:
        assert found == expected, where


@pytest.fixture
def browser_layout(open_page: OpenPage):
    """Return a page that has the layout and the makers of pictures, and nothing else."""
    page = open_page(b"<!doctype html><title>layout</title>")
    page.evaluate(SCRIPT)
    constants = picture_constants(Terms())
    page.evaluate("constants => { window.constants = constants; }", constants)
    return page


def test_the_layout_of_the_browser_is_that_of_python(browser_layout) -> None:
    cases, expected = [], []
    for seed in range(N_MODELS):
        nodes, edges = a_model(seed)
        boxes, ends = [as_box(node) for node in nodes], [(e.parent, e.child) for e in edges]
        placement = place_boxes(boxes, ends, frozenset({0}))
        more = [replace(box, key=f"{box.key}'") for box in boxes[:: 1 + seed % 4]]
        more.append(Box("topic:new", 9, 126.0, 60.0))
        added = with_more(placement, boxes, more)
        groups = [(text, list(map(as_box, some))) for text, some in in_groups(nodes, seed)]
        zoned = [place_zones(groups, ends, is_narrow=is_narrow) for is_narrow in (False, True)]
        cases.append({
            "boxes": list(map(vars, boxes)), "ends": ends, "more": list(map(vars, more)),
            "groups": [{"heading": text, "boxes": list(map(vars, some))} for text, some in groups],
        })  # fmt: skip
        expected.append({
            "centre": dict(placement.centre), "size": [placement.width, placement.height],
            "bands": layer_bands(boxes, placement),
            "routes": route_edges(boxes, placement.centre, ends),
            "more": dict(added.centre), "larger": [added.width, added.height],
            "zones": [
                [dict(place.centre), [place.width, place.height],
                 [[zone.text, zone.x, zone.width] for zone in zones]]
                for place, zones in zoned
            ],
        })  # fmt: skip
    found = browser_layout.evaluate(
        """cases => {
          const layout = shared.layoutOf(constants.layout);
          const { placeBoxes, placeZones, layerBands, routeEdges, withMore } = layout;
          const size = ({ width, height }) => [width, height];
          return cases.map(({ boxes, ends, more, groups }) => {
            const placement = placeBoxes(boxes, ends), added = withMore(placement, boxes, more);
            return {
              centre: Object.fromEntries(placement.centre), size: size(placement),
              bands: layerBands(boxes, placement), routes: routeEdges(boxes, placement, ends),
              more: Object.fromEntries(added.centre), larger: size(added),
              zones: [false, true].map((isNarrow) => {
                const placed = placeZones(groups, ends, isNarrow);
                return [Object.fromEntries(placed.centre), size(placed), placed.zones];
              }),
            };
          });
        }""",
        cases,
    )
    for seed, (one, other) in enumerate(zip(found, expected, strict=True)):
        assert_same(one, other, EXACT, str(seed))
    # There are layers with several rows, and arrows that are led around boxes.
    assert sum(bool(case["bands"]) for case in expected) > N_MODELS / 4
    assert sum(any(case["routes"]) for case in expected) > N_MODELS / 4


def test_the_explorer_makes_the_data_that_the_app_sends(browser_layout) -> None:
    cases, expected = [], []
    legend = [LegendItem(kind, kind) for kind in SIGNS]
    for seed in range(0, N_MODELS, 3):
        nodes, edges = a_model(seed)
        groups = in_groups(nodes, seed)
        converged = nodes[: len(nodes) // 2] if seed % 2 else []
        pictures = [compose(nodes, edges, converged), compose_zones(groups, edges)]
        expected.append(
            [canvas_data(replace(one, legend=tuple(legend), description="d")) for one in pictures]
        )
        cases.append({
            "nodes": list(map(as_data, nodes)), "edges": list(map(as_data, edges)),
            "settled": list(map(as_data, converged)), "legend": list(map(vars, legend)),
            "groups": [{"heading": text, "nodes": list(map(as_data, n))} for text, n in groups],
            "figures": {node["id"]: node["figures"] for node in expected[-1][0]["nodes"]},
        })  # fmt: skip
    found = browser_layout.evaluate(
        """cases => {
          const { compose, composeZones } = shared.composer(constants);
          return cases.map(({ figures, groups, ...one }) => {
            // Figures are the business of who asks for a picture.
            const named = (nodes) => nodes.map((node) => ({ ...node, figures: figures[node.key] }));
            const zones = groups.map(({ heading, nodes }) => ({ heading, nodes: named(nodes) }));
            const common = { ...one, nodes: named(one.nodes), description: "d" };
            return [compose(common), composeZones({ ...common, groups: zones })];
          });
        }""",
        cases,
    )
    for seed, (one, other) in enumerate(zip(found, expected, strict=True)):
        assert_same(one, other, ROUNDED, str(seed))


QUERIES = (
    {"q": "space shuttle"},
    {"q": "bank"},
    {"q": "program star orbit memory"},
    {"q": "bank -river"},
    {"q": "star ?orbit -memory"},
    {"q": "wind sea rain storm bank film"},
    {"q": "program progam"},
    {"q": "plate salt table", "quiet": "1"},
    {"q": "bank river", "hold": "L1.3:off", "sel": "word:bank"},
    {"q": "program star", "hide": "off"},
    {"q": "bass band", "q2": "bass fish"},
    {"q": "bank river", "q2": "bank money loan"},
)
# How long colours may take to follow the theme.
FOLLOWS_MS = 30_000
# Visible boxes and arrows, relative to the first box, in units of the picture.
SEEN = """(picture) => {
  const boxes = [...picture.querySelectorAll(".node")], origin = boxes[0].querySelector(".box");
  const at = (rect, side, isRelative) =>
    rect.getAttribute(side) - (isRelative ? origin.getAttribute(side) : 0);
  return {
    boxes: boxes.map((node) => {
      const rect = node.querySelector(".box"), style = getComputedStyle(rect);
      return {
        key: node.dataset.key, said: node.getAttribute("aria-label"),
        text: [...node.querySelectorAll("text")].map((text) => text.textContent),
        place: [at(rect, "x", true), at(rect, "y", true),
          at(rect, "width"), at(rect, "height"), at(rect, "rx")],
        colours: [style.fill, style.stroke, style.strokeWidth, style.strokeDasharray],
        letters: [...node.querySelectorAll("text")].map((text) => getComputedStyle(text).fill),
        struck: node.querySelectorAll(".struck").length, pins: node.querySelectorAll(".pin").length,
      };
    }),
    arrows: [...picture.querySelectorAll(".edge")].map((edge) => {
      const [line, head] = [edge.firstElementChild, edge.lastElementChild].map(getComputedStyle);
      const { x, y, width, height } = edge.getBBox(), first = origin.getBBox();
      return {
        place: [x - first.x, y - first.y, width, height],
        colours: [line.stroke, line.strokeWidth, head.fill],
      };
    }),
    grounds: [...picture.querySelectorAll(".band, .zone rect")].map((one) =>
      [at(one, "x", true), at(one, "y", true), at(one, "width"), at(one, "height")].map(Number)),
    legend: [...picture.querySelectorAll(".legend .item")].map(
      (one) => [one.tagName, one.textContent]),
  };
}"""


def as_numbers(seen: dict[str, Any]) -> dict[str, Any]:
    """Places as numbers that are compared to within rounding; only the app predicts words."""
    for one in (*seen["boxes"], *seen["arrows"]):
        one["place"] = [float(side) for side in one["place"]]
    for one in seen["boxes"]:
        one["said"] = re.sub(
            f", {drawing_strings.expected(Estimate(0, 0))[:-4]}[^,]*", "", one["said"]
        )
    seen["grounds"] = [[float(side) for side in one] for one in seen["grounds"]]
    return seen


def difference(page, other) -> str:
    """Where the pictures of two pages differ, or "" where they do not."""
    seen = [as_numbers(one.locator(".orrery-graph").evaluate(SEEN)) for one in (page, other)]
    try:
        assert_same(*seen, ROUNDED, other.url)
    except AssertionError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("width", [1440, 390])
def test_app_and_explorer_show_the_same_picture(
    demo: tuple[str, Window], open_page: OpenPage, width: int
) -> None:
    url, window = demo
    page = open_page(explorer_bytes(sample(), "sample"))
    n_boxes = 0
    for one in (page, window.page):
        one.set_viewport_size({"width": width, "height": 900})
    for query in QUERIES:
        window.show(f"{url}/query?{urlencode(query)}")
        answers(page, **query)
        for scheme in SCHEMES:
            for one in (page, window.page):
                one.emulate_media(color_scheme=scheme)
                one.mouse.move(0, 0)
                wait_for_scheme(one, scheme)
            read_until(
                page, lambda: difference(page, window.page), lambda text: not text, FOLLOWS_MS
            )
            n_boxes += page.locator(".orrery-graph .node").count()
    assert n_boxes > 150
