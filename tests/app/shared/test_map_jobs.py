"""A map is made by a process of its own, which can be watched and stopped."""

from __future__ import annotations

import json
import shutil
import time
from pathlib import Path

import pytest

from orrery.app.workspace import document_maps
from orrery.core.document_map.files import FILE
from orrery.core.storage.corpora import load_corpus
from tests.app.fake_jobs import progress
from tests.conftest import ROOT

SAMPLE = ROOT / "sample_data"
PATIENCE = 240.0


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """Return a copy of the sample's run, without its map."""
    shutil.copytree(SAMPLE / "corpus", tmp_path / "corpus")
    shutil.copytree(SAMPLE / "run", tmp_path / "run")
    (tmp_path / "run" / "model" / FILE).unlink()
    return tmp_path / "run"


def test_it_is_made_and_fits(run: Path, tmp_path: Path) -> None:
    corpus = load_corpus(tmp_path / "corpus")
    assert document_maps.map_of(run, corpus) is None
    assert document_maps.read_making(tmp_path, run).state == "none"
    document_maps.begin(tmp_path, run)
    until = time.monotonic() + PATIENCE
    while document_maps.read_making(tmp_path, run).state == "going" and time.monotonic() < until:
        time.sleep(0.2)
    assert document_maps.read_making(tmp_path, run).state == "done"
    console = document_maps._folder(tmp_path, run) / "console.txt"
    *shares, result = map(json.loads, console.read_text("utf-8").splitlines())
    assert [share["progress"] for share in shares] == sorted(share["progress"] for share in shares)
    assert shares[-1] == {"part": "mapped", "progress": 1.0}
    assert result["documents"] == 800
    found = document_maps.map_of(run, corpus)
    assert found is not None
    assert len(found.place) == 800
    # The sample comes with its map, perhaps by another processor, whose last digits differ.
    shipped = document_maps.map_of(SAMPLE / "run", load_corpus(SAMPLE / "corpus"))
    assert shipped is not None
    assert (found.topic == shipped.topic).mean() > 0.99


def test_a_copy_of_the_run_has_a_process_of_its_own(run: Path, tmp_path: Path) -> None:
    copied = shutil.copytree(run, tmp_path / "copy")
    folder = document_maps._folder(tmp_path, run)
    folder.mkdir(parents=True)
    (folder / "launch.json").write_text(json.dumps({"pid": 0, "started": 0.0}))
    (folder / "console.txt").write_text(progress("mapped", 0.12))
    assert document_maps.read_making(tmp_path, run).state == "failed"
    assert document_maps.read_making(tmp_path, copied).state == "none"


@pytest.mark.parametrize(
    ("console", "state", "share"),
    [
        ("", "failed", 0.0),
        (progress("mapped", 0.12) + progress("mapped", 0.34), "failed", 0.0),
        (progress("mapped", 0.99) + "orrery: the disk is full\n", "failed", 0.0),
        (progress("mapped", 1.0) + '{"documents": 3}\n', "done", 0.0),
    ],
)
def test_what_a_process_printed_last_shows_how_it_ended(
    run, tmp_path, console, state, share
) -> None:
    folder = document_maps._folder(tmp_path, run)
    folder.mkdir(parents=True)
    (folder / "launch.json").write_text(json.dumps({"pid": 0, "started": 0.0}))
    (folder / "console.txt").write_text(console)
    making = document_maps.read_making(tmp_path, run)
    assert (making.state, making.share) == (state, share)
    assert making.message == ("the disk is full" if "disk" in console else "")
