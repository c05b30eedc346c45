"""Theme of all charts: frame, axes, and text colours that are readable in both themes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from ...core.drawing.style import (
    BACKGROUND,
    FAINT_TEXT_COLOURS,
    TEXT_COLOURS,
    THEMES,
    contrast,
    mix,
)
from ...core.utils.lazy import LazyModule

if TYPE_CHECKING:
    import altair as alt
    import pandas as pd

    AnyChart = TypeVar("AnyChart", alt.Chart, alt.LayerChart)
else:
    alt = LazyModule("altair")
    pd = LazyModule("pandas")

# Contrast that small text needs (WCAG 2.1, AA).
READABLE = 4.5
# Step in which the theme's text colour is mixed into a hue that is too pale.
STEP = 0.05


def text_colour(hue: str) -> alt.ExprRef:
    """Colour of text that belongs to marks of a hue (``#RRGGBB``); it follows the theme."""
    # No single hue has enough contrast on both backgrounds, but a chart knows its background.
    return _by_theme({theme: readable(hue, theme) for theme in THEMES})


def _by_theme(colours: Mapping[str, str]) -> alt.ExprRef:
    return alt.ExprRef(f"luminance(background) < 0.5 ? '{colours['dark']}' : '{colours['light']}'")


def ink() -> alt.ExprRef:
    """Text colour of the theme, for marks that must contrast with any other colour."""
    return _by_theme(TEXT_COLOURS)


def configuration() -> alt.Config:
    """Configuration of all charts: no frame, and readable titles of axes."""
    # Streamlit's own titles of axes are too pale on white.
    faint = _by_theme(FAINT_TEXT_COLOURS)
    return alt.Config(
        view=alt.ViewConfig(stroke=None),
        axis=alt.AxisConfig(labelColor=faint, titleColor=faint),
        legend=alt.LegendConfig(labelColor=faint, titleColor=faint),
    )


def finished(chart: AnyChart, height: int) -> AnyChart:
    """Set the height and the configuration of a chart."""
    whole: AnyChart = chart.properties(height=height, config=configuration())
    return whole


def specification(chart: alt.TopLevelMixin) -> dict[str, Any]:
    """Vega-Lite specification of a chart, for ``st.vega_lite_chart``.

    It is not validated on every visit as in ``st.altair_chart``: validation takes four fifths of
    the time, and the tests do it. The tables do not pass Altair's data transformer, which refuses
    more than 5,000 rows and which ``st.altair_chart`` replaces for all threads while it draws.
    """
    datasets: dict[str, Any] = {}
    named = _with_named_data(chart, datasets)
    whole: dict[str, Any] = named.to_dict(validate=False, context={"datasets": datasets})
    return whole


def _with_named_data(chart: Any, datasets: dict[str, Any]) -> Any:
    """Copy of a chart that names its tables, whose rows are put into ``datasets``."""
    copy = chart.copy(deep=False)
    if isinstance(copy.data, pd.DataFrame):
        rows = alt.to_values(copy.data)["values"]
        written = json.dumps(rows, sort_keys=True, default=str)
        # As Altair names them.
        name = f"data-{hashlib.sha256(written.encode()).hexdigest()[:32]}"
        datasets[name], copy.data = rows, alt.NamedData(name)
    if isinstance(copy, alt.LayerChart):
        copy.layer = [_with_named_data(layer, datasets) for layer in copy.layer]
    return copy


def layered(*layers: alt.Chart | alt.LayerChart) -> alt.LayerChart:
    """Layer charts, the first at the bottom."""
    return alt.LayerChart(layer=list(layers))


def readable(hue: str, theme: str) -> str:
    """Return the colour closest to a hue that is readable on the background of a theme."""
    colour, share = hue, 0.0
    while contrast(colour, BACKGROUND[theme]) < READABLE:
        share += STEP
        colour = mix(hue, TEXT_COLOURS[theme], share)
    return colour
