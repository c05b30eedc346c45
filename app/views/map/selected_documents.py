"""Selected documents: what they have more of than others, and which are typical of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import sparse

from ....core.data.corpus import Corpus
from ....core.drawing.links import word_text
from ....core.evaluation.group_topics import Counts, compare
from ....core.model.subtrees import joined
from ....core.model.topic_model import Run
from ...workspace.facets import NO_YEAR, Facets

# Entries of each kind.
MAX_ENTRIES = 6
# An entry in fewer of the selected documents is no description of them.
MIN_DOCUMENTS = 2.0


@dataclass(frozen=True)
class MoreOf:
    """A topic, word, label or year that selected documents have more of than the others."""

    number: int  # of the topic or word; of the label or year among the sorted ones
    name: str
    here: float  # share of the selected documents
    elsewhere: float  # share of the others
    is_certain: bool  # whether the difference is certain among all entries of its kind


def more_of(
    corpus: Corpus,
    facets: Facets,
    run: Run,
    on: sparse.csr_array,
    rows: npt.NDArray[np.int64],
    is_selected: npt.NDArray[np.bool_],
) -> dict[str, list[MoreOf]]:
    """Topics, words, labels and years that are more frequent in the selected documents.

    Those whose difference is at least likely, ordered by the lower bound of the ratio.

    Parameters
    ----------
    on : csr_array of bool, shape (n_documents, n_topics)
        Topics that are on.
    rows : int64 array, shape (n_rows,)
        Documents that could be selected.
    is_selected : bool array, shape (n_rows,)
    """
    shown = joined(on[rows], run.shown_as).astype(float).tolil()
    shown[:, list(run.hidden_topics)] = 0.0
    tables: dict[str, tuple[sparse.csr_array, list[str]]] = {
        "topic": (sparse.csr_array(shown), list(run.topic_labels)),
        "word": (corpus.to_csr()[rows], [word_text(word) for word in corpus.vocabulary]),
    }
    for kind, values, is_used in (
        ("label", facets.label[rows].astype(str), bool(facets.labels)),
        ("year", np.where(facets.year[rows] == NO_YEAR, "", facets.year[rows].astype(str)),
         bool(facets.years)),
    ):  # fmt: skip
        if is_used:
            names, number = np.unique(values, return_inverse=True)
            place = (np.arange(len(rows)), number)
            table = sparse.csr_array((np.ones(len(rows)), place), shape=(len(rows), len(names)))
            tables[kind] = (table, names.tolist())
    return {kind: _ranked(*table, is_selected) for kind, table in tables.items()}


def _ranked(
    table: sparse.csr_array, names: list[str], is_selected: npt.NDArray[np.bool_]
) -> list[MoreOf]:
    here, there = (
        Counts(
            np.asarray(table[side].sum(axis=0), np.float64).reshape(1, -1),
            np.array([[float(side.sum())]]),
        )
        for side in (is_selected, ~is_selected)
    )
    compared = compare(here, there, len(names))
    low = compared.alone.low[0]
    is_more = (low > 1.0) & (here.on[0] >= MIN_DOCUMENTS)
    order = [int(n) for n in np.argsort(-low, kind="stable") if is_more[n] and names[n]]
    return [
        MoreOf(
            number,
            names[number],
            float(here.share[0, number]),
            float(np.nan_to_num(there.share[0, number])),
            bool(compared.lift.low[0, number] > 1.0),
        )
        for number in order[:MAX_ENTRIES]
    ]


def by_fit(rows: npt.NDArray[np.int64], on: sparse.csr_array) -> npt.NDArray[np.int64]:
    """Rows of selected documents, those with the topics that most of them share first.

    A topic counts by its share of the selected documents minus its share of all documents. The sum
    over the topics of a document is divided by the root of their number.
    """
    if not len(rows):
        return rows
    own = sparse.csr_array(on[rows].astype(float))
    weight = np.asarray(own.mean(axis=0)).ravel() - np.asarray(on.mean(axis=0)).ravel()
    n_topics = np.maximum(np.asarray(own.sum(axis=1)).ravel(), 1.0)
    fit = np.asarray(own @ weight).ravel() / np.sqrt(n_topics)
    return rows[np.argsort(-fit, kind="stable")]
