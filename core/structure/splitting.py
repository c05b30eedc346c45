"""Split: one topic becomes two, its words divided by the documents that they share."""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import sparse

from ..data.corpus import spread
from ..model.graph import Graph, build_graph
from ..model.network import Network, build_network, weight_to_probability
from ..utils.errors import InputError
from ..utils.parsing import read_whole_number
from ..utils.types import FloatArray
from .layers import PROPOSED_ID

# A child goes to a half that has at least this part of its documents; so one that is about as
# frequent in both, such as a word of two senses, stays with both.
LEAST_PART = 0.4
# Of the chance that the topic is on, what the rarer half keeps at least.
LEAST_SHARE = 0.05
# A document with fewer words of the topic says nothing about which of them go together; words of
# the topic are those that it brings with at least this part of the chance of its strongest.
LEAST_TOGETHER = 2
LEAST_REACH = 0.1
# More documents than this tell no more.
MOST_DOCUMENTS = 20_000
RESTARTS = 10


class Halves(NamedTuple):
    """How a topic is divided.

    Attributes
    ----------
    share : float64 array, shape (2,)
        Part of the topic's documents that each half has, the larger first; they add up to 1.
    member : bool array, shape (2, n_children)
        Which children of the topic, in the order of ``graph.children(topic)``, a half has.
    """

    share: FloatArray
    member: npt.NDArray[np.bool_]


def split_topic(network: Network, presence: sparse.csr_array, topic: int, seed: int = 0) -> Network:
    """Put two topics into the place of one.

    Each has the parents of the topic and a part of its children, with the weights that they had;
    a child may be in both. Leak and weights from the parents are divided by the halves'
    documents: weights of a noisy-OR add up, so that at least one half is on exactly as often
    as the topic was. Nothing else changes.

    Parameters
    ----------
    network : Network
    presence : csr_array, shape (n_documents, n_tokens)
        Which words are in which of the training documents.
    topic : int
    seed : int
        Of the 2-means.

    Raises
    ------
    InputError
        If no documents tell the children of the topic apart.
    """
    graph = network.graph
    halves = divide_children(network, presence, topic, seed)
    number = _renumbered(graph, topic)
    is_above, is_below = graph.edge_children() == topic, graph.parent_idx == topic
    is_other = ~(is_above | is_below)
    parents = [number[graph.parent_idx[is_other]]]
    children = [number[graph.edge_children()[is_other]]]
    weights = [network.weight[is_other]]
    below = graph.edge_children()[is_below]
    place = np.searchsorted(graph.children(topic), below)
    for half in range(2):
        node = graph.n_topics - 1 + half
        above = number[graph.parent_idx[is_above]]
        kept = halves.member[half][place]
        parents += [above, np.full(kept.sum(), node)]
        children += [np.full(len(above), node), number[below[kept]]]
        weights += [network.weight[is_above] * halves.share[half], network.weight[is_below][kept]]
    names = [name for name in graph.topic_ids if name != graph.topic_ids[topic]]
    names += free_names(graph, topic)
    split, order = build_graph(
        graph.n_tokens, names, np.concatenate(parents), np.concatenate(children)
    )
    leak = network.leak[topic] * halves.share
    of_topics = np.concatenate([np.delete(network.leak[: graph.n_topics], topic), leak])
    place_of = {name: place for place, name in enumerate(names)}
    leaks = of_topics[[place_of[name] for name in split.topic_ids]]
    return build_network(
        split,
        np.concatenate(weights)[order],
        np.concatenate([leaks, network.leak[graph.n_topics :]]),
    )


