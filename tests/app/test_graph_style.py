"""The grammar: readable in both themes and both palettes, and never by colour alone."""

from __future__ import annotations

import itertools

import pytest

from app import graph_style as style

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
    strong = style.EDGE_COLOUR["strong"][theme]
    pale = style.EDGE_COLOUR["pale"][theme]
    ground = style.BACKGROUND[theme]
    assert style.contrast(strong, ground) > 7 > style.contrast(pale, ground) > 1.5


@pytest.mark.parametrize("theme", style.THEMES)
@pytest.mark.parametrize("palette", style.PALETTES)
def test_on_grows_stronger_and_off_fainter(palette, theme):
    def distance(kind, probability):
        ground = style.BACKGROUND[theme]
        return style.contrast(style.paint(kind, probability, palette, theme).fill, ground)

    assert distance("on", 0.55) < distance("on", 0.8) < distance("on", 1.0)
    assert distance("off", 0.05) < distance("off", 0.25) < distance("off", 0.5)


def test_the_colours_of_the_look_are_met():
    assert style.paint("off", 0.5, "green-red", "light").fill == "#F9E1DF"
    assert style.paint("present", 1.0, "green-red", "light").fill == "#D9DEE5"
    assert style.paint("on", 1.0, "green-red", "light").border == "#1E7A43"
    assert style.paint("on", 1.0, "blue-orange", "light").border == "#1F6FB4"


def test_on_and_off_differ_without_any_colour():
    assert style.MARKS["on"] != style.MARKS["off"]
    assert style.BORDER_WIDTH["on"] > style.BORDER_WIDTH["off"]


@pytest.mark.parametrize(
    ("probability", "text"),
    [
        (0, "0.00"),
        (1e-9, "<0.01"),
        (0.0051, "0.01"),
        (0.974, "0.97"),
        (0.9951, ">0.99"),
        (1, "1.00"),
    ],
)
def test_figures(probability, text):
    assert style.figures(probability) == text


@pytest.mark.parametrize(
    ("label", "lines"),
    [
        ("space", ("space",)),
        ("space · nasa · orbit", ("space ·", "nasa · orbit")),
        ("orbit · moon", ("orbit · moon",)),
        ("evidence · research · theory", ("evidence ·", "research · theory")),
        ("temperature · transition · phase", ("temperature ·", "transition · phase")),
        ("temperature · transition · phases", ("temperature ·", "transition …")),
        ("a" * 40, ("a" * 23 + "…",)),
        ("", ("",)),
    ],
)
def test_labels_break_between_words(label, lines):
    assert style.node_lines(label) == lines


@pytest.mark.parametrize(
    "label", ["windows · program · memory", "x · y", "internationalisation · a · b"]
)
def test_a_label_has_at_most_two_lines_and_as_many_letters_as_a_box_holds(label):
    lines = style.node_lines(label)
    assert len(lines) <= 2
    assert len(" ".join(lines)) <= style.NODE_LIMIT
    assert max(map(len, lines)) <= style.LINE_LIMIT
