"""The command line, called in this process."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from orrery.app.cli.main import main
from tests.core.small_runs import corpus, corpus_folder, run_folder, trained

__all__ = ["corpus", "corpus_folder", "run_folder", "trained"]


@dataclass(frozen=True)
class Outcome:
    """Result of a command."""

    code: int
    out: str
    err: str


Orrery = Callable[..., Outcome]


@pytest.fixture
def orrery(capsys: pytest.CaptureFixture[str]) -> Orrery:
    """Run a command line, as a shell would."""

    def run(*arguments: object) -> Outcome:
        capsys.readouterr()
        try:
            code: Any = main([str(argument) for argument in arguments])
        except SystemExit as exit_:
            code = exit_.code
        captured = capsys.readouterr()
        return Outcome(code, captured.out, captured.err)

    return run


@pytest.fixture
def refused(orrery: Orrery) -> Callable[..., str]:
    """Run a command line that must be refused in one line, and return that line."""

    def run(*arguments: object) -> str:
        outcome = orrery(*arguments)
        assert outcome.code == 2, outcome
        assert outcome.out == ""
        assert "Traceback" not in outcome.err
        reported = [line for line in outcome.err.splitlines() if line.startswith("orrery: ")]
        assert len(reported) == 1
        assert outcome.err.endswith(reported[0] + "\n")
        return reported[0]

    return run


def names_below(folder: Path) -> list[str]:
    """Everything in a folder, hidden or not."""
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


@pytest.fixture
def names(tmp_path: Path) -> Callable[[], list[str]]:
    """Names of all files in the folder of the test."""
    return lambda: names_below(tmp_path)
