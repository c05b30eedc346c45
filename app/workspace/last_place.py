"""The page that was open last, at which the app opens again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from ...core.storage.atomic import write_json
from ...core.storage.reading import read_json
from ...core.utils.errors import InputError
from ...core.utils.read_only import is_read_only

FILE = "last-place.json"
# A longer URL is not kept.
MAX_CHARACTERS = 4_000
Parameters = Mapping[str, Sequence[str]]


def keep(workspace: Path, page: str, parameters: Parameters) -> None:
    """Record a page with its URL parameters; if that fails, the app opens with its first page."""
    values = {name: list(texts) for name, texts in parameters.items()}
    if is_read_only() or sum(len(text) for texts in values.values() for text in texts) > (
        MAX_CHARACTERS
    ):
        return
    with suppress(OSError):
        workspace.mkdir(parents=True, exist_ok=True)
        write_json(workspace / FILE, {"version": 1, "page": page, "parameters": values})


def read(workspace: Path) -> tuple[str, dict[str, list[str]]]:
    """Page and parameters of the last record; ``("", {})`` without one that can be read."""
    try:
        record = read_json(workspace / FILE)
    except InputError:
        return "", {}
    page, parameters = record.get("page"), record.get("parameters")
    if not isinstance(page, str) or not isinstance(parameters, dict):
        return "", {}
    is_valid = all(
        isinstance(texts, list) and all(isinstance(text, str) for text in texts)
        for texts in parameters.values()
    )
    return (page, parameters) if is_valid else ("", {})
