"""A part of the reproduction: how it is run, and how its figures are shown."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

Figures = dict[str, Any]
Value = TypeVar("Value")

SPLITS = (0, 1, 2, 3, 4)
log = logging.getLogger("benchmarks")


@dataclass(frozen=True)
class Settings:
    """What to run: splits of tiny20, density sets, and whether only tiny pieces of everything."""

    splits: tuple[int, ...] = SPLITS
    quick: bool = False
    sets: tuple[str, ...] = ()

    def pick(self, full: Value, quick: Value) -> Value:
        """Return the one of two sizes that is asked for."""
        return quick if self.quick else full

    def command(self, part: str) -> str:
        """Return the command line that runs a part with these settings."""
        splits = ",".join(str(split) for split in self.splits)
        sets = f" --sets {','.join(self.sets)}" if self.sets else ""
        quick = " --quick" if self.quick else ""
        return f"python -m tests.benchmarks paper --only {part} --splits {splits}{sets}{quick}"


@dataclass(frozen=True)
class Part:
    """One table or figure.

    Attributes
    ----------
    name : str
    title : str
    minutes : int
        Expected on two cores, with all five splits and no model in the cache.
    run : function of Settings
        Returns plain values for JSON.
    show : function of those values
        Returns Markdown.
    """

    name: str
    title: str
    minutes: int
    run: Callable[[Settings], Figures]
    show: Callable[[Figures], str]
