"""Training from step to step: all that the next one needs, and what it tells people.

Weights and leaks that training starts from: random and weak, words mostly by chance.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..data.corpus import Corpus
from ..model.graph import Graph
from ..model.network import Network, StartValues, build_network
from ..utils.types import FloatArray, Int64Array
from .monte_carlo_em import Move, Sampler
from .optimizers import Moments


@dataclass(frozen=True, eq=False)
class Search:
    """What learning the structure has found so far.

    Attributes
    ----------
    best : Network
        Of all that were tried, the one that documents held back from training like best; the last
        one since they train as well.
    bound : float
        Mean bound of these documents under the one that they liked best, in nats.
    has_all_layers : bool
        Whether a further layer was tried and did not earn its place.
    discount : float
        Documents to take off what an edge into a word explains, in the end.
    """

    best: Network
    bound: float
    has_all_layers: bool = False
    discount: float = 0.0


@dataclass(frozen=True, eq=False)
class Sound:
    """Where training was sound, see `orrery.core.training.divergence`.

    Attributes
    ----------
    network : Network
        The last one that explained its documents no worse than the start did.
    average : float64 array, shape (n_edges + n_nodes,), or None
        The average at that step.
    most : float
        Nats that documents may take before training has diverged, for every nat that they take
        when each word is on its own.
    """

    network: Network
    average: FloatArray | None
    most: float


@dataclass(frozen=True, eq=False)
class TrainingState:
    """All that the next step needs: saved and loaded, it continues bit for bit.

    Attributes
    ----------
    network : Network
        After the last step of the schedule, the result.
    moments : Moments
    step : int
        Steps done so far.
    average : float64 array, shape (n_edges + n_nodes,), or None
        Mean of the logarithms of weights and leaks over the averaged steps done so far.
    sampler : Sampler or None
        Chains and counts of a Gibbs start that is not over.
    search : Search or None
        Where the structure is learned, see `orrery.core.training.structure_learning`.
    sound : Sound or None
        Where to go back to should training diverge; None before the first step.
    rate_share : float
        Of the learning rates asked for, what is left after training diverged; else 1.
    """

    network: Network
    moments: Moments
    step: int = 0
    average: FloatArray | None = None
    sampler: Sampler | None = None
    search: Search | None = None
    sound: Sound | None = None
    rate_share: float = 1.0


@dataclass(frozen=True, eq=False)
class StepInfo:
    """What a step did, for people.

    Attributes
    ----------
    step : int
        Steps done so far.
    epoch : float
        Passes over the documents done so far.
    documents : int
        Documents of this step.
    bound : float
        Mean bound of the step's documents before the update, in nats per document; that by
        weighted draws in a step that follows them; of some documents after the step in a
        Gibbs start. NaN where no number came out, and the step was taken back.
    usage : float64 array, shape (n_topics,)
        Mean activation of every topic over the step's documents.
    moves : tuple of Move
        What a Gibbs start, or learning the structure, grew, merged and pruned.
    is_step_back : bool
        Whether training had diverged, so that the next step begins where it was sound.
    """

    step: int
    epoch: float
    documents: int
    bound: float
    usage: FloatArray
    moves: tuple[Move, ...] = ()
    is_step_back: bool = False


def fresh_state(network: Network, step: int = 0) -> TrainingState:
    """State from which variational training goes on from these weights."""
    size = network.graph.n_edges + network.graph.n_nodes
    return TrainingState(network, Moments(np.zeros(size), np.zeros(size)), step)


# Topics start rare and weak, words mostly by chance; training finds the rest.
START_TOPIC_LEAK = 0.02
START_WEIGHT = 0.05
START_CHANCE_SHARE = 0.5
# A topic above very many words would switch on more than a document has, be off everywhere from
# the first sweep on, and learn nothing: it starts with this share of a document's words, or with so
# many where that is more.
START_TOPIC_SHARE, START_TOPIC_WORDS = 0.25, 3.0


def starting_network(
    graph: Graph,
    corpus: Corpus,
    rows: Int64Array,
    seed: int,
    given: StartValues | None = None,
) -> Network:
    """Weights and leaks to start from: those that are given, the others at random.

    Equal weights would keep topics with equal children alike for ever, so they are drawn from a
    Gamma distribution (MATH §9.2); those of a topic above many words are in proportion to the
    words' frequency too, and small enough for a document to hold them.
    """
    rng = np.random.default_rng([seed, 0])
    frequency = document_frequency(corpus, rows)
    weight = START_WEIGHT * rng.gamma(2.0, 0.5, graph.n_edges)
    weight = _within_a_document(graph, weight, frequency)
    has_parents = np.diff(graph.parent_ptr)[graph.n_topics :] > 0
    by_chance = -np.log1p(-frequency) * np.where(has_parents, START_CHANCE_SHARE, 1.0)
    leak = np.concatenate([np.full(graph.n_topics, START_TOPIC_LEAK), by_chance])
    if given is not None:
        weight = np.where(np.isnan(given.weight), weight, given.weight)
        leak = np.where(np.isnan(given.leak), leak, given.leak)
    return build_network(graph, weight, leak)


def _within_a_document(graph: Graph, weight: FloatArray, frequency: FloatArray) -> FloatArray:
    """Weights of which no topic has more in all, into words, than a document could hold.

    Those of a topic that had more than its share are in proportion to the frequency of the words,
    and add up to the share, or to a few words where that is more.
    """
    child = graph.edge_children()
    is_into_word = child >= graph.n_topics
    of_word = np.where(is_into_word, weight, 0.0)
    total = np.bincount(graph.parent_idx, of_word, graph.n_topics)
    most = START_TOPIC_SHARE * float(frequency.sum())
    of_word[is_into_word] *= frequency[child[is_into_word] - graph.n_topics]
    target = np.minimum(total, max(most, START_TOPIC_WORDS))
    scale = target / np.maximum(np.bincount(graph.parent_idx, of_word, graph.n_topics), 1e-300)
    is_too_much = is_into_word & (total > most)[graph.parent_idx]
    return np.where(is_too_much, of_word * scale[graph.parent_idx], weight)


def document_frequency(corpus: Corpus, rows: Int64Array) -> FloatArray:
    """Share of the documents that hold each token, with half a document added either way."""
    counts = np.asarray(corpus.to_csr()[rows].sum(axis=0)).ravel()
    return np.asarray((counts + 0.5) / (len(rows) + 1.0), np.float64)
