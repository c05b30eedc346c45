"""New texts are applied by a process of its own, whose progress and result are read."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from orrery.app.cli.main import build_parser
from orrery.app.views.documents import strings
from orrery.app.workspace import applied_texts
from orrery.core.model.overlay import Overlay
from orrery.core.storage.overlay import write_overlay
from tests.app.fake_jobs import progress, run_instead
from tests.conftest import ROOT

RUN = ROOT / "sample_data" / "run"
SUMMARY = {
    "n_documents": 3, "n_marked": 1, "n_without_words": 1, "unexplained": 0.25, "error": 0.031,
    "is_compared": True, "unknown_words": [["zebra", 2]],
}  # fmt: skip


def finished(
    workspace: Path, source: Path, run: Path = RUN, text: Sequence[str] = ()
) -> applied_texts.Applying:
    until = time.monotonic() + 120.0
    while time.monotonic() < until:
        found = applied_texts.read_applying(workspace, run, source, text)
        if found.state != "going":
            return found
        time.sleep(0.05)
    raise AssertionError("the process did not end")


def test_a_result_is_read_when_it_is_complete(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "new.csv"
    table = applied_texts.table_of(tmp_path, RUN, source)
    assert applied_texts.read_applying(tmp_path, RUN, source).state == "none"
    program = f"""
print({progress("applied", 0.5)!r}, flush=True)
open("topics.csv", "w").write("document")
print({json.dumps(SUMMARY)!r})
"""
    requested = run_instead(monkeypatch, program)
    applied_texts.begin(tmp_path, RUN, source)
    assert requested[0][:5] == ["apply", str(RUN), str(source), "--out", str(table)]
    found = finished(tmp_path, source)
    assert (found.state, found.summary) == ("done", SUMMARY)
    other = applied_texts.read_applying(tmp_path, RUN, tmp_path / "other.csv")
    assert other.state == "none"


def test_a_result_belongs_to_its_text_columns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "new.csv"
    program = f"open('topics.csv', 'w').write('document'); print({json.dumps(SUMMARY)!r})"
    requested = run_instead(monkeypatch, program)
    choices = [
        (),
        ("a",),
        ("b",),
        ("a", "b"),
        ("b", "a"),
        ("a,b",),
        ("--force", "=a b"),
        ("a', 'b",),
    ]
    tables = {applied_texts.table_of(tmp_path, RUN, source, text) for text in choices}
    assert len(tables) == len(choices)
    for text in choices:
        assert applied_texts.read_applying(tmp_path, RUN, source, text).state == "none"
        applied_texts.begin(tmp_path, RUN, source, text)
        assert finished(tmp_path, source, text=text).state == "done"
        read = build_parser().parse_args(requested[-1])
        assert tuple(read.text_column or ()) == text
        assert read.out == applied_texts.table_of(tmp_path, RUN, source, text)


@pytest.mark.parametrize(
    "change",
    [
        Overlay(labels={"L1.1": "Engines"}),
        Overlay(hidden=frozenset(["L1.1"])),
        Overlay(merged={"L1.1": "L1.3"}),
    ],
)
def test_a_result_with_earlier_names_is_marked(
    own_run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: Overlay
) -> None:
    source = tmp_path / "new.csv"
    program = f"open('topics.csv', 'w').write('document'); print({json.dumps(SUMMARY)!r})"
    requested = run_instead(monkeypatch, program)
    applied_texts.begin(tmp_path, own_run, source)
    found = finished(tmp_path, source, own_run)
    assert (found.state, found.has_old_names) == ("done", False)
    write_overlay(own_run / "model", change)
    found = applied_texts.read_applying(tmp_path, own_run, source)
    assert (found.state, found.has_old_names) == ("done", True)
    applied_texts.begin(tmp_path, own_run, source)
    assert not finished(tmp_path, source, own_run).has_old_names
    # Notes are not in the table.
    for overlay, is_old in ((replace(change, notes={"L1.1": "a note"}), False), (Overlay(), True)):
        write_overlay(own_run / "model", overlay)
        found = applied_texts.read_applying(tmp_path, own_run, source)
        assert (found.state, found.has_old_names) == ("done", is_old)
    assert len(requested) == 2


def test_a_failure_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = tmp_path / "new.csv"
    run_instead(monkeypatch, "print('orrery: new.csv is empty')")
    applied_texts.begin(tmp_path, RUN, source)
    found = finished(tmp_path, source)
    assert (found.state, found.message) == ("failed", "new.csv is empty")


def test_the_summary_is_said_in_sentences() -> None:
    lines = strings.applied(SUMMARY)
    assert lines[0].startswith("**3 texts.** Topics explain 75% of their words.")
    assert lines[1] == (
        "1 resembles the training texts less than 99 % of these resemble each other; it is marked."
    )
    assert len(strings.applied({**SUMMARY, "n_marked": 0, "n_without_words": 0})) == 1
    assert "missing" in strings.applied({**SUMMARY, "is_compared": False})[1]
    assert "accurate" not in strings.applied({**SUMMARY, "n_checked": 0})[0]
