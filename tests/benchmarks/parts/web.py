"""An epoch on synthetic corpora and graphs of the sizes in the paper's Table 1."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from orrery.core.storage.corpora import save_corpus
from orrery.core.storage.graphs import write_graph
from orrery.core.storage.reports import read_metrics
from tests.benchmarks.alone import orrery
from tests.benchmarks.machine import measure_pace
from tests.benchmarks.markdown import MISSING, number, table
from tests.benchmarks.part import Figures, Part, Settings, log
from tests.benchmarks.results import measure_sets
from tests.benchmarks.web_scale import SHAPES, Shape, corpus_over, layered_graph

QUICK = Shape(500, 2_000, 12_000, 4_000)
COUNTS = ("topics", "words", "edges", "documents", "words_per_document")
ABOUT = """Synthetic graphs and corpora with the numbers of topics, words, edges and documents of
DBLP and Yelp in the paper's Table 1. `orrery train` runs one epoch on all threads; *all* includes
the evaluation on held-out documents, checkpoints and the final evaluation. Memory is the peak of
the process. Shapes may have been run on different machines, so their pace is given: the time in
which plain Python sums the squares of a million numbers.
"""


def run(settings: Settings) -> Figures:
    """Train one epoch on each shape asked for, in a process of its own; the others' rows stay."""
    shapes = settings.pick(SHAPES, {"quick": QUICK})
    return measure_sets(
        PART.name, shapes, tuple(shapes), lambda name: _measure(shapes[name]), settings
    )


def _measure(shape: Shape) -> dict[str, Any]:
    log.info("%s", shape)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        graph = layered_graph(shape)
        corpus = corpus_over(graph, shape.documents)
        save_corpus(corpus, folder / "corpus")
        write_graph(folder / "graph.csv", graph, corpus.vocabulary)
        mean_words = float(len(corpus.token_idx) / corpus.n_documents)
        del corpus
        command = ["train", folder / "corpus", "--out", folder / "run", "--epochs", 1]
        ran = orrery(*command, "--graph", folder / "graph.csv", "--held-out", 0.005)
        metrics = read_metrics(folder / "run")
    counts = {name: getattr(shape, name) for name in ("topics", "words", "edges", "documents")}
    first, last = metrics.iloc[0], metrics.iloc[-1]
    return {
        **counts,
        "words_per_document": mean_words,
        "epoch": float(last["seconds"]),
        "all": ran.seconds,
        "gigabytes": ran.gigabytes,
        "bounds": [float(first["train_bound"]), float(last["train_bound"])],
        "pace": measure_pace(),
    }


def show(figures: Figures) -> str:
    """One line a shape."""
    header = ["shape", "topics", "words", "edges", "documents", "words per document"]
    header += ["an epoch, min", "all, min", "documents per second", "memory, GB"]
    header += ["bound, start → end", "pace, ms"]
    rows = []
    for name, row in figures["rows"].items():
        counts = [number(row[name], 0) for name in COUNTS]
        times = [number(row["epoch"] / 60, 1), number(row["all"] / 60, 1)]
        speed = number(row["documents"] / row["epoch"], 0)
        bounds = " → ".join(number(bound, 1) for bound in row["bounds"])
        rows.append([name, *counts, *times, speed, number(row["gigabytes"], 2), bounds])
        rows[-1].append(number(row["pace"], 0) if "pace" in row else MISSING)
    return f"{ABOUT}\n{table(header, rows)}\n"


PART = Part("web", "An epoch at the size of DBLP and Yelp", 30, run, show)
