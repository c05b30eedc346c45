"""Density estimation: binary sets of the sum-product literature, against a tree."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from math import inf
from typing import Any

from core.corpus import Corpus
from core.evaluation import evaluate
from core.inference import infer_bounds
from core.network import Network
from core.structure import propose_graph
from core.training import TrainingOptions, train
from tests.benchmarks.chow_liu import ChowLiuTree, independent_mean
from tests.benchmarks.data import binary_corpus
from tests.benchmarks.density_sets import read_set
from tests.benchmarks.markdown import MISSING, number, table
from tests.benchmarks.model_cache import cached
from tests.benchmarks.part import Figures, Part, Settings, log

SETS = (
    *("c20ng", "cwebkb", "cr52", "bbc", "book"),
    *("tmovie", "kosarek", "msweb", "plants", "baudio"),
)
QUICK_SETS, QUICK_ROWS = ("plants", "bbc"), 200
SAMPLES = 1000
# Test averages of the tree that are known; anything else means that a set is read wrongly.
KNOWN_TREE = {
    "nltcs": -6.7590,
    "plants": -16.5240,
    "c20ng": -164.1167,
    "bbc": -261.8563,
    "cwebkb": -163.4707,
    "cr52": -94.4346,
}
# Complete graphs to choose from on the validation rows: one layer of topics, or a second above it.
CANDIDATES = ((60,), (60, 15))
LARGE_CANDIDATES = ((100,), (100, 25))
# More training rows than this carry the larger ones, fewer variables need no such number.
LARGE_ROWS, LARGE_VARIABLES = 8_000, 500
OPTIONS = TrainingOptions(start="gibbs", start_epochs=120, epochs=10, learning_rate=0.03)
QUICK_OPTIONS = replace(OPTIONS, start_epochs=20, epochs=1)
ABOUT = """Not in the paper. Test log-likelihood on the sets' own division, in nats; for Orrery a
lower bound in expectation ({samples} draws a row), for the others exact. The Chow–Liu tree has 1
added in each of the four cells of every pair.
"""


def fit(
    name: str, train_corpus: Corpus, valid_corpus: Corpus, settings: Settings
) -> tuple[Network, dict[str, Any]]:
    """Our model of a set, chosen on the validation rows, and the settings that it was trained with.

    Parameters
    ----------
    name : str
        Of the set, which the trained models are kept under.
    train_corpus : Corpus
    valid_corpus : Corpus
        To choose settings by, not to train on.
    settings : Settings
    """
    is_large = train_corpus.n_documents > LARGE_ROWS and train_corpus.n_tokens > LARGE_VARIABLES
    best = (-inf, None, {})
    for topics in LARGE_CANDIDATES if is_large else CANDIDATES:
        key = f"{name}-{'-'.join(map(str, topics))}{settings.pick('', '-quick')}"
        model = cached(key, train_corpus, partial(_train, train_corpus, topics, settings))
        bound = float(infer_bounds(model.network, valid_corpus).mean())
        log.info("%s %s: validation %.3f after %.0f s", name, topics, bound, model.seconds)
        if bound > best[0]:
            layers = "+".join(map(str, topics))
            best = (bound, model.network, {"topics": layers, "seconds": round(model.seconds)})
    return best[1], best[2]


def _train(corpus: Corpus, topics: tuple[int, ...], settings: Settings) -> Network:
    graph = propose_graph(corpus, method="complete", topics=topics)
    for state, _ in train(corpus, graph, settings.pick(OPTIONS, QUICK_OPTIONS)):
        network = state.network
    return network


def run(settings: Settings) -> Figures:
    """Fit and judge all models on every set."""
    names = settings.pick(SETS, QUICK_SETS)
    return {
        "samples": settings.pick(SAMPLES, 20),
        "sets": {name: _judge(name, settings) for name in names},
    }


def _judge(name: str, settings: Settings) -> dict[str, Any]:
    log.info("%s", name)
    data = read_set(name)
    if settings.quick:
        data = {part: matrix[:QUICK_ROWS] for part, matrix in data.items()}
    tree = float(ChowLiuTree.fit(data["ts"]).log_likelihood(data["test"]).mean())
    known = KNOWN_TREE.get(name, tree)
    if not settings.quick and abs(tree - known) > 1e-4:
        raise ValueError(f"the tree of {name} reaches {tree:.4f}; expected {known}: check the set")
    row = {
        "rows": [matrix.shape[0] for matrix in data.values()],
        "variables": data["ts"].shape[1],
        "independent": independent_mean(data["ts"], data["test"]),
        "tree": tree,
    }
    return {**row, **_ours(name, data, settings)}


def _ours(name: str, data: dict[str, Any], settings: Settings) -> dict[str, Any]:
    corpora = {part: binary_corpus(matrix) for part, matrix in data.items()}
    network, used = fit(name, corpora["ts"], corpora["valid"], settings)
    judged = evaluate(network, corpora["test"], samples=settings.pick(SAMPLES, 20), seed=0)
    figures = {"exact": judged.exact_bound, "log_likelihood": judged.log_likelihood}
    return {**figures, "edges": judged.edges, "settings": used}


def show(figures: Figures) -> str:
    """One line a set."""
    header = ["set", "training rows", "variables", "independent (control)", "Chow–Liu tree"]
    header += ["exact bound, **ours**", "log-likelihood, **ours**", "edges", "settings"]
    rows = [_row(name, row) for name, row in figures["sets"].items()]
    return f"{ABOUT.format(samples=figures['samples'])}\n{table(header, rows)}\n"


def _row(name: str, row: dict[str, Any]) -> list[str]:
    sizes = [number(row["rows"][0], 0), number(row["variables"], 0)]
    keys = ("independent", "tree", "exact", "log_likelihood")
    used = ", ".join(f"{key} {value}" for key, value in row.get("settings", {}).items())
    values = [number(row.get(key)) for key in keys]
    return [name, *sizes, *values, number(row.get("edges"), 0), used or MISSING]


PART = Part("density", "Binary density estimation", 90, run, show)
