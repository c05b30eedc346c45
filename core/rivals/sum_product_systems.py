"""Sum-product networks as systems: a structure learned on the documents, then its weights.

What is modelled is which words are in a document, all at once, so that likelihoods are exact. The
topics are the clusters of documents that the root adds up.
"""

from __future__ import annotations

from typing import ClassVar, Self

import numpy as np

from orrery.core.arrays import FloatArray
from orrery.core.errors import InputError
from orrery.core.kernels.sums_and_products import Rows
from orrery.core.rivals.face import Documents, Rival, Watch, presence_of, unwatched
from orrery.core.rivals.spn_learning import (
    Rounds,
    by_cvb,
    by_cvb_gradient,
    by_em,
    by_gradient,
    by_stochastic_cvb,
)
from orrery.core.rivals.spn_structure import DEFAULT_STRUCTURE, StructureOptions, learn_structure
from orrery.core.rivals.sum_product_network import all_rows, distinct

# All pairs of words are counted in every slice.
MOST_WORDS = 3_000
# Of the whole progress, so much is the structure's.
STRUCTURE_SHARE = 0.3
# Weights are learned when a round gains less than this share of what is reached.
TOLERANCE = 1e-5


class SumProductSystem(Rival):
    """What all ways to learn the weights share; this one leaves those of the structure.

    Parameters
    ----------
    rounds : int
        The most passes over the documents for the weights.
    options : StructureOptions

    Attributes
    ----------
    network : SumProductNetwork
    reached : list of float
        Training objective before every round, in nats per document.
    """

    measure: ClassVar[str] = "log p(presence of every word), exact, nats"

    def __init__(
        self, n_topics: int, seed: int = 0, *, rounds: int = 30,
        options: StructureOptions = DEFAULT_STRUCTURE,
    ) -> None:  # fmt: skip
        super().__init__(n_topics, seed)
        self.rounds, self.options = rounds, options
        self.reached: list[float] = []

    def fit(self, documents: Documents, *, watch: Watch = unwatched) -> Self:
        """Train; see `Rival.fit`."""
        presence = self._training(presence_of(documents))
        if self.n_words > MOST_WORDS:
            raise InputError(
                f"a sum-product network counts all pairs of words and {self.n_words} are too many; "
                f"import with a vocabulary of at most {MOST_WORDS}"
            )
        presence, times = distinct(presence)
        stopped: list[bool] = []

        def of_structure(share: float) -> bool:
            stopped.append(watch(STRUCTURE_SHARE * share))
            return stopped[-1]

        self.network = learn_structure(
            presence, times, self.n_topics, self.options, self.seed, watch=of_structure
        )
        if not any(stopped):
            self.learn_weights(all_rows(presence)._replace(times=times), watch)
        return self

    def learn_weights(self, rows: Rows, watch: Watch = unwatched) -> None:
        """Learn the weights of the network that is there."""
        self.reached = []
        for done, (network, reached) in enumerate(self._improve(rows), start=1):
            self.network = network
            self.reached.append(reached)
            share = STRUCTURE_SHARE + (1.0 - STRUCTURE_SHARE) * done / self.rounds
            if watch(share) or done == self.rounds or self._is_settled():
                break

    def _improve(self, rows: Rows) -> Rounds:
        return iter(())

    def _is_settled(self) -> bool:
        gain = self.reached[-1] - self.reached[-2] if len(self.reached) > 1 else np.inf
        return bool(gain < TOLERANCE * abs(self.reached[-1]))

    def infer(self, documents: Documents) -> FloatArray:
        """Posterior probability of each cluster of the root; rows add to 1."""
        rows = self._rows(documents)
        return self.network.cluster_shares(rows)

    def bound_or_likelihood(self, documents: Documents) -> FloatArray:
        """Exact log-likelihood, of CVB at the posterior means of the weights."""
        rows = self._rows(documents)
        return self.network.log_likelihood(rows)

    def topics(self) -> FloatArray:
        """Probability of each word's presence in each cluster of the root."""
        return self.network.cluster_means()

    def expected_words(self, documents: Documents) -> FloatArray:
        """Log-odds of each word, all others as they are."""
        rows = self._rows(documents)
        return self.network.conditional_log_odds(rows)

    def _rows(self, documents: Documents) -> Rows:
        return all_rows(self._asked(presence_of(documents)))


class EmSpn(SumProductSystem):
    """Maximum likelihood by EM."""

    def _improve(self, rows: Rows) -> Rounds:
        return by_em(self.network, rows)


class GradientSpn(SumProductSystem):
    """Maximum likelihood by projected gradient (MLE-SPN)."""

    def _improve(self, rows: Rows) -> Rounds:
        return by_gradient(self.network, rows)


class CollapsedSpn(SumProductSystem):
    """CVB-SPN on all documents at once, by whole natural steps."""

    def _improve(self, rows: Rows) -> Rounds:
        return by_cvb(self.network, rows)


class CollapsedGradientSpn(SumProductSystem):
    """CVB-SPN on all documents at once, by projected gradient."""

    def _improve(self, rows: Rows) -> Rounds:
        return by_cvb_gradient(self.network, rows)


class StochasticCollapsedSpn(SumProductSystem):
    """CVB-SPN by batches of documents."""

    def _improve(self, rows: Rows) -> Rounds:
        return by_stochastic_cvb(self.network, rows, np.random.default_rng(self.seed))
