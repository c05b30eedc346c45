"""Charts of topics in groups of documents: a heat map, courses over time, intervals."""

from __future__ import annotations

import html
import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from ...core.utils.lazy import LazyModule
from . import strings as chart_strings
from .theme import finished, ink, layered

if TYPE_CHECKING:
    import altair as alt
    import pandas as pd
else:
    alt = LazyModule("altair")
    pd = LazyModule("pandas")

MORE, LESS, GREY = "#2E7FC6", "#D9730D", "#7C8899"
# Eight hues that are easy to distinguish on both backgrounds; a ninth would not be.
HUES = ("#2E7FC6", "#D9730D", "#2F9E5F", "#8E5BC0", "#0E8A8A", "#B5475B", "#A0762B", "#5C6BC0")
ROW, NAME_WIDTH, GROUP_WIDTH = 21, 170, 110
# Width of names beside a chart that is at least so wide.
WIDE, WIDE_NAME = 900, 260
# Streamlit subtracts the axes from the height.
AXIS_ROOM, COURSE_HEIGHT, STACK_HEIGHT = 110, 58, 380
PERIODS_ROOM = 22
# Room for the labels of a scale of shares, up to "100%", and the side of the names of periods.
SHARES_ROOM = 36
Side = Literal["top", "bottom", ""]
# Names of selections, which the page reads.
CELL, NAME = "cell", "name"
# Names of more groups are vertical, and left out where they would overlap.
FEW_NAMED = 8
# Columns that are narrower than this number of pixels have small names.
SMALL_NAMES = 16
# Maximum number of groups that always have horizontal names, and the width of a letter in pixels.
MAX_HORIZONTAL, LETTER_WIDTH = 4, 7
# Side of a cell of a small group, as a share of the whole cell.
SMALL_CELL = 0.55
# Minimum width of a cell with a value, in pixels.
MIN_CELL = 26
# Opacity of the faintest and the strongest cell. The text of both themes can be read on either.
FAINTEST, STRONGEST = 0.02, 0.7
# Larger ratios than 64 are drawn like 64.
MAX_DOUBLINGS = 6


def heat_map(
    table: pd.DataFrame, topics: Sequence[str], groups: Sequence[str], sizes: Sequence[float]
) -> alt.LayerChart:
    """Heat map with a cell for each topic and group; cells and names can be clicked.

    Parameters
    ----------
    table : pandas.DataFrame
        Columns ``id``, ``label``, ``name`` (a unique label), ``group``, ``strength`` (0 to 1),
        ``more`` (whether more frequent than elsewhere), ``share``, ``note``, ``value`` (text in the
        cell) and ``small`` (whether the group is small).
    topics : sequence of str
        Names, from top to bottom.
    groups : sequence of str
        From left to right.
    sizes : sequence of float
        Number of documents of each group, shown below its name.
    """
    order = [chart_strings.SIZE_ROW, *topics]
    rows = alt.Y("name:N", sort=order, title=None, axis=None).scale(domain=order)
    columns = _group_columns(groups)
    # On a phone, cells are too narrow for their values.
    text: dict[str, Any] = {
        "fontSize": 11 if len(groups) <= FEW_NAMED else 10,
        "color": ink(),
        "opacity": alt.ExprRef(f"bandwidth('x') < {MIN_CELL} ? 0 : 1"),
    }
    base = alt.Chart(table).encode(y=rows)
    values = base.mark_text(cursor="pointer", **text).encode(x=columns, text="value:N")
    chart = layered(
        *_cells(base, columns), values, *_size_row(groups, sizes, rows, columns, text),
        _topic_names(table, rows),
    )  # fmt: skip
    return finished(chart, ROW * (len(topics) + 1) + AXIS_ROOM)


def _group_columns(groups: Sequence[str]) -> alt.X:
    """Column of each group, with its name above in the largest form that has room."""
    n_groups = len(groups)
    angle = 0 if n_groups <= MAX_HORIZONTAL else -50 if n_groups <= FEW_NAMED else -90
    # Names are horizontal if the columns are wide enough for them.
    longest = LETTER_WIDTH * min(max(map(len, groups), default=0) + 2, GROUP_WIDTH / LETTER_WIDTH)
    is_wide = f"width > {longest * n_groups:.0f}"
    # Vertical names have room in narrow columns if they are small.
    name_size = f"width < {SMALL_NAMES * n_groups} ? 8 : 11"
    return alt.X("group:N", sort=list(groups), title=None).axis(
        labelFontSize=alt.expr(name_size) if n_groups > FEW_NAMED else 11,
        orient="top", ticks=False, domain=False,
        labelAngle=alt.expr(f"{is_wide} ? 0 : {angle}") if angle else 0,
        labelAlign=alt.expr(f"{is_wide} ? 'center' : 'left'") if angle else "center",
        labelBaseline=alt.expr(f"{is_wide} ? 'bottom' : 'middle'") if angle else "bottom",
        labelLimit=GROUP_WIDTH, labelOverlap="greedy" if n_groups > FEW_NAMED else False,
    )  # fmt: skip


