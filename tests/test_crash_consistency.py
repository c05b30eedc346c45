"""Whatever goes wrong with whichever operation on a file, nothing is lost and a retry works."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from orrery.app.cli.main import main
from orrery.core.export.formats import FORMATS, export_files
from orrery.core.model.overlay import Overlay
from orrery.core.runs.runner import resume_run, start_run
from orrery.core.runs.settings import Session
from orrery.core.storage.adoption import adopt_graph
from orrery.core.storage.atomic import STALE_SECONDS, write_bytes, write_together
from orrery.core.storage.corpora import load_corpus, save_corpus
from orrery.core.storage.graphs import leak_path, write_graph
from orrery.core.storage.overlay import change_overlay, read_overlay
from orrery.core.storage.runs import load_run
from orrery.core.utils.errors import InputError
from tests.core.small_runs import (
    contents,
    corpus,
    corpus_folder,
    run_folder,
    settings,
    trained,
    unfinished,
)
from tests.faults import KINDS, Faults, attempt, count, injected
from tests.tried import TRIED

__all__ = ["corpus", "corpus_folder", "run_folder", "trained"]
STRIDE = int(os.environ.get("ORRERY_FAULTS_STRIDE", "23"))
# Fast cases test every third operation, even in the default run.
FEW = 3
Check = Callable[[Path, bool | None], None]


@pytest.fixture(autouse=True)
def no_waiting_for_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Power is never cut here, so a sync is counted and may fail, but need not wait."""
    monkeypatch.setattr(os, "fsync", lambda _: None)


def at_every_operation(
    what: str,
    home: Path,
    prepare: Callable[[Path], None],
    action: Callable[[Path], object],
    check: Check,
) -> int:
    """Do an action in a fresh folder for operations and every kind of fault; returns how many.

    Every operation with ORRERY_FAULTS_STRIDE=1, else a few of each kind, others for each.
    """

    def fresh() -> Path:
        shutil.rmtree(home, ignore_errors=True)
        home.mkdir()
        prepare(home)
        return home

    fresh()
    operations = count(lambda: action(home))
    for kind in KINDS:
        for at in operations_to_fail(operations, kind, min(STRIDE, FEW)):
            place = fresh()
            check(place, attempt(lambda: action(place), at, kind))  # noqa: B023
            TRIED[f"{what} × {kind}"] += 1
    return operations * len(KINDS)


