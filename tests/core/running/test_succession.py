"""Training that goes on from a run: its topics, names, documents and settings live on."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.cli import main
from core.errors import InputError
from core.storage import load_corpus, load_run
from core.storage.checkpoints import load_start
from core.storage.overlay import Overlay, read_overlay, write_overlay
from core.storage.runs import Run, read_config
from core.storage.succession import settings_to_go_on, split_run, write_successor


def strongest(run: Run) -> int:
    """The topic with the most children."""
    return int(np.argmax(np.diff(run.network.graph.child_ptr)))


def go_on(folder: Path, run: Run, network) -> Run:
    folder.mkdir()
    options = write_successor(folder, run, network)
    given = ["train", str(run.corpus_path), "--out", str(folder), *options, "--epochs", "1"]
    assert main(given) == 0
    return load_run(folder)


def test_the_same_topics_names_and_documents_live_on(run_folder: Path, tmp_path: Path) -> None:
    code = load_run(run_folder).network.graph.topic_ids[0]
    write_overlay(run_folder / "model", Overlay({code: "Mine"}))
    run = load_run(run_folder)
    after = go_on(tmp_path / "next", run, run.network)
    assert sorted(after.network.graph.topic_ids) == sorted(run.network.graph.topic_ids)
    assert after.network.graph.n_edges == run.network.graph.n_edges
    assert read_overlay(after.folder / "model") == run.overlay
    assert after.topic_labels[after.network.graph.topic_ids.index(code)] == "Mine"
    corpus = load_corpus(run.corpus_path)
    before, now = load_start(run.folder, corpus)[1], load_start(after.folder, corpus)[1]
    assert np.array_equal(before.held_out, now.held_out)


def test_a_split_topic_is_two_from_the_start(run_folder: Path, tmp_path: Path) -> None:
    run = load_run(run_folder)
    topic = strongest(run)
    after = go_on(tmp_path / "next", run, split_run(run, topic))
    assert after.network.graph.n_topics == run.network.graph.n_topics + 1
    assert run.network.graph.topic_ids[topic] not in after.network.graph.topic_ids


def test_named_documents_are_held_out_again(run_folder: Path, tmp_path: Path) -> None:
    run = load_run(run_folder)
    ids = list(load_corpus(run.corpus_path).documents["id"][:7])
    settings = run.config["settings"] | {"held_out_ids": ids}
    named = replace(run, config={**run.config, "settings": settings})
    after = go_on(tmp_path / "next", named, run.network)
    assert list(read_config(after.folder)["settings"]["held_out_ids"]) == ids


def test_rates_that_followed_from_the_start_are_spelled_out(run_folder: Path) -> None:
    run = load_run(run_folder)
    sampled = run.config["settings"]["training"] | {
        "start": "gibbs", "learning_rate": None, "weight_penalty": None
    }  # fmt: skip
    settings = run.config["settings"] | {"training": sampled}
    given = settings_to_go_on(replace(run, config={**run.config, "settings": settings}))
    options = dict(zip(given[::2], given[1::2], strict=True))
    assert (options["--learning-rate"], options["--weight-penalty"]) == ("0.03", "1.0")


def test_a_model_of_a_graph_alone_has_nothing_to_split_by(run_folder: Path) -> None:
    run = load_run(run_folder)
    adopted = replace(run, config={**run.config, "corpus": None})
    with pytest.raises(InputError, match="no corpus of its own"):
        split_run(adopted, strongest(run))


def test_a_folder_with_names_alone_is_not_a_run_yet(run_folder: Path, tmp_path: Path) -> None:
    write_overlay(run_folder / "model", Overlay({"L1.1": "Mine"}))
    run = load_run(run_folder)
    folder = tmp_path / "next"
    folder.mkdir()
    write_successor(folder, run, run.network)
    with pytest.raises(InputError, match="not a run folder"):
        load_run(folder)
    (folder / "config.json").write_text(json.dumps({"version": 1, "corpus": "c", "settings": {}}))
    with pytest.raises(InputError, match="has no model yet"):
        load_run(folder)
