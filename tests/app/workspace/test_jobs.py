"""Runs as processes: what is on disk is all there is."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import filelock
import pytest

from orrery.app.workspace import document_maps, evaluations, processes, runs, stabilities
from orrery.app.workspace.runs import TrainChoice
from orrery.core.storage.runs import read_command, run_lock
from orrery.core.utils import read_only
from orrery.core.utils.errors import InputError
from tests.app.fake_runs import write_run

PATIENCE = 20.0
# Stands in for ``python -m orrery``: takes the same arguments, reports the same way.
STUB = """
import json, sys, time
from pathlib import Path
from orrery.core.storage.runs import read_command, run_lock, write_status
folder = Path(sys.argv[sys.argv.index("--out") + 1])
with (folder / "arguments.jsonl").open("a") as file:
    file.write(json.dumps(sys.argv[1:]) + "\\n")
with run_lock(folder):
    (folder / "config.json").write_text(json.dumps({"version": 1, "corpus": sys.argv[2]}))
    write_status(folder, "running", "Training.", epochs=3, epoch=1.0)
    while (command := read_command(folder)) != "stop":
        if command == "pause":
            write_status(folder, "paused", "Paused.", epochs=3, epoch=1.0)
            while read_command(folder) == "pause":
                time.sleep(0.02)
            write_status(folder, "running", "Going on.", epochs=3, epoch=1.0)
        time.sleep(0.02)
    write_status(folder, "stopped", "Stopped.", epochs=3, epoch=1.0)
"""


@pytest.fixture
def stub(monkeypatch: pytest.MonkeyPatch, space: Path) -> Iterator[Path]:
    """Start the stub in place of the trainer; whatever still runs at the end is stopped."""
    script = space / "stub.py"
    script.write_text(STUB)
    monkeypatch.setattr(
        processes, "train_command", lambda given: [sys.executable, str(script), *given]
    )
    yield space
    for job in runs.list_jobs(space / "runs"):
        if job.is_live:
            runs.stop(job.folder)
            wait_for(job.folder, "stopped")


def start(space: Path, corpus: str, choice: TrainChoice) -> Path:
    """Start a run on a corpus that is there."""
    (space / corpus).mkdir(parents=True, exist_ok=True)
    return runs.start(space, space / corpus, choice)


def wait_for(folder: Path, state: str) -> runs.Job:
    """Look until the run is in a state."""
    until = time.monotonic() + PATIENCE
    while (job := runs.read_job(folder)).state != state:
        assert time.monotonic() < until, f"still {job.state}, not {state}: {job.status}"
        time.sleep(0.02)
    return job


def test_a_run_starts_pauses_continues_and_stops(stub: Path) -> None:
    folder = start(stub, "corpora/notes", TrainChoice(topics=(12, 3)))
    assert runs.read_job(folder).state in ("starting", "running")
    wait_for(folder, "running")
    runs.pause(folder)
    assert wait_for(folder, "paused").is_live
    runs.resume(folder)
    wait_for(folder, "running")
    runs.stop(folder)
    assert not wait_for(folder, "stopped").is_live


def test_the_command_line_states_what_was_chosen(stub: Path) -> None:
    choice = TrainChoice("agglomerative", (12, 3), "jensen", 7, 5)
    folder = start(stub, "corpora/notes", choice)
    wait_for(folder, "running")
    given = json.loads((folder / "arguments.jsonl").read_text())
    assert given[:2] == ["train", str(stub / "corpora" / "notes")]
    for option, value in (
        *(("--out", str(folder)), ("--method", "agglomerative"), ("--topics", "12,3")),
        *(("--bound", "jensen"), ("--epochs", "7"), ("--seed", "5")),
        ("--queue", str(stub / "queue")),
    ):
        assert given[given.index(option) + 1] == value


def test_the_process_is_in_a_session_of_its_own(stub: Path) -> None:
    job = wait_for(start(stub, "c", TrainChoice()), "running")
    assert os.getsid(job.status["pid"]) not in (os.getsid(0), 0)


def test_on_windows_it_has_a_console_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(subprocess, "CREATE_NO_WINDOW", 8, raising=False)
    monkeypatch.setattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 2, raising=False)
    assert processes._own_session() == {"creationflags": 10}


def test_what_it_prints_is_read_as_it_was_written(
    space: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = [sys.executable, "-c", "print('orrery: Größe fehlt')"]
    monkeypatch.setattr(processes, "train_command", lambda given: program)
    # The usual encoding of a Windows machine.
    monkeypatch.setenv("PYTHONIOENCODING", "cp1252")
    processes.launch(space, [], space)
    until = time.monotonic() + PATIENCE
    while not (shown_text := processes.last_words(space)) and time.monotonic() < until:
        time.sleep(0.02)
    assert shown_text == "Größe fehlt"


def test_a_process_may_write_where_others_only_view(
    space: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The person who starts it may change the workspace, so the process may too."""
    code = "import os; print(os.environ['ORRERY_READ_ONLY'])"
    monkeypatch.setattr(processes, "train_command", lambda given: [sys.executable, "-c", code])
    monkeypatch.setenv("ORRERY_READ_ONLY", "1")
    with pytest.raises(InputError):
        processes.launch(space, [], space)
    monkeypatch.setattr(read_only, "_exemptions", [lambda: True])
    processes.launch(space, [], space)
    until = time.monotonic() + PATIENCE
    while not processes.last_words(space) and time.monotonic() < until:
        time.sleep(0.02)
    assert processes.last_words(space) == "0"


