"""One other system, fitted once in a process of its own.

``python -m tests.benchmarks.peer_systems NAME MATRIX.npz TOPICS`` prints the seconds of the fit
and the number of its passes over the documents. Nothing of Orrery is loaded, so that its memory is
not counted.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import sparse

# Fits, and returns how often it went over the documents.
Fit = Callable[[], int]
Prepare = Callable[[sparse.csr_array, int], Fit]


@dataclass(frozen=True)
class System:
    """A system for comparison.

    Attributes
    ----------
    title : str
    package : str
        Package that must be importable.
    prepare : function of presence (documents by words) and number of topics
        Puts the documents into the system's own form and returns its fit, with default settings.
    settings : str
        Its default settings that affect time.
    """

    title: str
    package: str
    prepare: Prepare
    settings: str


def _sklearn(presence: sparse.csr_array, topics: int) -> Fit:
    from sklearn.decomposition import LatentDirichletAllocation

    model = LatentDirichletAllocation(topics, learning_method="online", random_state=0)
    return lambda: int(model.fit(presence).n_iter_)


def _gensim(presence: sparse.csr_array, topics: int) -> Fit:
    from gensim.models import LdaModel

    bags = [[(int(word), 1) for word in words] for words in _documents(presence)]
    names = {word: str(word) for word in range(presence.shape[1])}
    return lambda: int(LdaModel(bags, topics, id2word=names, random_state=0).passes)


def _tomotopy_lda(presence: sparse.csr_array, topics: int) -> Fit:
    import tomotopy

    return _sampled(tomotopy.LDAModel(k=topics, seed=0), presence)


def _tomotopy_hlda(presence: sparse.csr_array, topics: int) -> Fit:
    """It finds its own number of topics."""
    import tomotopy

    return _sampled(tomotopy.HLDAModel(seed=0), presence)


def _sampled(model, presence: sparse.csr_array) -> Fit:
    for words in _documents(presence):
        model.add_doc([str(word) for word in words])

    def fit() -> int:
        model.train()
        return int(model.global_step)

    return fit


def _corextopic(presence: sparse.csr_array, topics: int) -> Fit:
    from corextopic.corextopic import Corex

    model = Corex(n_hidden=topics, seed=0)
    # It calls methods that matrices have and sparse arrays have not.
    matrix = sparse.csr_matrix(presence)
    return lambda: len(model.fit(matrix).tc_history)


def _documents(presence: sparse.csr_array) -> list[np.ndarray]:
    return np.split(presence.indices, presence.indptr[1:-1])


SYSTEMS = {
    "sklearn": System(
        "scikit-learn, online LDA", "sklearn", _sklearn, "10 passes in batches of 128"
    ),
    "gensim": System("gensim, online LDA", "gensim", _gensim, "1 pass in batches of 2,000"),
    "tomotopy-lda": System(
        "tomotopy, LDA", "tomotopy", _tomotopy_lda, "10 sweeps of Gibbs sampling, all cores"
    ),
    "tomotopy-hlda": System(
        "tomotopy, hierarchical LDA",
        "tomotopy",
        _tomotopy_hlda,
        "10 sweeps, two levels, as many topics as it finds",
    ),
    "corextopic": System("corextopic", "corextopic", _corextopic, "until convergence, at most 200"),
}


def main(name: str, place: str, topics: str) -> None:
    """Fit, and print one JSON object."""
    presence = sparse.csr_array(sparse.load_npz(place))
    fit = SYSTEMS[name].prepare(presence, int(topics))
    begin = time.perf_counter()
    passes = fit()
    print(json.dumps({"fit": time.perf_counter() - begin, "passes": passes}))  # noqa: T201


if __name__ == "__main__":
    main(*sys.argv[1:])
