"""The grammar: readable in both themes and both palettes, and never by colour alone."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from orrery.core.drawing import style
from orrery.core.inference.thresholds import ON_THRESHOLD, group_of

KINDS = ("on", "off", *style.NEUTRAL)


@pytest.mark.parametrize(
    ("kind", "palette", "theme", "probability"),
    list(itertools.product(KINDS, style.PALETTES, style.THEMES, (0.0, 0.3, 0.51, 0.8, 1.0))),
)
def test_letters_stand_out_from_every_fill(kind, palette, theme, probability):
    colours = style.paint(kind, probability, palette, theme)
    assert style.contrast(colours.text, colours.fill) >= 4.5


@pytest.mark.parametrize("theme", style.THEMES)
def test_arrows_stand_out_from_the_ground(theme):
    strong = style.EDGE_COLOURS["strong"][theme]
    pale = style.EDGE_COLOURS["pale"][theme]
    ground = style.BACKGROUND[theme]
    assert style.contrast(strong, ground) > 7 > style.contrast(pale, ground) > 1.5


@pytest.mark.parametrize("theme", style.THEMES)
@pytest.mark.parametrize("palette", style.PALETTES)
def test_boxes_stand_out_more_the_more_probable_they_are(palette, theme):
    ground = style.BACKGROUND[theme]
    grid = np.linspace(0.0, 1.0, 41)
    fills = [style.paint("on" if p > ON_THRESHOLD else "off", p, palette, theme).fill for p in grid]
    contrast = [style.contrast(fill, ground) for fill in fills]
    assert contrast[0] > 1.0
    assert all(np.diff(contrast) > -5e-3)
    assert contrast[-1] > contrast[20] > contrast[11] > contrast[0]


@pytest.mark.parametrize("theme", style.THEMES)
@pytest.mark.parametrize("palette", style.PALETTES)
def test_all_unsure_topics_look_alike_and_the_others_change_without_a_step(palette, theme):
    grid = np.linspace(0, 1, 401)
    drawn = [style.paint("on" if p > 0.5 else "off", p, palette, theme) for p in grid]
    groups = np.array([group_of(p) for p in grid])
    unsure = {drawn[place] for place in np.flatnonzero(groups == "unsure")}
    assert len(unsure) == 1
    for name in ("off", "on"):
        looks = [drawn[place] for place in np.flatnonzero(groups == name)]
        assert not unsure & set(looks)
        for part in ("fill", "border"):
            channels = np.array([style._channels(getattr(colours, part)) for colours in looks])
            assert np.abs(np.diff(channels, axis=0)).max() <= 4


@given(st.floats(0, 1))
def test_two_values_near_one_half_look_alike(probability):
    kind = "on" if probability > ON_THRESHOLD else "off"
    is_unsure = 0.3 < probability < 0.7
    border = style.outline(kind, probability)
    assert bool(border.dash) == is_unsure
    assert border == style.outline("on" if kind == "off" else "off", probability) or not is_unsure
    assert not style.outline("on", None).dash


def test_the_colours_of_the_look_are_met():
    assert style.paint("off", 0.5, "green-red", "light").fill == style.BETWEEN_FILL
    assert style.paint("present", 1.0, "green-red", "light").fill == "#D9DEE5"
    assert style.paint("on", 1.0, "green-red", "light").border == "#1E7A43"
    assert style.paint("on", 1.0, "blue-orange", "light").border == "#1F6FB4"


def test_on_and_off_differ_without_any_colour():
    assert style.MARKS["on"] != style.MARKS["off"]
    assert style.BORDER_WIDTH["on"] > style.BORDER_WIDTH["off"]


@pytest.mark.parametrize(
    ("label", "lines"),
    [
        ("space", ("space",)),
        ("space · nasa · orbit", ("space ·", "nasa · orbit")),
        ("orbit · moon", ("orbit · moon",)),
        ("evidence · research · theory", ("evidence ·", "research · theory")),
        ("temperature · transition · phase", ("temperature ·", "transition · phase")),
        ("temperature · transition · phases", ("temperature ·", "transition · phases")),
        (
            "investor · shareholder · stock market",
            ("investor ·", "shareholder ·", "stock market"),
        ),
        (
            "leaked fluid out of blood vessels or an organ",
            ("leaked fluid", "out of blood", "vessels or an …"),
        ),
        ("a" * 40, ("a" * 23 + "…",)),
        ("", ("",)),
    ],
)
def test_labels_break_between_words(label, lines):
    assert style.node_lines(label) == lines


@pytest.mark.parametrize(
    "label", ["windows · program · memory", "x · y", "internationalisation · a · b"]
)
def test_a_label_has_at_most_three_lines_and_as_many_letters_as_a_box_holds(label):
    lines = style.node_lines(label)
    assert len(lines) <= 3
    assert len(" ".join(lines)) <= style.NODE_LIMIT
    assert max(map(len, lines)) <= style.LINE_LIMIT
