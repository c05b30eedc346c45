"""Proposal method of overlapping dense regions, and further senses of words.

Dense regions: topics grow from the densest words, and a word may belong to several. The paper
(Ji et al. 2019, §6) names a greedy hierarchical clustering that generalises DBSCAN (Ester et al.
1996) without details; this is our version. As in DBSCAN, a region grows from a dense node to
everything that is density-reachable from it, and border nodes attach to regions. Unlike DBSCAN,
the threshold is each node's own density; a node joins by its *average* similarity to the core, so
that regions do not chain into one; and a border node belongs to as many regions as are needed to
cover its neighbours, which gives a word several senses.

Further senses: links ranked by similarity give a word many topics near its main sense and none in
another. Part of the edge budget is therefore spent on unexplained documents, which contain the word
but none of its topics: the word is linked to the topics that are most over-represented there.
"""

from __future__ import annotations

import numpy as np
from scipy import sparse

from ..utils.types import FloatArray, Int64Array
from .co_occurrence import product_blocks, similarity_graph
from .layers import DOCUMENTS_AT_ONCE, Affiliation, Links, topic_presence

# Share of a layer's budget, beyond the edges that keep it connected, for further senses.
SENSE_SHARE = 0.2
# Rounds of the search for senses; each searches the documents that the previous left unexplained.
ROUNDS = 2
# Maximal number of pairs of a document and a node in memory: about 200 MB.
PAIRS_AT_ONCE = 8_000_000
# Excess over the expected count, in standard deviations, from which a topic counts as a sense.
MIN_SURPRISE = 3.0


