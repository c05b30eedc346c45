"""Small programs in the place of what the app starts in processes of their own."""

from __future__ import annotations

import sys

import pytest

from orrery.app.workspace import processes


def run_instead(monkeypatch: pytest.MonkeyPatch, program: str) -> list[list[str]]:
    """Let what the app starts be a small program; answers the arguments asked for."""
    asked: list[list[str]] = []

    def command(arguments: list[str]) -> list[str]:
        asked.append(arguments)
        return [sys.executable, "-c", program]

    monkeypatch.setattr(processes, "train_command", command)
    return asked
