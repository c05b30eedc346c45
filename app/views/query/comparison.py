"""Comparison of two queries: topics of one query at the sides, common topics in the middle.

A switch acts on both queries.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass, replace

import streamlit as st

from ....core.drawing import explorer_strings
from ....core.drawing import strings as drawing_strings
from ....core.drawing.links import is_node, node_key, united, whole
from ....core.drawing.local_model import TypedWord, local_links, state_legend, word_node
from ....core.drawing.picture import (
    Edge,
    LegendItem,
    Node,
    Picture,
    compose_zones,
    edge_legend,
    in_terms,
    unsure_legend,
)
from ....core.drawing.question import written
from ....core.drawing.selection import (
    hidden_count,
    is_shown,
    shown_estimate,
    shown_probability,
    supporting_words,
)
from ....core.inference.posterior import Estimate, Posterior
from ....core.inference.thresholds import MIN_CHANGE, ON_THRESHOLD, group_of
from ....core.model.topic_model import Run
from ...components.graph_component import Clicked, draw_graph
from ...shared import question, topic_card
from ...shared.answers import Answer
from ...shell import address, page
from ...text.safe_text import file_name, markdown_text
from . import nearest, strings, what_if, why

# Zones from left to right.
FIRST, BOTH, SECOND = 0, 1, 2
# Begins the key of a word of the second query that has another state in the first one.
OTHER_STATE = "second:"
# Ends a line in Markdown, without a paragraph.
LINE_END = "  \n"


@dataclass(frozen=True)
class Side:
    """One of two queries."""

    typed: tuple[TypedWord, ...]
    posterior: Posterior
    beginning: str = ""  # of a whole text

    @property
    def name(self) -> str:
        """The query as a heading."""
        return self.beginning or written(self.typed)


def _side(run: Run, answer: Answer) -> Side:
    """Side of one query; of a whole text, with the words that support its topics."""
    question = answer.question
    typed = tuple(word for word in question.typed if word.token >= 0)
    if question.body:
        words = set(supporting_words(run, answer.posterior))
        typed = tuple(w for w in typed if w.state != "present" or w.token in words)
    return Side(typed, answer.posterior, question.name)


def zone_of(first: bool, second: bool) -> int:
    """Zone of a topic or word that occurs in the first query, the second, or both."""
    return BOTH if first and second else FIRST if first else SECOND


def topics_by_zone(run: Run, first: Side, second: Side) -> tuple[list[int], ...]:
    """Topics that are not off in the first query only, in both, in the second only.

    The likeliest come first.
    """
    left, right = (shown_probability(run, side.posterior) for side in (first, second))
    zones: tuple[list[int], list[int], list[int]] = ([], [], [])
    for topic in sorted({*left, *right}, key=lambda t: -left.get(t, 0.0) - right.get(t, 0.0)):
        is_on = [group_of(side.get(topic, 0.0)) != "off" for side in (left, right)]
        if any(is_on):
            zones[zone_of(*is_on)].append(topic)
    return zones


def comparison_picture(run: Run, first: Side, second: Side, palette: str) -> Picture:
    """Picture of the topics and words of two queries, in three zones.

    Its ``counts`` are the numbers of topics in the zones: ``first``, ``both``, ``second``.
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
    twice = _in_two_states(first, second)
    for place, (zone, nodes) in enumerate(
        zip(_words_by_zone(first, second, twice), groups, strict=True)
    ):
        made = [word_node(run, word) for word in zone]
        nodes += [
            replace(node, key=OTHER_STATE + node.key)
            if place == SECOND and node.key in twice
            else node
            for node in made
        ]
    headings = strings.zone_headings(first.name, second.name)
    counts = dict(zip(("first", "both", "second"), map(len, zones), strict=True))
    picture = compose_zones(
        list(zip(headings, groups, strict=True)), _edges(run, first, second, twice)
    )
    picture = replace(
        picture,
        palette=palette,
        legend=_legend(
            [*first.typed, *second.typed],
            bool(clamped),
            hidden_count(run, first.posterior, second.posterior),
            unsure_legend(picture.nodes),
        ),
        description=explorer_strings.TWO_QUERIES.format(**counts),
        counts=counts,
    )
    return in_terms(picture, run.terms)


