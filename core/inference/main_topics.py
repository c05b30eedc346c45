"""One topic for each document, and all topics of a document that consists of passages.

A document has several topics, and half of the documents of a long-text corpus have several with a
probability above 0.999, so the most probable one is often decided by a rounding error. The main
topic is the one that describes the words of the document best *by itself*: the one with the largest
likelihood

    sum over the words j of the document of log q_k(j),    q_k(j) = p_k(j) / sum_i p_k(i),

where ``p_k(j)`` is the probability of word j if topic k is on and all other topics are as in any
document (`orrery.core.model.labels.marginals`). With ``m_j`` the marginal probability of the word,
``r_kj`` the probability that the topic alone activates it (`orrery.core.model.labels.reach`) and
``m_k`` the marginal probability of the topic,

    1 - p_k(j) = (1 - m_j) (1 - r_kj) / (1 - m_k r_kj).

Only topics that are on in the document take part (`ON_THRESHOLD`), so that the main topic is shown
for the document; if no topic is on, the main topic is the most probable one. The rule was chosen
without labels, by how well the main topic of one half of a document's words predicts the other half
(`python -m tests.benchmarks evidence --only main_topic`).
"""

from __future__ import annotations

import numpy as np
from scipy import sparse

from ..model.labels import marginals, reach
from ..model.network import Network
from ..utils.types import FloatArray, Int32Array, Int64Array
from .thresholds import ON_THRESHOLD

# Documents at a time, and limit on the entries of a table of their topics, of 128 MB.
BLOCK, MAX_ENTRIES = 2_000, 2**24
# Bounds of probabilities, so that logarithms are finite.
EDGE = 1e-9


def main_topics(
    network: Network,
    presence: sparse.csr_array,
    activations: sparse.csr_array,
    among: Int64Array | None = None,
) -> Int32Array:
    """Main topic of every document; -1 for a document without topics.

    Parameters
    ----------
    presence : csr_array, shape (n_documents, n_tokens)
        1.0 for each word of a document.
    activations : csr_array, shape (n_documents, n_topics)
        Probabilities of the topics, from `orrery.core.inference.infer.infer_activations`; a
        topic without an entry is never the main topic.
    among : int64 array, optional
        Topics to choose from, such as one layer; by default all.

    Returns
    -------
    int32 array, shape (n_documents,)
    """
    chosen = np.full(presence.shape[0], -1, np.int32)
    if network.graph.n_topics == 0:
        return chosen
    is_candidate = np.zeros(network.graph.n_topics, np.bool_)
    is_candidate[slice(None) if among is None else among] = True
    gain, log_total = word_gains(network)
    block = max(1, min(BLOCK, MAX_ENTRIES // network.graph.n_topics))
    for begin in range(0, presence.shape[0], block):
        rows = slice(begin, begin + block)
        words = sparse.csr_array(presence[rows])
        fit = (words @ gain.T).toarray() - np.diff(words.indptr)[:, None] * log_total
        probability = np.where(is_candidate, activations[rows].toarray(), 0.0)
        fit[probability <= ON_THRESHOLD] = -np.inf
        is_on = np.isfinite(fit).any(axis=1)
        best = np.where(is_on, fit.argmax(axis=1), probability.argmax(axis=1))
        chosen[rows] = np.where(probability.any(axis=1), best, -1)
    return chosen


def word_gains(network: Network) -> tuple[sparse.csr_array, FloatArray]:
    """Log of ``p_k(j)`` relative to the marginal probability of the word, and of ``sum_i p_k(i)``.

    Returns
    -------
    gain : float64 csr_array, shape (n_topics, n_tokens)
        0 for words that the topic does not reach.
    log_total : float64 array, shape (n_topics,)
    """
    n_topics = network.graph.n_topics
    marginal = np.clip(marginals(network), EDGE, 1.0 - EDGE)
    topic, word = marginal[:n_topics], marginal[n_topics:]
    gain = reach(network)
    own, reached = np.repeat(topic, np.diff(gain.indptr)), np.minimum(gain.data, 1.0 - EDGE)
    before = word[gain.indices]
    given = 1.0 - (1.0 - before) * (1.0 - reached) / (1.0 - own * reached)
    # The sum over paths that `reach` takes is an upper bound, so rounding may end below.
    given = np.maximum(given, before)
    added = sparse.csr_array((given - before, gain.indices, gain.indptr), gain.shape)
    gain.data = np.log(given / before)
    return gain, np.log(word.sum() + added.sum(axis=1))


def document_probability(probability: FloatArray) -> FloatArray:
    """Probability of each topic to be on in at least one passage, 1 - Π(1 - p).

    The passages are independent given their words, as all documents of a model are.

    Parameters
    ----------
    probability : array, shape (n_passages, n_topics)
        Posterior probabilities of the topics in each passage.

    Returns
    -------
    array, shape (n_topics,)
    """
    return np.asarray(1.0 - np.prod(1.0 - probability, axis=0), np.float64)
