"""Topic probabilities of the documents of a corpus, computed once at the end of a run."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from ..data.corpus import Corpus, evenly_spaced
from ..inference.infer import infer_activations
from ..inference.thresholds import ON_THRESHOLD
from ..model.network import Network
from ..model.topic_groups import TopicGroups, find_topic_groups
from ..storage.activations import Activations
from ..structure.pruning import MIN_USED_SHARE
from ..utils.types import Int64Array, ProgressCallback, no_progress

# Documents, evenly spaced; the probabilities of more would take too long at the end of a run.
MAX_DOCUMENTS = 300_000
# A topic with a lower probability is left out of the document.
MIN_PROBABILITY = 0.1
# Decimal places; more of them would only make the file larger.
DIGITS = 2
# Documents at a time; their local models fit in memory for any number of topics.
BLOCK = 2_000


def corpus_activations(
    network: Network, corpus: Corpus, progress: ProgressCallback = no_progress
) -> Activations:
    """Rounded activations of at most `MAX_DOCUMENTS` documents, with absent words observed off.

    ``progress`` is a callback.
    """
    rows = evenly_spaced(np.arange(corpus.n_documents, dtype=np.int64), MAX_DOCUMENTS)
    return Activations(rows, activations_of(network, corpus, rows, progress))


def corpus_topic_groups(network: Network, corpus: Corpus, found: Activations) -> TopicGroups | None:
    """Topic groups from documents with known activations (`core.model.topic_groups`)."""
    presence = sparse.csr_array(corpus.to_csr()[found.rows])
    return find_topic_groups(network, corpus.vocabulary, found.probability, presence)


def n_active(found: Activations) -> int:
    """Number of topics that are on in at least one document of a thousand."""
    on = np.asarray((found.probability > ON_THRESHOLD).sum(axis=0)).ravel()
    return int((on >= max(MIN_USED_SHARE * found.probability.shape[0], 1.0)).sum())


def activations_of(
    network: Network, corpus: Corpus, rows: Int64Array, progress: ProgressCallback = no_progress
) -> sparse.csr_array:
    """Rounded activations of these documents, shape (n_rows, n_topics).

    ``progress`` is a callback.
    """
    blocks = []
    for begin in range(0, len(rows), BLOCK):
        block = rows[begin : begin + BLOCK]
        found = infer_activations(network, corpus, block)
        found.data = np.round(found.data, DIGITS).astype(np.float32)
        found.data[found.data < np.float32(MIN_PROBABILITY)] = 0.0
        found.eliminate_zeros()
        blocks.append(found)
        progress(min(1.0, (begin + BLOCK) / len(rows)))
    if not blocks:
        return sparse.csr_array(np.zeros((0, network.graph.n_topics), np.float32))
    return sparse.csr_array(sparse.vstack(blocks, format="csr"))
