"""How long work says how far it is."""

from __future__ import annotations

from collections.abc import Callable

# Told now and then what share is done, from 0 to 1; may raise, to end the work there.
Watch = Callable[[float], None]


def unwatched(share: float) -> None:
    """Nobody is told."""
