"""Quality of the default graph, on corpora used during development and on new ones."""

from __future__ import annotations

import tempfile
from pathlib import Path
from statistics import mean
from typing import Any

import numpy as np
from scipy import sparse

from orrery.core.data.corpus import Corpus
from orrery.core.evaluation.coherence import top_words
from orrery.core.model.topic_model import Run
from orrery.core.storage.corpora import save_corpus
from orrery.core.storage.runs import load_run
from orrery.core.structure.pruning import STRONG_LINK
from tests.benchmarks.alone import CommandError, orrery
from tests.benchmarks.corpora import CORPORA, FRESH, Source
from tests.benchmarks.labels import lacks_strongest
from tests.benchmarks.layers_used import upper_topics
from tests.benchmarks.markdown import MISSING, number, table
from tests.benchmarks.part import Figures, Part, Settings, log
from tests.benchmarks.parts.structures import compare_corpora
from tests.benchmarks.relatives import likeness, relations_of

HELD_OUT = 0.1
SEEDS = (0, 1, 2)
QUICK_CORPORA = ("tiny20", "bbc")
# Pairs of siblings beyond these would only cost time.
MAX_PAIRS = 1_000
METHODS: dict[str, tuple[str, list[object]]] = {
    "learned": ("**learned**", []),
    "dense-regions": ("before", ["--method", "dense-regions"]),
}
SOURCES = {**CORPORA, **FRESH}
FRESH_TITLES = ", ".join(source.title for source in FRESH.values())
ABOUT = f"""`orrery train` with default options, compared with the former default, which is now
`--method dense-regions`. Each run is a process of its own with the same test set of one tenth.
{FRESH_TITLES} were not used during development. The bound is the exact bound of held-out documents
(at most 5,000) minus the log-likelihood of independent words (the baseline), in nats per document;
higher is better. *Upper topics* are topics above other topics; one is *accepted* if it is on in one
of a thousand documents and activates two children with a probability of {STRONG_LINK} or more.
*Siblings* share a parent by such links: the difference between the NPMI of their words and the NPMI
of other pairs of topics of the layer, for the layer with the lowest value. *Lack a word*: share of
names without the word that the topic activates most often; names prefer words of few topics that
are often together, so such a name is no defect. Seconds are processor seconds of all threads for
the whole process, with the final evaluation; *times* is their ratio to the former default.
"""


def run(settings: Settings) -> Figures:
    """Train on the corpora asked for; the figures of other corpora stay."""
    return compare_corpora(PART.name, SOURCES, QUICK_CORPORA, _compare, settings)


def _compare(source: Source, settings: Settings) -> list[dict[str, Any]]:
    corpus = source.corpus(is_quick=settings.quick)
    counts = {"documents": corpus.n_documents, "words": corpus.n_tokens}
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        save_corpus(corpus, Path(folder, "corpus"))
        for seed in settings.pick([seed for seed in SEEDS if seed in settings.splits], SEEDS[:1]):
            for method, (_, options) in METHODS.items():
                log.info("%s, seed %d: %s", source.title, seed, method)
                place = Path(folder, f"{method}-{seed}")
                given = [*options, "--seed", seed, "--held-out", HELD_OUT]
                given += settings.pick([], ["--epochs", 2])
                try:
                    ran = orrery("train", Path(folder, "corpus"), "--out", place, "--json", *given)
                except CommandError as error:
                    log.warning("left out: %s", error)
                    continue
                evaluated = _evaluated(load_run(place), corpus, ran.json()["held_out"])
                row = {"method": method, "seed": seed, **counts}
                rows.append({**row, **evaluated, **ran.cost()})
    return rows


def _evaluated(trained: Run, corpus: Corpus, held_out: dict[str, Any]) -> dict[str, Any]:
    network = trained.network
    upper = upper_topics(trained)
    lacks = lacks_strongest(network, trained.vocabulary, trained.topic_labels)
    return {
        "control": held_out["independent"],
        "gain": held_out["exact_bound"] - held_out["independent"],
        "npmi": held_out["npmi"],
        "topics": network.graph.n_topics,
        "edges": network.graph.n_edges,
        "layers": network.graph.n_layers(),
        "upper": len(upper),
        "earning": int(upper.sum()),
        "wordless": len(trained.wordless_topics),
        "lacking": float(lacks.mean()) if len(lacks) else 0.0,
        "siblings": _sibling_lead(trained, corpus),
    }


def _sibling_lead(trained: Run, corpus: Corpus) -> float | None:
    """NPMI of siblings minus the NPMI of other pairs, in the layer where it is lowest."""
    presence = sparse.csc_array(corpus.to_csr())
    subtree, words = relations_of(trained.network), top_words(trained.network, trained.vocabulary)
    rng, leads = np.random.default_rng(0), []
    for layer in range(1, int(subtree.layer.max(initial=0))):
        likenesses = []
        for pairs in (subtree.sibling_pairs(layer, STRONG_LINK), subtree.other_pairs(layer)):
            chosen = pairs[np.sort(rng.permutation(len(pairs))[:MAX_PAIRS])]
            likenesses.append(likeness(presence, words, chosen))
        if all(len(values) for values in likenesses):
            leads.append(float(likenesses[0].mean() - likenesses[1].mean()))
    return min(leads, default=None)


def show(figures: Figures) -> str:
    """Table with a row for each corpus and default."""
    header = ["corpus", "default", "bound over baseline", "NPMI", "topics", "layers"]
    header += ["upper topics accepted", "NPMI of siblings", "lack a word", "seconds", "times"]
    lines = []
    for name, rows in figures["rows"].items():
        for method, (title, _) in METHODS.items():
            same = [row for row in rows if row["method"] == method]
            if same:
                first = same[0]
                size = f"{number(first['documents'], 0)} × {number(first['words'], 0)}"
                begin = [f"{SOURCES[name].title}, {size}"] if method == "learned" else [""]
                # Fewer than the other rows have.
                seeds = f", {len(same)} of {len(SEEDS)} seeds" if len(same) < len(SEEDS) else ""
                lines.append([*begin, title + seeds, *_cells(same), _times(rows, method)])
    return f"{ABOUT}\n{table(header, lines)}\n"


def _cells(rows: list[dict[str, Any]]) -> list[str]:
    def average(key: str, digits: int) -> str:
        known = [row[key] for row in rows if row.get(key) is not None]
        return number(mean(known), digits) if known else MISSING

    upper, accepted = (sum(row[key] for row in rows) for key in ("upper", "earning"))
    return [
        average("gain", 2),
        average("npmi", 3),
        average("topics", 0),
        average("layers", 1),
        f"{accepted} of {upper}" if upper else MISSING,
        average("siblings", 3),
        f"{number(100 * mean(row['lacking'] for row in rows), 1)} %",
        average("processor_seconds", 0),
    ]


def _times(rows: list[dict[str, Any]], method: str) -> str:
    """How many times as long as the other default learning took."""
    seconds = {
        one: [row.get("processor_seconds") for row in rows if row["method"] == one]
        for one in METHODS
    }
    if method != "learned" or None in [*seconds["learned"], *seconds["dense-regions"]]:
        return MISSING
    return number(mean(seconds["learned"]) / mean(seconds["dense-regions"]), 1)


PART = Part("defaults", "Quality of the default settings", 240, run, show)
