"""Learn a layer of topics above the current highest layer.

The topics of the highest layer act as words, and their states in the documents, sampled from the
posterior, act as texts. A layer over these is learned like any other: from a complete graph, by a
few sweeps of Monte Carlo EM that also prune the graph to its best edges.
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
from ..model.network import Network, network_of_edges
from ..structure.layers import complete_graph
from ..structure.pruning import layer_members
from .gibbs import Chains, advance
from .monte_carlo_em import SamplingPlan, sample_until, start_sampler
from .optimizers import MIN_WEIGHT
from .state import starting_network

# Sweeps over the states; more sweeps do not change the validation bound measurably.
SWEEPS = 40
# Edges of the layer per topic below it.
LINKS = 3
# Rate of the exponential prior on the layer's weights, as in `TrainingOptions.weight_penalty`.
WEIGHT_PENALTY = 1.0
# Sampled states start at the marginals of belief propagation, independently for each topic; this
# number of Gibbs sweeps makes them samples of the joint posterior.
SWEEPS_TO_JOIN = 2


class PosteriorStates(NamedTuple):
    """Topic states of some documents, sampled from the posterior."""

    chains: Chains
    topic: npt.NDArray[np.int32]  # shape (chains.ptr[-1],): topic of each state

    def table(self, n_topics: int) -> sparse.csr_array:
        """Indicator matrix of active topics, shape (n_documents, n_topics)."""
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
    """Sample the states of all topics in the documents, starting at their `infer_activations`."""
    uniform = np.random.default_rng([seed, 3]).random(activations.nnz)
    ptr = activations.indptr.astype(np.int64)
    drawn = Chains(rows, ptr, uniform < activations.data)
    joined, _ = advance(network, corpus, drawn, seed=seed, sweeps=SWEEPS_TO_JOIN)
    return PosteriorStates(joined, activations.indices)


def add_layer(
    network: Network, corpus: Corpus, rows: npt.NDArray[np.int64], n_topics: int, seed: int
) -> Network:
    """Network with a layer of at most ``n_topics`` topics above its highest one.

    The layer is learned from the documents ``rows``, and redundant topics are merged. The result is
    the same object if fewer than two topics of the highest layer are active in any document.
    """
    graph = network.graph
    activations = infer_activations(network, corpus, rows, tolerance=ROUGH_TOLERANCE)
    states = posterior_states(network, corpus, rows, activations, seed).table(graph.n_topics)
    below = layer_members(graph, int(graph.heights().max()))
    below = below[np.bincount(states.indices, minlength=graph.n_topics)[below] > 0]
    if len(below) < 2:
        return network
    names = [graph.topic_ids[topic] for topic in below]
    states = sparse.csr_array(states[:, below])
    states.sort_indices()
    texts = pd.DataFrame({"id": np.arange(states.shape[0]).astype(str)})
    tokens = (states.indptr.astype(np.int64), states.indices.astype(np.int32))
    # There is no text to read; the default recipe would load a list of stop words for nothing.
    corpus_of_states = Corpus(*tokens, tuple(names), texts, matrix_recipe())
    layer = _learn_layer(corpus_of_states, min(n_topics, len(below)), seed)
    return _stack(network, layer, below)


def _learn_layer(states: Corpus, n_topics: int, seed: int) -> Network:
    """Layer over the tokens of ``states``, which are topics, pruned to its best edges."""
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
    sampler = start_sampler(network, states, rows, plan)
    return sample_until(network, states, sampler, plan, SWEEPS)[0]


def _stack(network: Network, layer: Network, below: npt.NDArray[np.int64]) -> Network:
    """Put a layer above the topics ``below`` of the network, which are the tokens of the layer."""
    graph, above = network.graph, layer.graph
    n_new, height = above.n_topics, int(graph.heights().max()) + 1
    # A user may have given a topic such a name.
    numbered = (f"L{height}.{number}" for number in count(1))
    names = list(islice((name for name in numbered if name not in graph.topic_ids), n_new))
    lower = above.edge_children() - n_new
    leak = network.leak.copy()
    leak[below] = layer.leak[n_new:]
    return network_of_edges(
        [*names, *graph.topic_ids],
        np.concatenate([above.parent_idx, graph.parent_idx + n_new]),
        np.concatenate([below[lower] + n_new, graph.edge_children() + n_new]),
        np.maximum(np.concatenate([layer.weight, network.weight]), MIN_WEIGHT),
        np.concatenate([layer.leak[:n_new], leak]),
    )
