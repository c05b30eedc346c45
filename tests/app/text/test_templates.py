"""Sentences that are templates are filled with exactly their fields, wherever they are used."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

from tests.conftest import ROOT


def fields_of(path: Path) -> dict[str, set[str]]:
    """Fields of each template of a module of strings, by its name."""
    found = {}
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        is_text = isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
        if is_text and isinstance(node.targets[0], ast.Name) and isinstance(node.value.value, str):
            fields = {field for _, field, _, _ in Formatter().parse(node.value.value) if field}
            found[node.targets[0].id] = fields
    return found


TEMPLATES = {
    path: fields_of(path) for top in ("app", "core") for path in (ROOT / top).rglob("*strings.py")
}


def uses(path: Path) -> Iterator[tuple[str, set[str], set[str]]]:
    """Place, fields and arguments of each template that a module fills."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    source: dict[str, Path] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.level:
            folder = path.parents[node.level - 1].joinpath(*(node.module or "").split("."))
            for name in node.names:
                source[name.asname or name.name] = folder / f"{name.name}.py"
    for call in ast.walk(tree):
        match call:
            case ast.Call(
                func=ast.Attribute(
                    value=ast.Attribute(value=ast.Name(id=module), attr=name), attr="format"
                )
            ) if name in TEMPLATES.get(source.get(module, path), {}):
                given = {keyword.arg or "**" for keyword in call.keywords}
                yield f"{path}:{call.lineno}", TEMPLATES[source[module]][name], given


def test_every_template_gets_its_fields() -> None:
    found = [use for path in (ROOT / "app").rglob("*.py") for use in uses(path)]
    assert len(found) > 80
    assert [use for use in found if use[1] != use[2] and "**" not in use[2]] == []
