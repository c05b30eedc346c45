"""Modules that are imported when they are first used, because their import takes long."""

from __future__ import annotations

from importlib import import_module
from typing import Any


class LazyModule:
    """Module of another package, such as networkx, imported when one of its names is first used.

    A module that needs it writes ``import networkx as nx`` under ``TYPE_CHECKING``, and under
    ``else`` ``nx = LazyModule("networkx")``.
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        return getattr(import_module(self._name), attribute)
