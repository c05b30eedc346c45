"""``orrery compare``: other systems on the same documents, in one table."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...core.utils.errors import InputError
from . import options

if TYPE_CHECKING:
    from ...core.runs.comparison import Compared


DEFAULT_SYSTEMS = ("orrery", "lda", "bernoulli-lda")
DEFAULT_TOPICS = 20
# Heads of the columns, the figures under them, and their digits.
COLUMNS = (
    ("held out", "held_out", 2), ("seconds", "seconds", 1), ("MB", "memory", 0),
    ("topics", "topics", 0), ("NPMI", "npmi", 3), ("diversity", "diversity", 2),
    ("MRR", "completion_mrr", 3), ("recall@10", "completion_recall10", 3),
    ("accuracy", "accuracy", 3),
)  # fmt: skip
# Of a topic, so many words are printed.
WORDS_SHOWN = 6


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    options.add_corpus(parser)
    parser.add_argument(
        "--systems",
        type=_names,
        default=DEFAULT_SYSTEMS,
        metavar="NAME,…",
        help="of orrery systems, and orrery itself; default: " + ",".join(DEFAULT_SYSTEMS),
    )
    parser.add_argument(
        "--topics",
        type=options.positive,
        default=DEFAULT_TOPICS,
        metavar="N",
        help="topics of each system but those that find their own number; default: 20",
    )
    parser.add_argument(
        "--held-out", type=options.share, default=0.1, metavar="FRACTION", help="default: 0.1"
    )
    parser.add_argument(
        "--show-topics", action="store_true", help="also print the topics, those alike in a row"
    )
    parser.add_argument("--seed", type=options.seed, default=0, metavar="N", help="default: 0")
    options.add_json(parser)


def run(chosen: argparse.Namespace) -> dict[str, Any]:
    """Compare, and print one table."""
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
            watch=_reporter(),
        )
    )
    aligned = align_topics(rows)
    if not chosen.json:
        print(f"{len(train)} documents to train on, {len(held_out)} to judge by")
        _print_table(rows)
        if chosen.show_topics:
            _print_topics(rows, aligned)
    return {
        "corpus": str(Path(chosen.corpus)),
        "train": len(train),
        "held_out": len(held_out),
        "systems": [row.to_dict() for row in rows],
        "alike": aligned,
    }


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
    """Function that writes the progress of each system: always on a terminal, else in tenths."""
    from .progress import report_share

    written: dict[str, int] = {}

    def report(name: str, share: float) -> bool:
        tenths = int(10 * share)
        if sys.stderr.isatty() or written.get(name) != tenths:
            written[name] = tenths
            report_share(name, share)
        return False

    return report


def _print_table(rows: list[Compared]) -> None:
    heads = ["system", *[head for head, _, _ in COLUMNS]]
    cells = [heads, *[[row.name, *[_cell(row, *column) for column in COLUMNS]] for row in rows]]
    widths = [max(len(line[place]) for line in cells) for place in range(len(heads))]
    for line in cells:
        name, *figures = (
            f"{cell:<{width}}" if place == 0 else f"{cell:>{width}}"
            for place, (cell, width) in enumerate(zip(line, widths, strict=True))
        )
        print("  ".join([name, *figures]))
    print()
    # Not all of them are the same kind of figure, so it is said of each what it is.
    for row in rows:
        print(f"{row.name}: held out is the {row.measure}, mean per document")


def _cell(row: Compared, head: str, name: str, digits: int) -> str:
    value = getattr(row, name)
    return "–" if value is None else f"{value:,.{digits}f}"


def _print_topics(rows: list[Compared], aligned: list[list[int | None]]) -> None:
    for number, matched in enumerate(aligned, start=1):
        print(f"\n{number}")
        for row, topic in zip(rows, matched, strict=False):
            if topic is not None:
                print(f"  {row.name}: {' '.join(row.words[topic][:WORDS_SHOWN])}")
