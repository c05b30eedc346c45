"""A checkpoint amid a Gibbs start: the chains and the pruned graph come back, or are refused."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from orrery.core.data.corpus import Corpus
from orrery.core.model.graph import Graph
from orrery.core.storage.atomic import write_npz
from orrery.core.storage.checkpoints import load_checkpoint, save_checkpoint
from orrery.core.structure.propose import propose_graph
from orrery.core.training.options import TrainingOptions
from orrery.core.training.state import TrainingState
from orrery.core.training.train import train
from orrery.core.utils.errors import InputError

OPTIONS = TrainingOptions(start="gibbs", start_epochs=25, most_edges=28, epochs=1)
Arrays = dict[str, Any]


@pytest.fixture(scope="module")
def graph(corpus: Corpus) -> Graph:
    return propose_graph(corpus, topics=(4, 2))


@pytest.fixture(scope="module")
def rows(corpus: Corpus) -> np.ndarray:
    return np.flatnonzero(np.arange(corpus.n_documents) % 5)


@pytest.fixture(scope="module")
def states(corpus: Corpus, graph: Graph, rows: np.ndarray) -> list[TrainingState]:
    """Before pruning, and after."""
    found = [state for state, _ in islice(train(corpus, graph, OPTIONS, rows=rows), 2)]
    assert [state.network.graph.n_edges for state in found] == [graph.n_edges, 28]
    return found


def stored(folder: Path, states: list[TrainingState]) -> Arrays:
    """Arrays of the newest checkpoint, once all are stored."""
    for state in states:
        save_checkpoint(folder, state, 1.0)
    with np.load(newest(folder)) as archive:
        return dict(archive)


def newest(folder: Path) -> Path:
    return max(folder.glob("checkpoint-*.npz"))


def test_it_comes_back_bit_for_bit(
    tmp_path: Path, graph: Graph, states: list[TrainingState]
) -> None:
    for state in states:
        save_checkpoint(tmp_path, state, 1.0)
        found = load_checkpoint(tmp_path, graph)
        assert found is not None
        again = found[0]
        assert again.step == state.step
        assert again.network.graph.topic_ids == state.network.graph.topic_ids
        assert (again.network.graph.parent_idx == state.network.graph.parent_idx).all()
        assert again.network.weight.tobytes() == state.network.weight.tobytes()
        assert again.sampler is not None
        assert state.sampler is not None
        assert (again.sampler.epoch, again.sampler.since) == (
            state.sampler.epoch,
            state.sampler.since,
        )
        for part in ("chains", "counts"):
            for name, array in vars(getattr(state.sampler, part)).items():
                ours = np.asarray(getattr(getattr(again.sampler, part), name))
                assert ours.dtype == np.asarray(array).dtype
                assert np.array_equal(ours, array)


def test_without_a_graph_or_chains_it_is_that_of_an_older_run(
    tmp_path: Path, graph: Graph, corpus: Corpus, rows: np.ndarray
) -> None:
    *_, (state, _) = train(corpus, graph, TrainingOptions(epochs=1), rows=rows)
    arrays = stored(tmp_path, [state])
    for name in ("parent", "child", "topic_ids", "n_tokens"):
        del arrays[name]
    assert not {name for name in arrays if name.startswith(("chain", "count", "sampler"))}
    write_npz(newest(tmp_path), arrays)
    found = load_checkpoint(tmp_path, graph)
    assert found is not None
    assert found[0].network.graph is graph
    assert found[0].network.weight.tobytes() == state.network.weight.tobytes()
    assert found[0].sampler is None


@pytest.mark.parametrize(
    "change",
    [
        *({name: lambda array: array[:-1]} for name in ("count_edge", "count_leak", "sampler")),
        *({name: lambda array: array[0]} for name in ("chain_rows", "chain_ptr", "chain_state")),
        *({name: lambda array: array[:, None]} for name in ("chain_rows", "chain_state")),
        *({name: lambda array: array.astype(float)} for name in ("chain_rows", "chain_ptr")),
        *({name: lambda array: array.astype(str)} for name in ("chain_state", "count_usage")),
        *({name: lambda array: None} for name in ("chain_ptr", "count_leak", "topic_ids")),
        {"count_usage": lambda array: np.full_like(array, np.nan)},
        {"count_usage": lambda array: array.astype(np.float32)},
        {"sampler": lambda array: -array},
        {"sampler": lambda array: array.astype(str)},
        {"parent": lambda array: np.array([-1])},
        {"topic_ids": lambda array: np.repeat(array[:1], len(array))},
        {"n_tokens": lambda array: array + 1},
    ],
)
def test_the_older_one_is_taken_when_it_is_damaged(
    tmp_path: Path,
    graph: Graph,
    states: list[TrainingState],
    change: dict[str, Callable[[np.ndarray], Any]],
) -> None:
    arrays = stored(tmp_path, states)
    arrays |= {name: damage(arrays[name]) for name, damage in change.items()}
    write_npz(
        newest(tmp_path), {name: array for name, array in arrays.items() if array is not None}
    )
    found = load_checkpoint(tmp_path, graph)
    assert found is not None
    assert found[0].step == 1


def test_one_over_another_vocabulary_is_passed_over(
    tmp_path: Path, graph: Graph, states: list[TrainingState]
) -> None:
    """Checkpoint of one more word, valid in itself."""
    arrays = stored(tmp_path, states)
    longer_by_one = ("leak", "first", "second", "count_leak")
    arrays |= {name: np.append(arrays[name], 1.0) for name in longer_by_one}
    write_npz(newest(tmp_path), arrays | {"n_tokens": arrays["n_tokens"] + 1})
    found = load_checkpoint(tmp_path, graph)
    assert found is not None
    assert found[0].step == 1


def longer(arrays: Arrays) -> Arrays:
    """The last chain longer than its document's local model."""
    ptr, state = arrays["chain_ptr"].copy(), arrays["chain_state"]
    ptr[-1] += 1
    return {"chain_ptr": ptr, "chain_state": np.append(state, True)}


