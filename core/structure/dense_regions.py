"""Dense regions: topics grown from the densest words, in which a word may have several places.

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

from orrery.core.arrays import FloatArray, Int64Array
from orrery.core.structure.co_occurrence import similarity_graph
from orrery.core.structure.layers import Affiliation

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
ROUNDS = 8


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
    for _ in range(ROUNDS):
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
