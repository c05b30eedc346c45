"""A corpus of three themes and runs on it that take a moment; shared by the tests of core."""

from __future__ import annotations

import functools
import multiprocessing
import os
import random
import shutil
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest import mock

import numpy as np
import pytest

from orrery.core.data.corpus import Corpus, build_corpus
from orrery.core.data.readers import read_documents
from orrery.core.data.recipe import Recipe
from orrery.core.runs.runner import start_run
from orrery.core.runs.settings import RunSettings, Session
from orrery.core.storage.atomic import write_npz
from orrery.core.storage.checkpoints import RUN
from orrery.core.storage.corpora import load_corpus, save_corpus
from orrery.core.storage.reading import read_npz
from orrery.core.storage.runs import read_config, read_status, settings_seal, write_config
from orrery.core.training.options import TrainingOptions

THEMES = {
    "space": "orbit rocket lunar shuttle planet comet star telescope",
    "music": "guitar drum melody chord bass song rhythm star",
    "kitchen": "recipe oven flour butter sugar bread pastry soup",
}
RECIPE = Recipe(min_df=2, max_df=1.0, phrases=False)
N_DOCUMENTS = 60
# How long to wait for another process, on a machine that has much else to do.
PATIENCE = 180.0


def write_source(folder: Path) -> Path:
    """A CSV file of short documents with the columns id, text and theme."""
    leak = random.Random(5)
    lines = ["id,text,theme"]
    for number in range(N_DOCUMENTS):
        theme = list(THEMES)[number % len(THEMES)]
        words = leak.sample(THEMES[theme].split(), 4)
        lines.append(f"d{number},The {' '.join(words)},{theme}")
    path = folder / "source.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


# Several folders of tests have these fixtures, each with a scope of its own; stored data are still
# made once per process.
@functools.cache
def stored_corpus(base: Path) -> Path:
    """A corpus in a folder of this session."""
    folder = base / "small-runs"
    folder.mkdir()
    corpus, report = build_corpus(read_documents(write_source(folder)), RECIPE)
    save_corpus(corpus, folder / "c", report)
    return folder / "c"


@functools.cache
def stored_run(base: Path) -> Path:
    """A run on this corpus that has trained to its end."""
    folder = stored_corpus(base).with_name("r")
    start_run(folder, settings(stored_corpus(base)), Session())
    return folder


@pytest.fixture(scope="session")
def corpus_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A stored corpus; not to be changed."""
    return stored_corpus(tmp_path_factory.getbasetemp())


@pytest.fixture(scope="session")
def corpus(corpus_folder: Path) -> Corpus:
    return load_corpus(corpus_folder)


@pytest.fixture(scope="session")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that has trained to its end; not to be changed."""
    return stored_run(tmp_path_factory.getbasetemp())


@pytest.fixture
def run_folder(trained: Path, tmp_path: Path) -> Iterator[Path]:
    """A copy of the trained run beside its corpus, to be damaged."""
    folder = trained.with_name(f"r-{tmp_path.name}")
    yield Path(shutil.copytree(trained, folder))
    shutil.rmtree(folder, ignore_errors=True)


def settings(corpus_folder: Path, **changes: Any) -> RunSettings:
    """Settings of a run of 3 epochs, each of 4 steps."""
    options = {"epochs": 3, "batch_size": 16, **changes}
    names = {"method", "graph_file", "topics", "edges", "learn_structure", "held_out"}
    names |= {"held_out_ids"}
    rest = {name: options.pop(name) for name in names & set(options)}
    return RunSettings(str(corpus_folder), TrainingOptions(**options), **{"topics": (4, 2), **rest})


def begin_otherwise(folder: Path, **changes: Any) -> None:
    """Let a run have begun with other settings than it did."""
    config = read_config(folder)
    write_config(folder, config["corpus"], config["settings"] | changes)
    write_npz(
        folder / "start.npz",
        read_npz(folder / "start.npz") | {RUN: np.array(settings_seal(folder))},
    )


def contents(folder: Path) -> dict[str, bytes]:
    """Every file below a folder."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def unfinished(folder: Path) -> list[str]:
    """Names of what an interrupted write leaves behind."""
    return [path.name for path in folder.rglob(".*")]


def wait_until(is_so: Callable[[], bool]) -> None:
    """Look again and again; fail when patience ends."""
    end = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.01)


def last_step(folder: Path) -> int:
    """Last step that a run has reported, 0 before the first."""
    if not (folder / "status.json").exists():
        return 0
    return int(read_status(folder).get("step", 0))


@contextmanager
def process_of(run: Callable[..., object], *arguments: object) -> Iterator[Any]:
    """A process of its own that runs a function of a test module and is gone at the end.

    It is forked from a server that has everything imported, which saves seconds each time.
    """
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(
        ["tests.core.small_runs", "orrery.core.runs.runner", "orrery.app.cli.progress"]
    )
    process = context.Process(target=run, args=arguments)
    # Streamlit's AppTest leaves a page as the main module, which the child would run again.
    with mock.patch.dict(sys.modules, {"__main__": ModuleType("__main__")}):
        process.start()
    try:
        yield process
    finally:
        process.kill()
        process.join()


def start_and_hang(folder: Path, chosen: RunSettings, step: int, queue: Path | None) -> None:
    """Start a run that stands still after some step, as in the middle of the next."""
    hang_after(step)
    start_run(folder, chosen, Session(queue=queue))


def hang_after(step: int) -> None:
    """Let this process stand still when that step of a training is done."""
    import orrery.core.runs.recorder

    after_step = orrery.core.runs.recorder.Recorder.after_step

    def after_step_and_hang(self: Any, state: Any, info: Any) -> None:
        after_step(self, state, info)
        while info.step >= step:
            time.sleep(60.0)

    orrery.core.runs.recorder.Recorder.after_step = after_step_and_hang  # type: ignore[method-assign]


def start_and_die(folder: Path, chosen: RunSettings, owner: str, name: str, calls: int) -> None:
    """Start a run whose process is killed when it calls a function for the nth time.

    ``owner`` is the module through which the function is called.
    """
    module = sys.modules[owner]
    function = getattr(module, name)
    left = calls

    def count_and_die(*given: Any, **named: Any) -> Any:
        nonlocal left
        left -= 1
        if not left:
            os.kill(os.getpid(), signal.SIGKILL)
        return function(*given, **named)

    setattr(module, name, count_and_die)
    write_after_every_step()
    start_run(folder, chosen, Session())


def write_after_every_step() -> None:
    """Write all results after every step in this process, for any clock."""
    import orrery.core.runs.recorder

    orrery.core.runs.recorder.SECONDS_BETWEEN_METRICS = -1.0
    orrery.core.runs.recorder.SECONDS_BETWEEN_CHECKPOINTS = -1.0
