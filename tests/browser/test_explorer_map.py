"""The opening of the offline explorer, the app's map of topics; what documents say of a topic."""

from __future__ import annotations

from typing import Any

import pytest

from orrery.app.graph.links import node_key
from orrery.app.topics.size import family_sizes
from orrery.app.topics.topic_map import map_topics
from orrery.app.topics.tree import topic_tree
from orrery.core.exporting import export_files
from orrery.core.exporting.as_explorer import explorer_bytes
from orrery.core.exporting.seen import seen_by
from orrery.core.families import LEAST_LINK
from orrery.core.overlay import Overlay
from orrery.core.run import Run
from orrery.core.storage.activations import load_activations
from tests.browser.conftest import OpenPage
from tests.core.exporting.models import EVIL, sample

pytestmark = pytest.mark.browser

MERGED = Overlay({"L2.1": EVIL}, frozenset(["L2.2"]), {"L1.12": "L1.22"})


def boxes_of_the_app(run: Run, *, counted: bool) -> dict[str, tuple[str, float]]:
    """What every box of the app's map hangs from, and its size with all in it."""
    stored = load_activations(run.folder / "model") if counted else None
    cells = map_topics(topic_tree(run, LEAST_LINK, family_sizes(run, stored, LEAST_LINK).size))
    keys = [node_key(run, cell.topic) for cell in cells]
    return {
        key: (keys[cell.above] if cell.above >= 0 else "", cell.size)
        for key, cell in zip(keys, cells, strict=True)
    }


@pytest.mark.parametrize("counted", [False, True])
def test_the_map_is_the_apps(open_page: OpenPage, counted: bool) -> None:
    run = sample(Overlay({"L2.1": EVIL}, frozenset(["L2.2"])))
    page = open_page(explorer_bytes(run, "sample", seen=seen_by(run) if counted else None))
    found: list[dict[str, Any]] = page.evaluate("OrreryOverview.boxes()")
    above = {box["key"]: found[box["above"]]["key"] if box["above"] >= 0 else "" for box in found}
    expected = boxes_of_the_app(run, counted=counted)
    assert above == {key: parent for key, (parent, _) in expected.items()}
    for box in found:
        assert box["size"] == pytest.approx(expected[box["key"]][1], rel=1e-4)


def test_topics_shown_as_one_have_one_box_on_the_map(open_page: OpenPage) -> None:
    page = open_page(explorer_bytes(sample(MERGED), "sample"))
    keys = page.evaluate("OrreryOverview.boxes().map(({ key }) => key)")
    assert "topic:L1.22" in keys
    assert not {"topic:L1.12", "topic:L2.2"} & {*keys}
    assert page.locator(".map button", has_text="</script>").count() == 1


@pytest.mark.parametrize("width", [390, 1280])
def test_from_the_map_to_the_course_and_the_documents(open_page: OpenPage, width: int) -> None:
    run = sample()
    page = open_page(export_files(run, "explorer", "page", with_texts=True)["page"])
    page.set_viewport_size({"width": width, "height": 844})
    fits = "document.documentElement.scrollWidth <= window.innerWidth"
    box = page.locator(".map button.strip").first
    box.wait_for()
    assert page.evaluate(fits)
    box.click()
    page.get_by_role("img", name="Share of the documents of each year").wait_for()
    seen = seen_by(run)
    assert seen is not None
    assert page.locator(".years span").count() == len(seen.of_years)
    assert page.locator(".examples blockquote").count() == 4
    assert page.locator(".examples mark").count() > 0
    assert page.evaluate(fits)
    page.locator(".path a", has_text="All topics").click()
    box.wait_for()