@pytest.mark.parametrize(
    "change",
    [
        longer,
        lambda arrays: {"chain_ptr": longer(arrays)["chain_ptr"]},
        lambda arrays: {"chain_ptr": np.zeros_like(arrays["chain_ptr"])},
        lambda arrays: {"chain_ptr": -arrays["chain_ptr"]},
        lambda arrays: {"chain_ptr": arrays["chain_ptr"][:-1]},
        lambda arrays: {"chain_state": arrays["chain_state"][:-1]},
        lambda arrays: {"chain_state": np.zeros(0, bool)},
        lambda arrays: {"chain_rows": arrays["chain_rows"] + 10**6},
        lambda arrays: {"chain_rows": arrays["chain_rows"][::-1]},
        lambda arrays: {"chain_rows": np.array([], np.int64), "chain_ptr": np.array([0])},
    ],
)
def test_chains_of_other_documents_are_not_continued(
    tmp_path: Path,
    corpus: Corpus,
    graph: Graph,
    rows: np.ndarray,
    states: list[TrainingState],
    change: Callable[[Arrays], Arrays],
) -> None:
    """Sound arrays that the kernels would follow beyond their ends."""
    arrays = stored(tmp_path, states)
    write_npz(newest(tmp_path), arrays | change(arrays))
    found = load_checkpoint(tmp_path, graph)
    assert found is not None
    assert found[0].step == 2
    with pytest.raises(InputError, match="of other documents or another graph; start the training"):
        next(train(corpus, graph, OPTIONS, rows=rows, state=found[0]))


def test_a_start_without_its_chains_is_not_continued(
    tmp_path: Path,
    corpus: Corpus,
    graph: Graph,
    rows: np.ndarray,
    states: list[TrainingState],
) -> None:
    arrays = stored(tmp_path, states)
    del arrays["sampler"]
    write_npz(newest(tmp_path), arrays)
    found = load_checkpoint(tmp_path, graph)
    assert found is not None
    with pytest.raises(InputError, match="has lost its chains; start the training anew"):
        next(train(corpus, graph, OPTIONS, rows=rows, state=found[0]))
