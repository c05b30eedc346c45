"""A comparison is found again whatever happens to its process, and its tables keep topics apart."""

from __future__ import annotations

import json
import time
from pathlib import Path

import numpy as np
import pytest

from orrery.app.evaluation import comparison_jobs
from orrery.app.evaluation.comparison_jobs import Comparing, begin, offered, read_comparing, stop
from orrery.app.evaluation.comparison_tables import comparison_table, topics_table
from orrery.app.words import systems as words
from orrery.core.corpus import Corpus
from orrery.core.rivals.registry import SYSTEMS
from tests.app.fake_jobs import run_instead
from tests.benchmarks.data import binary_corpus

FOUND = {"corpus": "a", "train": 9, "held_out": 1, "systems": [], "alike": []}
SYSTEM = dict.fromkeys([*words.COLUMNS, "measure"])


@pytest.fixture
def corpus() -> Corpus:
    return binary_corpus(np.eye(4))


def wait(space: Path, corpus: Corpus, share: float | None = None) -> Comparing:
    """How it stands when it is no longer going, or at this share."""
    until = time.monotonic() + 30
    while (found := read_comparing(space, corpus)).state == "going" and found.share != share:
        assert time.monotonic() < until
        time.sleep(0.02)
    return found


def test_what_the_process_prints_is_what_is_known(tmp_path, corpus, monkeypatch):
    lines = ["lda 100%", "hdp-amf 40%"]
    asked = run_instead(
        monkeypatch,
        f"import pathlib, time; print({chr(10).join(lines)!r})\n"
        "while not pathlib.Path('go').exists(): time.sleep(0.02)\n"
        f"print({json.dumps(FOUND)!r})",
    )
    assert read_comparing(tmp_path, corpus).state == "none"
    begin(tmp_path, tmp_path / "home", corpus, ["lda", "hdp-amf"], 7)
    begin(tmp_path, tmp_path / "home", corpus, ["lda"], 3)
    options = ["--systems", "lda,hdp-amf", "--topics", "7", "--json"]
    assert asked == [["compare", str(tmp_path / "home"), *options]]
    going = wait(tmp_path, corpus, 0.4)
    assert (going.system, going.share_of_all) == ("hdp-amf", pytest.approx(0.7))
    other = binary_corpus(np.eye(4)[[1, 0, 2, 3]])
    assert read_comparing(tmp_path, other).state == "none"
    next((tmp_path / "comparisons").iterdir()).joinpath("go").touch()
    done = wait(tmp_path, corpus)
    assert (done.state, done.figures, done.systems) == ("done", FOUND, ("lda", "hdp-amf"))


def test_a_failure_is_told_and_what_is_stopped_leaves_no_trace(tmp_path, corpus, monkeypatch):
    run_instead(monkeypatch, "import sys; sys.exit('orrery: there is no document')")
    begin(tmp_path, tmp_path, corpus, ["lda"], 2)
    assert wait(tmp_path, corpus).message == "there is no document"
    run_instead(monkeypatch, "import time; print('lda 10%', flush=True); time.sleep(60)")
    begin(tmp_path, tmp_path, corpus, ["lda"], 2)
    wait(tmp_path, corpus, 0.1)
    stop(tmp_path, corpus)
    assert read_comparing(tmp_path, corpus).state == "none"
    assert not list((tmp_path / "comparisons").iterdir())


def test_what_is_too_deep_to_be_read_is_no_result(tmp_path, corpus, monkeypatch):
    run_instead(monkeypatch, "print('[' * 200_000)")
    begin(tmp_path, tmp_path, corpus, ["lda"], 2)
    assert wait(tmp_path, corpus).state == "failed"


def test_only_systems_of_documents_that_are_installed_are_offered(monkeypatch):
    names = offered()
    assert next(iter(names)) == "orrery"
    assert {"acp", "lda"} <= names.keys()
    assert not {"hmm-amf", "ising-mf"} & names.keys()
    monkeypatch.setattr(comparison_jobs, "SYSTEMS", {"corex": SYSTEMS["corex"]})
    monkeypatch.setattr(type(SYSTEMS["corex"]), "is_installed", lambda system: False)
    assert list(offered()) == ["orrery"]


def test_topics_that_are_alike_stand_in_one_row():
    figures = {
        "systems": [
            {**SYSTEM, "title": "A", "held_out": -1234.567, "words": [["x", "y"], ["z"]]},
            {**SYSTEM, "title": "B", "held_out": -3.0, "topics": 3, "words": [["z"], ["q"], ["x"]]},
        ],
        "alike": [[0, 2], [1, 0], [None, 1]],
    }
    assert topics_table(figures).to_numpy().tolist() == [["x, y", "x"], ["z", "z"], ["", "q"]]
    table = comparison_table(figures)
    assert table.columns.tolist() == [words.SYSTEM, "unseen texts", "topics"]
    assert table.to_numpy().tolist() == [["A", "−1,234.57", "–"], ["B", "−3.00", "3"]]
