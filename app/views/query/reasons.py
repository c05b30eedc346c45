"""Explanation of one topic as a table, a waterfall chart and sentences (no Streamlit).

A reason is a message of belief propagation that reaches the topic. Sentences about the parents
avoid circular reasoning: a parent that is on because of the topic is no reason for it. A list
shows the probability of the topic without each word.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from ....core.drawing import explorer_strings
from ....core.drawing.links import node_name
from ....core.drawing.selection import topic_probability
from ....core.drawing.strings import figures_of, is_unsure
from ....core.inference.explanation import Message, Omission, explain
from ....core.inference.posterior import Estimate, Posterior
from ....core.inference.thresholds import MAX_BARS, MIN_LOG_ODDS, ON_THRESHOLD
from ....core.model.topic_model import Run
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


BAR_HEIGHT = 26
# Share of the width that is reserved for the figures on the right.
ROOM_FOR_FIGURES = 0.14
# Colours of bars for, against and of the sum; visible on light and dark backgrounds.
COLOURS = {
    "green-red": ("#2E9E5B", "#CF574C", "#7A8797"),
    "blue-orange": ("#2E7FC6", "#DF8424", "#7A8797"),
}
KINDS = ("for", "against", "sum")
LABEL_WIDTH = 230
# Name of the dataset of the chart.
ROWS = "reasons"
# Digits before the label in the key of a bar.
PLACE_DIGITS = 2
# Number of parents that sentences mention, and the least log-odds for it: they double the odds.
MAX_PARENTS = 2
MIN_PARENT_LOG_ODDS = math.log(2.0)
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
        return explorer_strings.LEAK
    if message.source == "absent" and message.node is None:
        return explorer_strings.ABSENT_WORDS
    if message.source == "together":
        return strings.together(speaks_for)
    is_topic = message.source in ("parent", "child")
    node = _node(message) + (0 if is_topic else run.network.graph.n_topics)
    return strings.reason(message.source, node_name(run, node), speaks_for)


def main_reason(
    run: Run,
    messages: Sequence[Message],
    known: Estimate,
    clamped: str = "",
    free: Estimate | None = None,
) -> str:
    """One sentence that states the decisive reason; several sentences if the topic is clamped.

    Parameters
    ----------
    run : Run
    messages : sequence of Message
    known : Estimate
        Probability of the topic.
    clamped : str
        ``on`` or ``off`` if the topic is clamped.
    free : Estimate, optional
        Probability of the topic when nothing is clamped. It differs from the sum of the messages,
        because a clamped topic changes the topics around it.
    """
    if clamped:
        total = math.fsum(message.log_odds for message in messages)
        return strings.clamped(clamped, _probability(total), free)
    is_on = known.value > ON_THRESHOLD
    least = min(messages, key=lambda message: message.log_odds)
    most = max(filter(_is_reason, messages), key=lambda message: message.log_odds)
    if is_unsure(known.value) and least.log_odds < 0.0 < most.log_odds and most.source != "leak":
        return _doubtful(run, most, least)
    strongest = most if is_on else least
    if strongest.source == "leak":
        leak = _probability(strongest.log_odds)
        return strings.common(leak) if is_on else strings.rare(leak)
    return strings.mostly(label(run, strongest), _factor(strongest), is_on=is_on)


def _is_reason(message: Message) -> bool:
    """Whether a message can explain that the topic is on.

    A parent that is off without the topic cannot; its message only adds to the base rate.
    """
    return message.itself is None or message.itself > ON_THRESHOLD


def _doubtful(run: Run, most: Message, least: Message) -> str:
    """Sentence with the strongest reason for and against an uncertain topic."""
    reason, factor = label(run, most), _factor(most)
    if least.source == "leak":
        return strings.unsure_rare(reason, factor, _probability(least.log_odds))
    return strings.unsure(reason, factor, label(run, least), _factor(least))


def _factor(message: Message) -> float:
    """Factor by which a message multiplies or divides the odds."""
    return math.exp(min(abs(message.log_odds), 50.0))


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
    rows["place"] = [
        f"{place:0{PLACE_DIGITS}d}{label}" for place, label in enumerate(rows["label"])
    ]
    rows["right"] = rows[["start", "end"]].max(axis=1)
    # Ends of the axis: all bars, zero, and room for the figures.
    ends = rows[["start", "end"]]
    low, high = float(ends.min().min()), float(ends.max().max())
    rows["low"] = low - 0.02 * (high - low)
    rows["high"] = high + ROOM_FOR_FIGURES * (high - low or 1.0)
    return {**_empty_waterfall(palette), "datasets": {ROWS: rows}}


@cache
def _empty_waterfall(palette: str) -> dict[str, Any]:
    """Chart without rows; cached, because Altair takes longer to build it than a query takes."""
    base = alt.Chart(alt.NamedData(ROWS)).encode(
        y=alt.Y("place:O", title=None).axis(
            labelExpr=f"slice(datum.value, {PLACE_DIGITS})",
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


def parent_reasons(
    run: Run, posterior: Posterior, topic: int, messages: Sequence[Message]
) -> list[str]:
    """Sentences about parents: their probability without the topic, and the reason for it.

    The message from a parent excludes the evidence that the topic itself sent to it (MATH §10.1);
    so do these sentences.

    Parameters
    ----------
    run : Run
    posterior : Posterior
    topic : int
        Topic that is explained.
    messages : sequence of Message
        Messages that reach ``topic``.
    """
    known = topic_probability(posterior)
    clamped = posterior.evidence.on + posterior.evidence.off
    parents = sorted(
        (m for m in messages if m.source == "parent" and m.node not in clamped),
        key=lambda message: -message.log_odds,
    )
    sentences = []
    for message in parents:
        name, itself = node_name(run, _node(message)), message.itself or 0.0
        if itself <= ON_THRESHOLD < known[_node(message)]:
            sentences.append(strings.circular(name, itself))
        elif message.log_odds >= MIN_PARENT_LOG_ODDS:
            received = explain(run.network, posterior, _node(message))
            others = [other for other in received if (other.source, other.node) != ("child", topic)]
            strongest = max(others, key=lambda other: other.log_odds)
            sentences.append(strings.above_itself(name, itself, label(run, strongest)))
    return sentences[:MAX_PARENTS]


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