def _cells(base: alt.Chart, columns: alt.X) -> list[alt.Chart]:
    """Cells that can be clicked, those of small groups smaller."""
    whole = base.mark_rect(stroke=GREY, strokeOpacity=0.12, cursor="pointer")
    inset = base.mark_rect(
        stroke=GREY, strokeOpacity=0.5, cursor="pointer",
        width=alt.RelativeBandSize(band=SMALL_CELL), height=alt.RelativeBandSize(band=0.9),
    )  # fmt: skip
    marks = [whole.transform_filter("!datum.small"), inset.transform_filter("datum.small")]
    cells, small = (
        each.encode(
            x=columns,
            color=alt.Color("more:N", legend=None).scale(domain=[True, False], range=[MORE, LESS]),
            opacity=alt.Opacity("strength:Q", legend=None).scale(
                domain=[0, 1], range=[FAINTEST, STRONGEST]
            ),
            tooltip=[
                alt.Tooltip("label:N", title=chart_strings.TOPIC),
                alt.Tooltip("group:N", title=chart_strings.GROUP),
                alt.Tooltip("share:Q", title=chart_strings.SHARE, format=".1%"),
                alt.Tooltip("note:N", title=chart_strings.CERTAIN),
            ],
        )
        for each in marks
    )
    return [cells.add_params(_clicked(CELL, "id", "group")), small]


def _size_row(
    groups: Sequence[str],
    sizes: Sequence[float],
    rows: alt.Y,
    columns: alt.X,
    text: Mapping[str, Any],
) -> list[alt.Chart]:
    """Row of the numbers of documents, above the topics, and its name."""
    documents = [f"{size:,.0f}" for size in sizes]
    counted = pd.DataFrame(
        {"name": chart_strings.SIZE_ROW, "group": list(groups), "value": documents}
    )
    head = alt.Chart(counted).encode(y=rows)
    numbers = head.mark_text(fontStyle="italic", **text).encode(x=columns, text="value:N")
    name = (
        head.transform_filter(alt.datum.group == groups[0])
        .mark_text(align="right", fontStyle="italic", **{**text, "fontSize": 12})
        .encode(x=alt.value(-8), text="name:N")
    )
    return [numbers, name]


def _topic_names(table: pd.DataFrame, rows: alt.Y) -> alt.Chart:
    """Names of the topics to the left of the cells.

    They are marks, since an axis cannot be clicked. A click reaches both selections; the rows of
    names have no group, so that they do not select a cell.
    """
    names: alt.Chart = (
        alt.Chart(table.drop_duplicates("id").drop(columns="group"))
        .mark_text(
            align="right",
            fontSize=12,
            cursor="pointer",
            color=ink(),
            limit=alt.ExprRef(f"containerSize()[0] < {WIDE} ? {NAME_WIDTH} : {WIDE_NAME}"),
        )
        .encode(
            y=rows,
            x=alt.value(-8),
            text="name:N",
            tooltip=alt.Tooltip("label:N", title=chart_strings.TOPIC),
        )
        .add_params(_clicked(NAME, "id"))
    )
    return names


def opacity_of(strength: float) -> float:
    """Opacity of a cell of this strength, 0 to 1."""
    return FAINTEST + (STRONGEST - FAINTEST) * strength


def scale_html(steps: Sequence[tuple[float, str]]) -> str:
    """HTML of a scale of colours: strengths (negative is less often) and what they mean."""
    box = (
        '<span style="display:inline-block;width:2.6em;height:1em;border:1px solid {grey}44;'
        'background:color-mix(in srgb, {hue} {part:.0f}%, transparent)"></span>'
    )
    parts = [
        f'<span style="display:inline-flex;align-items:center;gap:.4em;margin-right:1em">'
        f"{box.format(grey=GREY, hue=LESS if part < 0 else MORE, part=100 * opacity_of(abs(part)))}"
        f"{html.escape(text)}</span>"
        for part, text in steps
    ]
    return f'<div style="font-size:.8rem;opacity:.9">{"".join(parts)}</div>'


