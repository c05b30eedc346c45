"""Infer the topics of the corpus once, so that documents can be found by them ever after."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy import sparse

from orrery.core.corpus import Corpus, spread
from orrery.core.inference import infer_activations
from orrery.core.network import Network
from orrery.core.storage.activations import Activations

# More documents than this are not worth the wait at the end of a run; these are spread evenly.
MOST_DOCUMENTS = 300_000
# A topic less probable than this has no part in a document.
LEAST_PROBABILITY = 0.1
# Finer steps would only make the file larger.
DIGITS = 2
# Local models of so many documents fit into memory at once, however many topics there are.
BLOCK = 2_000


def corpus_activations(
    network: Network, corpus: Corpus, watch: Callable[[float], None] = lambda share: None
) -> Activations:
    """Activations of at most `MOST_DOCUMENTS` documents, in closed world, rounded.

    ``watch`` is told now and then for what share of them they are known.
    """
    rows = spread(np.arange(corpus.n_documents, dtype=np.int64), MOST_DOCUMENTS)
    blocks = []
    for begin in range(0, len(rows), BLOCK):
        watch(begin / len(rows))
        blocks.append(_probable(infer_activations(network, corpus, rows[begin : begin + BLOCK])))
    return Activations(rows, sparse.csr_array(sparse.vstack(blocks, format="csr")))


def _probable(activations: sparse.csr_array) -> sparse.csr_array:
    activations.data = np.round(activations.data, DIGITS).astype(np.float32)
    activations.data[activations.data < np.float32(LEAST_PROBABILITY)] = 0.0
    activations.eliminate_zeros()
    return activations
