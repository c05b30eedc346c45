"""Collapsed LDA and HDP: Gibbs sampling, AMF (CVB0), and second-order mean field.

Asuncion, "Approximate Mean Field for Dirichlet-Based Models" (2010), section 5. With the topics and
shares integrated out, collapsed Gibbs sampling draws a word's topic from (13). AMF uses expected
counts in place of counts (16), which is the CVB0 of Asuncion et al. (2009). Teh et al. (2007)
include variances to second order (18). All counts exclude the word that is updated.

Hierarchical Dirichlet process (HDP) by AMF and by second-order mean field: Asuncion (2010), section
6 and Figure 1a, after Teh et al. (2008). Direct assignment, truncated at ``n_topics``: the shares
of a document are Dirichlet(concentration * pi), pi has a stick-breaking prior, and each word's
topic is updated as in LDA with alpha_k = concentration * pi_k. The sticks have Beta posteriors,
which count the expected tables of all documents,

    E[tables_dk] = alpha_k (digamma(alpha_k + n_dk) - digamma(alpha_k)),

each at its expected count. The second-order variant differs from AMF only in using (18) for (16).
"""

from __future__ import annotations

from typing import ClassVar, Literal, Self

import numpy as np
from scipy.special import digamma

from ..kernels.compiling import kernel
from ..utils.types import FloatArray, Int64Array
from .mean_field_lda import ALPHA, ETA, MultinomialTopics
from .system import Documents, StoppingCallback, counts_of, never_stop

Method = Literal["gibbs", "amf", "second-order"]
# Deterministic sweeps end when the mean change of the responsibilities of a word is below this.
TOLERANCE = 1e-4


