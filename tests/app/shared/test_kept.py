"""A saved address opens the same page and is named by its content."""

from __future__ import annotations

import pytest

from orrery.app.shell import strings as shell_strings
from orrery.app.shell.kept import (
    address_of,
    can_keep,
    kept_parameters,
    kind_of,
    new_view,
    suggested_title,
)
from orrery.core.model.story import MAX_TITLE, Story
from orrery.core.utils.errors import InputError
from tests.core.export.models import sample

RUN = sample()
TOPIC = RUN.network.graph.topic_ids[0]
NAME = RUN.topic_labels[0]


def test_what_is_kept_leads_back_with_every_value() -> None:
    address = {
        "corpus": ["a"], "run": ["b"], "tour": ["1"], "story": ["s"], "step": ["2"],
        "q": ["bass"], "q2": [""], "label": ["x", "y"],
    }  # fmt: skip
    view = new_view("query", address, " Bass ", "A note")
    assert view.title == "Bass"
    story = Story("s", "A story", "c", "r", (view,))
    assert address_of(story, view) == {
        "corpus": ["c"], "run": ["r"], "q": ["bass"], "q2": [""], "label": ["x", "y"],
    }  # fmt: skip
    assert kept_parameters({"b": ["1"], "a": ["2"]}) == (("a", "2"), ("b", "1"))


def test_a_story_without_a_corpus_requests_none() -> None:
    view = new_view("graph", {}, "All", "")
    assert address_of(Story("s", "A story", "", "r"), view) == {"run": ["r"]}


@pytest.mark.parametrize(
    ("page", "address", "kind", "title"),
    [
        ("query", {"q": ["bass  band"]}, shell_strings.QUERY, "bass band"),
        ("query", {"q": ["bass"], "q2": ["fish"]}, shell_strings.COMPARISON, "bass | fish"),
        ("query", {}, shell_strings.QUERY, shell_strings.QUERY),
        ("graph", {}, shell_strings.MAP, shell_strings.MAP),
        ("graph", {"topic": [TOPIC]}, shell_strings.TOPIC, f"Topic: {NAME}"),
        ("graph", {"topic": ["gone"]}, shell_strings.TOPIC, "Topic: gone"),
        ("graph", {"word": ["bass"]}, shell_strings.WORD, "Word: bass"),
        ("graph", {"topic": [TOPIC], "to": ["x"]}, shell_strings.PATH, f"Path: {NAME} → x"),
        ("documents", {"doc": ["7"]}, shell_strings.DOCUMENT, "Document: title of 7"),
        ("documents", {"find": ["bass"]}, shell_strings.DOCUMENTS, "Documents: bass"),
        ("documents", {"on": [TOPIC]}, shell_strings.DOCUMENTS, f"Documents: {NAME}"),
        ("a page of tomorrow", {}, "a page of tomorrow", "a page of tomorrow"),
    ],
)
def test_a_view_is_named_by_what_it_shows(
    page: str, address: dict[str, list[str]], kind: str, title: str
) -> None:
    assert kind_of(page, address) == kind
    assert suggested_title(page, address, RUN, lambda name: f"title of {name}") == title


def test_a_name_is_suggested_that_can_be_kept() -> None:
    title = suggested_title("query", {"q": ["very long words " * 100]}, RUN)
    assert len(title) <= MAX_TITLE
    assert new_view("query", {}, title, "").title == title


def test_pages_that_are_there_to_do_something_are_not_kept() -> None:
    assert can_keep("query")
    assert can_keep("a page of tomorrow")
    assert not any(map(can_keep, ("", "home", "corpus", "train", "stories", "share")))


def test_without_a_title_nothing_is_kept() -> None:
    with pytest.raises(InputError, match="give it a title"):
        new_view("query", {}, "  ", "note")
