"""Topic models of other packages with the face that all systems have: gensim and tomotopy.

Each learns at its own defaults but for the number of passes; documents are then read as in
`multinomial_documents`, so that bounds differ by the topics alone. The packages are imported when a
fit begins, for they are extras.
"""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from scipy import sparse

from orrery.core.arrays import FloatArray
from orrery.core.rivals.face import Documents, Watch, counts_of, unwatched
from orrery.core.rivals.multinomial_documents import MultinomialTopics

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
