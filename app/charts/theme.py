"""What all charts share: frame, axes, text colours readable in both themes (no streamlit)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

import altair as alt

from ...core.drawing.style import (
    BACKGROUND,
    FAINT_TEXT_COLOURS,
    TEXT_COLOURS,
    THEMES,
    contrast,
    mix,
)

# Contrast that small text needs (WCAG 2.1, AA).
READABLE = 4.5
# Step by which a hue that is too pale is mixed with the text colour of the theme.
STEP = 0.05

AnyChart = TypeVar("AnyChart", alt.Chart, alt.LayerChart)


def text_colour(hue: str) -> alt.ExprRef:
    """Colour of text in a chart, which follows the theme.

    Parameters
    ----------
    hue : str
        ``#RRGGBB``, the colour of the marks that the text belongs to.
    """
    # No single hue has enough contrast on both backgrounds; a chart knows its own.
    return _by_theme({theme: readable(hue, theme) for theme in THEMES})


def _by_theme(colours: Mapping[str, str]) -> alt.ExprRef:
    return alt.ExprRef(f"luminance(background) < 0.5 ? '{colours['dark']}' : '{colours['light']}'")


def ink() -> alt.ExprRef:
    """Text colour of the theme, for marks that must stand out from any other colour."""
    return _by_theme(TEXT_COLOURS)


def configuration() -> alt.Config:
    """Return what all charts have in common: no frame, and readable axis titles."""
    # Streamlit's own axis titles are too pale on white.
    faint = _by_theme(FAINT_TEXT_COLOURS)
    return alt.Config(
        view=alt.ViewConfig(stroke=None),
        axis=alt.AxisConfig(labelColor=faint, titleColor=faint),
        legend=alt.LegendConfig(labelColor=faint, titleColor=faint),
    )


def finished(chart: AnyChart, height: int) -> AnyChart:
    """Give a chart its height and what all charts have in common."""
    whole: AnyChart = chart.properties(height=height, config=configuration())
    return whole


def specification(chart: alt.TopLevelMixin) -> dict[str, Any]:
    """Chart as Vega-Lite reads it, for ``st.vega_lite_chart``.

    Not checked against the schema on every visit, as ``st.altair_chart`` does: that takes four
    fifths of the time, and the tests do it.
    """
    whole: dict[str, Any] = chart.to_dict(validate=False)
    return whole


def layered(*layers: alt.Chart | alt.LayerChart) -> alt.LayerChart:
    """Draw charts over one another, the first at the bottom."""
    return alt.LayerChart(layer=list(layers))


def readable(hue: str, theme: str) -> str:
    """Return the colour closest to a hue that can be read on the background of a theme."""
    colour, share = hue, 0.0
    while contrast(colour, BACKGROUND[theme]) < READABLE:
        share += STEP
        colour = mix(hue, TEXT_COLOURS[theme], share)
    return colour
