"""Infer the topics of the corpus once, so that documents can be found by them ever after."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from ..data.corpus import Corpus, spread
from ..inference.infer import infer_activations
from ..inference.thresholds import ON_THRESHOLD
from ..model.network import Network
from ..model.topic_groups import Shelves, arrange_shelves
from ..storage.activations import Activations
from ..structure.pruning import LEAST_USED
from ..utils.progress import Watch, unwatched
from ..utils.types import Int64Array

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
    """Shelves by the documents whose activations were found (`orrery.core.model.topic_groups`)."""
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
