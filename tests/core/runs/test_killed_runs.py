"""A run that was killed at any moment and taken up again ends as one that was never killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from orrery.core.runs.runner import resume_run, start_run
from orrery.core.runs.settings import RunSettings, Session
from orrery.core.storage.checkpoints import load_checkpoint, load_start
from orrery.core.storage.reports import read_metrics
from orrery.core.storage.runs import load_run, read_status
from tests.core.small_runs import (
    contents,
    last_step,
    process_of,
    settings,
    start_and_die,
    start_and_hang,
    unfinished,
    wait_until,
    write_after_every_step,
)

CONDUCTOR, START = "orrery.core.runs.runner", "orrery.core.runs.start"
RECORDER = "orrery.core.runs.recorder"
# Every file of a run passes through os.fsync, and so does the folder that it is put in: 70 times in
# the runs below, from the settings to the last word of the status.
WRITES = range(4, 70, 13)


@pytest.fixture(scope="module")
def chosen(corpus_folder: Path) -> RunSettings:
    return settings(corpus_folder)


@pytest.fixture(scope="module")
def never_killed(chosen: RunSettings, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("whole") / "r"
    start_run(folder, chosen, Session())
    return folder


def kill_at(folder: Path, chosen: RunSettings, owner: str, name: str, calls: int) -> None:
    with process_of(start_and_die, folder, chosen, owner, name, calls) as process:
        process.join()
        assert process.exitcode == -signal.SIGKILL
    assert not (folder / "status.json").exists() or read_status(folder)["state"] == "interrupted"


def assert_ends_alike(folder: Path, never_killed: Path) -> None:
    result = resume_run(folder, Session())
    assert contents(folder / "model") == contents(never_killed / "model")
    assert result["epochs"] == 3.0
    assert read_status(folder)["state"] == "finished"
    assert unfinished(folder) == []
    metrics = read_metrics(folder)
    assert metrics["step"].is_monotonic_increasing
    assert metrics["step"].is_unique
    assert metrics["held_out_bound"].count() == 3
    assert metrics["held_out_bound"].dropna().tolist() == pytest.approx(
        read_metrics(never_killed)["held_out_bound"].dropna().tolist(), rel=0, abs=0
    )


@pytest.mark.parametrize(
    ("owner", "name", "calls"),
    [
        (CONDUCTOR, "load_corpus", 1),
        (START, "propose", 1),
        (START, "save_start", 1),
        (CONDUCTOR, "load_checkpoint", 1),
        (CONDUCTOR, "read_command", 4),
        (RECORDER, "save_checkpoint", 1),
        # After the last step, unless a second has passed before.
        (RECORDER, "save_checkpoint", 2),
        (CONDUCTOR, "evaluate", 1),
        (CONDUCTOR, "replace_model", 1),
    ],
)
def test_killed_at_a_known_moment(
    tmp_path: Path, chosen: RunSettings, never_killed: Path, owner: str, name: str, calls: int
) -> None:
    kill_at(tmp_path / "r", chosen, owner, name, calls)
    assert_ends_alike(tmp_path / "r", never_killed)


@pytest.mark.parametrize("calls", WRITES)
def test_killed_amid_some_write(
    tmp_path: Path, chosen: RunSettings, never_killed: Path, calls: int
) -> None:
    kill_at(tmp_path / "r", chosen, "os", "fsync", calls)
    assert_ends_alike(tmp_path / "r", never_killed)


def test_killed_before_the_settings_are_written_it_can_be_started_anew(
    tmp_path: Path, chosen: RunSettings, never_killed: Path
) -> None:
    kill_at(tmp_path / "r", chosen, "os", "fsync", 1)
    assert unfinished(tmp_path / "r")
    start_run(tmp_path / "r", chosen, Session())
    assert contents(tmp_path / "r" / "model") == contents(never_killed / "model")
    assert unfinished(tmp_path / "r") == []


def test_killed_between_the_old_model_and_the_new(
    tmp_path: Path, chosen: RunSettings, never_killed: Path
) -> None:
    start_run(tmp_path / "r", chosen, Session(time_budget=1e-9))
    with process_of(resume_and_die_between_models, tmp_path / "r") as process:
        process.join()
        assert process.exitcode == -signal.SIGKILL
    assert not (tmp_path / "r" / "model").exists()
    assert_ends_alike(tmp_path / "r", never_killed)


def resume_and_die_between_models(folder: Path) -> None:
    rename = Path.rename

    def rename_and_die(self: Path, target: Path) -> Path:
        rename(self, target)
        if self.name == "model":
            os.kill(os.getpid(), signal.SIGKILL)
        return target

    Path.rename = rename_and_die  # type: ignore[method-assign]
    resume_run(folder, Session())


@pytest.fixture(scope="module")
def learning(corpus_folder: Path) -> RunSettings:
    """A run that prunes a complete graph during a Gibbs start of three steps."""
    return settings(
        corpus_folder, learn_structure=True, method="complete", edges=40, start="gibbs",
        start_epochs=25, epochs=2,
    )  # fmt: skip


@pytest.fixture(scope="module")
def learned(learning: RunSettings, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("learned") / "r"
    start_run(folder, learning, Session())
    return folder


# The runner looks for commands twice a step: in the second and third of the start, and beyond.
@pytest.mark.parametrize("calls", [3, 5, 8])
def test_a_run_killed_while_it_learns_its_structure(
    tmp_path: Path, learning: RunSettings, learned: Path, calls: int
) -> None:
    kill_at(tmp_path / "r", learning, CONDUCTOR, "read_command", calls)
    resume_run(tmp_path / "r", Session())
    assert contents(tmp_path / "r" / "model") == contents(learned / "model")
    assert load_run(tmp_path / "r").network.graph.n_edges <= 40


def test_it_continues_from_the_last_checkpoint_and_loses_no_more(
    tmp_path: Path, chosen: RunSettings, corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    # It is read twice before the first step and after every one.
    kill_at(tmp_path / "r", chosen, CONDUCTOR, "read_command", 2 * (1 + 7))
    graph, _ = load_start(tmp_path / "r", corpus)
    found = load_checkpoint(tmp_path / "r", graph)
    assert found is not None
    assert found[0].step == 7
    measured = []
    resume_run(tmp_path / "r", Session(report=lambda figures: measured.append(figures.get("step"))))
    assert min(step for step in measured if step is not None) > 7


def test_killed_twice(tmp_path: Path, chosen: RunSettings, never_killed: Path) -> None:
    kill_at(tmp_path / "r", chosen, CONDUCTOR, "read_command", 5)
    with process_of(resume_and_die, tmp_path / "r", 5) as process:
        process.join()
        assert process.exitcode == -signal.SIGKILL
    assert_ends_alike(tmp_path / "r", never_killed)


def resume_and_die(folder: Path, calls: int) -> None:
    import orrery.core.runs.runner as runner

    read_command = runner.read_command
    left = calls

    def count_and_die(place: Path) -> str:
        nonlocal left
        left -= 1
        if not left:
            os.kill(os.getpid(), signal.SIGKILL)
        return read_command(place)

    runner.read_command = count_and_die
    write_after_every_step()
    resume_run(folder, Session())


COMMAND_THAT_HANGS = """
import sys
sys.path.insert(0, sys.argv.pop(1))
from tests.core.small_runs import hang_after
from orrery.app.cli.main import main
hang_after(5)
sys.exit(main(sys.argv[1:]))
"""


def test_the_command_killed_in_the_middle_and_resumed(
    tmp_path: Path, corpus_folder: Path, never_killed: Path
) -> None:
    options = ["--topics", "4,2", "--epochs", "3", "--batch-size", "16"]
    arguments = ["train", str(corpus_folder), "--out", str(tmp_path / "r")]
    here = str(Path(__file__).parents[3])
    command = [sys.executable, "-c", COMMAND_THAT_HANGS, here, *arguments, *options]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_until(lambda: last_step(tmp_path / "r") >= 4 or process.poll() is not None)
        assert read_status(tmp_path / "r")["alive"]
        assert read_status(tmp_path / "r")["state"] == "running"
    finally:
        process.kill()
        process.wait()
    status = read_status(tmp_path / "r")
    assert (status["state"], status["alive"]) == ("interrupted", False)
    command = [sys.executable, "-m", "orrery", *arguments, "--resume", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert contents(tmp_path / "r" / "model") == contents(never_killed / "model")


def test_a_killed_run_has_no_model_yet(tmp_path: Path, chosen: RunSettings) -> None:
    from orrery.core.utils.errors import InputError

    with process_of(start_and_hang, tmp_path / "r", chosen, 5, None):
        wait_until(lambda: last_step(tmp_path / "r") >= 4)
    with pytest.raises(InputError, match="has no model yet"):
        load_run(tmp_path / "r")
