"""Networks of pyvis in a browser that may fetch nothing: nodes in their places, names as text."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from orrery.core.drawing.pyvis_network import hierarchy_network, picture_network
from tests.browser.conftest import OpenPage
from tests.browser.driving import assert_stayed_text, read_until
from tests.core.drawing.test_pyvis_network import HOSTILE, hostile, picture_of

pytestmark = pytest.mark.browser

HOVERED = """(key) => {
  network.moveTo({ position: network.getPosition(key), scale: 1, animation: false });
  const { x, y } = network.canvasToDOM(network.getPosition(key));
  const frame = document.getElementById("mynetwork").getBoundingClientRect();
  return [frame.left + x, frame.top + y];
}"""


@pytest.mark.parametrize("menus", [False, True])
@pytest.mark.parametrize("kind", ["hierarchy", "query"])
def test_all_is_drawn_in_place_and_names_stay_text(open_page: OpenPage, kind: str, menus: bool):
    run = hostile()
    if kind == "hierarchy":
        drawn = hierarchy_network(run, 300, "light")
    else:
        drawn = picture_network(picture_of(run), "dark")
    drawn.heading = HOSTILE
    drawn.select_menu = drawn.filter_menu = menus
    page = open_page(drawn.generate_html().encode())
    places = page.evaluate("network.getPositions()")
    assert set(places) == set(drawn.get_nodes())
    for key, place in places.items():
        node = drawn.get_node(key)
        assert [place["x"], place["y"]] == pytest.approx([node["x"], node["y"]], abs=1.0)
    read_until(page, lambda: page.evaluate("network.getScale()"), lambda scale: scale > 0.1)
    expect(page.get_by_role("heading", level=1)).to_have_text(HOSTILE)
    key = next(key for key in drawn.get_nodes() if key.startswith("topic:"))
    page.mouse.move(*page.evaluate(HOVERED, key))
    tip = page.locator(".vis-tooltip")
    expect(tip).to_contain_text("<img src=x")
    expect(tip).to_be_visible()
    assert_stayed_text(page, "img, #mynetwork a")
