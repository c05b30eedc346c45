"""Methods for the graph on six corpora, each with the same number of edges."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from statistics import mean
from typing import Any

import numpy as np

from orrery.core.data.corpus import Corpus
from orrery.core.storage.activations import load_activations
from orrery.core.storage.corpora import save_corpus
from orrery.core.storage.runs import load_run
from orrery.core.structure.layers import complete_edges, layer_sizes
from orrery.core.structure.pruning import ON
from tests.benchmarks.alone import CommandError, Ran, orrery
from tests.benchmarks.corpora import CORPORA, Source
from tests.benchmarks.data import split_rows
from tests.benchmarks.layers_used import layers_used
from tests.benchmarks.markdown import MISSING, number, spread, table
from tests.benchmarks.part import Figures, Part, Settings, log
from tests.benchmarks.results import measure_sets

HELD_OUT = 0.1
# Topics of the lower layer for one of the upper, as in the complete graph that is the default.
COMPLETE_RATIO = 4
QUICK_CORPORA = ("tiny20", "bbc")
METHODS = {
    "dense-regions": "dense-regions",
    "agglomerative": "agglomerative",
    "complete": "complete",
    "learned": "**ours**, `--learn-structure`",
}
ABOUT = """`orrery train` with default options otherwise, each run in a process of its own. The
budget is the number of edges that `dense-regions` proposes for a corpus by default. All other
methods get it as `--edges` and end with the same number or slightly fewer. `agglomerative` and
`--learn-structure` also get the numbers of topics in each layer that `dense-regions` chose.
`complete` links everything, so its two layers have as few topics as the budget requires.
`--learn-structure` begins with a quarter more topics and an initial graph (*from*: up to 500 words
`complete` with all edges, otherwise `dense-regions` with up to three times the budget, with edges
added where their gain is largest), and prunes it to the budget.

