"""``orrery compare`` and ``orrery systems``: train baselines on the same documents."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...core.evaluation.metrics import COMPARED
from ...core.utils.errors import InputError
from . import options

if TYPE_CHECKING:
    from ...core.runs.comparison import Compared


DEFAULT_SYSTEMS = ("orrery", "lda", "bernoulli-lda")
DEFAULT_TOPICS = 20
# Words printed for each topic.
N_WORDS = 6


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    options.add_corpus(parser)
    parser.add_argument(
        "--systems",
        type=_names,
        default=DEFAULT_SYSTEMS,
        metavar="NAME,…",
        help="orrery and names that `orrery systems` lists; default: " + ",".join(DEFAULT_SYSTEMS),
    )
    parser.add_argument(
        "--topics",
        type=options.positive,
        default=DEFAULT_TOPICS,
        metavar="N",
        help="topics of each system, unless it determines their number itself; default: 20",
    )
    parser.add_argument(
        "--held-out",
        type=options.share,
        default=0.1,
        metavar="FRACTION",
        help="share of the documents in the test set; default: 0.1",
    )
    parser.add_argument(
        "--show-topics", action="store_true", help="also print the topics, aligned by similarity"
    )
    parser.add_argument("--seed", type=options.seed, default=0, metavar="N", help="default: 0")
    options.add_json(parser)
    rows = [(f"{each.heading} ({each.key})", each.explanation) for each in COMPARED]
    options.add_list(parser, "columns of the table, with their keys in the JSON", rows)


def run(chosen: argparse.Namespace) -> dict[str, Any]:
    """Train and evaluate the systems, and print one table."""
    from ...core.data.corpus import split_held_out
    from ...core.runs.comparison import align_topics, compare
    from ...core.storage.corpora import load_corpus

    corpus = load_corpus(chosen.corpus)
    train, held_out = split_held_out(corpus, chosen.held_out, chosen.seed)
    rows = list(
        compare(
            corpus,
            chosen.systems,
            train,
            held_out,
            n_topics=chosen.topics,
            seed=chosen.seed,
            progress=_reporter(),
        )
    )
    aligned = align_topics(rows)
    systems = [row.to_dict() for row in rows]
    if not chosen.json:
        print(f"{len(train)} documents to train on, {len(held_out)} to test on")
        _print_table(systems)
        if chosen.show_topics:
            _print_topics(rows, aligned)
    return {
        "corpus": str(Path(chosen.corpus)),
        "train": len(train),
        "held_out": len(held_out),
        "systems": systems,
        "alike": aligned,
    }


def add_systems_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``orrery systems``."""
    options.add_json(parser)


def run_systems(chosen: argparse.Namespace) -> dict[str, Any]:
    """List the baselines, one per line."""
    from ...core.baselines.registry import SYSTEMS

    if not chosen.json:
        width = max(map(len, SYSTEMS))
        for system in SYSTEMS.values():
            notes = [system.paper] if system.paper else []
            notes += [] if system.kind == "documents" else [f"for {system.kind} only"]
            notes += [] if system.is_installed() else [f"needs {system.package}"]
            print(f"{system.name:<{width}}  {system.title}" + "".join(f"; {n}" for n in notes))
    return {"systems": [system.to_dict() for system in SYSTEMS.values()]}


def _names(text: str) -> tuple[str, ...]:
    names = tuple(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))
    if not names:
        raise argparse.ArgumentTypeError("names no system; see orrery systems")
    from ...core.baselines.registry import find_system

    try:
        for name in names:
            if name != "orrery":
                find_system(name)
    except InputError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return names


def _reporter() -> Callable[[str, float], bool]:
    """Progress callback: each report on a terminal, else one line per tenth of a system's work."""
    from .progress import report_share

    written: dict[str, int] = {}

    def report(name: str, share: float) -> bool:
        tenths = int(10 * share)
        if sys.stderr.isatty() or written.get(name) != tenths:
            written[name] = tenths
            report_share(name, share)
        return False

    return report


def _print_table(systems: list[dict[str, Any]]) -> None:
    cells = [["system", *(metric.heading for metric in COMPARED)]]
    for row in systems:
        known = [(row.get(metric.key), metric.digits) for metric in COMPARED]
        figures = ("–" if value is None else f"{value:,.{digits}f}" for value, digits in known)
        cells.append([row["name"], *figures])
    first, *widths = (max(map(len, column)) for column in zip(*cells, strict=True))
    for name, *line in cells:
        figures = (f"{cell:>{width}}" for cell, width in zip(line, widths, strict=True))
        print("  ".join([f"{name:<{first}}", *figures]))
    print()
    # The first measure differs between systems, so it is named for each of them.
    for row in systems:
        print(f"{row['name']}, {COMPARED[0].heading}: {row['measure']}, mean per document")


def _print_topics(rows: list[Compared], aligned: list[list[int | None]]) -> None:
    for number, matched in enumerate(aligned, start=1):
        print(f"\n{number}")
        for row, topic in zip(rows, matched, strict=False):
            if topic is not None:
                print(f"  {row.name}: {' '.join(row.words[topic][:N_WORDS])}")
