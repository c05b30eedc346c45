"""Density estimation: binary sets of the sum-product literature, against a tree."""

from __future__ import annotations

from math import inf
from typing import Any

import numpy as np

from core.corpus import Corpus, spread
from core.evaluation import evaluate
from core.inference import infer_bounds
from core.network import Network
from core.structure import propose_graph
from core.training import TrainingOptions, train
from tests.benchmarks.chow_liu import ChowLiuTree, independent_mean
from tests.benchmarks.data import binary_corpus
from tests.benchmarks.density_sets import read_set
from tests.benchmarks.markdown import MISSING, number, table
from tests.benchmarks.part import Figures, Part, Settings, log
from tests.benchmarks.results import RESULTS, load_results

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
# Two layers from a complete graph; the larger ones where there are rows and variables for them.
TOPICS, LARGE_TOPICS = (60, 15), (100, 25)
LARGE_ROWS, LARGE_VARIABLES = 8_000, 500
# Of variational training, after which the best epoch by the validation rows is taken.
EPOCHS, START_EPOCHS = 10, 80
MOST_VALIDATION_ROWS = 1_000
ABOUT = """Not in the paper. Test log-likelihood on the sets' own division, in nats; for Orrery a
lower bound in expectation ({samples} draws a row), for the others exact. The Chow–Liu tree has 1
added in each of the four cells of every pair. The validation rows choose the epoch to stop at; the
numbers of topics depend on the size of the set alone.
"""


def fit(
    train_corpus: Corpus, valid_corpus: Corpus, settings: Settings
) -> tuple[Network, dict[str, Any]]:
    """Our model of a set after the epoch that suits the validation rows best, and its settings.

    Parameters
    ----------
    train_corpus : Corpus
    valid_corpus : Corpus
        To choose by, not to train on.
    settings : Settings
    """
    is_large = train_corpus.n_documents > LARGE_ROWS and train_corpus.n_tokens > LARGE_VARIABLES
    topics = LARGE_TOPICS if is_large else TOPICS
    graph = propose_graph(train_corpus, method="complete", topics=topics)
    start, epochs = settings.pick((START_EPOCHS, EPOCHS), (10, 1))
    options = TrainingOptions(start="gibbs", start_epochs=start, epochs=epochs)
    rows = spread(np.arange(valid_corpus.n_documents), MOST_VALIDATION_ROWS)
    best, used = -inf, {}
    for state, info in train(train_corpus, graph, options):
        if info.epoch >= start and info.epoch == int(info.epoch):
            bound = float(infer_bounds(state.network, valid_corpus, rows).mean())
            log.info("epoch %d: validation %.3f", info.epoch, bound)
            if bound > best:
                best, network = bound, state.network
                used = {"topics": "+".join(map(str, topics)), "epoch": int(info.epoch) - start}
    return network, used


def run(settings: Settings) -> Figures:
    """Fit and judge all models on the sets asked for; the figures of other sets stay."""
    names = settings.sets or settings.pick(SETS, QUICK_SETS)
    earlier = {} if settings.quick else load_results(RESULTS)
    sets = earlier["density"].figures["sets"] if "density" in earlier else {}
    judged = {name: _judge(name, settings) for name in names}
    return {"samples": settings.pick(SAMPLES, 20), "sets": {**sets, **judged}}


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
    return {**row, **_ours(data, settings)}


def _ours(data: dict[str, Any], settings: Settings) -> dict[str, Any]:
    corpora = {part: binary_corpus(matrix) for part, matrix in data.items()}
    network, used = fit(corpora["ts"], corpora["valid"], settings)
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
