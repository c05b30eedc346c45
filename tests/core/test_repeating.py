"""Training repeats to the bit, and goes on as if it had never stopped."""

from __future__ import annotations

from dataclasses import replace

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from orrery.core.network import build_network
from orrery.core.optimizers import Moments
from orrery.core.training import TrainingOptions, TrainingState, batch_rows, train
from orrery.core.training_options import batch_size_for
from tests.random_networks import several
from tests.short_trainings import KINDS, SCOPES, SHORT, example, last


def bits(state):
    """Every number of a state."""
    return [
        state.network.weight.tobytes(),
        state.network.leak.tobytes(),
        state.moments.first.tobytes(),
        state.moments.second.tobytes(),
        state.step,
        None if state.average is None else state.average.tobytes(),
    ]


def written_and_read(state):
    """A state as it comes back from a disk."""
    network = build_network(
        state.network.graph, state.network.weight.copy(), state.network.leak.copy()
    )
    moments = Moments(state.moments.first.copy(), state.moments.second.copy())
    average = None if state.average is None else state.average.copy()
    return TrainingState(network, moments, state.step, average)


@pytest.mark.parametrize("options", KINDS)
@pytest.mark.parametrize("n_steps", [1, 4, 7, 9])
def test_stopped_and_resumed_is_never_stopped(options, n_steps):
    graph, corpus = example()
    whole = list(train(corpus, graph, options))
    halfway = written_and_read(whole[n_steps - 1][0])
    rest = list(train(corpus, graph, options, state=halfway))
    assert len(rest) == len(whole) - n_steps
    for (ours, our_info), (theirs, their_info) in zip(rest, whole[n_steps:], strict=True):
        assert bits(ours) == bits(theirs)
        assert (our_info.step, our_info.epoch) == (their_info.step, their_info.epoch)
        assert our_info.bound == their_info.bound
        assert our_info.usage.tobytes() == their_info.usage.tobytes()


@pytest.mark.parametrize("scope", SCOPES)
@pytest.mark.parametrize("kind", KINDS)
def test_the_same_seed_gives_the_same_bytes(kind, scope):
    graph, corpus = example()
    options = replace(kind, scope=scope)
    state, _ = last(corpus, graph, options)
    assert bits(last(corpus, graph, options)[0]) == bits(state)
    assert bits(last(corpus, graph, replace(options, seed=1))[0]) != bits(state)


@pytest.mark.skipif(numba.config.NUMBA_NUM_THREADS < 2, reason="needs two cores")
@pytest.mark.parametrize("options", KINDS)
def test_threads_do_not_change_a_bit(options):
    graph, corpus = example()
    try:
        numba.set_num_threads(1)
        alone, _ = last(corpus, graph, options)
    finally:
        numba.set_num_threads(numba.config.NUMBA_NUM_THREADS)
    assert bits(last(corpus, graph, options)[0]) == bits(alone)


@several
@given(st.integers(1, 30), st.integers(1, 12), st.integers(0, 5))
def test_every_epoch_visits_every_document_once(n_documents, batch_size, seed):
    rows = 3 * np.arange(n_documents) + 1
    options = TrainingOptions(batch_size=batch_size, seed=seed)
    n_steps = -(-n_documents // batch_size)
    epochs = [
        np.concatenate([batch_rows(rows, epoch * n_steps + i, options) for i in range(n_steps)])
        for epoch in range(3)
    ]
    for visited in epochs:
        assert sorted(visited.tolist()) == rows.tolist()
    if n_documents > 10:
        assert (epochs[0] != epochs[1]).any()


@given(st.integers(1, 10**6), st.none() | st.integers(1, 10**6))
def test_a_batch_is_never_larger_than_the_corpus(n_documents, batch_size):
    chosen = batch_size_for(TrainingOptions(batch_size=batch_size), n_documents)
    assert 1 <= chosen <= n_documents
    assert batch_size is None or chosen == min(batch_size, n_documents)


def test_only_the_chosen_rows_are_trained_on():
    graph, corpus = example()
    rows = np.arange(0, corpus.n_documents, 3)
    state, info = last(corpus, graph, SHORT, rows=rows)
    alone, _ = last(corpus.subset(rows), graph, SHORT)
    assert bits(state) == bits(alone)
    assert info.epoch == 3.0