def _legend(
    typed: Sequence[TypedWord],
    has_clamped: bool,
    hidden: int,
    unsure: tuple[LegendItem, ...],
) -> tuple[LegendItem, ...]:
    items = [
        LegendItem("on", drawing_strings.LEGEND_ON),
        *unsure,
        LegendItem("present", drawing_strings.LEGEND_STATES["present"]),
        *state_legend(typed),
    ]
    if has_clamped:
        items.append(LegendItem("pin", drawing_strings.LEGEND_CLAMPED))
    if hidden:
        items.append(LegendItem("fold", drawing_strings.hidden_topics(hidden)))
    return (*items, *edge_legend())


def _in_two_states(first: Side, second: Side) -> set[str]:
    """Keys of the words that have another state in the second query, such as absent."""
    states = {word.key: word.state for word in first.typed}
    return {word.key for word in second.typed if states.get(word.key, word.state) != word.state}


def _words_by_zone(first: Side, second: Side, twice: Set[str]) -> tuple[list[TypedWord], ...]:
    """Words of the first query only, of both, of the second only; ``twice`` are in both sides."""
    left, right = ({word.key for word in side.typed} for side in (first, second))
    zones: tuple[list[TypedWord], ...] = ([], [], [])
    for word in {word.key: word for word in (*second.typed, *first.typed)}.values():
        if word.key not in twice:
            zones[zone_of(word.key in left, word.key in right)].append(word)
    for zone, side in ((FIRST, first), (SECOND, second)):
        zones[zone].extend(word for word in side.typed if word.key in twice)
    return zones


def _topic_node(run: Run, topic: int, sides: Sequence[Estimate | None], is_clamped: bool) -> Node:
    """Node of a topic with its probability under both queries; None if a query lacks the topic."""
    surest = max(known.value for known in sides if known is not None)
    label, code = run.topic_labels[topic], run.network.graph.topic_ids[topic]
    return Node(
        key=node_key(run, topic),
        kind="on" if surest > ON_THRESHOLD else "off",
        label=label,
        layer=int(run.network.graph.heights()[topic]),
        probability=surest,
        code=code,
        hover=(label, code, *strings.probabilities(*sides)),
        importance=surest,
        clamped=is_clamped,
        figures=strings.figures(*sides),
    )


def _edges(run: Run, first: Side, second: Side, twice: Set[str]) -> list[Edge]:
    """Links of both local models, without repetition; dark, as no shown topic is off.

    A word in ``twice`` has a box on each side, and each the links of its query.
    """
    found: dict[tuple[str, str], Edge] = {}
    for side in (first, second):
        for link in united(run, local_links(run, side.posterior)):
            if not is_shown(run, link):
                continue
            parent, child = node_key(run, link.parent), node_key(run, link.child)
            if side is second and child in twice:
                child = OTHER_STATE + child
            edge = Edge(parent, child, link.probability, strong=True)
            known = found.get((parent, child), edge)
            found[parent, child] = max(known, edge, key=lambda edge: edge.probability)
    return list(found.values())


def show(run: Run, answers: Sequence[Answer]) -> None:
    """Draw a sentence about the common topics, the picture, and the panels around it."""
    first, second = (_side(run, answer) for answer in answers)
    palette, selected = question.palette(), address.get("sel")
    zones = topics_by_zone(run, first, second)
    with st.container(key="answer"):
        sentences = map(run.terms.translated, answer_sentences(run, first, second))
        said = LINE_END.join(map(markdown_text, sentences))
        (st.markdown if any(zones) else st.info)(said)
    picture_column, side_column = page.picture_and_side(side_first=False)
    with picture_column:
        drawing, reasons = st.container(key="drawing"), st.container(key="reasons")
    with drawing:
        _show_picture(run, answers, comparison_picture(run, first, second, palette))
    with reasons:
        _show_why(run, answers, selected or _surest(run, zones), palette)
    with side_column:
        if not selected:
            page.remark(hint=run.terms.translated(explorer_strings.CARD_HERE))
        _show_card(run, (first, second), selected)
        what_if.show_switch(run, answers, selected)
        what_if.show_clamped(run)
    # Last, because opening the corpus may take time.
    with reasons:
        for place, answer, column in zip(("near", "near2"), answers, st.columns(2), strict=True):
            with column:
                nearest.show(run, answer, place, strings.NEAREST_TO.format(query=_named(answer)))


