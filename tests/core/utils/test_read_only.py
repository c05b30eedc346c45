"""A read-only server refuses every writer, including future ones."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from orrery.app.workspace import (
    catalog,
    comparisons,
    document_maps,
    evaluations,
    processes,
    uploads,
)
from orrery.app.workspace import runs as jobs
from orrery.core.storage import overlay, runs, stories
from orrery.core.storage.corpora import save_corpus
from orrery.core.utils.errors import InputError
from orrery.core.utils.read_only import READ_ONLY, is_read_only
from tests.conftest import ROOT

# Functions that change files or start work; every caller of one is a writer.
PRIMITIVES = {
    *("write_json", "write_text", "write_bytes", "write_npz", "write_together", "write_guidance"),
    *(
        "write_config",
        "write_status",
        "write_overlay",
        "write_history",
        "new_folder",
        "replacing",
        "rmtree",
    ),
    *("unlink", "touch", "mkdir", "copytree", "Popen"),
}
# Caches, which hold nothing that a visitor chose; and a note that is not written on such a server.
CACHES = {
    ("workspace/search_index.py", "begin_index"),
    ("workspace/search_index.py", "write_index"),
    ("workspace/search_index.py", "search"),
    ("workspace/search_index.py", "search_now"),
    ("workspace/search_index.py", "ready_index"),
    ("workspace/processes.py", "start_compilation"),
    ("workspace/last_place.py", "keep"),
    ("shared/tour.py", "close"),
    ("shared/tour.py", "show_bar"),
    ("shared/tour.py", "show_start"),
}
WRITERS = {
    overlay: ("change_overlay", "undo_change"),
    runs: ("send_command",),
    stories: ("add_story", "change_story", "restore_story", "remove_story"),
    jobs: ("start", "start_from", "resume", "pause", "stop", "remove", "whole_run"),
    processes: ("launch", "end"),
    catalog: ("show_sample", "remove_corpus", "copy_model"),
    uploads: ("keep_uploads", "discard", "discard_old"),
    evaluations: ("begin", "stop"),
    comparisons: ("begin", "stop"),
    document_maps: ("begin", "stop"),
}
NAMED = [(module, name) for module, names in WRITERS.items() for name in names]


@pytest.mark.parametrize(
    ("module", "name"), NAMED, ids=lambda part: getattr(part, "__name__", part)
)
def test_each_writer_is_refused_before_it_does_anything(
    module: object, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(READ_ONLY, "1")
    # Without arguments: it must not even get so far as to miss them.
    with pytest.raises(InputError, match="this server only shows"):
        getattr(module, name)()


def test_no_corpus_is_saved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(READ_ONLY, "1")
    with pytest.raises(InputError, match="this server only shows"):
        save_corpus()  # type: ignore[call-arg]


@pytest.mark.parametrize("value", [None, "", "0"])
def test_elsewhere_writers_write(
    value: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(READ_ONLY, raising=False)
    if value is not None:
        monkeypatch.setenv(READ_ONLY, value)
    assert not is_read_only()
    assert stories.add_story(tmp_path, "A story", "", "").name == "story-01"


def test_whatever_in_the_app_writes_is_marked_as_a_writer() -> None:
    found = {
        (str(path.relative_to(ROOT / "app")), name)
        for path in sorted((ROOT / "app").rglob("*.py"))
        # Commands write for the person who runs them, not for a visitor.
        if path.parent.name != "cli"
        for name in unmarked(path)
    }
    assert found == CACHES


def unmarked(path: Path) -> Iterator[str]:
    """Functions for others that write, by themselves or by those below them, without the mark."""
    functions = {
        node.name: node
        for node in ast.parse(path.read_text("utf-8")).body
        if isinstance(node, ast.FunctionDef)
    }
    marked = {name for name, node in functions.items() if "writer" in named(node.decorator_list)}
    writing: set[str] = set()
    while True:
        more = {
            name
            for name, node in functions.items()
            if name not in marked and (called(node) & PRIMITIVES or named(node.body) & writing)
        }
        if more == writing:
            break
        writing = more
    yield from (name for name in writing if not name.startswith("_"))


def called(function: ast.FunctionDef) -> set[str]:
    """Names of the functions that a function calls, including methods."""
    calls = (node.func for node in ast.walk(function) if isinstance(node, ast.Call))
    return {getattr(call, "attr", getattr(call, "id", "")) for call in calls}


def named(nodes: list) -> set[str]:
    """Names in some code that are called or passed on."""
    return {node.id for tree in nodes for node in ast.walk(tree) if isinstance(node, ast.Name)}
