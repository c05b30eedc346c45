"""A part of the reproduction: how it is run, and how its figures are shown."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

Figures = dict[str, Any]
Value = TypeVar("Value")

SPLITS = (0, 1, 2, 3, 4)
log = logging.getLogger("benchmarks")


@dataclass(frozen=True)
class Settings:
    """Selection of what to run: splits of tiny20, sets of one part, and whether only tiny data.

    ``splits`` are seeds, on the page of graphs the seeds of training; ``share`` is the share of the
    full size for parts of variable size; ``page`` is the subcommand that runs it, with the options
    that it knows; ``runs`` are finished runs to use as models of these names. A long part gives its
    figures so far to ``keep``, with the sets that it has measured if it measures them one by one,
    so that they are stored if the run is cut.
    """

    splits: tuple[int, ...] = SPLITS
    quick: bool = False
    sets: tuple[str, ...] = ()
    page: str = "paper"
    runs: tuple[tuple[str, Path], ...] = ()
    share: float = 1.0
    # Not compared, so that a model that is cached for these settings is found by all parts.
    keep: Callable[[Figures, tuple[str, ...]], None] = field(
        default=lambda figures, sets: None, compare=False
    )

    def pick(self, full: Value, quick: Value) -> Value:
        """Return the one of two sizes that is asked for."""
        return quick if self.quick else full

    def command(self, part: str) -> str:
        """Return the command line that runs a part with these settings."""
        is_given = self.page == "paper" or self.splits != SPLITS
        chosen = f" --splits {','.join(map(str, self.splits))}" if is_given else ""
        sets = f" --sets {','.join(self.sets)}" if self.sets else ""
        # Where a run lies is of this machine alone.
        runs = "".join(f" --run {name}=RUN" for name, _ in self.runs)
        share = f" --share {self.share:g}" if self.share != 1.0 else ""
        quick = " --quick" if self.quick else ""
        options = f"{chosen}{sets}{runs}{share}{quick}"
        return f"python -m tests.benchmarks {self.page} --only {part}{options}"


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


@dataclass(frozen=True)
class Page:
    """Parts that are run by one subcommand and shown on one page.

    Attributes
    ----------
    name : str
        The subcommand; the page is this in capitals, with ``.md``.
    summary : str
        For ``--help``.
    head : str
        Markdown above the parts.
    parts : dict of str to Part
        In the order of the page.
    main : function of the results by part
        Returns the main table of the page with its caption; "" without its results.
    """

    name: str
    summary: str
    head: str
    parts: dict[str, Part]
    main: Callable[[Mapping[str, Any]], str] = lambda results: ""

    @property
    def file(self) -> str:
        """Name of the page's file."""
        return f"{self.name.upper()}.md"
