"""Change a proposed graph so that it follows guidance."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from ..data.corpus import Corpus
from ..model.graph import Graph, build_graph
from ..model.network import StartValues
from ..utils.errors import InputError
from ..utils.lazy import LazyModule
from .constraints import Edge, Node, holds_pair, node_of, pairs_apart
from .guidance import Guidance, check_guidance, spelled

if TYPE_CHECKING:
    import networkx as nx
else:
    nx = LazyModule("networkx")


class MutableGraph:
    """Graph that can be changed; nodes have names that survive the changes.

    Attributes
    ----------
    topics : list of str
        Ids.
    edges : dict of (str, str or int) to float
        Initial weight of every edge, NaN if none is given; a child is a topic's id or a token's
        number.
    has_given_weights : bool
        Whether the original graph has weights.
    """

    def __init__(self, graph: Graph, given: StartValues | None) -> None:
        self._n_tokens = graph.n_tokens
        weight = np.full(graph.n_edges, math.nan) if given is None else given.weight
        leak = np.full(graph.n_nodes, math.nan) if given is None else given.leak
        names: list[Node] = [*graph.topic_ids, *range(graph.n_tokens)]
        self.topics = list(graph.topic_ids)
        self.edges: dict[Edge, float] = {}
        self._children: dict[str, set[Node]] = defaultdict(set)
        self._parents: dict[Node, set[str]] = defaultdict(set)
        ends = zip(graph.parent_idx.tolist(), graph.edge_children().tolist(), strict=True)
        for (parent, child), value in zip(ends, weight.tolist(), strict=True):
            self.add(graph.topic_ids[parent], names[child], value)
        self._leak: dict[Node, float] = dict(zip(names, leak.tolist(), strict=True))
        self._pinned: dict[str, set[Node]] = defaultdict(set)
        self.has_given_weights = not bool(np.isnan(weight).all())

    def add(self, parent: str, child: Node, weight: float = math.nan) -> None:
        """Add an edge unless it exists."""
        self.edges.setdefault((parent, child), weight)
        self._parents[child].add(parent)
        self._children[parent].add(child)

    def pin(self, parent: str, child: Node, weight: float) -> None:
        """Add an edge that stays; ``weight`` applies if it has no weight yet."""
        self.add(parent, child)
        self._pinned[parent].add(child)
        if math.isnan(self.edges[parent, child]):
            self.edges[parent, child] = weight

    def remove(self, parent: str, child: Node) -> None:
        """Remove an edge if it exists, and topics that lose their last child by it."""
        if self.edges.pop((parent, child), None) is None:
            return
        self._parents[child].discard(parent)
        self._children[parent].discard(child)
        is_pinned = any(parent in nodes for nodes in self._pinned.values())
        if not self._children[parent] and not is_pinned:
            self.topics.remove(parent)
            for above in self.parents_of(parent):
                self.remove(above, parent)

    def words_of(self, topic: str) -> set[int]:
        """Child tokens of a topic."""
        return {node for node in self._children[topic] if isinstance(node, int)}

    def pinned_words(self, topic: str) -> set[int]:
        """Pinned child tokens of a topic."""
        return {node for node in self._pinned[topic] if isinstance(node, int)}

    def parents_of(self, child: Node) -> list[str]:
        """Ids of a node's parents, sorted."""
        return sorted(self._parents[child])

    def topic_links(self) -> nx.DiGraph:
        """Graph of the edges between topics."""
        links = nx.DiGraph((p, c) for p, c in self.edges if isinstance(c, str))
        links.add_nodes_from(self.topics)
        return links

    def build(self) -> tuple[Graph, StartValues]:
        """Graph with its initial weights and leaks."""
        number = {name: place for place, name in enumerate(self.topics)}
        children = [
            number[child] if isinstance(child, str) else len(number) + child
            for _, child in self.edges
        ]
        graph, order = build_graph(
            self._n_tokens, self.topics, [number[parent] for parent, _ in self.edges], children
        )
        weight = np.array(list(self.edges.values()), np.float64)[order]
        names: list[Node] = [*graph.topic_ids, *range(self._n_tokens)]
        leak = np.array([self._leak.get(name, math.nan) for name in names], np.float64)
        return graph, StartValues(weight, leak)


