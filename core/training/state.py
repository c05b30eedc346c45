"""State between two training steps, report of a step, and initial weights and leaks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..data.corpus import Corpus
from ..model.graph import Graph
from ..model.network import Network, StartValues, build_network
from ..utils.types import FloatArray, Int64Array
from .monte_carlo_em import Move, Sampler
from .optimizers import Moments
from .visits import Visits


@dataclass(frozen=True, eq=False)
class Remembered:
    """Activations that an evaluation of some documents ended with; the next one starts there.

    They belong to one graph and one selection of documents, see `orrery.core.kernels.batch.Memory`.
    """

    graph: Graph
    pointer: Int64Array | None  # None after reading from a file, until the next evaluation
    activation: npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class LearningState:
    """State of structure learning."""

    # Network with the best validation bound so far; during fine-tuning on all documents, the latest
    # network.
    best: Network
    bound: float  # validation bound of the best network (mean over the validation set), in nats
    has_all_layers: bool = False  # whether a further layer was tried and not accepted
    # Documents to subtract from the count of every edge into a word in the final step (absolute
    # discounting).
    discount: float = 0.0
    remembered: Remembered | None = None  # activations of the validation set in the latest network


@dataclass(frozen=True, eq=False)
class Sound:
    """Last sound point of a training, see `orrery.core.training.divergence`."""

    network: Network  # latest network that explained its documents no worse than the start did
    average: FloatArray | None  # shape (n_edges + n_nodes,): average of the parameters at that step
    # Divergence threshold: nats of the documents relative to their nats under independent words.
    most: float


@dataclass(frozen=True, eq=False)
class TrainingState:
    """Everything that the next step needs; a training resumed from it continues bit for bit."""

    network: Network  # current network; after the last step of the schedule, the result
    moments: Moments
    step: int = 0  # number of steps done
    # Shape (n_edges + n_nodes,): mean of log-weights and log-leaks over the averaged steps so far.
    average: FloatArray | None = None
    sampler: Sampler | None = None  # chains and counts of an unfinished Gibbs start
    search: LearningState | None = None  # state of structure learning, if the structure is learned
    # Point to return to if training diverges; None before the first step.
    sound: Sound | None = None
    rate_share: float = 1.0  # factor on the learning rates; 1 unless training has diverged
    # Activations of the documents of the chart. Training itself does not use them: the recorder
    # adds them to a state that is written to disk.
    chart: Remembered | None = None
    # Last visits of the documents of a stage of structure learning; None before the first.
    visits: Visits | None = None


@dataclass(frozen=True, eq=False)
class StepInfo:
    """Report of a step, for progress displays and logs."""

    step: int  # number of steps done
    epoch: float  # passes over the documents so far
    documents: int  # documents of this step
    # Mean bound of the step's documents before the update, in nats per document, by importance
    # sampling in a step that uses it; in a Gibbs start, the bound of some documents after the step.
    # NaN if the step gave no finite number and was undone.
    bound: float
    usage: FloatArray  # shape (n_topics,): mean activation of every topic over the step's documents
    moves: tuple[Move, ...] = ()  # changes of the graph by a Gibbs start or structure learning
    # Whether training had diverged, so that the next step begins at the last sound network.
    is_step_back: bool = False


def fresh_state(network: Network, step: int = 0) -> TrainingState:
    """Initial state of variational training at the weights of ``network``."""
    size = network.graph.n_edges + network.graph.n_nodes
    return TrainingState(network, Moments(np.zeros(size), np.zeros(size)), step)


class Start(NamedTuple):
    """Size of the initial weights and leaks."""

    topic_leak: float
    weight: float  # mean of the edges
    leak_share: float  # share of the occurrences of a word with parents that its leak explains


# Topics start rare and weak; training finds the rest.
RARE = Start(0.02, 0.05, 0.5)
# For topics that are on in a large part of the documents: from the start above, the leaks of their
# words rise faster than their weights, until the topics explain nothing (MATH §9.2).
BROAD = Start(0.1, 0.3, 0.1)
# A topic above very many words would activate more words than a document has, be off everywhere
# from the first sweep on, and learn nothing. Its initial weights into words therefore add up to at
# most this share of the words of a mean document, or to this number of words if that is more.
START_TOPIC_SHARE, START_TOPIC_WORDS = 0.25, 3.0


def starting_network(
    graph: Graph,
    corpus: Corpus,
    rows: Int64Array,
    seed: int,
    given: StartValues | None = None,
    start: Start = RARE,
) -> Network:
    """Initial weights and leaks: the given ones, the others at random.

    Equal weights would keep topics with equal children identical, so weights are drawn from a Gamma
    distribution (MATH §9.2). A topic above many words gets weights in proportion to the frequency
    of the words, small enough for the words of a document.
    """
    rng = np.random.default_rng([seed, 0])
    frequency = document_frequency(corpus, rows)
    weight = start.weight * rng.gamma(2.0, 0.5, graph.n_edges)
    weight = _within_a_document(graph, weight, frequency)
    has_parents = np.diff(graph.parent_ptr)[graph.n_topics :] > 0
    word_leak = -np.log1p(-frequency) * np.where(has_parents, start.leak_share, 1.0)
    leak = np.concatenate([np.full(graph.n_topics, start.topic_leak), word_leak])
    if given is not None:
        weight = np.where(np.isnan(given.weight), weight, given.weight)
        leak = np.where(np.isnan(given.leak), leak, given.leak)
    return build_network(graph, weight, leak)


def _within_a_document(graph: Graph, weight: FloatArray, frequency: FloatArray) -> FloatArray:
    """Rescale the weights of each topic whose total into words exceeds a share of a document.

    The rescaled weights are in proportion to the frequency of the words and add up to
    `START_TOPIC_SHARE` of a mean document, or to `START_TOPIC_WORDS` if that is more.
    """
    child = graph.edge_children()
    is_into_word = child >= graph.n_topics
    of_word = np.where(is_into_word, weight, 0.0)
    total = np.bincount(graph.parent_idx, of_word, graph.n_topics)
    limit = START_TOPIC_SHARE * float(frequency.sum())
    of_word[is_into_word] *= frequency[child[is_into_word] - graph.n_topics]
    target = np.minimum(total, max(limit, START_TOPIC_WORDS))
    scale = target / np.maximum(np.bincount(graph.parent_idx, of_word, graph.n_topics), 1e-300)
    is_too_much = is_into_word & (total > limit)[graph.parent_idx]
    return np.where(is_too_much, of_word * scale[graph.parent_idx], weight)


def document_frequency(corpus: Corpus, rows: Int64Array) -> FloatArray:
    """Document frequency of each token as a share, with half a document added to either count."""
    counts = np.asarray(corpus.to_csr()[rows].sum(axis=0)).ravel()
    return np.asarray((counts + 0.5) / (len(rows) + 1.0), np.float64)


def independent_nats(corpus: Corpus, rows: Int64Array) -> FloatArray:
    """Nats of every document if words were independent, shape (n_documents,).

    The frequencies of the words are those in the documents ``rows`` (int64 array).
    """
    frequency = document_frequency(corpus, rows)
    log_odds = np.log(frequency) - np.log1p(-frequency)
    return np.asarray(-(corpus.to_csr() @ log_odds + np.log1p(-frequency).sum()))
