"""Topics of short texts by AVI, ACP and ours, to be asked the same questions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from orrery.core.baselines.amortized import AcpNoisyOr, AmortizedNoisyOr, AviNoisyOr
from orrery.core.inference.infer import infer_activations
from orrery.core.model.network import Network
from orrery.core.training.options import TrainingOptions
from orrery.core.utils.types import FloatArray
from tests.benchmarks.data import binary_corpus
from tests.benchmarks.noisy_or_fits import Documents, evaluated, flat, learn, learn_ours, own_bounds

AMORTIZED: dict[str, type[AmortizedNoisyOr]] = {"AVI": AviNoisyOr, "ACP": AcpNoisyOr}
NAMES = (*AMORTIZED, "exact")
# Passes times documents, the least passes, and the rate of AVI and ACP.
VISITS, MIN_PASSES, RATE = 100_000, 20, 0.02
OURS = TrainingOptions(start="gibbs", start_epochs=150, epochs=4, weight_penalty=1.0)
# Shares of all edges that ours may prune to; the documents to choose by decide.
SHARES = (0.1, 0.3)
HOW = f"""AVI and ACP have one learning rate and early stopping on the validation documents; ours
starts by Gibbs sampling and keeps {SHARES[0]:.0%} or {SHARES[1]:.0%} of all edges, by validation.
"""


@dataclass(frozen=True, eq=False)
class OfSystem:
    """Result of AVI or ACP."""

    system: AmortizedNoisyOr

    @property
    def weight(self) -> FloatArray:
        """Weight of every topic to every word, shape (n_topics, n_words)."""
        return self.system.model.weight

    def features(self, documents: sparse.csr_array) -> FloatArray:
        """Probability of every topic to be on, shape (n_documents, n_topics)."""
        return self.system.infer(documents)

    def held_out(self, documents: sparse.csr_array) -> float:
        """Negative log-likelihood in nats a document, by whose draws it is lower."""
        by_its_own = -float(self.system.bound_or_likelihood(documents).mean())
        return min(evaluated(self.system.model, documents), by_its_own)


@dataclass(frozen=True, eq=False)
class OfOurs:
    """Result of our training; see `OfSystem`."""

    network: Network

    @property
    def weight(self) -> FloatArray:
        """Weight of every topic to every word."""
        return flat(self.network).weight

    def features(self, documents: sparse.csr_array) -> FloatArray:
        """Probability of every topic to be on."""
        return infer_activations(self.network, binary_corpus(documents)).toarray()

    def held_out(self, documents: sparse.csr_array) -> float:
        """Negative log-likelihood in nats a document."""
        return evaluated(flat(self.network), documents)


def learned(name: str, n_topics: int, documents: Documents, quick: bool) -> OfSystem | OfOurs:
    """Result of a system of `NAMES` on training and validation documents."""
    if name in AMORTIZED:
        passes = 3 if quick else max(VISITS // documents.train.shape[0], MIN_PASSES)
        # A look at the documents to choose by is after a tenth of the passes.
        system = AMORTIZED[name](n_topics, 0, rounds=passes, rate=RATE)
        learn(system, documents)
        return OfSystem(system)
    options = TrainingOptions(epochs=1) if quick else OURS
    networks = [
        learn_ours(options, share, n_topics, documents.train)
        for share in ((None,) if quick else SHARES)
    ]
    best = np.argmax([own_bounds(one, options, documents.valid).mean() for one in networks])
    return OfOurs(networks[best])
