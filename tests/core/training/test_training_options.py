"""Options are checked when made, and the schedule is a function of them and of the step."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orrery.core.training.options import (
    DEFAULT_SAMPLES,
    FINAL_RATE_SHARE,
    STEPS_PER_EPOCH,
    SWEEPS_PER_STEP,
    Schedule,
    TrainingOptions,
    batch_size_for,
)
from orrery.core.utils.errors import InputError
from tests.random_networks import several

shares = st.floats(0.01, 1.0)


@several
@given(st.integers(1, 3000), st.integers(1, 9), st.none() | st.integers(1, 300))
def test_an_epoch_has_room_for_every_document_and_no_more(n_documents, epochs, batch_size):
    options = TrainingOptions(epochs=epochs, batch_size=batch_size)
    schedule = Schedule(options, n_documents)
    size = batch_size_for(options, n_documents)
    assert (schedule.steps_per_epoch - 1) * size < n_documents <= schedule.steps_per_epoch * size
    assert schedule.total_steps == epochs * schedule.steps_per_epoch


@several
@given(st.integers(800, 8192))
def test_no_step_of_an_epoch_has_only_a_few_documents(n_documents):
    steps = Schedule(TrainingOptions(), n_documents).steps_per_epoch
    size = batch_size_for(TrainingOptions(), n_documents)
    assert steps <= STEPS_PER_EPOCH
    assert n_documents - (steps - 1) * size >= size / 2


@several
@given(st.integers(1, 500), st.integers(1, 9), shares, shares)
def test_the_last_steps_are_the_weighted_and_the_averaged_ones(n_documents, epochs, last, mean):
    options = TrainingOptions(
        epochs=epochs, batch_size=7, importance_samples=2, importance_share=last, averaging=mean
    )
    schedule = Schedule(options, n_documents)
    weighted = [schedule.is_importance_weighted(step) for step in range(schedule.total_steps)]
    assert weighted == sorted(weighted)
    assert 0 <= sum(weighted) - last * schedule.total_steps < 1.0 + 1e-9
    averaged = [schedule.averaged_steps(step) for step in range(schedule.total_steps)]
    n_averaged = averaged[-1]
    assert 0 <= n_averaged - mean * schedule.total_steps < 1.0 + 1e-9
    assert averaged[: len(averaged) - n_averaged] == [0] * (len(averaged) - n_averaged)
    assert averaged[len(averaged) - n_averaged :] == list(range(1, n_averaged + 1))


@pytest.mark.parametrize("epochs", [1, 2, 20])
def test_nothing_requested_is_nothing_done(epochs):
    schedule = Schedule(TrainingOptions(epochs=epochs), 1000)
    for step in range(schedule.total_steps):
        assert not schedule.is_importance_weighted(step)
        assert schedule.averaged_steps(step) == 0


@pytest.mark.parametrize("share", [0.1, 1.0])
def test_the_likelihood_is_followed_by_every_step_after_a_gibbs_start(share):
    options = TrainingOptions(bound="likelihood", start="gibbs", importance_share=share)
    schedule = Schedule(options, 1000)
    follows = [schedule.is_importance_weighted(step) for step in range(schedule.total_steps)]
    assert follows == [False] * schedule.start_steps + [True] * schedule.variational_steps
    assert options.n_samples == DEFAULT_SAMPLES
    assert replace(options, importance_samples=3).n_samples == 3


def test_the_learning_rate_holds_and_then_falls():
    schedule = Schedule(TrainingOptions(epochs=100, batch_size=100, learning_rate=0.5), 100)
    rates = [schedule.learning_rate(step) for step in range(101)]
    assert rates[:51] == [0.5] * 51
    assert rates[50:] == sorted(rates[50:], reverse=True)
    assert rates[-1] == pytest.approx(0.5 * FINAL_RATE_SHARE)


def test_rate_and_penalty_are_those_of_the_start_unless_given():
    chosen = [
        TrainingOptions(),
        TrainingOptions(start="gibbs"),
        TrainingOptions(start="gibbs", learning_rate=0.5, weight_penalty=0.0),
    ]
    assert [options.rate for options in chosen] == [0.08, 0.03, 0.5]
    assert [options.penalty for options in chosen] == [20.0, 10.0, 0.0]
    assert [options.penalty_of_start for options in chosen] == [1.0, 1.0, 0.0]
    chosen = [replace(options, bound="likelihood") for options in chosen]
    assert [options.rate for options in chosen] == [0.06, 0.03, 0.5]
    assert [options.penalty for options in chosen] == [2.0, 2.0, 0.0]
    assert [options.penalty_of_start for options in chosen] == [1.0, 1.0, 0.0]


@several
@given(st.integers(1, 99), st.integers(1, 500), st.integers(1, 5), shares)
def test_a_gibbs_start_comes_first_and_changes_nothing_after_it(start, n_documents, epochs, share):
    options = TrainingOptions(
        epochs=epochs, batch_size=50, importance_samples=2, importance_share=share, averaging=share
    )
    plain = Schedule(options, n_documents)
    started = Schedule(replace(options, start="gibbs", start_epochs=start), n_documents)
    n_steps = started.start_steps
    assert (n_steps - 1) * SWEEPS_PER_STEP < start <= n_steps * SWEEPS_PER_STEP
    assert started.total_steps == n_steps + plain.total_steps
    passes = [started.epoch(step) for step in range(n_steps + 1)]
    assert passes[0] == 0.0
    assert passes[-1] == start
    assert all(0 < more - less <= SWEEPS_PER_STEP for less, more in itertools.pairwise(passes))
    assert started.epoch(started.total_steps) == started.options.passes == start + epochs
    for step in range(n_steps):
        assert not started.is_importance_weighted(step)
        assert not started.averaged_steps(step)
    for step in range(plain.total_steps):
        later = step + n_steps
        assert started.learning_rate(later) / started.options.rate == pytest.approx(
            plain.learning_rate(step) / plain.options.rate
        )
        assert started.is_importance_weighted(later) == plain.is_importance_weighted(step)
        assert started.averaged_steps(later) == plain.averaged_steps(step)
        assert started.epoch(later) == pytest.approx(start + plain.epoch(step))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"epochs": 0}, "epochs is 0; expected a whole number of 1 or more"),
        ({"batch_size": -3}, "batch_size is -3; expected a whole number of 1 or more"),
        ({"learning_rate": 0.0}, "learning_rate is 0.0; expected a number above 0"),
        ({"learning_rate": float("nan")}, "learning_rate is nan; expected a number above 0"),
        ({"weight_penalty": -1.0}, "weight_penalty is -1.0; expected 0 or more"),
        ({"weight_penalty": float("nan")}, "weight_penalty is nan; expected 0 or more"),
        ({"learning_rate": float("inf")}, "learning_rate is inf; expected a number above 0"),
        ({"weight_penalty": float("inf")}, "weight_penalty is inf; expected 0 or more"),
        ({"seed": -1}, "seed is -1; expected a whole number of 0 or more"),
        (
            {"structure_seed": -1},
            "structure_seed is -1; expected a whole number of 0 or more",
        ),
        ({"epochs": 2.5}, "epochs is 2.5; expected a whole number of 1 or more"),
        ({"batch_size": True}, "batch_size is True; expected a whole number of 1 or more"),
        ({"seed": float("nan")}, "seed is nan; expected a whole number of 0 or more"),
        ({"importance_samples": 2.5}, "importance_samples is 2.5; expected 0, or 2 and more"),
        ({"bound": "exakt"}, "bound is 'exakt'; expected one of exact, jensen, likelihood"),
        ({"scope": "all"}, "scope is 'all'; expected one of local, full"),
        ({"optimizer": "sgd"}, "optimizer is 'sgd'; expected one of adam, paper"),
        ({"accuracy": "exact"}, "accuracy is 'exact'; expected one of fast, standard, fine"),
        ({"importance_samples": 1}, "importance_samples is 1; expected 0, or 2 and more"),
        ({"importance_samples": -2}, "importance_samples is -2; expected 0, or 2 and more"),
        ({"importance_share": 0.0}, "importance_share is 0.0; expected above 0 and at most 1"),
        ({"importance_share": 1.1}, "importance_share is 1.1; expected above 0 and at most 1"),
        ({"importance_share": float("nan")}, "importance_share is nan; expected above 0"),
        ({"averaging": -0.1}, "averaging is -0.1; expected a share from 0 to 1"),
        ({"averaging": float("nan")}, "averaging is nan; expected a share from 0 to 1"),
        ({"start": "warm"}, "start is 'warm'; expected one of random, gibbs"),
        (
            {"start": "gibbs", "start_epochs": 0},
            "start_epochs is 0; expected a whole number of 1 or more",
        ),
        (
            {"start": "gibbs", "most_edges": 0},
            "most_edges is 0; expected a whole number of 1 or more",
        ),
        (
            {"start": "gibbs", "most_topics": -1},
            "most_topics is -1; expected a whole number of 1 or more",
        ),
        ({"most_edges": 5}, "only a Gibbs start prunes the graph; choose start gibbs"),
        ({"most_topics": 5}, "only a Gibbs start prunes the graph; choose start gibbs"),
        (
            {"importance_samples": 5, "bound": "jensen"},
            "importance samples refine the exact bound; use that, not jensen",
        ),
        (
            {"importance_samples": 5, "optimizer": "paper"},
            "the paper's optimizer follows the paper, which draws no importance samples; use adam",
        ),
        (
            {"bound": "likelihood", "optimizer": "paper"},
            "the paper's optimizer follows the paper, which draws nothing; use adam",
        ),
        ({"learning_rate": "0.1"}, "learning_rate is '0.1'; expected a number"),
        ({"averaging": None}, "averaging"),
    ],
)
def test_options_out_of_range_are_refused(options, message):
    with pytest.raises(InputError, match=message):
        TrainingOptions(**options)
