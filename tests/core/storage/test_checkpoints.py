"""A checkpoint gives the state back bit for bit, the newest that can be read is taken."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from orrery.core.data.corpus import Corpus
from orrery.core.kernels.batch import Memory
from orrery.core.model.graph import Graph
from orrery.core.model.network import StartValues
from orrery.core.storage.atomic import write_npz
from orrery.core.storage.checkpoints import (
    CHECKPOINTS_KEPT,
    Split,
    load_checkpoint,
    load_given,
    load_start,
    save_checkpoint,
    save_start,
)
from orrery.core.storage.reading import read_npz
from orrery.core.structure.propose import propose_graph
from orrery.core.training.options import TrainingOptions
from orrery.core.training.state import LearningState, Remembered, TrainingState
from orrery.core.training.train import train
from orrery.core.training.visits import Visits
from orrery.core.utils.errors import InputError

ONE_OF = np.array([False, True, False])


@pytest.fixture(scope="module")
def graph(corpus: Corpus) -> Graph:
    return propose_graph(corpus, topics=(4, 2))


@pytest.fixture(scope="module")
def split(corpus: Corpus) -> Split:
    rows = np.arange(corpus.n_documents)
    return Split(rows[rows % 5 > 0], rows[rows % 5 == 0])


@pytest.fixture(scope="module")
def states(corpus: Corpus, graph: Graph, split: Split) -> list[TrainingState]:
    options = TrainingOptions(epochs=3, batch_size=16, averaging=0.5)
    return [state for state, _ in train(corpus, graph, options, rows=split.train)]


def assert_equal(one: TrainingState, other: TrainingState) -> None:
    assert one.step == other.step
    for name in ("weight", "leak"):
        assert getattr(one.network, name).tobytes() == getattr(other.network, name).tobytes()
    assert one.moments.first.tobytes() == other.moments.first.tobytes()
    assert one.moments.second.tobytes() == other.moments.second.tobytes()
    assert one.moments.count == other.moments.count
    assert (one.average is None) == (other.average is None)
    if one.average is not None and other.average is not None:
        assert one.average.tobytes() == other.average.tobytes()


def test_a_state_comes_back_bit_for_bit(
    tmp_path: Path, graph: Graph, states: list[TrainingState]
) -> None:
    assert load_checkpoint(tmp_path, graph) is None
    for number, state in enumerate(states):
        save_checkpoint(tmp_path, state, 0.1 * number)
        found = load_checkpoint(tmp_path, graph)
        assert found is not None
        assert_equal(found[0], state)
        assert found[1] == 0.1 * number
    assert len(list(tmp_path.iterdir())) == CHECKPOINTS_KEPT


def test_activations_come_back_with_the_graph_they_belong_to(
    tmp_path: Path, graph: Graph, states: list[TrainingState]
) -> None:
    network = states[0].network
    activations = np.linspace(0.0, 1.0, 7, dtype=np.float32)
    chart = Remembered(network.graph, np.array([0, 7]), activations)
    search = LearningState(network, -1.0, remembered=replace(chart, activation=activations[:3]))
    save_checkpoint(tmp_path, replace(states[0], chart=chart, search=search), 0.0)
    found = load_checkpoint(tmp_path, graph)
    assert found is not None
    state = found[0]
    assert state.chart is not None
    assert state.search is not None
    assert state.search.remembered is not None
    assert state.chart.activation.tobytes() == activations.tobytes()
    assert state.search.remembered.activation.tobytes() == activations[:3].tobytes()
    assert state.chart.graph is state.search.remembered.graph is state.network.graph
    visits = Visits(network.graph, np.array([0, 2, 5, 7]), np.arange(7, dtype=np.uint8), ONE_OF)
    recent = visits.followed_by(np.array([2]), Memory(np.array([0, 2]), np.ones(2, "f"), ONE_OF))
    save_checkpoint(tmp_path, replace(states[1], visits=recent), 0.0)
    found = load_checkpoint(tmp_path, graph)
    assert found is not None
    kept = found[0].visits
    assert kept is not None
    assert kept.graph is found[0].network.graph
    assert kept.activation.tolist() == [0, 1, 2, 3, 4, 255, 255]
    assert kept.is_visited.tolist() == [False, True, True]
    assert visits.activation.tolist() == list(range(7))
    # Activations of an earlier graph would not be used, and are not stored.
    other = replace(chart, graph=replace(network.graph))
    save_checkpoint(tmp_path, replace(states[2], chart=other), 0.0)
    found = load_checkpoint(tmp_path, graph)
    assert found is not None
    assert found[0].chart is None


def test_a_forged_number_of_tokens_takes_no_memory(
    tmp_path: Path, graph: Graph, states: list[TrainingState], monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(n_tokens: int, *given: object) -> None:
        raise AssertionError(f"a graph over {n_tokens} words was built")

    save_checkpoint(tmp_path, states[0], 0.0)
    (path,) = tmp_path.iterdir()
    write_npz(path, read_npz(path) | {"n_tokens": np.array(2**31 - 1)}, compressed=False)
    monkeypatch.setattr("orrery.core.storage.models.build_graph", never)
    with pytest.raises(InputError, match="no checkpoint of"):
        load_checkpoint(tmp_path, graph)


@pytest.mark.parametrize("stop", [2, 6])
def test_training_continues_from_a_stored_state_as_if_never_stopped(
    tmp_path: Path,
    corpus: Corpus,
    graph: Graph,
    split: Split,
    states: list[TrainingState],
    stop: int,
) -> None:
    save_start(tmp_path, graph, split, corpus)
    save_checkpoint(tmp_path, states[stop], 1.0)
    stored_graph, stored_split = load_start(tmp_path, corpus)
    found = load_checkpoint(tmp_path, stored_graph)
    assert found is not None
    options = TrainingOptions(epochs=3, batch_size=16, averaging=0.5)
    rest = train(corpus, stored_graph, options, rows=stored_split.train, state=found[0])
    again = [state for state, _ in rest]
    assert [state.step for state in again] == [state.step for state in states[stop + 1 :]]
    assert_equal(again[-1], states[-1])


@pytest.mark.parametrize("damage", ["empty", "cut", "flipped", "other", "gone"])
def test_the_older_checkpoint_is_taken_when_the_newest_is_damaged(
    tmp_path: Path, graph: Graph, states: list[TrainingState], damage: str
) -> None:
    for state in states[:3]:
        save_checkpoint(tmp_path, state, 1.0)
    newest = tmp_path / "checkpoint-00000003.npz"
    data = newest.read_bytes()
    middle = len(data) // 2
    if damage == "gone":
        newest.unlink()
    else:
        flipped = data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :]
        cut = {"empty": b"", "cut": data[:middle], "flipped": flipped, "other": b"PK junk"}
        newest.write_bytes(cut[damage])
    found = load_checkpoint(tmp_path, graph)
    assert found is not None
    assert_equal(found[0], states[1])


def test_memory_that_does_not_suffice_is_no_damage(
    tmp_path: Path,
    graph: Graph,
    states: list[TrainingState],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    save_checkpoint(tmp_path, states[0], 1.0)

    def load(*_arguments: Any, **_options: Any) -> None:
        raise MemoryError

    monkeypatch.setattr(np, "load", load)
    with pytest.raises(MemoryError):
        load_checkpoint(tmp_path, graph)


@pytest.mark.parametrize(
    "change",
    [
        *({name: None} for name in ("weight", "leak", "first", "second", "step", "seconds")),
        {"weight": np.ones(3)},
        {"leak": np.array(["a"])},
        {"first": np.zeros(3)},
        {"second": np.zeros((2, 2))},
        {"first": np.array("x")},
        {"second": np.array(np.nan)},
        {"average": np.zeros(3)},
        {"chart_activation": np.zeros(3)},
        {"chart_activation": np.zeros((3, 1), np.float32)},
        {"chart_activation": np.array([0.5, np.nan], np.float32)},
        {"validation_activation": np.array([0.5, 1.5], np.float32)},
        {"visited": np.zeros(3, np.bool_)},
        {"visited": np.zeros(3, np.bool_), "visited_activation": np.zeros(3)},
        {"visited": np.zeros(3), "visited_activation": np.zeros(3, np.uint8)},
        {"average": np.array("x")},
        {"average": np.array(np.inf)},
        {"step": np.array(-1)},
        {"step": np.array(np.inf)},
        {"step": np.array([1, 2])},
        {"seconds": np.array("long")},
    ],
)
def test_checkpoints_that_make_no_state(
    tmp_path: Path, graph: Graph, states: list[TrainingState], change: dict[str, Any]
) -> None:
    save_checkpoint(tmp_path, states[0], 1.0)
    size = graph.n_edges + graph.n_nodes
    # As in older runs, without a graph of their own.
    arrays = {
        "weight": np.ones(graph.n_edges),
        "leak": np.ones(graph.n_nodes),
        "first": np.zeros(size),
        "second": np.zeros(size),
        "step": np.array(2),
        "seconds": np.array(1.0),
    }
    write_npz(tmp_path / "checkpoint-00000002.npz", arrays)
    found = load_checkpoint(tmp_path, graph)
    assert found is not None
    assert found[0].step == 2
    kept = {name: array for name, array in {**arrays, **change}.items() if array is not None}
    write_npz(tmp_path / "checkpoint-00000002.npz", kept)
    found = load_checkpoint(tmp_path, graph)
    assert found is not None
    assert_equal(found[0], states[0])


def test_moments_that_are_no_numbers(
    tmp_path: Path, graph: Graph, states: list[TrainingState]
) -> None:
    lost = replace(states[0].moments, first=np.full(graph.n_edges + graph.n_nodes, np.nan))
    save_checkpoint(tmp_path, replace(states[0], moments=lost), 1.0)
    with pytest.raises(InputError, match="no checkpoint"):
        load_checkpoint(tmp_path, graph)


def test_no_checkpoint_can_be_read(tmp_path: Path, graph: Graph) -> None:
    (tmp_path / "checkpoint-00000001.npz").write_bytes(b"junk")
    with pytest.raises(InputError, match=r"no checkpoint of .* can be read; start the run anew"):
        load_checkpoint(tmp_path, graph)


def test_a_checkpoint_that_cannot_be_written_costs_no_older_one(
    tmp_path: Path, states: list[TrainingState], monkeypatch: pytest.MonkeyPatch
) -> None:
    for state in states[:2]:
        save_checkpoint(tmp_path, state, 1.0)
    before = sorted(tmp_path.iterdir())

    def no_space(_: int) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr(os, "fsync", no_space)
    with pytest.raises(OSError, match="no space"):
        save_checkpoint(tmp_path, states[2], 1.0)
    assert sorted(tmp_path.iterdir()) == before


def test_a_start_comes_back(tmp_path: Path, corpus: Corpus, graph: Graph, split: Split) -> None:
    save_start(tmp_path, graph, split, corpus)
    again, rows = load_start(tmp_path, corpus)
    assert again.topic_ids == graph.topic_ids
    assert (again.parent_idx == graph.parent_idx).all()
    assert (again.parent_ptr == graph.parent_ptr).all()
    assert (rows.train == split.train).all()
    assert (rows.held_out == split.held_out).all()


def test_a_start_belongs_to_its_corpus(
    tmp_path: Path, corpus: Corpus, graph: Graph, split: Split
) -> None:
    save_start(tmp_path, graph, split, corpus)
    words = corpus.vocabulary
    others = [
        corpus.subset(np.arange(corpus.n_documents)[::-1]),
        corpus.subset(np.arange(10)),
        replace(corpus, vocabulary=(words[1], words[0], *words[2:])),
    ]
    for other in others:
        with pytest.raises(InputError, match="is not as it was when the run began"):
            load_start(tmp_path, other)


@pytest.mark.parametrize(
    "change",
    [
        *({name: None} for name in ("parent", "child", "topic_ids", "n_tokens", "fingerprint")),
        *({name: None} for name in ("train", "held_out")),
        {"train": np.arange(100)},
        {"train": np.arange(48)},
        {"train": np.array([row for row in range(60) if row % 5], np.float64)},
        {"held_out": np.array([10**9])},
        {"held_out": np.array([-1])},
        {"held_out": np.array([], np.int64)},
        {"train": np.array(5)},
        {"train": np.array(["a"])},
        {"n_tokens": np.array(np.inf)},
        {"parent": np.array([-1])},
    ],
)
def test_starts_that_cannot_be_followed(
    tmp_path: Path, corpus: Corpus, graph: Graph, split: Split, change: dict[str, Any]
) -> None:
    save_start(tmp_path, graph, split, corpus)
    with np.load(tmp_path / "start.npz") as archive:
        arrays: dict[str, Any] = {**archive, **change}
    write_npz(
        tmp_path / "start.npz", {n: array for n, array in arrays.items() if array is not None}
    )
    with pytest.raises(InputError, match=r"damaged: start\.npz cannot be read"):
        load_start(tmp_path, corpus)


@given(data=st.data())
def test_values_to_start_from_are_never_negative(
    tmp_path_factory: pytest.TempPathFactory, corpus: Corpus, graph: Graph, data: st.DataObject
) -> None:
    """Any that are not negative come back, NaN too; a single negative one is damage."""
    folder = tmp_path_factory.mktemp("start")
    sizes = {"weight": graph.n_edges, "leak": graph.n_nodes}
    values = {name: np.full(size, np.nan) for name, size in sizes.items()}
    name = data.draw(st.sampled_from(sorted(sizes)))
    place = data.draw(st.integers(0, sizes[name] - 1))
    values[name][place] = data.draw(st.floats(-1.0, 1.0))
    rows = np.arange(corpus.n_documents)
    save_start(folder, graph, Split(rows, rows[:0]), corpus, StartValues(**values))
    if values[name][place] < 0.0:
        with pytest.raises(InputError, match=r"damaged: start\.npz cannot be read"):
            load_given(folder, graph)
    else:
        found = load_given(folder, graph)
        assert found is not None
        np.testing.assert_array_equal(found.weight, values["weight"])
        np.testing.assert_array_equal(found.leak, values["leak"])


def test_every_cut_of_a_start_is_noticed(
    tmp_path: Path, corpus: Corpus, graph: Graph, split: Split
) -> None:
    save_start(tmp_path, graph, split, corpus)
    data = (tmp_path / "start.npz").read_bytes()
    for size in range(0, len(data), 97):
        (tmp_path / "start.npz").write_bytes(data[:size])
        with pytest.raises(InputError, match=r"damaged: start\.npz cannot be read"):
            load_start(tmp_path, corpus)
    (tmp_path / "start.npz").unlink()
    with pytest.raises(InputError, match=r"start\.npz is missing"):
        load_start(tmp_path, corpus)
