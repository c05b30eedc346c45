"""Types of the arrays that core uses, and the progress callback of long computations."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

BoolArray = npt.NDArray[np.bool_]
FloatArray = npt.NDArray[np.float64]
# Indices of nodes, tokens and edges, as graphs and corpora store them.
Int32Array = npt.NDArray[np.int32]
# Row numbers of a corpus, and pointers: the position at which each row begins in a flat array.
Int64Array = npt.NDArray[np.int64]
ObjectArray = npt.NDArray[np.object_]

# Called repeatedly with the share that is done, from 0 to 1; it may raise an exception to stop the
# computation. Baselines use `StoppingCallback`, which stops training by returning True.
ProgressCallback = Callable[[float], None]


def no_progress(share: float) -> None:
    """Ignore the progress."""
