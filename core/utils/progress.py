"""The progress callback of long computations."""

from __future__ import annotations

from collections.abc import Callable

# Called repeatedly with the share that is done, from 0 to 1; it may raise an exception to stop the
# computation. Baselines use `StoppingCallback`, which stops training by returning True.
ProgressCallback = Callable[[float], None]


def no_progress(share: float) -> None:
    """Ignore the progress."""
