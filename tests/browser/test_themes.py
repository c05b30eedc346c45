"""The theme is chosen in the menu of the app, and everything that is drawn follows at once."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from orrery.app.workspace.catalog import SAMPLE_DATA
from tests.app.fake_runs import write_run
from tests.browser.appearance import SCHEMES
from tests.browser.conftest import MENU, Window
from tests.browser.driving import read_until, served

pytestmark = pytest.mark.browser
# Drawings of each page; on Train the curves of this run.
RUN = "a-run"
PICTURES = {
    "query?q=space+shuttle": ".orrery-graph .stage",
    "graph": ".orrery-map",
    "graph?topic=L2.10": ".orrery-graph .stage",
    "map": ".orrery-points .stage[data-labels]",
    "groups?by=year&view=course": "[data-testid=stVegaLiteChart]",
    "home": ".orrery-map",
    f"train?watch={RUN}": "[data-testid=stVegaLiteChart]",
}
# Backgrounds are nearly white or nearly black; marks cover less than half of a picture.
DARK, BRIGHT, MOST = 75, 180, 0.5
# The letters of the headline, whose own box is as wide as the page.
TITLE = """() => {
  const range = document.createRange();
  range.selectNodeContents(document.querySelector("h1"));
  return range.getBoundingClientRect().toJSON();
}"""
# Red, green and blue of the background of an element.
GROUND = (
    "(element) => getComputedStyle(element).backgroundColor.match(/\\d+/g).slice(0, 3).map(Number)"
)
FOLLOWS_MS, LATEST = 100, 50
Place = dict[str, float]


def choose(window: Window, theme: str) -> None:
    """Choose a theme as a person does, in the menu."""
    page = window.page
    page.get_by_role("button", name="Main menu").click()
    page.get_by_role("menuitemradio", name=theme).click()
    page.keyboard.press("Escape")
    page.get_by_test_id("stMainMenuPopover").wait_for(state="hidden")


def ground_of(window: Window, picture: str) -> str:
    """The theme that most of a picture is drawn for, or "" where that is neither."""
    shot = window.page.locator(picture).first.screenshot()
    grey = np.asarray(Image.open(io.BytesIO(shot)).convert("L"))
    parts = {"dark": (grey < DARK).mean(), "light": (grey > BRIGHT).mean()}
    return next((theme for theme, part in parts.items() if part > MOST), "")


def follows(window: Window, picture: str, theme: str) -> bool:
    """Whether a picture comes to be drawn for a theme, without the page being loaded anew."""
    for _ in range(LATEST):
        if ground_of(window, picture) == theme:
            return True
        window.page.wait_for_timeout(FOLLOWS_MS)
    return False


@pytest.fixture(scope="module")
def demo_with_a_run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of a demo whose Train page has curves."""
    workspace = tmp_path_factory.mktemp("themes") / "workspace"
    write_run(workspace / "runs" / RUN, SAMPLE_DATA / "corpus", "finished")
    with served("demo", workspace) as url:
        yield url


@pytest.mark.parametrize("system", SCHEMES)
def test_every_picture_follows_the_theme(
    demo_with_a_run: str, open_browser: Callable[[], Window], system: str
) -> None:
    assert pictures_not_following(demo_with_a_run, open_browser(), system) == []


def pictures_not_following(url: str, window: Window, system: str) -> list[tuple[str, str]]:
    """Pages, each with a theme that was chosen on it and that its picture did not come to have."""
    page = window.page
    page.emulate_media(color_scheme=system)
    faults = []
    for place, picture in PICTURES.items():
        window.show(f"{url}/{place}")
        page.locator(picture).first.wait_for()
        window.wait_until_still()
        page.evaluate("window.isSamePage = true")
        for theme in ("dark", "light", "dark"):
            choose(window, theme.capitalize())
            if not follows(window, picture, theme):
                faults.append((place, theme))
        assert page.evaluate("window.isSamePage"), "the page was loaded anew"
        choose(window, "System")
        if not follows(window, picture, system):
            faults.append((place, "system"))
    return faults


