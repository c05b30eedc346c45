"""The Query page in a browser: what-if, why, two queries, and addresses that open as they were."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from orrery.core.drawing import explorer_strings
from orrery.core.drawing import strings as drawing_strings
from tests.browser.conftest import Window
from tests.browser.driving import read_until

pytestmark = pytest.mark.browser
QUERY = "program star orbit memory"


@pytest.fixture
def window(demo: tuple[str, Window]) -> Window:
    """Return the demo, open on a query under its own address."""
    url, window = demo
    window.page.goto(f"{url}/query?q={QUERY}")
    window.wait_until_still()
    return window


def spot(window: Window, node: str) -> tuple[float, float]:
    box = window.page.locator(".orrery-graph")
    box.scroll_into_view_if_needed()
    place = box.evaluate("(box, id) => box.whereIs(id)", node)
    return place["x"], place["y"]


def shift_click(window: Window, node: str) -> None:
    """Switch a node of the picture."""
    window.page.keyboard.down("Shift")
    window.page.mouse.click(*spot(window, node))
    window.page.keyboard.up("Shift")


def focused(window: Window) -> str:
    """Key of the box that the keys go to, or "" where they go to none."""
    return window.page.locator(".orrery-graph").evaluate(
        "box => box.getRootNode().activeElement?.dataset.key ?? ''"
    )


def expect_focused(window: Window, key: str) -> None:
    """Wait until the keys go to a box."""
    read_until(window.page, lambda: focused(window), lambda found: found == key)


def a_topic(window: Window) -> str:
    """A topic of the picture."""
    shown = window.page.locator(".orrery-graph").evaluate("b => b.nodeIds()")
    return next(node for node in shown if "topic" in node)


def steps_at(window: Window, address: str) -> int:
    """Open a page; how many steps the history has then."""
    window.page.goto(address)
    window.wait_until_still()
    return int(window.page.evaluate("history.length"))


def test_the_pages_own_address_opens_it(window: Window) -> None:
    expect(window.page).to_have_url(re.compile(r"/query\?"))
    window.wait_for_parameter("q", QUERY)
    assert window.page.get_by_text("Page not found").count() == 0


def test_words_and_topics_are_switched_by_hand_and_by_keys(window: Window) -> None:
    page = window.page
    shift_click(window, "word:star")
    page.wait_for_url("**q=program+-star+orbit+memory*")
    window.wait_until_still()
    page.locator(".node[tabindex='0']").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.wait_for_url("**sel=*")
    window.wait_until_still()
    # The picture was drawn anew, and the keys are still where they were.
    window.wait_for_parameter("sel", "word:orbit")
    expect_focused(window, "word:orbit")
    page.keyboard.press(" ")
    page.wait_for_url("**q=program+-star+-orbit+memory*")
    window.wait_until_still()
    address = page.url
    window.look("6-query-what-if")
    page.goto(address)
    window.wait_until_still()
    expect(page).to_have_url(address)


def test_keys_hear_the_picture_and_keep_their_place(window: Window) -> None:
    page = window.page
    # One box is a tab stop, and each box announces its whole note.
    stops = page.locator(".node[tabindex='0']")
    expect(stops).to_have_count(1)
    stops.focus()
    heard = set()
    for _ in range(2):
        before = focused(window)
        page.keyboard.press("ArrowRight")
        now = read_until(page, lambda: focused(window), lambda key, last=before: key != last)
        expect(stops).to_have_attribute("data-key", now)
        expect(stops).to_have_attribute("role", "button")
        shown_text = stops.get_attribute("aria-label")
        heard.add(shown_text)
        read_until(
            page,
            lambda: ", ".join(page.locator(".tip").inner_text().split("\n")),
            lambda note, whole=shown_text: note == whole,
        )
    assert len(heard) == 2
    switch = page.locator(".legend button").first
    switch.focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**hide=*")
    window.wait_until_still()
    expect(switch).to_be_focused()
    expect(switch).to_have_attribute("aria-pressed", "false")


def test_two_quick_switches_are_no_double_click(window: Window) -> None:
    page = window.page
    page.keyboard.down("Shift")
    page.mouse.dblclick(*spot(window, "word:star"))
    page.keyboard.up("Shift")
    page.wait_for_url(lambda url: "+star" not in url)
    window.wait_until_still()
    expect(page).to_have_url(re.compile(r"/query\?"))
    assert window.parameter("q").split()[0] == "program"


def test_a_double_click_opens_a_topic_and_one_step_leads_back(window: Window) -> None:
    page, node = window.page, a_topic(window)
    page.mouse.dblclick(*spot(window, node))
    page.wait_for_url("**/graph?*")
    window.wait_until_still()
    window.wait_for_parameter("topic", node.removeprefix("topic:"))
    page.go_back()
    page.wait_for_url("**/query?*")
    window.wait_for_parameter("q", QUERY)
    expect(page.locator(".st-key-q input")).to_have_value(QUERY)


def test_an_address_that_is_completed_is_one_step(demo: tuple[str, Window]) -> None:
    url, window = demo
    steps = steps_at(window, f"{url}/home")
    assert steps_at(window, f"{url}/query?q={QUERY}") == steps + 1
    read_until(window.page, lambda: window.parameter("run"), bool)


def test_letters_that_are_typed_one_after_the_other_are_one_step(demo: tuple[str, Window]) -> None:
    url, window = demo
    page, steps = window.page, steps_at(window, f"{url}/graph")
    page.locator(".st-key-find input").press_sequentially("star", delay=400)
    page.wait_for_url("**find=star*")
    window.wait_until_still()
    read_until(page, lambda: page.evaluate("history.length"), lambda found: found == steps + 1)
    page.go_back()
    page.wait_for_url(lambda url: "find=" not in url)


def test_a_held_topic_is_freed_with_one_click(window: Window) -> None:
    page = window.page
    shift_click(window, a_topic(window))
    page.wait_for_url("**hold=*")
    page.get_by_role("button", name=explorer_strings.FREE_ALL).click()
    page.wait_for_url(lambda url: "hold=" not in url)


def test_a_switch_leaves_everything_in_its_place(window: Window) -> None:
    page, nodes = window.page, window.page.locator(".orrery-graph").evaluate("b => b.nodeIds()")
    before = {node: spot(window, node) for node in nodes}
    scale = page.locator(".orrery-graph").evaluate("b => b.scale()")
    explained = page.locator(".st-key-why h3").inner_text().split("“")[1].split("”")[0]
    for _ in range(2):
        held = window.parameter("hold")
        shift_click(window, a_topic(window))
        read_until(page, lambda: window.parameter("hold"), lambda now, last=held: now != last)
        window.wait_until_still()
        assert page.locator(".orrery-graph").evaluate("b => b.scale()") == pytest.approx(scale)
        for node, place in before.items():
            assert spot(window, node) == pytest.approx(place, abs=3)
        expect(page.locator(".st-key-why h3")).to_contain_text(f"“{explained}”")


@pytest.mark.parametrize("size", [(1440, 900), (390, 844)])
def test_question_and_answer_are_on_the_first_screen(window: Window, size: tuple[int, int]) -> None:
    page = window.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    for query in ("program", "star planet telescope", "court"):
        window.show(page.url.partition("?")[0] + f"?q={query}")
        for key in ("q", "answer"):
            box = page.locator(f".st-key-{key}").bounding_box()
            assert box
            assert box["y"] + box["height"] < size[1]
        first_word = page.locator(".orrery-graph").evaluate(
            "b => b.whereIs(b.nodeIds().find((id) => id.startsWith('word:'))).y"
        )
        assert first_word < size[1]


def test_an_example_shows_two_senses_side_by_side(window: Window) -> None:
    page = window.page
    page.locator(".st-key-example-0 button").first.click()
    page.wait_for_url("**q2=*")
    window.look("6-query-two")
    first, second = window.parameter("q"), window.parameter("q2")
    assert first.split()[0] == second.split()[0]
    page.go_back()
    page.wait_for_url(lambda url: "q2=" not in url)
    expect(page.locator(".st-key-q input")).to_have_value(QUERY)


def test_a_sense_is_taken_for_granted_and_let_go_by_clicks(window: Window) -> None:
    page = window.page
    window.show(page.url.partition("?")[0] + "?q=bank")
    reading = page.locator(".st-key-reading button").first
    top = spot(window, "word:bank")[1]
    reading.click()
    page.wait_for_url("**hold=*on*")
    window.wait_until_still()
    page.get_by_text(explorer_strings.CLAMPED_TITLE, exact=True).first.wait_for()
    window.look("6-query-reading")
    page.locator(".st-key-reading button").first.click()
    page.wait_for_url(lambda url: "hold=" not in url)
    window.wait_until_still()
    assert spot(window, "word:bank")[1] == pytest.approx(top, abs=2)


def test_on_a_phone_the_picture_has_the_width_of_the_window(window: Window) -> None:
    page = window.page
    page.set_viewport_size({"width": 390, "height": 844})
    window.show(page.url.partition("?")[0] + "?q=bank")
    picture = page.locator(".orrery-graph").bounding_box()
    listed = page.get_by_text(explorer_strings.LIKELIEST_TITLE, exact=True)
    listed = listed.or_(page.get_by_text(explorer_strings.ON_TITLE, exact=True)).bounding_box()
    assert picture
    assert listed
    assert picture["width"] > 330
    assert listed["y"] > picture["y"] + picture["height"]
    fits = "() => document.documentElement.scrollWidth <= window.innerWidth"
    read_until(page, lambda: page.evaluate(fits), bool)


def test_the_rail_knows_what_was_switched_on_the_page(window: Window) -> None:
    page = window.page

    shift_click(window, "word:star")
    page.wait_for_url("**q=program+-star+orbit+memory*")
    window.wait_until_still()
    page.get_by_role("radio", name="blue-orange").click()
    page.wait_for_url("**palette=blue-orange*")
    window.wait_until_still()
    window.follow("Graph")
    window.wait_for_parameter("palette", "blue-orange")
    window.follow("Query")
    window.wait_for_parameter("q", "program -star orbit memory")
    expect(page.locator(".st-key-q input")).to_have_value("program -star orbit memory")


def test_what_if_and_why_in_two_queries_and_the_card_of_an_unknown_word(window: Window) -> None:
    page = window.page
    address = page.url.split("?")[0]
    window.show(f"{address}?q=program+star&q2=program+memory")
    shift_click(window, "word:program")
    page.wait_for_url("**q=-program+star*")
    window.wait_until_still()
    window.wait_for_parameter("q2", "-program memory")
    node = next(
        n for n in page.locator(".orrery-graph").evaluate("b => b.nodeIds()") if "topic" in n
    )
    page.mouse.click(*spot(window, node))
    page.wait_for_url("**sel=*")
    window.wait_until_still()
    page.locator(".st-key-why canvas, .st-key-why svg").first.wait_for(state="attached")
    window.look("6-query-two-why")
    with page.expect_download() as download:
        page.get_by_role("button", name=drawing_strings.BUTTONS["png"]).click()
    assert download.value.suggested_filename == "program-star-program-memory.png"
    window.show(f"{address}?q=star+progam")
    # A word that the model does not know is named above the picture and is no box in it.
    assert "unknown:progam" not in page.locator(".orrery-graph").evaluate("b => b.nodeIds()")
    page.get_by_role("button", name="program", exact=True).click()
    page.wait_for_url("**q=star+program*")


def test_known_words_complete_what_is_typed(window: Window) -> None:
    box = window.page.locator(".st-key-q input")
    box.fill("program -orb")
    box.press_sequentially("i")
    offered = window.page.locator("datalist#orrery-completions option")
    read_until(
        window.page,
        lambda: offered.evaluate_all("all => all.map(({ value }) => value)"),
        lambda found: "program -orbit" in found,
    )
    # Choosing one changes the box as typing does.
    box.fill("program -orbit")
    box.press("Enter")
    window.wait_for_parameter("q", "program -orbit")
