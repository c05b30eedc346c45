"""Training on from the card of a topic: a new run begins, the old model stays."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from orrery.app.shared import topic_strings
from orrery.app.shell import strings as shell_strings
from orrery.app.workspace import processes, runs
from orrery.core.model.overlay import Overlay
from orrery.core.storage.graphs import read_graph
from orrery.core.storage.overlay import OVERLAY_FILE, write_overlay
from orrery.core.storage.runs import load_run
from orrery.core.utils.errors import InputError
from tests.app.shared.test_topic_card import CODE, full_card


@pytest.fixture
def launched(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Path, list[str], Path]]:
    """Run that would have been started."""
    found: list[tuple[Path, list[str], Path]] = []
    monkeypatch.setattr(processes, "launch", lambda *given: found.append(given))
    return found


def train_on(app: AppTest, key: str) -> AppTest:
    app.button(key=key).click().run()
    assert not app.exception
    return app


def test_a_split_topic_is_trained_on(own_model: Path, launched: list) -> None:
    write_overlay(own_model, Overlay({"L1.1": "Mine"}))
    before = load_run(own_model.parent)
    train_on(full_card(), "split-topic-r")
    ((folder, arguments, corpus),) = launched
    assert arguments[:2] == ["train", str(corpus)]
    assert arguments[arguments.index("--graph") + 1] == str(folder / "graph.csv")
    graph, weight, leak = read_graph(folder / "graph.csv", before.vocabulary)
    assert graph.n_topics == before.network.graph.n_topics + 1
    assert CODE not in graph.topic_ids
    assert weight is not None
    assert leak is not None
    assert (folder / "model" / OVERLAY_FILE).read_bytes() == (own_model / OVERLAY_FILE).read_bytes()
    assert CODE in load_run(own_model.parent).network.graph.topic_ids


def test_all_topics_are_kept_on_request(own_model: Path, launched: list) -> None:
    train_on(full_card(), "train-on-r")
    ((folder, _, _),) = launched
    before = load_run(own_model.parent)
    graph, weight, _ = read_graph(folder / "graph.csv", before.vocabulary)
    assert sorted(graph.topic_ids) == sorted(before.network.graph.topic_ids)
    assert weight is not None
    assert sorted(weight) == sorted(before.network.weight)


def test_the_sample_is_trained_on_without_being_changed(
    space: Path, monkeypatch: pytest.MonkeyPatch, launched: list
) -> None:
    monkeypatch.setenv("ORRERY_DEMO", "1")
    train_on(full_card(), "train-on-run")
    ((folder, _, _),) = launched
    assert folder.parent == space / "runs"


def test_a_topic_that_cannot_be_split_gives_the_reason(
    own_model: Path, launched: list, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(run: object, topic: int) -> None:
        raise InputError("the words go together; choose another topic")

    monkeypatch.setattr("orrery.app.shared.topic_changes.split_run", refuse)
    app = train_on(full_card(), "split-topic-r")
    (error,) = app.error
    assert error.value.replace("\\", "") == "The words go together; choose another topic."
    assert launched == []
    assert not any(
        job.folder != own_model.parent for job in runs.list_jobs(own_model.parent.parent)
    )


def test_the_sample_can_be_split(
    space: Path, monkeypatch: pytest.MonkeyPatch, launched: list
) -> None:
    monkeypatch.setenv("ORRERY_DEMO", "1")
    train_on(full_card(), "split-topic-run")
    assert len(launched) == 1


def test_a_run_that_cannot_begin_leaves_no_folder(
    own_model: Path, launched: list, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*given: object) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr("orrery.core.storage.continuation.write_graph", fail)
    app = train_on(full_card(), "train-on-r")
    assert "no space left" in app.error[0].value
    assert [job.folder for job in runs.list_jobs(own_model.parent.parent)] == [own_model.parent]


def test_without_its_corpus_a_model_cannot_continue(own_model: Path) -> None:
    (own_model.parent.parent.parent / "corpora" / "c" / "corpus.json").unlink()
    app = full_card()
    (button,) = [
        block for block in app.get("popover") if block.proto.popover.label == topic_strings.TRAIN_ON
    ]
    assert button.proto.popover.disabled
    assert button.proto.popover.help == shell_strings.GONE
