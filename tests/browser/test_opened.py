"""Every page after clicks that open something: it shows the right content, whole in every
window.
"""

from __future__ import annotations

import io
import re
from base64 import b64encode
from itertools import product
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image
from playwright.sync_api import expect

from orrery.app.shared import strings as shared_strings
from orrery.app.shell import strings as shell_strings
from orrery.app.views.evaluate import strings as evaluate_words
from orrery.app.views.groups import strings as group_words
from orrery.app.views.home import strings as home_words
from orrery.app.views.map import strings
from orrery.app.views.query import strings as nearest_words
from tests.browser.appearance import SCHEMES
from tests.browser.conftest import Window
from tests.browser.driving import read_until
from tests.browser.test_data_out import downloaded
from tests.browser.test_map import (
    STAGE,
    everything,
    hues,
    open_map,
    some,
    wait_for_highlighted,
)

pytestmark = pytest.mark.browser
# Every text that is painted, and how large its letters are on the screen.
PAINTED = """() => {
  window.painted = [];
  const fillText = CanvasRenderingContext2D.prototype.fillText;
  CanvasRenderingContext2D.prototype.fillText = function (text, ...more) {
    const size = parseFloat(/([\\d.]+)px/.exec(this.font)[1]);
    window.painted.push([text, size * this.getTransform().a / devicePixelRatio]);
    return fillText.call(this, text, ...more);
  };
}"""
SVG_TEXT = "{http://www.w3.org/2000/svg}text"
# Grounds of the words of a document, and of the marks of what was typed.
GROUNDS = "all => all.map(one => getComputedStyle(one).backgroundColor)"


def press(window: Window, name: str) -> None:
    """Press what has a name, be it a button or one of several choices."""
    page = window.page
    button = page.get_by_role("button", name=name, exact=True)
    button.or_(page.get_by_role("radio", name=name, exact=True)).first.click()


def choose(window: Window, key: str, option: str) -> None:
    """Choose from a list by typing."""
    box = window.page.locator(f".st-key-{key} input").first
    box.click()
    box.fill(option)
    window.page.get_by_role("option", name=option).first.click()
    # A list of which several can be chosen stays open, and all else is not there for that long.
    window.page.keyboard.press("Escape")
    window.wait_until_still()


def opened(demo: tuple[str, Window], address: str) -> Window:
    """The window, at an address of the demo."""
    url, window = demo
    window.show(f"{url}/{address}")
    return window


def test_from_nearer_the_map_has_other_names(demo: tuple[str, Window]) -> None:
    url, window = demo
    window.page.add_init_script(f"({PAINTED})()")
    open_map(url, window)

    def names() -> set[str]:
        return {text for text, _ in window.page.evaluate("window.painted")}

    far = names()
    for _ in range(3):
        press(window, shell_strings.TOOLS["nearer"])
    assert len(far) > 10
    read_until(window.page, lambda: names() - far, lambda new: len(new) > 3)


def test_points_are_coloured_listed_selected_and_clicked(demo: tuple[str, Window]) -> None:
    url, window = demo
    page = window.page
    open_map(url, window)
    press(window, shared_strings.COLOURS["label"])
    page.wait_for_url("**colour=label*")
    window.wait_until_still()
    page.locator(".orrery-points .legend .item").first.click()
    count = wait_for_highlighted(window, some)
    page.get_by_text(strings.selected(count, 800), exact=True).wait_for()
    expect(page.locator("[class*=st-key-lit-]")).to_have_count(10)
    window.look("map-listed")
    press(window, strings.CLEAR)
    wait_for_highlighted(window, everything)
    # All that is in view, and nothing in a corner.
    press(window, shell_strings.TOOLS["view"][1])
    # Elements on the border may be outside.
    wait_for_highlighted(window, lambda number: 790 < number < 800)
    press(window, shell_strings.TOOLS["lasso"][1])
    box = page.locator(STAGE).bounding_box()
    left, low = box["x"] + 3, box["y"] + box["height"] - 3
    page.mouse.move(left, low)
    page.mouse.down()
    for right, high in ((left + 9, low), (left + 9, low - 9), (left, low - 9)):
        page.mouse.move(right, high)
    page.mouse.up()
    page.get_by_text(strings.NOTHING).wait_for()
    wait_for_highlighted(window, lambda number: number == 0)
    press(window, strings.CLEAR)
    wait_for_highlighted(window, everything)
    press(window, shell_strings.TOOLS["move"][1])
    window.wait_until_still()
    title = title_of_a_point(page).removesuffix(" …")
    page.mouse.down()
    page.mouse.up()
    page.wait_for_url("**/documents*doc=*")
    page.get_by_text(title).first.wait_for()


