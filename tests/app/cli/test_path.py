"""The whole path: import, structure, train, infer, evaluate, with the keys of INTERFACE.md."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from orrery.core.evaluation import evaluate as runner
from orrery.core.evaluation.evaluate import Evaluation
from orrery.core.runs import runner as runs_runner
from orrery.core.storage.graphs import read_graph
from orrery.core.storage.runs import load_run
from tests.core.small_runs import N_DOCUMENTS, contents, unfinished, write_source

KEYS = {
    "import": "documents vocabulary tokens_per_document dropped_documents dropped_terms",
    "structure": "topics layers edges",
    "train": "run epochs seconds documents_per_second held_out",
    "evaluate": "documents jensen_bound exact_bound log_likelihood samples topics edges npmi "
    "diversity",
    "infer": "topics tokens unknown_words bound",
}
RECIPE = ["--min-df", "2", "--max-df", "1.0", "--no-phrases"]
FAST = ["--epochs", "2", "--batch-size", "20"]


def answer_of(orrery: Any, command: str, *arguments: object) -> dict[str, Any]:
    outcome = orrery(command, *arguments, "--json")
    assert outcome.code == 0, outcome.err
    assert "orrery:" not in outcome.err
    # One object, in one line, and nothing else.
    assert outcome.out.count("\n") == 1
    answer = json.loads(outcome.out)
    assert set(KEYS[command].split()) <= set(answer)
    return answer


def assert_same_but_for_likelihood(at_end: dict[str, Any], evaluated: dict[str, Any]) -> None:
    """The end of a run has the exact bound alone; `orrery evaluate` adds the other figures."""
    added = {"jensen_bound", "log_likelihood", "log_likelihood_error", "samples"}
    assert {key for key, value in at_end.items() if value in (None, 0)} >= added
    assert at_end["exact_bound"] == pytest.approx(evaluated["exact_bound"], abs=0.01)
    assert evaluated["baselines_from"] == "training documents"
    same = set(evaluated) - added - {"exact_bound", "baselines_from"}
    assert {key: at_end[key] for key in same} == {key: evaluated[key] for key in same}


def test_the_whole_path(tmp_path: Path, orrery: Any) -> None:
    source, corpus, graph = write_source(tmp_path), tmp_path / "c", tmp_path / "g.csv"
    kept = answer_of(orrery, "import", source, "--out", corpus, *RECIPE)
    assert kept["documents"] == N_DOCUMENTS
    assert kept["tokens_per_document"] == pytest.approx(4.0)
    assert kept["dropped_documents"] == kept["dropped_terms"] - 1 == 0

    proposed = answer_of(orrery, "structure", corpus, "--out", graph, "--topics", "4,2")
    words = (corpus / "vocabulary.txt").read_text(encoding="utf-8").split("\n")[:-1]
    assert kept["vocabulary"] == len(words)
    found = read_graph(graph, words)[0]
    assert proposed == {"topics": 6, "layers": 2, "edges": found.n_edges}
    assert found.n_topics == 6

    for bound in ("exact", "jensen"):
        run = tmp_path / bound
        options = ["--graph", graph, "--bound", bound, *FAST]
        result = answer_of(orrery, "train", corpus, "--out", run, *options)
        assert result["run"] == str(run)
        assert result["epochs"] == 2.0
        assert set(KEYS["evaluate"].split()) <= set(result["held_out"])
        assert result["held_out"]["edges"] == proposed["edges"]

        evaluated_model = answer_of(orrery, "evaluate", run)
        assert_same_but_for_likelihood(result["held_out"], evaluated_model)
        assert evaluated_model["documents"] == N_DOCUMENTS // 10
        assert evaluated_model["jensen_bound"] <= evaluated_model["exact_bound"] + 1e-6
        assert evaluated_model["exact_bound"] <= evaluated_model["log_likelihood"] + 0.1
        everything = answer_of(orrery, "evaluate", run, "--corpus", corpus, "--samples", 7)
        assert (everything["documents"], everything["samples"]) == (N_DOCUMENTS, 7)

        query = ["--query", "ROCKET guitar zebra the", "--absent", "sugar quagga"]
        seen = answer_of(orrery, "infer", run, *query)
        assert seen["unknown_words"] == ["zebra", "quagga"]
        assert_local_model(seen)
    assert unfinished(tmp_path) == []


def assert_local_model(seen: dict[str, Any]) -> None:
    ids = {topic["id"] for topic in seen["topics"]}
    for topic in seen["topics"]:
        assert set(topic) >= {"id", "label", "probability", "parents"}
        assert 0.0 <= topic["probability"] <= 1.0
    assert [(token["token"], token["state"]) for token in seen["tokens"]] == [
        ("rocket", "present"),
        ("guitar", "present"),
        ("sugar", "absent"),
    ]
    for node in [*seen["topics"], *seen["tokens"]]:
        assert all(set(parent) == {"id", "weight"} for parent in node["parents"])
        assert {parent["id"] for parent in node["parents"]} <= ids
    assert all(token["parents"] for token in seen["tokens"][:2])
    assert seen["bound"] < 0


def test_held_out_by_name_with_the_papers_optimizer_over_the_full_model(
    tmp_path: Path, orrery: Any, corpus_folder: Path
) -> None:
    ids = tmp_path / "ids.txt"
    # As an editor of another system may save it.
    ids.write_text("d3\r\n\r\nd7 \r\nd50\r\n", encoding="utf-16")
    options = ["--optimizer", "paper", "--scope", "full", "--held-out-ids", ids, *FAST]
    run = tmp_path / "r"
    result = answer_of(
        orrery, "train", corpus_folder, "--out", run, "--method", "complete", "--topics", 3,
        *options,
    )  # fmt: skip
    assert result["held_out"]["documents"] == 3
    assert load_run(run).summary["documents"] == N_DOCUMENTS - 3
    assert load_run(run).config["settings"]["held_out_ids"] == ["d3", "d7", "d50"]
    assert load_run(run).config["settings"]["training"]["scope"] == "full"
    assert_same_but_for_likelihood(result["held_out"], answer_of(orrery, "evaluate", run))


def test_an_importance_weighted_end_with_averaged_weights(
    tmp_path: Path, orrery: Any, corpus_folder: Path
) -> None:
    chosen = {
        "accuracy": "fast", "importance_samples": 4, "importance_share": 0.5, "averaging": 0.25,
    }  # fmt: skip
    options = [f"--{name.replace('_', '-')}={value}" for name, value in chosen.items()]
    run = tmp_path / "r"
    result = answer_of(orrery, "train", corpus_folder, "--out", run, *options, *FAST)
    assert_same_but_for_likelihood(result["held_out"], answer_of(orrery, "evaluate", run))
    assert load_run(run).config["settings"]["training"].items() >= chosen.items()
    resumed = answer_of(orrery, "train", corpus_folder, "--out", run, "--resume")
    assert resumed["held_out"] == result["held_out"]


def test_the_same_words_for_people(tmp_path: Path, orrery: Any) -> None:
    source, corpus, graph, run = (tmp_path / name for name in ("source.csv", "c", "g.csv", "r"))
    write_source(tmp_path)
    outcome = orrery("import", source, "--out", corpus, *RECIPE)
    assert f"{N_DOCUMENTS} documents" in outcome.out
    assert (
        "6 topics, 2 layers" in orrery("structure", corpus, "--out", graph, "--topics", "4,2").out
    )
    outcome = orrery("train", corpus, "--out", run, "--topics", "4,2", *FAST)
    assert "2.0 epochs" in outcome.out
    assert "on 6 held-out documents" in outcome.out
    assert "epoch 2.0 of 2" in outcome.err
    assert "exact bound" in orrery("evaluate", run).out
    outcome = orrery("infer", run, "--query", "rocket zebra")
    assert "not in the vocabulary: zebra" in outcome.out
    assert "\nlog-probability of the query -" in outcome.out
    resumed = orrery("train", corpus, "--out", run, "--resume")
    assert resumed.code == 0
    assert "2.0 epochs" in resumed.out


def test_two_processes_give_the_same_files(
    tmp_path: Path, orrery: Any, corpus_folder: Path
) -> None:
    options = ["--topics", "4,2", *FAST]
    assert orrery("train", corpus_folder, "--out", tmp_path / "here", *options).code == 0
    command = [sys.executable, "-m", "orrery", "train", str(corpus_folder), "--json"]
    done = subprocess.run(
        [*command, "--out", str(tmp_path / "there"), *options],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["run"] == str(tmp_path / "there")
    assert contents(tmp_path / "here" / "model") == contents(tmp_path / "there" / "model")


def test_a_run_and_its_corpus_can_move_together(
    tmp_path: Path, orrery: Any, corpus_folder: Path
) -> None:
    old, new = tmp_path / "old", tmp_path / "far" / "new"
    shutil.copytree(corpus_folder, old / "corpora" / "c")
    options = ["--topics", "4,2", *FAST]
    assert orrery("train", old / "corpora" / "c", "--out", old / "runs" / "r", *options).code == 0
    shutil.move(old, new)
    assert answer_of(orrery, "evaluate", new / "runs" / "r")["documents"] == 6
    (tmp_path / "link").symlink_to(new / "runs" / "r", target_is_directory=True)
    assert answer_of(orrery, "evaluate", tmp_path / "link")["documents"] == 6
    resumed = orrery("train", new / "corpora" / "c", "--out", tmp_path / "link", "--resume")
    assert resumed.code == 0, resumed.err


@pytest.mark.parametrize(("gain", "is_given"), [(-0.1, True), (0.0, True), (0.1, False)])
def test_topics_that_have_no_information_are_called_that(
    gain: float, is_given: bool, tmp_path: Path, orrery: Any, corpus_folder: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    evaluated = runner.evaluate

    def evaluate(*given: Any, **more: Any) -> Evaluation:
        found = evaluated(*given, **more)
        return replace(found, exact_bound=found.independent + gain)

    monkeypatch.setattr(runs_runner, "evaluate", evaluate)
    outcome = orrery("train", corpus_folder, "--out", tmp_path / "r", "--topics", "4", *FAST)
    assert ("predicts no better than independent words" in outcome.out) is is_given
