"""Topic probabilities of the documents of a corpus, stored beside the model."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import sparse

from ..data.limits import check_pointer
from ..utils.types import Int64Array
from .atomic import write_npz
from .reading import check_seal, damaged, read_json, read_npz

FILE = "activations.npz"


class Activations(NamedTuple):
    """Posterior probabilities of topics in documents."""

    rows: Int64Array  # shape (n_rows,): documents of the corpus, ascending
    probability: sparse.csr_array  # shape (n_rows, n_topics): probabilities near 0 are left out


def write_activations(folder: Path, activations: Activations) -> None:
    """Write the file to a model folder; equal activations give equal bytes."""
    table = activations.probability
    arrays: dict[str, npt.NDArray[Any]] = {
        "rows": activations.rows,
        "n_topics": np.array(table.shape[1], np.int64),
        "indptr": table.indptr.astype(np.int64),
        "indices": table.indices.astype(np.int32),
        "data": table.data.astype(np.float32),
    }
    write_npz(folder / FILE, arrays)


def load_activations(folder: Path) -> Activations | None:
    """Read the activations of a model folder; None without a file.

    Raises InputError if the file is damaged.
    """
    path = folder / FILE
    expected_hash, n_topics = _model_facts(folder)
    if expected_hash is None and not os.path.lexists(path):
        return None
    arrays = read_npz(path, expected_hash)
    try:
        rows = arrays["rows"].astype(np.int64)
        shape = (len(rows), int(arrays["n_topics"]))
        if n_topics not in (None, shape[1]):
            raise damaged(path)
        parts = (arrays["data"], arrays["indices"], arrays["indptr"])
        table = sparse.csr_array(parts, shape=shape)
        table.check_format(full_check=True)
        check_pointer(table.indptr, len(table.indices))
        is_ascending = rows.ndim == 1 and bool((np.diff(rows, prepend=-1) > 0).all())
        if not is_ascending or not ((table.data >= 0.0) & (table.data <= 1.0)).all():
            raise damaged(path)
    except (KeyError, ValueError, TypeError, IndexError):
        raise damaged(path) from None
    return Activations(rows, table)


def _model_facts(folder: Path) -> tuple[str | None, int | None]:
    """Hash of the activations and number of topics in ``model.json``; None if not stored there.

    Earlier versions did not store the hash.
    """
    if not (folder / "model.json").is_file():
        return None, None
    description = read_json(folder / "model.json")
    check_seal(folder / "model.json", description, is_needed=False)
    expected, labels = (description.get(name) for name in ("activations_hash", "topic_labels"))
    return (
        expected if isinstance(expected, str) else None,
        len(labels) if isinstance(labels, list) else None,
    )