def title_of_a_point(page) -> str:
    """Let the pointer rest on a point of the map, and return the first line of its note."""
    box = page.locator(STAGE).bounding_box()
    tip = page.locator(f"{STAGE} .tip .first")
    for rest, step in product((150, 1_500), range(40)):
        page.mouse.move(box["x"] + box["width"] / 2 + 7 * step, box["y"] + box["height"] / 2)
        page.wait_for_timeout(rest)
        if not tip.is_visible():
            continue
        # On a slow machine the note may belong to the place before.
        page.wait_for_timeout(rest)
        if tip.is_visible():
            return tip.inner_text()
    pytest.fail("no point of the map has a note")


def test_groups_are_compared_by_clicks(demo: tuple[str, Window]) -> None:
    window = opened(demo, "groups")
    page = window.page
    press(window, shared_strings.MEASURES["lift"])
    page.get_by_text(shared_strings.key_to_colours("lift", 0.0)).first.wait_for()
    window.wait_until_still()
    window.look("groups-lift")
    press(window, shared_strings.VIEWS["two"])
    page.wait_for_url("**view=two*")
    choose(window, "group", "law")
    choose(window, "other", "music")
    page.get_by_text("More often than in music", exact=True).wait_for()
    page.locator(".st-key-name-more-0", has_text="court").wait_for()
    window.look("groups-two")
    choose(window, "by", "year")
    press(window, group_words.STEPS["year"])
    press(window, shared_strings.VIEWS["new"])
    page.wait_for_url("**view=new*")
    choose(window, "group", "2020")
    window.wait_for_parameter("group", "2020")
    page.get_by_text(shared_strings.NEW, exact=True).wait_for()
    with page.expect_download() as download:
        press(window, group_words.CSV)
    rows = Path(download.value.path()).read_text("utf-8-sig").splitlines()
    # The header, and each topic of the group that is shown.
    assert len(rows) == 64
    assert {row.partition(",")[0] for row in rows[1:]} == {"2020"}
    window.look("groups-new")
    press(window, shared_strings.VIEWS["course"])
    press(window, shared_strings.COURSES["stacked"])
    page.wait_for_url("**draw=stacked*")
    window.wait_until_still()
    page.get_by_text(shared_strings.STACKED_HINT).wait_for()
    window.look("groups-stacked")


# Visible parts of the pictures of the Groups page.
GROUPED = {
    "groups": {"law", "cooking", "court · judge · case"},
    "groups?view=one&group=law": {"court · judge · case", "More often than elsewhere"},
    "groups?by=year&view=course": {"1985", "river · water · sea"},
}


def alone(window: Window, drawing: Path, scheme: str) -> Image.Image:
    """Image of a drawing alone, in a browser of a theme, on grey."""
    data = b64encode(drawing.read_bytes()).decode()
    page = window.page.context.new_page()
    page.emulate_media(color_scheme=scheme)
    page.set_content(f'<body bgcolor="#888888"><img src="data:image/svg+xml;base64,{data}">')
    page.wait_for_function("document.images[0].complete")
    shot = page.locator("img").screenshot()
    page.close()
    return Image.open(io.BytesIO(shot)).convert("RGB")


@pytest.mark.parametrize("scheme", SCHEMES)
def test_pictures_of_groups_are_saved(demo: tuple[str, Window], scheme: str) -> None:
    url, window = demo
    page = window.page
    page.emulate_media(color_scheme=scheme)
    for address, named in GROUPED.items():
        window.show(f"{url}/{address}")
        button = page.get_by_role("button", name=group_words.SVG, exact=True)
        drawing = downloaded(window, button.click)
        texts = {text.text for text in ElementTree.parse(drawing).iter(SVG_TEXT)}
        assert named <= texts
        picture = alone(window, drawing, scheme)
        darkest, _ = picture.convert("L").getextrema()
        assert picture.getpixel((1, 1)) == (255, 255, 255)
        assert darkest < 60, "letters stand out from their ground"
        assert len(picture.getcolors(picture.width * picture.height)) > 20
    window.show(f"{url}/groups")
    chart = page.get_by_test_id("stVegaLiteChart").first
    size = chart.bounding_box()
    chart.hover(position={"x": 300, "y": 200})
    tools = page.get_by_test_id("stElementToolbarButton").get_by_role("button")
    page.get_by_role("button", name="Download as PNG").wait_for()
    expect(tools.filter(visible=True).and_(page.locator("[aria-label*=Vega]"))).to_have_count(0)
    data = downloaded(window, page.get_by_role("button", name="Download as PNG").click).read_bytes()
    picture = Image.open(io.BytesIO(data)).convert("RGB")
    assert picture.width >= 0.95 * size["width"]
    assert picture.height >= 0.9 * size["height"]
    assert hues(data) >= 1
    assert len(picture.getcolors(picture.width * picture.height)) > 20
    assert (sum(picture.getpixel((2, 2))) > 384) == (scheme == "light")


