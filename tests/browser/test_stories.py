"""A story in a browser: five views are kept, ordered, deleted, had back, and played by keys."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from orrery.app.words import common
from orrery.app.words import stories as words
from orrery.core.exporting import export_files
from orrery.core.story import KeptView, Story
from tests.browser.conftest import OpenPage, Window
from tests.browser.driving import served
from tests.core.exporting.models import EVIL, sample

pytestmark = pytest.mark.browser
VIEWS = {
    "query?q=space+shuttle": "space shuttle",
    "query?q=bass+band&q2=bass+fish": "bass band | bass fish",
    "graph?topic=L2.10": "Topic: orbit · mission · launch",
    "graph?topic=L1.11&to=L1.44": "Path: launch · rocket · shuttle → night · said · waiting",
    "documents?find=bass": "Documents: bass",
}
TITLES = list(VIEWS.values())
WIDTHS = (390, 1024, 1280, 1920)


def keep(window: Window, note: str) -> None:
    """Keep what the page shows, as a person does."""
    page = window.page
    page.get_by_role("button", name=words.KEEP, exact=False).click()
    page.get_by_role("textbox", name=words.NOTE, exact=True).fill(note)
    page.get_by_role("button", name=words.KEEP_IT, exact=True).click()
    page.get_by_text("Kept as view").wait_for()
    window.settle()


def listed(window: Window) -> list[str]:
    """Titles of the views as the page lists them, without their numbers."""
    texts = window.page.locator(".st-key-story-views button").all_inner_texts()
    return [text.partition(" · ")[2] for text in texts]


def counter(window: Window, number: int, count: int) -> None:
    """Wait until a view is told."""
    window.page.get_by_text(words.counter(number, count), exact=True).wait_for()


def note_leaves_room(window: Window) -> bool:
    """Whether the note lies within the window, and something of the page is seen beside it."""
    return window.page.evaluate(
        """() => {
          const roots = [...document.querySelectorAll("*")].map((one) => one.shadowRoot ?? one);
          const note = roots.map((root) => root.querySelector(".orrery-story")).find(Boolean);
          const box = note.getBoundingClientRect();
          const isInside = box.left >= 0 && box.right <= innerWidth && box.bottom <= innerHeight;
          return isInside && box.width * box.height < 0.6 * innerWidth * innerHeight &&
            document.documentElement.scrollWidth <= innerWidth;
        }"""
    )


def picture_is_whole(window: Window) -> bool:
    """Whether the picture ends above the note, of which two lines are seen."""
    return window.page.evaluate(
        """() => {
          const roots = [...document.querySelectorAll("*")].map((one) => one.shadowRoot ?? one);
          const box = (name) => roots.map((root) => root.querySelector(name)).find(Boolean);
          const top = box(".orrery-story").getBoundingClientRect().top;
          const lines = box(".orrery-story .note").clientHeight;
          return box(".orrery-graph .stage").getBoundingClientRect().bottom <= top && lines < 70;
        }"""
    )


def test_five_views_are_kept_ordered_and_played(own_demo: tuple[str, Window]) -> None:
    url, window = own_demo
    page = window.page
    for number, address in enumerate(VIEWS):
        page.goto(f"{url}/{address}")
        window.settle()
        keep(window, f"Note {number} {EVIL} {'and so on ' * 60}")
    window.follow("Stories")
    assert listed(window) == TITLES
    window.look("9-stories")
    page.get_by_role("button", name=TITLES[4], exact=False).click()
    page.get_by_text(words.place(5, 5, words.DOCUMENTS)).wait_for()
    page.get_by_role("button", name=words.EARLIER).click()
    page.get_by_text(words.place(4, 5, words.DOCUMENTS)).wait_for()
    assert listed(window) == [*TITLES[:3], TITLES[4], TITLES[3]]
    page.get_by_role("button", name=words.DELETE, exact=True).click()
    page.get_by_text(words.deleted(TITLES[4])).wait_for()
    assert listed(window) == TITLES[:4]
    page.get_by_role("button", name=words.UNDO).click()
    page.get_by_text(words.place(4, 5, words.DOCUMENTS)).wait_for()
    assert listed(window) == [*TITLES[:3], TITLES[4], TITLES[3]]
    page.get_by_role("button", name=f"1 · {TITLES[0]}").click()
    page.get_by_text(words.place(1, 5, words.QUERY)).wait_for()
    page.get_by_role("button", name=words.PLAY).click()
    play(window)


def play(window: Window) -> None:
    """Play the story by its keys and buttons, to its end."""
    page = window.page
    counter(window, 1, 5)
    assert page.get_by_text(f"Note 0 {EVIL}").is_visible()
    assert page.locator('[data-testid="stSidebar"]').is_hidden()
    page.locator(".orrery-graph canvas").wait_for()
    assert not page.get_by_role("textbox").count()
    assert not page.get_by_role("button", name="PNG", exact=True).count()
    for width, height in ((1280, 800), (1024, 768)):
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(500)
        assert picture_is_whole(window), width
        assert page.get_by_role("button", name=words.PLAYER["next"]).is_visible()
    page.keyboard.press("ArrowRight")
    counter(window, 2, 5)
    page.keyboard.press("ArrowLeft")
    counter(window, 1, 5)
    # Faster than the page follows: no key is lost.
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    counter(window, 3, 5)
    assert window.parameter("topic") == "L2.10"
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        page.wait_for_timeout(300)
        assert note_leaves_room(window), width
    page.get_by_role("button", name=words.PLAYER["next"]).click()
    counter(window, 4, 5)
    page.keyboard.press("Escape")
    page.wait_for_url("**/stories?**")
    page.get_by_text(words.place(4, 5, words.DOCUMENTS)).wait_for()
    page.locator('[data-testid="stSidebar"]').wait_for()
    assert page.locator("img[src=x]").count() == 0


def test_a_server_that_only_shows_plays_and_offers_nothing_else(
    tmp_path: Path, open_browser: Callable[[], Window]
) -> None:
    workspace = tmp_path / "workspace"
    story_file(workspace)
    with served("demo", workspace, options=("--read-only",)) as url:
        window = open_browser()
        page = window.page
        for name in ("corpus", "train"):
            page.goto(f"{url}/{name}")
            window.settle()
            page.get_by_text(words.ONLY_SHOWN.format(done=words.ONLY_SHOWN_DONE[name])).wait_for()
            assert not page.get_by_role("link", name=common.PAGE_TITLES[name], exact=True).count()
        page.goto(f"{url}/home")
        window.settle()
        for label in ("Train", "Add a corpus", "Delete", "Hide"):
            buttons = page.get_by_role("button", name=label, exact=True)
            assert not any(button.is_visible() for button in buttons.all()), label
        assert not page.get_by_role("button", name=words.KEEP).count()
        window.follow("Stories")
        assert not page.get_by_role("textbox").count()
        page.get_by_role("button", name=words.PLAY).click()
        counter(window, 1, 2)
        page.keyboard.press("ArrowRight")
        counter(window, 2, 2)
        page.get_by_text("The second note").wait_for()


def story_file(workspace: Path) -> None:
    """Put a story of two views into a workspace."""
    from orrery.core.storage.stories import add_story, change_story

    name = add_story(workspace, "A story", common.SAMPLE, common.SAMPLE).name
    views = (
        KeptView("a", "query", (("q", "space shuttle"),), "Space", "The first note"),
        KeptView("b", "graph", (("topic", "L2.10"),), "A topic", "The second note"),
    )
    change_story(workspace, name, lambda story: replace(story, views=views))


def test_the_explorer_tells_a_story_from_a_file(open_page: OpenPage) -> None:
    views = (
        KeptView("a", "query", (("q", "bass band"), ("q2", "bass fish")), "Bass", f"Note {EVIL}"),
        KeptView("b", "graph", (("topic", "L2.10"),), "A topic", ""),
        KeptView("c", "documents", (("doc", "7"),), EVIL, "A note on a document"),
    )
    story = Story("s", EVIL, "c", "r", views)
    page = open_page(export_files(sample(), "explorer", "page", "Title", story)["page"])
    page.get_by_text("1 of 3", exact=True).wait_for()
    assert page.get_by_text(f"Note {EVIL}").is_visible()
    page.locator("svg g.topic").first.wait_for()
    assert page.locator("aside").is_hidden()
    page.keyboard.press("ArrowRight")
    page.get_by_role("heading", level=1, name="orbit · mission · launch").wait_for()
    page.keyboard.press("ArrowRight")
    page.get_by_text("open the story in Orrery to see it").wait_for()
    assert page.get_by_text("A note on a document").is_visible()
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width
    page.keyboard.press("Escape")
    page.get_by_label("Your words").wait_for()
    page.get_by_role("link", name="Play the story").click()
    page.get_by_text("1 of 3", exact=True).wait_for()
    assert page.locator("img").count() == 0
