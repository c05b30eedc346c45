"""Visual language of topic graphs: colours, sizes and borders, and how labels are broken."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, pairwise

from ..inference.thresholds import ON_THRESHOLD, UNSURE
from .strings import is_unsure

# The picture of the hierarchy in `svg`; the picture of a query has its colours in `NEUTRAL` and
# `PALETTES` below.
TOPIC_FILL, TOPIC_BORDER = "#F1F4FC", "#5B6FA8"
GROUND, TEXT, FAINT_TEXT = "#FFFFFF", "#17202B", "#667080"
EDGE_COLOUR = "#3C4858"
# An edge has one of three widths, depending on its probability, or on the information in bits that
# its ends have about each other: of the links to words, three quarters are below the first step and
# one in twenty is above the second, but half of the links between topics.
EDGE_STEPS, BIT_STEPS = (0.05, 0.25), (0.01, 0.05)
EDGE_WIDTHS = (1.0, 2.0, 3.2)
LABEL_LIMIT = 26
# Letters of a label in a box: for one line, for the longer of two lines, which are three if it
# would be longer, for each line, and in total (in smaller type if there are many).
ONE_LINE, TWO_LINES, LINE_LIMIT, NODE_LIMIT = 13, 20, 24, 42

# Size of the box of topics that are set aside on the map of topics, as a share of all others: it
# comes last and does not draw the eye, although its topics are on in most documents.
ASIDE_SHARE = 0.02


def edge_step(probability: float) -> int:
    """Index of an edge's width: 0 weak, 1 medium, 2 strong."""
    return sum(probability >= step for step in EDGE_STEPS)


def bit_step(bits: float) -> int:
    """Index of an edge's width: the information in bits that its ends have about each other."""
    return sum(bits >= step for step in BIT_STEPS)


def edge_width(probability: float) -> float:
    """Width of an edge with this probability, in pixels."""
    return EDGE_WIDTHS[edge_step(probability)]


def shortened(label: str, limit: int = LABEL_LIMIT) -> str:
    """Label of at most ``limit`` characters: whole words as far as they fit, then "…"."""
    if len(label) <= limit:
        return label
    kept = label[: limit - 1].rpartition(" ")[0].rstrip(" ·")
    return f"{kept} …" if kept else label[: limit - 1].rstrip(" ·") + "…"


THEMES = ("light", "dark")
BACKGROUND = {"light": "#FFFFFF", "dark": "#0E1117"}
TEXT_COLOURS = {"light": "#17202B", "dark": "#E6EAF0"}
FAINT_TEXT_COLOURS = {"light": "#667080", "dark": "#9AA5B4"}

# Hue of a border and fill in the light theme, for topics that are on and off.
PALETTES = {
    "green-red": {"on": ("#1E7A43", "#DDF3E4"), "off": ("#B3372E", "#F9E1DF")},
    "blue-orange": {"on": ("#1F6FB4", "#DCEBF8"), "off": ("#D9730D", "#FBE8D6")},
}
DEFAULT_PALETTE = "green-red"

# Kinds that do not depend on the palette: hue of the border, fill in the light theme.
NEUTRAL = {
    "present": ("#5B6775", "#D9DEE5"),
    "absent": ("#5B6775", "#FFFFFF"),
    "unknown": ("#8A95A3", "#FFFFFF"),
    "word": ("#8A95A3", "#EEF1F5"),
    "topic": ("#5B6FA8", "#F1F4FC"),
    "focus": ("#34478A", "#D8E0F7"),
    "fold": ("#A3ACB8", "#FFFFFF"),
}

