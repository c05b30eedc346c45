"""The models of tiny20 that Table 2 and Figures 2 and 5 are about, each trained once a split."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from orrery.core.model.graph import Graph
from orrery.core.model.network import Network
from orrery.core.training.options import Scope, TrainingOptions
from orrery.core.training.state import TrainingState
from orrery.core.training.train import initial_state, train
from tests.benchmarks.data import Split
from tests.benchmarks.graphs import learning_options, start_graph
from tests.benchmarks.model_cache import Trained, cached
from tests.benchmarks.monte_carlo import train_by_sampling
from tests.benchmarks.part import Settings

# Weight updates of the paper's training, each from all documents.
PAPER_EPOCHS = 60


def trained(method: str, split: Split, settings: Settings) -> Trained:
    """Model of a method (a key of METHODS) on the training documents of a split."""
    name = f"{method}-{split.seed}{settings.pick('', '-quick')}"
    return cached(name, split.corpus, partial(METHODS[method], split, settings))


def paper_options(scope: Scope, split: Split, settings: Settings) -> TrainingOptions:
    """Ji et al. 2019, §6.1: the Jensen bound, projected gradient ascent, full batches."""
    return TrainingOptions(
        bound="jensen",
        scope=scope,
        optimizer="paper",
        epochs=settings.pick(PAPER_EPOCHS, 2),
        batch_size=len(split.train),
        seed=split.seed,
    )


def graph_of(split: Split, settings: Settings) -> Graph:
    """Return the graph that all methods share: the one that ours has learned."""
    return trained("ours", split, settings).network.graph


def _initialization(split: Split, settings: Settings) -> Network:
    graph = graph_of(split, settings)
    return initial_state(graph, split.corpus, split.train, split.seed).network


def _variational(scope: Scope, split: Split, settings: Settings) -> Network:
    return last_network(split, graph_of(split, settings), paper_options(scope, split, settings))


def _monte_carlo(scope: Scope, split: Split, settings: Settings) -> Network:
    return train_by_sampling(split, graph_of(split, settings), scope)


def _ours(split: Split, settings: Settings) -> Network:
    quick = settings.pick({}, {"epochs": 2, "start_epochs": 40})
    return last_network(split, start_graph(split), learning_options(split, **quick))


def last_network(
    split: Split, graph: Graph, options: TrainingOptions, state: TrainingState | None = None
) -> Network:
    """Final state of training on the training documents of a split, from a state if there is
    one.
    """
    for after, _ in train(split.corpus, graph, options, rows=split.train, state=state):
        network = after.network
    return network


METHODS: dict[str, Callable[[Split, Settings], Network]] = {
    "initialization": _initialization,
    "vi-full": partial(_variational, "full"),
    "vi-local": partial(_variational, "local"),
    "mcmc-full": partial(_monte_carlo, "full"),
    "mcmc-local": partial(_monte_carlo, "local"),
    "ours": _ours,
}
