"""The progress callback of long computations."""

from __future__ import annotations

from collections.abc import Callable

# Receives the fraction done, from 0 to 1, from time to time; may raise to end the computation.
ProgressCallback = Callable[[float], None]


def no_progress(share: float) -> None:
    """Ignore the progress."""