MARKS = {"on": "●", "off": "○"}
LEGEND_MARKS = {**MARKS, "unsure": "◐"}
BORDER_WIDTH = {"on": 2.0, "off": 1.0, "focus": 2.5}
UNSURE_WIDTH = 1.5
PLAIN_WIDTH = 1.2
BORDER_DASH = {"absent": (5.0, 3.0), "unknown": (1.5, 3.0), "fold": (4.0, 3.0)}
UNSURE_DASH = (5.0, 3.5)
# Kinds without a fill, with faint letters, with bold letters, and with a line through them.
EMPTY, FAINT = frozenset({"absent", "unknown", "fold"}), frozenset({"unknown", "fold"})
BOLD, STRUCK = frozenset({"present", "absent", "focus"}), frozenset({"absent"})
# Border and fill of unsure topics, between both hues; share of the border in the dark fill.
BETWEEN, BETWEEN_FILL, DARK_BETWEEN = "#7A8797", "#EAEEF3", 0.12
# Strength of the fill of "off" where a topic is no longer unsure.
OFF_STRENGTH = 0.4
# Strength of the fill at probability 1; above 1 it goes beyond the full fill towards the hue.
STRONGEST = 1.12
# Strength of the fill and of the border at probability 0. Many topics are off, and the eye should
# find the topics that are on.
FAINTEST, FAINTEST_BORDER = 0.12, 0.4
ROUNDED = frozenset({"on", "off", "topic", "focus", "fold"})

# Share of the hue in a fill of the dark theme; the focus stands out from its neighbours.
DARK_FILL, DARK_FILL_FOCUS = 0.25, 0.6
# Borders of the dark theme are mixed with white to stand out from the background.
DARK_BORDER_LIFT = 0.35

# Sizes in pixels, for static SVG and for the browser: head of an arrow, bend of its line (a share
# of its height), minimum distance of its ends from the corner of a box, corners of boxes, height
# of a line of text, overhang and opacity of a band, opacity of a zone, figures of an arrow and the
# halo around them; height of a line and largest letters in the small box of a topic that is off.
DRAWING = {
    "head": 9.0, "stretch": 0.45, "corner": 12.0, "round": 9.0, "square": 2.0, "line": 16.0,
    "band_overhang": 10.0, "band_opacity": 0.05, "zone_opacity": 0.045,
    "figures": 12.0, "halo": 5.0, "small_line": 14.0, "small_letters": 11.5,
}  # fmt: skip

EDGE_COLOURS = {"strong": {"light": "#3C4858", "dark": "#C3CCD8"},
               "pale": {"light": "#B9C2CD", "dark": "#465263"}}  # fmt: skip


# All of the above for the explorer, whose boxes look the same.
CONSTANTS = {
    "background": BACKGROUND,
    "text": TEXT_COLOURS,
    "faint_text": FAINT_TEXT_COLOURS,
    "palette": PALETTES[DEFAULT_PALETTE],
    "neutral": NEUTRAL,
    "marks": MARKS,
    "legend_marks": LEGEND_MARKS,
    "border_width": BORDER_WIDTH,
    "unsure_width": UNSURE_WIDTH,
    "plain_width": PLAIN_WIDTH,
    "border_dash": BORDER_DASH,
    "unsure_dash": UNSURE_DASH,
    "empty": sorted(EMPTY),
    "faint": sorted(FAINT),
    "bold": sorted(BOLD),
    "struck": sorted(STRUCK),
    "between": BETWEEN,
    "between_fill": BETWEEN_FILL,
    "dark_between": DARK_BETWEEN,
    "off_strength": OFF_STRENGTH,
    "strongest": STRONGEST,
    "faintest": FAINTEST,
    "faintest_border": FAINTEST_BORDER,
    "rounded": sorted(ROUNDED),
    "dark_fill": DARK_FILL,
    "dark_border_lift": DARK_BORDER_LIFT,
    "unsure": UNSURE,
    "edge_colour": EDGE_COLOURS,
    "edge_steps": EDGE_STEPS,
    "edge_widths": EDGE_WIDTHS,
    "one_line": ONE_LINE,
    "line_limit": LINE_LIMIT,
    "node_limit": NODE_LIMIT,
    "two_lines": TWO_LINES,
    "drawing": DRAWING,
}


@dataclass(frozen=True)
class Paint:
    """Colours of one box in one theme, each ``#RRGGBB``."""

    fill: str
    border: str
    text: str


@dataclass(frozen=True)
class Outline:
    """Border of one box: its width and the lengths of its dashes, if any."""

    width: float
    dash: tuple[float, ...]


def outline(kind: str, probability: float | None) -> Outline:
    """Border of a box; ``probability`` is None unless it is a topic of a query."""
    if kind in MARKS and probability is not None and is_unsure(probability):
        return Outline(UNSURE_WIDTH, UNSURE_DASH)
    return Outline(BORDER_WIDTH.get(kind, PLAIN_WIDTH), BORDER_DASH.get(kind, ()))


