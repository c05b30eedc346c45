"""The picture of a query: its local model as in Figure 2 of Ji et al. (2019)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from app import graph_style as style
from app.graph_links import Link, hover_lines, node_key, parent_links, united, whole
from app.graph_picture import Edge, LegendItem, Node, Picture, compose, edge_legend
from app.words import graph as words
from app.words import query as query_words
from core.network import weight_to_probability

if TYPE_CHECKING:
    from core.inference import Posterior
    from core.storage import Run

WORD_MEANING = {
    "present": words.LEGEND_PRESENT,
    "absent": words.LEGEND_ABSENT,
    "unknown": words.LEGEND_UNKNOWN,
}
# Words are what a query is about: they stay when topics have to be left out.
WORD_IMPORTANCE = 2.0
# How many topics of each typed word are drawn however improbable they are.
ALTERNATIVES = 2
# Topics drawn though they are off, beside those.
OFF_SHOWN = 8

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
    run: Run, posterior: Posterior, typed: Sequence[TypedWord], look: Look
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

    Returns
    -------
    Picture
        ``counts`` has the numbers of topics ``on``, ``off`` (without those folded away) and
        ``quiet`` (that can be folded away), of those that a person has ``hidden``, and of
        ``words``.
    """
    probability = shown_probability(run, posterior)
    links = [link for link in united(run, local_links(run, posterior)) if _is_shown(run, link)]
    # What a link does here: its strength times how surely its cause is on.
    felt = [(link.probability * probability[link.parent], link) for link in links]
    hover = hover_lines(run, felt)
    topics = _topic_nodes(run, probability, hover)
    quiet = {node_key(run, topic) for topic in _quiet_topics(run, posterior)}
    folded = set() if look.show_quiet else quiet
    shown = [node for node in topics if node.key not in folded and node.kind not in look.hidden]
    if "words" not in look.hidden:
        shown += [_word_node(run, word, hover) for word in typed]
    on = sum(node.kind == "on" for node in topics)
    off = len(topics) - on - len(folded)
    hidden = hidden_count(run, posterior)
    counts = {"on": on, "off": off, "quiet": len(quiet), "hidden": hidden, "words": len(typed)}
    return replace(
        compose(shown, _edges(run, links, probability)),
        palette=look.palette,
        legend=_legend(counts, typed, look),
        description=query_words.described(on, off, len(typed)),
        counts=counts,
    )


def topic_probability(posterior: Posterior) -> dict[int, float]:
    """Probability of every topic of the local model."""
    topics, probability = posterior.local.topics.tolist(), posterior.probability.tolist()
    return dict(zip(topics, probability, strict=True))


def shown_probability(run: Run, posterior: Posterior) -> dict[int, float]:
    """Probability of every topic of the local model that pictures show.

    Of topics that are shown as one it is the probability that any of them is on, which is
    ``1 - prod(1 - probability)`` under the mean-field posterior.
    """
    shown: dict[int, float] = {}
    for topic, probability in topic_probability(posterior).items():
        node = whole(run, topic)
        if node in shown:
            shown[node] = 1.0 - (1.0 - shown[node]) * (1.0 - probability)
        elif node not in run.hidden_topics:
            shown[node] = probability
    return shown


def hidden_count(run: Run, posterior: Posterior) -> int:
    """Count the topics of the local model that a person has hidden."""
    topics = {whole(run, topic) for topic in posterior.local.topics.tolist()}
    return len(topics & run.hidden_topics)


def _is_shown(run: Run, link: Link) -> bool:
    return not {link.parent, link.child} & run.hidden_topics


def _quiet_topics(run: Run, posterior: Posterior) -> set[int]:
    """Topics too improbable to be drawn unless asked for.

    The strongest topics of each typed word are not among them: they are the meanings that the
    other words ruled out, and what Figure 2 is about.
    """
    kept = {
        whole(run, link.parent)
        for token in posterior.evidence.present
        for link in parent_links(run.network, run.network.graph.n_topics + token)[:ALTERNATIVES]
    }
    probability = shown_probability(run, posterior)
    off = sorted((p for p in probability.values() if p <= style.ON_THRESHOLD), reverse=True)
    # In a large model dozens are a little likely; the likeliest few tell the story.
    faintest = max([style.QUIET_THRESHOLD, *off[OFF_SHOWN - 1 : OFF_SHOWN]])
    return {t for t, p in probability.items() if p < faintest and t not in kept}


def local_links(run: Run, posterior: Posterior) -> list[Link]:
    """All edges of the local model, and those from its topics to words said absent."""
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
    for token in posterior.evidence.absent:
        above = parent_links(run.network, n_topics + token)
        links += [link for link in above if link.parent in topics]
    return links


def _topic_nodes(run: Run, probability: dict[int, float], hover: Hover) -> list[Node]:
    heights = run.network.graph.heights()
    nodes = []
    for topic, posterior in probability.items():
        label, code = run.topic_labels[topic], run.network.graph.topic_ids[topic]
        nodes.append(
            Node(
                key=node_key(run, topic),
                kind="on" if posterior > style.ON_THRESHOLD else "off",
                label=label,
                layer=int(heights[topic]),
                probability=posterior,
                code=code,
                hover=words.topic_hover(label, code, posterior) + hover.get(topic, ()),
                importance=posterior,
            )
        )
    return nodes


def _word_node(run: Run, word: TypedWord, hover: Hover) -> Node:
    influences = hover.get(run.network.graph.n_topics + word.token, ()) if word.token >= 0 else ()
    return Node(
        key=word.key,
        kind=word.state,
        label=word.text,
        layer=0,
        hover=(word.text, WORD_MEANING[word.state], *influences),
        importance=WORD_IMPORTANCE,
    )


def _edges(run: Run, links: Sequence[Link], probability: dict[int, float]) -> list[Edge]:
    def is_on(node: int) -> bool:
        return probability.get(node, 1.0) > style.ON_THRESHOLD

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
    counts: dict[str, int], typed: Sequence[TypedWord], look: Look
) -> tuple[LegendItem, ...]:
    """Every sign of the picture with its meaning; those with a switch are the filter."""
    states = {word.state for word in typed}
    items = [
        LegendItem("on", f"{words.LEGEND_ON} {counts['on']}", "on", "on" not in look.hidden),
        LegendItem("off", f"{words.LEGEND_OFF} {counts['off']}", "off", "off" not in look.hidden),
        LegendItem("present", words.LEGEND_PRESENT, "words", "words" not in look.hidden),
    ]
    items += [
        LegendItem(state, WORD_MEANING[state]) for state in ("absent", "unknown") if state in states
    ]
    if counts["quiet"]:
        text = query_words.quiet(counts["quiet"])
        items.append(LegendItem("fold", text, "quiet", look.show_quiet))
    if counts["hidden"]:
        items.append(LegendItem("fold", words.hidden_topics(counts["hidden"])))
    return (*items, *edge_legend())
