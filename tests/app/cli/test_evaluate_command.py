"""``orrery evaluate``: its figures for programs and for people, and labels when asked."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from orrery.core.data.corpus import Corpus
from orrery.core.evaluation.clusters import cluster_figures, labelled_rows
from orrery.core.evaluation.completion import independent_log_likelihood, word_counts
from orrery.core.evaluation.hierarchy import hierarchy_figures, topic_tree
from orrery.core.inference.infer import infer_activations
from orrery.core.inference.main_topics import main_topics
from orrery.core.storage.checkpoints import load_start
from orrery.core.storage.corpora import save_corpus
from orrery.core.storage.runs import load_run

COMPLETION = {
    "completion_mrr",
    "completion_recall10",
    "completion_mrr_independent",
    "completion_recall10_independent",
}
LABELS = {"accuracy", "accuracy_majority", "accuracy_c"}
Refused = Callable[..., str]


def test_completion_is_always_there_and_labels_on_request(orrery: Any, trained: Path) -> None:
    plain = json.loads(orrery("evaluate", trained, "--json").out)
    assert set(plain) > COMPLETION
    assert not LABELS & set(plain)
    outcome = orrery("evaluate", trained, "--classify", "--json")
    assert outcome.code == 0, outcome.err
    requested = json.loads(outcome.out)
    assert set(requested) == set(plain) | LABELS
    assert {name: requested[name] for name in plain} == plain
    assert 0.0 <= requested["accuracy_majority"] <= 1.0
    assert requested["accuracy"] >= 0.5


def test_people_see_every_figure_once(orrery: Any, trained: Path) -> None:
    lines = orrery("evaluate", trained, "--classify", "--samples", 1).out.splitlines()
    figures = json.loads(orrery("evaluate", trained, "--classify", "--json").out)
    assert figures.pop("baselines_from") == "training documents"
    assert len(lines) == len(figures)
    shown = dict(line.rsplit("  ", 1) for line in lines if not line.startswith("…"))
    shown = {name.strip(): value for name, value in shown.items()}
    assert shown["exact bound"] == f"{figures['exact_bound']:.4f}"
    assert shown["hidden word in ten guesses"] == f"{figures['completion_recall10']:.4f}"
    assert shown["label of a text"] == f"{figures['accuracy']:.4f}"
    # A single sample has no error.
    assert shown["± standard error of its sampling"] == "–"


def test_compilation_is_announced_to_people_alone(
    orrery: Any, trained: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sentence = "Compiling code if necessary, and evaluating the first documents.\nevaluated 0%"
    assert orrery("evaluate", trained, "--samples", 2).err.startswith(sentence)
    monkeypatch.setenv("ORRERY_PROGRESS", "json")
    assert "Compiling" not in orrery("evaluate", trained, "--samples", 2).err


def test_lda_stands_beside_every_figure_that_it_has(orrery: Any, trained: Path) -> None:
    plain = json.loads(orrery("evaluate", trained, "--json").out)
    requested = json.loads(orrery("evaluate", trained, "--rival", "--json").out)
    system = requested.pop("rival")
    assert requested == plain
    assert (system["name"], system["topics"]) == ("LDA (scikit-learn)", plain["topics"])
    assert system["documents"] == plain["documents"]
    assert system["accuracy"] is None
    both = json.loads(orrery("evaluate", trained, "--rival", "--classify", "--json").out)
    assert both.keys() == requested.keys() | LABELS | {"rival"}
    assert both["accuracy_majority"] <= both["rival"]["accuracy"] <= 1.0
    lines = orrery("evaluate", trained, "--rival", "--classify").out.splitlines()
    beside = [line for line in lines if "LDA" in line]
    assert len(beside) == 5
    assert beside[-1].endswith(f"{both['rival']['accuracy']:.4f}")


def test_main_topics_are_compared_with_labels_and_parents_with_children(
    orrery: Any, corpus: Corpus, trained: Path
) -> None:
    plain = json.loads(orrery("evaluate", trained, "--samples", 1, "--json").out)
    options = ("--labels", "--hierarchy", "--samples", 1)
    outcome = orrery("evaluate", trained, *options, "--json")
    assert outcome.code == 0, outcome.err
    found = json.loads(outcome.out)
    model, held_out = load_run(trained), load_start(trained, corpus)[1].held_out
    rows, labels = labelled_rows(corpus, held_out)
    clusters = main_topics(
        model.network, corpus.to_csr()[rows], infer_activations(model.network, corpus, rows)
    )
    agreement = asdict(cluster_figures(clusters, labels))
    tree = topic_tree(model.network, corpus.vocabulary)
    hierarchy, layers = hierarchy_figures(tree, corpus.to_csr())
    assert found == {**plain, **agreement, **asdict(hierarchy), "layers": layers}
    assert found["purity"] > found["purity_chance"]
    printed = orrery("evaluate", trained, *options).out.splitlines()
    assert f"{found['purity']:.4f}" in next(line for line in printed if line.startswith("purity "))
    assert sum(line.startswith("layer ") for line in printed) == len(layers)
    # Any column can have the labels.
    by_id = json.loads(orrery("evaluate", trained, "--labels", "id", "--json", "--samples", 1).out)
    assert by_id["p1"] < found["p1"]
    # The column of labels is known by its name in the source.
    named = orrery("evaluate", trained, "--labels", "theme", "--json", "--samples", 1)
    assert json.loads(named.out)["p1"] == found["p1"]


def test_on_other_documents_the_baseline_knows_those_of_the_training_alone(
    tmp_path: Path, orrery: Any, corpus: Corpus, trained: Path
) -> None:
    split = load_start(trained, corpus)[1]
    others = np.concatenate([split.held_out, split.held_out[:1]])
    save_corpus(corpus.subset(others), tmp_path / "others", None)
    outcome = orrery("evaluate", trained, "--corpus", tmp_path / "others", "--json")
    assert outcome.code == 0, outcome.err
    expected = independent_log_likelihood(corpus, others, word_counts(corpus, split.train))
    found = json.loads(outcome.out)
    assert found["independent"] == pytest.approx(expected)
    assert found["baselines_from"] == "training documents"


def test_baselines_of_the_evaluated_documents_are_reported(
    tmp_path: Path, orrery: Any, corpus: Corpus, trained: Path
) -> None:
    """Without the corpus of the training, the baseline is fitted to the documents themselves."""
    save_corpus(corpus, tmp_path / "c", None)
    assert orrery("train", tmp_path / "c", "--out", tmp_path / "r", "--epochs", 1).code == 0
    (tmp_path / "c").rename(tmp_path / "moved")
    options = ("evaluate", tmp_path / "r", "--corpus", tmp_path / "moved", "--samples", 1)
    outcome = orrery(*options, "--json")
    assert outcome.code == 0, outcome.err
    found = json.loads(outcome.out)
    everything = np.arange(corpus.n_documents)
    assert found["baselines_from"] == "evaluated documents"
    assert found["independent"] == pytest.approx(independent_log_likelihood(corpus, everything))
    assert orrery(*options).out.startswith("The training documents are not available")


def test_labels_that_are_not_there(
    tmp_path: Path, refused: Refused, orrery: Any, corpus: Corpus, trained: Path
) -> None:
    for option in ("--classify", "--rival"):
        line = refused("evaluate", trained, option, "--corpus", tmp_path)
        assert f"{option} trains" in line
        assert "leave out --corpus" in line
    unlabelled = replace(corpus, documents=corpus.documents.assign(label=None))
    save_corpus(unlabelled, tmp_path / "c", None)
    assert orrery("train", tmp_path / "c", "--out", tmp_path / "r", "--epochs", 1).code == 0
    line = refused("evaluate", tmp_path / "r", "--classify", "--json")
    assert "have no labels" in line
    assert "0 different labels" in refused("evaluate", tmp_path / "r", "--labels", "--json")
    line = refused("evaluate", trained, "--labels", "colour", "--json")
    assert "no column 'colour'; choose one of id," in line


def test_scikit_learns_classifiers_wait_until_requested() -> None:
    code = "import sys, orrery.core.evaluation.evaluate; sys.exit('sklearn.svm' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
