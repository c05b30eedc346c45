"""Agreement of clusters of documents with their labels: purity, NMI, P1, ARI, each with chance.

A cluster is the set of the documents that have the same main topic
(`orrery.core.inference.main_topics`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score
from sklearn.metrics.cluster import contingency_matrix

from ..data.corpus import Corpus
from ..utils.errors import InputError
from ..utils.types import Int64Array, ObjectArray

# Shuffles of the clusters that estimate each measure under chance: their mean varies by less than
# the third digit for a few hundred documents.
N_SHUFFLES = 20


@dataclass(frozen=True, kw_only=True)
class ClusterFigures:
    """Agreement of clusters with labels; `orrery.core.evaluation.metrics` describes them.

    The fields that end in ``_chance`` are means over shuffled clusters of the same sizes.
    """

    labelled: int  # documents with a label, on which all figures are computed
    clusters: int
    purity: float
    purity_chance: float
    nmi: float
    nmi_chance: float
    p1: float
    p1_chance: float
    ari: float
    ari_chance: float


def cluster_figures(
    clusters: npt.NDArray[Any], labels: npt.NDArray[Any], *, seed: int = 0
) -> ClusterFigures:
    """Compare clusters with labels.

    Parameters
    ----------
    clusters : int array, shape (n_documents,)
        Cluster of each document; documents without a topic (-1) form one cluster.
    labels : array of str or int, shape (n_documents,)
    seed : int
        Seed of the shuffles.
    """
    rng = np.random.default_rng(seed)
    found = _agreement(clusters, labels)
    shuffled = [_agreement(rng.permutation(clusters), labels) for _ in range(N_SHUFFLES)]
    chance = {f"{key}_chance": float(np.mean([one[key] for one in shuffled])) for key in found}
    return ClusterFigures(
        labelled=len(labels), clusters=len(np.unique(clusters)), **found, **chance
    )


def _agreement(clusters: npt.NDArray[Any], labels: npt.NDArray[Any]) -> dict[str, float]:
    pure, inverse = purity(clusters, labels), purity(labels, clusters)
    return {
        "purity": pure,
        "nmi": float(normalized_mutual_info_score(labels, clusters)),
        # P1 of TopicGPT (Pham et al. 2024): harmonic mean of purity and inverse purity.
        "p1": 2.0 * pure * inverse / (pure + inverse),
        "ari": float(adjusted_rand_score(labels, clusters)),
    }


def purity(clusters: npt.NDArray[Any], labels: npt.NDArray[Any]) -> float:
    """Share of the documents that have the most frequent label of their cluster."""
    counts = contingency_matrix(labels, clusters, sparse=True)
    return float(counts.max(axis=0).sum() / len(labels))


def labelled_rows(
    corpus: Corpus, rows: Int64Array, column: str = "label"
) -> tuple[Int64Array, ObjectArray]:
    """Documents among ``rows`` that have a value in a column, and these values as strings.

    Raises InputError if there is no such column, or fewer than two different values.
    """
    if column not in corpus.documents:
        known = ", ".join(map(str, corpus.documents.columns))
        raise InputError(f"the documents have no column {column!r}; choose one of {known}")
    values = corpus.documents[column].iloc[rows]
    has_value = values.notna().to_numpy() & (values.astype(str) != "").to_numpy()
    labels = values[has_value].astype(str).to_numpy(dtype=object)
    if len(np.unique(labels)) < 2:
        raise InputError(
            f"the evaluated documents have {len(np.unique(labels))} different labels in the column "
            f"{column!r}; clusters are compared with two or more, so name another column with "
            "--labels, or hold more documents out when training"
        )
    return np.asarray(rows[has_value], np.int64), labels
