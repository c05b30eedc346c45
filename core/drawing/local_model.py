"""Picture of a query: its local model as in Figure 2 of Ji et al. (2019)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..inference.posterior import Estimate, Posterior
from ..inference.prediction import predict_words
from ..inference.thresholds import LONG_QUERY, ON_THRESHOLD
from ..model.network import weight_to_probability
from ..model.topic_model import Run
from . import strings as drawing_strings
from . import style
from .links import Link, hover_lines, node_key, parent_links, united, whole
from .neighbourhood import graph_edge
from .picture import Edge, LegendItem, Node, Picture, compose, edge_legend, in_terms
from .selection import (
    hidden_count,
    is_shown,
    quiet_topics,
    shown_estimate,
    strongest_links,
    supporting_words,
)

# Higher than for any topic: if there is too much to draw, the typed words stay.
WORD_IMPORTANCE = 2.0
Hover = dict[int, tuple[str, ...]]


@dataclass(frozen=True)
class TypedWord:
    """A typed word; ``state`` is a name of `orrery.core.data.query.WORD_STATES`."""

    text: str
    state: str
    token: int = -1  # -1 if the model does not know the word

    @property
    def key(self) -> str:
        """Key of its node."""
        return f"{'unknown' if self.token < 0 else 'word'}:{self.text}"


@dataclass(frozen=True)
class Look:
    """Display settings: palette, hidden kinds of nodes, and whether faint topics are shown."""

    palette: str = style.DEFAULT_PALETTE
    hidden: frozenset[str] = frozenset()
    show_quiet: bool = False


def query_picture(
    run: Run,
    posterior: Posterior,
    typed: Sequence[TypedWord],
    look: Look,
    before: Posterior | None = None,
    *,
    is_text: bool = False,
) -> Picture:
    """Draw the local model of a query.

    Parameters
    ----------
    typed : sequence of TypedWord
        Those that the model knows are drawn in the bottom line, in this order.
    before : Posterior, optional
        Posterior without clamped topics; the picture shows how probabilities changed.
    is_text : bool
        Whether the query is a whole text: then the picture has the topics that are not off, and
        the words that support them.

    Returns
    -------
    Picture
        ``counts`` has the numbers of topics that are ``on``, ``unsure`` and ``off``, ``quiet``
        (off and can be folded), ``hidden`` by a person and ``clamped``, and the number of
        ``words``.
    """
    # The page names the unknown words; here they would look like words that are left open.
    typed = [word for word in typed if word.token >= 0]
    if is_text:
        words = set(supporting_words(run, posterior))
        typed = [word for word in typed if word.state != "present" or word.token in words]
    known = shown_estimate(run, posterior)
    probability = {topic: estimate.value for topic, estimate in known.items()}
    links = [link for link in united(run, local_links(run, posterior)) if is_shown(run, link)]
    # Importance of a link here: its strength times the probability that its parent is on.
    felt = [(link.probability * probability[link.parent], link) for link in links]
    hover = hover_lines(run, felt)
    topics = _with_hand(run, _topic_nodes(run, known, hover), posterior, before)
    faint = quiet_topics(run, posterior, before, is_text=is_text)
    quiet = {node_key(run, topic) for topic in faint}
    folded = set() if look.show_quiet else quiet
    line: list[Node] = []
    if "words" not in look.hidden:
        expected = _expected_words(run, posterior, typed)
        line = [word_node(run, word, hover, expected.get(word.token)) for word in typed]
    shown = _looked_at(topics, folded, look) + line
    counts = {name: sum(node.group == name for node in topics) for name in ("on", "unsure", "off")}
    counts |= {"quiet": len(quiet), "words": len(typed)}
    counts["hidden"] = hidden_count(run, posterior)
    counts["clamped"] = sum(node.clamped for node in topics)
    if is_text:
        shown_words = {run.network.graph.n_topics + word.token for word in typed}
        links = [x for x in links if x.child < run.network.graph.n_topics or x.child in shown_words]
    drawn = strongest_links(links) if len(typed) > LONG_QUERY else links
    # An arrow to a word that is absent or unknown is pale.
    outer = {run.network.graph.n_topics + token: 0.0 for token in outer_words(posterior)}
    states = probability | outer
    before_nodes = [*_standing(run, before, look, is_text=is_text), *line] if before else []
    picture = compose(shown, _edges(run, drawn, states), before_nodes)
    picture = replace(
        picture,
        left_out_edges=picture.left_out_edges + len(links) - len(drawn),
        palette=look.palette,
        legend=(
            *_legend(counts, typed, look),
            *edge_legend(picture.edges, drawing_strings.LEGEND_ENDS_OFF),
        ),
        description=drawing_strings.described(counts),
        counts=counts,
    )
    return in_terms(picture, run.terms)


def _looked_at(topics: Sequence[Node], folded: set[str], look: Look) -> list[Node]:
    return [node for node in topics if node.key not in folded and node.group not in look.hidden]


def _standing(run: Run, before: Posterior, look: Look, *, is_text: bool) -> list[Node]:
    """Topics that were drawn before any topic was clamped; they keep their positions."""
    quiet = set() if look.show_quiet else quiet_topics(run, before, is_text=is_text)
    topics = _topic_nodes(run, shown_estimate(run, before), {})
    return _looked_at(topics, {node_key(run, topic) for topic in quiet}, look)


def outer_words(posterior: Posterior) -> list[int]:
    """Given words that are no nodes of the local model: absent and unknown ones."""
    inner = set(posterior.local.tokens.tolist())
    return [token for token in posterior.evidence.tokens if token not in inner]


def local_links(run: Run, posterior: Posterior) -> list[Link]:
    """All edges of the local model, and those from its topics to `outer_words`."""
    local, n_topics = posterior.local, run.network.graph.n_topics
    number = np.concatenate([local.topics, local.tokens + n_topics])
    ends = number[local.edge_parent].tolist(), number[local.edge_child].tolist()
    strengths = weight_to_probability(run.network.weight[local.edge]).tolist()
    links = [Link(*values) for values in zip(*ends, strengths, strict=True)]
    topics = set(local.topics.tolist())
    for token in outer_words(posterior):
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
                hover=drawing_strings.topic_hover(label, code, estimate, run.terms)
                + hover.get(topic, ()),
                importance=estimate.value,
                error=estimate.error,
            )
        )
    return nodes


def _with_hand(
    run: Run, nodes: list[Node], posterior: Posterior, before: Posterior | None
) -> list[Node]:
    """Mark clamped topics, and give the others their probability before clamping."""
    by_hand = posterior.evidence.on + posterior.evidence.off
    clamped = {node_key(run, whole(run, topic)) for topic in by_hand}
    was = shown_estimate(run, before) if before else {}
    earlier = {node_key(run, topic): value for topic, value in was.items()}
    marked = []
    for node in nodes:
        value, is_clamped = earlier.get(node.key), node.key in clamped
        note = (drawing_strings.before(value),) if value is not None else ()
        hover = (*node.hover[:2], *note, *node.hover[2:])
        importance = WORD_IMPORTANCE if is_clamped else node.importance
        marked.append(
            replace(node, clamped=is_clamped, before=value, hover=hover, importance=importance)
        )
    return marked


def _expected_words(
    run: Run, posterior: Posterior, typed: Sequence[TypedWord]
) -> dict[int, Estimate]:
    """Probability of the words that the model knows and whose presence is not given."""
    given = ("present", "absent")
    tokens = [word.token for word in typed if word.state not in given and word.token >= 0]
    if posterior.samples is None or not tokens:
        return {}
    every = predict_words(run.network, posterior, tokens)
    return {t: Estimate(float(every.probability[t]), float(every.error[t])) for t in tokens}


def word_node(
    run: Run, word: TypedWord, hover: Hover | None = None, expected: Estimate | None = None
) -> Node:
    """Box of a typed word, whose tooltip has the probability ``expected`` and its links."""
    known = run.terms.translated(drawing_strings.LEGEND_STATES[word.state])
    lines = [word.text, known if word.token >= 0 else drawing_strings.LEGEND_STRANGER]
    if expected is not None:
        lines.append(drawing_strings.expected(expected))
    if word.token >= 0:
        lines += (hover or {}).get(run.network.graph.n_topics + word.token, ())
    return Node(word.key, word.state, word.text, 0, hover=tuple(lines), importance=WORD_IMPORTANCE)


def _edges(run: Run, links: Sequence[Link], probability: dict[int, float]) -> list[Edge]:
    def is_on(node: int) -> bool:
        return probability.get(node, 1.0) > ON_THRESHOLD

    return [
        graph_edge(run, link, strong=is_on(link.parent) and is_on(link.child)) for link in links
    ]


def state_legend(typed: Sequence[TypedWord]) -> list[LegendItem]:
    """Legend entries of the states of typed words other than ``present``."""
    states = {word.state for word in typed} - {"present"}
    meanings = drawing_strings.LEGEND_STATES.items()
    return [LegendItem(state, meaning) for state, meaning in meanings if state in states]


def _legend(
    counts: dict[str, int], typed: Sequence[TypedWord], look: Look
) -> tuple[LegendItem, ...]:
    """Symbols of boxes with their meanings; an entry with a switch filters the picture."""

    def switch(kind: str, text: str, name: str) -> LegendItem:
        return LegendItem(kind, text, name, name not in look.hidden)

    groups = ("on", "unsure", "off")
    items = [
        *(switch(name, drawing_strings.group_count(name, counts[name]), name) for name in groups),
    ]
    # Directly behind the topics that are off, of which they are a part.
    if counts["quiet"]:
        text = drawing_strings.quiet(counts["quiet"])
        items.append(LegendItem("fold", text, "quiet", look.show_quiet))
    items.append(switch("present", drawing_strings.LEGEND_STATES["present"], "words"))
    items += state_legend(typed)
    if counts["clamped"]:
        items.append(LegendItem("pin", drawing_strings.LEGEND_CLAMPED))
    if counts["hidden"]:
        items.append(LegendItem("fold", drawing_strings.hidden_topics(counts["hidden"])))
    return tuple(items)
