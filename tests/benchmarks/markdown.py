"""Tables and numbers as the page writes them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import mean, stdev

MISSING = "–"


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Markdown table, the first column to the left and numbers to the right."""
    lines = [header, [":--", *["--:"] * (len(header) - 1)], *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


def number(value: float | None, digits: int = 2) -> str:
    """Return a figure with ``digits`` digits and a true minus sign; a dash for None."""
    if value is None:
        return MISSING
    return f"{value:,.{digits}f}".replace("-", "−")


def spread(values: Sequence[float] | None, digits: int = 2) -> str:
    """Mean ± two standard deviations, as in the paper's Table 2; a lone value as it is."""
    if not values:
        return MISSING
    if len(values) == 1:
        return number(values[0], digits)
    return f"{number(mean(values), digits)} ± {number(2 * stdev(values), digits)}"
