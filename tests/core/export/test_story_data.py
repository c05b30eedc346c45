"""A story in the explorer: views that it can show open there, and the others have a description."""

from __future__ import annotations

import json
import re
from urllib.parse import parse_qs

import pytest

from orrery.core.export.explorer import explorer_address, story_data
from orrery.core.export.formats import export_files
from orrery.core.model.story import KeptView, Story
from tests.core.export.models import EVIL, sample


def a_view(page: str, *parameters: tuple[str, str]) -> KeptView:
    return KeptView("k", page, parameters, "Title", "Note")


@pytest.mark.parametrize(
    ("view", "shown"),
    [
        (a_view("query", ("q", "bass & band"), ("palette", "x")), {"q": ["bass & band"]}),
        (
            a_view("query", ("q", "bass"), ("q2", "fish"), ("sel", "topic:L1.1")),
            {"q": ["bass"], "q2": ["fish"], "sel": ["topic:L1.1"]},
        ),
        (a_view("graph", ("topic", "L1.1"), ("min", "0.1")), {"topic": ["L1.1"]}),
        (a_view("graph", ("word", "new york")), {"word": ["new york"]}),
        (a_view("graph"), {}),
        (a_view("graph", ("in", "L2.1"), ("skip", "3")), {"in": ["L2.1"], "skip": ["3"]}),
        (a_view("graph", ("in", "L2.1"), ("topic", "L1.1")), {"topic": ["L1.1"]}),
    ],
)
def test_what_the_explorer_can_show_has_its_address(view: KeptView, shown: object) -> None:
    address = explorer_address(view)
    assert address is not None
    assert parse_qs(address) == shown


@pytest.mark.parametrize(
    "view",
    [
        a_view("query"),
        a_view("graph", ("topic", "L1.1"), ("to", "L1.2")),
        a_view("documents", ("doc", "7")),
        a_view("a page of tomorrow"),
    ],
)
def test_what_it_cannot_show_has_a_sentence_in_its_place(view: KeptView) -> None:
    assert explorer_address(view) is None
    (reported,) = story_data(Story("s", "A story", "c", "r", (view,)))["views"]
    assert reported["note"] == "Note"
    assert "open the story in Orrery" in reported["instead"]


def test_what_was_taken_along_stands_in_the_place_of_the_sentence() -> None:
    views = (
        KeptView("a", "groups", (), "Groups"),
        KeptView("b", "map", (), "Map"),
        KeptView("c", "query", (("q", "bass"),), "Bass"),
    )
    taken = {"a": {"kind": "picture"}, "c": {"kind": "picture"}}
    groups, a_map, query = story_data(Story("s", "A story", "c", "r", views), taken)["views"]
    assert groups["taken"] == {"kind": "picture"}
    assert "instead" not in groups
    assert "map of the documents" in a_map["instead"]
    assert "taken" not in a_map
    # Content that the page computes itself is not a picture.
    assert "taken" not in query


def test_the_page_holds_the_story_and_no_markup_of_it() -> None:
    story = Story("s", EVIL, "c", "r", (KeptView("k", "query", (("q", EVIL),), EVIL, EVIL * 100),))
    (page,) = export_files(sample(), "explorer", "page", "Title", story).values()
    text = page.decode("utf-8")
    assert EVIL not in text
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)
    assert found is not None
    assert json.loads(found[1])["story"]["views"][0]["note"] == EVIL * 100
    (without,) = export_files(sample(), "explorer", "page", "Title").values()
    assert b'"story":null' in without
