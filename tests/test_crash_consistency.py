"""Whatever goes wrong with whichever operation on a file, nothing is lost and a retry works."""

from __future__ import annotations

import hashlib
import itertools
import os
import re
import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from orrery.app.cli import apply_command
from orrery.app.cli.main import build_parser, main
from orrery.app.workspace import applied_texts, processes, stabilities
from orrery.app.workspace import runs as jobs
from orrery.core.data.corpus import Corpus, build_corpus
from orrery.core.data.readers import read_documents
from orrery.core.export.formats import FORMATS, export_files
from orrery.core.model.overlay import Overlay
from orrery.core.model.story import KeptView
from orrery.core.runs.recorder import CheckpointTimer, Clock
from orrery.core.runs.runner import resume_run, start_run
from orrery.core.runs.settings import Session
from orrery.core.runs.stability import FOLDER, measure_stability
from orrery.core.storage.adoption import adopt_graph
from orrery.core.storage.atomic import PARTIAL_SUFFIX, STALE_SECONDS, write_bytes, write_together
from orrery.core.storage.corpora import load_corpus, save_corpus
from orrery.core.storage.graphs import leak_path, write_graph
from orrery.core.storage.overlay import change_overlay, read_overlay
from orrery.core.storage.runs import load_run
from orrery.core.storage.stability import FILE
from orrery.core.storage.stories import (
    add_story,
    change_story,
    read_stories,
    remove_story,
    restore_story,
)
from orrery.core.utils.errors import InputError
from tests.core.small_runs import (
    RECIPE,
    contents,
    corpus,
    corpus_folder,
    run_folder,
    settings,
    trained,
    unfinished,
    write_source,
)
from tests.faults import KINDS, Faults, attempt, count, injected
from tests.tried import TRIED

__all__ = ["corpus", "corpus_folder", "run_folder", "trained"]
STRIDE = int(os.environ.get("ORRERY_FAULTS_STRIDE", "23"))
# The clock stands still, before any file was written, so that none is old.
NOW = 1e9
# Fast cases test every third operation, even in the default run.
FEW = 3
Check = Callable[[Path, bool | None], None]


