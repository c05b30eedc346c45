"""A small model made by hand, with "program" in three senses; it stands in for a trained run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np

from orrery.core.model.graph import build_graph
from orrery.core.model.labels import TopicWords, marginals, topic_labels
from orrery.core.model.network import Network, build_network
from orrery.core.model.overlay import Overlay
from orrery.core.model.subtrees import main_links
from orrery.core.model.topic_groups import Shelves

ABOVE = {
    "space": ("science",),
    "biology": ("science", "life"),
    "computing": ("technology",),
    "engines": ("technology",),
    "sport": ("leisure",),
    "music": ("leisure",),
    "cooking": ("leisure", "life"),
    "markets": ("society",),
}
TOPS = ("science", "technology", "leisure", "society", "life")
WORDS = {
    "space": "orbit shuttle nasa launch star program planet",
    "biology": "cell virus species plant culture field bat",
    "computing": "windows memory program virus disk mouse server code",
    "engines": "engine fuel plant power launch valve",
    "sport": "match pitch season field bat coach",
    "music": "concert pitch bass guitar program star",
    "cooking": "kitchen bass salt oven cell_phone season",
    "markets": "bank price share bond market culture",
    "science": "research theory evidence",
    "technology": "machine design system",
    "leisure": "evening club",
    "society": "public government",
    "life": "growth <img_src=x_onerror=alert(1)>",
}
# A word that no topic brings.
LONELY = "hermit"
STRONG, MIDDLE, LEAK, TOKEN_LEAK = 1.2, 0.35, 0.03, 0.004


@dataclass(frozen=True)
class ToyRun:
    """What pages and pictures need of a run."""

    network: Network
    vocabulary: tuple[str, ...]
    topic_labels: tuple[str, ...]
    folder: Path = field(default=Path("/nowhere/toy"))
    corpus_path: Path = field(default=Path("/nowhere/corpus"))
    hidden_topics: frozenset[int] = frozenset()
    wordless_topics: frozenset[int] = frozenset()
    overlay: Overlay = field(default_factory=Overlay)
    shown_as: Mapping[int, int] = field(default_factory=dict)
    shelves: Shelves | None = None

    @property
    def shelf_names(self) -> tuple[str, ...]:
        """What each shelf is called."""
        return () if self.shelves is None else self.shelves.names(self.vocabulary)

    @property
    def shelf_of(self) -> tuple[int, ...]:
        """Shelf of every topic."""
        return (
            (-1,) * self.network.graph.n_topics if self.shelves is None else tuple(self.shelves.of)
        )

    def shelf_name(self, topic: int) -> str | None:
        """What the shelf is called that a topic stands on; None if it stands on none."""
        return None if self.shelf_of[topic] < 0 else self.shelf_names[self.shelf_of[topic]]

    @property
    def n_hidden(self) -> int:
        """How many topics a person has hidden."""
        return len(self.hidden_topics - self.wordless_topics)

    @property
    def as_shown(self) -> tuple[frozenset[int], tuple[tuple[int, int], ...]]:
        """A key of what is shown, as of a model."""
        return self.hidden_topics, tuple(sorted(self.shown_as.items()))

    @property
    def made_labels(self) -> tuple[str, ...]:
        """The names made of words."""
        return tuple(topic_labels(self.network, self.vocabulary))

    @cached_property
    def token_number(self) -> dict[str, int]:
        """Number of each word."""
        return {word: number for number, word in enumerate(self.vocabulary)}

    @cached_property
    def prior(self) -> np.ndarray:
        """Probability of every node before anything is known."""
        return marginals(self.network)

    @cached_property
    def main_parents(self) -> np.ndarray:
        """Topic that each node hangs from, as of a model."""
        return main_links(self.network, hidden=self.hidden_topics, shown_as=self.shown_as)[0]

    @cached_property
    def topic_words(self) -> TopicWords:
        """The telling words of every topic."""
        return TopicWords(self.network, self.vocabulary)

    def parts_of(self, node: int) -> list[int]:
        """Return a node and those that are shown as it."""
        return [node, *(part for part, shown in self.shown_as.items() if shown == node)]

    def shown_words(self, topic: int, count: int = 10) -> list[tuple[str, float, float]]:
        """Words of a topic and of those that are shown as part of it, as of a model."""
        first, *others = self.parts_of(topic)
        return self.topic_words.words(first, count, others)

    def parse(self, text: str) -> tuple[np.ndarray, list[str]]:
        """Known tokens in ascending order, and unknown words; two words may be one phrase.

        A comma between them keeps them apart.
        """
        parts = text.lower().split()
        number = {word: token for token, word in enumerate(self.vocabulary)}
        known, unknown = set(), []
        while parts:
            pair = "_".join(parts[:2]).rstrip(",")
            size = 2 if pair in number and len(parts) > 1 else 1
            word = pair if size == 2 else parts[0].rstrip(",")
            if word in number:
                known.add(number[word])
            else:
                unknown.append(word)
            parts = parts[size:]
        return np.array(sorted(known), np.int32), unknown


def toy_run() -> ToyRun:
    """Thirteen topics in two layers over 60 words."""
    topics = [*TOPS, *ABOVE]
    linked = {word for text in WORDS.values() for word in text.split()}
    vocabulary = tuple(sorted(linked | {LONELY}))
    number = {name: place for place, name in enumerate(topics)}
    node = {word: len(topics) + place for place, word in enumerate(vocabulary)}
    edges = [(number[top], number[topic], STRONG) for topic in ABOVE for top in ABOVE[topic]]
    for topic, text in WORDS.items():
        for place, word in enumerate(text.split()):
            edges.append((number[topic], node[word], STRONG if place < 3 else MIDDLE))
    parents, children, weights = zip(*edges, strict=True)
    ids = [f"T{place:04d}" for place in range(len(topics))]
    graph, order = build_graph(len(vocabulary), ids, parents, children)
    leak = np.full(graph.n_nodes, TOKEN_LEAK)
    leak[: graph.n_topics] = LEAK
    network = build_network(graph, np.array(weights)[order], leak)
    return ToyRun(network, vocabulary, tuple(topic_labels(network, vocabulary)))


def large_run(n_topics: int, n_tokens: int, seed: int, links: int = 4) -> ToyRun:
    """A random model in three layers, of any size."""
    random = np.random.default_rng(seed)
    layer = np.sort(random.choice(3, n_topics, p=[0.05, 0.2, 0.75]))
    edges = set()
    for child in range(n_topics + n_tokens):
        level = 3 if child >= n_topics else layer[child]
        above = np.flatnonzero(layer < level) if level < 3 else np.flatnonzero(layer == 2)
        for parent in random.choice(above, min(links, len(above)), replace=False) if level else ():
            edges.add((int(parent), child))
    parents, children = zip(*sorted(edges), strict=True)
    ids = [f"T{place:04d}" for place in range(n_topics)]
    graph, order = build_graph(n_tokens, ids, parents, children)
    weights = random.gamma(0.7, 0.4, len(order))
    network = build_network(graph, weights, np.full(graph.n_nodes, 0.02))
    syllables = ["ta", "ri", "no", "vel", "sum", "pra", "kon", "dis", "er", "olo", "stra", "gen"]
    vocabulary = tuple(
        "".join(random.choice(syllables, 1 + token % 5)) + str(token) for token in range(n_tokens)
    )
    return ToyRun(network, vocabulary, tuple(topic_labels(network, vocabulary)))