The bound is the exact bound of held-out documents (one in ten, at most 5,000; on tiny20 its five
splits) minus the log-likelihood of independent words on the same documents, in nats per document;
higher is better. *Layers* counts layers that are used: topics that are on in one of a thousand
documents, and edges that act with a probability of a tenth. Seconds are for the whole process, with
the final evaluation and the topics of all documents, and can be compared only within a corpus,
because corpora were run on machines of different speed. Memory is the peak of the process.
"""

# A run that was stopped for hours and resumed is marked by hand in its row.
RESUMED = """*Resumed*: stopped once and resumed, then with two threads: processor seconds, which
the minutes below do not include.
"""


def run(settings: Settings) -> Figures:
    """Train on the corpora asked for; the figures of other corpora stay."""
    return compare_corpora(PART.name, CORPORA, QUICK_CORPORA, _compare, settings)


def compare_corpora(
    part: str,
    sources: Mapping[str, Source],
    quick: tuple[str, ...],
    compare: Callable[[Source, Settings], list[dict[str, Any]]],
    settings: Settings,
) -> Figures:
    """Rows of the requested corpora, and the earlier rows of the others."""
    return measure_sets(
        part, sources, quick, lambda name: compare(sources[name], settings), settings
    )


def _compare(source: Source, settings: Settings) -> list[dict[str, Any]]:
    corpus = source.corpus(is_quick=settings.quick)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        save_corpus(corpus, Path(folder, "corpus"))
        for seed in settings.pick(source.seeds, source.seeds[:1]):
            where = Path(folder, str(seed))
            where.mkdir()
            options = [*_split(corpus, where, seed), *settings.pick([], ["--epochs", 2])]
            for row in _methods(source, corpus, where, options):
                counts = {"documents": corpus.n_documents, "words": corpus.n_tokens, "seed": seed}
                rows.append({**counts, **row})
    return rows


def _split(corpus: Corpus, where: Path, seed: int) -> list[object]:
    """Options that hold the same documents out for every method; tiny20 has splits of its own."""
    if corpus.n_documents != sum(map(len, split_rows(seed))):
        return ["--held-out", HELD_OUT, "--seed", seed]
    ids = where / "held-out.txt"
    ids.write_text("\n".join(map(str, sorted(split_rows(seed)[1].tolist()))), encoding="utf-8")
    return ["--held-out-ids", ids, "--seed", seed]


def _methods(
    source: Source, corpus: Corpus, where: Path, options: list[object]
) -> Iterator[dict[str, Any]]:
    """Train by one method after the other; the first sets the budget of all."""
    n_train = round((1.0 - HELD_OUT) * corpus.n_documents)
    sizes = layer_sizes(corpus.n_tokens, n_train, None)
    budget = None
    for method in METHODS:
        graph = _graph_options(method, corpus.n_tokens, sizes, budget)
        if method == "learned":
            graph += ["--learn-structure"]
            graph += ["--start-epochs", 20] if "--epochs" in options else []
        log.info("%s: %s", source.title, " ".join(map(str, graph)))
        row = _train(where.parent / "corpus", where / method, [*graph, *options])
        yield {"method": method, **row}
        budget = budget or row["edges"]
        if budget is None:
            return


def _graph_options(
    method: str, n_tokens: int, sizes: tuple[int, ...], budget: int | None
) -> list[object]:
    """Options of `orrery train` that determine the graph."""
    if method == "complete":
        sizes = complete_sizes(n_tokens, budget or 0)
    options: list[object] = ["--topics", ",".join(map(str, sizes))]
    options += [] if budget is None else ["--edges", budget]
    return options + ([] if method == "learned" else ["--method", method])


def complete_sizes(n_tokens: int, budget: int) -> tuple[int, ...]:
    """Sizes of two layers whose complete graph comes closest to a budget from below."""
    pairs = [
        (first, max(top, 1))
        for first in range(1, budget // n_tokens + 1)
        for top in (first // COMPLETE_RATIO, -(-first // COMPLETE_RATIO))
    ]
    fitting = [sizes for sizes in pairs if complete_edges(n_tokens, sizes) <= budget]
    return max(fitting, key=lambda sizes: complete_edges(n_tokens, sizes), default=(1,))


def _train(corpus: Path, place: Path, options: list[object]) -> dict[str, Any]:
    try:
        ran = orrery("train", corpus, "--out", place, "--json", *options)
    except CommandError as error:
        log.warning("left out: %s", error)
        return {"error": str(error), "edges": None}
    return {**_evaluated(ran, place), **ran.cost()}


def _evaluated(ran: Ran, place: Path) -> dict[str, Any]:
    held_out, trained = ran.json()["held_out"], load_run(place)
    network = trained.network
    found = load_activations(place / "model")
    assert found is not None
    share_on = np.asarray((found.probability >= ON).mean(axis=0), np.float64).ravel()
    return {
        "from": trained.config["settings"]["method"],
        "control": held_out["independent"],
        "gain": held_out["exact_bound"] - held_out["independent"],
        **{key: held_out[key] for key in ("npmi", "diversity", "topics", "edges")},
        "layers": network.graph.n_layers(),
        "layers_used": layers_used(network, share_on),
    }


def show(figures: Figures) -> str:
    """Table for each corpus with a row for each method."""
    parts = [ABOUT]
    for name, rows in figures["rows"].items():
        first = rows[0]
        seeds = len({row["seed"] for row in rows})
        parts.append(
            f"**{CORPORA[name].title}**, {number(first['documents'], 0)} documents, "
            f"{number(first['words'], 0)} words{_of_splits(seeds)}; independent words (baseline): "
            f"{spread([row['control'] for row in rows if row['method'] == first['method']])}.\n"
        )
        parts.append(_table(rows) + "\n")
        if any(row.get("resumed") for row in rows):
            parts.append(RESUMED)
    return "\n".join(parts)


def _of_splits(count: int) -> str:
    return f", {count} splits" if count > 1 else ""


def _table(rows: list[dict[str, Any]]) -> str:
    header = ["method", "bound over baseline", "NPMI", "diversity", "topics", "edges"]
    header += ["layers used", "seconds", "memory, GB"]
    lines = []
    for method, title in METHODS.items():
        same = [row for row in rows if row["method"] == method]
        known = [row for row in same if "error" not in row]
        if same:
            begun = f" from {known[0]['from']}" if known and method == "learned" else ""
            lines.append([title + begun, *(_cells(known) if known else [MISSING] * 8)])
    return table(header, lines)


def _cells(rows: list[dict[str, Any]]) -> list[str]:
    def average(key: str, digits: int) -> str:
        known = [row[key] for row in rows if row[key] is not None]
        return number(mean(known), digits) if known else MISSING

    layers = f"{average('layers_used', int(len(rows) > 1))} of {average('layers', 0)}"
    return [
        spread([row["gain"] for row in rows]),
        *[average(key, 3) for key in ("npmi", "diversity")],
        *[average(key, 0) for key in ("topics", "edges")],
        layers,
        average("seconds", 0) + (" (resumed)" if any(row.get("resumed") for row in rows) else ""),
        average("gigabytes", 2),
    ]


PART = Part("structures", "Structure learning methods at an equal number of edges", 150, run, show)
