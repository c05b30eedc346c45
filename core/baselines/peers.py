"""Topic models of gensim, tomotopy and corextopic.

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
from typing import Any, ClassVar, Self

import numpy as np
from scipy import sparse

from ..utils.types import FloatArray
from .mean_field_lda import MultinomialTopics
from .system import Documents, Rival, Watch, counts_of, presence_of, unwatched

# The packages accept seeds of 32 bits.
SEEDS = 2**32
# Minimum probability of a word in a topic, so that no word is impossible.
LEAST_CHANCE = 1e-12
# Sweeps of Gibbs sampling between two calls of the progress callback.
SWEEPS_AT_ONCE = 10
# Total Dirichlet count of a document over the topics of a tree.
TREE_COUNTS = 1.0


class GensimLda(MultinomialTopics):
    """gensim's online LDA (Hoffman et al. 2010)."""

    passes: ClassVar[int] = 10

    def fit(self, documents: Documents, *, watch: Watch = unwatched) -> Self:
        """Train; see `Rival.fit`."""
        from gensim.models import LdaModel

        counts = self._training(counts_of(documents))
        bags = [list(zip(*bag, strict=True)) for bag in _bags(counts)]
        names = {word: str(word) for word in range(self.n_words)}
        model = LdaModel(
            num_topics=self.n_topics, id2word=names, random_state=self.seed % SEEDS, passes=1
        )
        for done in range(self.passes):
            model.update(bags)
            self._topics = self._weights = _smooth(model.get_topics())
            self._alpha = np.asarray(model.alpha, np.float64)
            if watch((done + 1) / self.passes):
                break
        return self


class _Tomotopy(MultinomialTopics):
    """Base class of the samplers of tomotopy.

    Parameters
    ----------
    rounds : int
        Sweeps over all words.
    """

    def __init__(self, n_topics: int, seed: int = 0, *, rounds: int = 200) -> None:
        super().__init__(n_topics, seed)
        self.rounds = rounds

    def fit(self, documents: Documents, *, watch: Watch = unwatched) -> Self:
        """Train; see `Rival.fit`."""
        counts = self._training(counts_of(documents))
        model = self._model(self.seed % SEEDS)
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
            self._take(model)
            if watch(min((done + SWEEPS_AT_ONCE) / self.rounds, 1.0)):
                break
        return self

    def _model(self, seed: int) -> Any:
        raise NotImplementedError

    def _live(self, model: Any) -> tuple[list[int], FloatArray]:
        """Numbers of the topics, and the Dirichlet counts of a document."""
        raise NotImplementedError

    def _take(self, model: Any) -> None:
        topics, self._alpha = self._live(model)
        words = np.array([int(word) for word in model.used_vocabs])
        table = np.zeros((len(topics), self.n_words))
        table[:, words] = [model.get_topic_word_dist(topic) for topic in topics]
        self._topics = self._weights = _smooth(table)


class TomotopyLda(_Tomotopy):
    """tomotopy's LDA by collapsed Gibbs sampling."""

    def _model(self, seed: int) -> Any:
        import tomotopy

        return tomotopy.LDAModel(k=self.n_topics, seed=seed)

    def _live(self, model: Any) -> tuple[list[int], FloatArray]:
        return list(range(model.k)), np.array(model.alpha, np.float64)


class TomotopyHlda(_Tomotopy):
    """tomotopy's hierarchical LDA (Griffiths et al. 2004): a tree with as many topics as it finds.

    A document draws its words from one path of the tree. For evaluation it is a flat mixture of all
    topics, each with a prior proportional to its number of documents.
    """

    def _model(self, seed: int) -> Any:
        import tomotopy

        return tomotopy.HLDAModel(seed=seed)

    def _live(self, model: Any) -> tuple[list[int], FloatArray]:
        topics = [topic for topic in range(model.k) if model.is_live_topic(topic)]
        documents = np.array([model.num_docs_of_topic(topic) for topic in topics], np.float64)
        return topics, TREE_COUNTS * documents / documents.sum()


def _bags(counts: sparse.csr_array) -> list[tuple[list[int], list[int]]]:
    """Words of each document, and their counts."""
    words = np.split(counts.indices, counts.indptr[1:-1])
    times = np.split(counts.data.astype(np.int64), counts.indptr[1:-1])
    return [(own.tolist(), often.tolist()) for own, often in zip(words, times, strict=True)]


