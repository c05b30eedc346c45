"""The picture of two queries: what only one switches on at the sides, what both share between."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from orrery.app.graph.links import Link, node_key, united, whole
from orrery.app.graph.local_model import WORD_MEANING, TypedWord, local_links, word_node
from orrery.app.graph.picture import (
    Edge,
    LegendItem,
    Node,
    Picture,
    compose_zones,
    edge_legend,
    unsure_legend,
)
from orrery.app.graph.selection import hidden_count, is_shown, shown_estimate, shown_probability
from orrery.app.query.question import written
from orrery.app.words import comparison as words
from orrery.app.words import graph as graph_words
from orrery.core.exporting.thresholds import ON_THRESHOLD

if TYPE_CHECKING:
    from orrery.core.inference import Estimate, Posterior
    from orrery.core.run import Run

# Zones from left to right.
FIRST, BOTH, SECOND = 0, 1, 2


@dataclass(frozen=True)
class Side:
    """One of two queries."""

    typed: tuple[TypedWord, ...]
    posterior: Posterior

    @property
    def name(self) -> str:
        """Its words as a heading."""
        return written(self.typed)


def zone_of(first: bool, second: bool) -> int:
    """Zone of something that the first query, the second or both have."""
    return BOTH if first and second else FIRST if first else SECOND


def topics_by_zone(run: Run, first: Side, second: Side) -> tuple[list[int], ...]:
    """Topics that are on only in the first, in both, only in the second; likeliest first."""
    left, right = (shown_probability(run, side.posterior) for side in (first, second))
    zones: tuple[list[int], list[int], list[int]] = ([], [], [])
    for topic in sorted({*left, *right}, key=lambda t: -left.get(t, 0.0) - right.get(t, 0.0)):
        is_on = [side.get(topic, 0.0) > ON_THRESHOLD for side in (left, right)]
        if any(is_on):
            zones[zone_of(*is_on)].append(topic)
    return zones


def comparison_picture(run: Run, first: Side, second: Side, palette: str) -> Picture:
    """Draw what two queries switch on, in three zones.

    Parameters
    ----------
    run : Run
        Its network, vocabulary and topic labels.
    first, second : Side
    palette : str

    Returns
    -------
    Picture
        ``counts`` has the numbers of topics in the zones: ``first``, ``both``, ``second``.
    """
    zones = topics_by_zone(run, first, second)
    sides = [shown_estimate(run, side.posterior) for side in (first, second)]
    clamped = {whole(run, topic) for topic in first.posterior.evidence.on}
    groups = [
        [
            _topic_node(run, topic, [s.get(topic) for s in sides], topic in clamped)
            for topic in topics
        ]
        for topics in zones
    ]
    for zone, nodes in zip(_words_by_zone(first, second), groups, strict=True):
        nodes += [word_node(run, word) for word in zone]
    headings = (words.only(first.name), words.BOTH, words.only(second.name))
    counts = dict(zip(("first", "both", "second"), map(len, zones), strict=True))
    picture = compose_zones(list(zip(headings, groups, strict=True)), _edges(run, first, second))
    return replace(
        picture,
        palette=palette,
        legend=_legend(
            {word.state for word in (*first.typed, *second.typed)},
            bool(clamped),
            hidden_count(run, first.posterior, second.posterior),
            unsure_legend(picture.nodes),
        ),
        description=words.described(**counts),
        counts=counts,
    )


def _legend(
    states: set[str], has_clamped: bool, hidden: int, unsure: tuple[LegendItem, ...]
) -> tuple[LegendItem, ...]:
    items = [
        LegendItem("on", graph_words.LEGEND_ON),
        *unsure,
        LegendItem("present", graph_words.LEGEND_PRESENT),
        *(LegendItem(kind, WORD_MEANING[kind]) for kind in ("absent", "unknown") if kind in states),
    ]
    if has_clamped:
        items.append(LegendItem("pin", graph_words.LEGEND_CLAMPED))
    if hidden:
        items.append(LegendItem("fold", graph_words.hidden_topics(hidden)))
    return (*items, *edge_legend())


def _words_by_zone(first: Side, second: Side) -> tuple[list[TypedWord], ...]:
    left, right = ({word.key for word in side.typed} for side in (first, second))
    zones: tuple[list[TypedWord], ...] = ([], [], [])
    for word in {word.key: word for word in (*second.typed, *first.typed)}.values():
        zones[zone_of(word.key in left, word.key in right)].append(word)
    return zones


def _topic_node(run: Run, topic: int, sides: Sequence[Estimate | None], is_clamped: bool) -> Node:
    """Node of a topic with its probability under both queries, None where one has no word of it."""
    surest = max(known.value for known in sides if known is not None)
    label, code = run.topic_labels[topic], run.network.graph.topic_ids[topic]
    return Node(
        key=node_key(run, topic),
        kind="on",
        label=label,
        layer=int(run.network.graph.heights()[topic]),
        probability=surest,
        code=code,
        hover=(label, code, *words.probabilities(*sides)),
        importance=surest,
        clamped=is_clamped,
        figures=words.figures(*sides),
    )


def _edges(run: Run, first: Side, second: Side) -> list[Edge]:
    """Links of both local models, each once; dark, since all that is drawn is on somewhere."""
    links = [link for side in (first, second) for link in local_links(run, side.posterior)]
    return [_edge(run, link) for link in united(run, links) if is_shown(run, link)]


def _edge(run: Run, link: Link) -> Edge:
    parent, child = node_key(run, link.parent), node_key(run, link.child)
    return Edge(parent, child, link.probability, strong=True)
