"""The Graph page of the demo in a browser: the map, the path between topics, saving, a copy."""

from __future__ import annotations

import io
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from orrery.app.shared import topic_strings
from orrery.core.drawing import strings as drawing_strings
from orrery.core.drawing.style import BACKGROUND
from orrery.core.storage.runs import load_run
from tests.browser.conftest import Window
from tests.browser.driving import DRAWS, FOLLOWING_FRAMES, ROOT, read_until

pytestmark = pytest.mark.browser

SCROLLED = "document.querySelector('[data-testid=stMain]').scrollTop"
SVG = "{http://www.w3.org/2000/svg}"


def test_the_map_can_be_read_and_leads_to_a_topic_and_back(demo: tuple[str, Window]) -> None:
    url, window = demo
    page = window.page
    page.goto(f"{url}/graph")
    boxes = page.locator(".orrery-map .box")
    boxes.first.wait_for()
    window.wait_until_still()
    window.look("6-map")
    # No lettering leaves its box.
    fits = "all => all.every(box => box.scrollWidth <= box.clientWidth + 1)"
    read_until(page, lambda: boxes.evaluate_all(fits), bool)
    first = boxes.first
    key = first.get_attribute("data-key").removeprefix("topic:")
    first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**topic={key}*")
    page.go_back()
    boxes.first.wait_for()
    window.wait_for_parameter("topic", "")


# Page, what the wheel turns over, and what shows how near it is.
ZOOMED = [
    ("graph", ".orrery-map .room", "room => room.classList.contains('zoomed')"),
    ("query?q=program star orbit memory", ".orrery-graph", "graph => graph.scale()"),
    ("map", ".orrery-points .stage", "stage => stage.dataset.scale"),
]


def test_the_wheel_scrolls_the_page_over_every_picture_and_zooms_with_ctrl(
    demo: tuple[str, Window],
) -> None:
    url, window = demo
    window.page.set_viewport_size({"width": 1440, "height": 500})
    for name, picture, how_near in ZOOMED:
        window.show(f"{url}/{name}")
        scroll_and_zoom(window, picture, how_near)


def scroll_and_zoom(window: Window, picture: str, how_near: str) -> None:
    """The wheel scrolls the page over a picture, and with Ctrl comes nearer."""
    page = window.page
    drawn = page.locator(picture)
    drawn.wait_for()
    window.wait_until_still()
    drawn.evaluate("picture => picture.scrollIntoView({ behavior: 'instant' })")
    scrolled = read_until(page, lambda: page.evaluate(SCROLLED), lambda found: found > 0)
    place, first = drawn.bounding_box(), drawn.evaluate(how_near)
    page.mouse.move(place["x"] + place["width"] / 2, max(place["y"], 60) + 80)
    page.mouse.wheel(0, -40)
    read_until(page, lambda: page.evaluate(SCROLLED), lambda found: found < scrolled)
    # It would have come nearer with the page, or soon after.
    page.evaluate(DRAWS, FOLLOWING_FRAMES)
    assert drawn.evaluate(how_near) == first
    page.keyboard.down("Control")
    page.mouse.wheel(0, -400)
    page.keyboard.up("Control")
    read_until(page, lambda: drawn.evaluate(how_near), lambda found: found != first)


