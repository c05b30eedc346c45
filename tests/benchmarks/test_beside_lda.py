"""Orrery beside LDA: who is counted as first, and a whole row of it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import sparse

from tests.benchmarks.code_state import ROOT
from tests.benchmarks.corpora import CORPORA, Source
from tests.benchmarks.data import binary_corpus
from tests.benchmarks.markdown import number
from tests.benchmarks.part import Settings
from tests.benchmarks.parts import beside_lda
from tests.benchmarks.results import RESULTS, load_results


def row(name: str, topics: int, recall: float, npmi: float) -> dict[str, Any]:
    return {
        "name": name, "title": name, "topics": topics, "completion_recall10": recall,
        "completion_mrr": recall / 2, "npmi": npmi, "documents": 100, "terms": 20,
    }  # fmt: skip


def test_first_is_who_is_above_all_with_as_many_topics() -> None:
    rows = {
        "bbc": [row("orrery", 20, 0.3, 0.1), row("lda", 20, 0.2, 0.2), row("tree", 3, 0.9, 0.9)],
        "nips": [row("orrery", 20, 0.3, 0.3), row("lda", 20, 0.4, 0.2)],
        "dblp": [row("orrery", 20, 0.3, 0.3)],
    }
    page = beside_lda.show({"rows": rows})
    assert "on 1 of 3 corpora in recall" in page
    assert "1 in reciprocal rank, 1 in NPMI" in page
    assert "| **0.900** |" in page


def test_all_are_evaluated_on_the_same_documents(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    theme = rng.random((300, 4)) < 0.4
    presence = rng.random((300, 24)) < np.where(np.repeat(theme, 6, axis=1), 0.6, 0.05)
    corpus = binary_corpus(sparse.csr_array(presence.astype(float)), [f"w{n}" for n in range(24)])
    monkeypatch.setitem(CORPORA, "bbc", Source("drawn", lambda: corpus))
    monkeypatch.setattr(beside_lda, "OTHERS", ("sklearn-lda",))
    rows = beside_lda.run(Settings((0,), True, ("bbc",), "graphs", ()))["rows"]["bbc"]
    assert [found["name"] for found in rows] == ["orrery", "sklearn-lda"]
    assert rows[0]["topics"] == rows[1]["topics"]
    # Ten of 24 words by guessing; of words that go together in themes both do better.
    assert all(found["completion_recall10"] > 10 / 24 for found in rows)


@pytest.mark.parametrize("name", ["news20", "nips"])
def test_the_table_of_the_readme_has_the_measured_figures(name: str) -> None:
    systems = {
        "orrery": "Orrery",
        "tomotopy-lda": "LDA (tomotopy)",
        "sklearn-lda": "LDA (scikit-learn)",
    }
    found = load_results(RESULTS)["beside_lda"].figures["rows"][name]
    rows = {row["name"]: row for row in found if row["name"] in systems}
    metrics = ("completion_recall10", "npmi")
    best = {metric: max(row[metric] for row in rows.values()) for metric in metrics}
    lines = []
    for key, title in systems.items():
        documents = number(rows[key]["documents"], 0)
        corpus = f"{CORPORA[name].title}, {documents} documents " if key == "orrery" else ""
        cells = [beside_lda._bold(rows[key][each], best[each], 3) for each in metrics]
        lines.append(f"| {corpus}| {title} | {' | '.join(cells)} |")
    assert "\n".join(lines) in (ROOT / "README.md").read_text(encoding="utf-8")
