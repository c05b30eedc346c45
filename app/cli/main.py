"""The command ``orrery``: parse, dispatch, and turn every failure into one line.

Heavy imports wait inside the commands, so that ``--help`` answers at once.
"""

from __future__ import annotations

import argparse
import importlib
import io
import json
import signal
import sys
import threading
import traceback
from collections.abc import Sequence
from typing import Any, NoReturn

from ...core import __version__
from ...core.utils.errors import InputError

EXIT_DONE, EXIT_MACHINE, EXIT_INPUT = 0, 1, 2

# Every command is a module of orrery.app.cli with add_arguments(parser) and run(arguments),
# which returns the object for --json and prints its own lines for people.
COMMANDS = {
    "demo": "open the app on the sample corpus, already trained",
    "app": "open the app",
    "import": "read a corpus from files",
    "structure": "propose a graph of topics for a corpus",
    "train": "train a model on a corpus",
    "split": "make a graph in which one topic of a model is two, to train on",
    "adopt": "make a model of a weighted graph from elsewhere, without training",
    "infer": "show which topics a query switches on",
    "names": "list, name and annotate topics, many at once",
    "evaluate": "judge a trained model on documents",
    "groups": "show what distinguishes groups of documents, and what each year brought",
    "map": "lay out the documents of a run, those about the same things near each other",
    "systems": "list other systems to compare with",
    "compare": "train other systems on the same documents and print one table",
    "export": "write a trained model as a page, a picture or data",
}


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(EXIT_INPUT, f"orrery: {message}; see {self.prog} --help\n")


def build_parser() -> argparse.ArgumentParser:
    """Parser of the whole command line."""
    parser = _Parser(prog="orrery", description="Learn a graph of topics and walk in it.")
    parser.add_argument("--version", action="version", version=f"orrery {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, summary in COMMANDS.items():
        command = commands.add_parser(name, help=summary, description=summary.capitalize() + ".")
        command.add_argument("--debug", action="store_true", help="show the traceback of an error")
        _module(name).add_arguments(command)
    return parser


def _module(name: str) -> Any:
    return importlib.import_module(f".{name}_command", __package__)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; returns 0 done, 1 failed on the machine's side, 2 wrong input or usage."""
    # A terminal that cannot show a letter gets its number instead.
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    chosen = build_parser().parse_args(arguments)
    if threading.current_thread() is threading.main_thread():
        # A service manager's SIGTERM ends a command as Ctrl-C does: in order, nothing half-written.
        signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        return _run(chosen)
    except Exception as error:
        if chosen.debug:
            traceback.print_exc()
        code, message = explain_failure(error)
    except KeyboardInterrupt:
        code, message = EXIT_MACHINE, "interrupted"
    print("orrery: " + " ".join(message.split()), file=sys.stderr)
    return code


def _run(chosen: argparse.Namespace) -> int:
    result = _module(chosen.command).run(chosen)
    if getattr(chosen, "json", False):
        print(json.dumps(result, allow_nan=False))
    return EXIT_DONE


def explain_failure(error: Exception) -> tuple[int, str]:
    """Exit code and one sentence for an error of any kind."""
    if isinstance(error, InputError):
        return EXIT_INPUT, str(error)
    if isinstance(error, MemoryError):
        return EXIT_MACHINE, "the memory of this machine does not suffice"
    if isinstance(error, OSError):
        reason = error.strerror or str(error)
        return EXIT_MACHINE, f"{error.filename}: {reason}" if error.filename else reason
    return EXIT_MACHINE, f"{type(error).__name__}: {error} (add --debug to see where)"
