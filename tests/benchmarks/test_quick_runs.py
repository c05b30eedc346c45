"""Quick runs with two states of the code: what counts as equal, and what the page then says."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from tests.benchmarks import code_state, quick_runs
from tests.benchmarks.code_state import Origin
from tests.benchmarks.page import age
from tests.benchmarks.part import Figures
from tests.benchmarks.parts import PAGES
from tests.benchmarks.quick_runs import RunError, Trees, compare_older_parts, compared
from tests.benchmarks.results import Result, load_results, save_result

BEFORE: Figures = {"rows": {"a": [1.5, 2], "b": {"name": "x", "seconds": 3.1}}, "is_so": True}
NOW: Figures = {"rows": {"a": [1.5, 2], "b": {"name": "x", "seconds": 4.1}}, "is_so": True}
AGAIN: Figures = {"rows": {"a": [1.5, 2], "b": {"name": "x", "seconds": 5.1}}, "is_so": True}
START = PAGES["paper"].parts["figure2"].run.__module__


def test_what_moves_between_two_runs_of_the_same_code_is_not_compared() -> None:
    assert compared(BEFORE, NOW, AGAIN) == (2, [])
    assert compared(BEFORE, NOW, NOW) == (2, ["/rows/b/seconds was 3.1, is 4.1"])


@pytest.mark.parametrize(
    ("before", "different"),
    [
        ({**BEFORE, "rows": {**BEFORE["rows"], "a": [1.5, 3]}}, "/rows/a/1 was 3, is 2"),
        ({**BEFORE, "is_so": False}, "/is_so was False, is True"),
        ({**BEFORE, "rows": {**BEFORE["rows"], "a": [1.5]}}, "/rows/a/1 was None, is 2"),
        ({**BEFORE, "more": 7}, "/more was 7, is None"),
    ],
)
def test_another_value_or_one_that_is_absent_is_a_difference(
    before: Figures, different: str
) -> None:
    assert compared(before, NOW, AGAIN)[1] == [different]


def test_an_agreement_lasts_until_the_code_changes_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    digests = {"orrery.core": "1", "orrery.core.model": "2"}
    monkeypatch.setattr(code_state, "digest_of", lambda name: digests.get(name, ""))
    monkeypatch.setattr(code_state, "commit_of_code", lambda: ("later12", "2026-02-02"))
    monkeypatch.setattr(code_state, "closure", lambda start: set(digests))
    modules = {"orrery.core": "0", "orrery.core.data": "5"}
    origin = Origin((), "earlier", "2026-01-01", modules)
    assert origin.changed() == ["orrery.core", "orrery.core.data"]
    assert not origin.agrees()
    agreeing = origin.agreeing(START, 12)
    assert agreeing.agreed is not None
    # A changed module, a new one, and one that is gone.
    assert agreeing.agreed.modules == {**digests, "orrery.core.data": ""}
    assert agreeing.agrees()
    assert agreeing.changed() == origin.changed()
    made = Result("figure2", "command", 1.0, "cores", False, {}, origins=(agreeing,))
    said = "the same 12 figures, without times, with the code of earlier and of later12."
    assert said in " ".join(age(made))
    save_result(tmp_path, made)
    assert load_results(tmp_path) == {"figure2": made}
    for name in ("orrery.core", "orrery.core.model", "orrery.core.data"):
        monkeypatch.setitem(digests, name, "changed")
        assert not agreeing.agrees()
        assert said not in " ".join(age(made))
        monkeypatch.undo()
        monkeypatch.setattr(code_state, "digest_of", lambda name: digests.get(name, ""))
        assert agreeing.agrees()


def test_the_older_parts_are_compared_and_those_that_agree_are_noted(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    older = Origin((), "earlier", "2026-01-01", {"orrery.core": "0"})
    for name in ("figure2", "figure4", "figure5", "figure6", "clicks"):
        save_result(tmp_path, Result(name, "", 1.0, "", False, {}, origins=(older,)))
    figures = {"figure2": {"v": 1}, "figure4": {"v": 1}, "figure6": {}}
    monkeypatch.setattr(quick_runs, "RESULTS", tmp_path)
    for module in (quick_runs, code_state):
        monkeypatch.setattr(module, "commit_of_code", lambda: ("later12", "2026-02-02"))

    def run(trees: Trees, commit: str, page: str, name: str) -> Figures:
        if name == "figure5":
            raise RunError("no data")
        return {"v": 2} if (name, commit) == ("figure4", "later12") else figures[name]

    monkeypatch.setattr(Trees, "run", run)
    compare_older_parts()
    agreed = {name: made.origins[0].agreed for name, made in load_results(tmp_path).items()}
    assert [name for name, agreement in agreed.items() if agreement] == ["figure2"]
    # Compared once: another comparison with the same code runs nothing.
    figures.clear()
    compare_older_parts(("figure2",))


def test_uncommitted_code_is_not_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quick_runs, "commit_of_code", lambda: ("later12+", "2026-02-02"))
    with pytest.raises(SystemExit, match="commit all code first"):
        compare_older_parts()


def test_the_code_of_a_commit_is_run_in_a_checkout_of_its_own(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    source = "import pathlib, sys; pathlib.Path('ran').write_text(' '.join(sys.argv[1:]))"
    origin = tmp_path / "origin"
    package = origin / "tests" / "benchmarks"
    package.mkdir(parents=True)
    (package / "__main__.py").write_text(f"{source}\nraise SystemExit('it is broken')\n")
    git = ("git", "-C", str(origin), "-c", "user.name=a", "-c", "user.email=a@b")
    for command in (("init", "-q"), ("add", "."), ("commit", "-q", "-m", "one")):
        subprocess.run([*git, *command], check=True)
    monkeypatch.setattr(quick_runs, "ROOT", origin)
    trees = Trees(tmp_path / "trees")
    trees.folder.mkdir()
    with pytest.raises(RunError, match="HEAD failed: it is broken"):
        trees.run("HEAD", "paper", "figure2")
    assert (trees.of("HEAD") / "ran").read_text() == "paper --only figure2 --quick"
    assert not (origin / "ran").exists()


def test_one_origin_of_several_is_noted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    older = Origin(("a",), "earlier", "2026-01-01", {"orrery.core": "0"})
    other = replace(older, sets=("b",), commit="another")
    save_result(tmp_path, Result("figure2", "", 1.0, "", False, {}, origins=(older, other)))
    monkeypatch.setattr(quick_runs, "RESULTS", tmp_path)
    quick_runs._store("paper", "figure2", "another", 3)
    agreed = [origin.agreed for origin in load_results(tmp_path)["figure2"].origins]
    assert agreed[0] is None
    assert agreed[1] is not None