def answer_sentences(run: Run, first: Side, second: Side) -> list[str]:
    """Sentences on how two queries differ: the largest difference, then the topics of each zone.

    The topic of the largest difference is not named again.
    """
    zones, sides = topics_by_zone(run, first, second), (first, second)
    names, labels = (first.name, second.name), run.topic_labels
    different, left, right = largest_difference(run, first, second)
    found = [strings.difference(different, left, right, names)]
    if not any(zones):
        return [*found, explorer_strings.NONE_ON]
    for zone, side in zip((FIRST, SECOND), sides, strict=True):
        known = shown_estimate(run, side.posterior)
        ranked = sorted(zones[zone], key=lambda topic: -known[topic].value)
        topics = [(labels[topic], known[topic]) for topic in ranked if labels[topic] != different]
        if topics:
            is_more = len(topics) < len(ranked)
            found.append(strings.only_on(topics, side.name, is_more=is_more))
        elif not ranked and not zones[BOTH]:
            found.append(explorer_strings.SILENT.format(query=side.name))
    if not zones[BOTH] and not (zones[FIRST] and zones[SECOND]):
        return found
    present = {word for word in second.typed if word.state == "present"}
    common = [word.text for word in first.typed if word in present]
    both = [labels[topic] for topic in zones[BOTH] if labels[topic] != different]
    return [*found, strings.shared(both, common, is_more=len(both) < len(zones[BOTH]))]


def largest_difference(
    run: Run, first: Side, second: Side
) -> tuple[str, Estimate | None, Estimate | None]:
    """Topic whose probability differs most, with its probability in each query.

    The probability is None in a query that is not linked with the topic, in which it has its prior
    probability. The name is empty if no topic differs by `MIN_CHANGE` or more.
    """
    left, right = (shown_estimate(run, side.posterior) for side in (first, second))

    def difference(topic: int) -> float:
        usual = Estimate(float(run.displayed_prior[topic]), 0.0)
        return abs(left.get(topic, usual).value - right.get(topic, usual).value)

    topic = max(sorted({*left, *right}), key=difference, default=-1)
    if topic < 0 or difference(topic) < MIN_CHANGE:
        return "", None, None
    return run.topic_labels[topic], left.get(topic), right.get(topic)


def _surest(run: Run, zones: Sequence[Sequence[int]]) -> str:
    """Key of the topic that is explained by default: the first common topic, or else of one query.

    The key is empty if all topics are off.
    """
    ranked = [topic for zone in (zones[BOTH], zones[FIRST], zones[SECOND]) for topic in zone]
    return node_key(run, ranked[0]) if ranked else ""


def _named(answer: Answer) -> str:
    return markdown_text(answer.question.name)


def _show_picture(run: Run, answers: Sequence[Answer], picture: Picture) -> None:
    def react(clicked: Clicked) -> None:
        if clicked.turned:
            # A word that is drawn on the right only is switched in the right query.
            key = clicked.turned.removeprefix(OTHER_STATE)
            what_if.turn(run, answers if key == clicked.turned else answers[1:], key)
        else:
            topic_card.select(clicked.node.removeprefix(OTHER_STATE))

    opened = draw_graph(
        picture,
        key="comparison-graph",
        on_click=react,
        selected=address.get("sel"),
        can_turn=True,
        save_as=file_name(*(answer.question.name for answer in answers)),
    )
    with page.spread_row():
        rough = topic_card.roughness(*(answer.posterior for answer in answers))
        hint = strings.hint("HINT_COMPARISON", run.terms, has_texts=run.has_texts)
        page.remark(rough, explorer_strings.SIDES, hint=hint)
        question.choose_palette()
    opened = (opened or "").removeprefix(OTHER_STATE)
    if is_node(opened):
        page.open_in_graph(opened)


def _show_why(run: Run, answers: Sequence[Answer], selected: str, palette: str) -> None:
    """Draw the explanation of the selected topic for each query that is linked with it."""
    found = [shown_probability(run, answer.posterior) for answer in answers]
    linked = [
        number
        for number, topics in enumerate(found)
        if selected in (node_key(run, topic) for topic in topics)
    ]
    for number in linked:
        answer = answers[number]
        st.caption(explorer_strings.UNDER.format(query=_named(answer)))
        key = "" if number == linked[0] else "-2"
        why.show(run, answer.posterior, selected, palette, answer.before, key=key)()


def _show_card(run: Run, sides: Sequence[Side], selected: str) -> None:
    """Draw the card of the selected topic or word."""
    left, right = (shown_estimate(run, side.posterior) for side in sides)
    for topic in left | right:
        if node_key(run, topic) == selected:
            figures = strings.probabilities(left.get(topic), right.get(topic))
            topic_card.show_node(run, topic, " · ".join(figures))
    tokens = {word.token for side in sides for word in side.typed if word.key == selected} - {-1}
    for token in tokens:
        topic_card.show_node(run, run.network.graph.n_topics + token, "")
    topic_card.show_stranger(run, selected)
