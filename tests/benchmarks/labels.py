"""A measure of topic names: which lack the word that the topic activates most often."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from orrery.core.model.labels import TopicWords, reach
from orrery.core.model.network import Network
from orrery.core.model.topic_names import LABEL_SEPARATOR
from orrery.core.utils.types import BoolArray


def likeliest(network: Network, vocabulary: Sequence[str], topic: int) -> list[str]:
    """Words that a topic activates most often, generally frequent ones included, with ties."""
    reached = reach(network)[[topic]].toarray().ravel()
    is_best = (reached > 0.0) & (reached >= (1.0 - 1e-9) * reached.max(initial=0.0))
    return [vocabulary[token] for token in np.flatnonzero(is_best)]


def lacks_strongest(
    network: Network, vocabulary: Sequence[str], labels: Sequence[str]
) -> BoolArray:
    """Mask of topics whose name lacks the word that the topic activates most often.

    A measure of names, shape (n_topics,), stricter than the rule of `topic_labels`, because
    generally frequent words count too. Of several equally frequent words, one is enough; a topic
    without words lacks none. The mean is the share of incomplete names.
    """
    described = TopicWords(network, vocabulary)
    lacks = np.zeros(len(labels), np.bool_)
    for topic, label in enumerate(labels):
        in_name = label.split(LABEL_SEPARATOR)
        wanted = {word.replace("_", " ") for word in likeliest(network, vocabulary, topic)}
        lacks[topic] = not described.is_wordless(topic) and wanted.isdisjoint(in_name)
    return lacks
