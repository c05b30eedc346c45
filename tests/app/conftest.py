"""A workspace in a temporary folder, with a corpus and runs that no trainer ever touched."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

from orrery.app.workspace import catalog
from orrery.core.data.columns import normal_table
from orrery.core.data.corpus import build_corpus
from orrery.core.data.raw import RawDocuments
from orrery.core.data.recipe import Recipe
from orrery.core.storage.corpora import save_corpus
from tests.conftest import ROOT

SAMPLE = ROOT / "sample_data"

TEXTS = [
    "the shuttle reached orbit and the star was bright",
    "a star and a planet share one orbit",
    "the program filled the memory of the server",
    "memory and server wait for the program",
    "the concert program had one star",
    "a planet seen from the shuttle",
] * 4


@pytest.fixture(scope="session", autouse=True)
def pages_are_compiled(compiled: None) -> None:
    """Compile what pages ask for before their clocks begin, as the app does in the background."""


@pytest.fixture
def space(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty workspace that the app is pointed at."""
    folder = tmp_path / "workspace"
    folder.mkdir()
    monkeypatch.setenv("ORRERY_WORKSPACE", str(folder))
    monkeypatch.delenv("ORRERY_DEMO", raising=False)
    return folder


@pytest.fixture
def demo(space: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Point the app at the sample, with an empty workspace beside it."""
    monkeypatch.setenv("ORRERY_DEMO", "1")
    return space


@pytest.fixture
def own_run(space: Path) -> Path:
    """Return the sample as a run of one's own, on a copy of its corpus."""
    shutil.copytree(SAMPLE / "corpus", space / "corpora" / "c")
    run = space / "runs" / "r"
    shutil.copytree(SAMPLE / "run", run)
    config = json.loads((run / "config.json").read_text())
    (run / "config.json").write_text(json.dumps(config | {"corpus": "../../corpora/c"}))
    return run


@pytest.fixture
def own_model(own_run: Path) -> Path:
    """Return the model folder of the sample as a run of one's own."""
    return own_run / "model"


@pytest.fixture
def make_corpus(space: Path) -> Callable[[str], Path]:
    """Return a function that puts a small corpus of a name into the workspace."""

    def make(name: str) -> Path:
        table = pd.DataFrame({"text": TEXTS, "label": None})
        table["id"] = [f"d{row}" for row in range(len(TEXTS))]
        corpus, report = build_corpus(RawDocuments(normal_table(table)), Recipe(min_df=2))
        folder = catalog.workspace() / "corpora" / name
        save_corpus(corpus, folder, report)
        return folder

    return make
