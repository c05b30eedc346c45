"""A cluster gives the same digits as this machine, with any workers and failures."""

from __future__ import annotations

import os
import pickle
import signal
import sys
import threading
from dataclasses import replace
from types import ModuleType, SimpleNamespace
from typing import Any
from unittest import mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from orrery.core.kernels.rows import Documents
from orrery.core.runs import cluster as cluster_module
from orrery.core.runs.cluster import ClusterLostError, cluster_client, e_step_on
from orrery.core.runs.cluster_worker import CorpusPlugin, pack, unpack
from orrery.core.training.e_step import EStepSettings, local_e_step
from orrery.core.training.options import TrainingOptions
from orrery.core.training.train import initial_state, train
from orrery.core.training.visits import visits_before
from orrery.core.utils.errors import InputError
from tests.core.clusters import cluster_in_this_process, digits, trained
from tests.short_trainings import KINDS, SHORT, example

distributed = pytest.importorskip("distributed")


@given(arrays(np.float64, st.integers(0, 40), elements=st.sampled_from([0.0, -0.0, 1.5, np.nan])))
def test_what_is_unpacked_is_what_was_packed(values: Any) -> None:
    packed, into = pack(values), np.zeros(len(values))
    unpack(packed, into)
    assert into.tobytes() == values.tobytes()
    size = packed.value.nbytes + (0 if packed.place is None else packed.place.nbytes)
    assert size <= values.nbytes


@pytest.mark.parametrize("n_workers", [1, 2, 3])
def test_the_digits_are_those_of_this_machine(n_workers: int) -> None:
    graph, corpus = example()
    with (
        cluster_in_this_process(n_workers) as cluster,
        e_step_on(cluster.scheduler_address) as there,
    ):
        for options in (*KINDS, replace(SHORT, scope="full")):
            chosen = replace(options, epochs=2)
            here = trained(corpus, graph, chosen, local_e_step)
            assert digits(trained(corpus, graph, chosen, there)) == digits(here)
        assert len(cluster.scheduler.workers) == n_workers


def test_every_block_is_that_of_this_machine_also_where_some_are_empty() -> None:
    graph, corpus = example(n_documents=20)
    state = initial_state(graph, corpus, np.arange(20), seed=0)
    with (
        cluster_in_this_process(2) as cluster,
        e_step_on(cluster.scheduler_address) as there,
    ):
        for n_rows in (1, 5, 8, 9, 20):
            rows = np.random.default_rng(n_rows).permutation(20)[:n_rows]
            documents = Documents(corpus.token_ptr, corpus.token_idx, rows)
            given = (state.network, documents, EStepSettings(SHORT, None))
            (bounds, sums), (expected, theirs) = there(*given), local_e_step(*given)
            assert bounds.tobytes() == expected.tobytes()
            for ours, of_them in zip(sums, theirs, strict=True):
                assert ours.shape == of_them.shape
                assert ours.tobytes() == of_them.tobytes()


def test_activations_go_out_to_the_workers_and_come_back() -> None:
    graph, corpus = example(n_documents=20)
    network = initial_state(graph, corpus, np.arange(20), seed=0).network
    with cluster_in_this_process(2) as cluster, e_step_on(cluster.scheduler_address) as there:
        for n_rows in (1, 5, 20):
            rows = np.random.default_rng(n_rows).permutation(20)[:n_rows]
            visits = visits_before(None, graph, corpus, np.arange(20), True)
            visits = replace(visits, is_visited=np.arange(20) % 3 == 0)
            memories = [visits.memory_of(rows), visits.memory_of(rows)]
            documents = Documents(corpus.token_ptr, corpus.token_idx, rows)
            (bounds, _), (expected, _) = (
                e_step(network, documents, EStepSettings(SHORT, None, memory))
                for e_step, memory in zip((there, local_e_step), memories, strict=True)
            )
            assert bounds.tobytes() == expected.tobytes()
            assert memories[0].activation.any()
            assert memories[0].activation.tobytes() == memories[1].activation.tobytes()


