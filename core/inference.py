"""Evidence → Posterior: which topics are on, given what is known of a document.

The public names use words; the kernels below use the paper's letters (see `core.kernels`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import sparse

from core.corpus import Corpus
from core.errors import InputError
from core.graph import IntArray
from core.kernel_inputs import (
    N_BLOCKS,
    Accuracy,
    Bound,
    check_bound,
    documents_of,
    kernel_model,
    kernel_tables,
    search_settings,
    terms_of,
)
from core.kernels.activations import fill_activations
from core.kernels.batch import expectation_step
from core.kernels.bounds import LocalWeights
from core.kernels.document import exact_ends, fit_jensen
from core.kernels.local_model import LocalGraph, build_local_graph, collect_ancestors
from core.kernels.tables import build_tables
from core.network import FloatArray, Network


@dataclass(frozen=True)
class Evidence:
    """What is known of one document.

    Attributes
    ----------
    present, absent : tuple of int
        Tokens seen, and tokens known not to be there.
    closed_world : bool
        Whether every token that is not named is absent (a document) or unknown (a question).
    on, off : tuple of int
        Topics held on or off by hand.
    unknown : tuple of int
        Tokens of which nothing is known, in a closed world too.
    """

    present: tuple[int, ...]
    absent: tuple[int, ...] = ()
    closed_world: bool = True
    on: tuple[int, ...] = ()
    off: tuple[int, ...] = ()
    unknown: tuple[int, ...] = ()


@dataclass(frozen=True)
class LocalModel:
    """The part of the network that some evidence needs (Ji et al. 2019, §5.1).

    Attributes
    ----------
    topics : int32 array, shape (n_topics,)
        Numbers of the ancestors of all that is observed, parents first.
    tokens : int32 array, shape (n_tokens,)
        Numbers of the present tokens in the vocabulary.
    edge_parent, edge_child : int32 arrays, shape (n_edges,)
        Ends of every edge as positions in ``topics`` followed by ``tokens``.
    edge : int64 array, shape (n_edges,)
        Numbers of the edges in the network.
    """

    topics: IntArray
    tokens: IntArray
    edge_parent: IntArray
    edge_child: IntArray
    edge: npt.NDArray[np.int64]


@dataclass(frozen=True)
class Posterior:
    """Which topics of the local model are on.

    Attributes
    ----------
    evidence : Evidence
    local : LocalModel
    probability : float64 array, shape (n_topics,)
        Probability of every topic in ``local.topics``; every other topic is off, or unknown
        and without influence in an open world.
    bound : float
        Lower bound on the log-probability of the evidence, in nats.
    """

    evidence: Evidence
    local: LocalModel
    probability: FloatArray
    bound: float


def infer(
    network: Network,
    evidence: Evidence,
    *,
    bound: Bound = "exact",
    accuracy: Accuracy = "standard",
) -> Posterior:
    """Posterior of one document on its local model.

    Serial kernels only, so it may be called from any thread.

    Parameters
    ----------
    network : Network
    evidence : Evidence
    bound : {"exact", "jensen"}
        The exact mean-field bound (MATH §4) or the paper's (eq. 9).
    accuracy : {"fast", "standard", "fine"}
        Of the exact bound: within about 1e-5, 1e-6 or 3e-9 nats for every node that is on.

    Raises
    ------
    InputError
        If the evidence names a node that does not exist, or contradicts itself.
    """
    check_bound(bound)
    terms = terms_of(accuracy)
    check_evidence(network, evidence)
    local, weights = local_problem(network, evidence)
    free, held = _held_topics(local, evidence)
    search = search_settings()
    if bound == "exact":
        tables = build_tables(weights.w, weights.w0, terms)
        bounds, ends, _ = exact_ends(local, weights, tables, free, held, search)
        value, activation = bounds.max(), ends[np.argmax(bounds)]
    else:
        value, activation, _ = fit_jensen(local, weights, free, held, search)
    return Posterior(
        evidence=evidence,
        local=_local_model(network, local),
        probability=activation[: local.n_topics],
        bound=float(value),
    )


def infer_bounds(
    network: Network,
    corpus: Corpus,
    rows: npt.NDArray[np.int64] | None = None,
    *,
    bound: Bound = "exact",
) -> FloatArray:
    """Bound of every document in closed world, in nats, shape (n_rows,).

    Uses all threads; the exact bound is in single precision, within about 1e-5 nats a document of
    what `infer` says.
    """
    check_bound(bound)
    documents = documents_of(network.graph, corpus, rows)
    bounds, _ = expectation_step(
        documents,
        kernel_model(network),
        kernel_tables(network, bound, dtype=np.float32, documents=documents),
        False,
        search_settings(),
        N_BLOCKS,
    )
    return np.asarray(bounds)


def infer_activations(
    network: Network,
    corpus: Corpus,
    rows: npt.NDArray[np.int64] | None = None,
    *,
    bound: Bound = "exact",
    closed_world: bool = True,
) -> sparse.csr_array:
    """Posterior probability of every topic in every document, as `infer` finds it for one.

    Uses all threads, and memory in proportion to the local models.

    Parameters
    ----------
    network : Network
    corpus : Corpus
    rows : int64 array, optional
        The documents, in the order of the result; all of them if not given.
    bound : {"exact", "jensen"}
    closed_world : bool
        Whether the tokens that are not in a document are absent or unknown.

    Returns
    -------
    float64 csr_array, shape (n_rows, n_topics)
        A number above 0 for every topic of the document's local model, ascending; every other
        topic is off, or unknown and without influence in an open world.

    Raises
    ------
    InputError
        If there is no such bound, or the corpus or a row does not fit.
    """
    check_bound(bound)
    documents = documents_of(network.graph, corpus, rows)
    pointer, topic, probability = fill_activations(
        documents,
        kernel_model(network),
        kernel_tables(network, bound, documents=documents),
        closed_world,
        search_settings(),
    )
    shape = (len(documents.rows), network.graph.n_topics)
    return sparse.csr_array((probability, topic, pointer), shape=shape)


def check_evidence(network: Network, evidence: Evidence) -> None:
    """Refuse evidence with a node that does not exist or has two states (InputError)."""
    graph = network.graph
    for nodes, limit, kind in (
        (evidence.present + evidence.absent + evidence.unknown, graph.n_tokens, "token"),
        (evidence.on + evidence.off, graph.n_topics, "topic"),
    ):
        for node in nodes:
            if not 0 <= node < limit:
                raise InputError(f"there is no {kind} {node}; the model has {limit} of them")
        if len(set(nodes)) < len(nodes):
            raise InputError(f"a {kind} is named twice; name it once, as on or as off")


def local_problem(network: Network, evidence: Evidence) -> tuple[LocalGraph, LocalWeights]:
    """Local graph of the evidence and the weights that belong to it (MATH §2 and §6)."""
    graph = network.graph
    place = np.full(graph.n_topics, -1, np.int32)
    present = np.array(evidence.present, np.int32) + np.int32(graph.n_topics)
    absent = np.array(evidence.absent, np.int32) + np.int32(graph.n_topics)
    held = np.array(evidence.on + evidence.off, np.int32)
    observed = [present, held] if evidence.closed_world else [present, absent, held]
    topics = collect_ancestors(np.concatenate(observed), graph.parent_ptr, graph.parent_idx, place)
    local = build_local_graph(topics, present, graph.parent_ptr, graph.parent_idx, place)
    if evidence.closed_world:
        # What is unknown sums out: its weights and its leak leave the totals (MATH §6).
        unknown = np.array(evidence.unknown, np.int32) + np.int32(graph.n_topics)
        child_total = network.child_weight_totals()[topics] - weight_to(network, topics, unknown)
        total_leak = float(network.leak.sum() - network.leak[unknown].sum())
    else:
        child_total, total_leak = _open_world_totals(network, local, absent)
    weights = LocalWeights(
        network.weight[local.edge], network.leak[local.node], child_total, total_leak
    )
    return local, weights


def _open_world_totals(
    network: Network, local: LocalGraph, absent: IntArray
) -> tuple[FloatArray, float]:
    """Totals over observed and local nodes only: unknown leaves sum out to one (MATH §6)."""
    summed = np.bincount(local.parent, network.weight[local.edge], local.n_topics)
    total = summed + weight_to(network, local.node[: local.n_topics], absent)
    leak = float(network.leak[local.node].sum() + network.leak[absent].sum())
    return total.astype(np.float64), leak


def weight_to(network: Network, topics: IntArray, nodes: IntArray) -> FloatArray:
    """Sum of the weights from each of these topics to some nodes, shape (len(topics),)."""
    graph = network.graph
    total = np.zeros(graph.n_topics)
    for node in nodes:
        incoming = slice(graph.parent_ptr[node], graph.parent_ptr[node + 1])
        total[graph.parent_idx[incoming]] += network.weight[incoming]
    return np.asarray(total[topics])


def _held_topics(local: LocalGraph, evidence: Evidence) -> tuple[npt.NDArray[np.bool_], FloatArray]:
    topics = local.node[: local.n_topics]
    free = ~np.isin(topics, np.array(evidence.on + evidence.off, np.int32))
    held = np.isin(topics, np.array(evidence.on, np.int32)).astype(np.float64)
    return free, held


def _local_model(network: Network, local: LocalGraph) -> LocalModel:
    n_nodes = len(local.node)
    return LocalModel(
        topics=local.node[: local.n_topics],
        tokens=local.node[local.n_topics :] - np.int32(network.graph.n_topics),
        edge_parent=local.parent,
        edge_child=np.repeat(np.arange(n_nodes, dtype=np.int32), np.diff(local.parent_ptr)),
        edge=local.edge,
    )
