"""Types of the arrays that travel through core, by what their elements are."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

BoolArray = npt.NDArray[np.bool_]
FloatArray = npt.NDArray[np.float64]
# Numbers of nodes, tokens and edges, as graphs and corpora store them.
Int32Array = npt.NDArray[np.int32]
# Rows of a corpus, and pointers: where the items of each row begin in one long list.
Int64Array = npt.NDArray[np.int64]
ObjectArray = npt.NDArray[np.object_]
