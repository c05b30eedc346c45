"""Unusual corpora: hostile names, 200 labels, dates of all times, no model."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import expect

from orrery.app.shell import strings as shell_strings
from orrery.app.views.corpus import strings as corpus_words
from orrery.app.views.stories import strings
from orrery.core.model.story import KeptView
from orrery.core.storage.corpora import load_corpus
from orrery.core.storage.stories import add_story, change_story
from tests.app.views.test_groups_page import relabelled
from tests.browser.conftest import Window
from tests.browser.driving import ROOT, assert_stayed_text
from tests.browser.test_map import STAGE, some, wait_for_highlighted
from tests.core.export.models import EVIL

pytestmark = pytest.mark.browser
YEARS = ["1850-01-01", "1899-12-31", "2020-02-29", "2101-05-05", "9998-01-01"]


def test_hostile_names_many_labels_and_all_times(
    serve: Callable[[str], str], open_browser: Callable[[], Window], tmp_path: Path
) -> None:
    workspace = tmp_path / "workspace"
    labels: list[str | None] = [f"{EVIL} {number}" for number in range(200)]
    relabelled(workspace, labels, date=YEARS, title=[f"{EVIL} **{n}**" for n in range(7)])
    story = add_story(workspace, EVIL, "notes", "gone").name
    view = KeptView("a", "query", (("q", "star orbit"),), EVIL, f"A note {EVIL}")
    change_story(workspace, story, lambda found: replace(found, views=(view,)))
    url, window = serve("app"), open_browser()
    page = window.page

    def open_place(place: str) -> None:
        window.show(f"{url}/{place}{'&' if '?' in place else '?'}corpus=notes&run=notes")

    def look(name: str) -> None:
        window.look(f"odd-{name}")
        assert_stayed_text(page, "img[src=x]")

    # Points by label and by year, highlighted by a click on the legend.
    for way in ("label", "year"):
        open_place(f"map?colour={way}")
        page.locator(f"{STAGE}[data-labels]").wait_for()
        page.locator(".orrery-points .legend .item").first.click()
        wait_for_highlighted(window, some)
    look("map")
    for place in ("groups?by=date&periods=decade&view=course", "groups?show=lift"):
        open_place(place)
        page.locator("[data-testid=stVegaLiteChart]").first.wait_for()
    look("groups")
    open_place("documents")
    page.locator(".st-key-years").wait_for()
    page.locator("[class*=st-key-open-] button").first.click()
    page.wait_for_url("**doc=*")
    window.wait_until_still()
    look("document")
    # A story whose model was deleted is read, and is tied to another.
    open_place(f"stories?story={story}")
    page.get_by_text(re.compile("gone")).first.wait_for()
    look("story")
    page.locator(".st-key-story-use-model button").click()
    page.locator(".st-key-story-use-model").wait_for(state="detached")
    page.get_by_role("button", name=strings.PLAY).click()
    page.get_by_text(shell_strings.COUNTER.format(number=1, count=1), exact=True).wait_for()


def test_columns_are_guessed_by_what_they_hold(
    serve: Callable[[str], str], open_browser: Callable[[], Window], tmp_path: Path
) -> None:
    path = tmp_path / "clues.csv"
    texts = load_corpus(ROOT / "sample_data" / "corpus").documents["text"]
    with path.open("w", encoding="utf-8", newline="") as target:
        table = csv.writer(target)
        table.writerow(["air_date", "headline", "clue", "answer_note", "category"])
        for number, text in enumerate(texts):
            first, _, second = text.partition(". ")
            row = [f"{1990 + number % 30}-0{1 + number % 9}-15", f"No {number} of them", first]
            table.writerow([*row, f"{second} and so on.", f"category {number % 600}"])
    url, window = serve("app"), open_browser()
    page = window.page
    page.goto(f"{url}/corpus")
    window.wait_until_still()
    page.locator("input[type=file]").set_input_files(path)
    page.get_by_text(corpus_words.PREVIEW_OF.format(name=path.name)).wait_for()
    window.wait_until_still()
    chosen = page.get_by_role("combobox", name=corpus_words.DATE_COLUMN, exact=True)
    expect(chosen).to_have_value("air_date")
    page.get_by_text(re.compile("The label has 600 different values")).wait_for()
    window.look("odd-columns")
