"""Which topic put a word into a document: the share of every cause in a word that is present."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from orrery.core.arrays import FloatArray
from orrery.core.inference import Posterior
from orrery.core.network import Network


@dataclass(frozen=True, eq=False)
class WordCauses:
    """Shares of what may have switched each present word on; those of a word add up to 1.

    Attributes
    ----------
    chance : float64 array, shape (n_tokens,)
        Share of the leak, in the order of ``posterior.local.tokens``.
    topic : float64 csr_array, shape (n_tokens, n_topics)
        Share of each topic, as positions in ``posterior.local.topics``.
    """

    chance: FloatArray
    topic: sparse.csr_array


def word_causes(network: Network, posterior: Posterior) -> WordCauses:
    """Share of every parent, and of chance, in each present word of a local model.

    A noisy-OR node is on if at least one of independent Poisson causes strikes, each with its
    weight as rate (MATH §1: ``p(off) = exp(-a)``, ``a = w0 + sum_k w_k x_k``). Given that one
    strikes, parent k is the first with probability ``w_k x_k / a``. With the activations at their
    posterior means q, that is

        share of k = w_k q_k / (w0 + sum_l w_l q_l),    share of chance = w0 / (the same),

    exact where every q is 0 or 1, and the way in which `orrery.core.explanation` shares out what
    parents do together.

    Parameters
    ----------
    network : Network
    posterior : Posterior
        Of evidence about this network.
    """
    local = posterior.local
    n_topics, n_tokens = len(local.topics), len(local.tokens)
    is_word = local.edge_child >= n_topics
    parent, word = local.edge_parent[is_word], local.edge_child[is_word] - n_topics
    pull = network.weight[local.edge[is_word]] * posterior.probability[parent]
    leak = network.leak[network.graph.n_topics + local.tokens]
    total = leak + np.bincount(word, pull, minlength=n_tokens)
    shares = sparse.csr_array((pull / total[word], (word, parent)), shape=(n_tokens, n_topics))
    shares.sort_indices()
    return WordCauses(chance=leak / total, topic=shares)
