"""The Groups page in a browser: a cell leads to its documents, a name to its topic."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Window

pytestmark = pytest.mark.browser
# Within the chart: the name and the first cell of the first topic, below the upright names of the
# groups and their numbers of documents.
NAME, CELL = (110, 101), (177, 101)


def click_map(window: Window, url: str, place: tuple[int, int]) -> None:
    window.show(f"{url}/groups")
    window.page.locator(".st-key-groups-foot").wait_for()
    chart = window.page.locator('[data-testid="stVegaLiteChart"]').first
    chart.scroll_into_view_if_needed()
    box = chart.bounding_box()
    window.page.mouse.click(box["x"] + place[0], box["y"] + place[1])


def test_cells_names_and_rows_lead_somewhere(demo: tuple[str, Window]) -> None:
    url, window = demo
    click_map(window, url, CELL)
    window.page.wait_for_url(re.compile("/documents.*label=biology"))
    window.wait_until_still()
    expect(window.page.locator(".st-key-found-documents")).to_have_count(1)
    topic = re.search(r"on=([^&]+)", window.page.url)[1]
    click_map(window, url, NAME)
    window.page.wait_for_url(re.compile(f"/graph.*topic={re.escape(topic)}"))
    window.show(f"{url}/groups?by=year&periods=decade&view=one&group=1990s")
    window.show(f"{url}/groups?view=one&group=law")
    window.look("groups-one")
    window.page.locator(".st-key-go-more-0 button").click()
    window.page.wait_for_url(re.compile("/documents.*label=law"))
    window.show(f"{url}/groups?by=year&periods=decade&view=course")
    window.look("groups-course")
    assert window.outside == []
