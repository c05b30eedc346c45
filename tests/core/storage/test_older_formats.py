"""Files of earlier versions can be opened: a corpus and a run of each format."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from orrery.core.runs.runner import resume_run
from orrery.core.runs.settings import Session
from orrery.core.storage.activations import load_activations
from orrery.core.storage.corpora import CORPUS_VERSION, load_corpus
from orrery.core.storage.models import MODEL_VERSION
from orrery.core.storage.overlay import change_overlay
from orrery.core.storage.reports import read_metrics
from orrery.core.storage.runs import load_run, read_status

OLDER = Path(__file__).parents[2] / "older"
VERSIONS = sorted(path.name for path in OLDER.iterdir())


@pytest.fixture(params=VERSIONS)
def home(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A workspace of an earlier version, to be worked in."""
    return Path(shutil.copytree(OLDER / request.param, tmp_path / request.param))


def test_there_is_one_of_each_version_before_this() -> None:
    assert [str(version) for version in range(1, MODEL_VERSION)] == VERSIONS
    assert CORPUS_VERSION == MODEL_VERSION


def test_the_fixtures_are_as_they_were_written(home: Path) -> None:
    for file in ("corpora/c/corpus.json", "runs/r/model/model.json"):
        assert str(json.loads((home / file).read_bytes())["version"]) == home.name


def test_all_of_it_opens(home: Path) -> None:
    corpus, run = load_corpus(home / "corpora" / "c"), load_run(home / "runs" / "r")
    assert run.vocabulary == corpus.vocabulary
    assert run.corpus_path == home / "corpora" / "c"
    assert "Skies" in run.topic_labels
    assert run.summary["epochs"] == 3.0
    assert read_status(run.folder)["state"] == "finished"
    assert len(read_metrics(run.folder))
    stored = load_activations(run.folder / "model")
    assert stored is not None
    assert stored.probability.shape == (corpus.n_documents, run.network.graph.n_topics)


def test_it_can_be_worked_on(home: Path) -> None:
    folder = home / "runs" / "r"
    before = load_run(folder)
    resume_run(folder, Session())
    after = load_run(folder)
    assert (after.network.weight == before.network.weight).all()
    assert json.loads((folder / "model" / "model.json").read_bytes())["version"] == MODEL_VERSION
    changed = change_overlay(folder / "model", lambda overlay: overlay.with_label("L1.2", "New"))
    assert set(changed.labels.values()) == {"Skies", "New"}
