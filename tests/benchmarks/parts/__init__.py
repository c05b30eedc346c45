"""All parts, in the order of the page."""

from __future__ import annotations

from tests.benchmarks.part import Part
from tests.benchmarks.parts import (
    density,
    figure2,
    figure4,
    figure5,
    figure6,
    figure7,
    overparam,
    table2,
)

_MODULES = (table2, figure2, figure4, figure5, figure6, figure7, overparam, density)
PARTS: dict[str, Part] = {module.PART.name: module.PART for module in _MODULES}
