"""Sentences that are templates are filled with exactly their fields, wherever they are used."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from pathlib import Path
from string import Formatter

import pytest

from orrery.app.shared import strings as shared_strings
from orrery.app.shared import topic_strings
from orrery.app.views.corpus import strings as corpus_strings
from orrery.app.views.documents import strings as documents_strings
from orrery.app.views.graph import strings as graph_strings
from orrery.app.views.groups import strings as groups_strings
from orrery.app.views.stories import strings as stories_strings
from tests.app.workspace.test_applied_texts import SUMMARY
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


COUNTED: list[tuple[Callable[[int], str], str, str]] = [
    (
        lambda n: topic_strings.on_with_below(n, 5),
        "in 1 document by itself, 5 with the topics below",
        "in 2 documents by itself, 5 with the topics below",
    ),
    (
        lambda n: shared_strings.not_shown(n, 0),
        "Not shown: 1 topic that differs less between the groups.",
        "Not shown: 2 topics that differ less between the groups.",
    ),
    (
        lambda n: graph_strings.hidden(0, 0.1, n),
        "Hidden: 1 topic or word that does not fit.",
        "Hidden: 2 topics and words that do not fit.",
    ),
    (
        lambda n: groups_strings.counts(n, n, n),
        "1 group, 1 topic, 1 document.",
        "2 groups, 2 topics, 2 documents.",
    ),
    (
        lambda n: corpus_strings.kept_documents(n, 0),
        "The 1 document that was read is kept.",
        "All 2 documents that were read are kept.",
    ),
    (
        lambda n: corpus_strings.kept_documents(n, 7),
        f"1 of {1 + 7} documents that were read is kept.",
        f"2 of {2 + 7} documents that were read are kept.",
    ),
    (
        lambda n: documents_strings.applied(SUMMARY | {"n_without_words": n})[-1],
        "1 has no word that the model knows.",
        "2 have no word that the model knows.",
    ),
    (
        lambda n: stories_strings.missing(dict.fromkeys(range(1, n + 1), "it is gone")),
        "View 1: it is gone. Its note can still be read.",
        "View 1: it is gone; view 2: it is gone. Their notes can still be read.",
    ),
]


@pytest.mark.parametrize(("written", "one", "two"), COUNTED)
def test_one_thing_is_written_in_the_singular(
    written: Callable[[int], str], one: str, two: str
) -> None:
    assert (written(1), written(2)) == (one, two)


def test_the_help_of_the_app_keeps_signs_of_markup_as_they_are() -> None:
    for sign in ("<p>", "&nbsp;", "(cid:12)"):
        assert f"`{sign}`" in corpus_strings.MARKUP_HELP


def test_every_template_gets_its_fields() -> None:
    found = [use for path in (ROOT / "app").rglob("*.py") for use in uses(path)]
    assert len(found) > 80
    assert [use for use in found if use[1] != use[2] and "**" not in use[2]] == []
