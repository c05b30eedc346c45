"""Start page of the offline explorer, the app's overview of topics, and the documents of a
topic.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import expect

from orrery.app.shared.topic_facts import subtree_sizes
from orrery.app.shared.topic_map import ASIDE, in_topic_groups, map_topics, topic_tree
from orrery.app.views.graph.overview import ASIDE_KEY
from orrery.core.drawing import explorer_strings
from orrery.core.drawing.links import node_key
from orrery.core.export.explorer import explorer_bytes
from orrery.core.export.formats import export_files
from orrery.core.export.topic_documents import seen_by
from orrery.core.model.overlay import Overlay
from orrery.core.model.subtrees import MIN_LINK
from orrery.core.model.topic_groups import TopicGroups
from orrery.core.model.topic_model import Run
from orrery.core.storage.activations import load_activations
from tests.browser.appearance import SIZES, VARIANTS, faults_of, wait_for_scheme
from tests.browser.conftest import OpenPage
from tests.browser.driving import read_until, resize
from tests.core.export.models import EVIL, sample

pytestmark = pytest.mark.browser

MERGED = Overlay({"L2.1": EVIL}, frozenset(["L2.2"]), {"L1.12": "L1.22"})


def boxes_of_the_app(run: Run, *, counted: bool) -> dict[str, tuple[str, float]]:
    """Parent of every box of the app's overview, and its size with all boxes in it."""
    stored = load_activations(run.folder / "model") if counted else None
    cells = map_topics(topic_tree(run, MIN_LINK, subtree_sizes(run, stored, MIN_LINK).size))
    keys = [ASIDE_KEY if cell.group == ASIDE else node_key(run, cell.topic) for cell in cells]
    return {
        key: (keys[cell.above] if cell.above >= 0 else "", cell.size)
        for key, cell in zip(keys, cells, strict=True)
    }


@pytest.mark.parametrize("counted", [False, True])
@pytest.mark.parametrize("is_aside", [False, True])
def test_the_map_is_the_apps(open_page: OpenPage, counted: bool, is_aside: bool) -> None:
    run = sample(Overlay({"L2.1": EVIL}, frozenset(["L2.2"])))
    if is_aside:
        # One topic of three is set aside, unless it has children.
        coherence = [0.5 * bool(topic % 3) for topic in range(run.network.graph.n_topics)]
        run = replace(run, coherence=tuple(coherence))
        assert run.set_aside_topics
    page = open_page(explorer_bytes(run, "sample", seen=seen_by(run) if counted else None))
    found: list[dict[str, Any]] = page.evaluate("OrreryOverview.boxes()")
    above = {box["key"]: found[box["above"]]["key"] if box["above"] >= 0 else "" for box in found}
    expected = boxes_of_the_app(run, counted=counted)
    assert above == {key: parent for key, (parent, _) in expected.items()}
    for box in found:
        assert box["size"] == pytest.approx(expected[box["key"]][1], rel=1e-4)


def expect_in_sight(box) -> None:
    """Wait until the upper edge of a box is inside the room of the map, to a pixel."""
    room = box.page.locator(".map .room")
    read_until(
        box.page,
        lambda: (box.bounding_box(), room.bounding_box()),
        lambda places: all(places) and -1 <= places[0]["y"] - places[1]["y"] < places[1]["height"],
    )


def in_three_groups(run: Run) -> Run:
    """The same, its topics in two groups by their numbers or in none, and one alone in a third."""
    n_topics = run.network.graph.n_topics
    of = np.arange(n_topics) % 3 - 1
    of[np.flatnonzero(run.main_parents[:n_topics] < 0)[0]] = 2
    return replace(run, topic_groups=TopicGroups(of, ((0, 1), (2, 3, 4), (5,))))


def test_the_topic_groups_are_the_apps(open_page: OpenPage) -> None:
    run = in_three_groups(sample(Overlay({"L2.1": EVIL}, frozenset(["L2.2"]))))
    assert run.topic_groups is not None
    tree = topic_tree(run, MIN_LINK, subtree_sizes(run, None, MIN_LINK).size)
    cells = in_topic_groups(map_topics(tree), run.topic_group_of)
    keys = [f"shelf:{c.group}" if c.group is not None else node_key(run, c.topic) for c in cells]
    page = open_page(explorer_bytes(run, "sample"))
    found: list[dict[str, Any]] = page.evaluate("OrreryOverview.onShelves(OrreryOverview.boxes())")
    assert {
        box["key"]: found[box["above"]]["key"] if box["above"] >= 0 else "" for box in found
    } == {
        key: keys[cell.above] if cell.above >= 0 else ""
        for key, cell in zip(keys, cells, strict=True)
    }
    sizes = {box["key"]: box["size"] for box in found}
    for key, cell in zip(keys, cells, strict=True):
        assert sizes[key] == pytest.approx(cell.size, rel=1e-4)
    labels = {box["key"]: box["label"] for box in found if box["kind"] == "shelf"}
    names = {f"shelf:{number}": name for number, name in enumerate(run.topic_group_names[:2])}
    assert labels == names | {"shelf:-1": explorer_strings.OTHER_TOPICS}
    for topic, group in list(enumerate(run.topic_group_of))[:6]:
        page.evaluate(
            "name => location.hash = `#topic=${name}`", run.network.graph.topic_ids[topic]
        )
        sentence = page.locator("p.sentence", has_text=run.network.graph.topic_ids[topic])
        expect(sentence).to_have_count(1)
        named = sentence.filter(has_text=f"in the group {run.topic_group_names[group]}")
        expect(named).to_have_count(int(group >= 0))


