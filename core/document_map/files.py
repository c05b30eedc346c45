"""Map file, stored beside the model whose topics it shows."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import sparse

from ..storage.atomic import write_npz
from ..storage.reading import read_npz
from ..utils.errors import InputError
from ..utils.types import Int32Array

# Version 1 had another main topic of each document.
MAP_VERSION = 2
FILE = "document_map.npz"


class DocumentMap(NamedTuple):
    """Points and topics of the documents."""

    # float32 (n_documents, 2): point of each document; NaN for a document without topics
    place: npt.NDArray[np.float32]
    # int32 (n_documents,): main topic of each document; -1 for a document without topics
    topic: Int32Array
    on: sparse.csr_array  # bool (n_documents, n_topics): which topics are on


class Origin(NamedTuple):
    """Model and corpus that a map was computed from; if either changes, the map is outdated."""

    model: str  # Hash of the model's parameters
    corpus: str  # `orrery.core.storage.corpora.corpus_fingerprint`


def write_map(model_folder: Path, found: DocumentMap, origin: Origin) -> None:
    """Write the map into the folder of a model; the same map gives the same bytes."""
    arrays: dict[str, npt.NDArray[Any]] = {
        "version": np.array(MAP_VERSION),
        "origin": np.array(origin, np.str_),
        "place": found.place.astype(np.float32),
        "topic": found.topic.astype(np.int32),
        "n_topics": np.array(found.on.shape[1], np.int64),
        "indptr": found.on.indptr.astype(np.int64),
        "indices": found.on.indices.astype(np.int32),
    }
    write_npz(model_folder / FILE, arrays)


def load_map(model_folder: Path, origin: Origin) -> DocumentMap | None:
    """Map of a model folder; None if it is missing, or if the model or the corpus has changed.

    InputError if the file is damaged or has another version, so that the map must be made again.
    """
    path = model_folder / FILE
    if not path.is_file():
        return None
    try:
        arrays = read_npz(path)
        version = int(arrays["version"])
        if version == MAP_VERSION:
            if Origin(*map(str, arrays["origin"])) != origin:
                return None
            return _map_of(arrays)
    except (InputError, KeyError, ValueError, TypeError, IndexError, OverflowError):
        raise InputError(f"{path} is damaged; make the map again") from None
    raise InputError(
        f"{path} is a map of version {version}, and this Orrery reads {MAP_VERSION}; make it again"
    )


def _map_of(arrays: dict[str, npt.NDArray[Any]]) -> DocumentMap:
    """Validate the arrays and build the map (ValueError if they are inconsistent)."""
    place, topic = arrays["place"].astype(np.float32), arrays["topic"].astype(np.int32)
    indices, n_topics = arrays["indices"].astype(np.int32), int(arrays["n_topics"])
    on = sparse.csr_array(
        (np.ones(len(indices), np.bool_), indices, arrays["indptr"].astype(np.int64)),
        shape=(len(topic), n_topics),
    )
    on.check_format(full_check=True)
    placed = np.isfinite(place).all(axis=1)
    known = topic[placed]
    if place.shape != (len(topic), 2) or ((known < 0) | (known >= n_topics)).any():
        raise ValueError("a document on the map has a topic of the model")
    return DocumentMap(place, np.where(placed, topic, -1).astype(np.int32), on)
