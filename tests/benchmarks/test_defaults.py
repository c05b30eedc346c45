"""The comparison of defaults: what it counts, and a whole row of it."""

from __future__ import annotations

from typing import Any

from tests.benchmarks.part import Settings
from tests.benchmarks.parts import defaults
from tests.benchmarks.parts.defaults import METHODS, SOURCES, show


def row(method: str, seed: int, **changes: Any) -> dict[str, Any]:
    plain = {
        "method": method, "seed": seed, "documents": 1_000, "words": 200, "control": -20.0,
        "gain": 1.0, "npmi": 0.1, "topics": 30, "edges": 900, "layers": 2, "upper": 5,
        "earning": 4, "wordless": 0, "lacking": 0.01, "siblings": 0.2, "seconds": 9.0,
        "gigabytes": 0.3,
    }  # fmt: skip
    return plain | changes


def test_upper_topics_are_added_up_over_seeds_and_the_rest_is_averaged() -> None:
    rows = [row("learned", 0), row("learned", 1, gain=2.0, upper=3, earning=3, siblings=None)]
    (line,) = [line for line in show({"rows": {"bbc": rows}}).splitlines() if "**learned**" in line]
    cells = [cell.strip() for cell in line.split("|")]
    assert "1.50" in cells
    assert "7 of 8" in cells
    assert "0.200" in cells
    assert "1.0 %" in cells


def test_a_flat_model_has_no_upper_topics_to_speak_of() -> None:
    page = show({"rows": {"bbc": [row("dense-regions", 0, upper=0, earning=0, siblings=None)]}})
    assert "0 of 0" not in page


def test_a_row_by_fewer_seeds_than_others_reports_it() -> None:
    rows = [row("learned", seed) for seed in range(3)]
    assert "seeds |" not in show({"rows": {"bbc": rows}})
    page = show({"rows": {"bbc": rows, "nips": rows[:2]}})
    assert page.count(", 2 of 3 seeds |") == 1


def test_both_defaults_are_trained_on_the_same_documents(monkeypatch) -> None:
    """On a few documents of drawn words, by commands as a person would give them."""
    import numpy as np
    from scipy import sparse

    from tests.benchmarks.corpora import Source
    from tests.benchmarks.data import binary_corpus

    rng = np.random.default_rng(0)
    theme = rng.random((300, 4)) < 0.4
    presence = rng.random((300, 24)) < np.where(np.repeat(theme, 6, axis=1), 0.6, 0.05)
    corpus = binary_corpus(sparse.csr_array(presence.astype(float)), [f"w{n}" for n in range(24)])
    monkeypatch.setitem(SOURCES, "bbc", Source("drawn", lambda: corpus))
    settings = Settings((0,), True, ("bbc",), "graphs", ())
    rows = defaults.run(settings)["rows"]["bbc"]
    assert [row["method"] for row in rows] == list(METHODS)
    assert len({row["control"] for row in rows}) == 1
    assert all(row["gain"] > -5.0 for row in rows)
