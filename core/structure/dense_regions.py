"""Further senses of words: topics that account for the documents in which the first ones do not.

Links ranked by similarity give a word many places in the neighbourhood of its main sense and none
in another. So part of the budget goes to what is left unexplained: the documents that hold the
word and none of its topics, and the topics that are in those documents more than anywhere else.

Dense regions: topics grown from the densest words, in which a word may have several places.

The paper (Ji et al. 2019, §6) names a greedy hierarchical clustering that generalises DBSCAN
(Ester et al. 1996) and gives no more; this is how we work it out. As in DBSCAN a region grows from
a dense node to what is density-reachable from it, and border nodes attach to the regions. Other
than there, the threshold is each node's own density, a node joins by its *average* similarity to
the core so that regions do not chain into one, and a border node belongs to as many regions as it
takes to account for its neighbours, which is how a word gets its senses.
"""

from __future__ import annotations

import numpy as np
from scipy import sparse

from ..utils.types import FloatArray, Int64Array
from .co_occurrence import product_blocks, similarity_graph
from .layers import DOCUMENTS_AT_ONCE, Affiliation, Links, topic_presence

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


# A core takes this part of the nodes that a region has on average; the rest is border.
CORE_PART = 0.3
# No region is the home of more than this many times the average number of nodes.
LARGEST_REGION = 2.5
# A node is reachable when its average similarity to the core is this part of the densities.
REACH = 0.5
# Neighbours that density is measured over.
DENSITY_NEIGHBOURS = 10
# Pseudo-members without similarity, so that a pair of words does not beat a region of twenty.
PRIOR_MEMBERS = 2.0
# Homes settle within a few rounds; later ones move a handful of nodes to and fro.
REGION_ROUNDS = 8


def find_regions(
    presence: sparse.csr_array, n_topics: int, n_parents: int, seed: int
) -> Affiliation:
    """Regions of nodes that occur together, and each node's places among them.

    Parameters
    ----------
    presence : csr_array, shape (n_documents, n_nodes)
    n_topics : int
        Number of regions, at most ``n_nodes``.
    n_parents : int
        Most places of a node.
    seed : int
        Breaks ties between equally dense nodes.
    """
    similarity = similarity_graph(presence)
    core = _grow_cores(similarity, n_topics, seed)
    home = _find_homes(similarity, core, n_topics)
    return Affiliation(home, _places(similarity, home, n_topics, n_parents))


def _density(similarity: sparse.csr_array, n_neighbours: int) -> FloatArray:
    """Mean similarity of every node to its nearest neighbours; missing ones count as 0."""
    rows = np.split(similarity.data, similarity.indptr[1:-1])
    return np.array([np.sort(row)[::-1][:n_neighbours].sum() / n_neighbours for row in rows])


def _grow_cores(similarity: sparse.csr_array, n_topics: int, seed: int) -> Int64Array:
    """Core that every node belongs to, or -1; shape (n_nodes,)."""
    n_nodes = similarity.shape[0]
    core_size = max(2, int(CORE_PART * n_nodes / n_topics))
    density = _density(similarity, min(DENSITY_NEIGHBOURS, core_size))
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
    """Grow a core in place; return every node's average similarity to its members."""
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
    """Home of every node: its core, else the region with room that it is most similar to."""
    n_nodes = len(core)
    room = int(np.ceil(LARGEST_REGION * n_nodes / n_topics))
    home = core
    for _ in range(REGION_ROUNDS):
        before = home
        affinity = sparse.coo_array(_affinity(similarity, home, n_topics))
        home = _fill_regions(affinity, core, room)
        if np.array_equal(home, before):
            break
    return _shelter(home, n_topics)


def _affinity(similarity: sparse.csr_array, home: Int64Array, n_topics: int) -> sparse.csr_array:
    """Average similarity of nodes to the other nodes of a region, shrunk for small regions."""
    settled = np.flatnonzero(home >= 0)
    shape = (len(home), n_topics)
    member = sparse.csr_array((np.ones(len(settled)), (settled, home[settled])), shape=shape)
    total = sparse.coo_array(similarity @ member)
    others = np.bincount(home[settled], minlength=n_topics)[total.col]
    others = others - (home[total.row] == total.col)
    return sparse.csr_array(
        (total.data / (others + PRIOR_MEMBERS), (total.row, total.col)), shape=shape
    )


def _fill_regions(affinity: sparse.coo_array, core: Int64Array, room: int) -> Int64Array:
    """Give the nodes outside the cores a home, the most similar pairs first."""
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


def _shelter(home: Int64Array, n_topics: int) -> Int64Array:
    """Nodes that are similar to nothing go where the fewest are."""
    home = home.copy()
    load = np.bincount(home[home >= 0], minlength=n_topics)
    for node in np.flatnonzero(home < 0):
        home[node] = np.argmin(load)
        load[home[node]] += 1
    return home


def _places(
    similarity: sparse.csr_array, home: Int64Array, n_topics: int, n_parents: int
) -> sparse.csr_array:
    """Strength of every node's places: what each region adds to accounting for its neighbours.

    Every neighbour has one home, so the regions share a node's neighbours out among themselves,
    and a second sense with few words is seen beside a first with many. The sum of similarities is
    divided by the square root of the region's size: a mean would favour the smallest regions, the
    bare sum the largest.
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
