"""Stability of the topics and links of a model as sentences and plain values."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..model.topic_model import TopicModel
from ..storage.stability import Stability


def found_again(count: int, times: int) -> str:
    """Phrase such as "found again in 9 of 10"."""
    return f"found again in {count} of {times}"


def stability_sentence(model: TopicModel, found: Stability) -> str:
    """Sentence such as "31 of 48 topics come back in at least 8 of 10 trainings."."""
    counts = found.topic_counts[model.displayed_topics]
    stable = int((counts >= found.stable_from).sum()) if found.times else 0
    verb = "comes" if stable == 1 else "come"
    return (
        f"{stable} of {len(counts)} topics {verb} back in at least {found.stable_from} of "
        f"{found.times} trainings."
    )


def null_sentence(model: TopicModel, found: Stability) -> str:
    """Sentences on what the same comparison finds by chance; "" if there is nothing to say."""
    of_topics = found.topic_by_chance[:, model.displayed_topics]
    if not of_topics.size:
        return ""
    sentence = (
        "In shuffled documents, a topic reaches the required correlation in "
        f"{100.0 * float(of_topics.mean()):.1f} %; a topic counts as found again only above every "
        "shuffle."
    )
    # Trainings and links of which both ends were found again; the words are the same.
    graph, words = model.network.graph, np.ones((found.times, len(model.vocabulary)), bool)
    is_found = np.concatenate([found.topic, words], axis=1)
    is_paired = is_found[:, graph.parent_idx] & is_found[:, graph.edge_children()]
    if is_paired.any():
        share = 100.0 * float(found.link_by_chance[is_paired].mean())
        sentence += (
            " A link between found topics would be found again in "
            f"{share:.1f} %, if these were paired at random."
        )
    return sentence


def stability_values(model: TopicModel, found: Stability) -> dict[str, Any]:
    """Plain values for JSON: all topics and links with their counts and intervals.

    ``by_chance`` of a topic is the sum over the trainings of the share of the shuffles in which it
    reaches the required correlation; a topic that is found again is above every shuffle. Of a link,
    it is the expected number of trainings that would find it if the topics that were found again
    were paired at random.
    """
    graph, times = model.network.graph, found.times
    intervals = [list(found.interval(count)) for count in range(times + 1)]
    topic_chance, link_chance = (
        each.sum(axis=0) for each in (found.topic_by_chance, found.link_by_chance)
    )
    correlation = found.correlation.mean(axis=0) if times else np.zeros(graph.n_topics)
    names = [f"topic:{name}" for name in graph.topic_ids] + list(model.vocabulary)
    links = zip(graph.parent_idx.tolist(), graph.edge_children().tolist(), strict=True)
    displayed = model.displayed_topics
    counts = found.topic_counts
    return {
        "times": times,
        "sample": found.share,
        "seconds": float(found.seconds.sum()),
        "stable_from": found.stable_from,
        "stable_topics": int((counts[displayed] >= found.stable_from).sum()) if times else 0,
        "displayed_topics": len(displayed),
        "sentence": stability_sentence(model, found),
        "topics": [
            {
                "id": name,
                "label": model.topic_labels[topic],
                "found": int(counts[topic]),
                "interval": intervals[counts[topic]],
                "by_chance": float(topic_chance[topic]),
                "correlation": float(correlation[topic]),
            }
            for topic, name in enumerate(graph.topic_ids)
        ],
        "links": [
            {
                "parent": graph.topic_ids[parent],
                "child": names[child],
                "found": int(count),
                "interval": intervals[count],
                "by_chance": float(chance),
            }
            for (parent, child), count, chance in zip(
                links, found.link_counts.tolist(), link_chance.tolist(), strict=True
            )
        ],
    }