# Initial weights: a seed topic activates each of its words in six of seven documents; a common
# parent of linked words activates them well above chance.
SEED_WEIGHT = 2.0
LINK_WEIGHT = 0.5
# Number of words that occur most with the seeds and become children too, so that the topic can
# grow.
COMPANIONS = 20
JOINING_TOPIC = "must_link"


def guide(
    graph: Graph, guidance: Guidance, corpus: Corpus, given: StartValues | None = None
) -> tuple[Graph, StartValues, Guidance]:
    """Graph that follows the guidance, with its initial weights.

    A seed becomes a topic above its words and above the words that occur most with them; an
    existing topic of that name gets the words. Missing frozen edges are added. Linked words get a
    common parent: the topic that is above most of them, or a new one. A topic above two words that
    cannot be linked keeps the word that fits it better, relative to the word's fit to its other
    parents. Raises InputError for an unknown word or topic, contradicting rules, or a frozen edge
    that closes a cycle; the message names the rule.

    Parameters
    ----------
    graph : Graph
        Over the vocabulary of the corpus.
    corpus : Corpus
        Measures how well a word fits a topic: by how often it occurs with the topic's other words.
    given : StartValues, optional
        Weights of the graph, which then measure how well a word fits.

    Returns
    -------
    guided : Graph
    given : StartValues
    guidance : Guidance
        With words as the vocabulary spells them.
    """
    guidance = spelled(guidance, corpus.token_number)
    check_guidance(guidance)
    guided = _GuidedGraph(MutableGraph(graph, given), guidance, corpus)
    guided.add_seeds()
    guided.check_topics()
    guided.freeze()
    guided.forbid()
    guided.link()
    guided.separate()
    return *guided.draft.build(), guidance


