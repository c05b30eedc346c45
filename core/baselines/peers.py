"""LDA of scikit-learn.

Topic models of gensim, tomotopy and corextopic.

Each model is trained with its default settings, except the number of passes. The packages are
optional and are imported when `fit` begins. Documents are evaluated as in `mean_field_lda`, so that
the bounds of these models differ only by their topics.

CorEx (Gallagher et al. 2017) maximises the total correlation that binary latent variables explain,
and is not a generative model. Its documents are evaluated under the generative model that it
suggests: every word depends only on its strongest topic, and words are independent given the states
of the topics,

    p(x) = prod_j sum_y p(y_j) prod_{i below j} p(x_i | y_j).
"""

from __future__ import annotations

import contextlib
import io
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from scipy import sparse

from ..data.corpus import Corpus
from ..utils.errors import InputError
from ..utils.types import FloatArray, Int64Array
from .mean_field_lda import MultinomialTopics
from .system import Baseline, Documents, StoppingCallback, counts_of, never_stop, presence_of

NAME = "LDA (scikit-learn)"


@dataclass(frozen=True, eq=False)
class MultinomialLda:
    """Trained model."""

    # float64 (n_topics, n_tokens): probability of every word in every topic; rows sum to 1
    topics: FloatArray
    fitted: Any  # sklearn.decomposition.LatentDirichletAllocation

    def shares(self, corpus: Corpus, rows: Int64Array) -> FloatArray:
        """Mean topic shares of documents, shape (n_rows, n_topics)."""
        return np.asarray(self.fitted.transform(_presence(corpus, rows)), np.float64)

    def word_probabilities(self, corpus: Corpus, rows: Int64Array) -> FloatArray:
        """Probability that each word is the next of a document, shape (n_rows, n_tokens)."""
        return self.shares(corpus, rows) @ self.topics


class ScikitLda(MultinomialTopics):
    """LDA of scikit-learn as a `Baseline`, trained one pass over the documents at a time."""

    rounds = 10

    def fit(self, documents: Documents, *, progress: StoppingCallback = never_stop) -> Self:
        """Train; see `Baseline.fit`."""
        from sklearn.decomposition import LatentDirichletAllocation

        counts = self._training(counts_of(documents))
        fitted = LatentDirichletAllocation(
            self.n_topics,
            learning_method="online",
            random_state=self.seed % 2**32,
            total_samples=counts.shape[0],
        )
        rng = np.random.default_rng(self.seed)
        self._alpha = np.full(self.n_topics, 1.0 / self.n_topics)
        for done in range(self.rounds):
            fitted.partial_fit(counts[rng.permutation(counts.shape[0])])
            total = fitted.components_.sum(axis=1, keepdims=True)
            self._topics = self._weights = np.asarray(fitted.components_ / total, np.float64)
            if progress((done + 1) / self.rounds):
                break
        return self


def train_lda(corpus: Corpus, rows: Int64Array, n_topics: int, seed: int) -> MultinomialLda:
    """Train by scikit-learn's online variational Bayes, with its default settings, on ``rows``.

    Every word counts once in a document, because a corpus stores presence only. InputError if there
    is no topic or no document.
    """
    from sklearn.decomposition import LatentDirichletAllocation

    if n_topics < 1 or len(rows) == 0:
        raise InputError("LDA needs a topic and a document to train on; the run has none")
    # scikit-learn accepts seeds of 32 bits.
    fitted = LatentDirichletAllocation(
        n_topics, learning_method="online", random_state=seed % 2**32
    )
    fitted.fit(_presence(corpus, rows))
    total = fitted.components_.sum(axis=1, keepdims=True)
    return MultinomialLda(np.asarray(fitted.components_ / total, np.float64), fitted)


def _presence(corpus: Corpus, rows: Int64Array) -> sparse.csr_array:
    return sparse.csr_array(corpus.to_csr()[rows])


# The packages accept seeds of 32 bits.
N_SEEDS = 2**32
# Minimum probability of a word in a topic, so that no word is impossible.
MIN_PROBABILITY = 1e-12
# Sweeps of Gibbs sampling between two calls of the progress callback.
SWEEPS_AT_ONCE = 10
# Total Dirichlet count of a document over the topics of a tree.
TREE_ALPHA = 1.0


