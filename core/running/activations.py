"""Infer the topics of the corpus once, so that documents can be found by them ever after."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from orrery.core.arrays import Int64Array
from orrery.core.corpus import Corpus, spread
from orrery.core.exporting.thresholds import ON_THRESHOLD
from orrery.core.inference import infer_activations
from orrery.core.network import Network
from orrery.core.shelves import Shelves, arrange_shelves
from orrery.core.storage.activations import Activations
from orrery.core.structure.idle import LEAST_USED
from orrery.core.watch import Watch, unwatched

# More documents than this are not worth the wait at the end of a run; these are spread evenly.
MOST_DOCUMENTS = 300_000
# A topic less probable than this has no part in a document.
LEAST_PROBABILITY = 0.1
# Finer steps would only make the file larger.
DIGITS = 2
# Local models of so many documents fit into memory at once, however many topics there are.
BLOCK = 2_000


def corpus_activations(network: Network, corpus: Corpus, watch: Watch = unwatched) -> Activations:
    """Activations of at most `MOST_DOCUMENTS` documents, in closed world, rounded.

    ``watch`` is told now and then for what share of them they are known.
    """
    rows = spread(np.arange(corpus.n_documents, dtype=np.int64), MOST_DOCUMENTS)
    return Activations(rows, activations_of(network, corpus, rows, watch))


def corpus_shelves(network: Network, corpus: Corpus, found: Activations) -> Shelves | None:
    """Shelves by the documents whose activations were found (`orrery.core.shelves`)."""
    presence = sparse.csr_array(corpus.to_csr()[found.rows])
    return arrange_shelves(network, corpus.vocabulary, found.probability, presence)


def n_active(found: Activations) -> int:
    """Number of topics that are on in one document of a thousand or more."""
    on = np.asarray((found.probability > ON_THRESHOLD).sum(axis=0)).ravel()
    return int((on >= max(LEAST_USED * found.probability.shape[0], 1.0)).sum())


def activations_of(
    network: Network,
    corpus: Corpus,
    rows: Int64Array,
    watch: Watch = unwatched,
) -> sparse.csr_array:
    """Rounded activations of some documents, shape (n_rows, n_topics).

    ``watch`` is told what share of them is done.
    """
    blocks = []
    for begin in range(0, len(rows), BLOCK):
        block = rows[begin : begin + BLOCK]
        blocks.append(_probable(infer_activations(network, corpus, block)))
        watch(min(1.0, (begin + BLOCK) / len(rows)))
    if not blocks:
        return sparse.csr_array(np.zeros((0, network.graph.n_topics), np.float32))
    return sparse.csr_array(sparse.vstack(blocks, format="csr"))


def _probable(activations: sparse.csr_array) -> sparse.csr_array:
    activations.data = np.round(activations.data, DIGITS).astype(np.float32)
    activations.data[activations.data < np.float32(LEAST_PROBABILITY)] = 0.0
    activations.eliminate_zeros()
    return activations