class _GuidedGraph:
    """Applies the rules of a guidance to a graph, one after another."""

    def __init__(self, draft: MutableGraph, guidance: Guidance, corpus: Corpus) -> None:
        self.draft = draft
        self._rules = guidance
        self._words = corpus.token_number
        self._likeness = _Likeness(corpus)
        self._apart = pairs_apart(guidance, self._words)
        self._forbidden = {(p, node_of(c, self._words)) for p, c in guidance.forbidden}

    def add_seeds(self) -> None:
        for name, words in self._rules.seeds:
            tokens = [self._words[word] for word in words]
            if name not in self.draft.topics:
                self.draft.topics.append(name)
                for token in self._companions(name, tokens):
                    self.draft.add(name, token)
            for token in tokens:
                self.draft.pin(name, token, SEED_WEIGHT)

    def _companions(self, name: str, seeds: list[int]) -> list[int]:
        likeness = np.mean([self._likeness.of(token) for token in seeds], axis=0)
        found: list[int] = []
        for token in np.argsort(-likeness, kind="stable").tolist():
            if len(found) == COMPANIONS or likeness[token] <= 0:
                break
            is_free = token not in seeds and (name, token) not in self._forbidden
            if is_free and not holds_pair({*seeds, *found, token}, self._apart):
                found.append(token)
        return found

    def check_topics(self) -> None:
        """Raise `InputError` for rules about topics that are not in the graph."""
        edges = [(f"frozen {n}", p, c) for n, (p, c, _) in enumerate(self._rules.frozen, start=1)]
        edges += [(f"forbidden {n}", p, c) for n, (p, c) in enumerate(self._rules.forbidden, 1)]
        for rule, parent, child in edges:
            for name in (parent, node_of(child, self._words)):
                if isinstance(name, str) and name not in self.draft.topics:
                    kind = "topic" if name == parent else "topic or word"
                    raise InputError(f"{rule} names {name!r}, and there is no such {kind}")

    def freeze(self) -> None:
        for number, (parent, child, weight) in enumerate(self._rules.frozen, start=1):
            node = node_of(child, self._words)
            links = self.draft.topic_links()
            if isinstance(node, str) and (node == parent or nx.has_path(links, node, parent)):
                raise InputError(
                    f"frozen {number} closes a cycle: {node!r} is {parent!r} or above it; remove "
                    "the rule, or turn it round"
                )
            if weight is not None:
                self.draft.add(parent, node)
                self.draft.edges[parent, node] = weight
            self.draft.pin(parent, node, SEED_WEIGHT)
            if self.draft.edges[parent, node] == 0:
                raise InputError(f"frozen {number} has the weight 0; forbid the edge instead")

    def forbid(self) -> None:
        for parent, child in self._forbidden:
            self.draft.remove(parent, child)
        self._rescue({child for _, child in self._forbidden})

    def link(self) -> None:
        for number, group in enumerate(self._rules.groups(), start=1):
            tokens = [self._words[word] for word in group]
            topic = self._best_parent(tokens)
            if topic is None:
                topic = f"{JOINING_TOPIC} {number}"
                while topic in self.draft.topics:
                    topic += "'"
                self.draft.topics.append(topic)
            for token in tokens:
                self.draft.pin(topic, token, LINK_WEIGHT)

    def _best_parent(self, tokens: list[int]) -> str | None:
        """Topic that is above most of the words and fits them best; None if no topic is allowed."""

        def fit(topic: str) -> tuple[int, float]:
            words = self.draft.words_of(topic)
            strength = sum(self._fit(topic, token) for token in tokens)
            return len(words.intersection(tokens)), strength

        free = [
            topic
            for topic in self.draft.topics
            if self.draft.words_of(topic)
            and not any((topic, token) in self._forbidden for token in tokens)
            and not holds_pair({*self.draft.pinned_words(topic), *tokens}, self._apart)
        ]
        # The last of equal ones: lower topics follow those above them.
        return max(reversed(free), key=fit, default=None)

    def separate(self) -> None:
        for pair in sorted(self._apart):
            one, other = pair
            common = [t for t in self.draft.topics if self.draft.words_of(t) >= {one, other}]
            fits = {t: [self._relative_fit(t, token) for token in pair] for t in common}
            # The topic with the clearest preference comes first.
            for topic in sorted(common, key=lambda topic: -abs(fits[topic][0] - fits[topic][1])):
                self.draft.remove(topic, self._loser(topic, pair))
        self._rescue({token for pair in self._apart for token in pair})

    def _loser(self, topic: str, pair: tuple[int, int]) -> int:
        """Word of the pair that a topic gives up."""
        pinned = self.draft.pinned_words(topic)

        def keeps(token: int) -> tuple[bool, bool, float, int]:
            n_parents = len(self.draft.parents_of(token))
            return token in pinned, n_parents == 1, self._relative_fit(topic, token), -n_parents

        return min(reversed(pair), key=keeps)

    def _relative_fit(self, topic: str, token: int) -> float:
        fits = {parent: self._fit(parent, token) for parent in self.draft.parents_of(token)}
        mean = math.fsum(fits.values()) / max(len(fits), 1)
        # Sums in another order differ in the last digits; rounding keeps equal fits equal.
        return round(fits[topic] / mean, 9) if mean > 0 else 1.0

    def _fit(self, topic: str, token: int) -> float:
        """Fit of a word to a topic: its given weight, or its similarity to the other words."""
        weight = self.draft.edges.get((topic, token), math.nan)
        if self.draft.has_given_weights and not math.isnan(weight):
            return weight
        others = sorted(self.draft.words_of(topic) - {token})
        return float(self._likeness.of(token)[others].mean()) if others else 0.0

    def _rescue(self, nodes: Iterable[Node]) -> None:
        """Give words that lost all parents another one, if one is allowed."""
        for token in sorted(node for node in nodes if isinstance(node, int)):
            if self.draft.parents_of(token):
                continue
            free = [
                topic
                for topic in self.draft.topics
                if self.draft.words_of(topic)
                and (topic, token) not in self._forbidden
                and not holds_pair({*self.draft.words_of(topic), token}, self._apart)
            ]
            if free:
                self.draft.add(max(free, key=lambda topic: self._fit(topic, token)), token)


class _Likeness:
    """Cosine similarity of two words by their documents."""

    def __init__(self, corpus: Corpus) -> None:
        self._presence = corpus.to_csr().astype(np.float64).tocsc()
        self._length = np.sqrt(np.maximum(corpus.document_frequency(), 1))
        self._known: dict[int, np.ndarray] = {}

    def of(self, token: int) -> np.ndarray:
        """Similarity of a token to every token, shape (n_tokens,)."""
        if token not in self._known:
            column = self._presence[:, [token]].toarray().ravel()
            both = self._presence.T @ column
            self._known[token] = both / (self._length * self._length[token])
        return self._known[token]
