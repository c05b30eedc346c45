"""How large topics and families are: documents that they are on in, or prior probabilities.

No streamlit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from scipy import sparse

from orrery.app.graph.links import whole
from orrery.core.exporting.thresholds import ON_THRESHOLD
from orrery.core.families import family_documents, family_prior, find_families, joined

if TYPE_CHECKING:
    from orrery.core.run import Run
    from orrery.core.storage.activations import Activations


@dataclass(frozen=True)
class TopicSizes:
    """Size of every topic, shape (n_topics,).

    Attributes
    ----------
    size : tuple of float
        Number of documents in which the topic is on, or its prior probability; of a family that
        of any of its topics.
    documents : int
        How many documents were asked; 0 where the sizes are prior probabilities.
    """

    size: tuple[float, ...]
    documents: int


def topic_sizes(run: Run, activations: Activations | None) -> TopicSizes:
    """Count the documents of every topic, where they were stored beside the model.

    A document counts once for topics that are shown as one.
    """
    if activations is None or not activations.probability.shape[0]:
        return TopicSizes(_prior_sizes(run), 0)
    on = on_table(run, activations)
    return TopicSizes(tuple(map(float, on.sum(axis=0))), on.shape[0])


def family_sizes(run: Run, activations: Activations | None, threshold: float) -> TopicSizes:
    """`topic_sizes` of every topic with all that is below it (`orrery.core.families`).

    Parameters
    ----------
    run : Run
    activations : Activations or None
    threshold : float
        Probability of the weakest link that a topic may hang by.
    """
    members = find_families(run.network, threshold, run.hidden_topics, run.shown_as)
    if activations is None or not activations.probability.shape[0]:
        return TopicSizes(tuple(family_prior(run.network, members).tolist()), 0)
    on = activations.probability > ON_THRESHOLD
    return TopicSizes(tuple(map(float, family_documents(on, members))), on.shape[0])


def on_table(run: Run, activations: Activations) -> sparse.csr_array:
    """Whether a topic, or one that is shown as it, is on: bool, shape (n_rows, n_topics)."""
    return joined(activations.probability > ON_THRESHOLD, run.shown_as)


def on_probability(run: Run, activations: Activations, topic: int) -> npt.NDArray[np.float64]:
    """Probability of a topic, or of the surest that is shown as it, shape (n_rows,)."""
    parts = [other for other in range(activations.probability.shape[1])
             if whole(run, other) == topic]  # fmt: skip
    if not parts:
        return np.zeros(len(activations.rows))
    surest = activations.probability[:, parts].toarray().max(axis=1)
    return np.asarray(surest, np.float64)


def _prior_sizes(run: Run) -> tuple[float, ...]:
    """Prior probabilities; of topics that are shown as one, as if they were independent."""
    n_topics = run.network.graph.n_topics
    prior = run.prior[:n_topics]
    shown = np.array([whole(run, topic) for topic in range(n_topics)], np.int64)
    off: npt.NDArray[np.float64] = np.ones(n_topics)
    np.multiply.at(off, shown, 1.0 - prior)
    # To the last digit, so that a topic with nothing below is as large as its family.
    is_alone = np.bincount(shown, minlength=n_topics) == 1
    return tuple(np.where(is_alone, prior, 1.0 - off).tolist())
