"""Options that several commands share, and the kinds of their values.

Places that files are written to: refused before the work, and nothing is replaced unasked.
"""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Iterable
from math import inf, nan
from pathlib import Path

from ...core.utils.errors import InputError

# What a numpy index of 32 bits can count; nobody has more of anything here.
LARGEST_NUMBER = 2**31 - 1
GRAPH_METHODS = ("dense-regions", "agglomerative", "complete")


def add_json(parser: argparse.ArgumentParser) -> None:
    """Add ``--json``."""
    parser.add_argument("--json", action="store_true", help="print one JSON object and no more")


def add_list(parser: argparse.ArgumentParser, title: str, rows: Iterable[tuple[str, str]]) -> None:
    """Add a list of names and sentences below the options of the help."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    lines = [
        f"  {name}\n{textwrap.indent(textwrap.fill(text, 74), ' ' * 6)}" for name, text in rows
    ]
    listed = "\n".join([f"{title}:", *lines])
    parser.epilog = f"{parser.epilog}\n\n{listed}" if parser.epilog else listed


def add_corpus(parser: argparse.ArgumentParser) -> None:
    """Add the corpus folder, the first argument of a command."""
    parser.add_argument("corpus", metavar="CORPUS", type=Path, help="folder made by orrery import")


def add_run(parser: argparse.ArgumentParser) -> None:
    """Add the folder of a run, the first argument of a command."""
    parser.add_argument(
        "run", metavar="RUN", type=Path, help="folder made by orrery train or adopt"
    )


def add_structure(parser: argparse.ArgumentParser, edges_help: str) -> None:
    """Add what the proposal of a graph depends on; None where not given."""
    parser.add_argument("--method", choices=GRAPH_METHODS, help="default: dense-regions")
    parser.add_argument(
        "--topics",
        type=layer_sizes,
        metavar="N[,N…]",
        help="topics in each layer, from the one above the words upward; default: by corpus size",
    )
    parser.add_argument("--edges", type=positive, metavar="N", help=edges_help)


def add_weights(parser: argparse.ArgumentParser, default: str | None) -> None:
    """Add what the numbers of a graph file mean."""
    parser.add_argument(
        "--weights",
        choices=("noisy-or", "probability"),
        default=default,
        help="what the numbers in the graph file are: noisy-OR weights, or the probabilities p "
        "that stand for the weights -log(1 - p); default: noisy-or",
    )


def positive(text: str) -> int:
    """Whole number from 1."""
    return _whole_number(text, 1)


def seed(text: str) -> int:
    """Whole number from 0."""
    return _whole_number(text, 0)


def _whole_number(text: str, least: int) -> int:
    try:
        value = int(text)
    except ValueError:
        value = least - 1
    if not least <= value <= LARGEST_NUMBER:
        raise argparse.ArgumentTypeError(
            f"got {text!r}, expected a whole number from {least} to {LARGEST_NUMBER}"
        )
    return value


def _number(text: str) -> float:
    """Any number; what is none is NaN, which lies in no range."""
    try:
        return float(text)
    except ValueError:
        return nan


def seconds(text: str) -> float:
    """Time above zero."""
    value = _number(text)
    if not 0.0 < value < inf:
        raise argparse.ArgumentTypeError(f"got {text!r}, expected seconds above 0")
    return value


def share(text: str) -> float:
    """Number from 0 up to, but not including, 1."""
    value = _number(text)
    if not 0.0 <= value < 1.0:
        raise argparse.ArgumentTypeError(f"got {text!r}, expected a share from 0 and below 1")
    return value


def layer_sizes(text: str) -> tuple[int, ...]:
    """Numbers of topics, separated by commas."""
    return tuple(positive(part.strip()) for part in text.split(","))


def leak(text: str) -> float:
    """Noisy-OR weight of chance, within what a network can hold."""
    from ...core.model.network import LARGEST_WEIGHT, SMALLEST_LEAK

    value = _number(text)
    if not SMALLEST_LEAK <= value <= LARGEST_WEIGHT:
        expected = f"a number from {SMALLEST_LEAK:g} to {LARGEST_WEIGHT:g}"
        raise argparse.ArgumentTypeError(f"got {text!r}, expected {expected}")
    return value


# Folders that hold one of these belong to a run, and nothing else is written there.
OF_A_RUN = ("config.json", "model.json")


def check_place(out: Path) -> None:
    """Refuse a place that cannot take a file (InputError)."""
    if out.is_dir():
        raise InputError(f"{out} is a folder; name the file to write")
    if not out.parent.is_dir():
        raise InputError(f"there is no folder {out.parent}; make it first, or choose another")
    if any((out.parent / name).exists() for name in OF_A_RUN):
        raise InputError(f"{out.parent} is the folder of a run; choose another for the file")


def check_free(path: Path, force: bool) -> None:
    """Refuse to replace a file unasked, and a folder in any case (InputError)."""
    if path.is_dir():
        raise InputError(f"{path} is a folder; choose another name for the file")
    if path.exists() and not force:
        raise InputError(f"{path} exists already; choose another name, or add --force")
