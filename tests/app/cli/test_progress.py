"""Progress is lines where there is no terminal and a bar where there is one, never on stdout."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from orrery.app.cli.progress import ShareProgress, TrainingProgress, report_share
from orrery.app.workspace import processes


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
    shown_text = [line for line in capsys.readouterr().err.splitlines() if "merged" in line]
    assert shown_text == ["merged 1", "merged 2"]


def write_shares() -> None:
    with ShareProgress("mapped") as progress:
        for percent in range(0, 100, 5):
            progress.report(percent / 100)
    report_share("lda", 0.4)
    report_share("lda", 1.0)


def test_shares_are_lines_or_a_bar_for_people(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write_shares()
    lines = capsys.readouterr().err.splitlines()
    assert lines == [*(f"mapped {n}%" for n in range(0, 100, 5)), "lda 40%", "lda 100%"]
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    write_shares()
    assert "mapped:  95%|" in terminal.getvalue()
    assert terminal.getvalue().endswith("lda 40%\rlda 100%\n")


@pytest.mark.parametrize("stream", [io.StringIO, Terminal])
def test_shares_are_objects_for_the_app(
    stream: type[io.StringIO], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    written = stream()
    monkeypatch.setattr(sys, "stderr", written)
    monkeypatch.setenv(processes.PROGRESS_FORMAT, "json")
    write_shares()
    lines = [json.loads(line) for line in written.getvalue().splitlines()]
    mapped = [{"part": "mapped", "progress": n / 100} for n in range(0, 100, 5)]
    shares = [{"part": "lda", "progress": 0.4}, {"part": "lda", "progress": 1.0}]
    assert lines == [*mapped, *shares]

    (tmp_path / "launch.json").write_text('{"pid": 0, "started": 0.0}')
    console = tmp_path / "console.txt"
    for place, line in enumerate(written.getvalue().splitlines(keepends=True)):
        console.write_text(line + "a warning\n" * (place % 2))
        work = processes.read_work(tmp_path)
        assert work is not None
        assert {"part": work.part, "progress": work.share} == lines[place]
        assert work.last == ("a warning" if place % 2 else "")


@pytest.mark.parametrize(
    "line",
    [
        *("mapped 40%", "{", "[0.4]", '{"progress": 0.4}', '{"part": "a", "progress": "0.4"}'),
        *('{"part": "a", "progress": NaN}', '{"part": "a", "progress": 1.1}', '{"part": ' * 9000),
    ],
)
def test_other_lines_are_no_progress(line: str, tmp_path: Path) -> None:
    (tmp_path / "launch.json").write_text('{"pid": 0, "started": 0.0}')
    (tmp_path / "console.txt").write_text(line + "\n")
    assert processes.read_work(tmp_path) == processes.Work(False, 0.0, line.strip(), 0.0, "")


def test_progress_that_is_printed_while_it_is_read_is_no_last_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "launch.json").write_text('{"pid": 0, "started": 0.0}')
    printed = iter([[], ['{"part": "a", "progress": 0.4}']])
    monkeypatch.setattr(processes, "_printed", lambda folder: next(printed))
    assert processes.read_work(tmp_path) == processes.Work(False, 0.0, "", 0.0, "")
