"""Settings read from config.json equal the written ones, or are refused."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from orrery.core.runs.settings import (
    RunSettings,
    proposed_edges,
    proposed_topics,
    settings_for_config,
    settings_from_config,
    training_options,
)
from orrery.core.structure.guidance import Guidance
from orrery.core.structure.layers import complete_graph
from orrery.core.training.options import TrainingOptions
from orrery.core.utils.errors import InputError

CHOSEN = [
    RunSettings("/c", TrainingOptions()),
    RunSettings(
        "/c",
        TrainingOptions(bound="jensen", scope="full", optimizer="paper", epochs=2, seed=7),
        method="complete",
        topics=(8, 2),
        edges=100,
        held_out=0.25,
        held_out_ids=("1", "x"),
    ),
    RunSettings(
        "/c", TrainingOptions(accuracy="fine", importance_samples=8, averaging=0.25, seed=3)
    ),
    RunSettings("/c", TrainingOptions(), graph_file="/g.csv", held_out=0.0, held_out_ids=()),
    RunSettings(
        "/c",
        TrainingOptions(),
        graph_file="/g.csv",
        graph_weights="probability",
        guidance=Guidance(
            seeds=(("s", ("a", "b")),),
            must_link=(("a", "b"),),
            cannot_link=(("a", "c"),),
            frozen=(("s", "a", None), ("s", "d", 0.5)),
            forbidden=(("s", "e"),),
        ),
    ),
    RunSettings(
        "/c",
        TrainingOptions(start="gibbs", start_epochs=40, learning_rate=0.5, weight_penalty=0.0),
        method="complete",
        edges=90,
        learn_structure=True,
    ),
]


def stored(chosen: RunSettings) -> dict[str, Any]:
    config = {"corpus": chosen.corpus, "settings": settings_for_config(chosen)}
    return json.loads(json.dumps(config))


@pytest.mark.parametrize("chosen", CHOSEN)
def test_settings_come_back_as_they_were(chosen: RunSettings) -> None:
    assert settings_from_config(stored(chosen)) == chosen


@pytest.mark.parametrize("value", [10**400, -(10**400), float("inf"), float("nan")])
def test_a_number_that_no_float_holds_is_no_setting(value: float) -> None:
    config = stored(RunSettings("/c", TrainingOptions()))
    config["settings"]["held_out"] = value
    with pytest.raises(InputError, match="not as it was written"):
        settings_from_config(config)


def test_settings_of_an_older_run_have_the_defaults_of_what_they_do_not_name() -> None:
    config = stored(RunSettings("/c", TrainingOptions(epochs=7)))
    for name in (
        *("accuracy", "importance_samples", "importance_share", "averaging", "edge_scale"),
        *("start", "start_epochs", "most_edges", "most_topics"),
    ):
        del config["settings"]["training"][name]
    del config["settings"]["learn_structure"]
    assert settings_from_config(config) == RunSettings("/c", TrainingOptions(epochs=7))


def test_a_learned_structure_of_an_older_run_keeps_its_validation_set() -> None:
    config = stored(RunSettings("/c", TrainingOptions(structure="learned", seed=3)))
    assert settings_from_config(config).training.structure_seed == 0
    del config["settings"]["training"]["structure_seed"]
    assert settings_from_config(config).training.structure_seed == 3


@pytest.mark.parametrize(("given", "penalties"), [(None, (1.0, 1.0)), (7.0, (7.0, 7.0))])
def test_a_gibbs_start_of_an_older_run_continues_as_it_began(
    given: float | None, penalties: tuple[float, float]
) -> None:
    options = TrainingOptions(start="gibbs", weight_penalty=given)
    config = stored(RunSettings("/c", options))
    del config["settings"]["training"]["leave_one_out"]
    training = settings_from_config(config).training
    assert not training.leave_one_out
    assert (training.penalty_of_start, training.penalty) == penalties


def test_rate_and_penalty_of_an_older_run_are_those_that_it_wrote_down() -> None:
    config = stored(RunSettings("/c", TrainingOptions()))
    config["settings"]["training"] |= {"learning_rate": 0.08, "weight_penalty": 20}
    training = settings_from_config(config).training
    assert (training.rate, training.penalty) == (0.08, 20.0)


def test_more_edges_are_proposed_where_the_structure_is_learned() -> None:
    plain = RunSettings("/c", TrainingOptions(), edges=90)
    assert proposed_edges(plain, 30, 10**6) == 90
    learned = RunSettings("/c", TrainingOptions(start="gibbs"), edges=90, learn_structure=True)
    assert proposed_edges(replace(learned, method="complete"), 30, 10**6) is None
    assert proposed_edges(replace(learned, edges=None), 30, 0) > 30
    for method in ("complete", "dense-regions"):
        with pytest.raises(InputError, match="29 edges cannot reach all 30 words; allow more"):
            proposed_edges(replace(learned, edges=29, method=method), 30, 10**6)


@pytest.mark.parametrize(
    ("n_words", "edges"), [(0, 135), (405, 135), (450, 150), (810, 270), (10**9, 270)]
)
def test_the_words_of_the_documents_show_how_many_edges_there_are_to_choose_from(
    n_words: int, edges: int
) -> None:
    learned = RunSettings("/c", TrainingOptions(start="gibbs"), edges=90, learn_structure=True)
    assert proposed_edges(learned, 30, n_words) == edges


def test_a_quarter_more_topics_are_proposed_where_the_structure_is_learned() -> None:
    plain = RunSettings("/c", TrainingOptions(), topics=(8, 2))
    assert proposed_topics(plain, 30, 60) == (8, 2)
    learned = RunSettings("/c", TrainingOptions(start="gibbs"), learn_structure=True)
    assert proposed_topics(learned, 30, 60) is None
    for requested, proposed in (
        ((8, 2), (10, 3)),
        ((28, 1), (30, 2)),
        ((30,), (30,)),
        ((4, 4, 4), (5, 5, 5)),
        # More than can be had: the sizes that the refusal names are those asked for.
        ((31,), (31,)),
        ((4, 9), (5, 9)),
    ):
        assert proposed_topics(replace(learned, topics=requested), 30, 60) == proposed


def test_a_learned_structure_is_pruned_to_the_edges_requested_or_the_usual_number() -> None:
    graph = complete_graph(30, (8, 2), None)
    plain = RunSettings("/c", TrainingOptions(), edges=90)
    assert training_options(plain, graph) == plain.training
    learned = RunSettings("/c", TrainingOptions(start="gibbs"), edges=90, learn_structure=True)
    assert training_options(learned, graph) == replace(learned.training, most_edges=90)
    limited = training_options(replace(learned, topics=(6, 2)), graph)
    assert (limited.most_edges, limited.most_topics) == (90, 8)
    usual = training_options(replace(learned, edges=None), graph).most_edges
    assert usual is not None
    assert 30 < usual < graph.n_edges


def test_a_structure_is_learned_by_a_gibbs_start_alone() -> None:
    with pytest.raises(InputError, match="only a Gibbs start learns the structure"):
        RunSettings("/c", TrainingOptions(), learn_structure=True)
    config = stored(CHOSEN[-1])
    config["settings"]["training"]["start"] = "random"
    with pytest.raises(InputError, match=r"config\.json is not as it was written"):
        settings_from_config(config)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("training", [None, "x", 1, [], ["x"], [["epochs", 2]]]),
        ("method", [None, 1, True, [], {}]),
        ("graph_file", [1, True, [], {}]),
        ("topics", ["12", 1, True, {}, ["1"], [0.5], [None], [True], [[1]]]),
        ("edges", ["1", 0.5, True, [], {}]),
        ("held_out", [None, "0.1", True, [], float("nan"), float("inf")]),
        ("held_out_ids", ["abc", 1, True, {}, [1], [None], [["x"]]]),
        ("learn_structure", [None, 1, "yes", []]),
    ],
)
def test_values_of_another_kind_are_refused(name: str, values: list[Any]) -> None:
    for value in values:
        config = stored(CHOSEN[0])
        config["settings"][name] = value
        with pytest.raises(InputError, match=r"config\.json is not as it was written"):
            settings_from_config(config)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("bound", ["both", "", None, 1, ["exact"]]),
        ("scope", ["global", None]),
        ("optimizer", ["sgd", None]),
        ("epochs", [0, -1, 2.5, "3", None, True, float("inf")]),
        ("batch_size", [0, -1, 2.5, "3", True]),
        ("learning_rate", [0, -1, "1", True, float("nan"), float("inf")]),
        ("weight_penalty", [-1, "1", float("nan")]),
        ("seed", [2.5, "3", None, True]),
        ("structure_seed", [2.5, "3", None, True]),
        ("accuracy", ["best", None, 1]),
        ("importance_samples", [1, -2, 2.5, "3", None, True]),
        ("importance_share", [0, 1.5, "1", None, float("nan")]),
        ("averaging", [-0.1, 1.5, "1", None, float("nan")]),
        ("start", ["warm", None, 1]),
        ("start_epochs", [0, -1, 2.5, "3", None, True]),
        ("most_edges", [0, 5, 2.5, "3", True]),
        ("most_topics", [0, 5, 2.5, "3", True]),
    ],
)
def test_training_options_of_another_kind_are_refused(name: str, values: list[Any]) -> None:
    for value in values:
        config = stored(CHOSEN[0])
        config["settings"]["training"][name] = value
        with pytest.raises(InputError, match=r"config\.json is not as it was written"):
            settings_from_config(config)


def test_missing_and_unknown_names_are_refused() -> None:
    for change in (
        lambda config: config.pop("settings"),
        lambda config: config.update(settings=[]),
        lambda config: config.update(settings="x"),
        lambda config: config.pop("corpus"),
        lambda config: config["settings"].pop("training"),
        lambda config: config["settings"].update(colour="red"),
        lambda config: config["settings"]["training"].update(colour="red"),
    ):
        config = stored(CHOSEN[0])
        change(config)
        with pytest.raises(InputError, match=r"config\.json is not as it was written"):
            settings_from_config(config)
