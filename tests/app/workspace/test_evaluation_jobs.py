"""An evaluation is found again whatever happens to the process, and only for its own model."""

from __future__ import annotations

import json
import os
import shutil
import time
from pathlib import Path

import pytest

from orrery.app.workspace import evaluations as evaluation_jobs
from orrery.app.workspace import processes, runs
from orrery.app.workspace.evaluations import begin, known_figures, read_evaluation, read_evaluations
from orrery.core.utils.errors import InputError
from tests.app.fake_jobs import run_instead

FIGURES = {"documents": 80, "exact_bound": -93.0}


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return write_model(tmp_path / "runs" / "a-01", "abc123", {"documents": 5, "topics": 3})


def write_model(folder: Path, content: str, held_out: dict | None) -> Path:
    (folder / "model").mkdir(parents=True, exist_ok=True)
    described = {"model_hash": content, "summary": {"held_out": held_out}}
    (folder / "model" / "model.json").write_text(json.dumps(described))
    return folder


def wait(space: Path, run: Path, kind: str = "figures") -> evaluation_jobs.Evaluation:
    until = time.monotonic() + 180
    while (found := read_evaluation(space, run, kind)).state == "going":
        assert time.monotonic() < until
        time.sleep(0.02)
    return found


def test_nothing_was_evaluated_at_first(tmp_path: Path, run: Path) -> None:
    assert read_evaluation(tmp_path, run, "figures").state == "none"
    assert known_figures(run, "a", read_evaluations(tmp_path, run)).figures == {
        "documents": 5,
        "topics": 3,
    }


@pytest.mark.parametrize(
    ("kind", "options"), [("figures", []), ("labels", ["--classify", "--labels"])]
)
def test_what_the_process_prints_is_what_is_known(tmp_path, run, monkeypatch, kind, options):
    requested = run_instead(
        monkeypatch,
        f"import sys, time; time.sleep(1); print('a warning', file=sys.stderr);"
        f"print({json.dumps(FIGURES)!r})",
    )
    begin(tmp_path, run, kind)
    assert read_evaluation(tmp_path, run, kind).state == "going"
    begin(tmp_path, run, kind)
    assert requested == [["evaluate", str(run), "--json", *options]]
    assert wait(tmp_path, run, kind).figures == FIGURES
    known = known_figures(run, "a", read_evaluations(tmp_path, run))
    assert known.figures == {"topics": 3, **FIGURES}
    assert known.is_whole


@pytest.mark.parametrize("figure", ["", [1.0], {"a": 1}, True, 10**400])
def test_what_is_no_figure_is_not_known(tmp_path, monkeypatch, figure) -> None:
    run = write_model(tmp_path / "r", "abc123", {"topics": 3, "npmi": figure})
    assert known_figures(run, "a", read_evaluations(tmp_path, run)).figures == {"topics": 3}
    shown_text = {"npmi": figure, "diversity": 0.5, "rival": {"name": "LDA", "npmi": figure}}
    run_instead(monkeypatch, f"print({json.dumps(shown_text)!r})")
    begin(tmp_path, run, "rival")
    assert wait(tmp_path, run, "rival").state == "done"
    evaluations = read_evaluations(tmp_path, run)
    assert known_figures(run, "a", evaluations).figures == {"topics": 3, "diversity": 0.5}
    found = evaluation_jobs.known_baseline(evaluations)
    assert found is not None
    assert found.figures == {}


def test_it_is_known_how_far_a_evaluation_is(tmp_path, run, monkeypatch) -> None:
    run_instead(
        monkeypatch,
        "import time; from orrery.app.cli.progress import report_share;"
        "report_share('judged', 0.0); report_share('judged', 0.35); time.sleep(60)",
    )
    begin(tmp_path, run, "figures")
    while (found := read_evaluation(tmp_path, run, "figures")).share == 0.0:
        assert found.state == "going"
        time.sleep(0.02)
    assert found.share == 0.35
    (folder,) = (tmp_path / "evaluations").iterdir()
    processes.end(json.loads((folder / "launch.json").read_text()))
    found = read_evaluation(tmp_path, run, "figures")
    assert (found.state, found.message) == ("failed", "")


def test_a_baseline_is_another_model_with_the_same_controls(tmp_path, run, monkeypatch) -> None:
    assert evaluation_jobs.known_baseline(read_evaluations(tmp_path, run)) is None
    system = {"name": "LDA", "topics": 3, "npmi": 0.1, "accuracy": None}
    controls = {"completion_recall10_independent": 0.2}
    requested = run_instead(
        monkeypatch, f"print({json.dumps({**FIGURES, **controls, 'rival': system})!r})"
    )
    begin(tmp_path, run, "rival")
    assert wait(tmp_path, run, "rival").state == "done"
    assert requested[0][-1] == "--rival"
    assert known_figures(run, "a", read_evaluations(tmp_path, run)).figures == {
        "topics": 3,
        **FIGURES,
        **controls,
    }
    found = evaluation_jobs.known_baseline(read_evaluations(tmp_path, run))
    assert found is not None
    assert found.name == "LDA"
    assert found.figures == {"topics": 3, "npmi": 0.1, **controls}


