"""Why a topic is on or off: its messages as a table, a waterfall and a sentence (no streamlit).

Where the topics above a topic have it from: one that is on because of it is no reason for it.

What a topic would be without each word that was said (no streamlit).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import altair as alt
import pandas as pd

from ....core.drawing.links import node_name
from ....core.drawing.selection import topic_probability
from ....core.drawing.strings import figures_of, is_unsure
from ....core.inference.explanation import Message, Omission, explain
from ....core.inference.posterior import Estimate, Posterior
from ....core.inference.thresholds import LEAST_LOG_ODDS, MOST_BARS, ON_THRESHOLD
from ...charts.theme import configuration, text_colour
from ...text.escaping import html_text
from . import strings

if TYPE_CHECKING:
    from ....core.model.topic_model import Run


BAR_HEIGHT = 26
# Share of the width that stays free on the right for the figures.
ROOM_FOR_FIGURES = 0.14
# Colours that stand out on both backgrounds: for, against, and the sum.
COLOURS = {
    "green-red": ("#2E9E5B", "#CF574C", "#7A8797"),
    "blue-orange": ("#2E7FC6", "#DF8424", "#7A8797"),
}
KINDS = ("for", "against", "sum")
LABEL_WIDTH = 230
# Name of the rows in the chart.
ROWS = "reasons"
# Of the name of a bar's place, the figures before its label.
PLACE_DIGITS = 2


def reasons(run: Run, messages: Sequence[Message], known: Estimate | None = None) -> pd.DataFrame:
    """Messages as the bars of a waterfall, from chance to the sum of all.

    Parameters
    ----------
    run : Run
        Its words and topic labels name the reasons.
    messages : sequence of Message
        As `core.explain` gives them for one topic.
    known : Estimate, optional
        Probability of the topic, which names their sum; by the sum itself where none is given.

    Returns
    -------
    pandas.DataFrame
        A row a bar, in the order in which they are to be read. Columns ``label``; ``start`` and
        ``end``, the log-odds in nats before and after it; ``log_odds``, what it adds; ``kind``:
        ``for``, ``against`` or ``sum``.
    """
    chance = [message for message in messages if message.source == "chance"]
    # What the other bars leave out comes last.
    last = [message for message in messages if message.source == "together"]
    others = [m for m in messages if m not in chance + last and m.log_odds != 0.0]
    others.sort(key=lambda message: -abs(message.log_odds))
    room = MOST_BARS - len(last)
    n_shown = room if len(others) <= room else room - 1
    shown = [m for m in others[:n_shown] if abs(m.log_odds) >= LEAST_LOG_ODDS]
    folded = others[len(shown) :]
    # What speaks for the topic first, then what speaks against it, each the strongest first.
    shown.sort(key=lambda message: (message.log_odds < 0, -abs(message.log_odds)))
    bars = [(label(run, message), message.log_odds) for message in chance + shown]
    rest = math.fsum(message.log_odds for message in folded)
    if abs(rest) >= LEAST_LOG_ODDS:
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
    """One reason in plain words."""
    speaks_for = message.log_odds >= 0
    if message.source == "chance":
        return strings.CHANCE
    if message.source == "absent" and message.node is None:
        return strings.ABSENT_WORDS
    if message.source == "together":
        return strings.together(speaks_for)
    says: dict[str, Callable[[str, bool], str]] = {
        "parent": strings.parent,
        "child": strings.child,
        "token": strings.word,
        "absent": strings.absent_word,
    }
    return says[message.source](_name(run, message), speaks_for)


def _name(run: Run, message: Message) -> str:
    """Name of the topic or word that a message comes from."""
    node = -1 if message.node is None else message.node
    is_topic = message.source in ("parent", "child")
    return node_name(run, node if is_topic else node + run.network.graph.n_topics)


def main_reason(
    run: Run,
    messages: Sequence[Message],
    known: Estimate,
    clamped: str = "",
    free: Estimate | None = None,
) -> str:
    """Say in a sentence what decides; in three sentences if the topic is clamped.

    Parameters
    ----------
    run : Run
    messages : sequence of Message
    known : Estimate
        Probability of the topic.
    clamped : str
        ``on`` or ``off`` where the topic is clamped.
    free : Estimate, optional
        Its probability where nothing is clamped, which differs from the sum of the messages: a
        topic that is clamped moves what is around it.
    """
    if clamped:
        total = math.fsum(message.log_odds for message in messages)
        return strings.clamped(clamped, _probability(total), free)
    is_on = known.value > ON_THRESHOLD
    least = min(messages, key=lambda message: message.log_odds)
    most = max(filter(_is_reason, messages), key=lambda message: message.log_odds)
    if is_unsure(known.value) and least.log_odds < 0.0 < most.log_odds and most.source != "chance":
        return _doubtful(run, most, least)
    strongest = most if is_on else least
    if strongest.source == "chance":
        chance = _probability(strongest.log_odds)
        return strings.common(chance) if is_on else strings.rare(chance)
    return strings.mostly(label(run, strongest), _factor(strongest), is_on=is_on)


def _is_reason(message: Message) -> bool:
    """Whether a topic may be on by it: not by one above that is off without the topic itself.

    All that such a one says is how common the topic is.
    """
    return message.itself is None or message.itself > ON_THRESHOLD


def _doubtful(run: Run, most: Message, least: Message) -> str:
    """Say what speaks for a topic and what against it."""
    reason, factor = label(run, most), _factor(most)
    if least.source == "chance":
        return strings.unsure_rare(reason, factor, _probability(least.log_odds))
    return strings.unsure(reason, factor, label(run, least), _factor(least))


def _factor(message: Message) -> float:
    """By how much a message multiplies the odds, or divides them."""
    return math.exp(min(abs(message.log_odds), 50.0))


def _probability(log_odds: float) -> float:
    return 1.0 / (1.0 + math.exp(-log_odds)) if log_odds > -500 else 0.0


def waterfall(table: pd.DataFrame, palette: str) -> dict[str, Any]:
    """Draw the bars of `reasons` from top to bottom, each from where the one above it ended.

    Returns
    -------
    dict
        A Vega-Lite chart with its rows under ``datasets``. Only they differ from topic to topic: a
        browser puts other rows into a chart in no time, but takes long to build another chart.
    """
    rows = table.assign(figure=table["log_odds"].map(strings.signed))
    # The place of a bar names it and orders it: two reasons may read the same.
    rows["place"] = [
        f"{place:0{PLACE_DIGITS}d}{label}" for place, label in enumerate(rows["label"])
    ]
    rows["right"] = rows[["start", "end"]].max(axis=1)
    rows["low"], rows["high"] = _ends(rows)
    return {**_empty_waterfall(palette), "datasets": {ROWS: rows}}


@cache
def _empty_waterfall(palette: str) -> dict[str, Any]:
    """The chart without its rows: checking a chart takes longer than a query."""
    base = alt.Chart(alt.NamedData(ROWS)).encode(
        y=alt.Y("place:O", title=None).axis(
            labelExpr=f"slice(datum.value, {PLACE_DIGITS})",
            labelLimit=LABEL_WIDTH, labelOverlap=False, ticks=False, domain=False, labelPadding=8,
        )
    )  # fmt: skip
    along = (
        alt.X("low:Q", title=strings.AXIS)
        .scale(nice=False, zero=False)
        .axis(tickCount=5, format=".2~f", titleAnchor="end")
    )
    tips = [
        alt.Tooltip("label:N", title=strings.REASON),
        alt.Tooltip("figure:N", title=strings.LOG_ODDS),
    ]
    # Invisible: sets the ends of the axis, and shows the tooltip anywhere in its row.
    grounds = base.mark_bar(opacity=0).encode(x=along, x2="high:Q", tooltip=tips)
    colour = alt.Color("kind:N", legend=None).scale(domain=KINDS, range=COLOURS[palette])
    bars = base.mark_bar(cornerRadius=2, height={"band": 0.62}).encode(
        x="start:Q", x2="end:Q", color=colour, tooltip=tips
    )
    # The sign says for or against as well, so the figures need no hue.
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


def _ends(rows: pd.DataFrame) -> tuple[float, float]:
    """Ends of the axis: all bars, zero, and room for the figures."""
    ends = rows[["start", "end"]]
    low, high = float(ends.min().min()), float(ends.max().max())
    return low - 0.02 * (high - low), high + ROOM_FOR_FIGURES * (high - low or 1.0)


# So many topics above are spoken of, where they double the odds or look as if they did.
MOST_ABOVE = 2
TELLING = math.log(2.0)


def parent_reasons(
    run: Run, posterior: Posterior, topic: int, messages: Sequence[Message]
) -> list[str]:
    """Say of topics above what they would be without a topic, and what they are then on by.

    A topic hears from one above only what that one has from elsewhere (MATH §10.1), and the same
    is said here.

    Parameters
    ----------
    run : Run
    posterior : Posterior
    topic : int
        The topic that is explained.
    messages : sequence of Message
        Those that reach it.
    """
    known = topic_probability(posterior)
    by_hand = posterior.evidence.on + posterior.evidence.off
    above = sorted(
        (m for m in messages if m.source == "parent" and m.node not in by_hand),
        key=lambda message: -message.log_odds,
    )
    said = []
    for message in above:
        name, itself = node_name(run, _node(message)), message.itself or 0.0
        if itself <= ON_THRESHOLD < known[_node(message)]:
            said.append(strings.circular(name, itself))
        elif message.log_odds >= TELLING:
            source = _main_source(run, posterior, message, topic)
            said.append(strings.above_itself(name, itself, source))
    return said[:MOST_ABOVE]


def _main_source(run: Run, posterior: Posterior, message: Message, topic: int) -> str:
    """What speaks most for a topic above, but for the topic below it that is explained."""
    heard = explain(run.network, posterior, _node(message))
    others = [other for other in heard if (other.source, other.node) != ("child", topic)]
    return label(run, max(others, key=lambda other: other.log_odds))


def _node(message: Message) -> int:
    return -1 if message.node is None else message.node


STYLE = """<style>
.left-out { display: grid; grid-template-columns: fit-content(14rem) 1fr auto; gap: .3rem .7rem;
  align-items: center; font-size: .85rem; margin: 0 0 .6rem; }
