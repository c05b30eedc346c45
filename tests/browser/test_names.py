"""The Names page as a person uses it: typed, brought back, undone, copied, in two windows."""

from __future__ import annotations

import csv
import io
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from orrery.core.storage.overlay import read_overlay
from tests.browser.conftest import Window
from tests.browser.driving import ROOT, assert_stayed_text, read_until

pytestmark = pytest.mark.browser

NAME = 'Rivers <img src=x onerror="document.title=1"> *and* floods'
# Height of the header and the rows of the table, and a position in its column of names, in pixels.
HEAD, ROW, IN_NAME = 35, 33, 200


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """The sample as a model of one's own in the workspace that is served."""
    workspace = tmp_path / "workspace"
    shutil.copytree(ROOT / "sample_data" / "corpus", workspace / "corpora" / "notes")
    run = workspace / "runs" / "notes-01"
    shutil.copytree(ROOT / "sample_data" / "run", run)
    config = json.loads((run / "config.json").read_text())
    (run / "config.json").write_text(json.dumps(config | {"corpus": "../../corpora/notes"}))
    return run / "model"


def type_name(window: Window, row: int, name: str) -> None:
    page = window.page
    place = page.locator('[data-testid="stDataFrame"] canvas').first.bounding_box()
    # The table takes a click where the pointer rests, and it may not have come to rest itself.
    page.mouse.move(place["x"] + IN_NAME, place["y"] + HEAD + ROW * row + ROW / 2)
    page.wait_for_timeout(300)
    page.mouse.down()
    page.mouse.up()
    page.wait_for_timeout(300)
    page.keyboard.press("Enter")
    page.locator(".gdg-input").wait_for()
    page.keyboard.insert_text(name)
    page.keyboard.press("Enter")
    page.locator(".gdg-input").wait_for(state="detached")
    window.wait_until_still()


def press(window: Window, name: str) -> None:
    window.page.get_by_role("button", name=name, exact=True).click()
    window.wait_until_still()


def wait_for_labels(window: Window, model: Path, names: list[str]) -> None:
    """Wait until the topics of a model have these names, in the order of the alphabet."""
    read_until(
        window.page,
        lambda: sorted(read_overlay(model).labels.values()),
        lambda found: found == names,
    )


def table_out(window: Window) -> list[dict[str, str]]:
    with window.page.expect_download() as download:
        window.page.get_by_role("button", name="Save the table as CSV").click()
    text = Path(download.value.path()).read_text("utf-8-sig")
    return list(csv.DictReader(io.StringIO(text)))


def test_the_browser_asks_before_unsaved_names_are_lost(
    serve: Callable[[str], str], open_browser: Callable[[], Window], model: Path
) -> None:
    window = open_browser()
    page = window.page
    asked: list[str] = []
    page.on("dialog", lambda dialog: asked.append(dialog.type))
    page.goto(serve("app") + "/names")
    window.wait_until_still()
    type_name(window, 0, "Rivers")
    press(window, "Save 1 change")
    wait_for_labels(window, model, ["Rivers"])
    window.wait_until_still()
    page.reload()
    window.wait_until_still()
    assert asked == []
    type_name(window, 0, "Lakes")
    page.reload()
    window.wait_until_still()
    assert asked == ["beforeunload"]


def test_names_are_typed_taken_back_brought_in_and_saved_over(
    serve: Callable[[str], str], open_browser: Callable[[], Window], model: Path
) -> None:
    url = serve("app") + "/names"
    window, other = open_browser(), open_browser()
    for each in (window, other):
        each.page.goto(url)
        each.wait_until_still()
    window.look("names")

    # Typed, saved, taken back, also after a reload.
    type_name(window, 0, NAME)
    type_name(window, 2, "Boats")
    press(window, "Save 2 changes")
    wait_for_labels(window, model, ["Boats", NAME])
    assert_stayed_text(window.page, "img[src=x]")
    window.page.reload()
    window.wait_until_still()
    press(window, "Undo")
    wait_for_labels(window, model, [])

    # Out to a spreadsheet and back, with a formula for a name.
    window.page.get_by_text("In a spreadsheet").click()
    window.wait_until_still()
    rows = table_out(window)
    rows[0]["name"], rows[1]["name"] = "'=1+1", "Computers"
    rows[1]["note"] = "To be looked at again"
    out = io.StringIO()
    writer = csv.DictWriter(out, rows[0], delimiter=";")
    writer.writeheader()
    writer.writerows(rows)
    edited = {"name": "e.csv", "mimeType": "text/csv", "buffer": out.getvalue().encode("utf-8-sig")}
    window.page.locator('input[type="file"]').set_input_files(edited)
    window.page.get_by_text("3 changes not saved yet").wait_for()
    window.wait_until_still()
    press(window, "Save 3 changes")
    wait_for_labels(window, model, ["=1+1", "Computers"])
    assert read_overlay(model).labels == {rows[0]["id"]: "=1+1", rows[1]["id"]: "Computers"}
    assert read_overlay(model).notes == {rows[1]["id"]: "To be looked at again"}
    assert table_out(window)[0]["name"] == "'=1+1"

    # The other window still shows what was there, and saves nothing over it unseen.
    type_name(other, 1, "Machines")
    press(other, "Save 1 change")
    other.page.get_by_text("Someone else has changed the same topics").wait_for()
    assert read_overlay(model).labels[rows[1]["id"]] == "Computers"
    other.look("names-conflict")
    press(other, "Save mine")
    wait_for_labels(other, model, ["=1+1", "Machines"])
    assert read_overlay(model).labels[rows[1]["id"]] == "Machines"


def test_a_prompt_is_copied_and_its_answer_read(
    serve: Callable[[str], str], open_browser: Callable[[], Window], model: Path
) -> None:
    window = open_browser()
    window.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    window.page.goto(serve("app") + "/names")
    window.wait_until_still()
    window.page.get_by_text("Ask a language model of your own").click()
    window.wait_until_still()
    window.page.get_by_role("button", name="Copy the prompt").click()
    window.page.get_by_text("Copied, with").wait_for()
    prompt = window.page.evaluate("navigator.clipboard.readText()")
    requested = [line[4:] for line in prompt.splitlines() if line.startswith("id: ")]
    answer = "Here they are:\n" + "\n".join(f"| {topic} | Name of {topic} |" for topic in requested)
    window.page.get_by_role("textbox", name="The answer").fill(answer)
    press(window, "Read the names")
    window.page.get_by_text(f"{len(requested)} changes read; see above, and save.").wait_for()
    window.look("names-answer")
    press(window, f"Save {len(requested)} changes")
    names = {topic: f"Name of {topic}" for topic in requested}
    read_until(window.page, lambda: read_overlay(model).labels, lambda found: found == names)
