"""Training that continues from a run: its topics, names, documents and settings are kept."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from orrery.app.cli.main import build_parser, main
from orrery.core.data.corpus import Corpus
from orrery.core.model.overlay import Overlay
from orrery.core.model.topic_model import Run
from orrery.core.storage.checkpoints import load_start
from orrery.core.storage.continuation import continuation_options, split_run, write_continuation
from orrery.core.storage.corpora import load_corpus, save_corpus
from orrery.core.storage.overlay import read_overlay, write_overlay
from orrery.core.storage.runs import load_run
from orrery.core.training.options import DEFAULT_PENALTY, DEFAULT_RATE
from orrery.core.utils.errors import InputError


def strongest(run: Run) -> int:
    """The topic with the most children."""
    return int(np.argmax(np.diff(run.network.graph.child_ptr)))


def go_on(folder: Path, run: Run, network) -> Run:
    folder.mkdir()
    options = write_continuation(folder, run, network)
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


def test_documents_of_odd_names_stay_held_out(
    run_folder: Path, corpus: Corpus, tmp_path: Path
) -> None:
    _, before = load_start(run_folder, corpus)
    names = corpus.documents["id"].to_numpy(object, copy=True)
    names[before.held_out] = ["  12", "", "two\nlines", "[", "a\u2028b", "12 "]
    names[before.train[0]] = "12"
    save_corpus(replace(corpus, documents=corpus.documents.assign(id=names)), tmp_path / "c")
    run = load_run(run_folder)
    run = replace(run, config={**run.config, "corpus": str(tmp_path / "c")})
    after = go_on(tmp_path / "next", run, run.network)
    assert np.array_equal(load_start(after.folder, corpus)[1].held_out, before.held_out)


def test_a_split_topic_is_two_from_the_start(run_folder: Path, tmp_path: Path) -> None:
    run = load_run(run_folder)
    topic = strongest(run)
    after = go_on(tmp_path / "next", run, split_run(run, topic))
    assert after.network.graph.n_topics == run.network.graph.n_topics + 1
    assert run.network.graph.topic_ids[topic] not in after.network.graph.topic_ids


def test_documents_of_another_corpus_do_not_come_to_the_evaluation(
    run_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = load_run(run_folder)
    corpus = load_corpus(run.corpus_path)
    turned = corpus.subset(np.arange(corpus.n_documents)[::-1])
    monkeypatch.setattr("orrery.core.storage.continuation.load_corpus", lambda folder: turned)
    with pytest.raises(InputError, match="not as it was when the run began"):
        write_continuation(tmp_path, run, run.network)


def test_names_of_topics_that_are_gone_go_too(run_folder: Path, tmp_path: Path) -> None:
    run = load_run(run_folder)
    gone, part, whole = run.network.graph.topic_ids[strongest(run)], "L9.8", "L9.9"
    shown_text = Overlay({gone: "Mine", "L9.1": "Ghost"}, frozenset(["L9.1"]), {part: whole})
    folder = tmp_path / "next"
    folder.mkdir()
    write_continuation(folder, replace(run, overlay=shown_text), split_run(run, strongest(run)))
    assert read_overlay(folder / "model") == Overlay()


def options_after(run: Run, **training: Any) -> dict[str, str]:
    settings = run.config["settings"]
    changed = settings | {"training": settings["training"] | training}
    given = continuation_options(replace(run, config={**run.config, "settings": changed}))
    return dict(zip(given[::2], given[1::2], strict=True))


def test_settings_are_kept_and_rates_that_followed_from_the_start_spelled_out(
    run_folder: Path,
) -> None:
    run = load_run(run_folder)
    options = options_after(run, start="gibbs", learning_rate=None, weight_penalty=None, seed=4)
    rate, penalty = DEFAULT_RATE["gibbs"], DEFAULT_PENALTY["gibbs"]
    assert (options["--learning-rate"], options["--weight-penalty"]) == (str(rate), str(penalty))
    assert options["--seed"] == "4"
    options = options_after(run, importance_samples=5, averaging=0.2, leave_one_out=False)
    assert (options["--importance-samples"], options["--averaging"]) == ("5", "0.2")
    build_parser().parse_args(["train", "c", "--out", "r", *itertools.chain(*options.items())])
    options = options_after(run, bound="jensen", optimizer="paper", importance_share=0.5)
    assert options.keys() <= {"--bound", "--optimizer", "--batch-size"}
    options = options_after(run, bound="likelihood", accuracy="fine", importance_share=0.5)
    assert options.keys().isdisjoint({"--accuracy", "--importance-share"})
    assert options["--bound"] == "likelihood"


def test_a_learned_graph_is_given_to_the_next_run(run_folder: Path) -> None:
    options = options_after(load_run(run_folder), structure="learned", structure_seed=3)
    assert not [name for name in options if name.startswith("--structure")]
    build_parser().parse_args(["train", "c", "--out", "r", *itertools.chain(*options.items())])


@pytest.mark.parametrize("damaged", [{}, {"training": None}, {"training": {"epochs": "many"}}])
def test_a_damaged_record_is_one_sentence(run_folder: Path, damaged: dict[str, Any]) -> None:
    run = load_run(run_folder)
    with pytest.raises(InputError):
        continuation_options(replace(run, config={**run.config, "settings": damaged}))


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
    write_continuation(folder, run, run.network)
    with pytest.raises(InputError, match="not a run folder"):
        load_run(folder)
    (folder / "config.json").write_text(json.dumps({"version": 1, "corpus": "c", "settings": {}}))
    with pytest.raises(InputError, match="has no model yet"):
        load_run(folder)
