"""Numbers as people read them: probabilities with the digits that their error allows, per cent."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from orrery.core.exporting.thresholds import FINE_ERROR, SURE_ERRORS, UNSURE

if TYPE_CHECKING:
    from orrery.core.inference import Estimate

# What the unit of likelihoods is, where it is met first.
NAT = "one nat more is 2.7 times as likely"


def is_unsure(probability: float) -> bool:
    """Whether a topic is neither clearly on nor clearly off."""
    return UNSURE[0] < probability < UNSURE[1]


def figures(probability: float, error: float = 0.0) -> str:
    """Write a probability with the digits that its standard error allows: two, or one.

    One that is not exactly 0 or 1 never reads as such; ">0.99" says that it is surely beyond.
    """
    digits = 2 if error <= FINE_ERROR else 1
    step = 10.0**-digits
    if 0.0 < probability < step / 2.0 or (probability == 0.0 and error > 0.0):
        return f"{'<' * (probability + SURE_ERRORS * error < step)}{step:.{digits}f}"
    if 1.0 - step / 2.0 <= probability < 1.0 or (probability == 1.0 and error > 0.0):
        least = 1.0 - step
        return f"{'>' * (probability - SURE_ERRORS * error > least)}{least:.{digits}f}"
    return f"{probability:.{digits}f}"


def figures_of(known: Estimate) -> str:
    """Write an estimate with the digits that its error allows."""
    return figures(known.value, known.error)


def margin(error: float) -> str:
    """How far a probability may be off at most, as good as always."""
    return f"{max(0.01, math.ceil(100.0 * SURE_ERRORS * error) / 100.0):.2f}"


def percent(probability: float) -> str:
    """Write a probability in per cent with at most two digits."""
    value = 100 * probability
    if 0 < value < 1:
        return f"{value:.1f}\N{NO-BREAK SPACE}%" if value >= 0.1 else "<0.1\N{NO-BREAK SPACE}%"
    return f"{value:.0f}\N{NO-BREAK SPACE}%"


def score_percent(share: float) -> str:
    """Write a score in per cent with 3 significant digits, enough to tell two models apart."""
    return f"{100 * share:.3g}\N{NO-BREAK SPACE}%"


def number(value: float) -> str:
    """Write a number with 3 significant digits and a true minus sign."""
    digits = f"{value:,.0f}" if abs(value) >= 100 else f"{value:#.3g}".rstrip(".")
    return digits.replace("-", "−")
