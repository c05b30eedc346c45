"""Diverging training is reported, and continues from the last sound state; no NaN is stored."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

from orrery.core.inference.infer import infer_bounds
from orrery.core.model.graph import build_graph
from orrery.core.model.network import MAX_WEIGHT, MIN_LEAK, StartValues
from orrery.core.runs.recorder import remembered_usage
from orrery.core.runs.runner import start_run
from orrery.core.runs.settings import Session
from orrery.core.storage.checkpoints import load_checkpoint, save_checkpoint
from orrery.core.storage.runs import load_run
from orrery.core.training.divergence import RATE_FACTOR
from orrery.core.training.e_step import local_e_step
from orrery.core.training.options import TrainingOptions
from orrery.core.training.state import StepInfo
from orrery.core.training.structure_learning import learn
from orrery.core.training.train import initial_state, train
from orrery.core.utils.errors import InputError
from tests.core.small_runs import corpus, corpus_folder, settings
from tests.random_networks import MAX_EXAMPLES, corpus_of_sets
from tests.short_trainings import KINDS, SHORT, example, last
from tests.tried import TRIED

__all__ = ["corpus", "corpus_folder"]
USUAL_RATE = SHORT.rate
LONG = replace(SHORT, epochs=8)


def is_sound(state) -> bool:
    """Whether every number of a state is one, within the box that weights lie in."""
    network, moments = state.network, state.moments
    numbers = [network.weight, network.leak, moments.first, moments.second]
    numbers += [] if state.average is None else [state.average]
    return (
        all(np.isfinite(values).all() for values in numbers)
        and (network.weight >= 0).all()
        and (network.weight <= MAX_WEIGHT).all()
        and (network.leak >= MIN_LEAK).all()
        and (network.leak <= MAX_WEIGHT).all()
    )


@pytest.mark.parametrize("times", [1e2, 1e4, 1e8])
@pytest.mark.parametrize("bound", ["exact", "jensen", "likelihood"])
def test_a_rate_far_too_large_ends_about_where_the_usual_one_does(bound, times):
    graph, corpus = example()
    options = replace(LONG, bound=bound, learning_rate=times * USUAL_RATE)
    steps = list(train(corpus, graph, options))
    assert all(is_sound(state) for state, _ in steps)
    back = sum(info.is_step_back for _, info in steps)
    state = steps[-1][0]
    assert back > 0
    assert np.isclose(state.rate_share, RATE_FACTOR**back)
    usual, _ = last(corpus, graph, replace(LONG, bound=bound))
    assert usual.rate_share == 1.0
    ours, theirs = (infer_bounds(found.network, corpus).mean() for found in (state, usual))
    assert ours > theirs - 0.3


def test_adam_begins_anew_after_a_step_back():
    graph, corpus = example()
    steps = list(train(corpus, graph, replace(LONG, learning_rate=1e2 * USUAL_RATE)))
    backs = [0, *(info.step for _, info in steps if info.is_step_back)]
    assert 0 < backs[-1] < len(steps)
    for state, info in steps:
        assert state.moments.count == info.step - max(back for back in backs if back <= info.step)


def test_a_rate_beyond_all_bounds_ends_no_worse_than_it_began():
    graph, corpus = example()
    start = initial_state(graph, corpus, np.arange(corpus.n_documents), SHORT.seed)
    state, info = last(corpus, graph, replace(SHORT, learning_rate=1e300))
    assert info.is_step_back
    for name in ("weight", "leak"):
        assert (getattr(state.network, name) == getattr(start.network, name)).all()


@pytest.mark.parametrize("options", KINDS)
@pytest.mark.parametrize("times", [1.0, 3.0])
def test_usual_trainings_never_step_back(options, times):
    graph, corpus = example()
    options = replace(options, learning_rate=times * options.rate)
    assert not any(info.is_step_back for _, info in train(corpus, graph, options))


@pytest.mark.parametrize("rate", [8.0, 1e4])
def test_a_structure_is_learned_with_any_rate(corpus, rate):
    graph, _ = build_graph(corpus.n_tokens, *complete(5, corpus.n_tokens))
    options = TrainingOptions(structure="learned", epochs=10, learning_rate=rate)
    steps = list(learn(corpus, graph, options))
    assert all(is_sound(state) for state, _ in steps)
    assert any(info.is_step_back for _, info in steps)
    usual = list(learn(corpus, graph, replace(options, learning_rate=None)))[-1][0]
    ours, theirs = (infer_bounds(s.network, corpus).mean() for s in (steps[-1][0], usual))
    assert ours > theirs - 1.0


def complete(n_topics: int, n_tokens: int):
    names = [f"topic {number}" for number in range(n_topics)]
    ends = np.meshgrid(np.arange(n_topics), n_topics + np.arange(n_tokens))
    return names, ends[0].ravel(), ends[1].ravel()


@pytest.mark.parametrize("after", [1, 2, 3, 5])
def test_stopped_around_a_step_back_and_resumed_is_never_stopped(tmp_path: Path, after):
    graph, corpus = example()
    options = replace(LONG, averaging=0.9, learning_rate=1e3 * USUAL_RATE)
    whole = list(train(corpus, graph, options))
    assert sum(info.is_step_back for _, info in whole[:5]) > 1
    save_checkpoint(tmp_path, whole[after - 1][0], 0.0)
    loaded = load_checkpoint(tmp_path, graph)
    assert loaded is not None
    for (ours, our_info), (theirs, their_info) in zip(
        train(corpus, graph, options, state=loaded[0]), whole[after:], strict=True
    ):
        assert ours.network.weight.tobytes() == theirs.network.weight.tobytes()
        assert ours.moments.second.tobytes() == theirs.moments.second.tobytes()
        assert ours.moments.count == theirs.moments.count
        assert (ours.rate_share, our_info.is_step_back) == (
            theirs.rate_share,
            their_info.is_step_back,
        )


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("options", KINDS[:2])
def test_a_slope_that_is_no_number_is_not_followed(options, value):
    """As a kernel that overflows, or a worker elsewhere with a broken memory, would return it."""
    graph, corpus = example()
    calls = 0

    def broken(network, documents, step_settings):
        nonlocal calls
        calls += 1
        bounds, sums = local_e_step(network, documents, step_settings)
        if calls == 4:
            sums.grad_weight[0, 0] = value
        return bounds, sums

    steps = list(train(corpus, graph, options, e_step=broken))
    assert [info.step for _, info in steps if info.is_step_back] == [4]
    assert all(is_sound(state) for state, _ in steps)


@pytest.mark.parametrize("n_steps_before", [0, 1])
def test_a_topic_is_counted_again_after_a_step_without_numbers(n_steps_before):
    used = np.array([0.5, 0.0, 0.3])
    step = StepInfo(step=1, epoch=1.0, documents=1, bound=-1.0, usage=used)
    lost = replace(step, usage=np.full(3, np.nan), bound=np.nan, is_step_back=True)
    remembered = np.zeros(0)
    for info in [step] * n_steps_before + [lost] + [step] * 60:
        remembered = remembered_usage(remembered, info)
        assert np.isfinite(remembered).all()
    np.testing.assert_allclose(remembered, used, rtol=0.01)


def test_a_start_without_a_bound_is_named():
    graph, corpus = example()

    def broken(network, documents, step_settings):
        bounds, sums = local_e_step(network, documents, step_settings)
        return np.full_like(bounds, -np.inf), sums

    with pytest.raises(InputError, match="start from smaller ones"):
        next(train(corpus, graph, SHORT, e_step=broken))


EXTREMES = int(os.environ.get("ORRERY_EXTREMES", str(MAX_EXAMPLES)))
EXTREME = st.sampled_from([0.0, 1e-320, 1e-12, 1e-3, 1.0, 30.0, 1e3, 1e300])
SETS = st.lists(st.sampled_from([(), (0,), (0, 1, 2, 3, 4, 5), (0, 2)]), min_size=1, max_size=8)


@examples(max_examples=EXTREMES, deadline=None)
@given(
    options=st.sampled_from(KINDS),
    scope=st.sampled_from(["local", "full"]),
    documents=SETS,
    copies=st.sampled_from([1, 100]),
    weights=st.lists(EXTREME, min_size=1, max_size=7),
    leaks=st.lists(EXTREME, min_size=1, max_size=5),
    times=st.sampled_from([1.0, 100.0]),
)
def test_no_extreme_gives_anything_but_numbers(
    options, scope, documents, copies, weights, leaks, times
):
    """Documents without and with all words, words in each, copies, unused topics, any weights."""
    # Topic 0 above topics 1 to 3, all of them above words, the last above none but word 5.
    parents = [0, 0, 0, *[topic for topic in range(3) for _ in range(6)], 3]
    children = [1, 2, 3, *list(range(4, 10)) * 3, 9]
    graph, _ = build_graph(6, [f"topic {number}" for number in range(4)], parents, children)
    corpus = corpus_of_sets(documents * copies, 6)
    given_values = StartValues(np.resize(weights, graph.n_edges), np.resize(leaks, graph.n_nodes))
    rows = np.arange(corpus.n_documents)
    options = replace(
        options, scope=scope, batch_size=None, learning_rate=times * options.rate, epochs=2
    )
    start = initial_state(graph, corpus, rows, options.seed, given_values)
    with np.errstate(over="raise", invalid="raise", divide="raise"):
        for state, info in train(corpus, graph, options, state=start):
            assert is_sound(state)
            assert np.isfinite(info.bound)
            assert np.isfinite(info.usage).all()
    assert np.isfinite(infer_bounds(state.network, corpus)).all()
    TRIED["trainings from extreme values"] += 1


COPIES = int(os.environ.get("ORRERY_COPIES", "20000"))


def test_very_many_copies_of_one_document_are_learned():
    graph, _ = build_graph(6, ["one", "other"], [0] * 6 + [1] * 3, [*range(2, 8), 2, 3, 4])
    corpus = corpus_of_sets([(0, 2, 3)] * COPIES, 6)
    steps = list(train(corpus, graph, TrainingOptions(epochs=3, batch_size=COPIES // 8)))
    assert all(is_sound(state) and not info.is_step_back for state, info in steps)
    # Nothing is left to be explained.
    assert -0.01 < steps[-1][1].bound <= 0.0
    TRIED["copies of one document"] += COPIES


def strictly(text: str):
    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} was written")

    return json.loads(text, parse_constant=refuse)


def test_a_run_states_that_it_diverged_and_writes_no_nan(tmp_path: Path, corpus_folder, capsys):
    folder = tmp_path / "r"
    start_run(folder, settings(corpus_folder, learning_rate=8.0), Session())
    log = (folder / "log.txt").read_text()
    assert "training diverged (bound -" in log
    assert "it continues from the last sound step with 1e-01 of the learning rate" in log
    lines = [strictly(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]
    assert lines[-1]["rate_share"] < 1.0
    assert strictly((folder / "status.json").read_text())["state"] == "finished"
    network = load_run(folder).network
    assert np.isfinite(network.weight).all()
    assert np.isfinite(network.leak).all()
