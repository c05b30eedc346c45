"""Phone, tablet, desk and wall: what every page of pictures owes to its window."""

from __future__ import annotations

import io
from collections.abc import Iterator

import numpy as np
import pytest
from PIL import Image

from orrery.app.words import common as words
from tests.browser.conftest import SCHEMES, Window

pytestmark = pytest.mark.browser

# From the widest on: the sidebar gives way by itself where there is no room for it.
WINDOWS = ((1920, 1080), (1280, 800), (1024, 768), (390, 844))
ASKED = "query?q=bass+band+song&sel=topic:L1.10"
PAGES = (
    "home",
    "query?q=bass+band+song&q2=bass+fish+net",
    "graph?topic=L1.10",
    "query?tour=1&q=bass+band+song",
    "documents",
)
# Elements that scroll inside the page, but not the boxes one writes into.
SCROLLING = """() => [...document.querySelectorAll('[data-testid="stMain"] *')].filter((box) => {
  const { overflowX, overflowY } = getComputedStyle(box), scrolls = /auto|scroll/;
  const down = scrolls.test(overflowY) && box.scrollHeight > box.clientHeight;
  const aside = scrolls.test(overflowX) && box.scrollWidth > box.clientWidth;
  return box.clientHeight > 0 && !["TEXTAREA", "INPUT"].includes(box.tagName) && (down || aside);
}).map((box) => `${box.tagName} ${box.dataset.testid} ${box.className}`)"""
COVERED = """() => [...document.querySelectorAll('[data-testid="stMain"] button')]
.filter((button) => {
  const { left, top, width, height } = button.getBoundingClientRect();
  // A chart's own buttons are not there until one points at it.
  const shown = button.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  if (!shown || !width || top < 0 || top + height > innerHeight) return false;
  let seen = document.elementFromPoint(left + width / 2, top + height / 2);
  while (seen?.shadowRoot) {
    const inside = seen.shadowRoot.elementFromPoint(left + width / 2, top + height / 2);
    if (!inside || inside === seen) break;
    seen = inside;
  }
  return !(seen && (button.contains(seen) || seen.contains(button)));
}).map((button) => button.innerText || button.title)"""


def in_every_window(window: Window, address: str) -> Iterator[tuple[int, int]]:
    """Open a page and answer its width and height in windows of every size, checked."""
    window.page.goto(address)
    for width, height in WINDOWS:
        window.page.set_viewport_size({"width": width, "height": height})
        window.settle()
        where = (address.rpartition("/")[2], width)
        assert window.page.evaluate(SCROLLING) == [], where
        assert window.page.evaluate(COVERED) == [], where
        main = window.page.locator('[data-testid="stMain"]')
        assert main.evaluate("box => box.scrollWidth <= box.clientWidth"), where
        # What stands beside the controls is not squeezed by them.
        beside = window.page.locator(".st-key-two-columns > * > .st-key-picture")
        assert all(box.bounding_box()["width"] >= 300 for box in beside.all()), where
        yield width, height


def test_no_page_scrolls_inside_itself_and_no_button_is_covered(demo: tuple[str, Window]) -> None:
    url, window = demo
    for path in PAGES:
        assert len(list(in_every_window(window, f"{url}/{path}"))) == len(WINDOWS)


def test_the_picture_can_be_read_in_every_window(demo: tuple[str, Window]) -> None:
    url, window = demo
    for width, _ in in_every_window(window, f"{url}/{ASKED}"):
        check_card_is_near_the_picture(window, width)


def check_card_is_near_the_picture(window: Window, width: int) -> None:
    """Check that letters, 13 px at full size, are legible, and where the card stands."""
    page = window.page
    assert 13 * page.locator(".orrery-graph").evaluate("box => box.scale()") >= 9
    picture, card, reasons = (
        page.locator(place).bounding_box()
        for place in (".orrery-graph", ".st-key-card", ".st-key-reasons")
    )
    if width > 1024:
        assert card["x"] >= picture["x"] + picture["width"]
        return
    assert picture["width"] >= 0.9 * reasons["width"] >= 0.6 * width
    assert picture["y"] + picture["height"] <= card["y"] <= reasons["y"]


def test_the_sidebar_holds_every_page_and_is_legible(demo: tuple[str, Window]) -> None:
    url, window = demo
    page = window.page
    page.goto(f"{url}/home")
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        window.settle()
        logo = page.locator('[data-testid="stSidebarLogo"]').screenshot()
        pixels = np.asarray(Image.open(io.BytesIO(logo)).convert("L"), float)
        word = pixels[:, round(0.4 * pixels.shape[1]) :]
        assert np.ptp(word) > 150, scheme
    sidebar = page.locator('[data-testid="stSidebarContent"]')
    assert sidebar.evaluate("box => box.scrollHeight <= box.clientHeight")
    # The icon of a link is a word of its own.
    named = [text.split()[-1] for text in sidebar.get_by_role("link").all_inner_texts()]
    assert named == list(words.PAGE_TITLES.values())


def test_the_stop_that_asks_why_shows_what_it_speaks_of(demo: tuple[str, Window]) -> None:
    url, window = demo
    page = window.page
    page.goto(f"{url}/query?tour=3&q=bass+band+song&sel=topic:L1.10")
    window.settle()
    # The page scrolls there by itself, smoothly.
    page.wait_for_timeout(2500)
    why, bar = (page.locator(place).bounding_box() for place in (".st-key-why", ".st-key-tour-bar"))
    assert 0 <= bar["y"] < 200
    assert bar["y"] + bar["height"] <= why["y"] + 1
    assert why["y"] + 200 <= 800
