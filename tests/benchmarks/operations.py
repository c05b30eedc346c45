"""How much arithmetic the kernels of the exact E-step do, counted while they run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from importlib import import_module
from inspect import signature
from pkgutil import iter_modules
from threading import Lock
from typing import Any
from unittest.mock import patch

import orrery.core.kernels
from orrery.core.kernels.compiling import Kernel as Compiled

Kernel = Callable[..., Any]


@dataclass(frozen=True)
class Work:
    """Operations of a kernel on one term of one edge; divisions count too."""

    operations: int
    divisions: int


# As written in `orrery.core.kernels.vectors`; choosing one of two numbers is an operation too.
# Terms of nodes are left out, since there are fewer of them than of edges.
WORK = {
    "expected_terms": Work(4, 0),
    "topic_field": Work(6, 1),
    "replace_activation": Work(4, 0),
    "add_exact_gradient": Work(5, 1),
}


@dataclass
class Tally:
    """Calls of a kernel, and the terms of edges that it has gone over in all of them."""

    calls: int = 0
    terms: int = 0


def count_work(step: Callable[[], object]) -> dict[str, Tally]:
    """Tallies of the kernels in `WORK` while a step runs, as plain Python for that."""
    tallies = {name: Tally() for name in WORK}
    with ExitStack() as patches:
        for module, name, kernel in _kernels():
            plain = kernel.py_func
            used = _counting(plain, tallies[name]) if name in WORK else plain
            patches.enter_context(patch.object(module, name, used))
        step()
    return tallies


def _kernels() -> Iterator[tuple[Any, str, Compiled]]:
    """Compiled kernels, in every module that has the name of one."""
    for found in iter_modules(orrery.core.kernels.__path__):
        module = import_module(f"orrery.core.kernels.{found.name}")
        for name, value in list(vars(module).items()):
            if isinstance(value, Compiled):
                yield module, name, value


def _counting(kernel: Kernel, tally: Tally) -> Kernel:
    named, lock = signature(kernel), Lock()

    def counted(*arguments: Any) -> Any:
        terms = _terms(named.bind(*arguments).arguments)
        # Blocks of documents run in several threads.
        with lock:
            tally.calls += 1
            tally.terms += terms
        return kernel(*arguments)

    return counted


def _terms(arguments: dict[str, Any]) -> int:
    """Terms of the edges below a topic ``i``, or of all where a kernel goes over all nodes."""
    local, n_terms = arguments["local"], arguments["P"].shape[1]
    if "i" not in arguments:
        return len(local.edge) * n_terms
    i = arguments["i"]
    return int(local.child_ptr[i + 1] - local.child_ptr[i]) * n_terms


def operations(tallies: dict[str, Tally]) -> int:
    """Operations of all kernels together."""
    return sum(WORK[name].operations * tally.terms for name, tally in tallies.items())


def divisions(tallies: dict[str, Tally]) -> int:
    """Divisions among them."""
    return sum(WORK[name].divisions * tally.terms for name, tally in tallies.items())
