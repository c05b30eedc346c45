"""Explanation of one topic as a table, a waterfall chart and sentences (no Streamlit).

A reason is a message of belief propagation that reaches the topic. A parent that is on because of
the topic is no reason for it. Two sentences and a few bars are the explanation; all figures are in
a table. A list shows the probability of the topic without each word.
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from ....core.drawing import explorer_strings
from ....core.drawing.links import node_name
from ....core.drawing.selection import topic_probability
from ....core.drawing.strings import figures_of, listed, percent
from ....core.inference.explanation import Message, Omission
from ....core.inference.posterior import Estimate, Posterior
from ....core.inference.screening import Screened
from ....core.inference.thresholds import (
    MAX_AGAINST,
    MAX_BARS,
    MAX_NAMED,
    MAX_TOPICS,
    MIN_LOG_ODDS,
    MIN_SHARE,
    MIN_TOPIC_LOG_ODDS,
    MIN_WORDS_LOG_ODDS,
    ON_THRESHOLD,
    group_of,
)
from ....core.model.topic_model import Run
from ....core.storage.adoption import assumed_rate
from ....core.utils.lazy import LazyModule
from ...charts.theme import configuration, text_colour
from ...text.safe_text import html_text
from . import strings

if TYPE_CHECKING:
    import altair as alt
    import pandas as pd
else:
    alt = LazyModule("altair")
    pd = LazyModule("pandas")


BAR_HEIGHT = 30
# Share of the width that is reserved for the figures on the right.
ROOM_FOR_FIGURES = 0.2
# Colours of bars for, against and of the sum; visible on light and dark backgrounds.
COLOURS = {
    "green-red": ("#2E9E5B", "#CF574C", "#7A8797"),
    "blue-orange": ("#2E7FC6", "#DF8424", "#7A8797"),
}
KINDS = ("for", "against", "sum")
LABEL_WIDTH = 230
# Letters of a line of a label, and lines; the tooltip has the whole label.
LABEL_LETTERS, LABEL_LINES = 38, 2
# Name of the dataset of the chart.
ROWS = "reasons"
ROUNDING = 1e-9
# Letter without width that makes the keys of bars unique; no screen reader pronounces it.
NO_WIDTH = "\N{ZERO WIDTH SPACE}"
ROW = (
    '<div class="name">{name}</div>'
    '<div class="track"><div class="move" style="left:{left:.1f}%;width:{width:.1f}%;'
    'background:{colour}"></div><div class="now" style="left:{now:.1f}%"></div></div>'
    '<div class="figure">{figure}</div>'
)


def reasons(run: Run, messages: Sequence[Message], known: Estimate | None = None) -> pd.DataFrame:
    """Bars of a waterfall, from the leak to the sum of all messages.

    Parameters
    ----------
    run : Run
    messages : sequence of Message
        Messages of `explain` for one topic.
    known : Estimate, optional
        Probability of the topic in the label of the sum; by default computed from the sum.

    Returns
    -------
    pandas.DataFrame
        One row for each bar, in reading order. Columns: ``label``; ``start`` and ``end``, the
        log-odds in nats before and after the bar; ``log_odds``, their difference; ``kind``:
        ``for``, ``against`` or ``sum``.
    """
    leak = [message for message in messages if message.source == "leak"]
    # The correction for everything that single messages miss comes last.
    last = [message for message in messages if message.source == "together"]
    others = [m for m in messages if m not in leak + last and m.log_odds != 0.0]
    others.sort(key=lambda message: -abs(message.log_odds))
    room = MAX_BARS - len(last)
    n_shown = room if len(others) <= room else room - 1
    shown = [m for m in others[:n_shown] if abs(m.log_odds) >= MIN_LOG_ODDS]
    folded = others[len(shown) :]
    # Reasons for the topic before reasons against it, each the strongest first.
    shown.sort(key=lambda message: (message.log_odds < 0, -abs(message.log_odds)))
    bars = [(label(run, message), message.log_odds) for message in leak + shown]
    rest = math.fsum(message.log_odds for message in folded)
    if abs(rest) >= MIN_LOG_ODDS:
        bars.append((strings.others(len(folded)), rest))
    bars += [(label(run, message), message.log_odds) for message in last]
    return _waterfall(bars, known)


def _waterfall(bars: list[tuple[str, float]], known: Estimate | None = None) -> pd.DataFrame:
    rows, level = [], 0.0
    for label, log_odds in bars:
        kind = "for" if log_odds >= 0 else "against"
        rows.append((label, level, level + log_odds, log_odds, kind))
        level += log_odds
    total = known or Estimate(_probability(level), 0.0)
    rows.append((strings.total(total), 0.0, level, level, "sum"))
    return pd.DataFrame(rows, columns=["label", "start", "end", "log_odds", "kind"])


def label(run: Run, message: Message) -> str:
    """Name of one reason."""
    speaks_for = message.log_odds >= 0
    if message.source == "leak":
        return explorer_strings.ITSELF
    if message.source == "absent" and message.node is None:
        return run.terms.translated(explorer_strings.ABSENT_WORDS)
    if message.source == "together":
        return strings.together(speaks_for)
    is_topic = message.source in ("parent", "child")
    node = _node(message) + (0 if is_topic else run.network.graph.n_topics)
    return strings.reason(message.source, node_name(run, node), speaks_for)


@dataclass(frozen=True)
class Sorted:
    """Messages to a topic, sorted into the reasons of a short explanation.

    Attributes
    ----------
    base : float
        Log-odds before any word, from the prior probability.
    words, topics : tuple of Message
        Words and topics for the topic, by decreasing log-odds.
    against : tuple of Message
        Everything against it, the strongest first.
    together : Message or None
        Correction for the dependence of the reasons.
    n_circular : int
        Number of parents that are not on by themselves. Such a parent follows from the topic and
        is no reason for it.
    has_elsewhere : bool
        Whether the topic would be more probable without one of the words.
    """

    base: float
    words: tuple[Message, ...]
    topics: tuple[Message, ...]
    against: tuple[Message, ...]
    together: Message | None
    n_circular: int
    has_elsewhere: bool = False

    @property
    def is_joint(self) -> bool:
        """Whether the words are one reason with the correction.

        They are if they overlap and so count only once, and if one of them alone would be a reason
        against the topic.
        """
        is_overlap = self.together is not None and self.together.log_odds < 0
        return bool(self.words) and (is_overlap or self.has_elsewhere)

    @property
    def is_rarest(self) -> bool:
        """Whether nothing is more against the topic than how rare it is."""
        return self.base < 0.0 and (not self.against or self.base <= self.against[0].log_odds)

    @property
    def for_words(self) -> float:
        """Log-odds of all words for the topic; if they overlap, each counts once."""
        log_odds = math.fsum(message.log_odds for message in self.words)
        return log_odds + (self.together.log_odds if self.together and self.is_joint else 0.0)


def sort_reasons(
    messages: Sequence[Message], prior: float, elsewhere: frozenset[int] = frozenset()
) -> Sorted:
    """Sort the messages of `explain` for one topic with its prior probability.

    ``elsewhere`` has the tokens without which the topic would be more probable.
    """
    others = [m for m in messages if m.source not in ("leak", "together") and _is_reason(m)]
    others.sort(key=lambda message: -abs(message.log_odds))
    # Rounding leaves traces of messages that are 0.
    others = [message for message in others if abs(message.log_odds) > ROUNDING]
    speaking = [message for message in others if message.log_odds > 0.0]
    words = tuple(message for message in speaking if message.source == "token")
    return Sorted(
        base=_log_odds(prior),
        words=words,
        topics=tuple(message for message in speaking if message.source != "token"),
        against=tuple(message for message in others if message.log_odds < 0.0),
        together=next((message for message in messages if message.source == "together"), None),
        n_circular=sum(m.source == "parent" and not _is_reason(m) for m in messages),
        has_elsewhere=any(message.node in elsewhere for message in words),
    )


def short_reasons(
    run: Run,
    messages: Sequence[Message],
    prior: float,
    known: Estimate | None = None,
    elsewhere: frozenset[int] = frozenset(),
) -> pd.DataFrame:
    """Few bars, in the order of `main_reason`; same columns and parameters as `reasons`.

    First the log-odds of the ``prior`` probability, then words, topics, and what is against it.
    Many words, words that overlap, and words of which one is in ``elsewhere`` are one bar. The
    remaining bar also contains the difference between the prior and the leak with the parents that
    are no reasons.
    """
    found = sort_reasons(messages, prior, elsewhere)
    words, topics, against = found.words, found.topics[:MAX_TOPICS], found.against[:MAX_AGAINST]
    bars = [(run.terms.translated(explorer_strings.LEAK), found.base)]
    if found.is_joint or len(words) > MAX_NAMED:
        bars.append((_joint_label(run, found), found.for_words))
        words = ()
    named = [*words[:MAX_NAMED], *topics, *against]
    named = [message for message in named if abs(message.log_odds) >= MIN_LOG_ODDS]
    bars += [(label(run, message), message.log_odds) for message in named]
    n_others = len(words) + len(found.topics) + len(found.against) - len(named)
    # The prior counts parents too, so that something may remain if each reason has a bar.
    n_others = max(n_others + found.n_circular, 1)
    rest = math.fsum(m.log_odds for m in messages) - math.fsum(value for _, value in bars)
    if found.together and not found.is_joint:
        rest -= found.together.log_odds
    if abs(rest) >= MIN_LOG_ODDS:
        bars.append((strings.others(n_others), rest))
    if found.together and not found.is_joint:
        bars.append((label(run, found.together), found.together.log_odds))
    return _waterfall(bars, known)


def _joint_label(run: Run, found: Sorted) -> str:
    names = _names(run, found.words)
    if len(found.words) == 1 or not found.is_joint:
        return names
    return explorer_strings.JOINT.format(names=names)


def _names(run: Run, messages: Sequence[Message]) -> str:
    n_topics = run.network.graph.n_topics
    nodes = [_node(m) + n_topics * (m.source == "token") for m in messages]
    return listed([node_name(run, node) for node in nodes], MAX_NAMED)


def main_reason(
    run: Run,
    messages: Sequence[Message],
    known: Estimate,
    prior: float,
    clamped: str = "",
    free: Estimate | None = None,
    elsewhere: frozenset[int] = frozenset(),
) -> str:
    """At most three sentences about the decisive reasons: words first, then topics.

    Parameters
    ----------
    run : Run
    messages : sequence of Message
    known : Estimate
        Probability of the topic.
    prior : float
        Probability of the topic before any word.
    clamped : str
        ``on`` or ``off`` if the topic is clamped.
    free : Estimate, optional
        Probability of the topic when nothing is clamped.
    elsewhere : frozenset of int
        Tokens without which the topic would be more probable: no sentence names them as reasons
        for the topic, although they have a message for it.
    """
    if clamped:
        return strings.clamped(clamped, free)
    found, group = sort_reasons(messages, prior, elsewhere), group_of(known.value)
    strong = [m for m in found.words if m.log_odds >= MIN_SHARE * found.words[0].log_odds]
    words = [message for message in strong if message.node not in elsewhere]
    has_words = found.for_words >= MIN_WORDS_LOG_ODDS and bool(words)
    topics = [m for m in found.topics[:MAX_TOPICS] if m.log_odds >= MIN_TOPIC_LOG_ODDS]
    others = [message for message in strong if message.node in elsewhere]
    better = [_counted(run, explorer_strings.WORDS_ELSEWHERE, others)] if others else []
    if group == "on":
        kind = explorer_strings.TOPICS_TOO if has_words else explorer_strings.TOPICS_FOR
        common = explorer_strings.NEITHER if found.base < 0.0 else explorer_strings.COMMON
        sentences = [
            *([_counted(run, explorer_strings.WORDS_FOR, words)] if has_words else []),
            *([_counted(run, kind, topics)] if topics else []),
            *better,
        ]
        return " ".join(sentences) or common.format(share=percent(prior))
    sentences = []
    if has_words:
        kind = explorer_strings.WORDS_BUT_RARE if found.is_rarest else explorer_strings.WORDS_BUT
        sentences = [_counted(run, kind, words, rate_of(run, prior))]
    elif topics:
        sentences = [_counted(run, explorer_strings.TOPICS_BUT, topics)]
    elif found.is_rarest and group == "off" and not others:
        sentences = [explorer_strings.RARE.format(rate=rate_of(run, prior))]
    return " ".join([*sentences, *better, *_objection(run, found)]) or explorer_strings.NEITHER


def _objection(run: Run, found: Sorted) -> list[str]:
    """Sentence about the strongest reason against a topic, unless that is how rare it is."""
    if found.is_rarest or not found.against or found.against[0].log_odds > -MIN_WORDS_LOG_ODDS:
        return []
    return [explorer_strings.AGAINST.format(reason=label(run, found.against[0]))]


def rate_of(run: Run, prior: float) -> str:
    """How rare a topic is, and whether this was only assumed."""
    assumed = assumed_rate(run.summary)
    is_assumed = assumed is not None and math.isclose(prior, assumed, rel_tol=1e-6)
    rate = explorer_strings.RATE_ASSUMED if is_assumed else explorer_strings.RATE
    return rate.format(share=percent(prior))


def _counted(
    run: Run, sentence: tuple[str, str], messages: Sequence[Message], rate: str = ""
) -> str:
    return sentence[len(messages) > 1].format(names=_names(run, messages), rate=rate)


def _is_reason(message: Message) -> bool:
    """Whether a message can explain that the topic is on.

    A parent that is off without the topic cannot.
    """
    return message.itself is None or message.itself > ON_THRESHOLD


def _log_odds(probability: float) -> float:
    sure = min(max(probability, ROUNDING), 1.0 - ROUNDING)
    return math.log(sure / (1.0 - sure))


def _probability(log_odds: float) -> float:
    return 1.0 / (1.0 + math.exp(-log_odds)) if log_odds > -500 else 0.0


def waterfall(table: pd.DataFrame, palette: str) -> dict[str, Any]:
    """Waterfall chart of `reasons`: each bar starts at the end of the bar above it.

    Returns
    -------
    dict
        Vega-Lite chart with its rows under ``datasets``. Only the rows differ between topics: a
        browser replaces rows much faster than it builds a chart.
    """
    rows = table.assign(figure=table["log_odds"].map(strings.signed))
    # The number of a bar makes its key unique, because two labels may be equal.
    rows["place"] = [wrapped(label) + NO_WIDTH * n for n, label in enumerate(rows["label"])]
    rows["order"] = range(len(rows))
    rows["right"] = rows[["start", "end"]].max(axis=1)
    # Ends of the axis: all bars, zero, and room for the figures.
    ends = rows[["start", "end"]]
    low, high = float(ends.min().min()), float(ends.max().max())
    rows["low"] = low - 0.02 * (high - low)
    rows["high"] = high + ROOM_FOR_FIGURES * (high - low or 1.0)
    return {**_empty_waterfall(palette), "datasets": {ROWS: rows}}


def wrapped(label: str) -> str:
    """Label on at most `LABEL_LINES` lines."""
    lines = textwrap.wrap(label, LABEL_LETTERS, max_lines=LABEL_LINES, placeholder=" …")
    return "\n".join(lines)


@cache
def _empty_waterfall(palette: str) -> dict[str, Any]:
    """Chart without rows; cached, because Altair takes longer to build it than a query takes."""
    base = alt.Chart(alt.NamedData(ROWS)).encode(
        # Not in the order of the data: if a browser replaces rows, the old ones come first.
        y=alt.Y("place:O", title=None, sort=alt.EncodingSortField("order", op="min")).axis(
            labelExpr="split(datum.value, '\\n')",
            labelLimit=LABEL_WIDTH, labelOverlap=False, ticks=False, domain=False, labelPadding=8,
        )
    )  # fmt: skip
    along = (
        alt.X("low:Q", title=explorer_strings.AXIS)
        .scale(nice=False, zero=False)
        .axis(tickCount=5, format=".2~f", titleAnchor="end")
    )
    tips = [
        alt.Tooltip("label:N", title=strings.REASON),
        alt.Tooltip("figure:N", title=strings.LOG_ODDS),
    ]
    # Invisible bars over the whole width: they set the axis and show the tooltip.
    grounds = base.mark_bar(opacity=0).encode(x=along, x2="high:Q", tooltip=tips)
    colour = alt.Color("kind:N", legend=None).scale(domain=KINDS, range=COLOURS[palette])
    bars = base.mark_bar(cornerRadius=2, height={"band": 0.62}).encode(
        x="start:Q", x2="end:Q", color=colour, tooltip=tips
    )
    # The figures have a sign, so they need no colour for or against.
    ink = text_colour(COLOURS[palette][2])
    figures = base.mark_text(align="left", dx=5, fontSize=12, fontWeight=600, color=ink).encode(
        x="right:Q", text="figure:N"
    )
    zero = alt.Chart(alt.Data(values=[{"zero": 0}])).mark_rule(color=COLOURS[palette][2])
    layers = alt.layer(grounds, zero.encode(x="zero:Q"), bars, figures)
    chart = layers.properties(
        height=alt.Step(BAR_HEIGHT),
        autosize=alt.AutoSizeParams(type="fit-x", contains="padding"),
        config=configuration(),
    )
    return dict(chart.to_dict())


def circular_parents(run: Run, posterior: Posterior, messages: Sequence[Message]) -> list[str]:
    """Sentences about parents that are on only because of the topic, and so do not support it.

    The message from a parent excludes the evidence that the topic itself sent to it (MATH §10.1);
    so do these sentences. ``messages`` reach the topic.
    """
    known = topic_probability(posterior)
    clamped = posterior.evidence.on + posterior.evidence.off
    return [
        strings.circular(node_name(run, _node(message)))
        for message in sorted(messages, key=lambda message: -message.log_odds)
        if message.source == "parent"
        and message.node not in clamped
        and not _is_reason(message)
        and known[_node(message)] > ON_THRESHOLD
    ][:MAX_TOPICS]


def _node(message: Message) -> int:
    return -1 if message.node is None else message.node


@dataclass(frozen=True)
class Without:
    """A word or clamped topic of the query, and the probability of the topic without it."""

    name: str
    known: Estimate
    is_word: bool


def without_each(run: Run, omissions: Sequence[Omission]) -> list[Without]:
    """Rows of the list, in the order of ``omissions``."""
    n_topics = run.network.graph.n_topics
    return [
        Without(
            strings.piece(one.piece, node_name(run, one.node + n_topics * one.is_word)),
            one.without,
            one.is_word,
        )
        for one in omissions
    ]


def better_without(omissions: Sequence[Omission], known: Estimate) -> frozenset[int]:
    """Present tokens without which the topic would be visibly more probable than ``known``."""
    return frozenset(
        one.node
        for one in omissions
        if one.piece == "present"
        and one.without.value > known.value
        and figures_of(one.without) != figures_of(known)
    )


def screened_sentences(run: Run, topic: int, screened: Sequence[Screened]) -> list[str]:
    """Sentences about words and clamped topics that add nothing about a topic."""

    def name(piece: str, node: int) -> str:
        is_topic = piece in ("on", "off")
        place = node if is_topic else node + run.network.graph.n_topics
        return strings.piece(piece, node_name(run, place))

    about = run.topic_labels[topic]
    sentences = []
    for one in screened:
        own = name(one.piece, one.node)
        if one.before is not None and one.alone is not None:
            change = figures_of(one.before), figures_of(one.alone)
            sentences.append(strings.adds_little(own, about, *change))
        else:
            by = [name(*piece) for piece in one.by]
            sentences.append(strings.adds_nothing(own, about, by))
    return sentences


def without_html(rows: Sequence[Without], now: Estimate, palette: str) -> str:
    """List with one bar for each row, from the present probability to that without the word.

    A word supports the topic if the topic is less probable without it.
    """
    speaks_for, against, _ = COLOURS[palette]
    drawn = [
        ROW.format(
            name=html_text(row.name),
            left=100.0 * min(row.known.value, now.value),
            width=100.0 * abs(row.known.value - now.value),
            colour=speaks_for if row.known.value < now.value else against,
            now=100.0 * now.value,
            figure=html_text(figures_of(row.known)),
        )
        for row in rows
    ]
    return f'<div class="left-out">{"".join(drawn)}</div>'


def figures_html(table: pd.DataFrame) -> str:
    """Table of `reasons`: the log-odds of each and its factor on the odds."""
    head = "".join(f"<th>{html_text(text)}</th>" for text in explorer_strings.FIGURES_HEAD)
    rows = [
        (str(label), strings.signed(log_odds), strings.times(log_odds))
        for label, log_odds in zip(table["label"], table["log_odds"].astype(float), strict=True)
    ]
    body = "".join(
        "<tr>" + "".join(f"<td>{html_text(text)}</td>" for text in row) + "</tr>" for row in rows
    )
    return f'<table class="all-figures"><tr>{head}</tr>{body}</table>'
