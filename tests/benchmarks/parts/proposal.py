"""Time to propose a graph over 50,000 words."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from tests.benchmarks.abstracts import import_abstracts
from tests.benchmarks.alone import orrery
from tests.benchmarks.markdown import number, table
from tests.benchmarks.part import Figures, Part, Settings

WORDS, QUICK_WORDS = 50_000, 1_000
QUICK_DOCUMENTS = 3_000
# Layers as chosen from the size of the corpus, and four of them.
TOPICS = {"chosen by size": None, "four layers": "800,160,32,6"}
QUICK_TOPICS = {"chosen by size": None, "four layers": "60,20,6,2"}
ABOUT = """`orrery structure` on {documents} arXiv abstracts, in a process of its own, with reading
the corpus and writing the graph; memory is the peak of the process.
"""


def run(settings: Settings) -> Figures:
    """Import once, propose twice."""
    rows: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as folder:
        corpus, graph = Path(folder, "corpus"), Path(folder, "graph.csv")
        count = settings.pick(None, QUICK_DOCUMENTS)
        imported = import_abstracts(corpus, count, settings.pick(WORDS, QUICK_WORDS)).json()
        for name, topics in settings.pick(TOPICS, QUICK_TOPICS).items():
            sizes = [] if topics is None else ["--topics", topics]
            ran = orrery("structure", corpus, "--out", graph, "--json", *sizes)
            rows.append({"name": name, **ran.json(), **ran.cost()})
    counts = {"documents": imported["documents"], "words": imported["vocabulary"]}
    return {**counts, "rows": rows}


def show(figures: Figures) -> str:
    """One line a choice of layers."""
    header = ["layers", "words", "topics", "per layer", "edges", "seconds", "memory, GB"]
    rows = [
        [
            row["name"],
            *[number(value, 0) for value in (figures["words"], row["topics"], row["layers"])],
            *[number(row["edges"], 0), number(row["seconds"], 0), number(row["gigabytes"], 2)],
        ]
        for row in figures["rows"]
    ]
    return f"{ABOUT.format(documents=number(figures['documents'], 0))}\n{table(header, rows)}\n"


PART = Part("proposal", "Proposing a graph over 50,000 words", 8, run, show)
