"""``orrery map``: lay out the documents of a run in two dimensions by their topics."""

from __future__ import annotations

import argparse
from typing import Any

from . import options


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    options.add_run(parser)
    parser.add_argument("--seed", type=options.seed, default=0, metavar="N", help="default: 0")
    options.add_json(parser)


def run(chosen: argparse.Namespace) -> dict[str, Any]:
    """Compute the map, store it with the run, and print how long it took."""
    from ...core.document_map.make import make_map
    from .progress import ShareProgress

    with ShareProgress("mapped") as progress:
        result = make_map(chosen.run, chosen.seed, progress.report)
    if not chosen.json:
        print(
            f"{result['placed']:,} of {result['documents']:,} documents have a place on the map, "
            f"after {result['seconds']:.0f} s; it is on the page Map of orrery app"
        )
    return result
