"""A server that only shows: whatever would change its workspace for a visitor is refused here."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from .errors import InputError

# Set for the process that serves the app, by `orrery app --read-only`.
READ_ONLY = "ORRERY_READ_ONLY"
REFUSED = (
    "this server only shows what is there: nothing can be added, trained, changed or deleted; "
    "ask whoever runs it, or run Orrery yourself"
)

_Asked = ParamSpec("_Asked")
_Given = TypeVar("_Given")


def is_read_only() -> bool:
    """Whether this process only shows its workspace."""
    return os.environ.get(READ_ONLY) == "1"


def writer(write: Callable[_Asked, _Given]) -> Callable[_Asked, _Given]:
    """Mark a function as one that changes the workspace; it then is an InputError to call it here.

    Caches, which hold nothing that a visitor could choose, are not marked.
    """

    @functools.wraps(write)
    def guarded(*asked: _Asked.args, **named: _Asked.kwargs) -> _Given:
        if is_read_only():
            raise InputError(REFUSED)
        return write(*asked, **named)

    return guarded
