"""Further senses of words: topics that account for the documents in which the first ones do not.

Links ranked by similarity give a word many places in the neighbourhood of its main sense and none
in another. So part of the budget goes to what is left unexplained: the documents that hold the
word and none of its topics, and the topics that are in those documents more than anywhere else.
"""

from __future__ import annotations

import numpy as np
from scipy import sparse

from orrery.core.arrays import FloatArray
from orrery.core.structure.co_occurrence import product_blocks
from orrery.core.structure.layers import DOCUMENTS_AT_ONCE, Links, topic_presence

# Part of a layer's budget, beyond what keeps it connected, that is kept for further senses.
SENSE_SHARE = 0.2
# New senses are looked for so many times, each time in what the last time left unexplained.
ROUNDS = 2
# Pairs of a document and a node of one of its topics held together: about 200 MB of scratch.
PAIRS_AT_ONCE = 8_000_000
# Standard deviations above expectation from which a topic is a sense and not a chance.
LEAST_SURPRISE = 3.0


def find_senses(presence: sparse.csr_array, links: Links, n_topics: int, budget: int) -> Links:
    """At most ``budget`` further links, the most surprising senses of words first.

    Parameters
    ----------
    presence : csr_array, shape (n_documents, n_nodes)
    links : Links
        The first links of every node.
    n_topics : int
    budget : int
        Most links to find; fewer if fewer are beyond chance.
    """
    present_topics = topic_presence(presence, links, n_topics)
    frequency = np.bincount(present_topics.indices, minlength=n_topics) / max(presence.shape[0], 1)
    senses = Links(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0))
    for number in range(ROUNDS):
        part = (budget - len(senses.node)) // (ROUNDS - number)
        known = join_links(links, senses)
        surprise = _surprise(presence, present_topics, known, frequency)
        senses = join_links(senses, _best_of_each_node(surprise, part))
    return senses


def join_links(links: Links, further: Links) -> Links:
    """All links, each once; a further one counts no more than the weakest of its node."""
    node = np.concatenate([links.node, further.node])
    topic = np.concatenate([links.topic, further.topic])
    n_nodes = int(node.max(initial=0)) + 1
    weakest = np.full(n_nodes, np.inf)
    np.minimum.at(weakest, links.node, links.strength)
    strength = np.minimum(further.strength, weakest[further.node])
    strengths = np.concatenate([links.strength, strength])
    first = np.sort(np.unique(topic * n_nodes + node, return_index=True)[1])
    return Links(node[first], topic[first], strengths[first])


def _surprise(
    presence: sparse.csr_array,
    present_topics: sparse.csr_array,
    links: Links,
    frequency: FloatArray,
) -> sparse.csr_array:
    """How far each topic exceeds its share in the unexplained documents of each node.

    In standard deviations of a Poisson count, shape (n_nodes, n_topics); only above the least.
    """
    shape = (presence.shape[1], len(frequency))
    linked = sparse.csr_array((np.ones(len(links.node)), (links.node, links.topic)), shape=shape)
    together = sparse.csr_array(shape)
    unexplained = np.zeros(presence.shape[1])
    for begin in range(0, presence.shape[0], DOCUMENTS_AT_ONCE):
        block = slice(begin, begin + DOCUMENTS_AT_ONCE)
        rest = _unexplained(presence[block], present_topics[block], linked)
        together = together + rest.T @ present_topics[block]
        unexplained += np.bincount(rest.indices, minlength=presence.shape[1])
    pairs = sparse.coo_array(together)
    expected = unexplained[pairs.row] * frequency[pairs.col]
    surprise = (pairs.data - expected) / np.sqrt(expected + 1.0)
    kept = surprise >= LEAST_SURPRISE
    return sparse.csr_array((surprise[kept], (pairs.row[kept], pairs.col[kept])), shape=shape)


def _unexplained(
    presence: sparse.csr_array, present_topics: sparse.csr_array, linked: sparse.csr_array
) -> sparse.csr_array:
    """Occurrences of nodes in documents where none of their topics is present."""
    nodes_of = sparse.csr_array(linked.T)
    parts = [
        presence[rows].multiply(present_topics[rows] @ nodes_of)
        for rows in product_blocks(present_topics, nodes_of, PAIRS_AT_ONCE)
    ]
    explained = sparse.csr_array(sparse.vstack(parts, format="csr"))
    explained.data = np.ones(len(explained.data))
    rest = sparse.csr_array(presence - explained)
    rest.eliminate_zeros()
    return rest


def _best_of_each_node(surprise: sparse.csr_array, most: int) -> Links:
    """The most surprising topic of each node, for the nodes where it surprises most."""
    nodes = np.flatnonzero(np.diff(surprise.indptr))
    best = np.array(
        [
            surprise.indptr[node]
            + np.argmax(surprise.data[surprise.indptr[node] : surprise.indptr[node + 1]])
            for node in nodes
        ],
        dtype=np.int64,
    )
    order = np.argsort(-surprise.data[best], kind="stable")[:most]
    chosen = best[order]
    return Links(nodes[order], surprise.indices[chosen].astype(np.int64), surprise.data[chosen])
