"""Merging of similar topics in the display, down to a requested number.

The parameters of the model do not change: the result is part of an overlay.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.cluster.hierarchy import linkage
from scipy.spatial.distance import pdist

from ..utils.errors import InputError
from .labels import reach
from .overlay import Overlay
from .topic_model import TopicModel

# Pairs with a smaller cosine of their words are not proposed.
MIN_SIMILARITY = 0.3


@dataclass(frozen=True)
class Merge:
    """Two groups of displayed topics of one layer that become one.

    ``first`` and ``second`` are their largest topics, by number, the larger group first.
    """

    first: int
    second: int
    similarity: float


def closest_merges(model: TopicModel) -> list[Merge]:
    """Merges of all displayed topics, the most similar first, until one is left in each layer.

    Clusters are joined by the mean cosine of the words of their topics (average linkage). Words
    count by how much more often the topic brings them than the model does on average.
    """
    height = model.network.graph.heights()
    displayed = model.displayed_topics
    n_topics = model.network.graph.n_topics
    brings = reach(model.network)
    expected = np.sqrt(np.maximum(model.prior[n_topics:], 1e-9))
    found: list[Merge] = []
    for layer in sorted({int(height[topic]) for topic in displayed}):
        topics = [topic for topic in displayed if height[topic] == layer]
        if len(topics) < 2:
            continue
        words = brings[topics].toarray() / expected
        # A topic that brings no word is similar to none.
        words[~words.any(axis=1), :] = np.finfo(float).tiny
        distance = np.nan_to_num(pdist(words, "cosine"), nan=1.0)
        # Each cluster is shown as its largest topic.
        leaders = list(topics)
        for one, other, apart, _ in linkage(np.maximum(distance, 0.0), "average").tolist():
            pair = sorted((leaders[int(one)], leaders[int(other)]), key=lambda t: -model.prior[t])
            leaders.append(pair[0])
            found.append(Merge(pair[0], pair[1], 1.0 - apart))
    return sorted(found, key=lambda merge: -merge.similarity)


def merges_to(model: TopicModel, n_topics: int) -> list[Merge]:
    """The merges that leave ``n_topics`` displayed topics, the most similar first.

    Raises InputError if there are fewer topics already, or the layers cannot be merged so far.
    """
    merges = closest_merges(model)
    shown = len(model.displayed_topics)
    if not 1 <= n_topics <= shown:
        raise InputError(f"the model shows {shown} topics; choose a number from 1 to {shown}")
    if shown - n_topics > len(merges):
        raise InputError(
            f"topics of different layers are not merged; choose {shown - len(merges)} or more"
        )
    return merges[: shown - n_topics]


def with_merges(model: TopicModel, overlay: Overlay, merges: list[Merge]) -> Overlay:
    """The overlay with these merges; topics merged before stay so."""
    ids = model.network.graph.topic_ids
    for merge in merges:
        overlay = overlay.with_merged(ids[merge.second], ids[merge.first])
    return overlay
