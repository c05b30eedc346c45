"""Exported pages in a browser that may fetch nothing: text stays text."""

from __future__ import annotations

import pytest

from orrery.core.export.formats import export_files
from orrery.core.model.overlay import Overlay
from tests.browser.conftest import OpenPage
from tests.browser.driving import assert_stayed_text, resize
from tests.core.export.models import EVIL, sample

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("kind", ["explorer", "report", "svg"])
def test_names_that_look_like_markup_stay_text(open_page: OpenPage, kind: str) -> None:
    run = sample(Overlay(dict.fromkeys(sample().network.graph.topic_ids, EVIL)))
    (data,) = export_files(run, kind, "page").values()
    if kind == "svg":
        data = b"<!doctype html><title></title>" + data
    page = open_page(data)
    if kind == "explorer":
        page.get_by_label("Your words").fill(f"table salt {EVIL}")
        page.locator(".node", has_text="<img").first.wait_for()
        page.get_by_label("Find a topic or word").fill("<img")
        page.locator("#found a").first.click()
        page.get_by_role("heading", level=1, name="<img src=x").wait_for()
    assert_stayed_text(page, "img")


def test_the_report_can_be_read_on_a_phone(open_page: OpenPage) -> None:
    (data,) = export_files(sample(), "report", "page").values()
    page = open_page(data)
    height = page.evaluate("document.body.scrollHeight")
    resize(page, 390, 844)
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    assert page.evaluate("document.body.scrollHeight") < 3 * height
    cells = "[...document.querySelectorAll('td, th')].map((cell) => cell.offsetWidth)"
    assert min(page.evaluate(cells)) >= 60
