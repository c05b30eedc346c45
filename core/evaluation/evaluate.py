"""How good a model is: bounds, likelihood, completion; coherence and diversity of its topics.

`orrery.core.evaluation.classification` stays apart, for it needs scikit-learn, which is slow to
load.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from ..data.corpus import Corpus
from ..inference.kernel_inputs import documents_of, exact_tables, kernel_model, search_settings
from ..kernels.ladder import ladder
from ..kernels.rows import Documents
from ..model.network import Network
from ..utils.errors import InputError
from ..utils.progress import Watch, unwatched
from ..utils.types import FloatArray, Int64Array
from .baseline import WordCounts, independent_log_likelihood
from .coherence import diversity, mean_npmi, top_words, topic_npmi
from .completion import Completion, complete

__all__ = [
    "DEFAULT_SAMPLES",
    "Completion",
    "Evaluation",
    "complete",
    "diversity",
    "evaluate",
    "independent_log_likelihood",
    "mean_npmi",
    "topic_npmi",
]

DEFAULT_SAMPLES = 100
# Beyond this the estimate gains nothing that could be seen, and takes days.
MOST_SAMPLES = 100_000
# So many times in all it is said how far the bounds are.
PARTS = 20


@dataclass(frozen=True)
class Evaluation:
    """Figures of a model on some documents; bounds and likelihood in nats per document.

    Attributes
    ----------
    documents : int
    jensen_bound, exact_bound : float
        Means over all documents, token-less ones included.
    log_likelihood : float
        Estimate by guided draws on local models (MATH §10.2), a lower bound on average.
    log_likelihood_error : float or None
        Its Monte Carlo standard error. None for a single sample.
    independent : float
        Log-likelihood when every token is independent, the control beside every result.
    samples, topics, edges : int
    npmi : float or None
        Mean normalised pointwise mutual information of the topics' ten most telling words on
        whole-document co-occurrence; None when no topic reaches two words.
    diversity : float or None
        Share of different words among them; None when no topic reaches a word.
    completion_mrr, completion_recall10 : float or None
        Mean reciprocal rank of a word hidden from each document, given the rest, and the share of
        these words among the first ten; over at most a thousand words, see `complete`.
        None when no document has two words.
    completion_mrr_independent, completion_recall10_independent : float or None
        The same of words ranked by frequency in the other documents, the control.
    """

    documents: int
    jensen_bound: float
    exact_bound: float
    log_likelihood: float
    log_likelihood_error: float | None
    independent: float
    samples: int
    topics: int
    edges: int
    npmi: float | None
    diversity: float | None
    completion_mrr: float | None
    completion_recall10: float | None
    completion_mrr_independent: float | None
    completion_recall10_independent: float | None

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as plain values for JSON."""
        return asdict(self)


def evaluate(
    network: Network,
    corpus: Corpus,
    rows: Int64Array | None = None,
    *,
    samples: int = DEFAULT_SAMPLES,
    seed: int = 0,
    reference: WordCounts | None = None,
    watch: Watch = unwatched,
) -> Evaluation:
    """Evaluate a network on documents of a corpus over the same vocabulary.

    Parameters
    ----------
    network : Network
    corpus : Corpus
    rows : int64 array, optional
        The documents to judge by; all of them if not given.
    samples : int
        Draws per document for the likelihood.
    seed : int
        Of these draws and of the words that completion hides.
    reference : WordCounts, optional
        Words of the documents that the network was trained on, for the controls; if not given,
        those of the corpus's other documents, and with no others, of the documents themselves.
    watch : callable
        Told now and then for what share of the documents the bounds are known, which takes longest.

    Raises
    ------
    InputError
        If there is no document, no sample, or the vocabulary does not fit.
    """
    documents = documents_of(network.graph, corpus, rows)
    chosen = documents.rows
    if len(chosen) == 0:
        raise InputError("there is no document to evaluate on; hold some out when training")
    if not 1 <= samples <= MOST_SAMPLES:
        raise InputError(f"samples is {samples}; expected from 1 to {MOST_SAMPLES:,}")
    jensen, exact, likelihood, variance = _rungs(network, documents, seed, samples, watch).T
    words_of_topics = top_words(network, corpus.vocabulary)
    completion = complete(network, corpus, chosen, seed, reference)
    return Evaluation(
        documents=len(chosen),
        jensen_bound=float(jensen.mean()),
        exact_bound=float(exact.mean()),
        log_likelihood=float(likelihood.mean()),
        log_likelihood_error=_standard_error(variance, samples),
        independent=independent_log_likelihood(corpus, chosen, reference),
        samples=samples,
        topics=network.graph.n_topics,
        edges=network.graph.n_edges,
        npmi=mean_npmi(corpus.to_csr(), words_of_topics),
        diversity=diversity(words_of_topics),
        completion_mrr=completion.mrr,
        completion_recall10=completion.recall10,
        completion_mrr_independent=completion.mrr_independent,
        completion_recall10_independent=completion.recall10_independent,
    )


def _rungs(
    network: Network, documents: Documents, seed: int, samples: int, watch: Watch
) -> FloatArray:
    """`ladder` of one part of the documents after another, which changes no document's."""
    model, tables = kernel_model(network), exact_tables(network)
    parts = np.array_split(documents.rows, min(PARTS, len(documents.rows)))
    found = []
    for done, rows in enumerate(parts):
        watch(done / len(parts))
        some = documents._replace(rows=rows)
        found.append(ladder(some, model, tables, search_settings(), seed, samples))
    watch(1.0)
    return np.concatenate(found)


def _standard_error(variance: FloatArray, samples: int) -> float | None:
    """Standard error of the mean over documents; ``variance`` is that of each estimate."""
    return float(np.sqrt(variance.sum()) / len(variance)) if samples > 1 else None
