"""Progress is lines where there is no terminal and a bar where there is one, never on stdout."""

from __future__ import annotations

import io
import sys
from typing import Any

import pytest

from orrery.app.cli.progress import TrainingProgress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def figures(epoch: float, **more: Any) -> dict[str, Any]:
    return {
        "state": "running", "message": "Training.", "epoch": epoch, "epochs": 100,
        "train_bound": -1.25, "documents_per_second": 10.0, **more,
    }  # fmt: skip


def show(*reports: dict[str, Any]) -> None:
    with TrainingProgress() as progress:
        for report in reports:
            progress.report(report)


def test_lines_where_there_is_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    show({"state": "preparing", "message": "Reading."}, *map(figures, range(1, 101)))
    captured = capsys.readouterr()
    assert captured.out == ""
    lines = captured.err.splitlines()
    assert lines[:2] == ["Reading.", "Training."]
    assert lines[2] == "epoch 1.0 of 100: bound -1.25, 10 documents/s"
    # A line each twentieth of the way, not each report.
    assert 2 + 15 <= len(lines) <= 2 + 21


def test_the_held_out_bound_is_shown_where_there_is_one(
    capsys: pytest.CaptureFixture[str],
) -> None:
    show(figures(1.0, held_out_bound=-2.5))
    assert "bound -1.25, held out -2.50, 10 documents/s" in capsys.readouterr().err


def test_a_failure_is_left_to_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    show({"state": "preparing", "message": "Reading."}, {"state": "failed", "message": "No."})
    assert capsys.readouterr().err == "Reading.\n"


def test_a_bar_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    show(figures(50.0), {**figures(100.0), "state": "finished", "message": "Finished."})
    assert "50%" in terminal.getvalue()
    assert "bound -1.25" in terminal.getvalue()
    assert "Finished.\n" in terminal.getvalue()


def test_every_step_of_pruning_is_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    show(*(figures(1.0, move=move) for move in ("merged 1", "merged 1", "merged 2")))
    said = [line for line in capsys.readouterr().err.splitlines() if "merged" in line]
    assert said == ["merged 1", "merged 2"]