def test_a_topic_group_comes_nearer_and_goes_back(open_page: OpenPage) -> None:
    page = open_page(explorer_bytes(in_three_groups(sample()), "sample"))
    group = page.locator(".map button.strip.shelf")
    group.first.wait_for()
    expect(page.locator(".map .said")).to_contain_text("Bold headings")
    address, zoomed = page.url, page.locator(".map .room.zoomed")
    assert faults_in_all_windows(page) == {}
    for width, height in SIZES:
        resize(page, width, height)
        group.first.wait_for()
        keys = page.locator(".map button.shelf").evaluate_all("all => all.map(b => b.dataset.key)")
        for key in keys:
            heading = page.locator(f".map button[data-key='{key}']")
            heading.focus()
            heading.press("Enter")
            zoomed.wait_for()
            # The focused element is announced, and the keys are where they were.
            expect_in_sight(heading)
            expect(heading).to_be_focused()
            heading.press("Enter")
            zoomed.wait_for(state="detached")
    # From nearer, a click on a group zooms in further.
    page.get_by_role("button", name="Zoom in").click()
    zoomed.wait_for()
    page.locator(".map button[data-key='shelf:0']").dispatch_event("click")
    expect_in_sight(page.locator(".map button[data-key='shelf:0']"))
    expect(zoomed).to_have_count(1)
    # It is nothing to go to.
    assert page.url == address


def test_topics_shown_as_one_have_one_box_on_the_map(open_page: OpenPage) -> None:
    page = open_page(explorer_bytes(sample(MERGED), "sample"))
    keys = page.evaluate("OrreryOverview.boxes().map(({ key }) => key)")
    assert "topic:L1.22" in keys
    assert not {"topic:L1.12", "topic:L2.2"} & {*keys}
    expect(page.locator(".map button", has_text="</script>")).to_have_count(1)


def faults_in_all_windows(page) -> dict[tuple[int, str], list[str]]:
    """Elements that are cut, covered or pale, by the width of the window and the theme."""
    found = {}
    for (width, height), scheme in VARIANTS:
        resize(page, width, height)
        page.emulate_media(color_scheme=scheme)
        wait_for_scheme(page, scheme)
        found[width, scheme] = faults_of(page)
    return {window: faults for window, faults in found.items() if faults}


def test_from_the_map_to_the_course_and_the_documents(open_page: OpenPage) -> None:
    run = sample()
    page = open_page(export_files(run, "explorer", "page", with_texts=True)["page"])
    box = page.locator(".map button.strip").first
    box.wait_for()
    assert faults_in_all_windows(page) == {}
    box.click()
    page.get_by_role("img", name="Share of the documents of each year").wait_for()
    seen = seen_by(run)
    assert seen is not None
    expect(page.locator(".years span")).to_have_count(len(seen.of_years))
    expect(page.locator(".examples blockquote")).to_have_count(4)
    page.locator(".examples mark").first.wait_for()
    assert faults_in_all_windows(page) == {}
    page.locator(".path a", has_text="All topics").click()
    box.wait_for()
    # Query, explained topic, clamped topics, and comparison.
    page.get_by_label("Your words").fill("bank river")
    for key in ("topic:L1.3", "topic:L1.14"):
        page.locator(f".node[data-key='{key}']").click()
        page.locator(".why h2").wait_for()
    assert faults_in_all_windows(page) == {}
    page.get_by_role("button", name="Compare").click()
    page.get_by_label("Words to compare with").fill("bank money loan")
    page.locator("svg .zone").first.wait_for()
    assert faults_in_all_windows(page) == {}


def test_a_word_belongs_to_the_whole_that_its_topic_is_shown_as(open_page: OpenPage) -> None:
    run = sample(MERGED)
    graph = run.network.graph
    page = open_page(explorer_bytes(run, "sample"))
    page.get_by_label("Find a topic or word").fill("butter")
    page.locator("#found a", has_text="word").first.click()
    page.get_by_role("heading", level=1, name="butter").wait_for()
    above = page.locator("#view section", has_text="Above").last
    part, whole = (run.topic_labels[graph.topic_number[code]] for code in ("L1.12", "L1.22"))
    # The part brings the word most, and so does the whole.
    expect(above.locator("a").first).to_have_text(whole)
    assert part not in above.locator("a").all_inner_texts()
    token = graph.n_topics + run.vocabulary.index("butter")
    weights = [
        1.0 - math.exp(-run.network.weight[edge])
        for edge, child in enumerate(graph.edge_children())
        if child == token and graph.topic_ids[graph.parent_idx[edge]] == "L1.12"
    ]
    expect(above).to_contain_text(f"{100 * weights[0]:.0f}\u00a0%")
    assert faults_in_all_windows(page) == {}
    above.locator("a", has_text=whole).click()
    page.get_by_role("heading", level=1, name=whole).wait_for()
