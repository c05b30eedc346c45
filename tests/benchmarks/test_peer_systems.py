"""Table of the other systems, and a fit in a process of its own."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from scipy import sparse

from tests.benchmarks import alone
from tests.benchmarks.alone import CommandTimeoutError
from tests.benchmarks.parts import peers
from tests.benchmarks.parts.peers import show, table_of

DONE = {"title": "fast", "settings": "2 passes", "fit": 4.0, "passes": 2, "seconds": 5.0}
DONE = {**DONE, "gigabytes": 0.25}
ABSENT = {"title": "absent", "settings": "", "missing": "gensim"}
LATE = {"title": "late", "settings": "", "limit": 1800.0}
FAILED = {"title": "broken", "settings": "", "error": "it is wrong"}


@pytest.fixture
def matrix(tmp_path):
    """Twenty documents of ten words."""
    place = tmp_path / "presence.npz"
    sparse.save_npz(
        place, sparse.csr_array((np.random.default_rng(0).random((20, 10)) < 0.4) * 1.0)
    )
    return place


def test_every_pass_counts_for_the_documents_a_second():
    assert "| fast | 2 passes | 4.0 | 2 | 500 | 5.0 | 0.25 |" in table_of([DONE], 1_000)


def test_what_is_absent_late_or_broken_has_dashes_and_a_note():
    figures = {"rows": {"some": [DONE, ABSENT, LATE, FAILED]}, "counts": {"some": [1_000, 10, 3]}}
    page = show(figures)
    assert "| absent |  | – | – | – | – | – |" in page
    assert "| late |  | – | – | – | more than 1,800 | – |" in page
    assert 'Not installed: gensim; `python -m pip install -e ".[peers]"` gets them.' in page
    assert "Failed: broken: it is wrong" in page
    assert "Not installed" not in show({**figures, "rows": {"some": [DONE]}})


def test_a_baseline_that_is_not_installed_is_not_started(monkeypatch, matrix):
    monkeypatch.setattr(peers.importlib.util, "find_spec", lambda package: None)
    monkeypatch.setattr(peers, "run_alone", lambda *command, limit: pytest.fail("it was started"))
    assert peers._measured("gensim", matrix, 2, 60.0)["missing"] == "gensim"


def test_a_baseline_that_takes_too_long_is_reported_with_its_limit(monkeypatch, matrix):
    def never(*command, limit):
        raise CommandTimeoutError("not done")

    monkeypatch.setattr(peers, "run_alone", never)
    assert peers._measured("sklearn", matrix, 2, 60.0)["limit"] == 60.0


def test_a_fit_reports_its_passes_and_loads_nothing_of_orrery(matrix):
    row = peers._measured("sklearn", matrix, 2, 300.0)
    assert row["passes"] == 10
    assert 0.0 < row["fit"] < row["seconds"]
    code = "import sys, tests.benchmarks.peer_systems; sys.exit('core' in sys.modules)"
    assert alone.run_alone(sys.executable, "-c", code).output == ""
