"""Comparison of the default model with LDA: completion of documents, and coherence of topics."""

from __future__ import annotations

from typing import Any

from orrery.core.baselines.registry import find_system
from orrery.core.data.corpus import evenly_spaced, split_held_out
from orrery.core.runs.comparison import OWN, compare
from tests.benchmarks.corpora import CORPORA, Source
from tests.benchmarks.markdown import MISSING, number, table
from tests.benchmarks.part import Figures, Part, Settings, log
from tests.benchmarks.parts.structures import compare_corpora

HELD_OUT, SEED = 0.1, 0
# Test documents; more of them would only cost time.
MAX_HELD_OUT = 1_000
QUICK_CORPORA = ("tiny20", "bbc")
OTHERS = ("sklearn-lda", "tomotopy-lda", "tomotopy-hlda")
ABOUT = f"""Orrery with default options, and LDA by scikit-learn and tomotopy with as many topics as
Orrery has in its lowest layer; tomotopy's hierarchical LDA finds its own number. All are trained on
the same documents with the defaults of their packages. As in `orrery compare`, each predicts a
thousand hidden words of at most {MAX_HELD_OUT:,} held-out documents, with all other words known:
the share of hidden words among the first ten predictions (recall@10), and their mean reciprocal
rank. NPMI is the coherence of the ten top words of a topic on the whole corpus. Higher is better;
the best value of a corpus is bold.
"""


def run(settings: Settings) -> Figures:
    """Train on the corpora asked for; the figures of other corpora stay."""
    return compare_corpora(PART.name, CORPORA, QUICK_CORPORA, _compare, settings)


def _compare(source: Source, settings: Settings) -> list[dict[str, Any]]:
    corpus = source.corpus(is_quick=settings.quick)
    train, held_out = split_held_out(corpus, HELD_OUT, SEED)
    requested = evenly_spaced(held_out, MAX_HELD_OUT)
    rows: list[dict[str, Any]] = []
    for name in (OWN, *OTHERS):
        if name != OWN and not find_system(name).is_installed():
            log.warning("%s is left out: its package is not installed", name)
            continue
        log.info("%s: %s", source.title, name)
        n_topics = rows[0]["topics"] if rows else 1
        for found in compare(corpus, [name], train, requested, n_topics=n_topics, seed=SEED):
            row = {key: value for key, value in found.to_dict().items() if key != "words"}
            rows.append({**row, "documents": corpus.n_documents, "terms": corpus.n_tokens})
    return rows


FIGURES = {"completion_recall10": 3, "completion_mrr": 3, "npmi": 3}


def show(figures: Figures) -> str:
    """Table with a row for each corpus and system."""
    header = ["corpus", "system", "topics", "recall@10", "mean reciprocal rank", "NPMI"]
    lines = []
    for name, rows in figures["rows"].items():
        best = {key: max(row[key] for row in rows if row[key] is not None) for key in FIGURES}
        for row in rows:
            size = f"{number(row['documents'], 0)} × {number(row['terms'], 0)}"
            first = f"{CORPORA[name].title}, {size}" if row is rows[0] else ""
            cells = [_bold(row[key], best[key], digits) for key, digits in FIGURES.items()]
            lines.append([first, row["title"], number(row["topics"], 0), *cells])
    won = {key: _wins(figures["rows"], key) for key in FIGURES}
    total = len(figures["rows"])
    note = (
        f"Among the models with as many topics, Orrery is best on {won['completion_recall10']} of "
        f"{total} corpora in recall, {won['completion_mrr']} in reciprocal rank, {won['npmi']} in "
        "NPMI."
    )
    return f"{ABOUT}\n{table(header, lines)}\n\n{note}\n"


def summary(figures: Figures) -> str:
    """Table of the metrics in which Orrery is best, by number of corpora."""
    titles = {
        "completion_recall10": "completion of documents, recall@10",
        "completion_mrr": "completion of documents, mean reciprocal rank",
        "npmi": "coherence of the topics, NPMI",
    }
    rows = [[title, str(_wins(figures["rows"], key))] for key, title in titles.items()]
    return table(["metric", f"Orrery above LDA, of {len(figures['rows'])} corpora"], rows)


def _bold(value: float | None, best: float, digits: int) -> str:
    if value is None:
        return MISSING
    text = number(value, digits)
    return f"**{text}**" if value == best else text


def _wins(rows: dict[str, list[dict[str, Any]]], key: str) -> int:
    """Number of corpora on which Orrery is above all models with as many topics."""
    wins = 0
    for own, *others in rows.values():
        peers = [row[key] for row in others if row["topics"] == own["topics"]]
        wins += bool(peers) and own[key] > max(peers)
    return wins


PART = Part("beside_lda", "Comparison with LDA", 90, run, show)
