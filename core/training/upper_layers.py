"""Upper layers, one at a time: topics of topics, learned from which are on together.

The topics of the layer below are the words, and their states in the documents, drawn from the
posterior, are the texts. On these a layer is learned as any other: a complete graph, a few sweeps
of Monte Carlo EM, and of its links the best.
"""

from __future__ import annotations

from itertools import count, islice
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy import sparse

from ..data.corpus import Corpus
from ..data.recipe import matrix_recipe
from ..inference.infer import ROUGH_TOLERANCE, infer_activations
from ..model.graph import build_graph
from ..model.network import Network, build_network
from ..structure.layers import complete_graph
from ..structure.pruning import layer_members
from .gibbs import Chains, advance
from .monte_carlo_em import SamplingPlan, sample_until, start_sampler
from .optimizers import SMALLEST_WEIGHT
from .state import starting_network

# Sweeps over the states; more change nothing that could be measured on held-back documents.
SWEEPS = 40
# Links of the layer for every topic below it.
LINKS = 3
WEIGHT_PENALTY = 1.0
# Posterior states begin at sum-product's probabilities, topic by topic; so many sweeps make them
# those of topics that know of each other.
SWEEPS_TO_JOIN = 2


class PosteriorStates(NamedTuple):
    """States of the topics of some documents, drawn from the posterior.

    Attributes
    ----------
    chains : Chains
    topic : int array, shape (chains.ptr[-1],)
        Which topic each state is of.
    """

    chains: Chains
    topic: npt.NDArray[np.int32]

    def table(self, n_topics: int) -> sparse.csr_array:
        """Ones where a topic is on, shape (n_documents, n_topics)."""
        ptr, state = self.chains.ptr, self.chains.state
        n_on = np.concatenate([np.zeros(1, np.int64), np.cumsum(state)])
        parts = (np.ones(int(n_on[-1])), self.topic[state], n_on[ptr])
        return sparse.csr_array(parts, shape=(len(self.chains.rows), n_topics))


def posterior_states(
    network: Network,
    corpus: Corpus,
    rows: npt.NDArray[np.int64],
    activations: sparse.csr_array,
    seed: int,
) -> PosteriorStates:
    """Draw the states of all topics in the documents, beginning at their `infer_activations`."""
    chance = np.random.default_rng([seed, 3]).random(activations.nnz)
    ptr = activations.indptr.astype(np.int64)
    drawn = Chains(rows, ptr, chance < activations.data)
    joined, _ = advance(network, corpus, drawn, seed=seed, sweeps=SWEEPS_TO_JOIN)
    return PosteriorStates(joined, activations.indices)


def add_layer(
    network: Network,
    corpus: Corpus,
    rows: npt.NDArray[np.int64],
    n_topics: int,
    seed: int,
) -> Network:
    """The network with a layer of topics above its highest one.

    Parameters
    ----------
    network : Network
    corpus : Corpus
    rows : int64 array
        Documents to learn the layer from.
    n_topics : int
        Topics of the layer at most; those that act alike become one.
    seed : int

    Returns
    -------
    Network
        The same object where the topics below are on in no document.
    """
    graph = network.graph
    activations = infer_activations(network, corpus, rows, tolerance=ROUGH_TOLERANCE)
    states = posterior_states(network, corpus, rows, activations, seed).table(graph.n_topics)
    below = layer_members(graph, int(graph.heights().max()))
    below = below[np.bincount(states.indices, minlength=graph.n_topics)[below] > 0]
    if len(below) < 2:
        return network
    names = [graph.topic_ids[topic] for topic in below]
    texts = _as_corpus(sparse.csr_array(states[:, below]), names)
    return _stacked(network, _learned(texts, min(n_topics, len(below)), seed), below)


def _as_corpus(states: sparse.csr_array, names: list[str]) -> Corpus:
    """Topics as words, and their states as documents."""
    texts = pd.DataFrame({"id": np.arange(states.shape[0]).astype(str)})
    states.sort_indices()
    tokens = (states.indptr.astype(np.int64), states.indices.astype(np.int32))
    # There is no text to read: the usual recipe would load a list of stop words for nothing.
    return Corpus(*tokens, tuple(names), texts, matrix_recipe())


def _learned(states: Corpus, n_topics: int, seed: int) -> Network:
    """A layer over the topics that are the words of ``states``, with its best links."""
    graph = complete_graph(states.n_tokens, (n_topics,), None)
    rows = np.arange(states.n_documents, dtype=np.int64)
    network = starting_network(graph, states, rows, seed)
    plan = SamplingPlan(
        epochs=SWEEPS,
        weight_penalty=WEIGHT_PENALTY,
        most_edges=LINKS * states.n_tokens,
        merge=True,
        leave_one_out=True,
        seed=seed,
    )
    return sample_until(network, states, start_sampler(network, states, rows, plan), plan, SWEEPS)[
        0
    ]


def _stacked(network: Network, layer: Network, below: npt.NDArray[np.int64]) -> Network:
    """The network with a layer above its topics ``below``, which are the layer's words."""
    graph, above = network.graph, layer.graph
    n_new, height = above.n_topics, int(graph.heights().max()) + 1
    # A person may have given a topic such a name.
    numbered = (f"L{height}.{number}" for number in count(1))
    names = list(islice((name for name in numbered if name not in graph.topic_ids), n_new))
    lower = above.edge_children() - n_new
    stacked, order = build_graph(
        graph.n_tokens,
        [*names, *graph.topic_ids],
        np.concatenate([above.parent_idx, graph.parent_idx + n_new]),
        np.concatenate([below[lower] + n_new, graph.edge_children() + n_new]),
    )
    leak = dict(zip(graph.topic_ids, network.leak.tolist(), strict=False))
    leak.update(zip(names, layer.leak.tolist(), strict=False))
    leak.update(
        zip((graph.topic_ids[topic] for topic in below), layer.leak[n_new:].tolist(), strict=True)
    )
    of_topics = np.array([leak[name] for name in stacked.topic_ids])
    weight = np.concatenate([layer.weight, network.weight])
    weight = np.maximum(weight, SMALLEST_WEIGHT)
    return build_network(
        stacked, weight[order], np.concatenate([of_topics, network.leak[graph.n_topics :]])
    )
