"""Defects of the look of a page in windows of four widths, light and dark."""

from __future__ import annotations

import os
from itertools import product
from pathlib import Path

from tests.browser.driving import read_until

SIZES = ((390, 844), (1024, 768), (1280, 800), (1920, 1080))
WIDTHS = tuple(width for width, _ in SIZES)
SCHEMES = ("light", "dark")
# Sizes and themes in which tests look at a page. By default, these are a telephone and a desk. With
# ORRERY_VARIANTS=sizes, as .ci/run sets it, they are all sizes, dark and light in turn, and the
# test of every page looks at all eight. With ORRERY_VARIANTS=all, all tests look at all eight.
CHOSEN = os.environ.get("ORRERY_VARIANTS", "")
ALL = tuple(product(SIZES, SCHEMES))
TWO = ((SIZES[0], "dark"), (SIZES[2], "light"))
FOUR = (*TWO, (SIZES[1], "light"), (SIZES[3], "dark"))
VARIANTS = {"": TWO, "sizes": FOUR, "all": ALL}[CHOSEN]
OF_EVERY_PAGE = ALL if CHOSEN else TWO
_FAULTS = Path(__file__).with_name("appearance.js").read_text(encoding="utf-8")
# The sidebar, tables, a picture wider than a phone, the legend of the map there, and a bar per
# topic of a model of any size; layers above the page; text boxes, and notes of a story, of any
# length.
_MAY_SCROLL = (
    "[data-testid=stSidebar], [data-testid=stDataFrame], [data-testid=stTable], .stage.wide, "
    ".orrery-points .legend, .st-key-topic-bars, [data-testid=stDialog], textarea, pre, "
    ".orrery-story .note"
)
# Red, green and blue of the ground of a page, together, and of the grey between the themes.
_GROUND = """() => {
  const page = document.querySelector("[data-testid=stApp]") ?? document.body;
  const parts = getComputedStyle(page).backgroundColor.match(/\\d+/g).slice(0, 3);
  return parts.map(Number).reduce((sum, part) => sum + part);
}"""
_GREY = 3 * 128
# A chart follows a window of another size, or theme, a little later than the page.
DRAWN_MS, LATEST = 100, 30


def wait_for_scheme(page, scheme: str) -> None:
    """Wait until a page of the app, or another one, has the ground of a theme."""
    is_dark = scheme == "dark"
    read_until(page, lambda: page.evaluate(_GROUND), lambda ground: (ground < _GREY) == is_dark)


def faults_of(page) -> list[str]:
    """Elements that are cut, covered, pale or scrolling, once the page has followed the window."""
    found: list[str] = []
    for _ in range(LATEST):
        page.wait_for_timeout(DRAWN_MS)
        found = page.evaluate(_FAULTS, _MAY_SCROLL)
        if not found:
            break
    return found