def _smooth(topics: FloatArray) -> FloatArray:
    table = np.maximum(np.asarray(topics, np.float64), LEAST_CHANCE)
    return np.asarray(table / table.sum(axis=1, keepdims=True))


MOST_ROUNDS = 200
# Pseudo-count of each state of a word.
CELL = 0.5


class CorexTopics(Rival):
    """Topics of the package corextopic.

    Parameters
    ----------
    rounds : int
        Maximum number of updates; training ends earlier at convergence.
    """

    measure: ClassVar[str] = (
        "log p(presence of every word), each word below its strongest topic, exact, nats"
    )

    def __init__(self, n_topics: int, seed: int = 0, *, rounds: int = MOST_ROUNDS) -> None:
        super().__init__(n_topics, seed)
        self.rounds = rounds

    def fit(self, documents: Documents, *, watch: Watch = unwatched) -> Self:
        """Train; see `Rival.fit`."""
        presence = self._training(presence_of(documents))
        from corextopic.corextopic import Corex

        rounds = self.rounds

        class Watched(Corex):  # type: ignore[misc]
            def convergence(self) -> bool:
                settled = bool(super().convergence())
                return watch(min(len(self.tc_history) / rounds, 1.0)) or settled

        # Corex seeds numpy's global random state, which is restored afterwards.
        state = np.random.get_state()
        try:
            model = Watched(n_hidden=self.n_topics, max_iter=rounds, seed=self.seed % 2**32)
            # Corex needs a matrix instead of a sparse array, and prints warnings about words
            # without documents to stdout, which is reserved for results.
            with contextlib.redirect_stdout(io.StringIO()):
                on = model.fit(sparse.csr_matrix(presence)).p_y_given_x
        finally:
            np.random.set_state(state)
        self._set(presence, np.asarray(on), np.asarray(model.alpha * model.mis))
        return self

    def _set(self, presence: sparse.csr_array, on: FloatArray, ties: FloatArray) -> None:
        self._ties = ties
        below = np.zeros((self.n_words, self.n_topics))
        below[np.arange(self.n_words), ties.argmax(axis=0)] = 1.0
        self._below = below
        shares = np.stack([1.0 - on, on])
        mass = shares.sum(axis=1)
        self._log_state = np.log((mass + CELL) / (len(on) + 2.0 * CELL))
        counts = np.stack([presence.T @ share for share in shares])
        # Probability of each word with its topic off and on, shape (2, n_words).
        chance = (counts + CELL) / (mass[:, None, :] + 2.0 * CELL)
        self._chance = (chance * below).sum(axis=2)

    def infer(self, documents: Documents) -> FloatArray:
        """Probability that each topic is on."""
        joint = self._joint(self._asked(presence_of(documents)))
        return np.asarray(np.exp(joint[1] - np.logaddexp(*joint)))

    def bound_or_likelihood(self, documents: Documents) -> FloatArray:
        """Log-likelihood of each document (formula of the module)."""
        joint = self._joint(self._asked(presence_of(documents)))
        return np.asarray(np.logaddexp(*joint).sum(axis=1))

    def topics(self) -> FloatArray:
        """Mutual information of each topic and its words, in nats."""
        return self._ties

    def expected_words(self, documents: Documents) -> FloatArray:
        """Log-odds of each word given all others."""
        presence = self._asked(presence_of(documents))
        joint = self._joint(presence) @ self._below.T
        on = presence.toarray()[None] > 0.0
        chance = self._chance[:, None, :]
        # Remove the contribution of the word itself from its topic.
        rest = joint - np.where(on, np.log(chance), np.log1p(-chance))
        present, absent = np.log(chance) + rest, np.log1p(-chance) + rest
        return np.asarray(np.logaddexp(*present) - np.logaddexp(*absent))

    def _joint(self, presence: sparse.csr_array) -> FloatArray:
        """log p(y_j, words below j) for both states, shape (2, n_documents, n_topics)."""
        scores = []
        for chance, state in zip(self._chance, self._log_state, strict=True):
            log_off = np.log1p(-chance)
            ties = (np.log(chance) - log_off)[:, None] * self._below
            scores.append(state + log_off @ self._below + presence @ ties)
        return np.stack(scores)
