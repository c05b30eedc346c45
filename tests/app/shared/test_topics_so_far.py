"""The topics of a run in training: read from its checkpoints, followed, and queried."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from orrery.app.shared import topics_so_far
from orrery.app.workspace import catalog, runs
from orrery.core.model.topic_names import topic_labels
from orrery.core.storage.checkpoints import checkpoint_networks, save_checkpoint
from orrery.core.storage.corpora import load_corpus
from orrery.core.storage.runs import load_run, write_config
from orrery.core.training.optimizers import Moments
from orrery.core.training.state import TrainingState

SAMPLE = catalog.SAMPLE_DATA


def checkpoint(folder: Path, step: int, share: float) -> None:
    """A checkpoint of the sample model, whose leaks are a share of the trained ones."""
    network = load_run(SAMPLE / "run").network
    network = type(network)(network.graph, network.weight, share * network.leak)
    size = network.graph.n_edges + network.graph.n_nodes
    moments = Moments(np.zeros(size), np.zeros(size), step)
    save_checkpoint(folder, TrainingState(network, moments, step), float(step))


@pytest.fixture
def live(tmp_path: Path) -> Path:
    folder = tmp_path / "run"
    folder.mkdir()
    write_config(folder, str(SAMPLE / "corpus"), {})
    return folder


def test_before_the_first_checkpoint_there_is_nothing(live: Path) -> None:
    assert topics_so_far.unfinished_model(runs.read_job(live)) is None


def test_topics_are_named_and_followed(live: Path) -> None:
    checkpoint(live, 1, 0.5)
    first = topics_so_far.unfinished_model(runs.read_job(live))
    assert first is not None
    rows = topics_so_far.topic_rows(first)
    assert len(rows) == topics_so_far.MAX_TOPICS
    assert rows["Texts"].is_monotonic_decreasing
    assert set(rows["Change"]) == {""}
    checkpoint(live, 2, 1.0)
    second = topics_so_far.unfinished_model(runs.read_job(live))
    assert second is not None
    rows = topics_so_far.topic_rows(second)
    sample = load_run(SAMPLE / "run")
    assert set(rows["Topic"]) <= set(topic_labels(sample.network, sample.vocabulary))
    # With larger leaks every topic grew.
    assert all(change.startswith("+") for change in rows["Change"])
    assert all(len(course) == 2 and course[0] < course[1] for course in rows["So far"])


def test_the_unfinished_model_answers(live: Path) -> None:
    checkpoint(live, 1, 1.0)
    found = topics_so_far.unfinished_model(runs.read_job(live))
    assert found is not None
    ranked, unknown = topics_so_far.answer(found.run, "space qqq")
    assert unknown == ["qqq"]
    assert len(ranked) > 1
    assert [value for _, value in ranked] == sorted((v for _, v in ranked), reverse=True)
    assert topics_so_far.answer(found.run, "qqq") == ([], ["qqq"])


def test_a_damaged_checkpoint_is_left_out(live: Path) -> None:
    checkpoint(live, 1, 1.0)
    (live / "checkpoint-00000002.npz").write_bytes(b"no archive")
    corpus = load_corpus(SAMPLE / "corpus")
    assert [step for step, _ in checkpoint_networks(live, corpus.n_tokens)] == [1]
    # Not the vocabulary of the corpus.
    assert checkpoint_networks(live, corpus.n_tokens + 1) == []
