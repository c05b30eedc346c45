"""A file system that stops the process, or fails, at the nth operation that changes it."""

from __future__ import annotations

import builtins
import errno
import io
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest import mock

OPERATIONS = ("fsync", "replace", "rename", "unlink", "remove", "mkdir", "rmdir")
KINDS = ("kill", "ENOSPC", "EIO", "torn", "ENOSPC for good")


class Killed(BaseException):
    """The process is dead: whatever it still tries on its way out does nothing."""


class Faults:
    """Counts operations on files, and lets the nth go wrong.

    Attributes
    ----------
    at : int
        The operation that goes wrong, from 1; 0 for none.
    kind : str
        One of `KINDS`; a kill or a fault for good holds for every later operation too.
    seen : int
        Operations so far.
    """

    def __init__(self, at: int = 0, kind: str = "kill") -> None:
        self.at, self.kind, self.seen = at, kind, 0

    def pass_or_fail(self, tear: Callable[[], object] = lambda: None) -> None:
        """Count an operation; raises where it must not be done. ``tear`` does half of it."""
        self.seen += 1
        lasts = self.kind == "kill" or self.kind.endswith("for good")
        if not self.at or self.seen < self.at or (self.seen > self.at and not lasts):
            return
        if self.kind == "torn":
            tear()
        if self.kind == "kill":
            raise Killed
        code = errno.EIO if self.kind in ("EIO", "torn") else errno.ENOSPC
        raise OSError(code, os.strerror(code))


class _File:
    """An open file whose every write may go wrong."""

    def __init__(self, file: Any, faults: Faults) -> None:
        self._file, self._faults = file, faults

    def write(self, data: Any) -> int:
        half = data[: len(data) // 2]
        self._faults.pass_or_fail(lambda: self._file.write(half))
        return int(self._file.write(data))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)

    def __enter__(self) -> _File:
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()


@contextmanager
def injected(faults: Faults) -> Iterator[Faults]:
    """Let operations of this process on files pass through ``faults``."""
    real_open = io.open

    def opened(file: Any, mode: str = "r", *rest: Any, **named: Any) -> Any:
        if not set(mode) & set("wxa+"):
            return real_open(file, mode, *rest, **named)
        faults.pass_or_fail()
        return _File(real_open(file, mode, *rest, **named), faults)

    def guarded(real: Callable[..., Any]) -> Callable[..., Any]:
        def operation(*given: Any, **named: Any) -> Any:
            faults.pass_or_fail()
            return real(*given, **named)

        return operation

    with ExitStack() as patches:
        patches.enter_context(mock.patch.object(builtins, "open", opened))
        patches.enter_context(mock.patch.object(io, "open", opened))
        for name in OPERATIONS:
            real = getattr(os, name)
            patches.enter_context(mock.patch.object(os, name, guarded(real)))
        yield faults


def attempt(action: Callable[[], object], at: int, kind: str) -> bool | None:
    """Run an action with one fault: True if done, False if it reported failure, None if killed."""
    with injected(Faults(at, kind)):
        try:
            action()
        except Killed:
            return None
        except OSError:
            return False
    return True


def count(action: Callable[[], object]) -> int:
    """Operations on files of an action in which nothing goes wrong."""
    with injected(Faults()) as faults:
        action()
    return faults.seen
