"""Split one topic into two, by the documents that its words share."""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import sparse

from ..data.corpus import evenly_spaced
from ..model.graph import Graph
from ..model.network import Network, network_of_edges, weight_to_probability
from ..utils.errors import InputError
from ..utils.parsing import read_whole_number
from ..utils.types import FloatArray
from .layers import PROPOSED_ID

# Minimal share of a child's documents in a half for the child to belong to it. A child that is
# about as frequent in both halves, such as a word with two senses, belongs to both.
MIN_PART = 0.4
# Minimal share of the topic's prior that the rarer half keeps.
MIN_SHARE = 0.05
# Documents with fewer words of the topic do not show which words occur together. Words of the topic
# are those that it activates with at least this share of the probability of its strongest word.
MIN_WORDS = 2
MIN_REACH = 0.1
# More documents do not change the result.
MAX_DOCUMENTS = 20_000
RESTARTS = 10


class Halves(NamedTuple):
    """Division of a topic into two halves."""

    # Shape (2,): share of the topic's documents in each half, the larger first; the sum is 1.
    share: FloatArray
    # Shape (2, n_children): whether each child of the topic, in the order of
    # ``graph.children(topic)``, is in a half.
    member: npt.NDArray[np.bool_]


def split_topic(network: Network, presence: sparse.csr_array, topic: int, seed: int = 0) -> Network:
    """Replace one topic by two.

    Both have the parents of the topic and a part of its children, with their weights; a child may
    be in both. Leak and weights from the parents are divided in proportion to the halves'
    documents: the weights of a noisy-OR add up, so at least one half is on exactly as often as the
    topic was. Nothing else changes.

    ``presence`` (csr_array, shape (n_documents, n_tokens)) are the words in the training documents;
    ``seed`` is the seed of 2-means. Raises InputError if the documents do not separate the children
    of the topic.
    """
    graph = network.graph
    halves = divide_children(network, presence, topic, seed)
    # The topic is removed, and its two halves follow the other topics.
    number = np.arange(graph.n_nodes)
    number[topic + 1 : graph.n_topics] -= 1
    number[graph.n_topics :] += 1
    number[topic] = -1
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
    leak = [
        np.delete(network.leak[: graph.n_topics], topic),
        network.leak[topic] * halves.share,
        network.leak[graph.n_topics :],
    ]
    return network_of_edges(names, *map(np.concatenate, (parents, children, weights, leak)))


def divide_children(
    network: Network, presence: sparse.csr_array, topic: int, seed: int = 0
) -> Halves:
    """Divide the children of a topic by 2-means over the documents that use it.

    Rows are documents, scaled to length 1, and columns are children; the presence of a child that
    is a topic is the presence of its words. Raises `InputError` if the documents do not separate
    the children.
    """
    from sklearn.cluster import KMeans
    from threadpoolctl import threadpool_limits

    used = _presence_of_children(network, presence, topic)
    unit = used.toarray()
    unit /= np.maximum(np.linalg.norm(unit, axis=1, keepdims=True), 1e-300)
    name = network.graph.topic_ids[topic]
    whole = f"the words of topic {name!r} go together in all documents; choose another topic"
    if not (unit != unit[0]).any():
        raise InputError(whole)
    # Sparse rows take less memory but round differently, and borderline documents change sides.
    # Threads add up in the order in which they finish; one thread gives the same sums everywhere.
    with threadpool_limits(1):
        half = KMeans(2, n_init=RESTARTS, random_state=seed, copy_x=False).fit_predict(unit)
    if half.mean() > 0.5:
        half = 1 - half
    rate = np.stack([used[half == side].sum(axis=0) / (half == side).sum() for side in range(2)])
    part = np.divide(rate, rate.sum(axis=0), out=np.full(rate.shape, 0.5), where=rate.sum(0) > 0)
    member = part >= MIN_PART
    if member.all(axis=1).any():
        raise InputError(whole)
    rarer = min(max(float(half.mean()), MIN_SHARE), 0.5)
    return Halves(np.array([1.0 - rarer, rarer]), member)


def free_names(graph: Graph, topic: int) -> list[str]:
    """Two unused ids: the next numbers of the topic's layer, or a user's name with numbers.

    Smaller free numbers are skipped, because removed topics may have had them.
    """
    name = graph.topic_ids[topic]
    stem = name.rpartition(".")[0] + "." if re.fullmatch(PROPOSED_ID, name) else f"{name} "
    rests = (other.removeprefix(stem) for other in graph.topic_ids if other.startswith(stem))
    last = max((read_whole_number(rest) or 0 for rest in rests), default=0)
    return [f"{stem}{last + 1}", f"{stem}{last + 2}"]


def _presence_of_children(
    network: Network, presence: sparse.csr_array, topic: int
) -> sparse.csr_array:
    """Presence of each child, from 0 to 1, in the documents that use the topic; (n, n_children).

    Raises `InputError` if the topic has fewer than two children, or no document has two of its
    words.
    """
    children = network.graph.children(topic).tolist()
    if len(children) < 2:
        name = network.graph.topic_ids[topic]
        raise InputError(f"topic {name!r} has one child, and cannot be two; choose another topic")
    acts = weight_to_probability(network.weight)
    # A child reaches few words; a dense matrix of all children and words would fill the memory.
    columns = [sparse.csc_array(_reach_from(network.graph, acts, child)) for child in children]
    reach = sparse.csc_array(sparse.hstack(columns))
    strongest = reach.max(axis=1).toarray().ravel()
    is_word = strongest >= MIN_REACH * strongest.max()
    rows = np.flatnonzero(presence @ is_word.astype(np.int64) >= MIN_WORDS)
    if len(rows) == 0:
        name = network.graph.topic_ids[topic]
        raise InputError(f"no document has two words of topic {name!r}; choose another topic")
    child = np.repeat(np.arange(len(children)), np.diff(reach.indptr))
    total = np.bincount(child, weights=reach.data, minlength=len(children))
    reach.data /= np.maximum(total, 1e-300)[child]
    return sparse.csr_array(presence[evenly_spaced(rows, MAX_DOCUMENTS)] @ reach)


def _reach_from(graph: Graph, acts: FloatArray, node: int) -> FloatArray:
    """Probability that a node activates each token, treating paths as independent.

    Shape (n_tokens, 1); ``acts`` are the activation probabilities of the edges.
    """
    off = np.ones(graph.n_nodes)
    off[node] = 0.0
    for topic in range(node, graph.n_topics):
        if off[topic] < 1.0:
            edges = slice(graph.child_ptr[topic], graph.child_ptr[topic + 1])
            off[graph.child_idx[edges]] *= 1.0 - (1.0 - off[topic]) * acts[graph.child_edge[edges]]
    return 1.0 - off[graph.n_topics :, np.newaxis]
