"""Names of nodes, and links between displayed nodes, as every picture and page needs them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from ..inference.arcs import arc_strengths
from ..model.network import Network, weight_to_probability
from ..model.topic_model import Run
from . import strings as drawing_strings

# Links that a hover text lists.
STRONGEST = 3


@dataclass(frozen=True)
class Link:
    """An edge of the network between two of its nodes."""

    parent: int
    child: int
    probability: float  # that the parent, if on, activates the child by itself


def parent_links(
    network: Network, node: int, threshold: float = 0.0, left_out: Collection[int] = ()
) -> list[Link]:
    """Links from the parents of a node, at least as strong as the threshold, strongest first.

    ``left_out`` are numbers of edges without a link.
    """
    graph = network.graph
    first, end = graph.parent_ptr[node : node + 2].tolist()
    strengths = weight_to_probability(network.weight[first:end]).tolist()
    parents = graph.parent_idx[first:end].tolist()
    links = [
        Link(parent, node, strength)
        for edge, parent, strength in zip(range(first, end), parents, strengths, strict=True)
        if strength >= threshold and edge not in left_out
    ]
    return sorted(links, key=lambda link: -link.probability)


def child_links(
    network: Network, topic: int, threshold: float = 0.0, left_out: Collection[int] = ()
) -> list[Link]:
    """Links from a topic to its children, as in `parent_links`."""
    graph = network.graph
    span = slice(graph.child_ptr[topic], graph.child_ptr[topic + 1])
    edges = graph.child_edge[span]
    strengths = weight_to_probability(network.weight[edges]).tolist()
    children = graph.child_idx[span].tolist()
    links = [
        Link(topic, child, strength)
        for edge, child, strength in zip(edges.tolist(), children, strengths, strict=True)
        if strength >= threshold and edge not in left_out
    ]
    return sorted(links, key=lambda link: -link.probability)


def shown_parents(
    run: Run, node: int, threshold: float = 0.0, left_out: Collection[int] = ()
) -> list[Link]:
    """`parent_links` between displayed nodes (see `united`)."""
    return united(run, (link for n in run.parts_of(node) for link in parent_links(
        run.network, n, threshold, left_out)))  # fmt: skip


def shown_children(
    run: Run, topic: int, threshold: float = 0.0, left_out: Collection[int] = ()
) -> list[Link]:
    """`child_links` between displayed nodes (see `united`)."""
    return united(run, (link for n in run.parts_of(topic) for link in child_links(
        run.network, n, threshold, left_out)))  # fmt: skip


def united(run: Run, links: Iterable[Link]) -> list[Link]:
    """Links between displayed nodes, strongest first.

    For topics that are displayed as one, the strongest of their links is kept, and links among
    themselves are dropped. Topics without words are not displayed and have no links.
    """
    best: dict[tuple[int, int], Link] = {}
    for link in links:
        ends = whole(run, link.parent), whole(run, link.child)
        if ends[0] == ends[1] or not run.wordless_topics.isdisjoint(ends):
            continue
        if ends in best and best[ends].probability >= link.probability:
            continue
        best[ends] = Link(*ends, link.probability)
    return sorted(best.values(), key=lambda link: -link.probability)


def link_bits(run: Run, links: Sequence[Link]) -> list[float]:
    """Mutual information of the two ends of each link in bits, the largest of those it displays."""
    graph = run.network.graph
    edges_of = []
    for link in links:
        parents, children = run.parts_of(link.parent), run.parts_of(link.child)
        edges_of.append([
            graph.parent_ptr[child] + int(place)
            for child in children
            for place in np.flatnonzero(np.isin(graph.parents(child), parents))
        ])  # fmt: skip
    found = arc_strengths(run.network, np.array([e for edges in edges_of for e in edges], np.int64))
    bits = dict(zip(found.edge.tolist(), found.bits.tolist(), strict=True))
    return [max(bits[edge] for edge in edges) for edges in edges_of]


def whole(run: Run, node: int) -> int:
    """Return the node that displays a node: itself, or the topic of which it is part."""
    return run.shown_as.get(node, node)


def topic_named(run: Run, name: str) -> int:
    """Displayed topic with an id, as in the URL; -1 if it does not exist."""
    number = run.network.graph.topic_number.get(name)
    return -1 if number is None else whole(run, number)


def hover_lines(run: Run, felt: Iterable[tuple[float, Link]]) -> dict[int, tuple[str, ...]]:
    """Hover lines about the strongest links of each node; ``felt`` pairs links with importance."""
    found: dict[int, list[tuple[float, str]]] = {}
    for weight, link in felt:
        for node, other, from_above in (
            (link.child, link.parent, True),
            (link.parent, link.child, False),
        ):
            name = node_name(run, other)
            line = drawing_strings.influence(name, link.probability, from_above=from_above)
            found.setdefault(node, []).append((weight, line))
    return {
        node: tuple(line for _, line in sorted(lines, reverse=True)[:STRONGEST])
        for node, lines in found.items()
    }


def node_key(run: Run, node: int) -> str:
    """Key of a node in pictures and URLs: the permanent id of a topic, or the word itself."""
    graph = run.network.graph
    if node < graph.n_topics:
        return f"topic:{graph.topic_ids[node]}"
    return f"word:{node_name(run, node)}"


def is_node(key: str) -> bool:
    """Whether a key names a topic or word of the model, not a fold or an unknown word."""
    return key.startswith(("topic:", "word:"))


def has_card(key: str) -> bool:
    """Whether a key names something that can be selected: a node, or an unknown word."""
    return is_node(key) or key.startswith("unknown:")


def node_name(run: Run, node: int) -> str:
    """Label of a topic, or the text of a word."""
    n_topics = run.network.graph.n_topics
    return run.topic_labels[node] if node < n_topics else word_text(run.vocabulary[node - n_topics])


def word_text(token: str) -> str:
    """Text of a token as people read it; tokens of phrases are stored with underscores."""
    return token.replace("_", " ")
