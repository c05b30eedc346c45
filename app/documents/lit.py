"""Which documents of the map are lit: all that was asked for at once (no streamlit)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import pandas as pd

from orrery.app.documents.map_area import is_inside
from orrery.app.documents.map_colours import Colouring
from orrery.app.documents.map_points import Points
from orrery.core.corpus import Corpus
from orrery.core.spreadsheet import csv_bytes
from orrery.core.storage.document_maps import DocumentMap

if TYPE_CHECKING:
    from orrery.core.run import Run


@dataclass(frozen=True)
class Asked:
    """What documents are asked for; every condition must hold.

    Attributes
    ----------
    found : int64 array or None
        Rows that the search found; None where nothing was searched for.
    topic : int
        A topic that is on in them, or one that is shown as it; -1 for any.
    only : tuple of str
        Entries of the legend; empty for all.
    area : int64 array or None, shape (n_corners, 2)
    """

    found: npt.NDArray[np.int64] | None = None
    topic: int = -1
    only: tuple[str, ...] = ()
    area: npt.NDArray[np.int64] | None = None

    def anything(self) -> bool:
        """Whether there is any condition."""
        return self.found is not None or self.topic >= 0 or bool(self.only) or self.area is not None


def lit_points(
    asked: Asked, points: Points, colouring: Colouring, found: DocumentMap, run: Run
) -> npt.NDArray[np.bool_]:
    """Whether each point is lit, shape (n_points,)."""
    lit = colouring.is_among(asked.only)
    if asked.found is not None:
        is_found = np.zeros(points.n_documents, np.bool_)
        is_found[asked.found] = True
        lit &= is_found[points.rows]
    if asked.topic >= 0:
        is_on = found.on[:, run.parts_of(asked.topic)].astype(np.int32).sum(axis=1) > 0
        lit &= np.asarray(is_on)[points.rows]
    if asked.area is not None:
        lit &= is_inside(points.place, asked.area)
    return lit


def table_of(corpus: Corpus, rows: npt.NDArray[np.int64], found: DocumentMap, run: Run) -> bytes:
    """CSV of some documents: their columns, and the topic that each is about most."""
    topic = [run.topic_labels[number] if number >= 0 else "" for number in found.topic[rows]]
    table: pd.DataFrame = corpus.documents.iloc[rows].reset_index(drop=True)
    table.insert(len(table.columns), "topic", topic, allow_duplicates=True)
    return csv_bytes(table)
