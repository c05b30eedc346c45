"""Guards: what they take away exists, and so do the tests that must notice it."""

from __future__ import annotations

import ast

import pytest

from tests.benchmarks.parts.guards import GUARDS, Guard
from tests.browser.driving import ROOT


@pytest.mark.parametrize("guard", GUARDS, ids=lambda guard: guard.name)
def test_the_lines_and_the_test_of_a_guard_exist(guard: Guard) -> None:
    assert (ROOT / guard.file).read_text(encoding="utf-8").count(guard.lines) == 1
    file, _, test = guard.test.partition("::")
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    functions = [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]
    assert any(name.startswith("test_") for name in functions)
    assert not test or test.partition("[")[0] in functions
