"""Two browsers start, stop, name and delete the same things: both get messages, nothing is lost."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from orrery.app.shared import strings as shared_strings
from orrery.app.shell import strings as shell_strings
from orrery.app.views.home import strings as home_words
from orrery.app.views.names import strings as names_words
from orrery.app.views.stories import strings as story_words
from orrery.app.views.train import strings
from orrery.app.workspace import runs
from orrery.core.model.story import Story
from orrery.core.storage.overlay import read_overlay
from orrery.core.storage.stories import read_stories
from tests.browser.conftest import Record, Window
from tests.browser.driving import IS_STILL, PATIENCE, read_until
from tests.browser.test_names import model, type_name

__all__ = ["model"]

pytestmark = pytest.mark.browser
# Content of the served workspace at first, besides the sample.
CORPUS, RUN = "notes", "notes-01"
PLACE = f"corpus={CORPUS}&run={RUN}"
# A run of this many epochs trains until it is stopped.
EPOCHS = "3000"
# Both press this long after they have agreed to.
AGREED_MS = 400
# A page of a run that is going looks for news every second. On a slow machine it never rests in
# between, and is read when its script has ended twice; a fixed time, as `wait_until_still` has for
# such pages, may end before the page is drawn.
LOOKS = f"""async ([ends, patience]) => {{
  const app = document.querySelector("[data-testid=stApp]"), begun = performance.now();
  let ended = 0, before = "";
  while (ended < ends && !({IS_STILL})()) {{
    if (performance.now() - begun > patience) return false;
    const state = app.getAttribute("data-test-script-state");
    if (state === "notRunning" && before === "running") ended += 1;
    before = state;
    await new Promise(requestAnimationFrame);
  }}
  return true;
}}"""
ENDS = 2
# By then it has looked for news again.
NEWS_MS = 1500
PRESS_LATER = """(button, moment) => {
  window.hasPressed = false;
  setTimeout(() => { button.click(); window.hasPressed = true; }, moment - Date.now());
}"""
NAMED = "[data-testid=stAlert] p, [data-testid=stToast] p"
GONE = ["Corpus others is gone; it was deleted elsewhere."]
# Temporary files beside a file that is written or deleted; no visitor sees them.
HALF_WRITTEN = ("*.partial", ".removed-*", ".*-new", ".*-old")


class Visitors:
    """Two browsers on one app, and its shared workspace.

    Attributes
    ----------
    workspace : Path
    windows : tuple of Window
    steps : int
        Number of their actions so far.
    """

    def __init__(self, url: str, workspace: Path, windows: tuple[Window, Window]) -> None:
        self.workspace = workspace
        self.windows = windows
        self.steps = 0
        self._url = url

    def open(self, address: str) -> None:
        """Both open the same page."""
        for window in self.windows:
            window.page.goto(f"{self._url}/{address}")
        for window in self.windows:
            window.wait_until_still()

    def watch(self, run: str, name: str) -> None:
        """Both look at a run on the Train page, until a button of it can be pressed."""
        for window in self.windows:
            window.page.goto(f"{self._url}/train?{PLACE}&watch={run}")
        for window in self.windows:
            wait_for_button(window, name)

    def press(self, *names: str) -> None:
        """Each presses a button at the same moment, by the clock of the machine they are on."""
        moment = time.time() * 1000 + AGREED_MS
        for window, name in zip(self.windows, names, strict=True):
            button(window, name).evaluate(PRESS_LATER, moment)
        for window in self.windows:
            window.page.wait_for_function("window.hasPressed")

    def look(self) -> None:
        """After a step: no page shows more than a sentence, and all that is on disk is whole."""
        self.steps += 1
        for window in self.windows:
            if self.going():
                assert window.page.evaluate(LOOKS, [ENDS, PATIENCE])
                window.page.wait_for_timeout(NEWS_MS)
            else:
                window.wait_until_still()
            assert window.page.locator('[data-testid="stException"]').count() == 0
            for shown_text in reported(window):
                assert "\n" not in shown_text, shown_text
                assert "Errno" not in shown_text, shown_text
                assert shown_text.endswith("."), shown_text
        if not self.going():
            found = [path for name in HALF_WRITTEN for path in self.workspace.rglob(name)]
            assert found == []
        for path in self.workspace.rglob("*.json"):
            json.loads(path.read_text(encoding="utf-8"))
        self.stories()
        for job in self.runs():
            assert job.corpus is not None
            assert job.settings or job.is_live

    def runs(self) -> list[runs.Job]:
        """All runs of the workspace, the newest first."""
        return runs.list_jobs(self.workspace / "runs")

    def stories(self) -> list[Story]:
        """All stories of the workspace."""
        stories, problems = read_stories(self.workspace)
        assert problems == []
        return stories

    def wait_until(self, is_so: Callable[[], bool]) -> None:
        """Wait until something is so on disk; otherwise the test fails with the runs there."""
        read_until(
            self.windows[0].page,
            lambda: (is_so(), [(job.name, job.state) for job in self.runs()]),
            lambda found: found[0],
        )

    def going(self) -> list[str]:
        """Names of the running runs."""
        return sorted(job.name for job in self.runs() if job.is_live)


@pytest.fixture
def visitors(
    serve: Callable[[str], str],
    open_browser: Callable[[], Window],
    model: Path,
    tmp_path: Path,
    record_property: Record,
) -> Iterator[Visitors]:
    """Two browsers at one app with a corpus and a run of its own."""
    both = Visitors(serve("app"), tmp_path / "workspace", (open_browser(), open_browser()))
    yield both
    record_property("steps of two browsers at the same things", both.steps)


def button(window: Window, name: str):
    return window.page.get_by_role("button", name=name, exact=True)


def press(window: Window, name: str) -> None:
    """Press a button as soon as it can be."""
    button(window, name).click()


def wait_for_button(window: Window, name: str) -> None:
    """Wait until a button can be pressed."""
    button(window, name).click(trial=True)


def open_menu(place, label: str = "") -> None:
    """Open what a button of a page, or of a part of it, hides."""
    place.get_by_test_id("stPopoverButton").filter(has_text=label).first.click()


def reported(window: Window) -> list[str]:
    """Messages of a page in boxes of their own."""
    return [text.strip() for text in window.page.locator(NAMED).all_inner_texts()]


def wait_for_messages(window: Window, is_so: Callable[[list[str]], object]) -> None:
    """Wait until the messages of a page are as expected."""
    read_until(window.page, lambda: reported(window), is_so)


def choose_a_long_run(window: Window) -> None:
    """Choose settings of a run that takes longer than anybody looks."""
    page = window.page
    page.get_by_text(shared_strings.METHODS["dense-regions"], exact=True).first.click()
    window.wait_until_still()
    page.get_by_label(strings.TOPICS, exact=True).fill("24, 6")
    page.get_by_text(strings.MORE).click()
    epochs = page.get_by_label(strings.EPOCHS, exact=True)
    epochs.fill(EPOCHS)
    epochs.press("Enter")
    window.wait_until_still()


def test_both_start_stop_and_remove_runs(visitors: Visitors) -> None:
    one, other = visitors.windows
    visitors.open(f"train?{PLACE}&watch={RUN}")
    for window in visitors.windows:
        choose_a_long_run(window)

    # Each has a run of its own, and is shown it.
    visitors.press(strings.START, strings.START)
    for window in visitors.windows:
        window.page.wait_for_function(f"() => !location.search.includes('watch={RUN}')")
    visitors.wait_until(lambda: len(visitors.going()) == 2)
    visitors.look()
    first, second = visitors.going()
    read_until(
        one.page,
        lambda: {window.parameter("watch") for window in visitors.windows},
        lambda watched: watched == {first, second},
    )

    # Both stop the first at once.
    visitors.watch(first, shared_strings.STOP)
    visitors.press(shared_strings.STOP, shared_strings.STOP)
    visitors.wait_until(lambda: visitors.going() == [second])
    for window in visitors.windows:
        wait_for_button(window, shared_strings.RESUME)
    visitors.look()

    # One stops the second, under the eyes of the other.
    visitors.watch(second, shared_strings.STOP)
    press(one, shared_strings.STOP)
    wait_for_button(other, shared_strings.RESUME)
    visitors.wait_until(lambda: not visitors.going())
    visitors.look()

    # Both remove it: one does, the other hears of it.
    for window in visitors.windows:
        open_menu(window.page, shared_strings.REMOVE)
    visitors.press(shared_strings.REMOVE_SURE, shared_strings.REMOVE_SURE)
    visitors.look()
    assert [job.name for job in visitors.runs()] == [first, RUN]
    # The run of the chosen model is shown instead.
    expected = [[], [shell_strings.not_here("watch", second, RUN)]]
    read_until(
        one.page,
        lambda: sorted(map(reported, visitors.windows)),
        lambda found: found == expected,
    )

    # One removes what the other has open and would go on with.
    visitors.watch(first, shared_strings.RESUME)
    open_menu(one.page, shared_strings.REMOVE)
    press(one, shared_strings.REMOVE_SURE)
    visitors.wait_until(lambda: [job.name for job in visitors.runs()] == [RUN])
    press(other, shared_strings.RESUME)
    other.page.get_by_text(shell_strings.not_here("watch", first, RUN)).wait_for()
    visitors.look()
    assert [job.name for job in visitors.runs()] == [RUN]


def test_both_name_a_topic_and_one_deletes_the_run(visitors: Visitors) -> None:
    one, other = visitors.windows
    folder = visitors.workspace / "runs" / RUN
    names, save = ("Rivers", "Boats"), f"{names_words.SAVE} 1 change"
    visitors.open(f"names?{PLACE}")
    for window, name in zip(visitors.windows, names, strict=True):
        type_name(window, 0, name)
    visitors.press(save, save)
    visitors.look()
    (saved,) = read_overlay(folder / "model").labels.values()
    (late,) = read_until(
        one.page,
        lambda: [window for window in visitors.windows if reported(window)],
        lambda found: len(found) == 1,
    )
    assert saved in names
    wait_for_messages(late, lambda found: found == [names_words.CONFLICT])
    press(late, names_words.KEEP_MINE)
    visitors.look()
    assert {saved, *read_overlay(folder / "model").labels.values()} == set(names)

    # Deleted on Home, while the other has a change to save.
    type_name(other, 1, "Wind")
    one.follow("Home")
    open_menu(one.page.locator(f".st-key-delete-run-{RUN}"))
    press(one, home_words.DELETE_SURE)
    visitors.wait_until(lambda: not folder.exists())
    press(other, save)
    other.page.get_by_text(shell_strings.not_here("run", RUN, "")).wait_for()
    visitors.look()
    assert visitors.runs() == []


def test_corpora_are_deleted_while_others_use_them(visitors: Visitors) -> None:
    one, other = visitors.windows
    corpora = visitors.workspace / "corpora"
    shutil.copytree(corpora / CORPUS, corpora / "others")
    visitors.open(f"home?{PLACE}")
    for window in visitors.windows:
        open_menu(window.page.locator(".st-key-delete-corpus-others"))
    visitors.press(home_words.DELETE_SURE, home_words.DELETE_SURE)
    visitors.look()
    assert [path.name for path in corpora.iterdir()] == [CORPUS]
    for window in visitors.windows:
        card = window.page.locator(".st-key-corpus-others")
        wait_for_messages(window, lambda found, card=card: found == GONE or not card.count())

    # Either the corpus is deleted or the run starts; the second visitor gets a message.
    other.follow("Train")
    choose_a_long_run(other)
    open_menu(one.page.locator(f".st-key-delete-corpus-{CORPUS}"))
    visitors.press(home_words.DELETE_SURE, strings.START)
    visitors.wait_until(lambda: bool(visitors.going()) or not (corpora / CORPUS).exists())
    visitors.look()
    if (corpora / CORPUS).exists():
        busy = f"Run notes-02 is still training on {CORPUS}; stop it first."
        wait_for_messages(one, lambda found: found == [busy])
        assert visitors.going() == ["notes-02"]
    else:
        wait_for_messages(other, lambda found: any(CORPUS in text for text in found))
        assert [job.name for job in visitors.runs()] == [RUN]


def test_both_keep_views_and_delete_one_story(visitors: Visitors) -> None:
    visitors.open(f"query?{PLACE}&q=star+orbit")
    for number, window in enumerate(visitors.windows):
        window.page.get_by_role("button", name=shared_strings.KEEP).click()
        note = window.page.get_by_role("textbox", name=shared_strings.NOTE, exact=True)
        note.fill(f"Note {number}")
        note.blur()
        window.wait_until_still()
    visitors.press(shared_strings.KEEP_IT, shared_strings.KEEP_IT)
    for window in visitors.windows:
        window.page.get_by_text("Kept as view").wait_for()
    visitors.look()
    before = visitors.stories()
    kept = [view.note for story in before for view in story.views]
    assert sorted(kept) == ["Note 0", "Note 1"]

    # One visitor restores it, the other gets a message; it is restored once.
    visitors.open(f"stories?{PLACE}&story={before[0].name}")
    for window in visitors.windows:
        open_menu(window.page, story_words.MORE)
    visitors.press(story_words.DELETE_STORY, story_words.DELETE_STORY)
    visitors.look()
    assert visitors.stories() == before[1:]
    (first,) = read_until(
        visitors.windows[0].page,
        lambda: [window for window in visitors.windows if button(window, story_words.UNDO).count()],
        lambda found: len(found) == 1,
    )
    (late,) = [window for window in visitors.windows if window is not first]
    expect(late.page.locator(NAMED)).to_contain_text(
        ["This story is gone; it was deleted elsewhere."]
    )
    press(first, story_words.UNDO)
    visitors.wait_until(lambda: visitors.stories() == before)
    visitors.look()
