"""The app opens at the page that was open last."""

from __future__ import annotations

from pathlib import Path

import pytest

from orrery.app.workspace import last_place


def test_a_place_is_kept_until_the_next(tmp_path: Path) -> None:
    workspace = tmp_path / "new"
    assert last_place.read(workspace) == ("", {})
    last_place.keep(workspace, "graph", {"corpus": ["a"], "hold": ["x", "y"]})
    assert last_place.read(workspace) == ("graph", {"corpus": ["a"], "hold": ["x", "y"]})
    last_place.keep(workspace, "home", {})
    assert last_place.read(workspace) == ("home", {})


def test_a_very_long_address_is_not_kept(tmp_path: Path) -> None:
    last_place.keep(tmp_path, "home", {})
    last_place.keep(tmp_path, "query", {"q": ["x" * (last_place.MAX_CHARACTERS + 1)]})
    assert last_place.read(tmp_path) == ("home", {})


@pytest.mark.parametrize(
    "text", ["", "[]", '{"page": 3}', '{"page": "home", "parameters": {"q": "text"}}']
)
def test_a_damaged_record_counts_as_none(tmp_path: Path, text: str) -> None:
    (tmp_path / last_place.FILE).write_text(text)
    assert last_place.read(tmp_path) == ("", {})