@pytest.fixture(autouse=True)
def no_waiting_for_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Power is never cut here, so a sync is counted and may fail, but need not wait."""
    monkeypatch.setattr(os, "fsync", lambda _: None)


@pytest.fixture(autouse=True)
def fixed_times(monkeypatch: pytest.MonkeyPatch) -> None:
    """Equal states of a folder are equal bytes, apart from the log of a run."""
    monkeypatch.setattr(time, "time", lambda: NOW)
    monkeypatch.setattr(Clock, "seconds", property(lambda _: 0.0))


def state_of(folder: Path) -> str:
    """Hash of everything in a folder that anything reads.

    Most faults lead to the same few states, which are checked once. Of a temporary file or folder,
    which nothing reads, only the name counts.
    """
    found = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        name = re.sub(r"\.[0-9a-f]{12}\.", ".", str(path.relative_to(folder)))
        if path.name != "log.txt":
            is_read = path.is_file() and PARTIAL_SUFFIX not in name
            data = path.read_bytes() if is_read else b""
            found.update(f"{name} {path.is_dir()} {len(data)}\n".encode() + data)
    return found.hexdigest()


def at_every_operation(
    what: str,
    home: Path,
    prepare: Callable[[Path], None],
    action: Callable[[Path], object],
    check: Check,
    stride: int = min(STRIDE, FEW),
    kinds: Sequence[str] = KINDS,
    *,
    is_all_stored: bool = True,
) -> int:
    """Do an action in a fresh folder for operations and every kind of fault; returns how many.

    Every operation with ORRERY_FAULTS_STRIDE=1, else a few of each kind, others for each. A state
    that was checked is not checked again, unless the check sees more than what is stored.
    """

    def fresh() -> Path:
        shutil.rmtree(home, ignore_errors=True)
        home.mkdir()
        prepare(home)
        return home

    checked: set[tuple[bool | None, str]] = set()
    fresh()
    operations = count(lambda: action(home))
    for kind in kinds:
        for at in operations_to_fail(operations, kind, stride):
            place = fresh()
            outcome = attempt(lambda: action(place), at, kind)  # noqa: B023
            TRIED[f"{what} × {kind}"] += 1
            state = outcome, state_of(place)
            if state not in checked or not is_all_stored:
                check(place, outcome)
                checked.add(state)
    return operations * len(kinds)


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


@pytest.fixture(scope="module")
def passages(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    """A corpus of sentences with the whole texts that they come from."""
    source = write_source(tmp_path_factory.mktemp("passages"))
    longer = re.sub(r"(The \w+ \w+) (\w+ \w+)", r"\1. The \2", source.read_text())
    source.write_text(longer)
    corpus, _ = build_corpus(read_documents(source, passages="sentences:1"), RECIPE)
    assert len(corpus.whole_texts) < corpus.n_documents
    return corpus


def test_a_corpus_of_passages_comes_with_its_whole_texts(tmp_path: Path, passages: Corpus) -> None:
    action = lambda place: save_corpus(passages, place / "new")  # noqa: E731

    def opens(folder: Path) -> None:
        stored = load_corpus(folder)
        assert stored.whole_texts == passages.whole_texts
        assert stored.documents.equals(passages.documents)

    assert make_new("saving passages", tmp_path / "w", action, opens) > 50


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


@pytest.mark.parametrize("ending", [".csv", ".parquet"])
def test_a_table_of_new_documents_is_the_older_one_or_complete(
    tmp_path: Path, trained: Path, ending: str
) -> None:
    old, table = b"of before", f"topics{ending}"
    lines = ["text", *("The orbit comet star guitar zebra" for _ in range(20))]

    def prepare(place: Path) -> None:
        (place / "new.csv").write_text("\n".join(lines))
        (place / table).write_bytes(old)

    def action(place: Path) -> None:
        words = ["apply", str(trained), str(place / "new.csv"), "--out", str(place / table)]
        apply_command.run(build_parser().parse_args([*words, "--force", "--json"]))

    (tmp_path / "whole").mkdir()
    prepare(tmp_path / "whole")
    action(tmp_path / "whole")
    new = (tmp_path / "whole" / table).read_bytes()
    assert len(new) > 500

    def check(place: Path, outcome: bool | None) -> None:
        found = (place / table).read_bytes()
        assert found in (old, new)
        if outcome is not None:
            assert found == (new if outcome else old)
        action(place)
        assert contents_shown(place) == {"new.csv": "\n".join(lines).encode(), table: new}

    # The many writes of Parquet are much alike.
    stride = STRIDE if ending == ".parquet" else min(STRIDE, FEW)
    assert at_every_operation("applying", tmp_path / "w", prepare, action, check, stride) >= 20


def contents_shown(folder: Path) -> dict[str, bytes]:
    """Files directly in a folder, without those that listings skip."""
    return {path.name: path.read_bytes() for path in folder.glob("[!.]*")}


A_VIEW = KeptView("k1", "query", (("q", "space"),), "Space", "A note")
STORY_CHANGES: dict[str, Callable[[Path], object]] = {
    "add": lambda place: add_story(place, "Second", "c", "r", (A_VIEW,)),
    "change": lambda place: change_story(
        place, "story-01", lambda story: replace(story, views=(A_VIEW, replace(A_VIEW, key="k2")))
    ),
    "remove": lambda place: remove_story(place, "story-01"),
    "restore": lambda place: restore_story(
        place, replace(read_stories(place)[0][0], name="story-07")
    ),
}


@pytest.mark.parametrize("change", STORY_CHANGES)
def test_a_story_is_changed_or_not(tmp_path: Path, change: str) -> None:
    action = STORY_CHANGES[change]

    def prepare(place: Path) -> None:
        add_story(place, "First", "c", "r", (A_VIEW,))

    for name in ("before", "after"):
        (tmp_path / name).mkdir()
        prepare(tmp_path / name)
    action(tmp_path / "after")
    before, after = (read_stories(tmp_path / name)[0] for name in ("before", "after"))
    assert before != after

    def check(place: Path, outcome: bool | None) -> None:
        found, problems = read_stories(place)
        assert problems == []
        assert found in (before, after)
        if outcome is not None:
            assert found == (after if outcome else before)
        if found == before:
            action(place)
        assert read_stories(place) == (after, [])

    assert at_every_operation("changing stories", tmp_path / "w", prepare, action, check) >= 10


def test_a_measured_stability_is_stored_and_leaves_no_training(
    tmp_path: Path, corpus_folder: Path, trained: Path
) -> None:
    """Every ninth operation with ORRERY_FAULTS_STRIDE=1, others for each kind."""

    def prepare(place: Path) -> None:
        shutil.copytree(corpus_folder, place / corpus_folder.name)
        shutil.copytree(trained, place / "r")

    def action(place: Path) -> None:
        measure_stability(place / "r", times=1, threads=1)

    def measured(place: Path) -> dict[str, Any]:
        found = measure_stability(place / "r", times=1, threads=1)
        return {name: getattr(found, name).tolist() for name in ("seeds", "correlation", "link")}

    whole = tmp_path / "whole"
    whole.mkdir()
    prepare(whole)
    wanted, model = measured(whole), contents(trained / "model")

    def check(place: Path, outcome: bool | None) -> None:
        if outcome:
            assert (place / "r" / "model" / FILE).is_file()
        if outcome is not None:
            load_run(place / "r")
        assert measured(place) == wanted
        assert not (place / "r" / FOLDER).exists()
        found = contents_shown(place / "r" / "model")
        del found[FILE]
        assert found == model

    what = "measuring stability"
    # The operations of the training are tested below.
    stride = STRIDE * FEW**2
    assert at_every_operation(what, tmp_path / "w", prepare, action, check, stride) > 100


class _Process:
    """Stands for a process that the app starts."""

    started: list[_Process]
    pid = 1

    def __init__(self, *_: object, **__: object) -> None:
        self.started.append(self)
        self.is_killed = False

    def kill(self) -> None:
        self.is_killed = True

    def wait(self) -> int:
        return 0


APP_JOBS: dict[str, Callable[[Path, Path], object]] = {
    "runs": lambda place, trained: jobs.start(place, place / "c", jobs.TrainChoice(), "new"),
    "applied": lambda place, trained: applied_texts.begin(place, trained, place / "new.csv"),
    "stabilities": lambda place, trained: stabilities.begin(place, trained),
}


@pytest.mark.parametrize("kind", APP_JOBS)
def test_what_the_app_starts_is_recorded_or_leaves_nothing(
    tmp_path: Path, trained: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[_Process] = []
    monkeypatch.setattr(_Process, "started", started, raising=False)
    monkeypatch.setattr(processes.subprocess, "Popen", _Process)

    def prepare(place: Path) -> None:
        started.clear()
        (place / "c").mkdir()

    def check(place: Path, outcome: bool | None) -> None:
        folders = [path for path in (place / kind).glob("[!.]*") if path.is_dir()]
        records = [path for path in folders if (path / "launch.json").is_file()]
        if outcome is not None:
            # A process that nobody can see or stop must not go on.
            assert len(records) == len(started) - sum(one.is_killed for one in started) == outcome
        if outcome is False and not is_for_good:
            assert folders == []
        # A killed app leaves at most a run that failed, which a person can delete.
        for job in jobs.list_jobs(place / "runs"):
            if not job.is_live:
                jobs.remove(job.folder)
        APP_JOBS[kind](place, trained)
        found = [path for path in (place / kind).glob("[!.]*") if path.is_dir()]
        assert found
        assert all((path / "launch.json").is_file() for path in found)

    is_for_good = False
    for fault in KINDS:
        # With a disk that refuses everything, nothing can be removed either.
        is_for_good = fault.endswith("for good")
        what, home = "starting from the app", tmp_path / "w"
        action = lambda place: APP_JOBS[kind](place, trained)  # noqa: E731
        found = at_every_operation(
            what, home, prepare, action, check, 1, (fault,), is_all_stored=False
        )
        assert found >= 5


# States from which a training was continued.
continued: set[str] = set()


@pytest.mark.parametrize("kind", KINDS)
def test_training_continues_to_the_same_bytes(
    tmp_path: Path, corpus_folder: Path, trained: Path, kind: str, monkeypatch
) -> None:
    """Every operation with ORRERY_FAULTS_STRIDE=1."""
    # A checkpoint after every fourth step has all of its operations, and more work is lost.
    turns = itertools.count(1)
    monkeypatch.setattr(CheckpointTimer, "is_due", lambda *_: next(turns) % 4 == 0)
    chosen, wanted = settings(corpus_folder), contents(trained / "model")
    folder = tmp_path / "r"
    operations = count(lambda: start_run(folder, chosen, Session()))
    for at in operations_to_fail(operations, kind, STRIDE):
        shutil.rmtree(folder, ignore_errors=True)
        outcome = attempt(lambda: start_run(folder, chosen, Session()), at, kind)
        TRIED[f"training × {kind}"] += 1
        if outcome is False and not kind.endswith("for good"):
            # Where nothing was trained, there is nothing to be continued.
            assert (folder / "start.npz").exists() or not folder.exists()
        state = state_of(folder)
        if state in continued:
            continue
        continued.add(state)
        try:
            resume_run(folder, Session())
        except InputError:
            # Before there were settings, nothing had been trained.
            assert not (folder / "start.npz").exists()
            start_run(folder, chosen, Session())
        assert contents(folder / "model") == wanted, (at, kind)
        assert unfinished(folder) == [], (at, kind)


def test_old_stale_files_are_swept_and_live_ones_are_not(tmp_path: Path) -> None:
    for name in ("old", "new"):
        (tmp_path / f".control.json.{name}.partial").write_bytes(b"half")
    past = NOW - STALE_SECONDS - 60
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
