"""Files that somebody else has open, which on Windows can be neither replaced nor moved."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

Result = TypeVar("Result")

# What Windows says of a file that another program has open: access denied, sharing violation.
IN_USE = frozenset({5, 32})
# Readers here take a file in at once and let go of it; a virus scanner needs a little longer.
SECONDS_OF_PATIENCE = 2.0
SECONDS_BETWEEN_TRIES = 0.01


def move(source: Path, place: Path) -> None:
    """Rename a file or folder to a free place, as soon as nobody has anything in it open."""
    when_free(lambda: source.rename(place))


def when_free(action: Callable[[], Result]) -> Result:
    """Do something to a file, again while Windows says that another program has it open.

    Elsewhere open files are replaced and moved like others, and every refusal is final.

    Parameters
    ----------
    action : callable
        Done at least once; it must leave nothing behind where it is refused.

    Raises
    ------
    PermissionError
        If the file is still in use after `SECONDS_OF_PATIENCE`, or it is refused for another
        reason.
    """
    until = time.monotonic() + SECONDS_OF_PATIENCE
    while True:
        try:
            return action()
        except PermissionError as error:
            if getattr(error, "winerror", None) not in IN_USE or time.monotonic() > until:
                raise
        time.sleep(SECONDS_BETWEEN_TRIES)