.left-out .name { text-align: right; overflow-wrap: anywhere; line-height: 1.2; }
.left-out .track { position: relative; height: 8px; border-radius: 4px;
  background: rgba(127, 140, 155, .22); }
.left-out .move { position: absolute; top: 0; height: 8px; border-radius: 2px; }
.left-out .now { position: absolute; top: -3px; width: 2px; height: 14px; margin-left: -1px;
  background: #7A8797; }
.left-out .figure { font-weight: 600; font-variant-numeric: tabular-nums; }
</style>"""
ROW = (
    '<div class="name">{name}</div>'
    '<div class="track"><div class="move" style="left:{left:.1f}%;width:{width:.1f}%;'
    'background:{colour}"></div><div class="now" style="left:{now:.1f}%"></div></div>'
    '<div class="figure">{figure}</div>'
)


@dataclass(frozen=True)
class Without:
    """A piece of what was said, and what the topic would be without it."""

    name: str
    known: Estimate
    is_word: bool


def without_each(run: Run, omissions: Sequence[Omission]) -> list[Without]:
    """Name the pieces, in the order in which they were left out."""
    n_topics = run.network.graph.n_topics
    return [
        Without(
            strings.piece(one.piece, node_name(run, one.node + (n_topics if is_word else 0))),
            one.without,
            is_word,
        )
        for one in omissions
        for is_word in [one.piece in ("present", "absent")]
    ]


def without_html(rows: Sequence[Without], now: Estimate, palette: str) -> str:
    """Draw a row for each piece: from what the topic is now to what it would be without it.

    A piece without which it would be less probable speaks for it.
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
    return f'{STYLE}<div class="left-out">{"".join(drawn)}</div>'
