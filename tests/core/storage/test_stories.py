"""Stories read back as written, several write at once, and what cannot be read is a sentence."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orrery.core.model.story import KeptView, Story, plain_note
from orrery.core.storage.stories import (
    add_story,
    change_story,
    find_story,
    read_stories,
    read_story,
    remove_story,
    restore_story,
    story_path,
)
from orrery.core.utils.errors import InputError

TEXT = st.text(max_size=20).map(plain_note)
VIEWS = st.lists(
    st.builds(
        KeptView,
        st.uuids().map(str),
        st.sampled_from(["query", "graph", "a page of tomorrow"]),
        st.lists(st.tuples(TEXT, TEXT), max_size=3).map(tuple),
        TEXT,
        TEXT,
    ),
    max_size=4,
    unique_by=lambda view: view.key,
).map(tuple)


def a_view(key: str) -> KeptView:
    return KeptView(key, "query", (("q", "space"), ("q2", "")), "Space", "A note")


@given(VIEWS)
def test_a_story_reads_back_as_written(
    tmp_path_factory: pytest.TempPathFactory, views: tuple[KeptView, ...]
) -> None:
    workspace = tmp_path_factory.mktemp("workspace")
    made = add_story(workspace, "A story", "posts", "posts-01")
    changed = change_story(workspace, made.name, lambda story: replace(story, views=views))
    assert read_stories(workspace) == ([changed], [])
    assert changed == Story("story-01", "A story", "posts", "posts-01", views)


def test_many_who_keep_at_once_lose_nothing(tmp_path: Path) -> None:
    name = add_story(tmp_path, "A story", "c", "r").name
    wanted = [f"k{number}" for number in range(40)]
    with ThreadPoolExecutor(8) as pool:
        list(
            pool.map(
                lambda key: change_story(
                    tmp_path, name, lambda story: story.with_view(a_view(key))
                ),
                wanted,
            )
        )
        made = list(pool.map(lambda _: add_story(tmp_path, "Another", "c", "r").name, range(8)))
    found = [view.key for view in read_story(story_path(tmp_path, name)).views]
    assert sorted(found) == sorted(wanted)
    assert len(set(made)) == len(made)


def test_two_hundred_views_of_ten_thousand_characters_read_back(tmp_path: Path) -> None:
    name = add_story(tmp_path, "A story", "c", "r").name
    views = tuple(replace(a_view(f"k{n}"), note="<b>" + "ß" * 9_997) for n in range(200))
    change_story(tmp_path, name, lambda story: replace(story, views=views))
    assert read_story(story_path(tmp_path, name)).views == views


HEAD = '"format": "orrery story", "version": 1, "corpus": "", "run": ""'
VIEW = '"key": "a", "page": "query", "title": "", "note": ""'


@pytest.mark.parametrize(
    "damage",
    [
        "",
        "{",
        "[]",
        "{}",
        '{"format": "orrery story", "version": true, "views": []}',
        f'{{{HEAD}, "title": 3, "views": []}}',
        f'{{{HEAD}, "title": "", "views": 7}}',
        f'{{{HEAD}, "title": "", "views": [{{{VIEW}}}]}}',
        f'{{{HEAD}, "title": "", "views": [{{{VIEW}, "parameters": [["q"]]}}]}}',
    ],
)
def test_a_damaged_file_is_a_sentence_and_leaves_the_others(tmp_path: Path, damage: str) -> None:
    whole = add_story(tmp_path, "Whole", "c", "r")
    broken = add_story(tmp_path, "Broken", "c", "r")
    story_path(tmp_path, broken.name).write_text(damage)
    stories, problems = read_stories(tmp_path)
    assert stories == [whole]
    assert len(problems) == 1
    assert "is damaged" in problems[0]
    with pytest.raises(InputError, match="is damaged"):
        change_story(tmp_path, broken.name, lambda story: story)
    assert story_path(tmp_path, broken.name).read_text() == damage


def test_two_views_of_one_key_are_a_damage(tmp_path: Path) -> None:
    name = add_story(tmp_path, "A story", "c", "r").name
    change_story(tmp_path, name, lambda story: story.with_view(a_view("a")))
    path = story_path(tmp_path, name)
    values = json.loads(path.read_text())
    values["views"] *= 2
    path.write_text(json.dumps(values))
    with pytest.raises(InputError, match="is damaged"):
        read_story(path)


def test_a_story_of_tomorrow_reports_it_and_stays_as_it_is(tmp_path: Path) -> None:
    path = story_path(tmp_path, add_story(tmp_path, "A story", "c", "r").name)
    values = json.loads(path.read_text()) | {"version": 2}
    path.write_text(json.dumps(values))
    _, problems = read_stories(tmp_path)
    assert "version 2, and this Orrery reads 1" in problems[0]
    with pytest.raises(InputError, match="version 2"):
        change_story(tmp_path, path.stem, lambda story: story)
    assert json.loads(path.read_text()) == values


def test_a_deleted_story_comes_back_under_its_name_or_the_next(tmp_path: Path) -> None:
    name = add_story(tmp_path, "A story", "c", "r").name
    story = change_story(tmp_path, name, lambda before: before.with_view(a_view("a")))
    remove_story(tmp_path, name)
    with pytest.raises(InputError, match="this story is gone; it was deleted elsewhere"):
        remove_story(tmp_path, name)
    assert read_stories(tmp_path) == ([], [])
    assert restore_story(tmp_path, story) == story
    assert restore_story(tmp_path, story) == replace(story, name="story-02")


@pytest.mark.parametrize(
    "name", ["", ".", "..", "../../etc/passwd", ".lock", "a/b", "a\\b", "x" * 101]
)
def test_what_is_no_name_reaches_no_file(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match="no name of a story"):
        story_path(tmp_path, name)


def test_a_story_is_found_by_name_and_by_title(tmp_path: Path) -> None:
    first = add_story(tmp_path, "Bass and fish", "c", "r")
    assert find_story(tmp_path, "Bass and fish") == find_story(tmp_path, first.name) == first
    with pytest.raises(InputError, match="there: story-01"):
        find_story(tmp_path, "gone")
    add_story(tmp_path, "Bass and fish", "c", "r")
    with pytest.raises(InputError, match="story-01, story-02"):
        find_story(tmp_path, "Bass and fish")
