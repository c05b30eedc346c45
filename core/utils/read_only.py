"""Protection of the workspace on a server that only shows it."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from .errors import InputError

# Environment variable that `orrery app --read-only` sets to "1" for the process of the app.
READ_ONLY = "ORRERY_READ_ONLY"
REFUSED = (
    "this server only shows what is there: nothing can be added, trained, changed or deleted; "
    "ask whoever runs it, or run Orrery yourself"
)

_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")


# Functions that `exempt` was given.
_exemptions: list[Callable[[], bool]] = []


def exempt(is_exempt: Callable[[], bool]) -> None:
    """Let a read-only process change its workspace whenever a function returns True.

    The function decides for the person whose request the current thread serves.
    """
    _exemptions.append(is_exempt)


def is_read_only() -> bool:
    """Whether this process must not change its workspace for the current person."""
    return os.environ.get(READ_ONLY) == "1" and not any(ask() for ask in _exemptions)


def writer(write: Callable[_Arguments, _Result]) -> Callable[_Arguments, _Result]:
    """Decorate a function that changes the workspace: on a read-only server it raises InputError.

    Functions that only write caches are not decorated: a visitor cannot choose their content.
    """

    @functools.wraps(write)
    def guarded(*args: _Arguments.args, **kwargs: _Arguments.kwargs) -> _Result:
        if is_read_only():
            raise InputError(REFUSED)
        return write(*args, **kwargs)

    return guarded
