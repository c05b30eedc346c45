"""Stories on disk, one file for each in the folder ``stories`` of a workspace."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import filelock

from ..model.story import KeptView, Story
from ..utils.errors import InputError, deleted_error
from ..utils.read_only import writer
from .atomic import write_json
from .reading import read_json, stored_version

STORY_VERSION = 1
STORY_FORMAT = "orrery story"
FOLDER, ENDING = "stories", ".json"
# Characters of a story name, which must be a valid file name on all systems.
_NAME = re.compile(r"[\w-][\w.-]{0,99}")


def read_stories(workspace: Path) -> tuple[list[Story], list[str]]:
    """Read all stories of a workspace, sorted by name, and the errors of unreadable ones."""
    stories, problems = [], []
    for path in sorted((workspace / FOLDER).glob(f"[!.]*{ENDING}")):
        try:
            stories.append(read_story(path))
        except InputError as error:
            # A story that was deleted in the meantime is not an error.
            if path.exists():
                problems.append(str(error))
    return stories, problems


def read_story(path: Path) -> Story:
    """Read a story.

    Raises InputError if it does not exist, is damaged, or has an unsupported version.
    """
    if not path.is_file():
        raise InputError(
            f"there is no story {path.stem} in {path.parent}; it may have been deleted"
        )
    try:
        values = read_json(path)
    except InputError:
        raise _damaged(path) from None
    version = stored_version(values, STORY_FORMAT)
    if version is None:
        raise _damaged(path)
    if version != STORY_VERSION:
        raise InputError(
            f"{path} is a story of version {version}, and this Orrery reads {STORY_VERSION}; "
            "open it with the Orrery that wrote it"
        )
    try:
        title, corpus, run = _texts(values, "title", "corpus", "run")
        return Story(path.stem, title, corpus, run, _views(values["views"]))
    except (KeyError, TypeError, ValueError):
        raise _damaged(path) from None


def find_story(workspace: Path, name: str) -> Story:
    """Story of a workspace with a name or a title.

    Raises InputError if it does not exist or cannot be read, or several stories have the title.
    """
    path = story_path(workspace, name) if _NAME.fullmatch(name) else None
    if path is not None and path.is_file():
        return read_story(path)
    stories, problems = read_stories(workspace)
    found = [story for story in stories if story.title == name]
    if len(found) == 1:
        return found[0]
    if found:
        names = ", ".join(story.name for story in found)
        raise InputError(f"several stories are called {name!r}; give one of their names: {names}")
    known = ", ".join(story.name for story in stories) or "none"
    raise InputError(
        f"there is no story {name[:100]!r} in {workspace / FOLDER}; there: {known}"
        + "".join(f" ({problem})" for problem in problems)
    )


@writer
def add_story(
    workspace: Path, title: str, corpus: str, run: str, views: tuple[KeptView, ...] = ()
) -> Story:
    """Create a story with the next free name."""
    with _lock(workspace):
        taken = {path.stem for path in (workspace / FOLDER).glob(f"*{ENDING}")}
        numbered = (f"story-{number:02d}" for number in itertools.count(1))
        name = next(name for name in numbered if name not in taken)
        story = Story(name, title, corpus, run, views)
        _write(workspace, story)
    return story


@writer
def restore_story(workspace: Path, story: Story) -> Story:
    """Restore a deleted story under its old name or the next free one."""
    with _lock(workspace):
        if not story_path(workspace, story.name).exists():
            _write(workspace, story)
            return story
    return add_story(workspace, story.title, story.corpus, story.run, story.views)


@writer
def change_story(workspace: Path, name: str, change: Callable[[Story], Story]) -> Story:
    """Apply a change to the story on disk, write the result, and return it.

    Raises InputError if the story was deleted or is damaged, or ``change`` refuses.
    """
    with _lock(workspace):
        story = change(read_story(story_path(workspace, name)))
        _write(workspace, story)
    return story


@writer
def remove_story(workspace: Path, name: str) -> None:
    """Delete a story (InputError if it does not exist any more)."""
    with _lock(workspace):
        try:
            story_path(workspace, name).unlink()
        except FileNotFoundError:
            raise deleted_error("this story") from None


def story_path(workspace: Path, name: str) -> Path:
    """Path of a story (InputError for an invalid name)."""
    if not _NAME.fullmatch(name):
        raise InputError(f"{name[:100]!r} is no name of a story")
    return workspace / FOLDER / f"{name}{ENDING}"


def _lock(workspace: Path) -> filelock.BaseFileLock:
    """Lock for a change, so that one browser does not overwrite the change of another."""
    (workspace / FOLDER).mkdir(parents=True, exist_ok=True)
    return filelock.FileLock(workspace / FOLDER / ".lock")


def _write(workspace: Path, story: Story) -> None:
    views = [asdict(view) for view in story.views]
    head = {"title": story.title, "corpus": story.corpus, "run": story.run}
    values = {"format": STORY_FORMAT, "version": STORY_VERSION, **head, "views": views}
    write_json(story_path(workspace, story.name), values)


def _views(values: list[dict[str, Any]]) -> tuple[KeptView, ...]:
    views = []
    for value in values:
        key, page, title, note = _texts(value, "key", "page", "title", "note")
        pairs = tuple((str(name), str(text)) for name, text in value["parameters"])
        views.append(KeptView(key, page, pairs, title, note))
    if len({view.key for view in views}) < len(views):
        raise ValueError("two views of one key")
    return tuple(views)


def _texts(values: dict[str, Any], *names: str) -> tuple[str, ...]:
    found = tuple(values[name] for name in names)
    if not all(isinstance(text, str) for text in found):
        raise TypeError("not a text")
    return found


def _damaged(path: Path) -> InputError:
    return InputError(
        f"{path} is damaged: it is not a story; move it away, or put a copy in its place"
    )
