"""Reference posterior of a query by methods that share no code with the evaluated ones.

The local model is built from the edges of the network. If feasible, all its states are summed;
otherwise long Gibbs chains from dispersed starts run until they agree.
"""

from __future__ import annotations

import itertools
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Literal

import numpy as np

from orrery.core.inference.evidence import Evidence
from orrery.core.model.graph import Graph
from orrery.core.model.network import Network
from orrery.core.utils.types import FloatArray, Int32Array
from tests.benchmarks.chains import Chain, Limits, make_chain, run_chains
from tests.benchmarks.elimination import make_table, marginals, noisy_or


@dataclass(frozen=True, eq=False)
class LocalModel:
    """Local model of some evidence: topics, the present tokens below them, and absences.

    Attributes
    ----------
    topics : int array, shape (n_topics,)
        Numbers in the network, ascending, and so parents first.
    weight : float64 array, shape (n_nodes, n_topics)
        Weight from every topic to every local node, topics before tokens; 0 without an edge.
    leak : float64 array, shape (n_nodes,)
    silence : float64 array, shape (n_topics,)
        Total weight from every topic to nodes outside that are off.
    state : float64 array, shape (n_topics,)
        1 or 0 for clamped topics, NaN for free ones.
    """

    topics: Int32Array
    weight: FloatArray
    leak: FloatArray
    silence: FloatArray
    state: FloatArray


@dataclass(frozen=True, eq=False)
class Truth:
    """The posterior of a query, as far as it is known.

    Attributes
    ----------
    topics : int array, shape (n_topics,)
    probability, error : float64 arrays, shape (n_topics,)
        With the standard error of the chains, 0 by enumeration.
    is_free : bool array, shape (n_topics,)
    how : {"sums", "chains"}
    is_known : bool
        False where the chains did not agree in time.
    """

    topics: Int32Array
    probability: FloatArray
    error: FloatArray
    is_free: np.ndarray
    how: Literal["sums", "chains"]
    is_known: bool


def local_model(network: Network, evidence: Evidence) -> LocalModel:
    """Ancestors of all observed nodes; a closed world has all others off (Ji et al. 2019, §5.1).

    They include the ancestors of unknown tokens, which are not known to be off.
    """
    graph = network.graph
    present = graph.n_topics + np.array(sorted(evidence.present), np.int64)
    absent = graph.n_topics + np.array(sorted(evidence.absent), np.int64)
    unknown = graph.n_topics + np.array(sorted(evidence.unknown), np.int64)
    held = np.array(evidence.on + evidence.off, np.int64)
    topics = _ancestors(
        graph, np.concatenate([present, held, unknown if evidence.closed_world else absent])
    )
    nodes = np.concatenate([topics, present])
    place = np.full(graph.n_nodes, -1)
    place[nodes] = np.arange(len(nodes))
    parent, child = place[graph.parent_idx], place[graph.edge_children()]
    inside = (parent >= 0) & (child >= 0)
    weight = np.zeros((len(nodes), len(topics)))
    weight[child[inside], parent[inside]] = network.weight[inside]
    is_off = np.zeros(graph.n_nodes, bool)
    is_off[:] = evidence.closed_world
    is_off[unknown] = False
    is_off[absent] = True
    silent = (parent >= 0) & (child < 0) & is_off[graph.edge_children()]
    state = np.full(len(topics), np.nan)
    state[np.isin(topics, evidence.on)] = 1.0
    state[np.isin(topics, evidence.off)] = 0.0
    silence = np.bincount(parent[silent], network.weight[silent], len(topics))
    return LocalModel(topics, weight, network.leak[nodes], silence, state)


def _ancestors(graph: Graph, nodes: Int32Array) -> Int32Array:
    """Topics among the nodes and above them, ascending."""
    is_found = np.zeros(graph.n_nodes, bool)
    is_found[nodes] = True
    # Parents have smaller numbers than their children, so that one way down the numbers is enough.
    for topic_or_token in range(graph.n_nodes - 1, -1, -1):
        if is_found[topic_or_token]:
            is_found[graph.parents(topic_or_token)] = True
    return np.flatnonzero(is_found[: graph.n_topics])


def summed(local: LocalModel) -> FloatArray | None:
    """Probability of every topic by summing all states; None if the treewidth is too large.

    The elimination order of the causes of a node determines the cost: two are tried.
    """
    order = _by_cause_sets(local)
    found = _summed(local, order[::-1])
    return _summed(local, order) if found is None else found


def _summed(local: LocalModel, order: list[int]) -> FloatArray | None:
    n_topics, n_nodes = len(local.topics), len(local.leak)
    known = dict.fromkeys(range(n_topics, n_nodes), 1)
    known |= {k: int(local.state[k]) for k in np.flatnonzero(~np.isnan(local.state)).tolist()}
    new = itertools.count(n_nodes)
    tables = []
    for node in range(n_nodes):
        causes = tuple(k for k in order if local.weight[node, k])
        scope = (*itertools.islice(new, len(causes)), node)
        weight = local.weight[node, list(causes)]
        tables += noisy_or(scope, causes, weight, local.leak[node], known)
    for k in range(n_topics):
        tables.append(make_table((k,), np.exp([0.0, -local.silence[k]]), known))
    found = marginals(tables)
    if found is None:
        return None
    return np.array([{**known, **found}[k] for k in range(n_topics)], np.float64)


def _by_cause_sets(local: LocalModel) -> list[int]:
    """Topics in the order of a tree: relatives as neighbours, so that few meet in one table."""

    def ancestry(k: int) -> tuple[int, ...]:
        parents = np.flatnonzero(local.weight[k])
        return (*(ancestry(parents[0]) if len(parents) else ()), k)

    return sorted(range(len(local.topics)), key=ancestry)


def truth_of(network: Network, evidence: Evidence, limits: Limits = Limits()) -> Truth:  # noqa: B008
    """Posterior by enumeration where that can be, else by chains."""
    local = local_model(network, evidence)
    is_free = np.isnan(local.state)
    probability, how, is_known = summed(local), "sums", True
    error = np.zeros(len(local.topics))
    if probability is None:
        how = "chains"
        probability, error, is_known = run_chains(chain_of(local), limits, int(evidence.key()))
    return Truth(local.topics, probability, error, is_free, how, is_known)


def chain_of(local: LocalModel) -> Chain:
    """The local model as the sampler wants it."""
    return make_chain(local.weight, local.leak, local.silence, local.state)


def truths_of(network: Network, evidences: list[Evidence], limits: Limits) -> list[Truth]:
    """`truth_of` each, on two threads: neither chains nor numpy hold them up."""
    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(lambda evidence: truth_of(network, evidence, limits), evidences))
