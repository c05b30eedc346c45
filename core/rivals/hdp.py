"""Hierarchical Dirichlet process by AMF and by second-order mean field.

Asuncion (2010), section 6 and Figure 1a, after Teh et al. (2008). Direct assignment, truncated at
``n_topics``: the shares of a document are Dirichlet(concentration * pi), pi is drawn by breaking a
stick, and each word's topic is updated as in `collapsed_lda` with alpha_k = concentration * pi_k.
The pieces of the stick have Beta posteriors that count the expected tables of all documents,

    E[tables_dk] = alpha_k (digamma(alpha_k + n_dk) - digamma(alpha_k)),

each at its expected count; the rows of second order differ from AMF in (18) against (16) alone.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from scipy.special import digamma

from orrery.core.arrays import FloatArray
from orrery.core.rivals.collapsed_lda import CollapsedLda, Method
from orrery.core.rivals.mean_field_lda import ETA

# Dirichlet counts that a document shares out among its topics, and how evenly the stick breaks.
CONCENTRATION, GAMMA = 1.0, 1.0
LEAST_ALPHA = 1e-8


class AmfHdp(CollapsedLda):
    """By approximate mean field.

    Attributes
    ----------
    sticks : float64 array, shape (n_topics,)
        Expected share of each topic in the whole, adding up to 1.
    """

    def __init__(
        self, n_topics: int, seed: int = 0, *, rounds: int | None = None, eta: float = ETA
    ) -> None:
        super().__init__(n_topics, seed, rounds=rounds, alpha=CONCENTRATION / n_topics, eta=eta)
        self.sticks = np.full(n_topics, 1.0 / n_topics)

    def _between_sweeps(self, in_document: FloatArray) -> None:
        """Break the stick anew; the largest piece goes to the topic with most tables."""
        tables = expected_tables(in_document, self._alpha).sum(axis=0)
        order = np.argsort(-tables, kind="stable")
        self.sticks[order] = broken_stick(tables[order], GAMMA)
        self._alpha = np.maximum(CONCENTRATION * self.sticks, LEAST_ALPHA)


class SecondOrderHdp(AmfHdp):
    """By mean field to second order."""

    method: ClassVar[Method] = "second-order"


def expected_tables(counts: FloatArray, alpha: FloatArray) -> FloatArray:
    """Expected number of tables of so many customers in a Chinese restaurant; shape of counts."""
    return np.asarray(alpha * (digamma(alpha + np.maximum(counts, 0.0)) - digamma(alpha)))


def broken_stick(tables: FloatArray, gamma: float) -> FloatArray:
    """Posterior mean of the pieces in this order; the last takes what is left."""
    after = tables.sum() - np.cumsum(tables)
    first = (1.0 + tables) / (1.0 + tables + gamma + after)
    first[-1] = 1.0
    left = np.concatenate([[1.0], np.cumprod(1.0 - first[:-1])])
    return np.asarray(first * left)
