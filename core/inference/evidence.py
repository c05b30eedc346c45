"""Evidence about one document, and the local model that it needs."""

from __future__ import annotations

import hashlib
import reprlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from numbers import Integral

import numpy as np
import numpy.typing as npt

from ..data.query import SIGNS
from ..kernels.bounds import LocalWeights
from ..kernels.local_model import (
    FREE,
    HELD_OFF,
    HELD_ON,
    LocalGraph,
)
from ..model.graph import Graph
from ..model.network import Network, check_network
from ..utils.errors import InputError
from ..utils.types import FloatArray, Int32Array, Int64Array

# States of tokens and of topics, and the name of their numbers in messages.
_TOKEN_STATES, _TOKEN_NAMES = tuple(SIGNS), "numbers in the vocabulary"
_TOPIC_STATES, _TOPIC_NAMES = ("on", "off"), "numbers in the graph"


@dataclass(frozen=True)
class Evidence:
    """Evidence about one document.

    Integers of any type, in any sequence, are converted to tuples of int.

    Attributes
    ----------
    present, absent : tuple of int
        Tokens that are in the document, and tokens that are not.
    closed_world : bool
        Whether every other token is absent (a document) or unknown (a query). The two cases give
        different answers, so there is no default.
    on, off : tuple of int
        Topics fixed by the user.
    unknown : tuple of int
        Tokens that are unknown in a closed world too.

    Raises
    ------
    InputError
        If a node is no integer, or ``closed_world`` no bool.
    """

    present: tuple[int, ...]
    absent: tuple[int, ...] = ()
    closed_world: bool = field(kw_only=True)
    on: tuple[int, ...] = ()
    off: tuple[int, ...] = ()
    unknown: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        """Convert all fields to their types."""
        for states, names in ((_TOKEN_STATES, _TOKEN_NAMES), (_TOPIC_STATES, _TOPIC_NAMES)):
            for state in states:
                object.__setattr__(self, state, _as_numbers(state, getattr(self, state), names))
        if not isinstance(self.closed_world, bool | np.bool_):
            raise InputError(
                f"closed_world is {reprlib.repr(self.closed_world)}; expected True or False"
            )
        object.__setattr__(self, "closed_world", bool(self.closed_world))

    @property
    def tokens(self) -> tuple[int, ...]:
        """All tokens that are given, in any state."""
        return tuple(token for state in _TOKEN_STATES for token in getattr(self, state))

    def key(self) -> np.uint64:
        """Hash of 64 bits that does not depend on the order of nodes or on redundant tokens."""
        absent, unknown = ((), self.unknown) if self.closed_world else (self.absent, ())
        named = (self.present, absent, self.on, self.off, unknown)
        text = repr((self.closed_world, *(sorted(nodes) for nodes in named)))
        digest = hashlib.blake2b(text.encode(), digest_size=8).digest()
        return np.uint64(int.from_bytes(digest, "little"))


def _as_numbers(state: str, nodes: Iterable[int], names: str) -> tuple[int, ...]:
    if isinstance(nodes, str) or not isinstance(nodes, Iterable):
        raise InputError(f"{state} is {reprlib.repr(nodes)}; expected a sequence of {names}")
    found = tuple(nodes)
    kinds = set(map(type, found))
    wrong = {kind for kind in kinds if kind is bool or not issubclass(kind, Integral)}
    if wrong:
        node = next(node for node in found if type(node) in wrong)
        raise InputError(
            f"{state} has {reprlib.repr(node)} in it, which is no whole number; give {names}"
        )
    return tuple(map(int, found))


@dataclass(frozen=True, eq=False)
class LocalModel:
    """Part of the network that the evidence needs (Ji et al. 2019, §5.1)."""

    # Shape (n_topics,): numbers of the ancestors of all observed nodes, parents first; in a closed
    # world also of unknown tokens, because the evidence does not imply that they are off.
    topics: Int32Array
    # Shape (n_tokens,): numbers of the present tokens in the vocabulary, ascending.
    tokens: Int32Array
    # Shape (n_edges,): nodes of every edge as positions in ``topics`` followed by ``tokens``.
    edge_parent: Int32Array
    edge_child: Int32Array
    edge: Int64Array  # shape (n_edges,): numbers of the edges in the network


def check_evidence(network: Network, evidence: Evidence) -> None:
    """Raise `InputError` for evidence about a node that does not exist or is named twice.

    Other objects in the place of the network or of the evidence are refused too.
    """
    check_network(network)
    if not isinstance(evidence, Evidence):
        raise InputError(
            f"the evidence is a {type(evidence).__name__}; give Evidence(present, "
            "closed_world=False), with the tokens of present, unknown = run.parse(text)"
        )
    graph = network.graph
    for kind, states, limit in (
        ("token", _TOKEN_STATES, graph.n_tokens),
        ("topic", _TOPIC_STATES, graph.n_topics),
    ):
        named: dict[int, str] = {}
        for state in states:
            for node in getattr(evidence, state):
                if not 0 <= node < limit:
                    raise InputError(f"there is no {kind} {node}; the model has {limit} of them")
                if node in named:
                    if named[node] == state:
                        raise InputError(f"{kind} {node} is named as {state} twice; name it once")
                    raise InputError(
                        f"{kind} {node} is named as {named[node]} and as {state}; leave it out of "
                        "one"
                    )
                named[node] = state


