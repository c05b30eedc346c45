"""Density estimation on binary data sets of the sum-product literature, compared with a tree."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy import sparse

from orrery.core.data.corpus import Corpus, evenly_spaced
from orrery.core.inference.infer import infer_bounds
from orrery.core.inference.kernel_inputs import (
    documents_of,
    exact_tables,
    kernel_model,
    search_settings,
)
from orrery.core.kernels.ladder import bounds_and_likelihood
from orrery.core.model.network import Network
from orrery.core.structure.layers import edges_to_begin_with, layer_sizes
from orrery.core.structure.propose import propose_graph
from orrery.core.training.options import TrainingOptions
from orrery.core.training.state import TrainingState
from orrery.core.training.structure_learning import learn, split_validation
from orrery.core.training.train import train
from tests.benchmarks.chow_liu import ChowLiuTree, independent_mean
from tests.benchmarks.data import binary_corpus
from tests.benchmarks.density_sets import read_set
from tests.benchmarks.finishing import finished, valid_bound
from tests.benchmarks.markdown import MISSING, number, table
from tests.benchmarks.part import Figures, Part, Settings, log
from tests.benchmarks.results import measure_sets

SETS = (
    *("c20ng", "cwebkb", "cr52", "bbc", "book"),
    *("tmovie", "kosarek", "msweb", "plants", "baudio"),
    *("jester", "nltcs", "kdd", "bnetflix", "msnbc"),
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
# Chosen among by the validation rows: the penalty on weights, and the epoch to stop at.
PENALTIES = (3.0, 30.0)
START_EPOCHS, EPOCHS, MORE_EPOCHS = 80, 6, 30
# No more rows are read by a Gibbs start, or by a training that goes over more: where a set has
# hundreds of thousands, fewer epochs are as many steps.
MAX_ROWS_READ = 3_000_000
# Patience of early stopping, in epochs.
PATIENCE = 4
# Default options, and larger initial graphs: multiples of the default numbers of topics and edges.
LEARNED = ((1, 1), (2, 4), (3, 6))
MAX_VALIDATION_ROWS = 1_000
ABOUT = """Not in the paper. Test log-likelihood on the published splits of the data sets, in nats;
for Orrery a lower bound in expectation (importance sampling with {samples} samples per row), for
the others exact. The Chow–Liu tree adds 1 to each of the four cells of every pair. The validation
rows choose the weight penalty ({penalties}) and the epoch by early stopping with a patience of
{patience} epochs; if the best epoch is the last of {epochs}, training is repeated with more epochs,
as the settings show. Training starts from a complete graph whose number of topics depends only on
the size of the data set. The validation rows also choose between this model, with relaxed penalty
and absolute discounting (*discount*, in rows) by validation, and three models with learned
structure and otherwise default options: one with the default size, and with {more} at the start.
Neither the start from a complete graph nor longer training after it reads more than {most} rows.
Equal test rows use the same samples. Each set was run by `python -m tests.benchmarks paper --only
density --sets NAME` with one thread, while other sets ran.
"""
# Validation rows' bound, the network, and the settings to show.
_Tried = tuple[float, Network, dict[str, Any]]


def fit(
    train_corpus: Corpus, valid_corpus: Corpus, settings: Settings
) -> tuple[Network, dict[str, Any]]:
    """Our model of a set that suits the validation rows best, and the settings that made it.

    Parameters
    ----------
    train_corpus : Corpus
    valid_corpus : Corpus
        To choose by, not to train on.
    settings : Settings
    """
    tried = [_from_complete(train_corpus, valid_corpus, settings)]
    for topics, edges in settings.pick(LEARNED, LEARNED[:1]):
        network = _learned(train_corpus, topics, edges, settings)
        bound = valid_bound(network, valid_corpus)
        log.info("learned, %d × topics, %d × edges: validation %.3f", topics, edges, bound)
        tried.append((bound, network, {"learned": f"{topics} × topics, {edges} × edges"}))
    _, network, used = max(tried, key=lambda one: one[0])
    return network, used


def _from_complete(train_corpus: Corpus, valid_corpus: Corpus, settings: Settings) -> _Tried:
    """Best of the models that start from a complete graph, with relaxed penalty and discounting."""
    is_large = train_corpus.n_documents > LARGE_ROWS and train_corpus.n_tokens > LARGE_VARIABLES
    topics = LARGE_TOPICS if is_large else TOPICS
    graph = propose_graph(train_corpus, method="complete", topics=topics)
    start, epochs, more = settings.pick((START_EPOCHS, EPOCHS, MORE_EPOCHS), (10, 1, 2))
    most = max(epochs + 1, MAX_ROWS_READ // train_corpus.n_documents)
    start, more = min(start, most), min(more, most)
    options = TrainingOptions(start="gibbs", start_epochs=start, epochs=epochs, leave_one_out=False)
    # Penalties and numbers of epochs differ in what comes after the start only.
    begun = next(
        state for state, info in train(train_corpus, graph, options) if info.epoch == start
    )
    search = _Search(train_corpus, valid_corpus, begun)
    best = max(
        (search.run(replace(options, weight_penalty=penalty)) for penalty in PENALTIES),
        key=lambda found: found.bound,
    )
    if best.epoch == epochs:
        longer = replace(options, weight_penalty=best.penalty, epochs=more)
        best = max(best, search.run(longer), key=lambda found: found.bound)
    used = {
        "topics": "+".join(map(str, topics)),
        "penalty": f"{best.penalty:g}",
        "epoch": f"{best.epoch} of {best.epochs}",
    }
    as_it_is = (valid_bound(best.network, valid_corpus), best.network, used)
    end = finished(best.network, train_corpus, valid_corpus, best.penalty)
    log.info("relaxed, %g off: validation %.3f, before %.3f", end.discount, end.bound, as_it_is[0])
    relaxed = (end.bound, end.network, {**used, "discount": f"{end.discount:g}"})
    return max(as_it_is, relaxed, key=lambda one: one[0])


def _learned(corpus: Corpus, more_topics: int, more_edges: int, settings: Settings) -> Network:
    """Graph and weights learned from a multiple of the default initial graph."""
    epochs = settings.pick(TrainingOptions.epochs, 1)
    options = TrainingOptions(structure="learned", epochs=epochs)
    known = corpus.subset(
        split_validation(np.arange(corpus.n_documents), options.structure_seed).train
    )
    n_topics = more_topics * layer_sizes(corpus.n_tokens, corpus.n_documents, None)[0]
    # Nor has a layer more topics than there are words below it.
    n_topics = min(n_topics, known.n_tokens)
    n_edges = more_edges * edges_to_begin_with(known.n_tokens, len(known.token_idx))
    # A layer has no more edges than pairs.
    n_edges = min(n_edges, n_topics * known.n_tokens)
    graph = propose_graph(known, topics=(n_topics,), edges=n_edges, seed=options.seed)
    for state, _ in learn(corpus, graph, options):
        network = state.network
    return network


@dataclass(frozen=True, eq=False)
class _Found:
    """The best epoch of a training by the validation rows."""

    bound: float
    network: Network
    penalty: float
    epoch: int
    epochs: int


@dataclass(frozen=True, eq=False)
class _Search:
    """Trainings that go on from one start."""

    train_corpus: Corpus
    valid_corpus: Corpus
    begun: TrainingState

    def run(self, options: TrainingOptions) -> _Found:
        """Train until nothing is gained; returns the epoch that suits the validation rows best."""
        rows = evenly_spaced(np.arange(self.valid_corpus.n_documents), MAX_VALIDATION_ROWS)
        graph, best = self.begun.network.graph, None
        for state, info in train(self.train_corpus, graph, options, state=self.begun):
            if info.epoch == int(info.epoch):
                epoch = int(info.epoch) - options.start_epochs
                bound = float(infer_bounds(state.network, self.valid_corpus, rows).mean())
                log.info("penalty %g, epoch %d: validation %.3f", options.penalty, epoch, bound)
                if best is None or bound > best.bound:
                    best = _Found(bound, state.network, options.penalty, epoch, options.epochs)
                elif epoch - best.epoch == PATIENCE:
                    break
        assert best is not None
        return best


def run(settings: Settings) -> Figures:
    """Train and evaluate all models on the requested sets; figures of other sets are kept."""
    samples = {"samples": settings.pick(SAMPLES, 20)}
    return measure_sets(
        PART.name, SETS, QUICK_SETS, lambda name: _evaluate(name, settings), settings, samples
    )


def _evaluate(name: str, settings: Settings) -> dict[str, Any]:
    begin = time.perf_counter()
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
    ours = _ours(data, settings)
    return {**row, **ours, "minutes": (time.perf_counter() - begin) / 60}


def _ours(data: dict[str, Any], settings: Settings) -> dict[str, Any]:
    corpora = {part: binary_corpus(matrix) for part, matrix in data.items()}
    network, used = fit(corpora["ts"], corpora["valid"], settings)
    exact, log_likelihood = _evaluated(network, data["test"], settings.pick(SAMPLES, 20))
    return {
        "exact": exact,
        "log_likelihood": log_likelihood,
        "edges": network.graph.n_edges,
        "settings": used,
    }


def _evaluated(network: Network, matrix: sparse.csr_array, samples: int) -> tuple[float, float]:
    """Exact bound and log-likelihood in nats per row; equal rows are evaluated once."""
    distinct, counts = np.unique(matrix.toarray(), axis=0, return_counts=True)
    corpus = binary_corpus(sparse.csr_array(distinct))
    model, tables = kernel_model(network), exact_tables(network)
    documents = documents_of(network.graph, corpus, None)
    rungs = bounds_and_likelihood(documents, model, tables, search_settings(), 0, samples)
    _, exact, log_likelihood, _ = np.average(rungs, weights=counts, axis=0)
    return float(exact), float(log_likelihood)


def show(figures: Figures) -> str:
    """One line a set."""
    header = ["set", "training rows", "variables", "independent (baseline)", "Chow–Liu tree"]
    header += ["exact bound, **ours**", "log-likelihood, **ours**", "edges", "settings", "minutes"]
    rows = [_row(name, row) for name, row in figures["rows"].items()]
    about = ABOUT.format(
        samples=figures["samples"],
        penalties=" or ".join(f"{penalty:g}" for penalty in PENALTIES),
        epochs=EPOCHS,
        most=number(MAX_ROWS_READ, 0),
        patience=PATIENCE,
        more=" or ".join(
            f"{topics} times the topics and {edges} times the edges"
            for topics, edges in LEARNED[1:]
        ),
    )
    return f"{about}\n{table(header, rows)}\n"


def _row(name: str, row: dict[str, Any]) -> list[str]:
    sizes = [number(row["rows"][0], 0), number(row["variables"], 0)]
    keys = ("independent", "tree", "exact", "log_likelihood")
    used = ", ".join(f"{key} {value}" for key, value in row.get("settings", {}).items())
    values = [number(row.get(key)) for key in keys]
    return [
        name,
        *sizes,
        *values,
        number(row.get("edges"), 0),
        used or MISSING,
        number(row.get("minutes"), 1),
    ]


PART = Part("density", "Binary density estimation", 90, run, show)
