"""Training is repeatable bit for bit, and a resumed run equals an uninterrupted one."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from orrery.core.model.network import build_network
from orrery.core.training.optimizers import Moments
from orrery.core.training.options import TrainingOptions, batch_size_for
from orrery.core.training.state import TrainingState
from orrery.core.training.train import batch_rows, train
from tests.random_networks import several
from tests.short_trainings import KINDS, SCOPES, SHORT, WEIGHTED, example, last


def bits(state):
    """Every number of a state."""
    return [
        state.network.weight.tobytes(),
        state.network.leak.tobytes(),
        state.moments.first.tobytes(),
        state.moments.second.tobytes(),
        state.moments.count,
        state.step,
        None if state.average is None else state.average.tobytes(),
    ]


def written_and_read(state):
    """A state as it comes back from a disk."""
    network = build_network(
        state.network.graph, state.network.weight.copy(), state.network.leak.copy()
    )
    moments = Moments(state.moments.first.copy(), state.moments.second.copy(), state.moments.count)
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


# Repeats in this process, and processes of their own; the first of several compiles anew.
REPEATS = int(os.environ.get("ORRERY_REPEATS", "20"))
PROCESSES = int(os.environ.get("ORRERY_REPEATING_PROCESSES", "1"))
CHECK_SECONDS = "from tests.core.training.test_repeating import reported; print(reported())"


def reported():
    """Hash of the bits that two trainings end with: of mean field and draws, and of draws alone."""
    graph, corpus = example()
    ended = [bits(last(corpus, graph, options)[0]) for options in (WEIGHTED, KINDS[-1])]
    return hashlib.sha256(repr(ended).encode()).hexdigest()


def test_a_training_repeats_in_any_threads_and_wherever_arrays_lie(record_property):
    rng, expected = np.random.default_rng(0), reported()
    available = numba.config.NUMBA_NUM_THREADS
    kept = []
    try:
        for repeat in range(REPEATS):
            numba.set_num_threads(1 + repeat % available)
            # Pieces that come and go move what is allocated between them.
            kept = [piece for piece in kept if rng.random() < 0.7]
            kept += [np.empty(size, np.uint8) for size in rng.integers(1, 200_000, 20)]
            assert reported() == expected, repeat
    finally:
        numba.set_num_threads(available)
    record_property("repeats of two trainings", REPEATS)


def test_a_training_repeats_in_other_processes(tmp_path, record_property):
    expected = reported()
    for number in range(PROCESSES):
        environment = {**os.environ, "PYTHONHASHSEED": str(number + 1)}
        if PROCESSES > 1 and number == 0:
            environment["NUMBA_CACHE_DIR"] = str(tmp_path)
        found = subprocess.run(
            [sys.executable, "-c", CHECK_SECONDS],
            cwd=Path(__file__).parents[3],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        assert found.stdout.split()[-1] == expected, number
    record_property("processes with hashes of their own", PROCESSES)
    record_property("of them without compiled kernels", int(PROCESSES > 1))


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
