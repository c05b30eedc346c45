"""``orrery systems``: the systems that a corpus can be given to beside Orrery."""

from __future__ import annotations

import argparse
from typing import Any

from . import options


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    options.add_json(parser)


def run(chosen: argparse.Namespace) -> dict[str, Any]:
    """List them, a line each."""
    from ...core.baselines.registry import SYSTEMS

    result = {"systems": [system.to_dict() for system in SYSTEMS.values()]}
    if not chosen.json:
        width = max(map(len, SYSTEMS))
        for system in SYSTEMS.values():
            notes = [system.paper] if system.paper else []
            notes += [] if system.kind == "documents" else [f"for {system.kind} only"]
            notes += [] if system.is_installed() else [f"needs {system.package}"]
            print(f"{system.name:<{width}}  {system.title}" + "".join(f"; {n}" for n in notes))
    return result