def divide_children(
    network: Network, presence: sparse.csr_array, topic: int, seed: int = 0
) -> Halves:
    """Divide the children of a topic by 2-means over the documents that use it.

    Documents are the rows, scaled to length 1, and children the columns; a child that is a topic
    is as present as its words are.

    Raises
    ------
    InputError
        If no documents tell the children apart.
    """
    from sklearn.cluster import KMeans
    from threadpoolctl import threadpool_limits

    used = _presence_of_children(network, presence, topic)
    unit = used.toarray()
    unit /= np.maximum(np.linalg.norm(unit, axis=1, keepdims=True), 1e-300)
    if not (unit != unit[0]).any():
        raise InputError(_whole(network, topic))
    # Sparse rows would take less, but round otherwise: documents half way would change sides.
    # Its threads add up in the order in which they are done; one gives the same sums everywhere.
    with threadpool_limits(1):
        half = KMeans(2, n_init=RESTARTS, random_state=seed, copy_x=False).fit_predict(unit)
    if half.mean() > 0.5:
        half = 1 - half
    rate = np.stack([used[half == side].sum(axis=0) / (half == side).sum() for side in range(2)])
    part = np.divide(rate, rate.sum(axis=0), out=np.full(rate.shape, 0.5), where=rate.sum(0) > 0)
    member = part >= LEAST_PART
    if member.all(axis=1).any():
        raise InputError(_whole(network, topic))
    rarer = min(max(float(half.mean()), LEAST_SHARE), 0.5)
    return Halves(np.array([1.0 - rarer, rarer]), member)


def _whole(network: Network, topic: int) -> str:
    name = network.graph.topic_ids[topic]
    return f"the words of topic {name!r} go together in all documents; choose another topic"


def free_names(graph: Graph, topic: int) -> list[str]:
    """Two ids that no topic has: the next numbers of its layer, or a person's name numbered.

    Smaller numbers that are free may have been those of topics that are gone.
    """
    name = graph.topic_ids[topic]
    stem = name.rpartition(".")[0] + "." if re.fullmatch(PROPOSED_ID, name) else f"{name} "
    rests = (other.removeprefix(stem) for other in graph.topic_ids if other.startswith(stem))
    last = max((read_whole_number(rest) or 0 for rest in rests), default=0)
    return [f"{stem}{last + 1}", f"{stem}{last + 2}"]


def _renumbered(graph: Graph, topic: int) -> npt.NDArray[np.int64]:
    """Number of every node once the topic is taken out and two stand behind the others."""
    number = np.arange(graph.n_nodes)
    number[topic + 1 : graph.n_topics] -= 1
    number[graph.n_topics :] += 1
    number[topic] = -1
    return number


def _presence_of_children(
    network: Network, presence: sparse.csr_array, topic: int
) -> sparse.csr_array:
    """How present each child is, from 0 to 1, in the documents that use the topic; (n, n_children).

    Raises
    ------
    InputError
        If the topic has less than two children.
    """
    children = network.graph.children(topic).tolist()
    if len(children) < LEAST_TOGETHER:
        name = network.graph.topic_ids[topic]
        raise InputError(f"topic {name!r} has one child, and cannot be two; choose another topic")
    acts = weight_to_probability(network.weight)
    # A child reaches few of the words: all of them for every child would fill the memory.
    columns = [sparse.csc_array(_reach_from(network.graph, acts, child)) for child in children]
    reach = sparse.csc_array(sparse.hstack(columns))
    strongest = reach.max(axis=1).toarray().ravel()
    is_word = strongest >= LEAST_REACH * strongest.max()
    rows = np.flatnonzero(presence @ is_word.astype(np.int64) >= LEAST_TOGETHER)
    if len(rows) == 0:
        name = network.graph.topic_ids[topic]
        raise InputError(f"no document has two words of topic {name!r}; choose another topic")
    child = np.repeat(np.arange(len(children)), np.diff(reach.indptr))
    total = np.bincount(child, weights=reach.data, minlength=len(children))
    reach.data /= np.maximum(total, 1e-300)[child]
    return sparse.csr_array(presence[spread(rows, MOST_DOCUMENTS)] @ reach)


def _reach_from(graph: Graph, acts: FloatArray, node: int) -> FloatArray:
    """Probability that each token is switched on by a node, as if its ways were independent.

    Shape (n_tokens, 1); ``acts`` are the probabilities of the edges' weights.
    """
    off = np.ones(graph.n_nodes)
    off[node] = 0.0
    for topic in range(node, graph.n_topics):
        if off[topic] < 1.0:
            edges = slice(graph.child_ptr[topic], graph.child_ptr[topic + 1])
            off[graph.child_idx[edges]] *= 1.0 - (1.0 - off[topic]) * acts[graph.child_edge[edges]]
    return 1.0 - off[graph.n_topics :, np.newaxis]
