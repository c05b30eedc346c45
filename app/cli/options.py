"""Options, value types and checks of output paths that several commands share."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Iterable
from math import inf, nan
from pathlib import Path
from typing import TYPE_CHECKING

from ...core.utils.errors import InputError

if TYPE_CHECKING:
    from ...core.data.guesses import Guess

# Largest 32-bit index of NumPy.
MAX_NUMBER = 2**31 - 1
GRAPH_METHODS = ("dense-regions", "agglomerative", "complete")
# A folder with one of these files belongs to a run, and no other file is written there.
RUN_FILES = ("config.json", "model.json")

# Options of `add_reading` that are fields of `TableOptions`.
TABLE_OPTIONS = ("header", "delimiter", "missing")


def add_reading(parser: argparse.ArgumentParser) -> None:
    """Add the options on how files and tables are read."""
    parser.add_argument(
        "--encoding", metavar="NAME", help="encoding of the files; default: detected"
    )
    parser.add_argument(
        "--header",
        metavar="yes|no|LINE",
        help="whether the first row of a table contains the column names, or the line of the file "
        "that does, such as 3, or 1-3 for several lines; default: detected",
    )
    parser.add_argument(
        "--delimiter",
        metavar="CHARACTER",
        help="character between the cells of a table, or its name: comma, semicolon, tab, bar, "
        "space; none if each line is one cell; default: detected",
    )
    parser.add_argument(
        "--missing",
        metavar="WORD[,…]",
        help="words in a cell of a table that mean that it is empty, or none; default: the usual "
        "ones of R, SQL, Excel, pandas and Reddit, such as NA and NULL",
    )
    parser.add_argument(
        "--sheet",
        metavar="NAME|N",
        help="sheet of a spreadsheet, by its name or number; default: the one with the most text",
    )


def add_json(parser: argparse.ArgumentParser) -> None:
    """Add ``--json``."""
    parser.add_argument("--json", action="store_true", help="print only one JSON object")


def add_list(parser: argparse.ArgumentParser, title: str, rows: Iterable[tuple[str, str]]) -> None:
    """Add a list of names and explanations below the options in the help."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    lines = [
        f"  {name}\n{textwrap.indent(textwrap.fill(text, 74), ' ' * 6)}" for name, text in rows
    ]
    listed = "\n".join([f"{title}:", *lines])
    parser.epilog = f"{parser.epilog}\n\n{listed}" if parser.epilog else listed


def add_corpus(parser: argparse.ArgumentParser) -> None:
    """Add the corpus folder as the first argument."""
    parser.add_argument("corpus", metavar="CORPUS", type=Path, help="folder made by orrery import")


def add_run(parser: argparse.ArgumentParser) -> None:
    """Add the folder of a run as the first argument."""
    parser.add_argument(
        "run", metavar="RUN", type=Path, help="folder made by orrery train or adopt"
    )


def add_structure(parser: argparse.ArgumentParser, edges_help: str) -> None:
    """Add the options for the proposal of a graph; their values are None by default."""
    parser.add_argument(
        "--method",
        choices=GRAPH_METHODS,
        help="method that proposes the graph; default: dense-regions",
    )
    parser.add_argument(
        "--topics",
        type=layer_sizes,
        metavar="N[,N…]",
        help="number of topics in each layer, the lowest first; default: depends on the corpus "
        "size",
    )
    parser.add_argument("--edges", type=positive, metavar="N", help=edges_help)


def add_weights(parser: argparse.ArgumentParser, default: str | None) -> None:
    """Add ``--weights``, the meaning of the numbers in a graph file."""
    parser.add_argument(
        "--weights",
        choices=("noisy-or", "probability"),
        default=default,
        help="meaning of the numbers in the graph file: noisy-OR weights, or probabilities p of "
        "the weights -log(1 - p); default: noisy-or",
    )


def print_guesses(guesses: Iterable[Guess], command: str) -> None:
    """Print how a source was read, and the options by which ``command`` reads it otherwise."""
    from ...core.data.guesses import guess_lines

    lines = guess_lines(guesses)
    if lines:
        print(f"How it was read (to change a line, {command} again with the option at its end)")
    for line in lines:
        print(f"  {line}")


def positive(text: str) -> int:
    """Positive integer."""
    return _whole_number(text, 1)


def seed(text: str) -> int:
    """Nonnegative integer."""
    return _whole_number(text, 0)


def _whole_number(text: str, minimum: int) -> int:
    try:
        value = int(text)
    except ValueError:
        value = minimum - 1
    if not minimum <= value <= MAX_NUMBER:
        raise argparse.ArgumentTypeError(
            f"got {text!r}, expected a whole number from {minimum} to {MAX_NUMBER}"
        )
    return value


def _number(text: str) -> float:
    """Number of a text; NaN, which fails every range check, if it is not a number."""
    try:
        return float(text)
    except ValueError:
        return nan


def seconds(text: str) -> float:
    """Positive, finite time in seconds."""
    value = _number(text)
    if not 0.0 < value < inf:
        raise argparse.ArgumentTypeError(f"got {text!r}, expected seconds above 0")
    return value


def share(text: str) -> float:
    """Number from 0 and below 1."""
    value = _number(text)
    if not 0.0 <= value < 1.0:
        raise argparse.ArgumentTypeError(f"got {text!r}, expected a share from 0 and below 1")
    return value


def share_to_one(text: str) -> float:
    """Number above 0 and at most 1."""
    value = _number(text)
    if not 0.0 < value <= 1.0:
        raise argparse.ArgumentTypeError(f"got {text!r}, expected a share above 0 and at most 1")
    return value


def layer_sizes(text: str) -> tuple[int, ...]:
    """Positive integers, separated by commas."""
    return tuple(positive(part.strip()) for part in text.split(","))


def leak(text: str) -> float:
    """Leak weight within the range of a network."""
    from ...core.model.network import MAX_WEIGHT, MIN_LEAK

    value = _number(text)
    if not MIN_LEAK <= value <= MAX_WEIGHT:
        expected = f"a number from {MIN_LEAK:g} to {MAX_WEIGHT:g}"
        raise argparse.ArgumentTypeError(f"got {text!r}, expected {expected}")
    return value


def check_place(out: Path) -> None:
    """Raise an InputError if no file can be written to a path."""
    if str(out) == "-":
        raise InputError("nothing is written to standard output; name a file instead of -")
    if out.is_dir():
        raise InputError(f"{out} is a folder; name the file to write")
    if not out.parent.is_dir():
        raise InputError(f"there is no folder {out.parent}; make it first, or choose another")
    if any((out.parent / name).exists() for name in RUN_FILES):
        raise InputError(f"{out.parent} is the folder of a run; choose another for the file")


def check_free(path: Path, force: bool) -> None:
    """Raise an InputError if the path is a folder, or a file exists there without ``force``."""
    if path.is_dir():
        raise InputError(f"{path} is a folder; choose another name for the file")
    if path.exists() and not force:
        raise InputError(f"{path} exists already; choose another name, or add --force")