def paint(kind: str, probability: float, palette: str, theme: str) -> Paint:
    """Colours of a box.

    Parameters
    ----------
    kind : str
        ``on``, ``off`` or a key of ``NEUTRAL``.
    probability : float
        For topics. All unsure ones have the same neutral fill and border. Below, the fill goes
        from nearly the background at 0 to a pale one of "off", above to the fill of "on" at 1.
    palette : str
        A key of ``PALETTES``.
    theme : str
        ``light`` or ``dark``.
    """
    ground = BACKGROUND[theme]
    is_topic = kind in MARKS
    hue, light_fill = PALETTES[palette][kind] if is_topic else NEUTRAL[kind]
    share = DARK_FILL_FOCUS if kind == "focus" else DARK_FILL
    full = light_fill if theme == "light" else mix(ground, hue, share)
    fill = ground if kind in EMPTY else full
    if is_topic:
        fill = _topic_fill(probability, full, hue, theme)
    border = BETWEEN if is_topic and is_unsure(probability) else hue
    if theme == "dark":
        border = mix(border, "#FFFFFF", DARK_FILL_FOCUS if kind == "focus" else DARK_BORDER_LIFT)
    text = FAINT_TEXT_COLOURS[theme] if kind in FAINT else TEXT_COLOURS[theme]
    if kind == "off" and probability < UNSURE[0]:
        share = (probability / UNSURE[0]) ** 2
        border = mix(ground, border, FAINTEST_BORDER + (1.0 - FAINTEST_BORDER) * share)
        text = mix(FAINT_TEXT_COLOURS[theme], text, share)
    return Paint(fill, border, text)


def _topic_fill(probability: float, full: str, hue: str, theme: str) -> str:
    """Fill of a topic; ``full`` and ``hue`` belong to "on" or "off"."""
    ground, low = BACKGROUND[theme], UNSURE[0]
    between = BETWEEN_FILL if theme == "light" else mix(ground, BETWEEN, DARK_BETWEEN)
    if is_unsure(probability):
        return between
    if probability > ON_THRESHOLD:
        most = mix(full, hue, STRONGEST - 1.0)
        return mix(between, most, (probability - ON_THRESHOLD) / (1.0 - ON_THRESHOLD))
    share = (probability / low) ** 2
    return mix(ground, full, FAINTEST + (OFF_STRENGTH - FAINTEST) * share)


def mix(first: str, second: str, share: float) -> str:
    """Mixture of two colours, with a share of the second."""
    pairs = zip(_channels(first), _channels(second), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02X}" for a, b in pairs)


def contrast(first: str, second: str) -> float:
    """Contrast ratio of two colours, from 1 to 21 (WCAG 2.1, relative luminance)."""
    lighter, darker = sorted((_luminance(first), _luminance(second)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


@cache
def _channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _luminance(colour: str) -> float:
    shares = [value / 255 for value in _channels(colour)]
    linear = [s / 12.92 if s <= 0.03928 else ((s + 0.055) / 1.055) ** 2.4 for s in shares]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def node_lines(label: str, limit: int = NODE_LIMIT) -> tuple[str, ...]:
    """Break a label into at most three lines of similar length, with ``limit`` letters in total.

    Whole words are kept where they fit, followed by "…"; tooltip and card have the whole label.
    """
    short = shortened(label, limit)
    # A dot between two words stays at the end of the first line.
    breaks = [
        place
        for place, letter in enumerate(short)
        if letter == " " and short[place + 1 : place + 2] not in ("·", "…")
    ]
    if len(short) <= ONE_LINE or not breaks:
        return (_cut(short),)
    lines = _broken(short, breaks, 1)
    if len(breaks) > 1 and max(map(len, lines)) > TWO_LINES:
        lines = _broken(short, breaks, 2)
    return tuple(map(_cut, lines))


def _broken(text: str, breaks: Sequence[int], count: int) -> list[str]:
    """Lines between ``count`` of the breaks such that the longest line is as short as possible."""
    made = (
        [text[start:end].strip() for start, end in pairwise((0, *chosen, len(text)))]
        for chosen in combinations(breaks, count)
    )
    return min(made, key=lambda lines: max(map(len, lines)))


def _cut(line: str) -> str:
    return line if len(line) <= LINE_LIMIT else line[: LINE_LIMIT - 1] + "…"
