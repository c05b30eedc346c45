"""Search for topics by their names or by the words that they generate."""

from __future__ import annotations

from dataclasses import dataclass

from ....core.drawing import strings as drawing_strings
from ....core.drawing.links import node_key, shown_parents
from ....core.drawing.strings import percent
from ....core.inference.thresholds import MIN_LINK_FOUND
from ....core.model.topic_model import Run
from ...shared.topic_facts import Spellings, spellings

# Number of words that are searched for a text; a few letters occur in thousands of words.
MAX_CONTAINING = 50


@dataclass(frozen=True)
class FoundNode:
    """A search result: the key and label of a node, and the reason why it was found."""

    key: str
    label: str
    reason: str


def find_nodes(run: Run, text: str) -> list[FoundNode]:
    """Topics whose name contains the text or whose id equals it, then the word, then its parents.

    Topics are ordered by the strength of their link to the word, or to a word that contains the
    text.
    """
    wanted = " ".join(text.lower().split())
    if not wanted:
        return []
    graph = run.network.graph
    named = [
        FoundNode(node_key(run, topic), label, graph.topic_ids[topic])
        for topic, label in enumerate(run.topic_labels)
        if topic not in run.wordless_topics
        and (wanted in label.lower() or wanted == graph.topic_ids[topic].lower())
    ]
    spelt = spellings(run.vocabulary)
    strength = _strengths(run, spelt, wanted)
    named.sort(key=lambda finding: -strength.get(finding.key, 0.0))
    found = {finding.key: finding for finding in named}
    for token in spelt.numbers.get(wanted, ()):
        key = node_key(run, graph.n_topics + token)
        found[key] = FoundNode(key, spelt.texts[token], drawing_strings.LEGEND_WORD)
        for finding in topics_of(run, token):
            found.setdefault(finding.key, finding)
    return list(found.values())


def _strengths(run: Run, spelt: Spellings, wanted: str) -> dict[str, float]:
    """Strongest link of each topic to the wanted word, or else to words that contain it."""
    tokens = spelt.numbers.get(wanted)
    tokens = tokens or [token for token, name in enumerate(spelt.lower) if wanted in name]
    found: dict[str, float] = {}
    for token in tokens[:MAX_CONTAINING]:
        for link in shown_parents(run, run.network.graph.n_topics + token):
            key = node_key(run, link.parent)
            found[key] = max(found.get(key, 0.0), link.probability)
    return found


def topics_of(run: Run, token: int) -> list[FoundNode]:
    """Parents of a word with the probabilities of their links, the strongest first."""
    node = run.network.graph.n_topics + token
    return [
        FoundNode(
            node_key(run, link.parent), run.topic_labels[link.parent], percent(link.probability)
        )
        for link in shown_parents(run, node, MIN_LINK_FOUND)
    ]
