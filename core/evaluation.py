"""How good a model is: bounds and likelihood of documents, coherence and diversity of topics."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from core.corpus import Corpus
from core.errors import InputError
from core.inference import documents_of, kernel_model, search_settings
from core.kernels.exponentials import exponential_sum
from core.kernels.ladder import ladder
from core.labels import TopicWords
from core.network import FloatArray, Network

WORDS_PER_TOPIC = 10
DEFAULT_SAMPLES = 100


@dataclass(frozen=True)
class Evaluation:
    """Figures of a model on some documents; bounds and likelihood in nats per document.

    Attributes
    ----------
    documents : int
    jensen_bound, exact_bound : float
        Means over all documents, token-less ones included.
    log_likelihood : float
        Importance-weighted estimate on local models, a lower bound in expectation (MATH §5).
    log_likelihood_error : float or None
        Its Monte Carlo standard error, of the draws that were made: a mode that the posterior
        misses is in neither figure. None for a single sample.
    independent : float
        Log-likelihood when every token is independent, the control beside every result.
    samples, topics, edges : int
    npmi : float or None
        Mean normalised pointwise mutual information of the topics' ten most telling words on
        whole-document co-occurrence; None when no topic reaches two words.
    diversity : float or None
        Share of different words among them; None when no topic reaches a word.
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

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as plain values for JSON."""
        return asdict(self)


def evaluate(
    network: Network,
    corpus: Corpus,
    rows: npt.NDArray[np.int64] | None = None,
    *,
    samples: int = DEFAULT_SAMPLES,
    seed: int = 0,
) -> Evaluation:
    """Evaluate a network on documents of a corpus over the same vocabulary.

    Parameters
    ----------
    network : Network
    corpus : Corpus
        Its other documents serve as the reference of the independent control; with no others,
        the documents themselves.
    rows : int64 array, optional
        The documents to judge by; all of them if not given.
    samples : int
        Draws per document for the likelihood.
    seed : int

    Raises
    ------
    InputError
        If there is no document, no sample, or the vocabulary does not fit.
    """
    documents = documents_of(network.graph, corpus, rows)
    chosen = documents.rows
    if len(chosen) == 0:
        raise InputError("there is no document to evaluate on; hold some out when training")
    if samples < 1:
        raise InputError(f"samples is {samples}; expected 1 or more")
    rungs = ladder(
        documents,
        kernel_model(network, "exact"),
        exponential_sum(),
        search_settings(),
        seed,
        samples,
    )
    jensen, exact, likelihood, variance = rungs.T
    top_words = _top_words(network, corpus)
    return Evaluation(
        documents=len(chosen),
        jensen_bound=float(jensen.mean()),
        exact_bound=float(exact.mean()),
        log_likelihood=float(likelihood.mean()),
        log_likelihood_error=_standard_error(variance, samples),
        independent=independent_log_likelihood(corpus, chosen),
        samples=samples,
        topics=network.graph.n_topics,
        edges=network.graph.n_edges,
        npmi=mean_npmi(corpus.to_csr(), top_words),
        diversity=diversity(top_words),
    )


def _standard_error(variance: FloatArray, samples: int) -> float | None:
    """Standard error of the mean over documents; ``variance`` is over the draws of each."""
    if samples < 2:
        return None
    unbiased = variance * samples / (samples - 1)
    return float(np.sqrt(unbiased.sum()) / len(variance))


def independent_log_likelihood(corpus: Corpus, rows: npt.NDArray[np.int64]) -> float:
    """Mean log-likelihood of documents when tokens are independent, in nats per document.

    Frequencies come from the other documents, with half a document added either way.
    """
    presence = corpus.to_csr()
    others = np.setdiff1d(np.arange(corpus.n_documents), rows)
    reference = others if len(others) else rows
    counts = np.asarray(presence[reference].sum(axis=0)).ravel()
    chance = (counts + 0.5) / (len(reference) + 1.0)
    present = presence[rows]
    log_odds = np.log(chance) - np.log1p(-chance)
    return float(np.log1p(-chance).sum() + (present @ log_odds).mean())


def _top_words(network: Network, corpus: Corpus) -> list[npt.NDArray[np.int64]]:
    described = TopicWords(network, corpus.vocabulary)
    topics = range(network.graph.n_topics)
    return [described.tokens(topic, WORDS_PER_TOPIC) for topic in topics]


def topic_npmi(
    presence: sparse.csr_array, top_words: list[npt.NDArray[np.int64]]
) -> list[float | None]:
    """NPMI of every topic's words, averaged over pairs; None for a topic with fewer than two.

    A pair that never meets counts as -1, one that is always together as 1.
    """
    n_documents = presence.shape[0]
    columns = presence.tocsc()
    frequency = np.diff(columns.indptr) / n_documents
    scores: list[float | None] = []
    for words in top_words:
        if len(words) < 2:
            scores.append(None)
            continue
        chosen = columns[:, words]
        together = (chosen.T @ chosen).toarray() / n_documents
        first, second = np.triu_indices(len(words), 1)
        joint = together[first, second]
        expected = frequency[words[first]] * frequency[words[second]]
        pairs = np.full(len(joint), -1.0)
        # Pairs in every document, or with a word in none, carry no information either way.
        pairs[(joint >= 1.0) | (expected == 0.0)] = 0.0
        met = (joint > 0) & (joint < 1.0)
        pairs[met] = np.log(joint[met] / expected[met]) / -np.log(joint[met])
        scores.append(float(pairs.mean()))
    return scores


def mean_npmi(presence: sparse.csr_array, top_words: list[npt.NDArray[np.int64]]) -> float | None:
    """Mean of `topic_npmi` over the topics that have one."""
    known = [score for score in topic_npmi(presence, top_words) if score is not None]
    return float(np.mean(known)) if known else None


def diversity(top_words: list[npt.NDArray[np.int64]]) -> float | None:
    """Share of different words among the top words of all topics."""
    total = sum(len(words) for words in top_words)
    return len(set(np.concatenate(top_words).tolist())) / total if total else None