def find_senses(presence: sparse.csr_array, links: Links, n_topics: int, budget: int) -> Links:
    """Find at most ``budget`` further links, the most over-represented senses of words first.

    ``presence`` has shape (n_documents, n_nodes); ``links`` are the first links of every node. The
    result has fewer links if fewer are significant.
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
    """Union of two sets of links; a further link is no stronger than its node's weakest."""
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
    """Excess of each topic's count over its expectation in the unexplained documents of each node.

    In standard deviations of a Poisson count, shape (n_nodes, n_topics), from `MIN_SURPRISE` on.
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
    kept = surprise >= MIN_SURPRISE
    return sparse.csr_array((surprise[kept], (pairs.row[kept], pairs.col[kept])), shape=shape)


def _unexplained(
    presence: sparse.csr_array, present_topics: sparse.csr_array, linked: sparse.csr_array
) -> sparse.csr_array:
    """Occurrences of nodes in documents in which none of their topics is present."""
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


def _best_of_each_node(surprise: sparse.csr_array, limit: int) -> Links:
    """Most over-represented topic of each node, for the ``limit`` nodes with the largest excess."""
    nodes = np.flatnonzero(np.diff(surprise.indptr))
    best = np.array(
        [
            surprise.indptr[node]
            + np.argmax(surprise.data[surprise.indptr[node] : surprise.indptr[node + 1]])
            for node in nodes
        ],
        dtype=np.int64,
    )
    order = np.argsort(-surprise.data[best], kind="stable")[:limit]
    chosen = best[order]
    return Links(nodes[order], surprise.indices[chosen].astype(np.int64), surprise.data[chosen])


# Size of a core relative to the mean size of a region; the other nodes are its border.
CORE_PART = 0.3
# Maximal size of a region relative to the mean size.
MAX_REGION = 2.5
# A node is reachable if its average similarity to the core is at least this share of the densities.
REACH = 0.5
# Number of neighbours over which density is measured.
DENSITY_NEIGHBOURS = 10
# Pseudo-members without similarity, so that a pair of words does not outrank a region of twenty.
PRIOR_MEMBERS = 2.0
# Rounds of assigning nodes to regions; after a few, only a handful of nodes change back and forth.
REGION_ROUNDS = 8


def find_regions(
    presence: sparse.csr_array, n_topics: int, n_parents: int, seed: int
) -> Affiliation:
    """Regions of nodes that occur together, and the strength of each node's links to them.

    Parameters
    ----------
    presence : csr_array, shape (n_documents, n_nodes)
    n_topics : int
        Number of regions, at most ``n_nodes``.
    n_parents : int
        Maximal number of regions of a node.
    seed : int
        Breaks ties between equally dense nodes.
    """
    similarity = similarity_graph(presence)
    core = _grow_cores(similarity, n_topics, seed)
    home = _find_homes(similarity, core, n_topics)
    return Affiliation(home, _places(similarity, home, n_topics, n_parents))


def _grow_cores(similarity: sparse.csr_array, n_topics: int, seed: int) -> Int64Array:
    """Core of every node, or -1; shape (n_nodes,)."""
    n_nodes = similarity.shape[0]
    core_size = max(2, int(CORE_PART * n_nodes / n_topics))
    # Mean similarity of every node to its nearest neighbours; missing neighbours count as 0.
    n_near = min(DENSITY_NEIGHBOURS, core_size)
    rows = np.split(similarity.data, similarity.indptr[1:-1])
    density = np.array([np.sort(row)[::-1][:n_near].sum() / n_near for row in rows])
    jitter = 1e-9 * np.random.default_rng(seed).random(n_nodes)
    core = np.full(n_nodes, -1, np.int64)
    covered = np.zeros(n_nodes)
    for topic in range(n_topics):
        appeal = density * (1.0 - covered) + jitter
        first = int(np.argmax(np.where(core < 0, appeal, -1.0)))
        spare = int((core < 0).sum()) - (n_topics - topic - 1)
        pull = _grow_one(similarity, density, core, (first, topic), min(core_size, spare))
        covered = np.maximum(covered, np.minimum(1.0, pull / np.maximum(density, 1e-12)))
    return core


def _grow_one(
    similarity: sparse.csr_array,
    density: FloatArray,
    core: Int64Array,
    start: tuple[int, int],
    largest: int,
) -> FloatArray:
    """Grow a core in place; return the average similarity of every node to its members."""
    joining, topic = start
    threshold = REACH * np.maximum(density, density[joining])
    total = np.zeros(len(density))
    size = 0
    while True:
        row = slice(similarity.indptr[joining], similarity.indptr[joining + 1])
        total[similarity.indices[row]] += similarity.data[row]
        core[joining] = topic
        size += 1
        pull = total / size
        if size >= largest:
            return pull
        reachable = (core < 0) & (pull >= threshold) & (pull > 0)
        if not reachable.any():
            return pull
        joining = int(np.argmax(np.where(reachable, pull, -1.0)))


def _find_homes(similarity: sparse.csr_array, core: Int64Array, n_topics: int) -> Int64Array:
    """Home region of every node: its core, or the most similar region that is not full."""
    n_nodes = len(core)
    room = int(np.ceil(MAX_REGION * n_nodes / n_topics))
    home = core
    for _ in range(REGION_ROUNDS):
        before = home
        affinity = sparse.coo_array(_affinity(similarity, home, n_topics))
        home = _fill_regions(affinity, core, room)
        if np.array_equal(home, before):
            break
    # Nodes that are similar to no region are assigned to the smallest one.
    home = home.copy()
    load = np.bincount(home[home >= 0], minlength=n_topics)
    for node in np.flatnonzero(home < 0):
        home[node] = np.argmin(load)
        load[home[node]] += 1
    return home


def _affinity(similarity: sparse.csr_array, home: Int64Array, n_topics: int) -> sparse.csr_array:
    """Average similarity of nodes to the other nodes of a region, shrunk for small regions."""
    assigned = np.flatnonzero(home >= 0)
    shape = (len(home), n_topics)
    member = sparse.csr_array((np.ones(len(assigned)), (assigned, home[assigned])), shape=shape)
    total = sparse.coo_array(similarity @ member)
    others = np.bincount(home[assigned], minlength=n_topics)[total.col]
    others = others - (home[total.row] == total.col)
    return sparse.csr_array(
        (total.data / (others + PRIOR_MEMBERS), (total.row, total.col)), shape=shape
    )


def _fill_regions(affinity: sparse.coo_array, core: Int64Array, room: int) -> Int64Array:
    """Assign the nodes outside the cores to regions, the most similar pairs first."""
    home = core.copy()
    free = (room - np.bincount(core[core >= 0], minlength=affinity.shape[1])).tolist()
    waiting = core[affinity.row] < 0
    row, topic = affinity.row[waiting], affinity.col[waiting]
    order = np.lexsort((topic, row, -affinity.data[waiting]))
    for node, region in zip(row[order].tolist(), topic[order].tolist(), strict=True):
        if home[node] < 0 and free[region] > 0:
            home[node] = region
            free[region] -= 1
    return home


def _places(
    similarity: sparse.csr_array, home: Int64Array, n_topics: int, n_parents: int
) -> sparse.csr_array:
    """Strength of every node's links to regions: how much of its neighbourhood a region covers.

    Every neighbour has one home, so the neighbours of a node are divided among the regions, and a
    second sense with few words is visible beside a first with many. The sum of similarities is
    divided by the square root of the region's size: the mean would favour the smallest regions, the
    sum the largest.
    """
    size = np.bincount(home, minlength=n_topics).astype(np.float64)
    columns: list[Int64Array] = []
    values: list[FloatArray] = []
    for node in range(len(home)):
        row = slice(similarity.indptr[node], similarity.indptr[node + 1])
        others = size - (np.arange(n_topics) == home[node])
        gain = np.bincount(
            home[similarity.indices[row]], weights=similarity.data[row], minlength=n_topics
        ) / np.sqrt(others + PRIOR_MEMBERS)
        best = np.argsort(-gain, kind="stable")[:n_parents]
        columns.append(best[gain[best] > 0])
        values.append(gain[columns[-1]])
    pointer = np.concatenate([[0], np.cumsum([len(part) for part in columns])])
    return sparse.csr_array(
        (np.concatenate(values), np.concatenate(columns), pointer), shape=(len(home), n_topics)
    )
