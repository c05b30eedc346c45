"""The picture of a query: its local model as in Figure 2 of Ji et al. (2019)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from ..inference.posterior import Estimate
from ..inference.prediction import predict_words
from ..inference.thresholds import LONG_QUERY, ON_THRESHOLD
from ..model.network import weight_to_probability
from . import strings as drawing_strings
from . import style
from .links import Link, hover_lines, node_key, parent_links, united, whole
from .picture import Edge, LegendItem, Node, Picture, compose, edge_legend, unsure_legend
from .selection import hidden_count, is_shown, quiet_topics, shown_estimate, strongest_links

if TYPE_CHECKING:
    from ..inference.posterior import Posterior
    from ..model.topic_model import Run


WORD_MEANING = {
    "present": drawing_strings.LEGEND_PRESENT,
    "absent": drawing_strings.LEGEND_ABSENT,
    "unknown": drawing_strings.LEGEND_UNKNOWN,
}
# Words are what a query is about: they stay when topics have to be left out.
WORD_IMPORTANCE = 2.0
Hover = dict[int, tuple[str, ...]]


@dataclass(frozen=True)
class TypedWord:
    """A word as it was typed; ``state`` is ``present``, ``absent`` or ``unknown``."""

    text: str
    state: str
    token: int = -1

    @property
    def key(self) -> str:
        """The node that stands for it."""
        return f"{'unknown' if self.token < 0 else 'word'}:{self.text}"


@dataclass(frozen=True)
class Look:
    """What a person chose to see: the palette, hidden kinds, and whether to unfold."""

    palette: str = style.DEFAULT_PALETTE
    hidden: frozenset[str] = frozenset()
    show_quiet: bool = False


def query_picture(
    run: Run,
    posterior: Posterior,
    typed: Sequence[TypedWord],
    look: Look,
    before: Posterior | None = None,
) -> Picture:
    """Draw the local model of a query.

    Parameters
    ----------
    run : Run
        Its network, vocabulary and topic labels.
    posterior : Posterior
    typed : sequence of TypedWord
        The bottom line, in the order in which it was typed.
    look : Look
    before : Posterior, optional
        Of the same words with no topic clamped: the picture says what has moved.

    Returns
    -------
    Picture
        ``counts`` has the numbers of topics ``on``, ``off`` (without those folded away) and
        ``quiet`` (that can be folded away), of those that a person has ``hidden``, and of
        ``words``.
    """
    known = shown_estimate(run, posterior)
    probability = {topic: estimate.value for topic, estimate in known.items()}
    links = [link for link in united(run, local_links(run, posterior)) if is_shown(run, link)]
    # What a link does here: its strength times how surely its cause is on.
    felt = [(link.probability * probability[link.parent], link) for link in links]
    hover = hover_lines(run, felt)
    topics = _with_hand(run, _topic_nodes(run, known, hover), posterior, before)
    quiet = {node_key(run, topic) for topic in quiet_topics(run, posterior, before)}
    folded = set() if look.show_quiet else quiet
    line: list[Node] = []
    if "words" not in look.hidden:
        expected = _expected_words(run, posterior, typed)
        line = [_expected(word_node(run, word, hover), word, expected) for word in typed]
    shown = _looked_at(topics, folded, look) + line
    on = sum(node.kind == "on" for node in topics)
    off = len(topics) - on - len(folded)
    counts = {"on": on, "off": off, "quiet": len(quiet), "words": len(typed)}
    counts["hidden"] = hidden_count(run, posterior)
    counts["clamped"] = sum(node.clamped for node in topics)
    drawn = strongest_links(links) if len(typed) > LONG_QUERY else links
    # An arrow to a word that is not there, or of which nothing is known, is pale.
    doubted = posterior.evidence.absent + posterior.evidence.unknown
    states = probability | {run.network.graph.n_topics + token: 0.0 for token in doubted}
    settled = [*_standing(run, before, look), *line] if before else []
    picture = compose(shown, _edges(run, drawn, states), settled)
    return replace(
        picture,
        left_out_edges=picture.left_out_edges + len(links) - len(drawn),
        palette=look.palette,
        legend=(
            *_legend(counts, typed, look, unsure_legend(picture.nodes)),
            *edge_legend(picture.edges, drawing_strings.LEGEND_ENDS_OFF),
        ),
        description=drawing_strings.described(on, off, len(typed)),
        counts=counts,
    )


def _looked_at(topics: Sequence[Node], folded: set[str], look: Look) -> list[Node]:
    return [node for node in topics if node.key not in folded and node.kind not in look.hidden]


def _standing(run: Run, before: Posterior, look: Look) -> list[Node]:
    """Topics that were shown when no topic was clamped: their places stay."""
    quiet = set() if look.show_quiet else quiet_topics(run, before)
    topics = _topic_nodes(run, shown_estimate(run, before), {})
    return _looked_at(topics, {node_key(run, topic) for topic in quiet}, look)


def local_links(run: Run, posterior: Posterior) -> list[Link]:
    """All edges of the local model, and those from its topics to words absent or left open."""
    local, n_topics = posterior.local, run.network.graph.n_topics
    number = np.concatenate([local.topics, local.tokens + n_topics])
    links = [
        Link(*ends)
        for ends in zip(
            number[local.edge_parent].tolist(),
            number[local.edge_child].tolist(),
            weight_to_probability(run.network.weight[local.edge]).tolist(),
            strict=True,
        )
    ]
    topics = set(local.topics.tolist())
    for token in posterior.evidence.absent + posterior.evidence.unknown:
        above = parent_links(run.network, n_topics + token)
        links += [link for link in above if link.parent in topics]
    return links


def _topic_nodes(run: Run, known: Mapping[int, Estimate], hover: Hover) -> list[Node]:
    heights = run.network.graph.heights()
    nodes = []
    for topic, estimate in known.items():
        label, code = run.topic_labels[topic], run.network.graph.topic_ids[topic]
        nodes.append(
            Node(
                key=node_key(run, topic),
                kind="on" if estimate.value > ON_THRESHOLD else "off",
                label=label,
                layer=int(heights[topic]),
                probability=estimate.value,
                code=code,
                hover=drawing_strings.topic_hover(label, code, estimate) + hover.get(topic, ()),
                importance=estimate.value,
                error=estimate.error,
            )
        )
    return nodes


def _with_hand(
    run: Run, nodes: list[Node], posterior: Posterior, before: Posterior | None
) -> list[Node]:
    """Mark what is clamped, and give the others the probability that they had before."""
    by_hand = posterior.evidence.on + posterior.evidence.off
    clamped = {node_key(run, whole(run, topic)) for topic in by_hand}
    was = shown_estimate(run, before) if before else {}
    earlier = {node_key(run, topic): value for topic, value in was.items()}
    marked = []
    for node in nodes:
        value = earlier.get(node.key)
        note = (drawing_strings.before(value),) if value is not None else ()
        hover = (*node.hover[:2], *note, *node.hover[2:])
        importance = WORD_IMPORTANCE if node.key in clamped else node.importance
        marked.append(
            replace(
                node, clamped=node.key in clamped, before=value, hover=hover, importance=importance
            )
        )
    return marked


def _expected_words(
    run: Run, posterior: Posterior, typed: Sequence[TypedWord]
) -> dict[int, Estimate]:
    """Probability of every word that the model knows and of which nothing is known."""
    unknown = [word.token for word in typed if word.state == "unknown" and word.token >= 0]
    if posterior.draws is None or not unknown:
        return {}
    every = predict_words(run.network, posterior)
    return {t: Estimate(float(every.probability[t]), float(every.error[t])) for t in unknown}


def word_node(run: Run, word: TypedWord, hover: Hover | None = None) -> Node:
    """The box of a word as it was typed, with what is to be said of it."""
    influences = (hover or {}).get(run.network.graph.n_topics + word.token, ())
    return Node(
        key=word.key,
        kind=word.state,
        label=word.text,
        layer=0,
        hover=(word.text, _meaning(word), *(influences if word.token >= 0 else ())),
        importance=WORD_IMPORTANCE,
    )


def _expected(node: Node, word: TypedWord, expected: dict[int, Estimate]) -> Node:
    """The box of a word, which says how probable the word is where nothing is known of it."""
    if word.token not in expected:
        return node
    line = drawing_strings.expected(expected[word.token])
    return replace(node, hover=(*node.hover[:2], line, *node.hover[2:]))


def _meaning(word: TypedWord) -> str:
    is_stranger = word.state == "unknown" and word.token < 0
    return drawing_strings.LEGEND_STRANGER if is_stranger else WORD_MEANING[word.state]


def _edges(run: Run, links: Sequence[Link], probability: dict[int, float]) -> list[Edge]:
    def is_on(node: int) -> bool:
        return probability.get(node, 1.0) > ON_THRESHOLD

    return [
        Edge(
            parent=node_key(run, link.parent),
            child=node_key(run, link.child),
            probability=link.probability,
            strong=is_on(link.parent) and is_on(link.child),
        )
        for link in links
    ]


def _legend(
    counts: dict[str, int],
    typed: Sequence[TypedWord],
    look: Look,
    unsure: tuple[LegendItem, ...],
) -> tuple[LegendItem, ...]:
    """Every sign of a box with its meaning; those with a switch are the filter."""
    states = {word.state for word in typed}
    items = [
        LegendItem(
            "on", f"{drawing_strings.LEGEND_ON} {counts['on']}", "on", "on" not in look.hidden
        ),
        LegendItem(
            "off", f"{drawing_strings.LEGEND_OFF} {counts['off']}", "off", "off" not in look.hidden
        ),
        *unsure,
        LegendItem("present", drawing_strings.LEGEND_PRESENT, "words", "words" not in look.hidden),
    ]
    items += [
        LegendItem(state, WORD_MEANING[state]) for state in ("absent", "unknown") if state in states
    ]
    if counts["clamped"]:
        items.append(LegendItem("pin", drawing_strings.LEGEND_CLAMPED))
    if counts["quiet"]:
        text = drawing_strings.quiet(counts["quiet"])
        items.append(LegendItem("fold", text, "quiet", look.show_quiet))
    if counts["hidden"]:
        items.append(LegendItem("fold", drawing_strings.hidden_topics(counts["hidden"])))
    return tuple(items)
