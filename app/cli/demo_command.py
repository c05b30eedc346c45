"""``orrery demo``: the app with the sample corpus and its model beside the workspace's own."""

from __future__ import annotations

import argparse

from . import app_command


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options, those of ``orrery app``."""
    app_command.add_arguments(parser)


def run(chosen: argparse.Namespace) -> None:
    """Serve the app with the sample."""
    app_command.run(chosen, {"ORRERY_DEMO": "1"})
