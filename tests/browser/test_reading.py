"""A file that takes a while to be read has a bar, and two of its columns are joined."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from orrery.app.views.corpus import strings
from orrery.core.storage.corpora import load_corpus
from tests.browser.conftest import Window
from tests.browser.test_opened import press

pytestmark = pytest.mark.browser
# Enough rows that reading and applying the recipe report their progress.
ROWS = 40_000
# Parts of the page with a bar, and the sign of the next one.
BARS = (("corpus-opened", "corpus-applied-stop"), ("corpus-applied", ""))
SENSES = (
    *("star orbit planet", "memory server code", "court judge trial", "boat harbour sail"),
    *("guitar band song", "soil seed garden", "loan bank cash", "goal match coach"),
)


class Held:
    """Messages from the server to the page, delayed from a sign on: the page then stands still."""

    def __init__(self, page) -> None:
        self.sign = b""
        self._waiting: list[bytes | str] = []
        self._is_held = False
        page.route_web_socket("**/_stcore/stream", self._connect)

    def _connect(self, socket) -> None:
        self._socket = socket
        socket.connect_to_server().on_message(self._report)

    def _report(self, message: bytes | str) -> None:
        if self._is_held:
            self._waiting.append(message)
            return
        self._socket.send(message)
        self._is_held = bool(self.sign) and self.sign in bytes(message)

    def go_on(self, sign: str = "") -> None:
        """Deliver the delayed messages to the page, up to the next sign if there is one."""
        self.sign, self._is_held = sign.encode(), False
        waiting, self._waiting = self._waiting, []
        for message in waiting:
            self._report(message)


@pytest.fixture
def letters(tmp_path: Path) -> Path:
    """Return a large file of which each row has two texts."""
    path = tmp_path / "letters.csv"
    with path.open("w", encoding="utf-8", newline="") as target:
        table = csv.writer(target)
        table.writerow(["number", "question", "answer"])
        for row in range(ROWS):
            reported = f"{SENSES[row % 8]} and what there is to be said of it in letter {row}"
            table.writerow([row, reported, f"reply {SENSES[row // 8 % 8]} at length"])
    return path


def test_a_bar_is_seen_while_a_file_is_read_and_two_of_its_texts_are_joined(
    serve: Callable[[str], str], open_browser: Callable[[], Window], letters: Path, tmp_path: Path
) -> None:
    url, window = serve("app"), open_browser()
    page = window.page
    held = Held(page)
    page.goto(f"{url}/corpus")
    window.wait_until_still()
    bars = page.get_by_test_id("stProgress")
    held.sign = b"corpus-opened-stop"
    page.locator("input[type=file]").set_input_files(letters)
    for name, following in BARS:
        bar = page.locator(f".st-key-{name}-bar")
        bar.get_by_role("button", name=strings.STOP).wait_for()
        bar.get_by_role("progressbar").wait_for()
        expect(bars).to_have_count(1)
        window.look(f"reading-{name}", is_live=True)
        held.go_on(following)
    page.get_by_text(strings.PREVIEW_OF.format(name=letters.name)).wait_for()
    window.wait_until_still()
    expect(bars).to_have_count(0)
    expect(page.get_by_role("button", name=strings.STOP)).to_have_count(0)
    # A second column of text.
    text = page.locator("[class*=st-key-corpus-text-]")
    chosen = text.get_by_test_id("stMultiSelectTagsContainer")
    expect(chosen).to_have_text("question", use_inner_text=True)
    text.get_by_role("combobox").click()
    page.get_by_role("option", name="answer", exact=True).click()
    page.keyboard.press("Escape")
    expect(chosen).to_have_text("question answer", use_inner_text=True)
    window.wait_until_still()
    window.look("reading-two-texts")
    press(window, strings.SAVE)
    page.get_by_role("button", name=strings.TO_TRAIN).wait_for()
    documents = load_corpus(tmp_path / "workspace" / "corpora" / "letters").documents
    assert documents["text"].iat[9].startswith(SENSES[1])
    assert documents["text"].iat[9].endswith(f"reply {SENSES[1]} at length")
