"""Entry point of the command ``orrery``: parse, dispatch, and report every failure in one line.

The commands import heavy packages inside their functions, so that ``--help`` answers at once.
"""

from __future__ import annotations

import argparse
import importlib
import io
import json
import os
import select
import signal
import sys
import threading
import traceback
from collections.abc import Sequence
from typing import Any, NamedTuple, NoReturn

from ...core import __version__
from ...core.utils.errors import InputError

EXIT_DONE, EXIT_MACHINE, EXIT_INPUT = 0, 1, 2


class Command(NamedTuple):
    """Summary of a command, its module in this package, and the two functions there.

    ``run`` takes the parsed arguments, prints lines for people, and returns the object for
    ``--json``.
    """

    summary: str
    module: str
    run: str = "run"
    add_arguments: str = "add_arguments"


COMMANDS = {
    "demo": Command("open the app with the sample corpus and its model", "app", "run_demo"),
    "app": Command("open the app", "app"),
    "import": Command("read a corpus from files", "import"),
    "structure": Command("propose a topic graph for a corpus", "structure"),
    "train": Command("train a model on a corpus", "train"),
    "split": Command("split a topic of a model into two, and write the graph to train on", "split"),
    "adopt": Command("make a model from a weighted graph, without training", "adopt"),
    "infer": Command("infer the active topics of a query", "infer"),
    "apply": Command("find the topics of new documents and write them as a table", "apply"),
    "names": Command("list, name and annotate the topics of a model", "names"),
    "evaluate": Command("evaluate a trained model on documents", "evaluate"),
    "stability": Command("train again and count which topics are found again", "stability"),
    "match": Command("match the topics of two runs, and carry names over", "match"),
    "groups": Command("compare the topics of groups of documents, or of periods", "groups"),
    "map": Command("lay out the documents of a run by their topics", "map"),
    "systems": Command(
        "list the baselines to compare with", "compare", "run_systems", "add_systems_arguments"
    ),
    "compare": Command("train baselines on the same documents and print one table", "compare"),
    "export": Command("write a trained model as a page, a picture or data", "export"),
}


class _Parser(argparse.ArgumentParser):
    """Parser that reports an error in one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(EXIT_INPUT, f"orrery: {message}; see {self.prog} --help\n")


def build_parser() -> argparse.ArgumentParser:
    """Parser of the whole command line."""
    parser = _Parser(prog="orrery", description="Learn a topic graph from texts and explore it.")
    parser.add_argument("--version", action="version", version=f"orrery {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, command in COMMANDS.items():
        summary = command.summary
        added = commands.add_parser(name, help=summary, description=summary.capitalize() + ".")
        added.add_argument("--debug", action="store_true", help="show the traceback of an error")
        getattr(_module(command.module), command.add_arguments)(added)
    return parser


def _module(name: str) -> Any:
    return importlib.import_module(f".{name}_command", __package__)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; return 0 after success, 1 for a system error, 2 for wrong input or usage."""
    # A terminal that cannot show a character gets its number instead.
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    chosen = build_parser().parse_args(arguments)
    if threading.current_thread() is threading.main_thread():
        # SIGTERM ends a command as Ctrl-C does, so that no file is left half-written.
        signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        result = getattr(_module(COMMANDS[chosen.command].module), COMMANDS[chosen.command].run)(
            chosen
        )
        if getattr(chosen, "json", False):
            print(json.dumps(result, allow_nan=False))
        sys.stdout.flush()
        return EXIT_DONE
    except Exception as error:
        if isinstance(error, BrokenPipeError) and _is_output_closed():
            return EXIT_DONE
        if chosen.debug:
            traceback.print_exc()
        code, message = explain_failure(error)
    except KeyboardInterrupt:
        code, message = EXIT_MACHINE, "interrupted"
    print("orrery: " + " ".join(message.split()), file=sys.stderr)
    return code


def _is_output_closed() -> bool:
    """Whether the reader of the output has ended, as in ``orrery names RUN | head``.

    The rest of the output is then discarded.
    """
    watched = select.poll()
    watched.register(sys.stdout.fileno(), 0)
    is_closed = any(event & (select.POLLERR | select.POLLHUP) for _, event in watched.poll(0))
    if is_closed:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return is_closed


def explain_failure(error: Exception) -> tuple[int, str]:
    """Exit code and one sentence for an error."""
    if isinstance(error, InputError):
        return EXIT_INPUT, str(error)
    if isinstance(error, MemoryError):
        return EXIT_MACHINE, "the memory of this machine does not suffice"
    if isinstance(error, OSError):
        reason = error.strerror or str(error)
        return EXIT_MACHINE, f"{error.filename}: {reason}" if error.filename else reason
    return EXIT_MACHINE, f"{type(error).__name__}: {error} (add --debug to see where)"
