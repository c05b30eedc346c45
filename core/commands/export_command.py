"""``orrery export``: a trained model as a file for other programs and people."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from orrery.core.commands import options
from orrery.core.commands.places import check_free, check_place
from orrery.core.errors import InputError
from orrery.core.exporting import FORMATS, export_files

# Read back by the ending of the name, so it has to be the right one.
NAMED_BY_ENDING = ("csv", "graphml")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    options.add_run(parser)
    parser.add_argument(
        "--format",
        required=True,
        choices=tuple(FORMATS),
        help="html: a picture to click; explorer: the whole model, answers queries offline; "
        "graphml, csv: for other programs and --graph; json: every number; svg: for print; "
        "report: settings, figures and topics",
    )
    parser.add_argument("--out", required=True, type=Path, metavar="FILE", help="file to write")
    parser.add_argument("--force", action="store_true", help="replace a file that is there")
    options.add_json(parser)


def run(chosen: argparse.Namespace) -> dict[str, Any]:
    """Write the file, and say how large it is."""
    from orrery.core.storage import load_run
    from orrery.core.storage.atomic import write_together

    out: Path = chosen.out
    _check_out(out, chosen.format)
    model = load_run(chosen.run)
    files = {
        out.with_name(name): data
        for name, data in export_files(model, chosen.format, out.name).items()
    }
    for path in files:
        check_free(path, chosen.force)
    write_together(files)
    result = {
        "format": chosen.format,
        "files": [str(path) for path in files],
        "bytes": sum(map(len, files.values())),
        "topics": model.network.graph.n_topics,
        "edges": model.network.graph.n_edges,
    }
    if not chosen.json:
        for path, data in files.items():
            print(f"{path}: {max(1, round(len(data) / 1000)):,} kB")
    return result


def _check_out(out: Path, kind: str) -> None:
    """Refuse, before the work, a place that cannot take the file (InputError)."""
    check_place(out)
    ending = FORMATS[kind]
    if kind in NAMED_BY_ENDING and out.suffix.lower() != ending:
        raise InputError(f"a file of this format is named {out.stem}{ending}, not {out.name}")
