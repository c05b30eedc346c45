"""Why a topic is on or off: its messages as a table, a waterfall and a sentence (no streamlit)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import altair as alt
import pandas as pd

from orrery.app.charts.chart_theme import configuration, text_colour
from orrery.app.graph.links import node_name
from orrery.app.words import why as words
from orrery.app.words.figures import is_unsure
from orrery.core.explanation import Message
from orrery.core.exporting.thresholds import LEAST_LOG_ODDS, MOST_BARS, ON_THRESHOLD
from orrery.core.inference import Estimate

if TYPE_CHECKING:
    from orrery.core.run import Run

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
        bars.append((words.others(len(folded)), rest))
    bars += [(label(run, message), message.log_odds) for message in last]
    return _waterfall(bars, known)


def _waterfall(bars: list[tuple[str, float]], known: Estimate | None = None) -> pd.DataFrame:
    rows, level = [], 0.0
    for label, log_odds in bars:
        kind = "for" if log_odds >= 0 else "against"
        rows.append((label, level, level + log_odds, log_odds, kind))
        level += log_odds
    total = known or Estimate(_probability(level), 0.0)
    rows.append((words.total(total), 0.0, level, level, "sum"))
    return pd.DataFrame(rows, columns=["label", "start", "end", "log_odds", "kind"])


def label(run: Run, message: Message) -> str:
    """One reason in plain words."""
    speaks_for = message.log_odds >= 0
    if message.source == "chance":
        return words.CHANCE
    if message.source == "absent" and message.node is None:
        return words.ABSENT_WORDS
    if message.source == "together":
        return words.together(speaks_for)
    says: dict[str, Callable[[str, bool], str]] = {
        "parent": words.parent,
        "child": words.child,
        "token": words.word,
        "absent": words.absent_word,
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
        return words.clamped(clamped, _probability(total), free)
    is_on = known.value > ON_THRESHOLD
    least = min(messages, key=lambda message: message.log_odds)
    most = max(filter(_is_reason, messages), key=lambda message: message.log_odds)
    if is_unsure(known.value) and least.log_odds < 0.0 < most.log_odds and most.source != "chance":
        return _doubtful(run, most, least)
    strongest = most if is_on else least
    if strongest.source == "chance":
        chance = _probability(strongest.log_odds)
        return words.common(chance) if is_on else words.rare(chance)
    return words.mostly(label(run, strongest), _factor(strongest), is_on=is_on)


def _is_reason(message: Message) -> bool:
    """Whether a topic may be on by it: not by one above that is off without the topic itself.

    All that such a one says is how common the topic is.
    """
    return message.itself is None or message.itself > ON_THRESHOLD


def _doubtful(run: Run, most: Message, least: Message) -> str:
    """Say what speaks for a topic and what against it."""
    reason, factor = label(run, most), _factor(most)
    if least.source == "chance":
        return words.unsure_rare(reason, factor, _probability(least.log_odds))
    return words.unsure(reason, factor, label(run, least), _factor(least))


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
    rows = table.assign(figure=table["log_odds"].map(words.signed))
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
        alt.X("low:Q", title=words.AXIS)
        .scale(nice=False, zero=False)
        .axis(tickCount=5, format=".2~f", titleAnchor="end")
    )
    tips = [
        alt.Tooltip("label:N", title=words.REASON),
        alt.Tooltip("figure:N", title=words.LOG_ODDS),
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
