"""Settings out of config.json are those that were written, or they are refused."""

from __future__ import annotations

import json
from typing import Any

import pytest

from core.errors import InputError
from core.running import RunSettings
from core.running.settings import settings_for_config, settings_from_config
from core.training import TrainingOptions

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
]


def stored(chosen: RunSettings) -> dict[str, Any]:
    config = {"corpus": chosen.corpus, "settings": settings_for_config(chosen)}
    return json.loads(json.dumps(config))


@pytest.mark.parametrize("chosen", CHOSEN)
def test_settings_come_back_as_they_were(chosen: RunSettings) -> None:
    assert settings_from_config(stored(chosen)) == chosen


def test_settings_of_an_older_run_have_the_defaults_of_what_they_do_not_name() -> None:
    config = stored(RunSettings("/c", TrainingOptions(epochs=7)))
    for name in ("accuracy", "importance_samples", "importance_share", "averaging"):
        del config["settings"]["training"][name]
    assert settings_from_config(config) == RunSettings("/c", TrainingOptions(epochs=7))


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
        ("accuracy", ["best", None, 1]),
        ("importance_samples", [1, -2, 2.5, "3", None, True]),
        ("importance_share", [0, 1.5, "1", None, float("nan")]),
        ("averaging", [-0.1, 1.5, "1", None, float("nan")]),
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
