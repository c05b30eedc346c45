"""``orrery export``: write a trained model as a page, a picture or data."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...core.export.formats import FORMATS, FORMER_NAMES, TABLES, check_extension, export_files
from ...core.utils.errors import InputError
from . import options
from .options import check_free, check_place

if TYPE_CHECKING:
    from ...core.model.story import Story
    from ...core.model.topic_model import Run


# Options that apply only to the table of documents.
DOCUMENTS_OPTIONS = ("wide", "errors", "least", "corpus")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    options.add_run(parser)
    parser.add_argument(
        "--format",
        required=True,
        choices=(*FORMATS, *FORMER_NAMES, *TABLES),
        help="see below; tables are written as FILE.csv or FILE.parquet",
    )
    parser.add_argument(
        "--story",
        metavar="NAME",
        help="explorer: story to include, given by its name or title in the workspace of the run, "
        "or as a file",
    )
    parser.add_argument(
        "--documents",
        action="store_true",
        help="explorer: include the beginnings of the most typical documents of each topic, and "
        "the documents of the story",
    )
    parser.add_argument("--out", required=True, type=Path, metavar="FILE", help="file to write")
    parser.add_argument("--force", action="store_true", help="replace an existing file")
    group = parser.add_argument_group("the table of documents")
    group.add_argument("--corpus", type=Path, metavar="CORPUS", help="default: the run's own")
    group.add_argument(
        "--wide",
        action="store_true",
        help="one row per document and one column per topic; default: one row for each topic of "
        "each document",
    )
    group.add_argument(
        "--errors",
        action="store_true",
        help="add standard errors, by exact inference or importance sampling, which is slower",
    )
    group.add_argument(
        "--least",
        type=options.share,
        metavar="P",
        help="leave out topics with a lower probability; default: 0.01",
    )
    options.add_json(parser)
    rows = [(name, f"{each.title}. {each.sentence}") for name, each in FORMATS.items()]
    rows += [(old, f"Earlier name of {new}.") for old, new in FORMER_NAMES.items()]
    options.add_list(parser, "formats", rows)
    rows = [(name, f"{each.title}. {each.sentence}") for name, each in TABLES.items()]
    options.add_list(parser, "tables", rows)


def run(chosen: argparse.Namespace) -> dict[str, Any]:
    """Write the file, and print its size."""
    from ...core.storage.runs import load_run

    _check(chosen)
    if chosen.format in FORMER_NAMES:
        now = FORMER_NAMES[chosen.format]
        print(f"{chosen.format} is now called {now}, which is written instead", file=sys.stderr)
    model = load_run(chosen.run)
    make = _write_table if chosen.format in TABLES else _write_files
    result = {
        "format": chosen.format,
        **make(chosen, model),
        "topics": model.network.graph.n_topics,
        "edges": model.network.graph.n_edges,
    }
    if not chosen.json:
        for path in map(Path, result["files"]):
            print(f"{path}: {max(1, round(path.stat().st_size / 1000)):,} kB")
        if chosen.format in FORMATS and (left := FORMATS[chosen.format].leaves_out):
            print(f"{FORMATS[chosen.format].title} has no place for {left}")
    return result


def _write_files(chosen: argparse.Namespace, model: Run) -> dict[str, Any]:
    from ...core.storage.atomic import write_together

    out: Path = chosen.out
    story = _story(chosen)
    taken = {} if story is None else _story_content(chosen, model, story)
    made = export_files(
        model, chosen.format, out.name, story=story, with_texts=chosen.documents, taken=taken
    )
    files = {out.with_name(name): data for name, data in made.items()}
    for path in files:
        check_free(path, chosen.force)
    write_together(files)
    return {"files": [str(path) for path in files], "bytes": sum(map(len, files.values()))}


def _story_content(
    chosen: argparse.Namespace, model: Run, story: Story
) -> Mapping[str, Mapping[str, Any]]:
    """Pictures of the views of a story, and its documents if they are included."""
    # The app's functions are used, so that the command and the app write the same file.
    from ..shared.listing import read_sources
    from ..shared.story_export import needs_documents, taken_along

    # The search index is not needed afterwards.
    with tempfile.TemporaryDirectory() as folder:
        sources = read_sources(model, Path(folder)) if needs_documents(story) else None
        workspace = _workspace(chosen)
        return taken_along(story, model, sources, workspace, with_texts=chosen.documents)


def _story(chosen: argparse.Namespace) -> Story | None:
    """Story given by ``--story`` (InputError if it does not exist or is about another model)."""
    from ...core.storage.stories import ENDING, find_story, read_story
    from ..text.strings import SAMPLE, SAMPLE_BESIDE

    if chosen.story is None:
        return None
    if chosen.story.endswith(ENDING):
        story = read_story(Path(chosen.story))
    else:
        story = find_story(_workspace(chosen), chosen.story)
    names = _names_of(Path(chosen.run).resolve())
    if story.run and story.run not in names:
        about = f"the story is about the model {story.run}, not {names[0]}"
        others = {path.name for path in (_workspace(chosen) / "runs").glob("*")}
        if story.run in {*others, SAMPLE, SAMPLE_BESIDE}:
            raise InputError(f"{about}; export {story.run}")
        # The model may have been renamed, or be elsewhere.
        print(f"orrery: WARNING: {about}; check its views", file=sys.stderr)
    return story


def _names_of(run: Path) -> tuple[str, ...]:
    """Names that a story may have for the model of a run."""
    from ..text.strings import SAMPLE, SAMPLE_BESIDE
    from ..workspace.catalog import SAMPLE_DATA

    is_sample = run.is_relative_to(SAMPLE_DATA.resolve())
    return (SAMPLE, SAMPLE_BESIDE) if is_sample else (run.name,)


def _workspace(chosen: argparse.Namespace) -> Path:
    """Workspace of the run: the folder that contains `runs`."""
    return Path(chosen.run).resolve().parent.parent


def _write_table(chosen: argparse.Namespace, model: Run) -> dict[str, Any]:
    """Write a table block by block, and move it into place when it is complete."""
    from ...core.export.tables import MIN_PROBABILITY, TableOptions, write_table
    from ...core.storage.atomic import replacing
    from ...core.storage.corpora import load_corpus
    from .progress import report_share

    check_free(chosen.out, chosen.force)
    wanted = TableOptions()
    if chosen.format == "documents":
        minimum = MIN_PROBABILITY if chosen.least is None else chosen.least
        corpus = load_corpus(chosen.corpus or model.corpus_path)
        share = partial(report_share, "inferred")
        wanted = TableOptions(corpus, chosen.wide, chosen.errors, minimum, share)
    with replacing(chosen.out) as file:
        rows = write_table(model, chosen.format, file, chosen.out.suffix.lower(), wanted)
    return {"files": [str(chosen.out)], "bytes": chosen.out.stat().st_size, "rows": rows}


def _check(chosen: argparse.Namespace) -> None:
    """Raise an InputError for options that contradict each other."""
    out, kind = chosen.out, chosen.format
    check_place(out)
    extension = out.suffix.lower()
    if kind in TABLES:
        check_extension(extension)
    # Readers recognise graph files by their extension.
    elif kind in FORMATS and FORMATS[kind].is_graph_file and extension != FORMATS[kind].extension:
        raise InputError(
            f"a file of this format is named {out.stem}{FORMATS[kind].extension}, not {out.name}"
        )
    if chosen.story is not None and kind != "explorer":
        raise InputError(f"only the explorer shows a story, not {kind}; leave --story out")
    if chosen.documents and kind != "explorer":
        raise InputError(f"only the explorer includes documents, not {kind}; leave --documents out")
    # A given 0 is not the False of an option that is not there.
    values = {name: getattr(chosen, name) for name in DOCUMENTS_OPTIONS}
    given = next(
        (name for name, each in values.items() if each is not None and each is not False), ""
    )
    if given and kind != "documents":
        raise InputError(f"--{given} is about --format documents; leave it out")
    if chosen.wide and chosen.least is not None:
        raise InputError("--least leaves rows of the long table out; leave it or --wide out")