def test_a_failure_gives_the_reason_and_can_be_tried_again(tmp_path, run, monkeypatch) -> None:
    run_instead(monkeypatch, "import sys; sys.exit('orrery: there is no document')")
    begin(tmp_path, run, "figures")
    found = wait(tmp_path, run)
    assert (found.state, found.message) == ("failed", "there is no document")
    run_instead(monkeypatch, f"print({json.dumps(FIGURES)!r})")
    begin(tmp_path, run, "figures")
    assert wait(tmp_path, run).state == "done"


def test_another_model_in_the_run_has_no_evaluation(tmp_path, run, monkeypatch) -> None:
    run_instead(monkeypatch, f"print({json.dumps(FIGURES)!r})")
    begin(tmp_path, run, "figures")
    wait(tmp_path, run)
    write_model(run, "def456", None)
    assert read_evaluation(tmp_path, run, "figures").state == "none"
    assert known_figures(run, "a", read_evaluations(tmp_path, run)).figures == {}


@pytest.mark.parametrize("pid", [None, "x", 2**22 + 7])
def test_a_process_that_is_gone_failed(tmp_path, run, monkeypatch, pid) -> None:
    run_instead(monkeypatch, "pass")
    begin(tmp_path, run, "figures")
    (folder,) = (tmp_path / "evaluations").iterdir()
    record = {"pid": pid, "started": time.time()}
    (folder / "launch.json").write_text(json.dumps(record))
    assert read_evaluation(tmp_path, run, "figures").state == "failed"


def test_a_stranger_that_got_the_number_of_the_process_is_not_it(tmp_path, run, monkeypatch):
    run_instead(monkeypatch, "pass")
    begin(tmp_path, run, "figures")
    (folder,) = (tmp_path / "evaluations").iterdir()
    record = {"pid": os.getpid(), "started": time.time() - 1e7}
    (folder / "launch.json").write_text(json.dumps(record))
    assert read_evaluation(tmp_path, run, "figures").state == "failed"


def test_a_evaluation_is_stopped_with_all_that_it_started_and_leaves_nothing(
    tmp_path, run, monkeypatch
) -> None:
    child = "import subprocess, sys, time; print(subprocess.Popen([sys.executable, '-c', "
    run_instead(
        monkeypatch, child + "'import time; time.sleep(60)']).pid, flush=True); time.sleep(60)"
    )
    begin(tmp_path, run, "figures")
    (folder,) = (tmp_path / "evaluations").iterdir()
    launch = json.loads((folder / "launch.json").read_text())
    while not (printed := processes.last_words(folder)):
        time.sleep(0.02)
    evaluation_jobs.stop(tmp_path, run)
    assert not processes.is_there(launch)
    assert not processes.is_there({**launch, "pid": int(printed)})
    assert read_evaluation(tmp_path, run, "figures").state == "none"
    evaluation_jobs.stop(tmp_path, run)


@pytest.mark.parametrize("is_own", [True, False])
def test_a_run_that_is_removed_ends_its_own_evaluations_only(
    tmp_path, run, monkeypatch, is_own
) -> None:
    copied = shutil.copytree(run, run.with_name("copy"))
    run_instead(monkeypatch, "import time; time.sleep(60)")
    for kind in evaluation_jobs.KINDS:
        begin(tmp_path, run, kind)
    removed, other = (run, copied) if is_own else (copied, run)
    runs.remove(removed)
    assert not removed.exists()
    states = {found.state for found in read_evaluations(tmp_path, other).values()}
    assert states == {"none" if is_own else "going"}
    # The page of the copy shows the same evaluations, and its button ends them.
    evaluation_jobs.stop(tmp_path, other)
    states = {found.state for found in read_evaluations(tmp_path, other).values()}
    assert states == {"none"}


@pytest.mark.parametrize("model", ["{}", "nonsense", '{"model_hash": "../.."}'])
def test_a_damaged_model_is_one_sentence(tmp_path: Path, run: Path, model: str) -> None:
    (run / "model" / "model.json").write_text(model)
    with pytest.raises(InputError, match="damaged"):
        begin(tmp_path, run, "figures")
    assert not (tmp_path / "evaluations").exists()
