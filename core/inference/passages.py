"""Topics of a document from the topics of its passages."""

from __future__ import annotations

import numpy as np

from ..utils.types import FloatArray


def document_probability(probability: FloatArray) -> FloatArray:
    """Probability of each topic to be on in at least one passage, 1 - Π(1 - p).

    The passages are independent given their words, as all documents of a model are.

    Parameters
    ----------
    probability : array, shape (n_passages, n_topics)
        Posterior probabilities of the topics in each passage.

    Returns
    -------
    array, shape (n_topics,)
    """
    return np.asarray(1.0 - np.prod(1.0 - probability, axis=0), np.float64)
