"""The whole path in a browser: a file of texts, a corpus, a model, its answers, its graph."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from orrery.app.shared import strings as shared_strings
from orrery.app.views.corpus import strings
from orrery.app.views.train import strings as train_words
from orrery.app.workspace import runs as jobs
from tests.browser import picture
from tests.browser.conftest import Window
from tests.browser.driving import ROOT, read_until

SAMPLE = ROOT / "sample_data" / "field_notes.csv"
DOCUMENTS = 320
# Long enough to look twice at a run that is going.
EPOCHS = 3000
QUERY = "star orbit program"
# Read before an answer of the server can come: what `wait_until_still` waits for is the request.
IS_BUSY_AFTER_CLICK = """(element) => {
  element.click();
  return window.isServerBusy();
}"""
LEFTS = "found => found.map((one) => one.getBoundingClientRect().left)"

pytestmark = pytest.mark.browser


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    """Return a small file with columns, from the sample where it is there."""
    path = tmp_path / "notes.csv"
    if SAMPLE.is_file():
        with SAMPLE.open(encoding="utf-8", newline="") as source:
            rows = [row for row, _ in zip(csv.reader(source), range(DOCUMENTS + 1), strict=False)]
    else:
        senses = ("star orbit planet shuttle launch", "program memory server code disk")
        rows = [["id", "text", "theme"]]
        rows += [[n, f"{senses[n % 2]} program star note", n % 2] for n in range(DOCUMENTS)]
    with path.open("w", encoding="utf-8", newline="") as target:
        csv.writer(target).writerows(rows)
    return path


def test_from_a_file_of_texts_to_a_living_topic_graph(
    serve: Callable[[str], str],
    open_browser: Callable[[], Window],
    notes: Path,
    tmp_path: Path,
) -> None:
    url = serve("app")
    window = open_browser()
    window.page.goto(url)
    window.look("0-empty-home")
    make_corpus(window, notes)
    folder = start_training(window, tmp_path / "workspace" / "runs")
    window.page.reload()
    assert_still_going(window, folder)
    window.look("2-train-running", is_live=True)
    window.close()
    assert window.outside == []
    window = open_browser()
    window.page.goto(f"{url}/train")
    assert_still_going(window, folder)
    stop_training(window, folder)
    ask(window)
    walk_in_graph(window)


def make_corpus(window: Window, notes: Path) -> None:
    """Upload, change a column and the recipe, save."""
    page = window.page
    page.get_by_role("link", name="Corpus").click()
    window.wait_until_still()
    page.locator('input[type="file"]').set_input_files(notes)
    page.get_by_text(strings.PREVIEW_OF.format(name=notes.name)).wait_for()
    before = figure(window, strings.WORDS).inner_text()
    choose(window, strings.LABEL_COLUMN, "theme")
    minimum = page.get_by_label(strings.MIN_DF, exact=True)
    minimum.fill("4")
    minimum.press("Enter")
    expect(figure(window, strings.WORDS)).not_to_have_text(before)
    window.look("1-corpus-preview")
    page.get_by_label(strings.NAME, exact=True).fill("walk")
    page.get_by_role("button", name=strings.SAVE).click()
    page.get_by_role("button", name=strings.TO_TRAIN).wait_for()
    window.wait_for_parameter("corpus", "walk")
    window.look("1-corpus-saved")


def ask_for_dense_regions(window: Window, topics: str, epochs: int) -> None:
    """Fill in a run on the Train page that takes as long as its epochs."""
    page = window.page
    page.get_by_text(shared_strings.METHODS["dense-regions"], exact=True).click()
    page.get_by_label(train_words.TOPICS, exact=True).fill(topics)
    page.get_by_text(train_words.MORE).click()
    page.get_by_label(train_words.EPOCHS, exact=True).fill(str(epochs))


def start_training(window: Window, runs: Path) -> Path:
    """Start a run from the page."""
    page = window.page
    page.get_by_role("button", name=strings.TO_TRAIN).click()
    ask_for_dense_regions(window, "24, 6", EPOCHS)
    page.get_by_label(train_words.EPOCHS, exact=True).press("Enter")
    page.get_by_role("button", name=train_words.START).click()
    page.locator('[data-testid="stVegaLiteChart"]').first.wait_for()
    (job,) = read_until(
        page, lambda: jobs.list_jobs(runs), lambda found: [job.is_live for job in found] == [True]
    )
    return job.folder


def assert_still_going(window: Window, folder: Path) -> None:
    """The page shows the run, and the run continues."""
    page = window.page
    page.locator('[data-testid="stVegaLiteChart"]').first.wait_for()
    expect(page.get_by_role("button", name=shared_strings.PAUSE)).to_be_enabled()
    expect(figure(window, shared_strings.HELD_OUT)).to_have_text(re.compile(r"^−\d+(\.\d+)?$"))
    before = jobs.read_job(folder).status["step"]
    read_until(page, lambda: jobs.read_job(folder).status["step"], lambda step: step != before)


def stop_training(window: Window, folder: Path) -> None:
    """Pause, resume and stop from the page; then there is a model."""
    page = window.page
    stop = page.get_by_role("button", name=shared_strings.STOP, exact=True)
    stop.scroll_into_view_if_needed()
    place = stop.bounding_box()
    assert place is not None
    for button, state, following in (
        (shared_strings.PAUSE, "paused", shared_strings.RESUME),
        (shared_strings.RESUME, "running", shared_strings.PAUSE),
        (shared_strings.STOP, "stopped", shared_strings.TO_QUERY),
    ):
        page.get_by_role("button", name=button, exact=True).click()
        # Where one aimed at its middle, it still is: at once, and when the page has followed. A run
        # that has stopped may have no such button.
        lefts = stop.evaluate_all(LEFTS)
        expect(page.get_by_role("button", name=following, exact=True)).to_be_enabled()
        if state != "stopped":
            lefts.append(stop.evaluate_all(LEFTS)[0])
        moved = [abs(left - place["x"]) for left in lefts]
        assert max(moved, default=0.0) < place["width"] / 2, "it moves while one goes to click it"
        # The first evaluation on a machine compiles its kernels.
        read_until(page, lambda: jobs.read_job(folder).state, lambda found, due=state: found == due)
    page.get_by_role("button", name=shared_strings.TO_QUERY).wait_for()
    window.look("2-train-stopped")
    page.get_by_role("button", name=shared_strings.TO_QUERY).click()


def ask(window: Window) -> None:
    """Ask the model, and click a topic in the picture."""
    page = window.page
    page.get_by_role("heading", name="Query").wait_for()
    box = page.locator(".st-key-q input")
    box.fill(QUERY)
    box.press("Enter")
    window.wait_until_still()
    window.wait_for_parameter("q", QUERY)
    window.look("3-query")
    click_box(window, picture.greenish)
    page.wait_for_url("**sel=topic*")
    window.look("3-query-selected")


def walk_in_graph(window: Window) -> None:
    """Open the graph, choose a topic of the overview, and walk on by clicking in the picture."""
    page = window.page
    page.get_by_role("link", name="Graph").click()
    page.get_by_role("heading", name="Graph").wait_for()
    window.wait_until_still()
    window.look("4-graph")
    page.locator(".orrery-map .box").first.click()
    page.wait_for_url("**topic=*")
    window.wait_until_still()
    window.look("4-graph-topic")
    here = f"topic:{window.parameter('topic')}"
    box = page.locator(".orrery-graph")
    ids = box.evaluate("box => box.nodeIds()")
    other = next(node for node in ids if node.startswith("topic:") and node != here)
    box.scroll_into_view_if_needed()
    spot = box.evaluate("(box, id) => box.whereIs(id)", other)
    page.mouse.click(spot["x"], spot["y"])
    page.wait_for_url(f"**topic={other.removeprefix('topic:')}*")
    window.look("4-graph-walked")
    window.wait_for_parameter("run", "walk-01")


def click_box(window: Window, colour: Callable) -> None:
    """Click into the widest box of a colour in the picture."""
    canvas = window.page.locator(".orrery-graph svg").first
    canvas.scroll_into_view_if_needed()
    spot = picture.find_box(canvas.screenshot(), colour)
    assert spot is not None, "the picture shows no box of this colour"
    canvas.click(position={"x": spot[0], "y": spot[1]})


def figure(window: Window, label: str):
    """Return where the page shows the value of a figure."""
    shown = window.page.locator('[data-testid="stMetric"]').filter(has_text=label).first
    return shown.locator('[data-testid="stMetricValue"]')


def choose(window: Window, label: str, option: str) -> None:
    """Choose from a list."""
    window.page.get_by_label(label, exact=True).first.click()
    window.page.get_by_role("option", name=option, exact=True).click()
    window.wait_until_still()


def test_the_demo_opens_on_a_picture(own_demo: tuple[str, Window]) -> None:
    # A server of its own, because "/" opens the page that was open last.
    url, window = own_demo
    window.page.goto(url)
    window.wait_until_still()
    window.page.locator(".orrery-graph .node").first.wait_for()
    window.wait_for_parameter("corpus", "Field notes")
    window.wait_for_parameter("run", "Field notes")
    window.page.goto(f"{url}/query?q=star+orbit&palette=blue-orange")
    window.wait_until_still()
    assert window.page.get_by_role("dialog").count() == 0
    for name in ("Graph", "Documents", "Train", "Evaluate", "Corpus", "Share", "Home"):
        window.page.get_by_role("link", name=name).click()
        window.page.get_by_role("heading", name=name, level=1).wait_for()
        window.wait_until_still()
        window.wait_for_parameter("palette", "blue-orange")
    # The sidebar leads back to what was asked.
    assert not window.page.evaluate("isServerBusy()")
    assert window.page.get_by_role("link", name="Query").evaluate(IS_BUSY_AFTER_CLICK)
    window.page.get_by_role("heading", name="Query", level=1).wait_for()
    window.wait_until_still()
    window.wait_for_parameter("q", "star orbit")
