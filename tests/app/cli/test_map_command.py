"""``orrery map``: the map is kept with the run, and mistakes are one line."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import numpy as np
import pytest

from orrery.core.document_map.files import FILE, Origin, load_map
from orrery.core.storage.corpora import corpus_fingerprint, load_corpus
from orrery.core.storage.stability import read_model_hash
from tests.conftest import ROOT

SAMPLE = ROOT / "sample_data"


@pytest.fixture
def run_folder(tmp_path: Path) -> Path:
    """Return a copy of the sample's run, which has a model already, on a copy of its corpus."""
    for part in ("corpus", "run"):
        shutil.copytree(SAMPLE / part, tmp_path / "sample" / part)
    (tmp_path / "sample" / "run" / "model" / FILE).unlink()
    return tmp_path / "sample" / "run"


def test_the_map_is_kept_with_the_run(orrery, run_folder: Path) -> None:
    done = orrery("map", run_folder, "--json")
    assert done.code == 0, done.err
    reported = json.loads(done.out)
    corpus = load_corpus(run_folder.parent / "corpus")
    assert reported["documents"] == corpus.n_documents
    shares = [int(share) for share in re.findall(r"mapped (\d+)%", done.err)]
    assert shares == sorted(shares)
    assert shares[-1] == 100
    model = run_folder / "model"
    found = load_map(model, Origin(read_model_hash(model), corpus_fingerprint(corpus)))
    assert found is not None
    assert np.isfinite(found.place).all(axis=1).sum() == reported["placed"]
    once = (model / FILE).read_bytes()
    assert orrery("map", run_folder).code == 0
    assert (model / FILE).read_bytes() == once
    assert orrery("map", run_folder, "--seed", 1).code == 0
    assert (model / FILE).read_bytes() != once


def test_what_cannot_be_mapped_is_refused(refused, run_folder: Path, tmp_path: Path) -> None:
    assert "not a run folder" in refused("map", run_folder.parent / "corpus")
    # The corpus is named from the run's own place.
    moved = tmp_path / "far" / "away"
    shutil.copytree(run_folder, moved)
    assert "no corpus folder" in refused("map", moved)
    assert not (moved / "model" / FILE).exists()


def test_an_adopted_model_has_no_documents(orrery, refused, tmp_path: Path) -> None:
    graph = tmp_path / "graph.csv"
    graph.write_text("parent,child,weight\nflu,fever,1\nflu,cough,1\n", "utf-8")
    assert orrery("adopt", graph, "--out", tmp_path / "run").code == 0
    assert "has no documents" in refused("map", tmp_path / "run")