def test_a_run_outlives_the_app_that_started_it(stub: Path) -> None:
    corpus = stub / "c"
    corpus.mkdir()
    program = (
        "import sys; from pathlib import Path; from orrery.app.workspace import processes, runs\n"
        f"command = [sys.executable, {str(stub / 'stub.py')!r}]\n"
        "processes.train_command = lambda given: [*command, *given]\n"
        f"print(runs.start(Path({str(stub)!r}), Path({str(corpus)!r}), runs.TrainChoice()))"
    )
    app = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    folder = Path(app.stdout.decode().strip())
    assert wait_for(folder, "running").is_live
    runs.stop(folder)
    wait_for(folder, "stopped")


def test_a_killed_run_is_interrupted_and_can_be_resumed_in_its_folder(stub: Path) -> None:
    folder = start(stub, "corpora/notes", TrainChoice())
    os.kill(wait_for(folder, "running").status["pid"], signal.SIGKILL)
    assert wait_for(folder, "interrupted").can_resume
    runs.resume(folder)
    wait_for(folder, "running")
    given = [json.loads(line) for line in (folder / "arguments.jsonl").read_text().splitlines()]
    assert len(given) == 2
    assert "--resume" in given[1]
    assert given[1][given[1].index("--out") + 1] == str(folder)
    assert "--method" not in given[1]


def test_resuming_twice_starts_one_process(stub: Path) -> None:
    folder = start(stub, "c", TrainChoice())
    os.kill(wait_for(folder, "running").status["pid"], signal.SIGKILL)
    wait_for(folder, "interrupted")
    runs.resume(folder)
    runs.resume(folder)
    wait_for(folder, "running")
    assert len((folder / "arguments.jsonl").read_text().splitlines()) == 2


