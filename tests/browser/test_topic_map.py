"""The map of all topics: what is too small to be read is reached by zooming in."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Window
from tests.browser.driving import DRAWS, FOLLOWING_FRAMES, read_until

pytestmark = pytest.mark.browser


def opened(window: Window, address: str, width: int, height: int, scheme: str = "light") -> None:
    """Open a page in a window of this size."""
    window.page.set_viewport_size({"width": width, "height": height})
    window.page.emulate_media(color_scheme=scheme)
    window.page.goto(address)
    window.wait_until_still()


def keys_of(boxes) -> set[str]:
    """Keys of the boxes of the map."""
    return set(boxes.evaluate_all("all => all.map(box => box.dataset.key)"))


def test_every_topic_is_reached_from_the_map_by_zooming_in(demo: tuple[str, Window]) -> None:
    url, window = demo
    page = window.page
    opened(window, f"{url}/graph", 1024, 768)
    boxes = page.locator(".orrery-map .box")
    boxes.first.wait_for()
    seen = keys_of(boxes)
    more = page.locator(".orrery-map .box[data-key='more:']")
    whole = page.get_by_role("button", name="Fit the whole picture", exact=True)
    for number in range(more.count()):
        far = keys_of(boxes)
        more.nth(number).click()
        # The next topics are the omitted ones, not the largest again.
        seen |= read_until(page, lambda: keys_of(boxes), lambda inside, seen=seen: inside - seen)
        whole.click()
        read_until(page, lambda: keys_of(boxes), lambda now, far=far: now == far)
    folded = page.locator(".orrery-map .box.leaf .figures", has_text="+")
    for number in range(folded.count()):
        far = keys_of(boxes)
        folded.nth(number).click()
        seen |= read_until(page, lambda: keys_of(boxes), lambda inside, far=far: inside != far)
        whole.click()
        read_until(page, lambda: keys_of(boxes), lambda now, far=far: now == far)
    assert len({key for key in seen if key.startswith("topic:")}) == 64
    assert "graph" in page.url
    assert "topic=" not in page.url


def test_a_box_for_many_topics_names_them_where_it_has_room(demo: tuple[str, Window]) -> None:
    url, window = demo
    opened(window, f"{url}/graph", 390, 844)
    page = window.page
    more = page.locator(".orrery-map .box[data-key='more:']", has=page.locator(".inside")).first
    named = read_until(page, more.locator(".inside .line").all_inner_texts, bool)
    assert all(" · " in name for name in named)
    assert set(named) <= set(more.get_attribute("aria-label").split(", "))


NOT_CUT = """all => all.filter(line => line.getBoundingClientRect().width > 0).every(line => {
  const text = line.getBoundingClientRect(), box = line.closest(".box").getBoundingClientRect();
  return text.left >= box.left && text.right <= box.right && text.top >= box.top - 1;
})"""


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (1440, 900), (390, 844)])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_map_on_home_is_a_small_picture(
    demo: tuple[str, Window], width: int, height: int, scheme: str
) -> None:
    url, window = demo
    page = window.page
    opened(window, f"{url}/home", width, height, scheme)
    drawn = page.locator(".orrery-map.small").first
    drawn.wait_for()
    frame = drawn.bounding_box()
    assert frame is not None
    assert frame["width"] < width
    assert 190 <= frame["height"] <= max(0.4 * frame["width"] + 1, 190)
    boxes = drawn.locator(".box")
    # Only boxes with room for a name are drawn.
    boxes.nth(9).wait_for(state="attached")
    expect(drawn.locator(".line", has_text="boat")).not_to_have_count(0)
    read_until(page, lambda: drawn.locator(".line").evaluate_all(NOT_CUT), bool)
    assert drawn.locator(".figures").all_inner_texts() == [""] * boxes.count()
    # It is not zoomed, and no button is below it; a click opens a topic.
    expect(drawn.locator(".foot")).to_be_hidden()
    boxes.first.hover()
    page.mouse.wheel(0, -200)
    page.evaluate(DRAWS, FOLLOWING_FRAMES)
    window.wait_until_still()
    expect(drawn.locator(".room.zoomed")).to_have_count(0)
    boxes.first.click()
    page.wait_for_url("**/graph?**topic=**")
