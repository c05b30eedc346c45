"""Picture of the part of the graph around one topic or word."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ..model.topic_model import Run
from . import strings as drawing_strings
from .links import (
    Link,
    hover_lines,
    link_bits,
    node_key,
    node_name,
    shown_children,
    shown_parents,
)
from .picture import MAX_NODES, Edge, LegendItem, Node, Picture, compose, edge_legend, in_terms

# Nodes of each kind that are shown before the rest is folded. With the fold box, topics fit in one
# row; words, which are always the lowest, fill two. Without parents or words, children fill the
# rows that these would take; a band behind the rows shows that they are one layer.
SHOWN = {"parents": 4, "siblings": 3, "children": 4, "words": 9, "grandparents": 4}
ROWS_OF_CHILDREN, ROWS_OF_WORDS = 4, 2
# Nodes shown for each time that a kind was unfolded.
UNFOLDED = 80
FOLDABLE = frozenset({"parents", "siblings", "children", "words"})


@dataclass(frozen=True)
class Around:
    """A node, the weakest link to show, and how often each kind of neighbour is unfolded.

    ``by_bits`` selects what the width of a link shows: the information that its ends have about
    each other, in place of the probability of the link. ``rare`` are numbers of edges whose links
    are not drawn, because trainings seldom find them again.
    """

    node: int
    threshold: float
    unfolded: Mapping[str, int] = field(default_factory=dict)
    by_bits: bool = False
    rare: frozenset[int] = frozenset()

    def parents(self, run: Run, node: int) -> list[Link]:
        """Links from the parents of a node that can be drawn."""
        return shown_parents(run, node, self.threshold, self.rare)

    def children(self, run: Run, topic: int) -> list[Link]:
        """Links from a topic to its children that can be drawn."""
        return shown_children(run, topic, self.threshold, self.rare)


@dataclass
class _Piece:
    """Nodes chosen for a picture, by kind, and how many can be unfolded or folded back."""

    focus: int
    hidden: frozenset[int] = frozenset()
    shown: dict[str, tuple[int, ...]] = field(default_factory=dict)
    folded: dict[str, int] = field(default_factory=dict)
    unfolded: dict[str, int] = field(default_factory=dict)
    left_out: set[int] = field(default_factory=set)

    def add(self, kind: str, found: Iterable[int], around: Around) -> None:
        """Add nodes in the given order, as many as are shown of their kind."""
        ranked = []
        for node in dict.fromkeys(found):
            if node in self.hidden:
                self.left_out.add(node)
            else:
                ranked.append(node)
        first = self.room_for_children() if kind == "children" else SHOWN[kind]
        shown = _n_shown(first, around.unfolded.get(kind, 0), len(ranked))
        self.shown[kind] = tuple(ranked[:shown])
        self.folded[kind] = len(ranked) - shown
        self.unfolded[kind] = shown - _n_shown(first, 0, len(ranked))

    def room_for_children(self) -> int:
        """Number of children in the rows that parents and words leave, with a fold box."""
        rows = ROWS_OF_CHILDREN - bool(self.shown.get("parents"))
        rows -= ROWS_OF_WORDS * bool(self.shown.get("words"))
        # Every second row has one box less.
        return rows * SHOWN["children"] + (rows - 1) // 2

    def nodes(self) -> list[int]:
        """All nodes without duplicates, the focus in the middle of its siblings."""
        found = [node for nodes in self.shown.values() for node in nodes]
        found.insert(len(found) - len(self.shown.get("siblings", ())) // 2, self.focus)
        return list(dict.fromkeys(found))


def _n_shown(first: int, times: int, count: int) -> int:
    """Number of ``count`` nodes that are shown after unfolding them ``times`` times.

    ``first`` are shown before.
    """
    limit = UNFOLDED * times or first
    if limit >= MAX_NODES:
        # The picture itself leaves out what does not fit, and reports it.
        return count
    # A fold box would take as much room as the single node that it folds.
    return count if count == limit + 1 else min(count, limit)


def neighbourhood_picture(run: Run, around: Around) -> Picture:
    """Draw a topic with its parents, siblings and children, or a word with the topics above it.

    ``counts`` has the numbers of ``topics`` and ``words``, and of links of the node that are not
    drawn: ``rare`` ones, and ``hidden`` ones, which are below the threshold.
    """
    node, n_topics = around.node, run.network.graph.n_topics
    is_topic = node < n_topics
    # A hidden topic is shown if it is the focus.
    piece = _Piece(node, run.hidden_topics - {node})
    (_add_around_topic if is_topic else _add_around_word)(piece, run, around)
    chosen = piece.nodes()
    links = [
        link
        for child in chosen
        for link in around.parents(run, child)
        # For a word, only links to the focus are drawn.
        if link.parent in chosen and (child < n_topics or node in (child, link.parent))
    ]
    every, steady = (
        shown_parents(run, node, 0.0, rare) + (
            shown_children(run, node, 0.0, rare) if is_topic else [])
        for rare in (frozenset[int](), around.rare)
    )  # fmt: skip
    hidden = sum(link.probability < around.threshold for link in steady)
    bits = link_bits(run, links) if around.by_bits else [None] * len(links)
    picture = _draw(run, piece, links, bits)
    return replace(
        picture, counts=picture.counts | {"hidden": hidden, "rare": len(every) - len(steady)}
    )


def path_from_top(run: Run, node: int) -> list[int]:
    """Nodes from a topic without parents down to ``node``, along main parents."""
    path = [node]
    while (above := int(run.main_parents[path[0]])) >= 0:
        path.insert(0, above)
    return path


def _add_around_topic(piece: _Piece, run: Run, around: Around) -> None:
    n_topics = run.network.graph.n_topics
    below = [link.child for link in around.children(run, around.node)]
    above = [link.parent for link in around.parents(run, around.node)]
    piece.add("parents", above, around)
    # In the order of the card.
    words = run.shown_words(around.node, run.network.graph.n_tokens)
    rank = {run.token_number[word]: number for number, (word, _, _) in enumerate(words)}
    tokens = [child - n_topics for child in below if child >= n_topics]
    tokens.sort(key=lambda token: rank.get(token, len(rank)))
    piece.add("words", (n_topics + token for token in tokens), around)
    children = [child for child in below if child < n_topics]
    children.sort(key=lambda child: child in run.unclear_topics)
    piece.add("children", children, around)
    taken = set(piece.nodes())
    beside = [
        link
        for parent in piece.shown["parents"]
        for link in around.children(run, parent)
        if link.child < n_topics and link.child not in taken
    ]
    beside.sort(key=lambda link: (link.child in run.unclear_topics, -link.probability))
    piece.add("siblings", (link.child for link in beside), around)


def _add_around_word(piece: _Piece, run: Run, around: Around) -> None:
    above = [link.parent for link in around.parents(run, around.node)]
    piece.add("parents", above, around)
    higher = [
        link
        for parent in piece.shown["parents"]
        for link in around.parents(run, parent)
        if link.parent not in piece.shown["parents"]
    ]
    higher.sort(key=lambda link: -link.probability)
    piece.add("grandparents", (link.parent for link in higher), around)


def _draw(run: Run, piece: _Piece, links: Sequence[Link], bits: Sequence[float | None]) -> Picture:
    n_topics = run.network.graph.n_topics
    chosen = piece.nodes()
    heights = run.network.graph.heights().tolist()
    layers = _layers(chosen, links, piece, heights)
    hover = hover_lines(run, [(link.probability, link) for link in links])
    nodes = []
    for node in chosen:
        kind, importance = "topic" if node < n_topics else "word", 1.0
        if node == piece.focus:
            kind, importance = "focus" if node < n_topics else "present", 2.0
        nodes.append(graph_node(run, node, kind, layers[node], hover.get(node, ()), importance))
    nodes += _fold_nodes(run, piece, layers)
    edges = [
        replace(graph_edge(run, link, strong=piece.focus in (link.parent, link.child)), bits=each)
        for link, each in zip(links, bits, strict=True)
    ]
    n_words = sum(node >= n_topics for node in chosen)
    picture = compose(nodes, edges)
    items = [
        LegendItem("focus", drawing_strings.LEGEND_FOCUS),
        LegendItem("topic", drawing_strings.LEGEND_TOPIC),
    ]
    if n_words:
        items.append(LegendItem("word", drawing_strings.LEGEND_WORD))
    if piece.left_out:
        items.append(LegendItem("fold", drawing_strings.hidden_topics(len(piece.left_out))))
    picture = replace(
        picture,
        legend=(*items, *edge_legend(picture.edges, drawing_strings.LEGEND_OTHERS)),
        description=drawing_strings.graph_described(len(chosen) - n_words, n_words, len(links)),
        counts={"topics": len(chosen) - n_words, "words": n_words},
    )
    return in_terms(picture, run.terms)


def _layers(
    chosen: Sequence[int], links: Sequence[Link], piece: _Piece, heights: Sequence[int]
) -> dict[int, int]:
    """Layer of every node: above all its children; siblings are in the layer of the focus."""
    below: dict[int, list[int]] = {node: [] for node in chosen}
    for link in links:
        below[link.parent].append(link.child)
    lowest = {node: min(heights[node], 1) for node in chosen}
    layers = longest_paths(below, lowest, heights)
    siblings = piece.shown.get("siblings", ())
    for sibling in siblings:
        lowest[sibling] = layers[piece.focus]
    return longest_paths(below, lowest, heights) if siblings else layers


def longest_paths(
    below: dict[int, list[int]], lowest: dict[int, int], heights: Sequence[int]
) -> dict[int, int]:
    """Layer of every node: at least ``lowest``, and above all its children."""
    layers: dict[int, int] = {}
    # Links lead to smaller heights, so children come first in this order.
    for node in sorted(below, key=heights.__getitem__):
        layers[node] = max([lowest[node], *(layers[child] + 1 for child in below[node])])
    return layers


def graph_node(
    run: Run, node: int, kind: str, layer: int, lines: tuple[str, ...], importance: float = 0.0
) -> Node:
    """Box of a topic or word in a picture without a query; ``lines`` end its tooltip."""
    key, name = node_key(run, node), node_name(run, node)
    if node >= run.network.graph.n_topics:
        return Node(key, kind, name, layer, hover=(name, *lines), importance=importance)
    code = run.network.graph.topic_ids[node]
    hover = drawing_strings.topic_hover(name, code, None) + lines
    return Node(key, kind, name, layer, code=code, hover=hover, importance=importance)


def graph_edge(run: Run, link: Link, *, strong: bool, figures: str = "") -> Edge:
    """Arrow of a link; ``figures`` are printed beside it."""
    ends = node_key(run, link.parent), node_key(run, link.child)
    return Edge(*ends, link.probability, strong=strong, figures=figures)


def _fold_nodes(run: Run, piece: _Piece, layers: dict[int, int]) -> list[Node]:
    """Boxes that unfold a kind further or fold it back, in the layer of that kind."""
    nodes = []
    for kind in sorted(FOLDABLE & set(piece.shown)):
        for key, count, text in (
            (f"fold:{kind}", piece.folded[kind], drawing_strings.fold),
            (f"less:{kind}", piece.unfolded[kind], drawing_strings.fold_back),
        ):
            if count:
                neighbour = piece.focus if kind == "siblings" else piece.shown[kind][-1]
                folded = run.terms.translated(drawing_strings.FOLDED[kind])
                label, layer = text(count, folded), layers[neighbour]
                # Important enough to stay when the picture leaves out nodes.
                nodes.append(Node(key, "fold", label, layer, hover=(label,), importance=1.5))
    return nodes
