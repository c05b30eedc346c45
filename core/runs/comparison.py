"""Comparison of systems: each is trained and evaluated on the same split of a corpus."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, Self

import numpy as np
import psutil
from scipy.optimize import linear_sum_assignment

from ..baselines.registry import find_system, make_system
from ..baselines.system import Baseline, Documents, StoppingCallback, never_stop
from ..data.corpus import Corpus
from ..evaluation.completion import word_activations
from ..evaluation.evaluate import AnyModelFigures, evaluate_other, heaviest_words
from ..inference.infer import infer_activations
from ..inference.kernel_inputs import documents_of, exact_tables, kernel_model, search_settings
from ..kernels.ladder import bounds_and_likelihood
from ..training.options import TrainingOptions
from ..training.structure_learning import learn
from ..utils.errors import InputError
from ..utils.types import FloatArray, Int64Array
from .settings import RunSettings, propose, training_options

OWN = "orrery"
N_SAMPLES = 100
# Seconds between two measurements of the memory.
MEMORY_INTERVAL = 0.02


class OrrerySystem(Baseline):
    """Orrery with the interface of the other systems, trained as `orrery train` by default.

    It finds its own number of topics.
    """

    measure: ClassVar[str] = (
        "log p(presence of every word) by importance sampling, 100 samples, nats"
    )

    def fit(self, documents: Documents, *, progress: StoppingCallback = never_stop) -> Self:
        """Train; see `Baseline.fit`."""
        corpus = _corpus(documents)
        self._training(corpus.to_csr())
        options = TrainingOptions(seed=self.seed, structure="learned")
        settings = RunSettings(corpus="", training=options)
        graph = propose(settings, corpus, np.arange(corpus.n_documents))
        options = training_options(settings, graph)
        for state, info in learn(corpus, graph, options):
            self.network = state.network
            if progress(min(info.epoch / options.passes, 1.0)):
                break
        return self

    def infer(self, documents: Documents) -> FloatArray:
        """Posterior probability of each topic."""
        return infer_activations(self.network, _corpus(documents)).toarray()

    def bound_or_likelihood(self, documents: Documents) -> FloatArray:
        """Estimate the log-likelihood by importance sampling (MATH §10.2)."""
        chosen = documents_of(self.network.graph, _corpus(documents), None)
        model, tables = kernel_model(self.network), exact_tables(self.network)
        return np.asarray(
            bounds_and_likelihood(chosen, model, tables, search_settings(), self.seed, N_SAMPLES)[
                :, 2
            ]
        )

    def topics(self) -> FloatArray:
        """Probability of each word if one topic alone is on, for topics with links to words."""
        graph = self.network.graph
        table = np.zeros((graph.n_topics, graph.n_tokens))
        of_words = slice(graph.first_token_edge, None)
        words = graph.edge_children()[of_words] - graph.n_topics
        table[graph.parent_idx[of_words], words] = -np.expm1(-self.network.weight[of_words])
        return np.asarray(table[table.any(axis=1)])

    def expected_words(self, documents: Documents) -> FloatArray:
        """Log-odds of each word given all others (MATH §10.4)."""
        activations = infer_activations(self.network, _corpus(documents))
        parts = [part.T for _, part in word_activations(self.network, activations)]
        return np.concatenate(parts)


def _corpus(documents: Documents) -> Corpus:
    if not isinstance(documents, Corpus):
        raise InputError("Orrery reads a corpus; build one of the matrix first")
    return documents


@dataclass(frozen=True, eq=False)
class Compared:
    """Row of one system in the table."""

    name: str
    title: str
    measure: str  # description of ``held_out``
    held_out: float  # mean of the measure over the held-out documents, in nats per document
    seconds: float  # training time
    # Largest memory of the training beyond what was in use, in megabytes (10^6 bytes).
    memory: float
    topics: int
    figures: AnyModelFigures
    accuracy: float | None  # share of the labels that are predicted from the topics
    words: list[list[str]]  # the top words of every topic, best first
    weights: FloatArray  # shape (n_topics, n_words)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON, without the weights."""
        return {
            "name": self.name,
            "title": self.title,
            "measure": self.measure,
            "held_out": self.held_out,
            "seconds": self.seconds,
            "memory": self.memory,
            "topics": self.topics,
            **asdict(self.figures),
            "accuracy": self.accuracy,
            "words": self.words,
        }


