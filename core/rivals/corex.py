"""CorEx of the package corextopic: topics that explain why words come together.

Gallagher et al. (2017). CorEx maximises the total correlation that hidden binary variables explain,
and is no generative model. Its documents are judged by the one that it suggests: every word hangs
below the topic that it is most tied to, and words are independent given what topics are on,

    p(x) = prod_j sum_y p(y_j) prod_{i below j} p(x_i | y_j).
"""

from __future__ import annotations

import contextlib
import io
from typing import ClassVar, Self

import numpy as np
from scipy import sparse

from orrery.core.arrays import FloatArray
from orrery.core.rivals.face import Documents, Rival, Watch, presence_of, unwatched

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
