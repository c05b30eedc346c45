"""A run that is watched: what has no known length moves, and no figure is cut."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest
from playwright.sync_api import expect

from orrery.app.shared import strings as shared_strings
from orrery.app.text import strings as common_strings
from orrery.app.views.train import strings
from orrery.core.data.columns import normal_table
from orrery.core.data.corpus import build_corpus
from orrery.core.data.raw import RawDocuments
from orrery.core.data.recipe import Recipe
from orrery.core.storage.corpora import save_corpus
from orrery.core.storage.runs import run_lock
from tests.app.fake_runs import metrics_rows, write_run
from tests.browser.conftest import Window
from tests.browser.driving import read_until, resize
from tests.browser.test_walk import ask_for_dense_regions

pytestmark = pytest.mark.browser
WIDTHS = (1280, 1024, 390)
EVALUATING = {"done_last": 0.0, "message": "Judging the model."}
MANY_TOPICS = {"topics": 1206, "active_topics": 1195}
# Labels and values of the figures that are wider than the room they have.
CUT = """() => [...document.querySelectorAll('.st-key-watch-figures [data-testid=stMetric] *')]
  .filter((part) => part.scrollWidth > part.clientWidth + 1
    && getComputedStyle(part).overflow !== 'visible')
  .map((part) => part.innerText)"""
LINES = """(name) => {
  const range = document.createRange();
  range.selectNode(name.firstChild);
  return range.getClientRects().length;
}"""
MOVES = """() => document.querySelector('.moving-bar')
  .getAnimations({ subtree: true }).some((one) => one.playState === 'running')"""


def test_a_phase_of_unknown_length_moves_and_its_figures_are_whole(
    serve: Callable[[str], str], open_browser: Callable[[], Window], tmp_path: Path
) -> None:
    workspace = tmp_path / "workspace"
    table = pd.DataFrame({"text": ["star orbit planet", "program disk code"] * 20, "label": None})
    table["id"] = [f"d{row}" for row in range(len(table))]
    corpus, report = build_corpus(RawDocuments(normal_table(table)), Recipe(min_df=2))
    save_corpus(corpus, workspace / "corpora" / "notes", report)
    folder = write_run(workspace / "runs" / "notes-01", workspace / "corpora" / "notes", "running")
    status = json.loads((folder / "status.json").read_text())
    rows = [json.dumps(row | MANY_TOPICS) for row in metrics_rows()]
    (folder / "metrics.jsonl").write_text("\n".join(rows) + "\n")
    now = time.time()
    # The duration of the run counts from its last report, so that on a slow machine too it is 95 s.
    status |= EVALUATING | {"since": now - 20.0, "whole_seconds": 95.0, "updated": now + 3600.0}
    (folder / "status.json").write_text(json.dumps(status))
    window = open_browser()
    page = window.page
    with run_lock(folder):
        page.goto(f"{serve('app')}/train?corpus=notes")
        news = page.locator(".st-key-train-news")
        news.get_by_text("Judging the model, for").wait_for()
        page.locator(".moving-bar").wait_for()
        read_until(page, lambda: page.evaluate(MOVES), bool)
        before = news.inner_text()
        page.wait_for_function("(before) => !document.body.innerText.includes(before)", arg=before)
        expect(news).to_contain_text("Judging the model, for")
        name = page.locator(".st-key-train-runs tbody th p")
        for width in WIDTHS:
            resize(page, width, 800)
            read_until(
                page, lambda width=width: (width, page.evaluate(CUT)), lambda found: found[1] == []
            )
            figures = page.locator(".st-key-watch-figures")
            if width == WIDTHS[-1]:
                # Two rows, in which the figures begin at the same places.
                boxes = [one.bounding_box() for one in figures.get_by_test_id("stMetric").all()]
                starts = [round(box["x"]) for box in boxes]
                assert starts[:2] == starts[2:]
                assert starts[0] < starts[1]
            expect(figures).to_contain_text("1,195 of 1,206")
            expect(figures).to_contain_text("1 min 35 s")
            read_until(
                page, lambda width=width: (width, name.evaluate(LINES)), lambda found: found[1] == 1
            )


def test_a_run_is_found_under_its_name_and_else_under_that_of_the_corpus(
    own_demo: tuple[str, Window],
) -> None:
    url, window = own_demo
    page = window.page
    page.goto(f"{url}/train")
    window.wait_until_still()
    ask_for_dense_regions(window, "8, 2", epochs=1)
    page.get_by_label(strings.NAME, exact=True).fill("evening")
    page.keyboard.press("Tab")
    window.wait_until_still()
    page.get_by_role("button", name=strings.START).click()
    named = page.locator(".st-key-train-runs tbody th p")
    named.get_by_text("evening", exact=True).wait_for()
    # Once it is done it is among the models.
    page.get_by_role("button", name=shared_strings.TO_QUERY).wait_for()
    window.wait_until_still()
    expect(named).to_have_text(["evening"])
    window.look("train-named")
    models = page.get_by_test_id("stSidebar").get_by_role("combobox", name="Model")
    models.click()
    expect(page.get_by_role("option")).to_have_text(["evening", common_strings.SAMPLE])
    page.keyboard.press("Escape")
    page.get_by_role("button", name=shared_strings.TO_QUERY).click()
    page.wait_for_url("**/query?*run=evening*")
    expect(models).to_have_value("evening")
    # The box is empty again, and the next run is called as the sample is.
    window.follow(strings.TITLE)
    expect(page.get_by_label(strings.NAME, exact=True)).to_have_value("")
    page.get_by_role("button", name=strings.START).click()
    named.get_by_text("Field-notes-01", exact=True).wait_for()