def expect_apart(window: Window, place: Callable[[], Place | None], gap: float = 0.0) -> None:
    """Wait until an element is below the menu or on its left, with a gap in pixels."""

    def are_apart(places: tuple[Place | None, Place | None]) -> bool:
        menu, other = places
        if menu is None or other is None:
            return False
        is_below = menu["y"] + menu["height"] + gap <= other["y"]
        return is_below or other["x"] + other["width"] + gap <= menu["x"]

    menu = window.page.get_by_role("button", name="Main menu")
    read_until(window.page, lambda: (menu.bounding_box(), place()), are_apart)


def test_the_menu_has_nothing_else_and_lies_on_nothing(demo: tuple[str, Window]) -> None:
    url, window = demo
    page = window.page
    for width in (390, 1280, 1920):
        page.set_viewport_size({"width": width, "height": 800})
        page.goto(f"{url}/graph")
        window.wait_until_still()
        expect_apart(window, lambda: page.evaluate(TITLE))
        expect_apart(window, page.locator(".st-key-keep-view button").bounding_box)
        assert window.menu() == MENU


def test_the_menu_and_the_bar_of_the_tour_are_apart(demo: tuple[str, Window]) -> None:
    url, window = demo
    page = window.page
    page.goto(f"{url}/query?tour=1&q=space+shuttle")
    window.wait_until_still()
    for width in (390, 1024, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        window.wait_until_still()
        expect_apart(window, page.locator(".st-key-tour-bar").bounding_box, gap=6)


@pytest.mark.parametrize("system", SCHEMES)
def test_the_opening_sign_has_the_chosen_theme(demo: tuple[str, Window], system: str) -> None:
    url, window = demo
    page = window.page
    page.emulate_media(color_scheme=system)
    seen = {}
    for theme in ("Dark", "Light", "System"):
        page.goto(f"{url}/graph")
        window.wait_until_still()
        choose(window, theme)
        # Without the app the sign stays.
        page.route("**/static/js/*", lambda route: route.abort())
        page.reload()
        page.locator("#opening").wait_for()
        due = theme.lower() if theme != "System" else system
        seen[theme] = due if follows(window, "#opening", due) else ground_of(window, "#opening")
        page.unroute("**/static/js/*")
    assert seen == {"Dark": "dark", "Light": "light", "System": system}


def test_a_theme_that_is_chosen_on_one_page_holds_on_all(demo: tuple[str, Window]) -> None:
    url, window = demo
    page = window.page
    page.emulate_media(color_scheme="light")
    seen = []
    # It has no effect on selections of others, because nothing is selected on it.
    bystander = page.context.new_page()
    bystander.goto(f"{url}/stories")
    bystander.locator("h1").wait_for()
    page.bring_to_front()
    for place, theme in (("graph", "Dark"), ("query", "System"), ("documents", "Light")):
        page.goto(f"{url}/{place}")
        window.wait_until_still()
        choose(window, theme)
        bystander.bring_to_front()
        page.bring_to_front()
        page.goto(f"{url}/graph?topic=L2.10")
        page.locator(PICTURES["graph?topic=L2.10"]).wait_for()
        seen.append(follows(window, ".orrery-graph .stage", "dark" if theme == "Dark" else "light"))
        # In a window of its own, as a link opens it.
        with page.expect_popup() as opened:
            page.evaluate("open('home')")
        opened.value.locator("h1").wait_for()
        app = opened.value.locator("[data-testid=stApp]")
        read_until(
            page,
            lambda app=app: sum(app.evaluate(GROUND)),
            (lambda ground: ground < 3 * DARK)
            if theme == "Dark"
            else (lambda ground: ground > 3 * BRIGHT),
        )
        opened.value.close()
    assert seen == [True] * 3


def test_a_server_that_only_shows_offers_the_themes(
    tmp_path: Path, open_browser: Callable[[], Window]
) -> None:
    with served("demo", tmp_path / "workspace", options=("--read-only",)) as url:
        window = open_browser()
        window.page.goto(f"{url}/graph")
        window.wait_until_still()
        choose(window, "Dark")
        assert follows(window, ".orrery-map", "dark")
