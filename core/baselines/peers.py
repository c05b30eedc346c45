"""Topic models of other packages with the face that all systems have: gensim and tomotopy.

Each learns at its own defaults but for the number of passes; documents are then read as in
`multinomial_documents`, so that bounds differ by the topics alone. The packages are imported when a
fit begins, for they are extras.

CorEx of the package corextopic: topics that explain why words come together.

Gallagher et al. (2017). CorEx maximises the total correlation that hidden binary variables explain,
and is no generative model. Its documents are judged by the one that it suggests: every word hangs
below the topic that it is most tied to, and words are independent given what topics are on,

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

# Packages take seeds of 32 bits.
SEEDS = 2**32
# Below this share of a topic a word counts as that, so that no word is impossible.
LEAST_CHANCE = 1e-12
# Sweeps of Gibbs sampling between two looks at whether to go on.
SWEEPS_AT_ONCE = 10
# Dirichlet counts that a document shares out among the topics of a tree.
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
    """What the samplers of tomotopy share.

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
            # More than one worker draws other topics every time.
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
    """tomotopy's hierarchical LDA (Griffiths et al. 2004): a tree of as many topics as it finds.

    A document draws its words from one path of the tree. It is read as a flat mixture of all
    topics, each expected as often as it had documents.
    """

    def _model(self, seed: int) -> Any:
        import tomotopy

        return tomotopy.HLDAModel(seed=seed)

    def _live(self, model: Any) -> tuple[list[int], FloatArray]:
        topics = [topic for topic in range(model.k) if model.is_live_topic(topic)]
        documents = np.array([model.num_docs_of_topic(topic) for topic in topics], np.float64)
        return topics, TREE_COUNTS * documents / documents.sum()


def _bags(counts: sparse.csr_array) -> list[tuple[list[int], list[int]]]:
    """Words of each document, and how often each is in it."""
    words = np.split(counts.indices, counts.indptr[1:-1])
    times = np.split(counts.data.astype(np.int64), counts.indptr[1:-1])
    return [(own.tolist(), often.tolist()) for own, often in zip(words, times, strict=True)]


def _smooth(topics: FloatArray) -> FloatArray:
    table = np.maximum(np.asarray(topics, np.float64), LEAST_CHANCE)
    return np.asarray(table / table.sum(axis=1, keepdims=True))


MOST_ROUNDS = 200
# Each state of a word counts so much from the start.
CELL = 0.5


class CorexTopics(Rival):
    """The package's topics.

    Parameters
    ----------
    rounds : int
        The most updates; it stops by itself where nothing changes.
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

        # It draws from the random state that all of numpy shares, which is given back as it was.
        state = np.random.get_state()
        try:
            model = Watched(n_hidden=self.n_topics, max_iter=rounds, seed=self.seed % 2**32)
            # It calls methods that matrices have and sparse arrays have not, and prints warnings of
            # words without documents to where answers are printed.
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
        # Chance of each word where its own topic is off and where it is on, shape (2, n_words).
        chance = (counts + CELL) / (mass[:, None, :] + 2.0 * CELL)
        self._chance = (chance * below).sum(axis=2)

    def infer(self, documents: Documents) -> FloatArray:
        """Probability of each topic to be on."""
        joint = self._joint(self._asked(presence_of(documents)))
        return np.asarray(np.exp(joint[1] - np.logaddexp(*joint)))

    def bound_or_likelihood(self, documents: Documents) -> FloatArray:
        """Log-likelihood of the module's formula."""
        joint = self._joint(self._asked(presence_of(documents)))
        return np.asarray(np.logaddexp(*joint).sum(axis=1))

    def topics(self) -> FloatArray:
        """How much a topic tells of each word, in nats, where the word is its own."""
        return self._ties

    def expected_words(self, documents: Documents) -> FloatArray:
        """Log-odds of each word, all others as they are."""
        presence = self._asked(presence_of(documents))
        joint = self._joint(presence) @ self._below.T
        on = presence.toarray()[None] > 0.0
        chance = self._chance[:, None, :]
        # What the word itself said of its topic is taken back.
        rest = joint - np.where(on, np.log(chance), np.log1p(-chance))
        present, absent = np.log(chance) + rest, np.log1p(-chance) + rest
        return np.asarray(np.logaddexp(*present) - np.logaddexp(*absent))

    def _joint(self, presence: sparse.csr_array) -> FloatArray:
        """log p(y_j, words below j) of both states, shape (2, n_documents, n_topics)."""
        scores = []
        for chance, state in zip(self._chance, self._log_state, strict=True):
            log_off = np.log1p(-chance)
            ties = (np.log(chance) - log_off)[:, None] * self._below
            scores.append(state + log_off @ self._below + presence @ ties)
        return np.stack(scores)
