"""Rules that assign one topic to a document, and their validation without labels.

Each rule is a function of the network, the presence of words (n_documents, n_tokens), the
probabilities of the topics (n_documents, n_topics) and the prevalence of each topic in the training
documents; it returns the topic of each document.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np
from scipy import sparse

from orrery.core.data.corpus import Corpus
from orrery.core.inference.infer import infer_activations
from orrery.core.inference.main_topics import main_topics, word_gains
from orrery.core.inference.thresholds import ON_THRESHOLD
from orrery.core.model.labels import reach
from orrery.core.model.network import Network
from orrery.core.utils.types import FloatArray, Int64Array
from tests.benchmarks.data import binary_corpus

# Pseudo-counts of the words of all documents in the words of a cluster; the best number is taken
# for each rule, so that no rule suffers from the sizes of its clusters.
PSEUDO_COUNTS = (100.0, 300.0, 1_000.0, 3_000.0, 10_000.0)
MIN_SHARE, MAX_SHARE = 1e-9, 0.99


class Documents(NamedTuple):
    """Documents as the rules see them; see the module."""

    network: Network
    presence: sparse.csr_array
    probability: FloatArray
    prevalence: FloatArray

    @property
    def information(self) -> FloatArray:
        """Negative log of the prevalence of each topic, in nats."""
        return np.asarray(-np.log(np.clip(self.prevalence, MIN_SHARE, MAX_SHARE)))

    @property
    def pull(self) -> sparse.csr_array:
        """Weight of each topic on each word over all paths, shape (n_topics, n_tokens)."""
        found = reach(self.network)
        found.data = -np.log1p(-np.minimum(found.data, 1.0 - 1e-12))
        return found

    @property
    def leak(self) -> FloatArray:
        """Leak of each word."""
        return self.network.leak[self.network.graph.n_topics :]


def _most_probable(given: Documents) -> Int64Array:
    return given.probability.argmax(axis=1)


def _informative(given: Documents) -> Int64Array:
    return (given.probability * given.information).argmax(axis=1)


def _explained(given: Documents) -> FloatArray:
    """Expected number of words that each topic explains (`word_causes`)."""
    pull = given.pull
    row, word = given.presence.tocoo().coords
    total = given.leak[word] + (sparse.csr_array(given.probability) @ pull).toarray()[row, word]
    share = sparse.csr_array((1.0 / total, (row, word)), shape=given.presence.shape)
    return (share @ pull.T).toarray() * given.probability


def _most_words(given: Documents) -> Int64Array:
    return _explained(given).argmax(axis=1)


def _most_informative_words(given: Documents) -> Int64Array:
    return (_explained(given) * given.information).argmax(axis=1)


def _costliest(given: Documents) -> Int64Array:
    """Topic that costs most log-likelihood if it is switched off, the others as they are."""
    pull, probability = given.pull, given.probability
    total = (sparse.csr_array(probability) @ pull).toarray()
    cost = np.full(probability.shape, -np.inf)
    documents, topics = np.nonzero(probability > ON_THRESHOLD)
    for begin in range(0, len(documents), 20_000):
        document, topic = documents[begin : begin + 20_000], topics[begin : begin + 20_000]
        own = sparse.csr_array(sparse.diags_array(probability[document, topic]) @ pull[topic])
        lost = sparse.coo_array(given.presence[document].multiply(own))
        pair, word = lost.coords
        whole = given.leak[word] + total[document[pair], word]
        rest = np.maximum(whole - lost.data, given.leak[word])
        gain = np.log(-np.expm1(-whole)) - np.log(-np.expm1(-rest))
        cost[document, topic] = np.bincount(pair, gain, len(document)) - own.sum(axis=1)
    return _among(cost, probability)


def _single_likelihood(given: Documents) -> Int64Array:
    """Topic under which presence and absence of all words are most likely, by itself."""
    gain = given.pull
    leak = given.leak[gain.indices]
    total = np.asarray(gain.sum(axis=1)).ravel()
    gain.data = np.log(-np.expm1(-(leak + gain.data))) - np.log(-np.expm1(-leak))
    return _among((given.presence @ gain.T).toarray() - total, given.probability)


def _without_limit(given: Documents) -> Int64Array:
    gain, log_total = word_gains(given.network)
    length = np.asarray(given.presence.sum(axis=1)).ravel()
    fit = (given.presence @ gain.T).toarray() - length[:, None] * log_total
    return fit.argmax(axis=1)


def _ours(given: Documents) -> Int64Array:
    activations = sparse.csr_array(given.probability)
    return main_topics(given.network, given.presence, activations).astype(np.int64)


def _among(score: FloatArray, probability: FloatArray) -> Int64Array:
    """Topic with the best score among the topics that are on, or the most probable one."""
    limited = np.where(probability > ON_THRESHOLD, score, -np.inf)
    is_on = np.isfinite(limited).any(axis=1)
    return np.where(is_on, limited.argmax(axis=1), probability.argmax(axis=1))


RULES: dict[str, Callable[[Documents], Int64Array]] = {
    "largest P(on)": _most_probable,
    "P(on) × information (the map until now)": _informative,
    "most words explained": _most_words,
    "most words explained × information": _most_informative_words,
    "costliest to switch off, among those on": _costliest,
    "likelihood of all words under one topic, among those on": _single_likelihood,
    "**words given one topic, among those on** (`main_topics`)": _ours,
    "words given one topic, also topics that are off": _without_limit,
}


def halves(corpus: Corpus, rows: Int64Array, seed: int) -> tuple[Corpus, sparse.csr_array]:
    """Split the words of each document at random: a corpus to infer on, and the hidden words."""
    rng, presence = np.random.default_rng(seed), sparse.csr_array(corpus.to_csr()[rows])
    document = np.repeat(np.arange(len(rows)), np.diff(presence.indptr))
    # Words in random order within each document.
    order = np.lexsort((rng.random(presence.nnz), document))
    place = np.arange(presence.nnz) - presence.indptr[document]
    is_seen = place < (np.diff(presence.indptr)[document] + 1) // 2
    word = presence.indices[order]
    seen, hidden = (
        sparse.csr_array((np.ones(chosen.sum()), (document[chosen], word[chosen])), presence.shape)
        for chosen in (is_seen, ~is_seen)
    )
    return binary_corpus(seen, corpus.vocabulary), hidden


def validate(
    network: Network, corpus: Corpus, train: Int64Array, rows: Int64Array, seed: int
) -> dict[str, FloatArray]:
    """Mean log-probability of the hidden words of each document given its topic, by rule.

    The topic is chosen from one half of the words. Its word frequencies are counted in the training
    documents that have the same topic by the same rule, so no rule is tested on its own assumption.
    """
    known = _documents(network, corpus, train, None)
    seen, hidden = halves(corpus, rows, seed)
    given = _documents(network, seen, np.arange(len(rows)), known.prevalence)
    counts = np.asarray(known.presence.sum(axis=0)).ravel() + 0.5
    overall = counts / counts.sum()
    length = np.asarray(hidden.sum(axis=1)).ravel()
    filled = length > 0.0
    found = {}
    for name, rule in RULES.items():
        own = rule(known)
        member = sparse.csr_array(
            (np.ones(len(own)), (own, np.arange(len(own)))),
            shape=(network.graph.n_topics, len(own)),
        )
        words = (member @ known.presence).toarray()
        chosen, best = rule(given)[filled], np.full(int(filled.sum()), -np.inf)
        for pseudo in PSEUDO_COUNTS:
            smoothed = words + pseudo * overall
            smoothed /= smoothed.sum(axis=1, keepdims=True)
            table = (hidden[filled] @ np.log(smoothed).T) / length[filled, None]
            score = table[np.arange(len(chosen)), chosen]
            best = max(best, score, key=np.mean)
        found[name] = best
    return found


def assign(
    network: Network, corpus: Corpus, train: Int64Array, rows: Int64Array
) -> Mapping[str, Int64Array]:
    """Topic of each document by every rule."""
    prevalence = _documents(network, corpus, train, None).prevalence
    given = _documents(network, corpus, rows, prevalence)
    return {name: rule(given) for name, rule in RULES.items()}


def _documents(
    network: Network, corpus: Corpus, rows: Int64Array, prevalence: FloatArray | None
) -> Documents:
    probability = infer_activations(network, corpus, rows).toarray()
    share = probability.mean(axis=0) if prevalence is None else prevalence
    presence = sparse.csr_array(corpus.to_csr()[rows], dtype=np.float64)
    return Documents(network, presence, probability, share)
