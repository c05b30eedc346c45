"""Evaluation of a model on documents: bounds, likelihood, completion, coherence, diversity.

Classification is a separate module, because it needs scikit-learn, which is slow to load.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from scipy import sparse

from ..data.corpus import Corpus
from ..inference.infer import infer_bounds
from ..inference.kernel_inputs import documents_of, exact_tables, kernel_model, search_settings
from ..kernels.ladder import bounds_and_likelihood
from ..model.network import Network, check_network
from ..utils.errors import InputError
from ..utils.types import FloatArray, Int64Array, ProgressCallback, no_progress
from .coherence import WORDS_PER_TOPIC, diversity, mean_npmi, top_words
from .completion import (
    WordCounts,
    complete,
    draw_documents,
    expectation_ranks,
    hide_words,
    independent_log_likelihood,
    mean_reciprocal_rank,
    recall_of_ten,
)

# How much a model expects each word in some documents, shape (n_rows, n_tokens).
Expects = Callable[[Corpus, Int64Array], FloatArray]


@dataclass(frozen=True, kw_only=True)
class AnyModelFigures:
    """Metrics of any topic model; `orrery.core.evaluation.metrics` describes them."""

    # Coherence and diversity of the ten top words of each topic. None if no topic has two words, or
    # any.
    npmi: float | None
    diversity: float | None
    # Mean reciprocal rank of words hidden from documents, and share of them in the first ten; see
    # `orrery.core.evaluation.completion.complete`. None if no document has two words.
    completion_mrr: float | None
    completion_recall10: float | None


def any_model_figures(
    presence: sparse.csr_array, top_words: list[Int64Array], ranks: FloatArray
) -> AnyModelFigures:
    """Compute the metrics that every topic model has.

    ``presence``, shape (n_documents, n_tokens), has all documents of the corpus; ``top_words`` are
    token numbers for each topic; ``ranks`` are those of each hidden word among the guesses of the
    model.
    """
    return AnyModelFigures(
        npmi=mean_npmi(presence, top_words),
        diversity=diversity(top_words),
        completion_mrr=mean_reciprocal_rank(ranks),
        completion_recall10=recall_of_ten(ranks),
    )


def evaluate_other(
    topics: FloatArray, expects: Expects, corpus: Corpus, rows: Int64Array, seed: int
) -> AnyModelFigures:
    """Evaluate another model on the documents and hidden words that ours is evaluated on.

    ``topics``, shape (n_topics, n_tokens), is the weight of every word in every topic; ``rows`` are
    the documents to evaluate on; ``seed`` is as in `orrery.core.evaluation.completion.complete`.
    """
    drawn = draw_documents(corpus, rows, seed)
    ranks = np.empty(0)
    if len(drawn):
        ranks = expectation_ranks(expects, hide_words(corpus, drawn, seed))
    return any_model_figures(corpus.to_csr(), [heaviest_words(topic) for topic in topics], ranks)


def heaviest_words(topic: FloatArray) -> Int64Array:
    """Token numbers of the ten words with the largest weights above zero, the largest first."""
    order = np.argsort(-topic, kind="stable")[:WORDS_PER_TOPIC]
    return np.asarray(order[topic[order] > 0.0], np.int64)


DEFAULT_SAMPLES = 100
# More samples change no displayed digit, and take days.
MAX_SAMPLES = 100_000
# Number of progress reports while the bounds are computed.
PARTS = 20


@dataclass(frozen=True, kw_only=True)
class SizeAndLikelihood:
    """Size of a model, and its bounds and likelihood on some documents in nats per document."""

    documents: int
    # Means over all documents, including documents without tokens. Without samples, only the exact
    # bound is computed, and the other two are None.
    jensen_bound: float | None
    exact_bound: float  # mean-field lower bound with exact expectations
    # Estimate by importance sampling on local models (MATH §10.2), a lower bound on average.
    log_likelihood: float | None
    # Monte Carlo standard error of the log-likelihood; None for fewer than two samples.
    log_likelihood_error: float | None
    independent: float  # log-likelihood of the baseline, in which all tokens are independent
    samples: int
    topics: int
    edges: int


# Fields have the order of the bases from right to left, also in JSON.
@dataclass(frozen=True, kw_only=True)
class Evaluation(AnyModelFigures, SizeAndLikelihood):
    """All metrics of a model on some documents; `orrery.core.evaluation.metrics` describes them."""

    # Metrics of the baseline, which ranks the words by their frequency in other documents.
    completion_mrr_independent: float | None
    completion_recall10_independent: float | None

    def to_dict(self) -> dict[str, Any]:
        """Return the metrics as plain values for JSON."""
        return asdict(self)


def evaluate(
    network: Network,
    corpus: Corpus,
    rows: Int64Array | None = None,
    *,
    samples: int = DEFAULT_SAMPLES,
    seed: int = 0,
    reference: WordCounts | None = None,
    progress: ProgressCallback = no_progress,
) -> Evaluation:
    """Evaluate a network on documents of a corpus over the same vocabulary.

    Parameters
    ----------
    network : Network
    corpus : Corpus
    rows : int64 array, optional
        Documents to evaluate on; all by default.
    samples : int
        Importance samples per document for the likelihood. With 0, the exact bound is computed in
        single precision, as training does, and neither the Jensen bound nor the likelihood: no
        kernel is needed beyond the kernels of training.
    seed : int
        Seed of the samples and of the hidden words and their documents.
    reference : WordCounts, optional
        Word counts of the training documents, for the baselines; by default the counts of the
        corpus's other documents, or of the documents themselves if there are no others.
    progress : callable
        Progress callback; receives the share of the documents whose bounds are computed.

    Raises
    ------
    InputError
        If ``network`` is no network, there is no document, ``samples`` is out of range, or the
        vocabularies differ.
    """
    check_network(network)
    documents = documents_of(network.graph, corpus, rows)
    chosen = documents.rows
    if len(chosen) == 0:
        raise InputError("there is no document to evaluate on; hold some out when training")
    if not 0 <= samples <= MAX_SAMPLES:
        raise InputError(f"samples is {samples}; expected from 0 to {MAX_SAMPLES:,}")
    model, tables = kernel_model(network), exact_tables(network) if samples else None

    def bounds(rows: Int64Array) -> FloatArray:
        if tables is None:
            return infer_bounds(network, corpus, rows)
        part = documents._replace(rows=rows)
        return bounds_and_likelihood(part, model, tables, search_settings(), seed, samples)

    found = in_parts(bounds, chosen, progress)
    jensen, likelihood, error = None, None, None
    if samples == 0:
        exact = float(found.mean())
    else:
        jensen, exact, likelihood = (float(column.mean()) for column in found.T[:3])
    if samples > 1:
        # Standard error of the mean over documents, from the variance of each estimate.
        error = float(np.sqrt(found[:, 3].sum()) / len(found))
    completion = complete(network, corpus, chosen, seed, reference)
    shared = any_model_figures(
        corpus.to_csr(), top_words(network, corpus.vocabulary), completion.ranks
    )
    return Evaluation(
        documents=len(chosen),
        jensen_bound=jensen,
        exact_bound=exact,
        log_likelihood=likelihood,
        log_likelihood_error=error,
        independent=independent_log_likelihood(corpus, chosen, reference),
        samples=samples,
        topics=network.graph.n_topics,
        edges=network.graph.n_edges,
        completion_mrr_independent=mean_reciprocal_rank(completion.baseline),
        completion_recall10_independent=recall_of_ten(completion.baseline),
        **asdict(shared),
    )


def in_parts(
    compute: Callable[[Int64Array], FloatArray], rows: Int64Array, progress: ProgressCallback
) -> FloatArray:
    """Compute something for every document, in parts, and report the progress after each part."""
    parts = np.array_split(rows, min(PARTS, len(rows)))
    found = []
    for done, part in enumerate(parts):
        progress(done / len(parts))
        found.append(compute(part))
    progress(1.0)
    return np.concatenate(found)
