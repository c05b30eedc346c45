"""Phone, tablet, desk and wall: what every page of pictures owes to its window."""

from __future__ import annotations

import io
from itertools import product

import numpy as np
import pytest
from PIL import Image

from tests.browser.conftest import SCHEMES, Window

pytestmark = pytest.mark.browser

WINDOWS = ((390, 844), (1024, 768), (1280, 800), (1920, 1080))
PAGES = (
    "home",
    "query?q=bass+band+song&sel=topic:L1.10",
    "query?q=bass+band+song&q2=bass+fish+net",
    "graph",
    "graph?topic=L1.10",
    "query?tour=3&q=bass+band+song",
)
# Elements that scroll inside the page; a picture that is too wide for a phone may, sideways.
SCROLLING = """() => [...document.querySelectorAll('[data-testid="stMain"] *')].filter((box) => {
  const { overflowX, overflowY } = getComputedStyle(box), scrolls = /auto|scroll/;
  const down = scrolls.test(overflowY) && box.scrollHeight > box.clientHeight;
  const aside = scrolls.test(overflowX) && box.scrollWidth > box.clientWidth;
  return box.clientHeight > 0 && !["TEXTAREA", "INPUT"].includes(box.tagName) && (down || aside);
}).map((box) => `${box.tagName} ${box.dataset.testid} ${box.className}`)"""
COVERED = """() => [...document.querySelectorAll('[data-testid="stMain"] button')]
.filter((button) => {
  const { left, top, width, height } = button.getBoundingClientRect();
  if (!width || top < 0 || top + height > innerHeight) return false;
  let seen = document.elementFromPoint(left + width / 2, top + height / 2);
  while (seen?.shadowRoot) {
    const inside = seen.shadowRoot.elementFromPoint(left + width / 2, top + height / 2);
    if (!inside || inside === seen) break;
    seen = inside;
  }
  return !(seen && (button.contains(seen) || seen.contains(button)));
}).map((button) => button.innerText || button.title)"""


def opened(window: Window, address: str, width: int, height: int, scheme: str = "light") -> None:
    """Open a page in a window of this size."""
    window.page.set_viewport_size({"width": width, "height": height})
    window.page.emulate_media(color_scheme=scheme)
    window.page.goto(address)
    window.settle()


@pytest.mark.parametrize("scheme", SCHEMES)
def test_no_page_scrolls_inside_itself_and_no_button_is_covered(
    demo: tuple[str, Window], scheme: str
) -> None:
    url, window = demo
    for size, path in product(WINDOWS, PAGES):
        opened(window, f"{url}/{path}", *size, scheme)
        assert window.page.evaluate(SCROLLING) == [], (size, path)
        assert window.page.evaluate(COVERED) == [], (size, path)
        main = window.page.locator('[data-testid="stMain"]')
        assert main.evaluate("box => box.scrollWidth <= box.clientWidth"), (size, path)


def test_the_picture_can_be_read_and_its_card_is_near(demo: tuple[str, Window]) -> None:
    url, window = demo
    page = window.page
    for width, height in WINDOWS:
        opened(window, f"{url}/query?q=bass+band+song&sel=topic:L1.10", width, height)
        # Letters are 13 px at full size.
        assert 13 * page.locator(".orrery-graph").evaluate("box => box.scale()") >= 9
        picture, card, reasons = (
            page.locator(place).bounding_box()
            for place in (".orrery-graph", ".st-key-card", ".st-key-reasons")
        )
        if width <= 1024:
            assert picture["width"] >= 0.9 * reasons["width"] >= 0.6 * width
            assert picture["y"] + picture["height"] <= card["y"] <= reasons["y"]
        else:
            assert card["x"] >= picture["x"] + picture["width"]


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_map_fills_the_window_and_cuts_no_word(demo: tuple[str, Window], scheme: str) -> None:
    url, window = demo
    for width, height in WINDOWS:
        opened(window, f"{url}/graph", width, height, scheme)
        room = window.page.locator(".orrery-map .room").bounding_box()
        assert room["y"] + room["height"] >= 0.85 * height
        labels = window.page.locator(".orrery-map .box .name").evaluate_all(
            "all => all.map(name => [...name.children].map(line => line.textContent).join(' '))"
        )
        assert all(labels), "no box is empty"
        for label in labels:
            whole = label.replace("\N{NO-BREAK SPACE}", " ").removesuffix(" …")
            assert "…" not in whole, label


def test_every_topic_is_reached_from_the_map_by_zooming_in(demo: tuple[str, Window]) -> None:
    url, window = demo
    page = window.page
    opened(window, f"{url}/graph", 1024, 768)
    boxes = page.locator(".orrery-map .box")
    seen = set(boxes.evaluate_all("all => all.map(box => box.dataset.key)"))
    more = page.locator(".orrery-map .box[data-key='more:']")
    whole = page.get_by_role("button", name="Fit the whole picture")
    for number in range(more.count()):
        more.nth(number).click()
        page.wait_for_timeout(200)
        inside = set(boxes.evaluate_all("all => all.map(box => box.dataset.key)"))
        # What comes is what was left out, not the largest again.
        assert inside - seen
        seen |= inside
        whole.click()
        page.wait_for_timeout(200)
    folded = page.locator(".orrery-map .box.leaf .figures", has_text="+")
    for number in range(folded.count()):
        folded.nth(number).click()
        page.wait_for_timeout(200)
        seen |= set(boxes.evaluate_all("all => all.map(box => box.dataset.key)"))
        whole.click()
        page.wait_for_timeout(200)
    assert len({key for key in seen if key.startswith("topic:")}) == 64
    assert "graph" in page.url
    assert "topic=" not in page.url


def test_the_word_in_the_corner_is_legible_in_the_dark(demo: tuple[str, Window]) -> None:
    url, window = demo
    contrast = {}
    for scheme in SCHEMES:
        window.page.emulate_media(color_scheme=scheme)
        window.page.goto(f"{url}/home")
        window.settle()
        logo = window.page.locator('[data-testid="stSidebarLogo"]').screenshot()
        pixels = np.asarray(Image.open(io.BytesIO(logo)).convert("L"), float)
        word = pixels[:, round(0.4 * pixels.shape[1]) :]
        contrast[scheme] = float(np.ptp(word))
    assert min(contrast.values()) > 150, contrast


def test_the_stop_that_asks_why_shows_what_it_speaks_of(demo: tuple[str, Window]) -> None:
    url, window = demo
    page = window.page
    page.goto(f"{url}/query?tour=3&q=bass+band+song&sel=topic:L1.10")
    window.settle()
    page.wait_for_timeout(2500)
    why, bar = (page.locator(place).bounding_box() for place in (".st-key-why", ".st-key-tour-bar"))
    assert 0 <= bar["y"] < 200
    assert bar["y"] + bar["height"] <= why["y"] + 1
    assert why["y"] + 200 <= 800
