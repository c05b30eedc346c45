"""First visits in a browser: the tour by keyboard, and two senses of a word in few clicks."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from orrery.app.shared import strings as shared_strings
from orrery.app.shared import tour
from tests.browser.conftest import Window
from tests.browser.driving import read_until

pytestmark = pytest.mark.browser
# Tab is pressed at most so often to reach a button.
MAX_TABS = 150


@pytest.fixture
def window(demo: tuple[str, Window]) -> Window:
    """Return the demo, open on Home for the first time."""
    url, window = demo
    window.page.goto(f"{url}/home")
    window.wait_until_still()
    return window


def press_by_keyboard(window: Window, name: str) -> None:
    """Walk to a button with the tab key, and press it."""
    page = window.page
    for _ in range(MAX_TABS):
        page.keyboard.press("Tab")
        # An icon has its name for a text, which stands before the label.
        if page.evaluate("() => document.activeElement.innerText.trim()").endswith(name):
            page.keyboard.press("Enter")
            return
    pytest.fail(f"the keyboard does not reach {name}")


def test_the_tour_is_walked_by_keyboard_and_stays_closed(window: Window) -> None:
    page = window.page
    window.look("7-tour-home")
    press_by_keyboard(window, shared_strings.BEGIN)
    for number, stop in enumerate(tour.STOPS, start=1):
        page.wait_for_url(f"**/{stop.page}?**tour={number}*")
        page.get_by_text(shared_strings.SEEN[stop.name]).wait_for()
        window.wait_until_still()
        page.locator(stop.shown).first.wait_for()
        window.look(f"7-tour-{number}-{stop.name}")
        following = tour.STOPS[number : number + 1]
        press_by_keyboard(
            window,
            shared_strings.next_stop(shared_strings.TITLES[following[0].name])
            if following
            else shared_strings.DONE,
        )
    page.wait_for_url("**/home?**")
    page.reload()
    window.wait_until_still()
    expect(page.locator(".st-key-tour-begin")).to_have_count(0)
    press_by_keyboard(window, shared_strings.AGAIN)
    page.locator(".st-key-tour-begin").wait_for()


# How much of what a stop speaks of is seen, above the bar and below what the page has at its top.
SEEN_OF = """([shown, first]) => {
  const last = document.querySelector(".st-key-tour-bar").getBoundingClientRect().top;
  const { top, bottom, height } = document.querySelector(shown).getBoundingClientRect();
  return (Math.min(bottom, last) - Math.max(top, first)) / Math.min(height, last - first);
}"""


def test_on_a_phone_the_bar_leaves_in_view_what_it_speaks_of(window: Window) -> None:
    page = window.page
    page.set_viewport_size({"width": 390, "height": 844})
    begin = page.locator(".st-key-tour-begin button")
    # A visitor who closed it before gets it only on request.
    again = page.get_by_role("button", name=shared_strings.AGAIN, exact=False)
    begin.or_(again).first.wait_for()
    if not begin.count():
        again.click()
    begin.click()
    for number, stop in enumerate(tour.STOPS, start=1):
        page.wait_for_url(f"**/{stop.page}?**tour={number}*")
        page.locator(stop.shown).first.wait_for()
        window.wait_until_still()
        page.wait_for_function(f"it => ({SEEN_OF})(it) > 0.7", arg=[stop.shown, 60])
        read_until(
            page,
            page.locator(".st-key-tour-bar").bounding_box,
            lambda bar: (
                bar["height"] < 844 / 5 and bar["y"] + bar["height"] == pytest.approx(844, abs=1)
            ),
        )
        page.locator(".st-key-tour-next button, .st-key-tour-done button").click()


def test_two_senses_stand_side_by_side_within_three_clicks_from_home(window: Window) -> None:
    page = window.page
    clicks = (
        page.get_by_role("link", name="Query"),
        page.locator(".st-key-example-0 button").first,
    )
    assert len(clicks) <= 3
    for thing in clicks:
        thing.click()
        window.wait_until_still()
    page.wait_for_url("**q2=*")
    window.wait_until_still()
    first, second = window.parameter("q").split(), window.parameter("q2").split()
    shared = set(first) & set(second)
    assert shared == {first[0]}
    ids = page.locator(".orrery-graph").evaluate("box => box.nodeIds()")
    assert {f"word:{word}" for word in {*first, *second}} <= set(ids)
    on = [node for node in ids if node.startswith("topic:")]
    assert len(on) >= 2, "two senses have two topics"