def _clicked(name: str, *fields: str) -> alt.Parameter:
    return alt.selection_point(name=name, fields=list(fields), on="click", empty=False)


def course(table: pd.DataFrame, groups: Sequence[str], named: Side = "bottom") -> alt.LayerChart:
    """Share of documents in which a topic is on, by period; points can be clicked.

    If charts are drawn below each other, the first and the last are ``named``: they have the names
    of the periods at the top and at the bottom.
    """
    base = alt.Chart(table).encode(
        x=_periods(groups, named),
        # Labels of any length take the same room, so that the periods of all charts line up.
        y=alt.Y("share:Q", title=None).axis(
            format="~%", tickCount=2, grid=True, gridOpacity=0.3, domain=False, ticks=False,
            minExtent=SHARES_ROOM, maxExtent=SHARES_ROOM,
        ),
        tooltip=_course_tips(),
    )  # fmt: skip
    area = base.mark_area(color=MORE, opacity=0.25, line={"color": MORE, "strokeWidth": 1.5})
    points = base.mark_point(color=MORE, filled=True, size=34, cursor="pointer", opacity=1)
    height = COURSE_HEIGHT + PERIODS_ROOM * bool(named)
    return finished(layered(area, points.add_params(_clicked(CELL, "id", "group"))), height)


def stacked(table: pd.DataFrame, groups: Sequence[str], topics: Sequence[str]) -> alt.LayerChart:
    """Stacked shares of several topics by period; points can be clicked."""
    colour = alt.Color("name:N", sort=list(topics)).scale(
        domain=list(topics), range=list(HUES[: len(topics)])
    ).legend(
        title=None, orient="bottom", columns=2, labelLimit=280, symbolOpacity=1,
    )  # fmt: skip
    base = alt.Chart(table).encode(
        x=_periods(groups),
        y=alt.Y("share:Q", title=chart_strings.ADDED, stack="zero").axis(format="~%", tickCount=5),
        order=alt.Order("place:Q"),
        tooltip=_course_tips(),
    )
    area = base.mark_area(opacity=0.85, cursor="pointer").encode(color=colour)
    points = (
        base.mark_point(filled=True, size=30, opacity=0.9, color=ink(), cursor="pointer")
        .encode(detail="name:N")
        .add_params(_clicked(CELL, "id", "group"))
    )
    return finished(layered(area, points), STACK_HEIGHT)


def _periods(groups: Sequence[str], named: Side = "bottom") -> alt.X:
    return alt.X("group:O", sort=list(groups), title=None).axis(
        labelAngle=0, labelOverlap="greedy", ticks=False, grid=False, labels=bool(named),
        orient=named or "bottom",
    )  # fmt: skip


def _course_tips() -> list[alt.Tooltip]:
    return [
        alt.Tooltip("label:N", title=chart_strings.TOPIC),
        alt.Tooltip("group:N", title=chart_strings.PERIOD),
        alt.Tooltip("share:Q", title=chart_strings.SHARE, format=".1%"),
        alt.Tooltip("note:N", title=chart_strings.DOCUMENTS),
    ]


def interval_mark(ratio: float, low: float, high: float) -> str:
    """HTML of an interval on a scale of doublings with 1 in the middle; a dot is the estimate."""
    hue = hue_of_interval(low, high)
    begin, end, dot = (place_on_doublings(value) for value in (low, high, ratio))
    part = '<div style="position:absolute;{}"></div>'
    return (
        '<div class="interval" style="position:relative;height:14px">'
        + part.format(f"left:50%;top:0;bottom:0;width:1px;background:{GREY}")
        + part.format(
            f"left:{begin:.2f}%;width:{max(end - begin, 0.5):.2f}%;top:5.5px;height:3px;"
            f"border-radius:2px;opacity:.55;background:{hue}"
        )
        + part.format(
            f"left:calc({dot:.2f}% - 4.5px);top:2.5px;width:9px;height:9px;border-radius:50%;"
            f"background:{hue}"
        )
        + "</div>"
    )


def hue_of_interval(low: float, high: float) -> str:
    """Colour of a certain increase, of a certain decrease, or of neither."""
    return GREY if low <= 1.0 <= high else MORE if low > 1.0 else LESS


def place_on_doublings(ratio: float) -> float:
    """Position of a ratio on a scale from 0 to 100, with 1 in the middle."""
    if math.isnan(ratio):
        return 50.0
    doublings = math.log2(ratio) if 0 < ratio < math.inf else math.copysign(math.inf, ratio - 1)
    return 50.0 + 48.0 * min(max(doublings / MAX_DOUBLINGS, -1.0), 1.0)
