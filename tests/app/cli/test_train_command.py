"""``orrery train`` with structure learning, and its help."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from orrery.core.data.corpus import Corpus
from orrery.core.storage.checkpoints import load_start
from orrery.core.storage.runs import load_run, read_status
from orrery.core.structure.propose import usual_edges
from orrery.core.training.options import (
    DEFAULT_PENALTY,
    DEFAULT_RATE,
    LIKELIHOOD_PENALTY,
    LIKELIHOOD_RATE,
    PENALTY_OF_START,
    TrainingOptions,
)

LEARN = ["--learn-structure", "--topics", "4,2", "--start-epochs", 20, "--epochs", 1, "--json"]


def test_a_learned_structure_from_start_to_resumed_end(
    tmp_path: Path, orrery: Any, corpus_folder: Path
) -> None:
    train = ["train", corpus_folder, "--out", tmp_path / "r"]
    first = orrery(*train, *LEARN, "--edges", 40, "--time-budget", 1e-9)
    assert first.code == 0, first.err
    assert json.loads(first.out)["epochs"] == 10.0
    again = orrery(*train, "--resume", "--json")
    assert again.code == 0, again.err
    assert json.loads(again.out)["epochs"] == 21.0
    assert "epoch 20.0 of 21: bound" in again.err
    run = load_run(tmp_path / "r")
    assert run.network.graph.n_edges <= 40
    training = run.config["settings"]["training"]
    assert (training["start"], run.config["settings"]["method"]) == ("gibbs", "complete")


def test_of_many_words_it_begins_with_regions(
    tmp_path: Path, orrery: Any, corpus_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("orrery.core.structure.layers.SMALL_VOCABULARY", 11)
    train = ["train", corpus_folder, "--out", tmp_path / "r", *LEARN, "--edges", 40]
    assert orrery(*train).code == 0
    run = load_run(tmp_path / "r")
    assert run.config["settings"]["method"] == "dense-regions"
    assert run.network.graph.n_edges <= 40


def test_without_edges_it_ends_with_the_usual_number(
    tmp_path: Path, orrery: Any, corpus_folder: Path, corpus: Corpus
) -> None:
    train = ["train", corpus_folder, "--out", tmp_path / "r"]
    assert orrery(*train, *LEARN, "--topics", "12").code == 0
    begun, _ = load_start(tmp_path / "r", corpus)
    most = usual_edges(corpus.n_tokens, begun.n_topics)
    assert load_run(tmp_path / "r").network.graph.n_edges <= most < begun.n_edges
    assert read_status(tmp_path / "r")["state"] == "finished"


def test_a_gibbs_start_on_a_graph_of_regions(
    tmp_path: Path, orrery: Any, corpus_folder: Path
) -> None:
    start = ["--start", "gibbs", "--start-epochs", 10, "--epochs", 1, "--topics", "4,2"]
    outcome = orrery("train", corpus_folder, "--out", tmp_path / "r", *start, "--json")
    assert outcome.code == 0, outcome.err
    assert json.loads(outcome.out)["epochs"] == 11.0


def test_the_help_gives_the_defaults_that_hold(orrery: Any) -> None:
    shown_text = re.sub(r"\s+", " ", orrery("train", "--help").out)
    rates, penalties, options = DEFAULT_RATE, DEFAULT_PENALTY, TrainingOptions()
    for text in (
        f"default: {rates['random']}, or {rates['gibbs']} after a Gibbs start; "
        f"{LIKELIHOOD_RATE['random']} with --bound likelihood",
        f"default: {penalties['random']:g}, in a Gibbs start {PENALTY_OF_START:g}, and "
        f"{penalties['gibbs']:g} after it; {LIKELIHOOD_PENALTY:g} with --bound likelihood",
        f"sweeps of Gibbs sampling over the documents; default: {options.start_epochs}",
        f"a third more if the graph is learned; default: {options.epochs}",
        f"that maximise the likelihood; default: {options.importance_share}",
        f"or the result of Gibbs sampling; default: {options.start}",
        f"and the default is {options.n_samples}",
    ):
        assert text in shown_text


@pytest.mark.parametrize("option", ["--start", "--start-epochs", "--learn-structure"])
def test_the_help_names_the_options_of_the_start(orrery: Any, option: str) -> None:
    assert option in orrery("train", "--help").out


def test_guidance_and_weights_of_the_command_line(
    tmp_path: Path, orrery: Any, refused: Any, corpus_folder: Path
) -> None:
    rules = tmp_path / "rules.toml"
    rules.write_text('[seeds]\nspace = ["orbit", "rocket"]\n', encoding="utf-8")
    train = ["train", corpus_folder, "--out", tmp_path / "r", "--guidance", rules]
    assert orrery(*train, "--topics", "3", "--epochs", 1).code == 0
    assert "space" in load_run(tmp_path / "r").topic_labels
    config = json.loads((tmp_path / "r" / "config.json").read_text())
    assert config["settings"]["guidance"]["seeds"] == {"space": ["orbit", "rocket"]}
    assert "keeps its own settings; leave out --guidance" in refused(*train, "--resume")
    assert "add --graph" in refused(*train, "--weights", "probability")
    rules.write_text('must_link = [["orbit"]]\n', encoding="utf-8")
    other = ["train", corpus_folder, "--out", tmp_path / "s", "--guidance", rules]
    assert "rules.toml: must_link 1 has too few names" in refused(*other)
    assert not (tmp_path / "s").exists()
