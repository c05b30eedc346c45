"""Null model: words are shuffled among documents, so that there is no structure to learn."""

from __future__ import annotations

import tempfile
from pathlib import Path
from statistics import mean
from typing import Any

import numpy as np
from scipy import sparse

from orrery.core.data.corpus import Corpus
from orrery.core.storage.corpora import save_corpus
from orrery.core.storage.runs import load_run
from tests.benchmarks.alone import orrery
from tests.benchmarks.corpora import CORPORA, Source
from tests.benchmarks.data import binary_corpus
from tests.benchmarks.markdown import MISSING, number, table
from tests.benchmarks.part import Figures, Part, Settings, log
from tests.benchmarks.parts.structures import compare_corpora

# Short titles, long articles, and few words in many documents.
NAMES = ("tiny20", "nips", "bbc")
SOURCES = {name: CORPORA[name] for name in NAMES}
QUICK_CORPORA = ("bbc",)
SEEDS = tuple(range(10))
HELD_OUT = 0.1
ABOUT = f"""Every word keeps its number of documents, but the documents are random: {len(SEEDS)}
times, each with a seed of its own, which is also the seed of `orrery train` with default options.
Random co-occurrence must not produce a hierarchy. *Hierarchy*: models with a topic above another.
*Groups*: models with [topic groups](#shelves). The bound is the exact bound of a held-out tenth
minus the log-likelihood of independent words, in nats per document. Below 0 the model over-fits,
and `orrery train` reports that its topics do not predict unseen texts better than word frequencies.
"""


def run(settings: Settings) -> Figures:
    """Train on the corpora asked for; the figures of other corpora stay."""
    return compare_corpora(PART.name, SOURCES, QUICK_CORPORA, _learned, settings)


def _learned(source: Source, settings: Settings) -> list[dict[str, Any]]:
    corpus = source.corpus(is_quick=settings.quick)
    rows = []
    for seed in settings.pick(SEEDS, SEEDS[:1]):
        with tempfile.TemporaryDirectory() as folder:
            save_corpus(shuffled(corpus, seed), Path(folder, "corpus"))
            place = Path(folder, "run")
            given = ["--seed", seed, "--held-out", HELD_OUT, *settings.pick([], ["--epochs", 2])]
            ran = orrery("train", Path(folder, "corpus"), "--out", place, "--json", *given)
            trained, held_out = load_run(place), ran.json()["held_out"]
        graph = trained.network.graph
        rows.append({
            "seed": seed, "documents": corpus.n_documents, "words": corpus.n_tokens,
            "topics": graph.n_topics, "layers": graph.n_layers(), "edges": graph.n_edges,
            "gain": held_out["exact_bound"] - held_out["independent"],
            "shelves": len(trained.topic_group_names),
        })  # fmt: skip
        log.info("%s: %s", source.title, rows[-1])
    return rows


def shuffled(corpus: Corpus, seed: int) -> Corpus:
    """Every word in as many documents as before, and in any."""
    rng = np.random.default_rng(seed)
    by_word = sparse.csc_array(corpus.to_csr())
    for word in range(corpus.n_tokens):
        span = slice(by_word.indptr[word], by_word.indptr[word + 1])
        drawn = rng.choice(corpus.n_documents, span.stop - span.start, replace=False)
        by_word.indices[span] = np.sort(drawn)
    return binary_corpus(by_word, corpus.vocabulary)


def show(figures: Figures) -> str:
    """Table with a row for each corpus."""
    header = [
        "corpus",
        "hierarchy",
        "groups",
        "topics",
        "layers",
        "edges",
        "bound",
        "highest",
    ]
    lines = []
    for name, rows in figures["rows"].items():
        size = f"{number(rows[0]['documents'], 0)} × {number(rows[0]['words'], 0)}"
        invented = sum(row["layers"] > 1 for row in rows)
        grouped = [row["shelves"] > 0 for row in rows if "shelves" in row]
        means = [number(mean(row[key] for row in rows), 1) for key in ("topics", "layers", "edges")]
        gains = [row["gain"] for row in rows]
        lines.append([f"{SOURCES[name].title}, {size}", f"{invented} of {len(rows)}",
                      f"{sum(grouped)} of {len(grouped)}" if grouped else MISSING, *means,
                      number(mean(gains), 2), number(max(gains), 2)])  # fmt: skip
    return f"{ABOUT}\n{table(header, lines)}\n"


PART = Part("shuffled", "Null model: words shuffled among documents", 15, run, show)