def test_the_map_is_saved_as_it_is_seen(demo: tuple[str, Window], tmp_path: Path) -> None:
    url, window = demo
    page = window.page
    page.goto(f"{url}/graph")
    boxes = page.locator(".orrery-map .box")
    boxes.first.wait_for()
    window.wait_until_still()
    for kind in ("png", "svg"):
        save_picture(window, kind, tmp_path / f"map.{kind}")
    sheet = ET.parse(tmp_path / "map.svg").getroot()
    drawn = sheet.findall(f"{SVG}g[@class='box']")
    assert [saved_texts(box) for box in drawn] == boxes.evaluate_all(
        "all => all.map(box => [...box.querySelectorAll('.line, .figures')]"
        ".map(piece => piece.textContent).filter(Boolean))"
    )
    fills = {box.find(f"{SVG}rect").get("fill") for box in drawn}
    assert len(fills) > 1
    assert all(re.fullmatch("#[0-9a-f]{6}|none", fill) for fill in fills)
    # The drawing is the picture, in another font.
    page.set_viewport_size({"width": 1400, "height": 1000})
    image = Image.open(tmp_path / "map.png").convert("RGB")
    page.set_content((tmp_path / "map.svg").read_text(encoding="utf-8"))
    seen = Image.open(io.BytesIO(page.locator("svg").screenshot())).convert("RGB")
    small = image.resize(seen.size)
    difference = np.abs(np.asarray(small, np.int64) - np.asarray(seen, np.int64)).max(axis=2)
    assert (difference > 40).mean() < 0.08

    # In another font, letters are not where they were, but as much is inked.
    corner = [float(side) for side in sheet.get("viewBox").split()[:2]]
    for box in drawn:
        expected, found = (
            ink_of(box, corner, np.asarray(picture, np.int64)) for picture in (seen, small)
        )
        # Half of the pixels of two small letters are edges.
        assert 0.7 * expected <= found <= 1.4 * expected + 15, saved_texts(box)


def ink_of(box: ET.Element, corner: list[float], picture: np.ndarray) -> int:
    """Pixels inside a box of the map that are not of its ground."""
    rect = box.find(f"{SVG}rect")
    x, y, wide, tall = (float(rect.get(name)) for name in ("x", "y", "width", "height"))
    left, top = round(x - corner[0]) + 3, round(y - corner[1]) + 3
    inside = picture[top : top + round(tall) - 6, left : left + round(wide) - 6]
    ground = np.median(inside, axis=(0, 1))
    return int((np.abs(inside - ground).max(axis=2) > 60).sum())


def saved_texts(box: ET.Element) -> list[str | None]:
    """Lettering of a box of the map."""
    return [text.text for text in box.findall(f"{SVG}text")]


def open_way(demo: tuple[str, Window]) -> Window:
    """The window with the path between two topics."""
    url, window = demo
    window.page.goto(f"{url}/graph?topic=L1.1&to=L1.10")
    window.page.locator(".orrery-graph .node").first.wait_for()
    window.wait_until_still()
    return window


def save_picture(window: Window, kind: str, path: Path) -> None:
    """Save what is shown as ``png`` or ``svg``."""
    with window.page.expect_download() as download:
        window.page.get_by_role("button", name=drawing_strings.BUTTONS[kind]).click()
    assert download.value.suggested_filename.endswith(f".{kind}")
    download.value.save_as(path)


def test_a_way_is_shown_and_saved_as_two_kinds_of_picture(
    demo: tuple[str, Window], tmp_path: Path
) -> None:
    window = open_way(demo)
    page = window.page
    window.look("6-path")
    for kind in ("png", "svg"):
        save_picture(window, kind, tmp_path / f"path.{kind}")
    image = Image.open(io.BytesIO((tmp_path / "path.png").read_bytes()))
    assert min(image.size) > 400
    assert len(image.convert("RGB").getcolors(1 << 20)) > 10
    sheet = ET.fromstring((tmp_path / "path.svg").read_bytes())
    boxes = page.locator(".orrery-graph").evaluate("box => box.nodeIds()")
    assert len(sheet.findall(f".//{SVG}g[@class='node']")) == len(boxes)
    # All colours and sizes are in the file, and nothing of the page that drew it.
    names = {name for one in sheet.iter() for name in one.attrib}
    assert not names & {"style", "tabindex", "role", "aria-label"}
    # A saved picture has the visible theme.
    page.emulate_media(color_scheme="dark")
    page.reload()
    page.locator(".orrery-graph .node").first.wait_for()
    window.wait_until_still()
    save_picture(window, "svg", tmp_path / "dark.svg")
    for name, theme in (("path", "light"), ("dark", "dark")):
        ground = ET.parse(tmp_path / f"{name}.svg").find(f"{SVG}rect")
        assert ground.get("fill").upper() == BACKGROUND[theme].upper()
    # The drawing is the picture, in another font.
    page.set_viewport_size({"width": 1600, "height": 1600})
    page.set_content((tmp_path / "path.svg").read_text(encoding="utf-8"))
    seen = Image.open(io.BytesIO(page.locator("svg").screenshot())).convert("RGB")
    small = image.convert("RGB").resize(seen.size)
    difference = np.abs(np.asarray(small, np.int64) - np.asarray(seen, np.int64)).max(axis=2)
    assert (difference > 40).mean() < 0.03