class GensimLda(MultinomialTopics):
    """gensim's online LDA (Hoffman et al. 2010)."""

    rounds = 10

    def fit(self, documents: Documents, *, progress: StoppingCallback = never_stop) -> Self:
        """Train; see `Baseline.fit`."""
        from gensim.models import LdaModel

        counts = self._training(counts_of(documents))
        bags = [list(zip(*bag, strict=True)) for bag in _bags(counts)]
        names = {word: str(word) for word in range(self.n_words)}
        model = LdaModel(
            num_topics=self.n_topics, id2word=names, random_state=self.seed % N_SEEDS, passes=1
        )
        for done in range(self.rounds):
            model.update(bags)
            self._topics = self._weights = _smooth(model.get_topics())
            self._alpha = np.asarray(model.alpha, np.float64)
            if progress((done + 1) / self.rounds):
                break
        return self


class _Tomotopy(MultinomialTopics):
    """Base class of the samplers of tomotopy; ``rounds`` is the number of sweeps over all words."""

    def fit(self, documents: Documents, *, progress: StoppingCallback = never_stop) -> Self:
        """Train; see `Baseline.fit`."""
        counts = self._training(counts_of(documents))
        model = self._model(self.seed % N_SEEDS)
        for words, times in _bags(counts):
            if words:
                model.add_doc(np.repeat(words, times).astype(str).tolist())
        if counts.nnz == 0:
            self._topics = self._weights = np.full((1, self.n_words), 1.0 / self.n_words)
            self._alpha = np.ones(1)
            return self
        for done in range(0, self.rounds, SWEEPS_AT_ONCE):
            # With more than one worker the result is not reproducible.
            model.train(SWEEPS_AT_ONCE, workers=1)
            self._read_topics(model)
            if progress(min((done + SWEEPS_AT_ONCE) / self.rounds, 1.0)):
                break
        return self

    def _model(self, seed: int) -> Any:
        raise NotImplementedError

    def _live_topics(self, model: Any) -> tuple[list[int], FloatArray]:
        """Numbers of the topics, and the Dirichlet counts of a document."""
        raise NotImplementedError

    def _read_topics(self, model: Any) -> None:
        topics, self._alpha = self._live_topics(model)
        words = np.array([int(word) for word in model.used_vocabs])
        table = np.zeros((len(topics), self.n_words))
        table[:, words] = [model.get_topic_word_dist(topic) for topic in topics]
        self._topics = self._weights = _smooth(table)


class TomotopyLda(_Tomotopy):
    """tomotopy's LDA by collapsed Gibbs sampling."""

    def _model(self, seed: int) -> Any:
        import tomotopy

        return tomotopy.LDAModel(k=self.n_topics, seed=seed)

    def _live_topics(self, model: Any) -> tuple[list[int], FloatArray]:
        return list(range(model.k)), np.array(model.alpha, np.float64)


class TomotopyHlda(_Tomotopy):
    """tomotopy's hierarchical LDA (Griffiths et al. 2004): a tree with as many topics as it finds.

    A document draws its words from one path of the tree. For evaluation it is a flat mixture of all
    topics, each with a prior proportional to its number of documents.
    """

    def _model(self, seed: int) -> Any:
        import tomotopy

        return tomotopy.HLDAModel(seed=seed)

    def _live_topics(self, model: Any) -> tuple[list[int], FloatArray]:
        topics = [topic for topic in range(model.k) if model.is_live_topic(topic)]
        documents = np.array([model.num_docs_of_topic(topic) for topic in topics], np.float64)
        return topics, TREE_ALPHA * documents / documents.sum()


def _bags(counts: sparse.csr_array) -> list[tuple[list[int], list[int]]]:
    """Words of each document, and their counts."""
    words = np.split(counts.indices, counts.indptr[1:-1])
    times = np.split(counts.data.astype(np.int64), counts.indptr[1:-1])
    return [(own.tolist(), often.tolist()) for own, often in zip(words, times, strict=True)]


