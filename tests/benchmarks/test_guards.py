"""Guards: what they take away exists, and so do the tests that must notice it."""

from __future__ import annotations

import ast

import pytest

from tests.benchmarks.parts.guards import GUARDS, NO, NOT_MEASURED, YES, Guard, show
from tests.browser.driving import ROOT


@pytest.mark.parametrize("guard", GUARDS, ids=lambda guard: guard.name)
def test_the_lines_and_the_test_of_a_guard_exist(guard: Guard) -> None:
    assert (ROOT / guard.file).read_text(encoding="utf-8").count(guard.lines) == 1
    file, _, test = guard.test.partition("::")
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    functions = [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]
    assert any(name.startswith("test_") for name in functions)
    assert not test or test.partition("[")[0] in functions


def test_the_page_shows_guards_that_were_not_measured() -> None:
    first, second, third = GUARDS[:3]
    figures = {
        "passed": {first.test: True, second.test: False, "gone": True},
        "noticed": {first.name: True, second.name: False, "gone": True, third.name: True},
    }
    rows = show(figures).splitlines()
    for guard, expected in ((first, YES), (second, NO), (third, NOT_MEASURED)):
        [row] = [row for row in rows if row.startswith(f"| {guard.name} |")]
        assert row.endswith(f"| {expected} | {expected} |")