def test_a_gibbs_start_is_sampled_here_and_its_pruned_graph_goes_out() -> None:
    graph, corpus = example()
    options = replace(SHORT, start="gibbs", start_epochs=20, most_edges=graph.n_edges - 3)
    here = trained(corpus, graph, options, local_e_step)
    assert here[-1][0].network.graph.n_edges < graph.n_edges
    with (
        cluster_in_this_process(2) as cluster,
        e_step_on(cluster.scheduler_address) as there,
    ):
        # Another training has left its own graph on the workers.
        trained(corpus, graph, SHORT, there)
        assert digits(trained(corpus, graph, options, there)) == digits(here)


def test_workers_that_go_and_come_between_steps() -> None:
    graph, corpus = example()
    here = digits(trained(corpus, graph, SHORT, local_e_step))
    found = []
    with (
        cluster_in_this_process(3) as cluster,
        e_step_on(cluster.scheduler_address) as there,
    ):
        for state, info in train(corpus, graph, SHORT, e_step=there):
            found.append((state, info))
            cluster.scale({3: 1, 6: 2, 9: 1}.get(state.step, len(cluster.workers)))
    assert digits(found) == here


def test_a_worker_killed_amid_its_blocks() -> None:
    """While it stands still it is given blocks that it will never bring back."""
    graph, corpus = example()
    here = digits(trained(corpus, graph, SHORT, local_e_step))
    found, killed = [], []
    with (
        mock.patch.dict(sys.modules, {"__main__": ModuleType("__main__")}),
        cluster_client("local:2") as client,
        e_step_on(client.scheduler.address) as there,
    ):
        for state, info in train(corpus, graph, SHORT, e_step=there):
            found.append((state, info))
            if state.step in (3, 7):
                client.wait_for_workers(2)
                process = next(iter(client.run(os.getpid).values()))
                killed.append(process)
                os.kill(process, signal.SIGSTOP)
                threading.Timer(0.5, os.kill, (process, signal.SIGKILL)).start()
        client.wait_for_workers(2)
        assert not set(killed) & set(client.run(os.getpid).values())
    assert len(set(killed)) == 2
    assert digits(found) == here