def test_a_process_that_dies_at_once_leaves_its_last_words(
    space: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = "import sys; sys.exit('orrery: there is no corpus folder; import it first')"
    monkeypatch.setattr(processes, "train_command", lambda given: [sys.executable, "-c", script])
    job = wait_for(start(space, "gone", TrainChoice()), "failed")
    assert job.status["message"] == "there is no corpus folder; import it first"
    assert not job.can_resume


def test_runs_started_at_the_same_time_never_share_a_folder(
    space: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "launch", lambda *given: None)
    with ThreadPoolExecutor(8) as pool:
        folders = list(pool.map(lambda _: start(space, "my notes", TrainChoice()), range(24)))
    assert len(set(folders)) == 24
    assert {folder.name for folder in folders} == {f"my-notes-{n:02d}" for n in range(1, 25)}


def test_the_numbers_of_runs_started_at_the_same_time_are_all_kept(
    space: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = runs.write_json

    def slow(*arguments: Any) -> None:
        time.sleep(0.05)
        write(*arguments)

    monkeypatch.setattr(runs, "write_json", slow)
    stems = [f"corpus-{letter}" for letter in "abcdef"]

    def claim(stem: str) -> None:
        way = runs.whole_run if stem[-1] in "ace" else runs._claimed
        with way(space / "runs", stem) as folder:
            folder.mkdir(parents=True, exist_ok=True)

    with ThreadPoolExecutor(len(stems)) as several:
        list(several.map(claim, stems))
    assert json.loads((space / "runs" / runs.NUMBERS).read_text()).keys() == set(stems)


@pytest.mark.parametrize("moment", [10**400, -1, float("nan"), float("inf"), "yesterday", None])
def test_a_moment_that_is_none_does_not_hide_a_run(space: Path, moment: object) -> None:
    folder = space / "runs" / "r"
    folder.mkdir(parents=True)
    (folder / "launch.json").write_text(json.dumps({"started": moment, "pid": moment}))
    (folder / "status.json").write_text(json.dumps({"state": "finished", "updated": moment}))
    assert [job.state for job in runs.list_jobs(space / "runs")] == ["finished"]


@pytest.mark.parametrize("record", [None, "damaged", '{"notes": "x"}'])
def test_a_run_that_was_deleted_leaves_its_name_to_no_other(
    space: Path, monkeypatch: pytest.MonkeyPatch, record: str | None
) -> None:
    monkeypatch.setattr(processes, "launch", lambda *given: None)
    first = start(space, "notes", TrainChoice())
    if record is None:
        runs.remove(first)
    else:
        (first.parent / runs.NUMBERS).write_text(record)
    assert start(space, "notes", TrainChoice()).name == "notes-02"
    assert start(space, "others", TrainChoice()).name == "others-01"


def test_a_live_run_is_not_removed_and_the_work_on_its_model_goes_on(
    space: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopped: list[Path] = []
    for work in (document_maps, evaluations, stabilities):
        monkeypatch.setattr(work, "stop", lambda workspace, run, **_: stopped.append(run))
    folder = write_run(space / "runs" / "r", space / "c", "running")
    with run_lock(folder), pytest.raises(InputError, match="still going; stop it first"):
        runs.remove(folder)
    assert folder.is_dir()
    assert stopped == []
    runs.remove(folder)
    assert stopped == [folder] * 3


def test_nothing_begins_on_a_corpus_that_is_gone(space: Path) -> None:
    with pytest.raises(InputError, match="corpus notes is gone; it was deleted elsewhere"):
        runs.start(space, space / "notes", TrainChoice())
    assert runs.list_jobs(space / "runs") == []


def test_a_folder_that_another_click_took_is_left_to_it(
    space: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "launch", lambda *given: None)
    # As if the other folder were made after this one looked which names are free.
    monkeypatch.setattr(runs, "_number_of", lambda name, stem: 0)
    names = [start(space, "notes", TrainChoice()).name for _ in range(3)]
    assert names == ["notes-01", "notes-02", "notes-03"]


@pytest.mark.parametrize("state", ["finished", "stopped", "failed", "running"])
def test_a_run_without_a_process_is_removed_whole(space: Path, state: str) -> None:
    folder = write_run(space / "runs" / "r", space / "c", state)
    runs.remove(folder)
    assert list((space / "runs").iterdir()) == []


@pytest.mark.parametrize("act", [runs.pause, runs.stop, runs.resume, runs.remove])
def test_a_run_that_was_deleted_elsewhere_is_gone(space: Path, act: Callable[[Path], None]) -> None:
    with pytest.raises(InputError, match="run r is gone"):
        act(space / "runs" / "r")


def test_a_run_that_is_removed_while_runs_are_listed_is_not_listed(
    space: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("notes-01", "notes-02"):
        (write_run(space / "runs" / name, space / "notes", "finished") / "run.lock").touch()

    def remove_and_lock(folder: Path) -> filelock.BaseFileLock:
        lock = run_lock(folder)
        if folder.name == "notes-02":
            shutil.rmtree(folder)
        return lock

    monkeypatch.setattr("orrery.core.storage.runs.run_lock", remove_and_lock)
    assert [job.name for job in runs.list_jobs(space / "runs")] == ["notes-01"]


@pytest.mark.parametrize("send", [(runs.pause, "pause"), (runs.stop, "stop")])
def test_wishes_are_written_for_the_trainer(
    space: Path, send: tuple[Callable[[Path], None], str]
) -> None:
    folder = write_run(space / "runs" / "r", space / "c", "running")
    send[0](folder)
    assert read_command(folder) == send[1]


def test_a_finished_run_is_not_resumed(space: Path) -> None:
    folder = write_run(space / "runs" / "r", space / "c", "finished")
    with pytest.raises(InputError, match="nothing to resume from"):
        runs.resume(folder)


@pytest.mark.parametrize("name", ["status.json", "config.json", "launch.json", "metrics.jsonl"])
@pytest.mark.parametrize("content", [b"", b"{", b"[1]", b"\xff\x00", b'{"state": 3}'])
def test_a_damaged_run_is_listed_and_removable(space: Path, name: str, content: bytes) -> None:
    folder = write_run(space / "runs" / "r", space / "c", "stopped")
    (folder / name).write_bytes(content)
    (job,) = runs.list_jobs(space / "runs")
    assert job.state in ("stopped", "failed")
    runs.remove(folder)
    assert runs.list_jobs(space / "runs") == []


def test_runs_are_listed_by_corpus_and_hidden_folders_are_passed_over(space: Path) -> None:
    write_run(space / "runs" / "a-01", space / "a", "finished")
    write_run(space / "runs" / "b-01", space / "b", "finished")
    write_run(space / "runs" / ".b.partial", space / "b", "finished")
    assert [job.name for job in runs.runs_on(space, space / "a")] == ["a-01"]
    assert {job.name for job in runs.list_jobs(space / "runs")} == {"a-01", "b-01"}


def test_no_workspace_yet_is_no_run(tmp_path: Path) -> None:
    assert runs.list_jobs(tmp_path / "nothing") == []
