"""``orrery export``: a trained model as a file for other programs and people."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from orrery.core.commands import options
from orrery.core.errors import InputError
from orrery.core.exporting import FORMATS, export_files

if TYPE_CHECKING:
    from orrery.core.story import Story

# Folders that hold one of these belong to a run, and nothing else is written there.
OF_A_RUN = ("config.json", "model.json")
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
    parser.add_argument(
        "--story",
        metavar="NAME",
        help="explorer: a story that it plays, by its name or title in the workspace of the run, "
        "or a file of one",
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
    story = _story(chosen)
    model = load_run(chosen.run)
    files = {
        out.with_name(name): data
        for name, data in export_files(model, chosen.format, out.name, story=story).items()
    }
    for path in files:
        _check_free(path, chosen.force)
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


def _story(chosen: argparse.Namespace) -> Story | None:
    """Story that was asked for (InputError if it is not there, or the format tells none)."""
    from orrery.core.storage.stories import ENDING, find_story, read_story

    if chosen.story is None:
        return None
    if chosen.format != "explorer":
        raise InputError(f"only the explorer tells a story, not {chosen.format}; leave --story out")
    if chosen.story.endswith(ENDING):
        return read_story(Path(chosen.story))
    # A run lies in the folder `runs` of its workspace.
    return find_story(Path(chosen.run).resolve().parent.parent, chosen.story)


def _check_out(out: Path, kind: str) -> None:
    """Refuse, before the work, a place that cannot take the file (InputError)."""
    if out.is_dir():
        raise InputError(f"{out} is a folder; name the file to write")
    if not out.parent.is_dir():
        raise InputError(f"there is no folder {out.parent}; make it first, or choose another")
    if any((out.parent / name).exists() for name in OF_A_RUN):
        raise InputError(f"{out.parent} is the folder of a run; choose another for the file")
    ending = FORMATS[kind]
    if kind in NAMED_BY_ENDING and out.suffix.lower() != ending:
        raise InputError(f"a file of this format is named {out.stem}{ending}, not {out.name}")


def _check_free(path: Path, force: bool) -> None:
    if path.is_dir():
        raise InputError(f"{path} is a folder; choose another name for the file")
    if path.exists() and not force:
        raise InputError(f"{path} exists already; choose another name, or add --force")
