"""Evaluation of a model on documents: bounds, likelihood, completion, coherence, diversity.

Classification is a separate module, because it needs scikit-learn, which is slow to load.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from ..data.corpus import Corpus
from ..inference.kernel_inputs import documents_of, exact_tables, kernel_model, search_settings
from ..kernels.ladder import bounds_and_likelihood
from ..kernels.rows import Documents
from ..model.network import Network
from ..utils.errors import InputError
from ..utils.progress import ProgressCallback, no_progress
from ..utils.types import FloatArray, Int64Array
from .any_model import AnyModelFigures, any_model_figures
from .coherence import top_words
from .completion import (
    WordCounts,
    complete,
    independent_log_likelihood,
    mean_reciprocal_rank,
    recall_of_ten,
)

DEFAULT_SAMPLES = 100
# More samples change no displayed digit, and take days.
MAX_SAMPLES = 100_000
# Number of progress reports while the bounds are computed.
PARTS = 20


@dataclass(frozen=True, kw_only=True)
class SizeAndLikelihood:
    """Size, bounds and likelihood of a model on some documents, in nats per document."""

    documents: int
    # Means over all documents, including documents without tokens.
    jensen_bound: float
    exact_bound: float
    # Estimate by importance sampling on local models (MATH §10.2), a lower bound on average.
    log_likelihood: float
    # Monte Carlo standard error of the log-likelihood; None for a single sample.
    log_likelihood_error: float | None
    independent: float  # log-likelihood of the baseline, in which all tokens are independent
    samples: int
    topics: int
    edges: int


# The fields of the last base class come first, also in JSON.
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
        Importance samples per document for the likelihood.
    seed : int
        Seed of the samples and of the hidden words.
    reference : WordCounts, optional
        Word counts of the training documents, for the baselines; by default the counts of the
        corpus's other documents, or of the documents themselves if there are no others.
    progress : callable
        Progress callback; receives the share of the documents whose bounds are computed.

    Raises
    ------
    InputError
        If there is no document, ``samples`` is out of range, or the vocabularies differ.
    """
    documents = documents_of(network.graph, corpus, rows)
    chosen = documents.rows
    if len(chosen) == 0:
        raise InputError("there is no document to evaluate on; hold some out when training")
    if not 1 <= samples <= MAX_SAMPLES:
        raise InputError(f"samples is {samples}; expected from 1 to {MAX_SAMPLES:,}")
    jensen, exact, likelihood, variance = _bounds(network, documents, seed, samples, progress).T
    # Standard error of the mean over documents, from the variance of each estimate.
    error = float(np.sqrt(variance.sum()) / len(variance))
    completion = complete(network, corpus, chosen, seed, reference)
    shared = any_model_figures(
        corpus.to_csr(), top_words(network, corpus.vocabulary), completion.ranks
    )
    return Evaluation(
        documents=len(chosen),
        jensen_bound=float(jensen.mean()),
        exact_bound=float(exact.mean()),
        log_likelihood=float(likelihood.mean()),
        log_likelihood_error=error if samples > 1 else None,
        independent=independent_log_likelihood(corpus, chosen, reference),
        samples=samples,
        topics=network.graph.n_topics,
        edges=network.graph.n_edges,
        completion_mrr_independent=mean_reciprocal_rank(completion.baseline),
        completion_recall10_independent=recall_of_ten(completion.baseline),
        **asdict(shared),
    )


def _bounds(
    network: Network, documents: Documents, seed: int, samples: int, progress: ProgressCallback
) -> FloatArray:
    """Bounds and likelihood of each document, computed in parts to report progress."""
    model, tables = kernel_model(network), exact_tables(network)
    parts = np.array_split(documents.rows, min(PARTS, len(documents.rows)))
    found = []
    for done, rows in enumerate(parts):
        progress(done / len(parts))
        some = documents._replace(rows=rows)
        found.append(bounds_and_likelihood(some, model, tables, search_settings(), seed, samples))
    progress(1.0)
    return np.concatenate(found)
