"""The map of documents in a browser: points are drawn, hovered, searched, selected and opened."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from PIL import Image
from playwright.sync_api import expect

from orrery.app.shell import strings as shell_strings
from orrery.app.views.map import strings
from tests.browser.appearance import SCHEMES
from tests.browser.conftest import Window
from tests.browser.driving import read_until
from tests.browser.test_data_out import downloaded

pytestmark = pytest.mark.browser

STAGE = ".orrery-points .stage"
N_LABELS = "stage => Number(stage.dataset.labels)"


def highlighted(window: Window) -> int:
    return int(window.page.locator(STAGE).get_attribute("data-lit") or -1)


def wait_for_highlighted(window: Window, is_so: Callable[[int], bool]) -> int:
    """Wait until this number of points is highlighted, and return the number."""
    return read_until(window.page, lambda: highlighted(window), is_so)


def some(number: int) -> bool:
    return 0 < number < 800


def everything(number: int) -> bool:
    return number == 800


def many(hues: int) -> bool:
    """Whether points of many topics have many colours."""
    return hues > 6


def hues(picture: bytes) -> int:
    """How many strong colours a picture has."""
    shot = Image.open(io.BytesIO(picture)).convert("HSV")
    counted = shot.resize((300, 200)).getcolors(300 * 200) or []
    return len({colour[0] // 16 for _, colour in counted if colour[1] > 110 and colour[2] > 60})


def wait_for_hues(window: Window, is_so: Callable[[int], bool]) -> int:
    """Wait until the map shows this number of strong colours, and return the number."""
    stage = window.page.locator(STAGE)
    return read_until(window.page, lambda: hues(stage.screenshot()), is_so)


def open_map(url: str, window: Window, query: str = "") -> None:
    window.page.goto(f"{url}/map{query}")
    window.page.wait_for_selector(f"{STAGE}[data-labels]")
    window.wait_until_still()


def test_the_map_is_drawn_in_all_sizes(demo: tuple[str, Window]) -> None:
    url, window = demo
    open_map(url, window)
    wait_for_hues(window, many)
    stage = window.page.locator(STAGE)
    for width in (390, 1024):
        window.page.set_viewport_size({"width": width, "height": 844})
        window.wait_until_still()
        wide = 0.85 * min(width, 390) - 20
        read_until(window.page, stage.bounding_box, lambda box, wide=wide: box["width"] > wide)
        read_until(window.page, lambda: stage.evaluate(N_LABELS), lambda count: count >= 4)


LOSE = """(canvas) => new Promise((lost) => {
  canvas.addEventListener("webglcontextlost", () => lost(), { once: true });
  window.lent = canvas.getContext("webgl2").getExtension("WEBGL_lose_context");
  window.lent.loseContext();
})"""


def test_points_come_back_where_the_browser_took_their_drawing_away(
    demo: tuple[str, Window],
) -> None:
    url, window = demo
    open_map(url, window)
    window.page.locator(".orrery-points .tools button", has_text="+").click()
    window.wait_until_still()
    before = wait_for_hues(window, many)
    window.page.locator(".orrery-points canvas.points").evaluate(LOSE)
    window.wait_until_still()
    wait_for_hues(window, lambda count: count < before)
    window.page.evaluate("() => window.lent.restoreContext()")
    window.wait_until_still()
    wait_for_hues(window, lambda count: count == before)


def test_the_map_is_saved_as_it_is_seen(demo: tuple[str, Window]) -> None:
    url, window = demo
    page = window.page
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        open_map(url, window)
        picture = downloaded(
            window, page.get_by_role("button", name=shell_strings.TOOLS["png"]).click
        )
        data = picture.read_bytes()
        assert Image.open(io.BytesIO(data)).format == "PNG"
        assert many(hues(data))
        # Names and the background of the theme too; pixels are compared as the screen shows them.
        seen = page.locator(STAGE).screenshot()
        whole, seen = (Image.open(io.BytesIO(one)).convert("L") for one in (data, seen))
        # The screen has a border around it, and may begin between two pixels.
        spare = (seen.width - whole.width, seen.height - whole.height)
        assert all(0 <= more <= 4 for more in spare)
        saved = np.asarray(whole, float)
        differences = [
            np.abs(saved - np.asarray(seen.crop((x, y, x + whole.width, y + whole.height)))).mean()
            for x in range(spare[0] + 1)
            for y in range(spare[1] + 1)
        ]
        assert min(differences) < 3
        assert np.std(saved) > 10


def test_a_search_lights_up_a_box_selects_and_the_selection_is_saved(
    demo: tuple[str, Window], tmp_path: Path
) -> None:
    url, window = demo
    page = window.page
    open_map(url, window)
    wait_for_highlighted(window, everything)
    page.get_by_label(strings.SEARCH).fill("shuttle")
    page.keyboard.press("Enter")
    found = wait_for_highlighted(window, some)
    assert 0 < found < 100
    page.get_by_role("button", name=strings.CLEAR).click()
    wait_for_highlighted(window, everything)
    # The left half, by a box.
    page.get_by_role("button", name=shell_strings.TOOLS["box"][1]).click()
    box = page.locator(STAGE).bounding_box()
    middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] - 4)
    page.mouse.move(box["x"] + 4, box["y"] + 4)
    page.mouse.down()
    page.mouse.move(*middle, steps=8)
    page.mouse.up()
    wait_for_highlighted(window, some)
    is_area = re.compile(r"\d+(\.\d+){7}").fullmatch
    read_until(page, lambda: window.parameter("area"), is_area)
    window.wait_until_still()
    selected = wait_for_highlighted(window, some)
    with page.expect_download() as download:
        page.get_by_role("button", name=strings.SAVE).click()
    download.value.save_as(tmp_path / "part.csv")
    assert len(pd.read_csv(tmp_path / "part.csv")) == selected
    # The address alone brings the selection back.
    page.reload()
    page.wait_for_selector(f"{STAGE}[data-labels]")
    wait_for_highlighted(window, lambda number: number == selected)
    # A key that is pressed earlier goes to a page that is not there yet.
    window.wait_until_still()
    page.locator(STAGE).focus()
    page.keyboard.press("Escape")
    wait_for_highlighted(window, everything)


def test_a_lasso_selects_too_and_becomes_a_corpus(own_demo: tuple[str, Window]) -> None:
    url, window = own_demo
    page = window.page
    open_map(url, window)
    page.get_by_role("button", name=shell_strings.TOOLS["lasso"][1]).click()
    box = page.locator(STAGE).bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x - 150, y)
    page.mouse.down()
    for dx, dy in ((-100, -120), (0, -160), (100, -120), (150, 0), (0, 160), (-140, 60)):
        page.mouse.move(x + dx, y + dy, steps=5)
    page.mouse.up()
    wait_for_highlighted(window, some)
    window.wait_until_still()
    selected = wait_for_highlighted(window, some)
    page.get_by_role("button", name=strings.CORPUS).click()
    page.get_by_label(strings.CORPUS_NAME).fill("a part")
    page.keyboard.press("Tab")
    page.get_by_role("button", name=strings.CORPUS_MAKE, exact=True).click()
    page.get_by_text(strings.made("a part", selected)).wait_for()


@pytest.mark.parametrize("far", [120, 400])
def test_a_map_that_is_dragged_is_what_is_drawn_anew_when_it_is_let_go(
    demo: tuple[str, Window], far: int
) -> None:
    url, window = demo
    page = window.page
    open_map(url, window)
    stage = page.locator(STAGE)

    def picture() -> np.ndarray:
        return np.asarray(Image.open(io.BytesIO(stage.screenshot())).convert("L"), float)

    begin = picture()
    box = stage.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - far, y + far / 4, steps=6)
    window.wait_until_still()
    held = picture()
    page.mouse.up()
    # The pointer rests on no point.
    page.mouse.move(1, 1)
    let_go = picture()
    window.wait_until_still()
    at_rest = picture()
    assert np.abs(held - begin).mean() > 2
    # Not even for a moment is it elsewhere.
    assert np.abs(let_go - held).mean() < 0.2
    assert np.abs(at_rest - held).mean() < 0.2


def test_a_point_describes_itself_and_opens(demo: tuple[str, Window]) -> None:
    url, window = demo
    page = window.page
    open_map(url, window)
    # By keys: to a point near the middle, nearer, and into it.
    page.locator(STAGE).focus()
    page.keyboard.press("+")
    tip = page.locator(f"{STAGE} .tip")
    tip.wait_for()
    title = read_until(page, tip.locator(".first").inner_text, lambda text: len(text) > 5)
    page.keyboard.press("Enter")
    page.wait_for_url("**/documents*doc=*")
    window.wait_until_still()
    main = page.locator('[data-testid="stMain"]')
    expect(main).to_contain_text(title.removesuffix(" …"), use_inner_text=True)
    page.go_back()
    page.wait_for_selector(f"{STAGE}[data-labels]")


def test_the_legend_filters_and_colours_change(demo: tuple[str, Window]) -> None:
    url, window = demo
    page = window.page
    open_map(url, window)
    # The column of dates of the sample texts is called so.
    page.get_by_role("button", name="year", exact=True).or_(
        page.get_by_role("radio", name="year", exact=True)
    ).first.click()
    page.wait_for_url("**colour=year*")
    window.wait_until_still()
    entry = page.locator(".orrery-points .legend .item").nth(2)
    count = int(entry.locator(".count").inner_text())
    entry.click()
    wait_for_highlighted(window, lambda number: number == count)
    page.locator('.orrery-points .legend .item[aria-pressed="true"]').click()
    wait_for_highlighted(window, everything)
