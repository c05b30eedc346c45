"""A part is marked when the code that it ran has changed, and by nothing else."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks import __main__ as command
from tests.benchmarks import code_state, results
from tests.benchmarks.code_state import Origin, closure, code_of, merged, path_of, recorded
from tests.benchmarks.data import MissingData, UnknownName
from tests.benchmarks.page import OLDER, age, render_page, without_ages
from tests.benchmarks.part import Figures, Page, Part, Settings
from tests.benchmarks.parts import PAGES
from tests.benchmarks.results import RESULTS, Result, load_results, measure_sets, save_result

SOURCE = '''"""Docstring."""
# A comment.
ABOUT = "Text of the page."
SIZE = 3


def run(settings):
    """Docstring."""
    if settings:
        return f"# {SIZE}"  # a comment
    return ABOUT


def show(figures):
    return "shown"
'''
PLAIN = [("Docstring.", "Another.\n\n    Longer."), ("# A comment.\n", ""), ("# a comment", "#")]
PLAIN += [("SIZE = 3\n", "SIZE = 3\n\n\n")]
SHOWN = [("Text of the page.", "Other text"), ('return "shown"', 'return "other"')]
REAL = [("SIZE = 3", "SIZE = 4"), ("if settings:", "if not settings:"), ("# {SIZE}", "{SIZE}")]
REAL += [("    return ABOUT", "        return ABOUT")]


@pytest.mark.parametrize(
    ("edits", "is_part", "is_noticed"),
    [(PLAIN, False, False), (PLAIN, True, False), (SHOWN, True, False), (SHOWN, False, True),
     (REAL, True, True), (REAL, False, True)],
)  # fmt: skip
def test_what_counts_as_a_change(
    edits: list[tuple[str, str]], is_part: bool, is_noticed: bool
) -> None:
    before = code_of(SOURCE, is_part=is_part)
    for old, new in edits:
        assert old in SOURCE
        after = code_of(SOURCE.replace(old, new), is_part=is_part)
        assert (after != before) == is_noticed, old


def test_the_modules_of_a_part() -> None:
    found = closure("tests.benchmarks.parts.flat")
    expected = {"tests.benchmarks.parts.flat", "tests.benchmarks.web_scale", "orrery.core"}
    assert expected | {"orrery.core.kernels.activations", "orrery.core.training.e_step"} <= found
    assert "tests.benchmarks.parts.clicks" not in found
    assert not any(name.startswith("orrery.app.") for name in found)
    # Neither members of modules nor other packages.
    assert all(path_of(name).is_file() for name in found)
    for page in PAGES.values():
        for part in page.parts.values():
            assert part.run.__module__ in closure(part.run.__module__)


def test_processes_that_a_part_starts_are_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(path_of("orrery").parents[1]))
    with recorded("tests.benchmarks.machine", ("a",)) as origins:
        code = "import subprocess, sys; subprocess.run([sys.executable, *sys.argv[1:]])"
        inner = "import orrery.core.utils.parsing"
        subprocess.run([sys.executable, "-c", code, "-c", inner], check=True)
    [origin] = origins
    assert origin.sets == ("a",)
    assert {"orrery.core.utils.parsing", "tests.benchmarks.machine"} <= origin.modules.keys()
    assert "tests.benchmarks.page" not in origin.modules
    assert all(origin.modules.values())
    assert origin.changed() == []


def origin(*sets: str, date: str = "2026-01-01", **modules: str) -> Origin:
    return Origin(sets, "abc1234", date, modules or {"m": "1"})


def test_origins_of_parts_that_run_set_by_set() -> None:
    every = ["a", "b", "c"]
    old, new = origin(), origin("a", date="2026-02-02")
    assert merged([old], origin(m="2"), every) == (origin(m="2"),)
    assert merged([old], new, every) == (old, new)
    assert merged([old, origin("a"), origin("b", "c")], new, every) == (origin("b", "c"), new)
    assert merged([origin("a", "b")], new, every) == (origin("b"), new)
    both = origin("a", "b", "c", date="2026-02-02")
    assert merged([old, origin("a")], both, every) == (both,)


def result(*origins: Origin) -> Result:
    return Result("first", "command", 1.0, "cores", False, {"v": 1}, origins=origins)


@pytest.fixture
def page() -> Page:
    part = Part("first", "Title", 1, lambda _: {}, lambda figures: f"value {figures['v']}")
    return Page("some", "", "# Head", {"first": part})


def test_a_page_marks_what_is_older_than_the_code(
    page: Page, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(code_state, "digest_of", {"m": "1", "n": "2"}.get)
    for origins, reason in (
        ((), "was not recorded"),
        ((origin(m="1", n="2"),), ""),
        ((origin(m="1", n="3"),), "Changed since the figures, which are of 2026-01-01: `n`."),
        ((origin("a", gone="1"), origin("b")), "figures of a, which are of 2026-01-01: `gone`."),
        ((code_state.UNKNOWN, origin("b")), "The code that made the figures of the other sets"),
        (
            (origin("a", m="3"), origin("b", m="3")),
            "figures of a, b, which are of 2026-01-01: `m`.",
        ),
    ):
        made = result(*origins)
        shown = render_page(page, {"first": made})
        assert (OLDER in shown) == bool(reason) == bool(age(made))
        assert reason in shown
        assert OLDER not in without_ages(shown)
        assert ("commit abc1234 of 2026-01-01" in shown) == bool(origins)
        save_result(tmp_path, made)
        assert load_results(tmp_path) == {"first": made}
    # A quick result is a trial anyway.
    assert OLDER not in render_page(page, {"first": replace(result(), quick=True)})


def test_a_part_more_or_less_makes_no_figure_older() -> None:
    assert origin(**{code_state.PARTS: "of another list"}).changed() == []
    assert code_state.PARTS not in code_state.origin_of((), {code_state.PARTS}).modules
    assert origin(**{f"{code_state.PARTS}.density": "other"}).changed() != []


def test_stale_prints_the_parts_and_marks_them(
    page: Page, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "PAGES", {"some": page})
    monkeypatch.setattr(code_state, "digest_of", {"m": "1"}.get)
    save_result(tmp_path, result(origin(m="0")))
    command.mark_stale(tmp_path, tmp_path)
    assert capsys.readouterr().out.startswith("some first: Changed since")
    assert OLDER in (tmp_path / "SOME.md").read_text()
    save_result(tmp_path, result(origin(m="1")))
    command.mark_stale(tmp_path, tmp_path)
    assert capsys.readouterr().out == ""
    assert OLDER not in (tmp_path / "SOME.md").read_text()


def test_a_run_keeps_its_origin(page: Page, tmp_path: Path) -> None:
    part = replace(page.parts["first"], run=_run_of_a_part)
    made = command._run(part, Settings(), tmp_path)
    assert [one.sets for one in made.origins] == [()]
    assert age(made) == []
    save_result(tmp_path, replace(made, origins=()))
    again = command._run(part, Settings(sets=("a",)), tmp_path)
    assert again.origins[0] == code_state.UNKNOWN
    assert len(age(again)) == 1
    save_result(tmp_path, again)
    third = command._run(part, Settings(sets=("b",)), tmp_path)
    assert [one.sets for one in third.origins] == [("a",), ("b",)]
    assert age(third) == []


def _run_of_a_part(_: Settings) -> dict[str, object]:
    return {"v": 1, "rows": {"a": [], "b": []}}


def test_sets_are_measured_and_stored_one_by_one(
    page: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(results, "RESULTS", tmp_path)
    known = ("a:1", "a:2", "b", "gone")
    asked: list[str] = []
    value = {"a:1": 1, "a:2": 2, "b": 3}

    def measure(name: str) -> int:
        asked.append(name)
        if name == "gone":
            raise MissingData("it is not here")
        if value[name] < 0:
            raise KeyboardInterrupt
        return value[name]

    def run(settings: Settings) -> Figures:
        return measure_sets("first", known, ("b",), measure, settings, {"more": 5})

    run.__module__ = next(iter(page.parts.values())).run.__module__
    part = Part("first", "Title", 1, run, str)

    def stored(**chosen: Any) -> Result:
        result = command._run(
            part, Settings(**chosen), tmp_path, lambda result: save_result(tmp_path, result)
        )
        save_result(tmp_path, result)
        return load_results(tmp_path)["first"]

    assert stored().figures == {"rows": {"a:1": 1, "a:2": 2, "b": 3}, "more": 5}
    value = {"a:1": 4, "a:2": 5, "b": 6}
    again = stored(sets=("b", "a:1"))
    assert again.figures["rows"] == {"a:1": 4, "a:2": 2, "b": 6}
    assert [origin.sets for origin in again.origins] == [(), ("b", "a:1")]
    # A run that is cut leaves what it has measured, and only that counts as new.
    value = {"a:1": 7, "a:2": -1, "b": 8}
    with pytest.raises(KeyboardInterrupt):
        stored(sets=("a",))
    cut = load_results(tmp_path)["first"]
    assert cut.figures["rows"] == {"a:1": 7, "a:2": 2, "b": 6}
    assert [origin.sets for origin in cut.origins] == [(), ("b",), ("a:1",)]
    # So does a set that is left out, and a name of several sets stands for them, once.
    value = {"a:1": 7, "a:2": 9, "b": 8}
    asked.clear()
    again = stored(sets=("gone", "a:2", "a"))
    assert asked == ["gone", "a:2", "a:1"]
    assert again.figures["rows"] == {"a:1": 7, "a:2": 9, "b": 6}
    assert [origin.sets for origin in again.origins] == [("b",), ("a:2", "a:1")]
    assert [origin.sets for origin in stored().origins] == [()]
    assert measure_sets("first", known, ("b",), measure, Settings(quick=True)) == {"rows": {"b": 8}}
    with pytest.raises(UnknownName, match="no set c; choose among a:1, a:2, b"):
        stored(sets=("c",))
    with pytest.raises(MissingData, match="none of the sets gone"):
        stored(sets=("gone",))


def test_no_result_here_claims_more_than_it_knows() -> None:
    for name, made in load_results(RESULTS).items():
        assert all(one.modules and one.commit for one in made.origins if one.sets), name
