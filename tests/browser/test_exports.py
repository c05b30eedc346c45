"""Exported pages in a browser that may fetch nothing: text stays text, pictures are walked."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from orrery.core.export.registry import export_files
from orrery.core.model.overlay import Overlay
from orrery.core.model.topic_groups import Shelves
from tests.app.toy import large_run
from tests.browser.conftest import OpenPage
from tests.core.export.models import EVIL, sample

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("kind", ["explorer", "html", "report", "svg"])
def test_names_that_look_like_markup_stay_text(open_page: OpenPage, kind: str) -> None:
    run = sample(Overlay(dict.fromkeys(sample().network.graph.topic_ids, EVIL)))
    (data,) = export_files(run, kind, "page").values()
    if kind == "svg":
        data = b"<!doctype html><title></title>" + data
    page = open_page(data)
    before = page.title()
    if kind == "explorer":
        page.get_by_label("Your words").fill(f"table salt {EVIL}")
        page.locator("svg g.topic").first.wait_for()
        page.get_by_label("Find a topic or word").fill("<img")
        page.locator("#found a").first.click()
        page.get_by_role("heading", level=1, name="<img src=x").wait_for()
    if kind == "html":
        page.get_by_label("Find a topic").fill("<img")
        page.keyboard.press("Enter")
        page.locator("#card h2", has_text="<img src=x").wait_for()
    assert page.locator("img").count() == 0
    assert page.title() == before


def test_the_picture_of_topics_is_searched_by_word_and_id(open_page: OpenPage) -> None:
    run = sample()
    page = open_page(export_files(run, "html", "page")["page"])
    for wanted in ("L1.3", "river · water · sea"):
        page.get_by_label("Find a topic").fill(wanted)
        page.keyboard.press("Enter")
        page.locator("#card h2", has_text="river · water · sea").wait_for()
        assert page.evaluate("orrery.network.getSelectedNodes()") == ["L1.3"]
    page.locator("#card button", has_text="flood").click()
    page.locator("#card h2", has_text="river · water · flood").wait_for()


@pytest.mark.parametrize("width", [390, 1280, 1920])
def test_the_picture_of_topics_begins_legible(open_page: OpenPage, width: int) -> None:
    run = large_run(120, 300, 1)
    page = open_page(export_files(run, "html", "page")["page"])
    page.set_viewport_size({"width": width, "height": 800})
    page.reload()
    # Letters of 13 pixels, and the first families in the window.
    assert 13 * page.evaluate("orrery.network.getScale()") > 10
    seen = """() => {
        const spots = Object.entries(orrery.network.getPositions());
        const [id] = spots.reduce((a, b) => a[1].x + a[1].y < b[1].x + b[1].y ? a : b);
        const at = orrery.network.canvasToDOM(orrery.network.getPosition(id));
        return at.x > 0 && at.y > 0 && at.x < innerWidth && at.y < innerHeight;
    }"""
    assert page.evaluate(seen)
    page.get_by_role("button", name="Fit").click()
    assert 13 * page.evaluate("orrery.network.getScale()") < 10


def test_the_picture_of_topics_is_walked_by_keys(open_page: OpenPage) -> None:
    page = open_page(export_files(sample(), "html", "page")["page"])
    page.get_by_role("button", name="Fit").focus()
    page.keyboard.press("Tab")
    assert "64 topics" in page.evaluate("document.activeElement.ariaLabel")
    said = page.locator("#said[aria-live]")
    heard = set()
    for key in ("ArrowRight", "ArrowDown", "ArrowDown", "ArrowLeft"):
        page.keyboard.press(key)
        heard.add(said.text_content())
        assert page.locator("#card h2").text_content() in said.text_content()
    assert len(heard) > 2
    page.keyboard.press("Tab")
    link = page.evaluate("document.activeElement.textContent")
    assert page.locator("#card .line button").first.text_content() == link
    page.keyboard.press("Enter")
    page.locator("#card h2", has_text=link).wait_for()
    # The next link is one step away, not at the other end of the page.
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('#card') !== null")


def test_the_shelf_of_a_topic_is_on_its_card_and_said(open_page: OpenPage) -> None:
    run = sample()
    ids = run.network.graph.topic_ids
    run = replace(run, shelves=Shelves(np.arange(len(ids)) % 3 - 1, ((0, 1), (2, 3))))
    # A topic that would stand on a shelf, below another, but is hidden.
    hidden = next(n for n, p in enumerate(run.main_parents) if p >= 0 and run.shelf_name(n))
    run = run.with_overlay(Overlay({}, frozenset([ids[hidden]])))
    assert run.shelf_name(hidden)
    shelves = {topic: run.shelf_name(n) for n, topic in enumerate(ids) if n != hidden}
    assert {None, *run.shelf_names} == {*shelves.values()}
    shelves[ids[hidden]] = None
    page = open_page(export_files(run, "html", "page")["page"])
    for topic, shelf in shelves.items():
        page.evaluate("id => orrery.choose(id)", topic)
        for told in ("#card", "#said"):
            text = page.locator(told).text_content()
            assert ("on the shelf" in text) == (shelf is not None)
            assert (shelf or "") in text
