"""Counts of what the tests have tried in this session, for the page benchmarks/TRUST.md."""

from __future__ import annotations

from collections import Counter

# By what was tried. `tests/conftest.py` writes it into the report of a session in one process
# (`pytest -n 0 --junitxml FILE`), as properties of the suite.
TRIED: Counter[str] = Counter()
# Begins the names of these properties; Hypothesis writes some of its own.
MARK = "tried: "
