"""Letters in charts: a hue, as near to it as can be read in the theme on screen (no streamlit)."""

from __future__ import annotations

from collections.abc import Mapping

import altair as alt

from orrery.app.graph.style import BACKGROUND, FAINT_TEXT, TEXT, THEMES, contrast, mix

# Contrast that small letters need (WCAG 2.1, AA).
READABLE = 4.5
# Share by which a hue that is too pale goes on towards the theme's own letters.
STEP = 0.05


def lettering(hue: str) -> alt.ExprRef:
    """Colour of the letters of a chart, which follows the theme.

    Parameters
    ----------
    hue : str
        ``#RRGGBB``, as the marks have it that the letters belong to.
    """
    # No single hue reaches the contrast on both grounds; a chart knows its own.
    return _by_theme({theme: readable(hue, theme) for theme in THEMES})


def _by_theme(colours: Mapping[str, str]) -> alt.ExprRef:
    return alt.ExprRef(f"luminance(background) < 0.5 ? '{colours['dark']}' : '{colours['light']}'")


def ink() -> alt.ExprRef:
    """Colour of the theme's own letters, for marks that must be seen on any other."""
    return _by_theme(TEXT)


def configuration() -> alt.Config:
    """Return what all charts have in common: no frame, and names on the axes that can be read."""
    # Streamlit's own names are too pale on white.
    faint = _by_theme(FAINT_TEXT)
    names = {"labelColor": faint, "titleColor": faint}
    return alt.Config(
        view=alt.ViewConfig(stroke=None),
        axis=alt.AxisConfig(**names),
        legend=alt.LegendConfig(**names),
    )


def readable(hue: str, theme: str) -> str:
    """Return the colour nearest to a hue that can be read on the ground of a theme."""
    colour, share = hue, 0.0
    while contrast(colour, BACKGROUND[theme]) < READABLE:
        share += STEP
        colour = mix(hue, TEXT[theme], share)
    return colour