def test_a_box_that_was_dragged_stands_there_in_the_saved_drawing(
    demo: tuple[str, Window], tmp_path: Path
) -> None:
    window = open_way(demo)
    page = window.page

    def saved(name: str) -> ET.Element:
        save_picture(window, "svg", tmp_path / name)
        return ET.parse(tmp_path / name).getroot()

    def paths(sheet: ET.Element) -> list[str | None]:
        return [path.get("d") for path in sheet.iter(f"{SVG}path")]

    before = saved("before.svg")
    assert not moves_of(before)
    box = page.locator(".orrery-graph")
    box.scroll_into_view_if_needed()
    spot = box.evaluate("box => box.whereIs(box.nodeIds()[0])")
    page.mouse.move(spot["x"], spot["y"])
    page.mouse.down()
    page.mouse.move(spot["x"] + 40, spot["y"] + 20, steps=8)
    page.mouse.up()
    after = saved("after.svg")
    assert len(moves_of(after)) == 1
    assert paths(after) != paths(before)
    assert len(paths(after)) == len(paths(before))


def moves_of(sheet: ET.Element) -> list[str]:
    """Moves of the boxes of a drawing."""
    boxes = sheet.findall(f".//{SVG}g[@class='node']")
    return [move for box in boxes if (move := box.get("transform"))]


def test_a_visitor_renames_a_topic_in_a_copy_of_the_sample(own_demo: tuple[str, Window]) -> None:
    url, window = own_demo
    page = window.page
    page.goto(f"{url}/graph?topic=L2.1&card=L2.1")
    card = page.get_by_role("dialog")
    card.get_by_role("button", name=topic_strings.COPY).click()
    page.wait_for_url("**run=Field-notes-copy*")
    window.wait_until_still()
    card.get_by_label(topic_strings.NAME, exact=True).fill("Meals")
    card.get_by_role("button", name=topic_strings.SAVE).click()
    card.get_by_text(topic_strings.BACK_TO_WORDS).wait_for()
    window.look("6-card")


def node_ids(picture) -> list[str]:
    """Keys of the boxes of a picture."""
    return picture.evaluate("picture => picture.nodeIds()")


def test_what_was_unfolded_continues_and_is_folded_back(demo: tuple[str, Window]) -> None:
    url, window = demo
    page = window.page
    page.goto(f"{url}/graph?topic=L1.3&min=0")
    page.locator(".orrery-graph .node").first.wait_for()
    window.wait_until_still()
    box = page.locator(".orrery-graph")
    shown = [node_ids(box)]
    for key, address in (("fold", "words"), ("fold", "words,words"), ("less", "")):
        # The unfolded picture is taller than most screens.
        page.set_viewport_size({"width": 1280, "height": 1800})
        window.wait_until_still()
        spot = box.evaluate("(box, key) => box.whereIs(key)", f"{key}:words")
        page.mouse.click(spot["x"], spot["y"])
        page.wait_for_function(
            "more => (new URL(location.href).searchParams.get('more') || '') === more", arg=address
        )
        window.wait_until_still()
        # The drawing follows the address, which the browser shows first.
        shown.append(
            read_until(page, lambda: node_ids(box), lambda now, before=shown[-1]: now != before)
        )
        if address == "words":
            window.look("6-unfolded")
    first, unfolded, further, last = map(set, shown)
    assert len(first) < len(unfolded) < len(further)
    assert "fold:words" not in further
    assert last == first


