"""Small programs in the place of what the app starts in processes of their own."""

from __future__ import annotations

import json
import sys

import pytest

from orrery.app.workspace import processes


def progress(part: str, share: float) -> str:
    """Line that a command writes for the app."""
    return json.dumps({"part": part, "progress": share}) + "\n"


def run_instead(monkeypatch: pytest.MonkeyPatch, program: str) -> list[list[str]]:
    """Let what the app starts be a small program; answers the arguments asked for."""
    requested: list[list[str]] = []

    def command(arguments: list[str]) -> list[str]:
        requested.append(arguments)
        return [sys.executable, "-c", program]

    monkeypatch.setattr(processes, "train_command", command)
    return requested
