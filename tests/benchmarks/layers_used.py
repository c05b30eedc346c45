"""Layers that a model uses: some models have layers without effect."""

from __future__ import annotations

import numpy as np

from orrery.core.model.network import Network, weight_to_probability
from orrery.core.model.topic_model import Run
from orrery.core.storage.activations import load_activations
from orrery.core.structure.pruning import MIN_USED_SHARE, ON, share_on, strong_children
from orrery.core.utils.types import BoolArray, FloatArray

__all__ = ["ON", "layers_used", "upper_topics"]
# A parent that switches a topic on more rarely than this does not matter to it.
MIN_PARENTHOOD = 0.1


def upper_topics(trained: Run) -> BoolArray:
    """Whether each topic above others earns its place, by the activations stored with the model.

    Returns
    -------
    bool array, shape (n_upper_topics,)
        True for those on in `MIN_USED_SHARE` of the documents that switch two children on by strong
        links.
    """
    found = load_activations(trained.folder / "model")
    assert found is not None
    graph = trained.network.graph
    is_upper = graph.heights()[: graph.n_topics] > 1
    is_used = share_on(found.probability) >= MIN_USED_SHARE
    return (is_used & (strong_children(trained.network) >= 2))[is_upper]


def layers_used(network: Network, share: FloatArray) -> int:
    """Topics on the longest way down to a word, over topics and edges that are in use.

    Parameters
    ----------
    network : Network
    share : float64 array, shape (n_topics,)
        Share of the documents in which a topic is on; it is in use from `MIN_USED_SHARE`.

    Notes
    -----
    An edge is in use if it switches its child on with a probability of `MIN_PARENTHOOD`, as for
    the names of topics. Edges into words always are: words are rare, and their weights small.
    """
    graph = network.graph
    child = graph.edge_children()
    acts = weight_to_probability(network.weight) >= MIN_PARENTHOOD
    is_strong = (child >= graph.n_topics) | acts
    height = np.zeros(graph.n_nodes, np.int64)
    for topic in range(graph.n_topics - 1, -1, -1):
        if share[topic] < MIN_USED_SHARE:
            continue
        edges = graph.child_edge[graph.child_ptr[topic] : graph.child_ptr[topic + 1]]
        below = child[edges[is_strong[edges]]]
        below = below[(below >= graph.n_topics) | (height[below] > 0)]
        height[topic] = 1 + height[below].max() if len(below) else 0
    return int(height.max(initial=0))
