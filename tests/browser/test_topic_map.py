"""The map of all topics: what is too small to be read is reached by zooming in."""

from __future__ import annotations

import pytest

from tests.browser.conftest import Window

pytestmark = pytest.mark.browser


def opened(window: Window, address: str, width: int, height: int, scheme: str = "light") -> None:
    """Open a page in a window of this size."""
    window.page.set_viewport_size({"width": width, "height": height})
    window.page.emulate_media(color_scheme=scheme)
    window.page.goto(address)
    window.settle()


def test_every_topic_is_reached_from_the_map_by_zooming_in(demo: tuple[str, Window]) -> None:
    url, window = demo
    page = window.page
    opened(window, f"{url}/graph", 1024, 768)
    boxes = page.locator(".orrery-map .box")
    boxes.first.wait_for()
    seen = set(boxes.evaluate_all("all => all.map(box => box.dataset.key)"))
    more = page.locator(".orrery-map .box[data-key='more:']")
    whole = page.get_by_role("button", name="Fit the whole picture")
    for number in range(more.count()):
        more.nth(number).click()
        inside = set(boxes.evaluate_all("all => all.map(box => box.dataset.key)"))
        # What comes is what was left out, not the largest again.
        assert inside - seen
        seen |= inside
        whole.click()
    folded = page.locator(".orrery-map .box.leaf .figures", has_text="+")
    for number in range(folded.count()):
        folded.nth(number).click()
        seen |= set(boxes.evaluate_all("all => all.map(box => box.dataset.key)"))
        whole.click()
    assert len({key for key in seen if key.startswith("topic:")}) == 64
    assert "graph" in page.url
    assert "topic=" not in page.url


def test_a_box_for_many_topics_names_them_where_it_has_room(demo: tuple[str, Window]) -> None:
    url, window = demo
    opened(window, f"{url}/graph", 390, 844)
    page = window.page
    more = page.locator(".orrery-map .box[data-key='more:']", has=page.locator(".inside")).first
    named = more.locator(".inside .line").all_inner_texts()
    assert named
    assert all(" · " in name for name in named)
    assert set(named) <= set(more.get_attribute("aria-label").split(", "))