class CollapsedLda(MultinomialTopics):
    """LDA with collapsed inference of each word's topic; topics are posterior means.

    ``rounds`` is the number of sweeps over all words.
    """

    method: ClassVar[Method] = "amf"
    rounds = 100

    def __init__(self, n_topics: int, seed: int = 0, *, rounds: int | None = None) -> None:
        super().__init__(n_topics, seed, rounds=rounds)
        self._alpha = np.full(n_topics, ALPHA)

    def fit(self, documents: Documents, *, progress: StoppingCallback = never_stop) -> Self:
        """Train; see `Baseline.fit`."""
        counts = self._training(counts_of(documents))
        times = counts.data.astype(np.int64)
        rows = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))
        self._document = np.repeat(rows, times)
        self._word = np.repeat(counts.indices.astype(np.int64), times)
        self._n_documents = counts.shape[0]
        rng = np.random.default_rng(self.seed)
        if self.method == "gibbs":
            self._sample(rng, progress)
        else:
            self._sweep(rng, progress)
        return self

    def _sample(self, rng: np.random.Generator, progress: StoppingCallback) -> None:
        n_topics = self.n_topics
        topic = rng.integers(n_topics, size=len(self._word))
        in_document, of_word, total = self._tables(np.eye(n_topics)[topic])
        summed, drawn = np.zeros_like(of_word), 0
        self._set(of_word)
        for done in range(self.rounds):
            uniform = rng.random(len(topic))
            gibbs_sweep(
                self._document, self._word, topic, in_document, of_word, total, self._alpha,
                ETA, uniform,
            )  # fmt: skip
            if 2 * (done + 1) > self.rounds:
                summed, drawn = summed + of_word, drawn + 1
            self._set(summed / drawn if drawn else of_word)
            if progress((done + 1) / self.rounds):
                break

    def _sweep(self, rng: np.random.Generator, progress: StoppingCallback) -> None:
        q = rng.gamma(1.0, 1.0, (len(self._word), self.n_topics))
        q /= q.sum(axis=1, keepdims=True)
        means, variances = self._tables(q), self._tables(q * (1.0 - q))
        self._set(means[1])
        for done in range(self.rounds):
            place = (self._document, self._word, q, *means)
            if self.method == "amf":
                change = amf_sweep(*place, self._alpha, ETA)
            else:
                change = second_order_sweep(*place, *variances, self._alpha, ETA)
            self._between_sweeps(means[0])
            self._set(means[1])
            if change < TOLERANCE * max(len(q), 1) or progress((done + 1) / self.rounds):
                break

    def _between_sweeps(self, in_document: FloatArray) -> None:
        """Update alpha, in models that learn it."""

    def _tables(self, q: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Sums of responsibilities by document, by word, and over all words."""
        in_document = np.zeros((self._n_documents, self.n_topics))
        of_word = np.zeros((self.n_words, self.n_topics))
        np.add.at(in_document, self._document, q)
        np.add.at(of_word, self._word, q)
        return in_document, of_word, q.sum(axis=0)

    def _set(self, of_word: FloatArray) -> None:
        smooth = of_word.T + ETA
        self._topics = self._weights = smooth / smooth.sum(axis=1, keepdims=True)


class GibbsLda(CollapsedLda):
    """Collapsed Gibbs sampling (13); topics are averaged over the second half of the sweeps."""

    method: ClassVar[Method] = "gibbs"
    rounds = 200


class AmfLda(CollapsedLda):
    """Approximate mean field (16)."""

    method: ClassVar[Method] = "amf"


class SecondOrderLda(CollapsedLda):
    """Second-order mean field (18)."""

    method: ClassVar[Method] = "second-order"


@kernel
def gibbs_sweep(
    document: Int64Array, word: Int64Array, topic: Int64Array, in_document: FloatArray,
    of_word: FloatArray, total: FloatArray, alpha: FloatArray, eta: float, uniform: FloatArray,
) -> None:  # fmt: skip
    """Sample every word's topic from (13); ``uniform`` has a uniform number for each word."""
    all_eta = eta * of_word.shape[0]
    cumulative = np.empty(len(total))
    for i in range(len(word)):
        d, w, k = document[i], word[i], topic[i]
        in_document[d, k] -= 1.0
        of_word[w, k] -= 1.0
        total[k] -= 1.0
        run = 0.0
        for k in range(len(total)):
            run += (in_document[d, k] + alpha[k]) * (of_word[w, k] + eta) / (total[k] + all_eta)
            cumulative[k] = run
        k = 0
        while k < len(total) - 1 and cumulative[k] < uniform[i] * run:
            k += 1
        topic[i] = k
        in_document[d, k] += 1.0
        of_word[w, k] += 1.0
        total[k] += 1.0


@kernel
def amf_sweep(
    document: Int64Array, word: Int64Array, q: FloatArray, in_document: FloatArray,
    of_word: FloatArray, total: FloatArray, alpha: FloatArray, eta: float,
) -> float:  # fmt: skip
    """Update every word's responsibilities in place by (16); return the total change."""
    all_eta = eta * of_word.shape[0]
    updated = np.empty(q.shape[1])
    change = 0.0
    for i in range(len(word)):
        d, w = document[i], word[i]
        norm = 0.0
        for k in range(len(updated)):
            own = q[i, k]
            updated[k] = (
                (in_document[d, k] - own + alpha[k])
                * (of_word[w, k] - own + eta)
                / (total[k] - own + all_eta)
            )
            norm += updated[k]
        for k in range(len(updated)):
            shift = updated[k] / norm - q[i, k]
            q[i, k] += shift
            in_document[d, k] += shift
            of_word[w, k] += shift
            total[k] += shift
            change += abs(shift)
    return change


@kernel
def second_order_sweep(
    document: Int64Array, word: Int64Array, q: FloatArray, in_document: FloatArray,
    of_word: FloatArray, total: FloatArray, var_document: FloatArray, var_word: FloatArray,
    var_total: FloatArray, alpha: FloatArray, eta: float,
) -> float:  # fmt: skip
    """Update every word's responsibilities in place by (18); return the total change."""
    all_eta = eta * of_word.shape[0]
    updated = np.empty(q.shape[1])
    change = 0.0
    for i in range(len(word)):
        d, w = document[i], word[i]
        norm = 0.0
        for k in range(len(updated)):
            own = q[i, k]
            spread = own * (1.0 - own)
            document_count = in_document[d, k] - own + alpha[k]
            word_count = of_word[w, k] - own + eta
            total_count = total[k] - own + all_eta
            second = (var_total[k] - spread) / (2.0 * total_count * total_count)
            second -= (var_document[d, k] - spread) / (2.0 * document_count * document_count)
            second -= (var_word[w, k] - spread) / (2.0 * word_count * word_count)
            updated[k] = document_count * word_count / total_count * np.exp(second)
            norm += updated[k]
        for k in range(len(updated)):
            own, new = q[i, k], updated[k] / norm
            q[i, k] = new
            shift, spread = new - own, new * (1.0 - new) - own * (1.0 - own)
            in_document[d, k] += shift
            of_word[w, k] += shift
            total[k] += shift
            var_document[d, k] += spread
            var_word[w, k] += spread
            var_total[k] += spread
            change += abs(shift)
    return change


# Concentration of the Dirichlet of a document, and of the stick-breaking prior.
CONCENTRATION, GAMMA = 1.0, 1.0
MIN_ALPHA = 1e-8


class AmfHdp(CollapsedLda):
    """HDP by approximate mean field.

    ``sticks``, shape (n_topics,), are the expected shares of the topics in the corpus (sum 1).
    """

    def __init__(self, n_topics: int, seed: int = 0, *, rounds: int | None = None) -> None:
        super().__init__(n_topics, seed, rounds=rounds)
        self._alpha = np.full(n_topics, CONCENTRATION / n_topics)
        self.sticks = np.full(n_topics, 1.0 / n_topics)

    def _between_sweeps(self, in_document: FloatArray) -> None:
        """Update the sticks; the first stick belongs to the topic with the most tables."""
        tables = expected_tables(in_document, self._alpha).sum(axis=0)
        order = np.argsort(-tables, kind="stable")
        self.sticks[order] = broken_stick(tables[order], GAMMA)
        self._alpha = np.maximum(CONCENTRATION * self.sticks, MIN_ALPHA)


class SecondOrderHdp(AmfHdp):
    """HDP by second-order mean field."""

    method: ClassVar[Method] = "second-order"


def expected_tables(counts: FloatArray, alpha: FloatArray) -> FloatArray:
    """Expected number of tables for these numbers of customers in a Chinese restaurant process."""
    return np.asarray(alpha * (digamma(alpha + np.maximum(counts, 0.0)) - digamma(alpha)))


def broken_stick(tables: FloatArray, gamma: float) -> FloatArray:
    """Posterior mean of the sticks in this order; the last one takes the remainder."""
    after = tables.sum() - np.cumsum(tables)
    first = (1.0 + tables) / (1.0 + tables + gamma + after)
    first[-1] = 1.0
    left = np.concatenate([[1.0], np.cumprod(1.0 - first[:-1])])
    return np.asarray(first * left)
