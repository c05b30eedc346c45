"""How surprising it is to see some words together, compared with the words of the corpus's texts.

Words are related if they are together more often than if each came by itself. This is measured in
bits, ``log2 P(all words) - sum of log2 P(word)``, where a probability is the mean over texts of the
probability given the topics of the text. As many random words of each text have the same measure.
It is Jensen's measure of conflict in the evidence with the opposite sign.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import exp

import numpy as np
from scipy import sparse

from ..data.corpus import evenly_spaced
from ..model.network import Network
from ..utils.types import FloatArray, Int64Array
from .evidence import Evidence
from .posterior import Posterior

# Texts over which a probability is a mean, and texts whose random words are compared.
MAX_TEXTS, MAX_COMPARED = 10_000, 200
# With fewer texts to compare, a share says nothing.
MIN_COMPARED = 50
# From this share of texts on whose words are more closely related, a combination is unusual.
UNUSUAL_SHARE = 0.95
# Difference in bits that is no rounding error.
MIN_DIFFERENCE = 1e-9
# Smallest probability whose logarithm is taken.
MIN_PROBABILITY = 1e-300
# Largest log-ratio, in nats, whose exponential is a number.
MAX_LOG_RATIO = 700.0


def times_expected(
    posterior: Posterior, log_probability: Callable[[Evidence], float]
) -> float | None:
    """Probability of the present words, by the product of the probability of each alone.

    None for one word, a whole text, or a query with other evidence.

    Parameters
    ----------
    posterior : Posterior
        Posterior of the query.
    log_probability : callable
        Log-probability of other evidence under the model, in nats.
    """
    evidence = posterior.evidence
    is_plain = evidence == Evidence(evidence.present, closed_world=False, unknown=evidence.unknown)
    if len(evidence.present) < 2 or not is_plain:
        return None
    alone = sum(
        log_probability(replace(evidence, present=(token,), unknown=()))
        for token in evidence.present
    )
    return exp(min(posterior.log_probability - alone, MAX_LOG_RATIO))


@dataclass(frozen=True)
class Comparison:
    """How closely some words are related, compared with as many random words of each text.

    Attributes
    ----------
    n_words : int
    bits : float
        How much more probable the words are together than by themselves.
    n_texts : int
        Texts whose words are compared.
    share_less, share_more : float
        Share of these texts whose words are less, and more, closely related.
    """

    n_words: int
    bits: float
    n_texts: int
    share_less: float
    share_more: float

    @property
    def sentence(self) -> str:
        """The comparison in words, after a sentence about the query."""
        share, kind = max((self.share_less, "more"), (self.share_more, "less"))
        if share <= 0.5:
            return (
                "These words are about as closely related as random words of one text "
                f"({self.n_texts} texts taken from the corpus)."
            )
        unusual = ": an unusual combination" if self.share_more >= UNUSUAL_SHARE else ""
        return (
            f"These words are {kind} closely related than random words of one text (in "
            f"{share * self.n_texts:.0f} of {self.n_texts} texts taken from the corpus){unusual}."
        )


@dataclass(frozen=True, eq=False)
class TextsWithTopics:
    """Texts of a corpus with the probabilities of their topics (`texts_with_topics`).

    Attributes
    ----------
    network : Network
    presence : csr_array, shape (n_texts, n_tokens)
        The words of each text.
    probability : float64 csc_array, shape (n_texts, n_topics)
    """

    network: Network
    presence: sparse.csr_array
    probability: sparse.csc_array

    def compare(self, tokens: Sequence[int], usual: FloatArray) -> Comparison | None:
        """Compare words with random words; None for one word, or if ``usual`` is empty.

        Parameters
        ----------
        tokens : sequence of int
            Different words.
        usual : float64 array, shape (n_compared,)
            `usual_bits` for the same number of words.
        """
        if len(tokens) < 2 or not len(usual):
            return None
        bits = _bits_together(np.array([self._given_topics(token) for token in tokens]))
        less, more = usual < bits - MIN_DIFFERENCE, usual > bits + MIN_DIFFERENCE
        return Comparison(len(tokens), bits, len(usual), float(less.mean()), float(more.mean()))

    def usual_bits(self, n_words: int) -> FloatArray:
        """Bits of random words of each compared text, as its words are to the *other* texts.

        Shape (n_compared,), or (0,) if too few texts have so many words. The same words are drawn
        every time.
        """
        pointer = self.presence.indptr
        lengths = np.diff(pointer)
        rows = evenly_spaced(np.flatnonzero(lengths >= n_words), MAX_COMPARED)
        if len(rows) < MIN_COMPARED:
            return np.zeros(0)
        random = np.random.default_rng(n_words)
        found = np.empty(len(rows))
        for place, row in enumerate(rows.tolist()):
            words = np.sort(self.presence.indices[pointer[row] : pointer[row + 1]])
            tokens = random.choice(words, n_words, replace=False).tolist()
            given = np.array([self._given_topics(token) for token in tokens])
            found[place] = _bits_together(np.delete(given, row, axis=1))
        return found

    def _given_topics(self, token: int) -> FloatArray:
        """Probability of a word given the topics of each text, shape (n_texts,)."""
        graph, node = self.network.graph, self.network.graph.n_topics + token
        edges = slice(graph.parent_ptr[node], graph.parent_ptr[node + 1])
        log_absent = np.full(self.probability.shape[0], -self.network.leak[node])
        for topic, weight in zip(graph.parent_idx[edges], self.network.weight[edges], strict=True):
            texts = slice(self.probability.indptr[topic], self.probability.indptr[topic + 1])
            is_on = self.probability.data[texts]
            log_absent[self.probability.indices[texts]] += np.log1p(is_on * np.expm1(-weight))
        return np.asarray(-np.expm1(log_absent))


def texts_with_topics(
    network: Network, presence: sparse.csr_array, stored: sparse.csr_array, rows: Int64Array
) -> TextsWithTopics:
    """Texts of a corpus with stored topics, or evenly spaced ones if there are many.

    Parameters
    ----------
    network : Network
    presence : csr_array, shape (n_documents, n_tokens)
        The words of each document, over the vocabulary of the network.
    stored : csr_array, shape (n_rows, n_topics)
        Probability of each topic in each document.
    rows : int64 array, shape (n_rows,)
        Numbers of these documents in the corpus.
    """
    places = evenly_spaced(np.arange(len(rows)), MAX_TEXTS)
    probability = sparse.csc_array(stored[places].astype(np.float64))
    return TextsWithTopics(network, sparse.csr_array(presence[rows[places]]), probability)


def _bits_together(given: FloatArray) -> float:
    """Bits by which words are more probable together than by themselves.

    ``given`` has the probability of each word given the topics of each text, shape
    (n_words, n_texts).
    """
    together, alone = given.prod(axis=0).mean(), given.mean(axis=1)
    logs = np.log2(np.maximum(np.append(together, alone), MIN_PROBABILITY))
    return float(logs[0] - logs[1:].sum())