def local_problem(network: Network, evidence: Evidence) -> tuple[LocalGraph, LocalWeights]:
    """Local graph of the evidence, and its weights (MATH §2, §6)."""
    graph = network.graph
    present, absent, unknown = (
        np.array(sorted(tokens), np.int32) + np.int32(graph.n_topics)
        for tokens in (evidence.present, evidence.absent, evidence.unknown)
    )
    held = np.array(sorted(evidence.on + evidence.off), np.int32)
    # In a closed world, topics above absent words only are off (MATH §2). Topics above an unknown
    # word need not be, and influence the other parents of their parents' children.
    below = np.concatenate([present, unknown if evidence.closed_world else absent, held])
    topics = ancestors(graph, below)
    local = local_graph(graph, topics, present)
    if evidence.closed_world:
        # Unknown tokens sum out: their weights and leaks leave the totals (MATH §6).
        child_total = network.child_weight_totals()[topics] - weight_to(network, topics, unknown)
        total_leak = network.total_leak - float(network.leak[unknown].sum())
    else:
        # Only observed and local nodes count, because unknown leaves sum out to one (MATH §6).
        summed = np.bincount(local.parent, network.weight[local.edge], local.n_topics)
        to_absent = weight_to(network, local.node[: local.n_topics], absent)
        child_total = (summed + to_absent).astype(np.float64)
        total_leak = float(network.leak[local.node].sum() + network.leak[absent].sum())
    weights = LocalWeights(
        network.weight[local.edge], network.leak[local.node], child_total, total_leak
    )
    return local, weights


def ancestors(graph: Graph, nodes: Int32Array) -> Int32Array:
    """Numbers of the topics among the nodes and of all their ancestors, ascending."""
    is_found = np.zeros(graph.n_nodes, bool)
    is_found[nodes] = True
    while len(nodes):
        parents = np.unique(graph.parent_idx[edges_into(graph, nodes)])
        nodes = parents[~is_found[parents]]
        is_found[nodes] = True
    return np.flatnonzero(is_found[: graph.n_topics]).astype(np.int32)


def local_graph(graph: Graph, topics: Int32Array, tokens: Int32Array) -> LocalGraph:
    """Local graph over these topics (ascending, closed under parents) and these token nodes.

    The same graph as `kernels.local_model.build_local_graph` builds.
    """
    node = np.concatenate([topics, tokens])
    edge = edges_into(graph, node)
    n_parents = graph.parent_ptr[node + 1] - graph.parent_ptr[node]
    parent = np.searchsorted(topics, graph.parent_idx[edge]).astype(np.int32)
    by_parent = np.argsort(parent, kind="stable").astype(np.int32)
    child = np.repeat(np.arange(len(node), dtype=np.int32), n_parents)
    return LocalGraph(
        node=node,
        n_topics=len(topics),
        parent_ptr=np.concatenate([[0], np.cumsum(n_parents)]),
        parent=parent,
        edge=edge,
        child_ptr=np.searchsorted(parent[by_parent], np.arange(len(topics) + 1)),
        child=child[by_parent],
        child_edge=by_parent,
    )


def edges_into(graph: Graph, nodes: Int32Array) -> Int64Array:
    """Numbers of all edges into some nodes, node by node."""
    first = graph.parent_ptr[nodes]
    count = graph.parent_ptr[nodes + 1] - first
    shift = np.repeat(first - np.cumsum(count) + count, count)
    return np.asarray(np.arange(len(shift)) + shift)


def weight_to(network: Network, topics: Int32Array, nodes: Int32Array) -> FloatArray:
    """Sum of the weights from each of the topics to the given nodes, shape (len(topics),)."""
    graph = network.graph
    total = np.zeros(graph.n_topics)
    for node in nodes:
        incoming = slice(graph.parent_ptr[node], graph.parent_ptr[node + 1])
        total[graph.parent_idx[incoming]] += network.weight[incoming]
    return np.asarray(total[topics])


def held_states(local: LocalGraph, evidence: Evidence) -> npt.NDArray[np.int8]:
    """State of each local topic (fixed or free), as in `kernels.local_model.Factors`."""
    topics = local.node[: local.n_topics]
    state = np.full(local.n_topics, FREE, np.int8)
    state[np.isin(topics, np.array(evidence.on, np.int32))] = HELD_ON
    state[np.isin(topics, np.array(evidence.off, np.int32))] = HELD_OFF
    return state


def local_model(network: Network, local: LocalGraph) -> LocalModel:
    """Local graph with the node and edge numbers of the network."""
    n_nodes = len(local.node)
    return LocalModel(
        topics=local.node[: local.n_topics],
        tokens=local.node[local.n_topics :] - np.int32(network.graph.n_topics),
        edge_parent=local.parent,
        edge_child=np.repeat(np.arange(n_nodes, dtype=np.int32), np.diff(local.parent_ptr)),
        edge=local.edge,
    )