def test_documents_are_chosen_by_labels_and_years_and_one_is_read(
    demo: tuple[str, Window],
) -> None:
    window = opened(demo, "documents")
    page = window.page
    for label in ("law", "music"):
        choose(window, "label", label)
    page.locator(".st-key-years").get_by_role("slider").first.press("ArrowRight")
    page.wait_for_url("**years=*")
    window.wait_until_still()
    counted = page.get_by_text(re.compile(r"^\d+ of 800 documents")).first
    read_until(
        page,
        counted.inner_text,
        lambda text: re.match(r"\d+ ", text) and 0 < int(text.split()[0]) < 110,
    )
    window.look("documents-chosen")
    title = page.locator("[class*=st-key-open-] button").first
    text = title.inner_text()
    title.click()
    page.get_by_text(shared_strings.LEGEND, exact=True).wait_for()
    window.wait_until_still()
    main = page.locator("[data-testid=stMain]")
    expect(main).to_contain_text(text.strip(), use_inner_text=True)
    # Marks are of several strengths.
    marks = main.locator("span[title]")
    read_until(page, lambda: set(marks.evaluate_all(GROUNDS)), lambda found: len(found) > 3)


def test_senses_documents_and_circles_of_a_query(demo: tuple[str, Window]) -> None:
    window = opened(demo, "query?q=bank")
    page = window.page
    chips = page.locator(".st-key-examples button")
    chips.first.wait_for()
    offered = chips.all_inner_texts()
    chips.first.click()
    page.wait_for_url("**q2=*")
    window.wait_until_still()
    expect(chips.first).to_have_text(offered[0], use_inner_text=True)
    # Both have documents, and the words that were typed come first.
    near = page.locator(".st-key-nearest, .st-key-near2est")
    expect(near).to_have_count(2)
    for number, name in enumerate(("q", "q2")):
        typed = set(window.parameter(name).split())
        read_until(
            page,
            near.nth(number).locator("mark").all_inner_texts,
            lambda marked, typed=typed: {one.lower() for one in marked} & typed,
        )
    page.locator("[class*=st-key-near2-] button").first.click()
    page.wait_for_url("**/documents*doc=*")
    window = opened(demo, "query?q=season&sel=topic:L1.7")
    page.locator(".st-key-all-figures summary").click()
    page.get_by_text("follows from this topic; it does not support it").wait_for()
    page.get_by_text(nearest_words.NEAREST_TITLE).wait_for()
    window.look("query-circle")


def test_the_search_begins_with_the_strongest_and_a_path_may_be_none(
    demo: tuple[str, Window],
) -> None:
    window = opened(demo, "graph")
    page = window.page
    page.locator(".st-key-find input").press_sequentially("bird")
    found = page.locator(".st-key-found-list button").filter(has_not_text="word").first
    expect(found).to_contain_text("animal · feed · wild", use_inner_text=True)
    found.click()
    page.wait_for_url("**topic=L1.9*")
    window.wait_until_still()
    page.get_by_text(re.compile(r"%, on in \d+ document")).first.wait_for()
    window = opened(demo, "graph?topic=L2.1")
    page.locator(".st-key-path-find input").press_sequentially("orbit")
    page.locator(".st-key-path-found", has_text="orbit").wait_for()
    page.locator(".st-key-path-to-L2-10 button, .st-key-path-to-L2\\.10 button").first.click()
    page.wait_for_url("**to=L2.10*")
    window.wait_until_still()
    page.get_by_text("no real link").first.wait_for()
    window.look("path-none")


def test_home_asks_and_evaluate_shows_how_good_the_model_is(demo: tuple[str, Window]) -> None:
    window = opened(demo, "home")
    page = window.page
    page.locator(".st-key-home-question input").fill("space shuttle")
    press(window, home_words.ASK)
    page.wait_for_url("**/query?**q=space+shuttle*")
    window = opened(demo, "evaluate")
    page.get_by_text("words hidden in texts, it guesses").wait_for()
    # A second click while it works is not lost.
    for kind in ("labels", "rival"):
        press(window, evaluate_words.EVALUATIONS[kind][0])
    for kind in ("labels", "rival"):
        button = page.get_by_role("button", name=evaluate_words.EVALUATIONS[kind][0], exact=True)
        button.and_(page.locator(":disabled")).wait_for()
    press(window, evaluate_words.STOP)
    page.locator(".st-key-evaluate-stop").wait_for(state="detached")
