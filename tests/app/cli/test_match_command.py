"""``orrery match``: topics of two runs, and names, notes and stories carried over."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from orrery.app.shared.listing import UNSURE_NAME, WITHOUT_TOPIC_NAME
from orrery.app.text import strings as common_strings
from orrery.app.workspace.carrying import carried_view, carry_stories
from orrery.core.model.overlay import Overlay
from orrery.core.model.story import KeptView
from orrery.core.storage.overlay import read_overlay, write_overlay
from orrery.core.storage.runs import load_run
from orrery.core.storage.stories import add_story, change_story, read_stories
from tests.app.cli.conftest import Orrery
from tests.conftest import ROOT

SAMPLE = ROOT / "sample_data"


@pytest.fixture
def space(tmp_path: Path) -> Path:
    """A workspace with two runs of the sample on one corpus."""
    shutil.copytree(SAMPLE / "corpus", tmp_path / "corpora" / "c")
    for name in ("a", "b"):
        run = tmp_path / "runs" / name
        shutil.copytree(SAMPLE / "run", run)
        config = json.loads((run / "config.json").read_text())
        (run / "config.json").write_text(json.dumps(config | {"corpus": "../../corpora/c"}))
    return tmp_path


def test_topics_are_listed_and_counted(orrery: Orrery, space: Path) -> None:
    outcome = orrery("match", space / "runs" / "a", space / "runs" / "b")
    assert outcome.code == 0, outcome.err
    run = load_run(space / "runs" / "a")
    *lines, last = outcome.out.splitlines()
    matched = [line for line in lines if "→" in line]
    assert last.startswith(f"{len(matched)} topics matched, ")
    assert last.endswith("compared in 800 documents")
    assert read_overlay(space / "runs" / "b" / "model") == Overlay()
    result = json.loads(orrery("match", run.folder, space / "runs" / "b", "--json").out)
    assert all(each["id"] == each["other"] for each in result["matched"])
    assert len(result["matched"]) == len(matched)


def test_names_and_stories_are_carried_over_once_and_can_be_undone(
    orrery: Orrery, space: Path
) -> None:
    first, other = space / "runs" / "a", space / "runs" / "b"
    result = json.loads(orrery("match", first, other, "--json").out)
    kept = result["matched"][0]["id"]
    lost = "a topic of an earlier model"
    write_overlay(first / "model", Overlay(labels={kept: "Kept", lost: "Lost"}))
    story = add_story(space, "Tale", "c", "a")
    views = (
        KeptView("1", "graph", (("topic", kept),), "here"),
        KeptView("2", "graph", (("topic", lost),), "gone"),
    )
    for view in views:
        change_story(space, story.name, lambda before, view=view: before.with_view(view))
    carried = json.loads(orrery("match", first, other, "--carry", "--json").out)
    assert carried["carried"] == [{"topic": kept, "field": "name", "text": "Kept"}]
    assert [each["text"] for each in carried["not_carried"]] == ["Lost", "Tale: gone"]
    assert read_overlay(other / "model").labels == {kept: "Kept"}
    copy = next(each for each in read_stories(space)[0] if each.run == "b")
    assert (copy.title, copy.corpus, copy.views) == ("Tale", "c", views[:1])
    again = json.loads(orrery("match", first, other, "--carry", "--json").out)
    assert again["carried"] == again["stories"] == []
    assert orrery("names", other, "--undo").code == 0
    assert read_overlay(other / "model") == Overlay()


def test_stories_stay_in_their_workspace_and_are_listed(orrery: Orrery, space: Path) -> None:
    first, other = space / "runs" / "a", space / "elsewhere" / "runs" / "b"
    shutil.copytree(space / "corpora", space / "elsewhere" / "corpora")
    shutil.copytree(first, other)
    add_story(space, "Tale", "c", "a")
    add_story(space, "Of another run", "c", "b")
    (space / "stories" / "damaged.json").write_text("{")
    carried = json.loads(orrery("match", first, other, "--carry", "--json").out)
    assert carried["stories"] == []
    assert [each["text"] for each in carried["not_carried"]] == ["", "Tale"]
    assert "damaged" in carried["not_carried"][0]["reason"]
    assert carried["not_carried"][1]["reason"] == "the other run is not in the same workspace"
    outside = shutil.copytree(first, space / "outside")
    config = json.loads((outside / "config.json").read_text())
    (outside / "config.json").write_text(json.dumps(config | {"corpus": "../corpora/c"}))
    carried = json.loads(orrery("match", first, outside, "--carry", "--json").out)
    assert [each["text"] for each in carried["not_carried"]] == ["", "Tale"]


def test_stories_of_the_sample_are_carried_over(orrery: Orrery, space: Path) -> None:
    add_story(space, "Tale", common_strings.SAMPLE, common_strings.SAMPLE)
    result = orrery("match", SAMPLE / "run", space / "runs" / "a", "--carry", "--json")
    assert len(json.loads(result.out)["stories"]) == 1
    stories = [(story.title, story.corpus, story.run) for story in read_stories(space)[0]]
    assert ("Tale", "c", "a") in stories


def test_views_of_documents_are_not_carried_to_another_corpus(space: Path) -> None:
    story = add_story(
        space, "Tale", "c", "a",
        (KeptView("1", "documents", (("doc", "d1"),), "text"), KeptView("2", "query", (), "words")),
    )  # fmt: skip
    carried, left = carry_stories(space, ("a", "b"), "c2", {}, same_corpus=False)
    assert [each.views for each in carried] == [story.views[1:]]
    assert [(each.text, each.reason.split()[1]) for each in left] == [("Tale: text", "document")]
    carried, left = carry_stories(space, ("a", "d"), "c", {})
    assert ([each.views for each in carried], left) == ([story.views], [])
    assert len(read_stories(space)[0]) == 3


def test_every_parameter_with_a_topic_becomes_the_matched_one() -> None:
    partner = {"A": "X", "b,:c": "y:,z"}
    view = KeptView(
        "k", "query",
        (("q", "A star"), ("sel", "topic:A"), ("hold", "A:on,b%2C%3Ac:off"), ("page", "3"),
         ("sel", "word:A"), ("on", ""), ("to", "b,:c")),
        "title", "note",
    )  # fmt: skip
    carried = carried_view(view, partner)
    assert carried is not None
    assert carried.parameters == (
        ("q", "A star"), ("sel", "topic:X"), ("hold", "X:on,y%3A%2Cz:off"),
        ("sel", "word:A"), ("on", ""), ("to", "y:,z"),
    )  # fmt: skip
    for name, value in (("topic", "B"), ("sel", "topic:B"), ("hold", "A:on,B:off")):
        assert carried_view(KeptView("k", "query", ((name, value),), "t"), partner) is None


@pytest.mark.parametrize("choice", [WITHOUT_TOPIC_NAME, UNSURE_NAME])
def test_a_choice_without_a_topic_means_the_same_in_every_model(choice: str) -> None:
    view = KeptView("k", "documents", (("on", choice),), "t")
    assert carried_view(view, {}) == view


def test_one_run_alone_is_refused(refused, space: Path) -> None:
    assert "both runs are the same" in refused("match", space / "runs" / "a", space / "runs" / "a")
    assert "is not a run folder" in refused("match", space / "runs" / "a", space)
