"""Two visitors at the same runs: nothing is lost, and both get a message, whatever they press."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from filelock import BaseFileLock, Timeout
from streamlit.testing.v1 import AppTest

from orrery.app.shared import strings as shared_strings
from orrery.app.shell import strings as shell_strings
from orrery.app.workspace import processes, runs
from orrery.core.storage.overlay import change_overlay, read_overlay, undo_change
from orrery.core.storage.runs import read_command, run_lock, write_status
from orrery.core.utils.errors import InputError
from tests.app.fake_runs import write_run
from tests.app.pages import whole_app
from tests.conftest import ROOT
from tests.tried import TRIED

SAMPLE = ROOT / "sample_data"
# The slow part takes hundreds.
ENCOUNTERS = int(os.environ.get("ORRERY_ENCOUNTERS", "3"))
PRESSES = 8
PAGES = ("train", "home")
# Buttons that do something to what others see too, by the beginnings of their keys.
ACTING = ("train-", "sure-", "stop-")
LEADING = ("train-to-query", "train-one", "train-two")
REMOVING = ("sure-run-", f"train-{shared_strings.REMOVE_SURE}")
REQUESTED_OF = {"pause": "paused", "run": "running"}


class Trainers:
    """Effects of training processes on the folders of their runs, simulated at once."""

    def __init__(self) -> None:
        self._locks: dict[Path, BaseFileLock] = {}

    def launch(self, folder: Path, arguments: list[str], corpus: Path) -> None:
        """Begin, or go on, unless another process works on the run."""
        lock = run_lock(folder)
        try:
            lock.acquire(timeout=0)
        except Timeout:
            return
        self._locks[folder] = lock
        settings = {"training": {"epochs": 10}}
        config = {"version": 1, "corpus": str(corpus), "settings": settings}
        (folder / "config.json").write_text(json.dumps(config))
        write_status(folder, "running", "")

    def look(self) -> None:
        """Do what is asked of each."""
        for folder, lock in list(self._locks.items()):
            command = read_command(folder)
            write_status(folder, REQUESTED_OF.get(command, "stopped"), "")
            if command == "stop":
                lock.release()
                del self._locks[folder]

    def release(self) -> None:
        """Let go of all runs."""
        for lock in self._locks.values():
            lock.release()


def visit(page: str, **address: str) -> AppTest:
    """Open a page of the whole app in a browser of one's own."""
    return drawn(whole_app(page, address))


def drawn(app: AppTest) -> AppTest:
    """Run a page to its end; it shows no traceback, and reports in sentences."""
    app.run()
    assert [error.message for error in app.exception] == []
    for shown_text in reported(app):
        assert "\n" not in shown_text.strip()
        assert "Errno" not in shown_text
    return app


def reported(app: AppTest) -> list[str]:
    return [element.value for element in (*app.error, *app.warning)]


def offered(app: AppTest) -> list[str]:
    keys = [button.key or "" for button in app.button if not button.disabled]
    return [key for key in keys if key.startswith(ACTING) and not key.startswith(LEADING)]


def runs_of(space: Path) -> dict[str, runs.Job]:
    return {job.name: job for job in runs.list_jobs(space / "runs")}


@pytest.mark.parametrize("number", range(ENCOUNTERS))
def test_two_visitors_press_what_they_see(
    space: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    for corpus in ("one", "two"):
        shutil.copytree(SAMPLE / "corpus", space / "corpora" / corpus)
        for state in ("finished", "stopped"):
            write_run(space / "runs" / f"{corpus}-{state}", space / "corpora" / corpus, state)
    leak, trainers = Random(number), Trainers()
    monkeypatch.setattr(processes, "launch", trainers.launch)
    try:
        screens = [visit(page, corpus="one") for page in PAGES for _ in range(2)]
        for _ in range(PRESSES):
            screen = leak.choice([screen for screen in screens if offered(screen)])
            press_and_check(space, screen, leak.choice(sorted(offered(screen))))
            trainers.look()
            TRIED["presses of two visitors at the same runs"] += 1
    finally:
        trainers.release()


def press_and_check(space: Path, screen: AppTest, key: str) -> None:
    """Press a button as it was drawn, whatever happened since; its effect equals its report."""
    before, corpora = runs_of(space), set(os.listdir(space / "corpora"))
    shown, corpus = shown_run(screen), seen_corpus(screen)
    screen.button(key=key).click()
    drawn(screen)
    after, left = runs_of(space), set(os.listdir(space / "corpora"))
    gone, new = before.keys() - after.keys(), after.keys() - before.keys()
    removed = key.removeprefix("sure-run-") if key.startswith("sure-run-") else shown
    if gone:
        assert gone == {removed}
        assert key.startswith(REMOVING)
        assert not before[removed].is_live
    for name in {path for path in corpora - left if path[0] != "."}:
        assert key == f"sure-corpus-{name}"
        assert not any(job.is_live for job in before.values() if job.corpus.name == name)
    for name in new:
        assert key == "train-start"
        assert after[name].corpus == space / "corpora" / corpus
    assert len(new) == (key == "train-start" and corpus in left) or reported(screen)
    if key.startswith(REMOVING):
        assert removed in gone or removed not in before or reported(screen)
    for job in after.values():
        assert job.state in runs.LIVE_STATES | runs.ENDED_STATES
        assert job.settings


def shown_run(screen: AppTest) -> str:
    """Run that the Train page shows, if that is what it is."""
    return next((box.value for box in screen.selectbox if box.label == shared_strings.SHOW), "")


def seen_corpus(screen: AppTest) -> str | None:
    """Corpus named in the sidebar, for any URL; None without one."""
    return next(box.value for box in screen.selectbox if box.key == "sidebar-corpus")


def test_a_click_on_a_model_that_is_gone_changes_no_other(space: Path) -> None:
    shutil.copytree(SAMPLE / "corpus", space / "corpora" / "c")
    for name in ("gone", "other"):
        run = space / "runs" / name
        shutil.copytree(SAMPLE / "run", run)
        config = json.loads((run / "config.json").read_text())
        (run / "config.json").write_text(json.dumps(config | {"corpus": "../../corpora/c"}))
    before = read_overlay(run / "model")
    address = {"corpus": "c", "run": "gone", "topic": "L1.1", "card": "L1.1"}
    screens = [visit("graph", **address)]
    keys = [button.key or "" for button in screens[0].button]
    acting = [key for key in keys if key.startswith(("hide-topic", "train-on", "split-topic"))]
    assert len(acting) == 3
    screens += [visit("graph", **address) for _ in acting[1:]]
    shutil.rmtree(space / "runs" / "gone")
    for screen, key in zip(screens, acting, strict=True):
        screen.button(key=key).click()
        drawn(screen)
        assert reported(screen) == [shell_strings.not_here("run", "gone", "other")]
    assert read_overlay(run / "model") == before
    assert os.listdir(space / "runs") == ["other"]


@pytest.mark.parametrize("act", [lambda place: change_overlay(place, lambda now: now),
                                 lambda place: undo_change(place, 1)])  # fmt: skip
def test_to_change_a_model_that_is_gone_makes_nothing(
    tmp_path: Path, act: Callable[[Path], object]
) -> None:
    with pytest.raises(InputError, match="model gone is gone; it was deleted elsewhere"):
        act(tmp_path / "gone" / "model")
    assert list(tmp_path.iterdir()) == []