def test_documents_leave_the_workers_with_the_training() -> None:
    graph, corpus = example(n_documents=20)
    with cluster_in_this_process(1) as cluster:
        plugins = cluster.workers[0].plugins
        before = set(plugins)
        with e_step_on(cluster.scheduler_address) as there:
            trained(corpus, graph, TrainingOptions(epochs=1), there)
            assert len(set(plugins) - before) == 1
            assert len(set(cluster.scheduler.worker_plugins) - before) == 1
        assert set(plugins) == set(cluster.scheduler.worker_plugins) == before


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("local:0", "local:0 is no local cluster; ask for local:1 to local:8"),
        ("local:9", "ask for local:1 to local:8"),
        ("local:", "is no local cluster"),
        ("local:two", "is no local cluster"),
        ("nonsense", "no Dask scheduler answers at nonsense; give the address"),
        ("http://127.0.0.1:80", "no Dask scheduler answers"),
        ("tcp://127.0.0.1:9", "no Dask scheduler answers"),
    ],
)
def test_addresses_where_there_is_none(
    address: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("orrery.core.runs.cluster.CONNECTION_PATIENCE", 0.5)
    with pytest.raises(InputError, match=message), e_step_on(address):
        pass


def test_a_worker_is_no_scheduler_and_a_scheduler_needs_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(cluster_module, "WORKER_PATIENCE", 0.2)
    with (
        cluster_in_this_process(1) as cluster,
        pytest.raises(InputError, match="is a Dask worker; give the scheduler's address"),
        e_step_on(cluster.workers[0].address),
    ):
        pass
    with (
        cluster_in_this_process(0) as cluster,
        pytest.raises(InputError, match="has no worker; start some with: dask worker"),
        e_step_on(cluster.scheduler_address),
    ):
        pass


def test_without_dask(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with (
        pytest.raises(InputError, match=r"not installed; .*orrery\[distributed\]"),
        e_step_on("local:1"),
    ):
        pass


@pytest.mark.parametrize(
    ("where", "answer", "message"),
    [
        ("run", "another", r"the worker tcp://127\S+ has another Orrery; install there"),
        ("run", ImportError("orrery"), r"the worker tcp://127\S+ has no Orrery; install there"),
        ("run_on_scheduler", "another", "the scheduler has another Orrery; install there"),
        ("run_on_scheduler", ImportError("orrery"), "the scheduler has no Orrery; install there"),
    ],
)
def test_a_machine_with_other_sources(
    where: str, answer: Any, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with cluster_in_this_process(2) as cluster:
        address = cluster.workers[1].address
        result: dict[str, Any] = (
            {"return_value": {address: answer}} if where == "run" else {"side_effect": [answer]}
        )
        monkeypatch.setattr(distributed.Client, where, mock.Mock(**result))
        with (
            pytest.raises(InputError, match=message),
            e_step_on(cluster.scheduler_address),
        ):
            pass


def test_arrays_arrive_of_the_kind_that_kernels_are_compiled_for() -> None:
    graph, corpus = example(n_documents=5)
    sent = CorpusPlugin(Documents(corpus.token_ptr, corpus.token_idx, np.arange(5)), graph)
    plugin = pickle.loads(pickle.dumps(sent))
    plugin.setup(SimpleNamespace(address="tcp://there:1"))
    for array in (*plugin._tokens, plugin._graph.parent_ptr, plugin._graph.parent_idx):
        assert not array.flags.writeable


def test_a_worker_with_other_sources_that_joins_later() -> None:
    graph, corpus = example(n_documents=5)
    plugin = CorpusPlugin(Documents(corpus.token_ptr, corpus.token_idx, np.arange(5)), graph)
    plugin.setup(SimpleNamespace(address="tcp://there:1"))
    plugin._edition = "another"
    with pytest.raises(InputError, match="worker tcp://there:1 has another Orrery"):
        plugin.setup(SimpleNamespace(address="tcp://there:1"))


@pytest.mark.parametrize(
    ("error", "kind", "message"),
    [
        (InputError("the worker has another Orrery"), ClusterLostError, "has another Orrery"),
        (distributed.scheduler.KilledWorker("x", None, 3), ClusterLostError, "killed several"),
        (MemoryError(), ClusterLostError, "memory of a worker"),
        (distributed.CancelledError("x"), ClusterLostError, "scheduler does not answer"),
        (distributed.comm.CommClosedError(), ClusterLostError, "scheduler does not answer"),
        (
            PermissionError("its disk is full"),
            ClusterLostError,
            "a worker failed: its disk is full",
        ),
        (ZeroDivisionError("a fault of ours"), ZeroDivisionError, "a fault of ours"),
    ],
)
def test_what_workers_raise_is_one_sentence(
    error: Exception, kind: type[Exception], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph, corpus = example(n_documents=5)
    monkeypatch.setattr(distributed.Client, "gather", mock.Mock(side_effect=error))
    with (
        cluster_in_this_process(1) as cluster,
        e_step_on(cluster.scheduler_address) as there,
        pytest.raises(kind, match=message) as caught,
    ):
        trained(corpus, graph, SHORT, there)
    assert "\n" not in str(caught.value)


def test_when_the_last_worker_is_gone_it_does_not_wait_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    graph, corpus = example(n_documents=20)
    monkeypatch.setattr(cluster_module, "SECONDS_BETWEEN_LOOKS", 0.05)
    with (
        cluster_in_this_process(1) as cluster,
        e_step_on(cluster.scheduler_address) as there,
    ):
        steps = train(corpus, graph, SHORT, e_step=there)
        next(steps)
        monkeypatch.setattr(cluster_module, "WORKER_PATIENCE", 0.2)
        cluster.scale(0)
        with pytest.raises(ClusterLostError, match="its last worker is gone"):
            list(steps)
