"""Last steps of the default training, for networks that a benchmark has trained."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from orrery.core.data.corpus import Corpus, evenly_spaced
from orrery.core.inference.infer import ROUGH_TOLERANCE, infer_activations, infer_bounds
from orrery.core.model.network import Network
from orrery.core.structure.regularization import discounted, relaxed
from orrery.core.training.structure_learning import DISCOUNTS, MAX_DOCUMENTS, usage_by


class Finished(NamedTuple):
    """A network with a discount, and what the documents to choose by give it, in nats each."""

    network: Network
    discount: float
    bound: float


def finished(network: Network, train: Corpus, valid: Corpus, penalty: float) -> Finished:
    """Relax the penalty of a trained network, and choose the discount on validation documents.

    Parameters
    ----------
    network : Network
    train : Corpus
        Training documents.
    valid : Corpus
        Validation documents that choose the discount, the smallest of equal ones.
    penalty : float
        Penalty of a unit of weight, in nats.
    """
    rows = evenly_spaced(np.arange(train.n_documents), MAX_DOCUMENTS)
    activations = infer_activations(network, train, rows, tolerance=ROUGH_TOLERANCE)
    usage = usage_by(activations, train.n_documents)
    network = relaxed(network, usage, penalty)
    made = [(discounted(network, usage, train.n_documents, taken), taken) for taken in DISCOUNTS]
    found = [Finished(*one, valid_bound(one[0], valid)) for one in made]
    return max(found, key=lambda one: one.bound)


def valid_bound(network: Network, valid: Corpus) -> float:
    """Exact bound of documents that did not train, in nats a document."""
    return float(infer_bounds(network, valid).mean())