def compare(
    corpus: Corpus,
    names: Sequence[str],
    train: Int64Array,
    held_out: Int64Array,
    *,
    n_topics: int,
    seed: int = 0,
    progress: Callable[[str, float], bool] = lambda name, share: False,
) -> Iterator[Compared]:
    """Train one system after the other and yield its row.

    Raises InputError if a name is unknown or cannot be used, before any training; or there is no
    document.

    Parameters
    ----------
    names : sequence of str
        As in `orrery.core.baselines.registry.SYSTEMS`, and "orrery".
    train, held_out : int64 arrays
        Rows to train on and rows to evaluate on.
    n_topics : int
        Number of topics; Orrery and some other systems find their own.
    progress : callable
        Progress callback; it receives the name and the share done, and returns whether to stop.
    """
    for name in names:
        if name != OWN:
            find_system(name)
    if len(held_out) == 0:
        raise InputError("there is no document to judge by; hold some out")
    labels = corpus.documents["label"].to_numpy(dtype=object)
    of_train = {label for label in labels[train] if isinstance(label, str)}
    has_labels = len(of_train) > 1 and any(isinstance(each, str) for each in labels[held_out])
    for name in names:
        yield _compared(corpus, name, train, held_out, n_topics, seed, progress, has_labels)


def _compared(
    corpus: Corpus, name: str, train: Int64Array, held_out: Int64Array, n_topics: int, seed: int,
    progress: Callable[[str, float], bool], has_labels: bool,
) -> Compared:  # fmt: skip
    system: Baseline
    system = OrrerySystem(n_topics, seed) if name == OWN else make_system(name, n_topics, seed)
    title = "Orrery, structure learned" if name == OWN else find_system(name).title
    with _peak_memory() as memory:
        begin = time.perf_counter()
        system.fit(corpus.subset(train), progress=lambda share: progress(name, share))
        seconds = time.perf_counter() - begin
    topics = system.topics()
    figures = evaluate_other(
        topics,
        lambda documents, rows: system.expected_words(documents.subset(rows)),
        corpus,
        held_out,
        seed,
    )
    measures = system.bound_or_likelihood(corpus.subset(held_out))
    return Compared(
        name=name,
        title=title,
        measure=system.measure,
        held_out=float(measures.mean()),
        seconds=seconds,
        memory=memory[0] / 1e6,
        topics=len(topics),
        figures=figures,
        accuracy=_accuracy(system, corpus, train, held_out, seed) if has_labels else None,
        words=[[corpus.vocabulary[word] for word in heaviest_words(topic)] for topic in topics],
        weights=topics,
    )


def align_topics(rows: Sequence[Compared]) -> list[list[int | None]]:
    """Match the topics of all systems to those of the first, one list for each of its topics.

    A list holds the number of the topic in every system, matched so that the sum of the cosines of
    the weights is largest; None if a system has fewer topics. Topics that are left over have lists
    of their own at the end.
    """
    first = _unit(rows[0].weights)
    aligned: list[list[int | None]] = [[topic] for topic in range(len(first))]
    for place, row in enumerate(rows[1:], start=1):
        own, other = linear_sum_assignment(-first @ _unit(row.weights).T)
        partner = dict(zip(own.tolist(), other.tolist(), strict=True))
        for topic, matched in enumerate(aligned):
            matched.append(partner.get(topic) if topic < len(first) else None)
        rest = sorted(set(range(row.topics)) - set(partner.values()))
        aligned += [[*[None] * place, topic] for topic in rest]
    return aligned


def _unit(weights: FloatArray) -> FloatArray:
    length = np.linalg.norm(weights, axis=1, keepdims=True)
    return np.asarray(weights / np.maximum(length, 1e-300))


def _accuracy(
    system: Baseline, corpus: Corpus, train: Int64Array, held_out: Int64Array, seed: int
) -> float | None:
    """Accuracy of the labels that are predicted from topics; None if there are too few labels."""
    from ..evaluation.classification import classify_by, standardise

    n_features = system.infer(corpus.subset(train[:1])).shape[1]
    try:
        return classify_by(
            lambda documents, rows: standardise(system.infer(documents.subset(rows))),
            n_features,
            corpus,
            train,
            held_out,
            seed=seed,
        ).accuracy
    except InputError:
        return None


@contextmanager
def _peak_memory() -> Iterator[list[float]]:
    """Largest increase of the memory in use inside the context, in bytes, in a list of one."""
    process = psutil.Process()
    before = process.memory_info().rss
    peak, done = [0.0], threading.Event()

    def look() -> None:
        while not done.wait(MEMORY_INTERVAL):
            peak[0] = max(peak[0], float(process.memory_info().rss - before))

    observer = threading.Thread(target=look, daemon=True)
    observer.start()
    try:
        yield peak
    finally:
        done.set()
        observer.join()