def test_the_second_click_of_a_double_click_leads_nowhere_else(demo: tuple[str, Window]) -> None:
    url, window = demo
    page = window.page
    page.goto(f"{url}/graph?topic=L1.10")
    page.locator(".orrery-graph .node").first.wait_for()
    window.wait_until_still()
    box = page.locator(".orrery-graph")
    parent = next(key for key in box.evaluate("box => box.nodeIds()") if key.startswith("topic:L2"))
    place = box.evaluate("(box, id) => box.whereIs(id)", parent)
    page.mouse.click(place["x"], place["y"])
    page.wait_for_timeout(250)
    page.mouse.click(place["x"], place["y"])
    window.wait_for_parameter("topic", parent.removeprefix("topic:"))
    window.wait_until_still()
    assert window.parameter("topic") == parent.removeprefix("topic:")


# Every text of a picture, and how large its letters are on the screen.
LETTERS = """box => [...box.querySelectorAll("svg text")].map(
  text => [text.textContent, text.getAttribute("font-size") * box.scale()])"""


def test_on_a_phone_letters_of_a_picture_can_be_read(demo: tuple[str, Window]) -> None:
    url, window = demo
    window.page.set_viewport_size({"width": 390, "height": 844})
    topic, other = sample_link()
    # From one page to another, so that each picture is a new one.
    for address in (
        f"graph?topic={topic}",
        "query?q=plant+cell",
        f"graph?topic={topic}&to={other}",
        "query?q=bass+band&q2=bass+fish",
        "graph?topic=L2.10",
    ):
        window.show(f"{url}/{address}")
        window.page.locator(".orrery-graph .node").first.wait_for()
        painted = read_until(
            window.page,
            lambda: window.page.locator(".orrery-graph").evaluate(LETTERS),
            lambda found: found and min(size for _, size in found) >= 9.99,
        )
        if "to=" in address:
            assert any(text.endswith("%") for text, _ in painted)


def sample_link() -> tuple[str, str]:
    """Ids of a topic of the sample and of one below it, by the strongest link."""
    network = load_run(ROOT / "sample_data" / "run").network
    graph = network.graph
    below = graph.edge_children()
    edge = max(
        (n for n in range(len(below)) if below[n] < graph.n_topics),
        key=lambda n: network.weight[n],
    )
    return graph.topic_ids[graph.parent_idx[edge]], graph.topic_ids[below[edge]]


LONG = "gravitational+earthquake+laboratory+government", "transmitter+parliament+government"


@pytest.mark.parametrize("is_turned", [False, True])
def test_three_boxes_side_by_side_fit_on_a_phone(demo: tuple[str, Window], is_turned: bool) -> None:
    url, window = demo
    phone = {"width": 390, "height": 844}
    picture, stage = (
        window.page.locator(name) for name in (".orrery-graph", ".orrery-graph .stage")
    )
    fits, scale = "one => one.scrollWidth <= one.clientWidth", "box => box.scale()"
    # From one page to another, so that each picture is a new one.
    for place in (
        "query?q=bass+band&q2=bass+fish",
        "graph?topic=L2.10",
        "query?q={}&q2={}".format(*LONG),
    ):
        window.page.set_viewport_size({"width": 844, "height": 390} if is_turned else phone)
        window.show(f"{url}/{place}")
        window.page.set_viewport_size(phone)
        window.wait_until_still()
        read_until(window.page, lambda: stage.evaluate(fits), bool)
        read_until(window.page, lambda: picture.evaluate(scale), lambda found: found > 0.75)
