"""The binary density-estimation sets, each with its own training, validation and test rows."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy import sparse

from tests.benchmarks.data import data_file

PARTS = ("ts", "valid", "test")


def read_set(name: str) -> dict[str, sparse.csr_array]:
    """Rows by variables of 0 and 1, by part: ``ts`` to train on, ``valid``, ``test``."""
    return {part: _read(f"density20/{name}.{part}.data.gz") for part in PARTS}


def _read(name: str) -> sparse.csr_array:
    table = pd.read_csv(data_file(name), header=None, dtype=np.uint8)
    return sparse.csr_array(table.to_numpy().astype(np.float64))