def _smooth(topics: FloatArray) -> FloatArray:
    table = np.maximum(np.asarray(topics, np.float64), MIN_PROBABILITY)
    return np.asarray(table / table.sum(axis=1, keepdims=True))


# Pseudo-count of each state of a word.
PSEUDO_COUNT = 0.5


class CorexTopics(Baseline):
    """Topics of the package corextopic; at most ``rounds`` updates, fewer at convergence."""

    measure: ClassVar[str] = (
        "log p(presence of every word), each word below its strongest topic, exact, nats"
    )

    def fit(self, documents: Documents, *, progress: StoppingCallback = never_stop) -> Self:
        """Train; see `Baseline.fit`."""
        presence = self._training(presence_of(documents))
        from corextopic.corextopic import Corex

        rounds = self.rounds

        class Monitored(Corex):  # type: ignore[misc]
            def convergence(self) -> bool:
                has_converged = bool(super().convergence())
                return progress(min(len(self.tc_history) / rounds, 1.0)) or has_converged

        # Corex seeds numpy's global random state, which is restored afterwards.
        state = np.random.get_state()
        try:
            model = Monitored(n_hidden=self.n_topics, max_iter=rounds, seed=self.seed % 2**32)
            # Corex needs a matrix instead of a sparse array, and prints warnings about words
            # without documents to stdout, which is reserved for results.
            with contextlib.redirect_stdout(io.StringIO()):
                on = model.fit(sparse.csr_matrix(presence)).p_y_given_x
        finally:
            np.random.set_state(state)
        self._set(presence, np.asarray(on), np.asarray(model.alpha * model.mis))
        return self

    def _set(self, presence: sparse.csr_array, on: FloatArray, ties: FloatArray) -> None:
        self._topics = ties  # mutual information of each topic and its words, in nats
        below = np.zeros((self.n_words, self.n_topics))
        below[np.arange(self.n_words), ties.argmax(axis=0)] = 1.0
        self._assigned = below
        shares = np.stack([1.0 - on, on])
        mass = shares.sum(axis=1)
        self._log_state = np.log((mass + PSEUDO_COUNT) / (len(on) + 2.0 * PSEUDO_COUNT))
        counts = np.stack([presence.T @ share for share in shares])
        # Probability of each word with its topic off and on, shape (2, n_words).
        probability = (counts + PSEUDO_COUNT) / (mass[:, None, :] + 2.0 * PSEUDO_COUNT)
        self._probability = (probability * below).sum(axis=2)

    def infer(self, documents: Documents) -> FloatArray:
        """Probability that each topic is on."""
        joint = self._joint(self._checked(presence_of(documents)))
        return np.asarray(np.exp(joint[1] - np.logaddexp(*joint)))

    def bound_or_likelihood(self, documents: Documents) -> FloatArray:
        """Log-likelihood of each document (formula of the module)."""
        joint = self._joint(self._checked(presence_of(documents)))
        return np.asarray(np.logaddexp(*joint).sum(axis=1))

    def expected_words(self, documents: Documents) -> FloatArray:
        """Log-odds of each word given all others."""
        presence = self._checked(presence_of(documents))
        joint = self._joint(presence) @ self._assigned.T
        on = presence.toarray()[None] > 0.0
        probability = self._probability[:, None, :]
        # Remove the contribution of the word itself from its topic.
        rest = joint - np.where(on, np.log(probability), np.log1p(-probability))
        present, absent = np.log(probability) + rest, np.log1p(-probability) + rest
        return np.asarray(np.logaddexp(*present) - np.logaddexp(*absent))

    def _joint(self, presence: sparse.csr_array) -> FloatArray:
        """log p(y_j, words below j) for both states, shape (2, n_documents, n_topics)."""
        scores = []
        for probability, state in zip(self._probability, self._log_state, strict=True):
            log_off = np.log1p(-probability)
            ties = (np.log(probability) - log_off)[:, None] * self._assigned
            scores.append(state + log_off @ self._assigned + presence @ ties)
        return np.stack(scores)
