"""How an estimator trains: as `orrery train` does, in memory and with no document held out."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numba

from orrery.core.corpus import Corpus
from orrery.core.graph import Graph
from orrery.core.learning import learn
from orrery.core.network import Network
from orrery.core.running.settings import (
    RunSettings,
    proposed_edges,
    proposed_topics,
    training_options,
)
from orrery.core.structure import propose_graph
from orrery.core.structure.pruning import check_budget
from orrery.core.training import TrainingOptions, fresh_state, train

# The threads of numba abort the process where two of Python's ask for them at once.
_one_at_a_time = threading.RLock()


class Fitted(NamedTuple):
    """What training ends with.

    Attributes
    ----------
    graph : Graph
        That it began with.
    network : Network
    history : list of (float, float)
        Epochs done, and the mean bound of the documents of a step, in nats per document.
    """

    graph: Graph
    network: Network
    history: list[tuple[float, float]]


@contextmanager
def threads(n_jobs: int | None) -> Iterator[None]:
    """Let numba have so many threads for a while; None and -1 are all, -2 all but one."""
    # Of the environment, in which joblib leaves a process its share of the cores.
    most = int(numba.config.NUMBA_NUM_THREADS)  # type: ignore[attr-defined]
    wanted = most if n_jobs is None else most + 1 + n_jobs if n_jobs < 0 else n_jobs
    with _one_at_a_time:
        before = numba.get_num_threads()
        numba.set_num_threads(max(1, min(wanted, most)))
        try:
            yield
        finally:
            numba.set_num_threads(before)


def fit_corpus(corpus: Corpus, settings: RunSettings, *, verbose: bool) -> Fitted:
    """Propose the graph and train it, on all documents."""
    n_documents, n_words = corpus.n_documents, len(corpus.token_idx)
    graph = propose_graph(
        corpus,
        method=settings.method,
        topics=proposed_topics(settings, corpus.n_tokens, n_documents),
        edges=proposed_edges(settings, corpus.n_tokens, n_words),
        seed=settings.training.seed,
    )
    options = training_options(settings, graph)
    if options.most_edges is not None:
        check_budget(graph, options.most_edges, None)
    steps = (learn if options.structure == "learned" else train)(corpus, graph, options)
    network, history = _run(steps, options.passes, verbose)
    return Fitted(graph, network, history)


def fit_more(
    network: Network, corpus: Corpus, options: TrainingOptions, *, verbose: bool
) -> Fitted:
    """Go on from where training ended, with documents over the same words; the graph stays."""
    steps = train(corpus, network.graph, options, state=fresh_state(network))
    moved, history = _run(steps, options.passes, verbose)
    return Fitted(network.graph, moved, history)


def _run(
    steps: Iterator[tuple[Any, Any]], n_epochs: int, verbose: bool
) -> tuple[Network, list[tuple[float, float]]]:
    """All steps, with a bar of the epochs where one is asked for."""
    history: list[tuple[float, float]] = []
    network: Network | None = None
    with _bar(n_epochs, verbose) as show:
        for state, info in steps:
            network = state.network
            history.append((info.epoch, info.bound))
            show(info.epoch, info.bound)
    assert network is not None
    return network, history


@contextmanager
def _bar(n_epochs: int, verbose: bool) -> Iterator[Callable[[float, float], None]]:
    if not verbose:
        yield lambda epoch, bound: None
        return
    from tqdm import tqdm

    shape = "{l_bar}{bar}| {n:.1f}/{total} epochs, {elapsed}<{remaining}{postfix}"
    with tqdm(total=n_epochs, bar_format=shape) as bar:

        def show(epoch: float, bound: float) -> None:
            bar.set_postfix_str(f"bound {bound:.2f}", refresh=False)
            bar.update(epoch - bar.n)

        yield show