def operations_to_fail(operations: int, kind: str, stride: int) -> range:
    """Operations that fail in this way: together the kinds cover about all of them."""
    return range(1 + KINDS.index(kind) * stride // len(KINDS), operations + 1, stride)


def make_new(
    what: str, home: Path, action: Callable[[Path], object], opens: Callable[[Path], object]
) -> int:
    """A new file is complete, or does not exist and can be made again."""

    def check(place: Path, outcome: bool | None) -> None:
        made = place / "new"
        if outcome is False:
            assert not made.exists()
        if outcome:
            assert made.exists()
        if not made.exists():
            action(place)
        opens(made)

    return at_every_operation(what, home, lambda _: None, action, check)


def test_a_corpus_is_saved_whole_or_can_be_saved_again(tmp_path: Path, corpus) -> None:
    home = tmp_path / "w"
    action = lambda place: save_corpus(corpus, place / "new")  # noqa: E731
    assert make_new("saving a corpus", home, action, load_corpus) > 50


def test_a_graph_is_adopted_whole_or_can_be_adopted_again(tmp_path: Path) -> None:
    source = tmp_path / "flu.csv"
    source.write_text("parent,child,weight\nflu,fever,2.0\nflu,cough,1.0\n")
    home = tmp_path / "w"
    action = lambda place: adopt_graph(source, place / "new")  # noqa: E731
    assert make_new("adopting a graph", home, action, load_run) > 50


@pytest.mark.parametrize("kind", FORMATS)
def test_an_export_over_an_older_one_leaves_either(
    tmp_path: Path, trained: Path, kind: str
) -> None:
    name = "x" + FORMATS[kind].extension
    files = export_files(load_run(trained), kind, name)
    old = {file: b"of before" for file in files}

    def prepare(place: Path) -> None:
        for file, data in old.items():
            (place / file).write_bytes(data)

    def action(place: Path) -> None:
        write_together({place / file: data for file, data in files.items()})

    def check(place: Path, outcome: bool | None) -> None:
        found = {path.name: path.read_bytes() for path in place.glob("[!.]*")}
        if not outcome and name not in found:
            found = {file: found[file + ".old"] for file in files}
        found = {file: found[file] for file in files}
        assert found in (old, files)
        if outcome is True:
            assert found == files
        action(place)
        assert {path.name: path.read_bytes() for path in place.glob("[!.]*")} == files

    assert at_every_operation("exporting", tmp_path / "w", prepare, action, check) >= 20


def test_a_split_graph_comes_with_its_leaks_or_not_at_all(tmp_path: Path, trained: Path) -> None:
    run = load_run(trained)
    network = run.network

    def action(place: Path) -> None:
        write_graph(place / "new.csv", network.graph, run.vocabulary, network.weight, network.leak)

    def check(place: Path, outcome: bool | None) -> None:
        if (place / "new.csv").exists():
            assert leak_path(place / "new.csv").exists()
        action(place)

    at_every_operation("writing a graph", tmp_path / "w", lambda _: None, action, check)


def test_an_edit_is_made_or_not_and_the_others_stay(tmp_path: Path, trained: Path) -> None:
    topic, other = load_run(trained).network.graph.topic_ids[:2]

    def prepare(place: Path) -> None:
        shutil.copytree(trained / "model", place / "model")
        change_overlay(place / "model", lambda overlay: overlay.with_label(other, "kept"))

    def edit(overlay: Overlay) -> Overlay:
        return overlay.with_label(topic, "new")

    def check(place: Path, outcome: bool | None) -> None:
        labels = read_overlay(place / "model").labels
        assert labels[other] == "kept"
        if outcome is not None:
            assert (topic in labels) == outcome
        change_overlay(place / "model", edit)
        assert read_overlay(place / "model").labels == {topic: "new", other: "kept"}

    at_every_operation(
        "editing topics",
        tmp_path / "w",
        prepare,
        lambda place: change_overlay(place / "model", edit),
        check,
    )


@pytest.mark.parametrize("kind", KINDS)
def test_training_continues_to_the_same_bytes(
    tmp_path: Path, corpus_folder: Path, trained: Path, kind: str, monkeypatch
) -> None:
    """Every operation with ORRERY_FAULTS_STRIDE=1."""
    monkeypatch.setattr("orrery.core.runs.recorder.SECONDS_BETWEEN_CHECKPOINTS", -1.0)
    chosen, wanted = settings(corpus_folder), contents(trained / "model")
    operations = count(lambda: start_run(tmp_path / "0", chosen, Session()))
    for at in operations_to_fail(operations, kind, STRIDE):
        folder = tmp_path / str(at)
        attempt(lambda: start_run(folder, chosen, Session()), at, kind)  # noqa: B023
        try:
            resume_run(folder, Session())
        except InputError:
            # Before there were settings, nothing had been trained.
            assert not (folder / "start.npz").exists()
            start_run(folder, chosen, Session())
        TRIED[f"training × {kind}"] += 1
        assert contents(folder / "model") == wanted, (at, kind)
        assert unfinished(folder) == [], (at, kind)


def test_old_stale_files_are_swept_and_live_ones_are_not(tmp_path: Path) -> None:
    for name in ("old", "new"):
        (tmp_path / f".control.json.{name}.partial").write_bytes(b"half")
    past = time.time() - STALE_SECONDS - 60
    os.utime(tmp_path / ".control.json.old.partial", (past, past))
    write_bytes(tmp_path / "control.json", b"{}")
    assert unfinished(tmp_path) == [".control.json.new.partial"]


def test_a_full_disk_is_one_clear_sentence(tmp_path: Path, corpus, trained, capsys) -> None:
    arguments = ["export", str(trained), "--format", "json", "--out", str(tmp_path / "x.json")]
    with injected(Faults(1, "ENOSPC for good")):
        code = main(arguments)
    reported = capsys.readouterr().err
    assert code == 1
    assert reported.startswith("orrery: ")
    assert "No space left" in reported
    assert reported.count("\n") == 1
    assert list(tmp_path.iterdir()) == []
