"""A lazy module is imported when it is first used, and has all names of the module."""

from __future__ import annotations

import fractions
import sys

import pytest

from orrery.core.utils.lazy import LazyModule


def test_a_module_is_imported_when_a_name_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "fractions")
    lazy = LazyModule("fractions")
    assert "fractions" not in sys.modules
    assert lazy.Fraction(1, 2) == 0.5
    assert "fractions" in sys.modules


def test_its_names_are_those_of_the_module() -> None:
    lazy = LazyModule("fractions")
    assert lazy.Fraction is fractions.Fraction
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = lazy.no_such_name
    with pytest.raises(ModuleNotFoundError):
        _ = LazyModule("no_such_module").name
