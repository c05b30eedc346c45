"""The command line answers at once, in the right stream, with the right code and in one line."""

from __future__ import annotations

import io
import json
import subprocess
import sys

import pytest

from orrery.app.cli import main
from orrery.core import __version__
from orrery.core.utils.errors import InputError

HEAVY = {"numba", "streamlit", "pandas", "scipy", "sklearn", "pyarrow", "numpy"}
PRINT_IMPORTS = f"""
import sys
from orrery.app.cli.main import main
try:
    main(sys.argv[1:])
except SystemExit:
    pass
print(*sorted({HEAVY!r} & set(sys.modules)), file=sys.stderr)
"""


def run_main(*arguments: str) -> object:
    try:
        return main.main(arguments)
    except SystemExit as exit_:
        return exit_.code


@pytest.mark.parametrize("command", ["", *main.COMMANDS])
def test_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_main(*([command] if command else []), "--help") == 0
    captured = capsys.readouterr()
    assert captured.out.startswith("usage: orrery " + command)
    assert captured.err == ""
    if not command:
        listed = [line.split()[0] for line in captured.out.splitlines() if line[:4] == "    "]
        assert set(main.COMMANDS) <= set(listed)


@pytest.mark.parametrize("arguments", [["--help"], ["train", "--help"], ["infer"]])
def test_help_waits_for_nothing_heavy(arguments: list[str]) -> None:
    command = [sys.executable, "-c", PRINT_IMPORTS, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stderr.splitlines()[-1] == ""


def test_version_by_way_of_the_module() -> None:
    command = [sys.executable, "-m", "orrery", "--version"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == f"orrery {__version__}\n"


@pytest.mark.parametrize(
    "arguments",
    [
        "",
        "fly",
        "import",
        "import a",
        "import a --out b --colour",
        "import a --out b --min-df few",
        "import a --out b --max-vocabulary 0",
        "structure c --out g --topics 1,x",
        "structure c --out g --topics 3,,2",
        "structure c --out g --method magic",
        "structure c --out g --edges 0",
        "train c",
        "train c --out r --epochs 0",
        "train c --out r --epochs 1.5",
        "train c --out r --seed -1",
        "train c --out r --held-out 1",
        "train c --out r --held-out nan",
        "train c --out r --time-budget 0",
        "train c --out r --time-budget inf",
        "train c --out r --threads 0",
        "train c --out r --bound both",
        "infer r",
        "infer r --query a --open-world --closed-world",
        "evaluate r --samples 0",
        "evaluate r --seed x",
        "app --port x",
    ],
)
def test_wrong_usage_is_one_line(arguments: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_main(*arguments.split()) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("orrery: ")
    assert captured.err.count("\n") == 1
    assert captured.err.endswith("--help\n")


class Broken:
    """A command that fails."""

    def __init__(self, error: BaseException) -> None:
        self.error = error

    def add_arguments(self, parser: object) -> None:
        pass

    def run(self, chosen: object) -> None:
        raise self.error


def break_commands(monkeypatch: pytest.MonkeyPatch, command: object) -> None:
    """Replace the module of ``orrery evaluate``, the only command that is left."""
    monkeypatch.setattr(main, "COMMANDS", {"evaluate": main.COMMANDS["evaluate"]})
    monkeypatch.setattr(main, "_module", lambda name: command)


FAILURES = [
    (InputError("it is\nwrong"), 2, "it is wrong"),
    (MemoryError(), 1, "the memory of this machine does not suffice"),
    (OSError(28, "No space left on device", "/disk/f"), 1, "/disk/f: No space left on device"),
    (OSError("the app ended"), 1, "the app ended"),
    (RuntimeError("line\none"), 1, "RuntimeError: line one (add --debug to see where)"),
    (ValueError("no"), 1, "ValueError: no (add --debug to see where)"),
    (KeyboardInterrupt(), 1, "interrupted"),
]


@pytest.mark.parametrize(("error", "code", "line"), FAILURES)
def test_every_failure_is_one_line(
    error: BaseException,
    code: int,
    line: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    break_commands(monkeypatch, Broken(error))
    assert run_main("evaluate") == code
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == f"orrery: {line}\n"


@pytest.mark.parametrize(("error", "code", "line"), FAILURES[:-1])
def test_debug_shows_where_and_changes_nothing_else(
    error: BaseException,
    code: int,
    line: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    break_commands(monkeypatch, Broken(error))
    assert run_main("evaluate", "--debug") == code
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("Traceback (most recent call last)")
    assert "raise self.error" in captured.err
    assert captured.err.endswith(f"\norrery: {line}\n")


class Answering:
    """A command that answers."""

    def __init__(self, answer: object) -> None:
        self.answer = answer

    def add_arguments(self, parser: object) -> None:
        parser.add_argument("--json", action="store_true")

    def run(self, chosen: object) -> object:
        if not chosen.json:
            sys.stdout.write("Größe · \udcff")
        return self.answer


def test_json_is_one_object_that_any_terminal_can_show(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = {"label": "Größe · 星", "typed": "\udcff", "none": None, "number": 0.1}
    break_commands(monkeypatch, Answering(answer))
    for encoding in ("ascii", "cp1252", "utf-8"):
        stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
        monkeypatch.setattr(sys, "stdout", stream)
        assert run_main("evaluate", "--json") == 0
        stream.flush()
        lines = stream.buffer.getvalue().decode(encoding).splitlines()
        assert [json.loads(line) for line in lines] == [answer]


def test_words_that_a_terminal_cannot_show_do_not_stop_it(monkeypatch: pytest.MonkeyPatch) -> None:
    break_commands(monkeypatch, Answering({}))
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", stream)
    assert run_main("evaluate") == 0
    stream.flush()
    assert stream.buffer.getvalue().startswith(b"Gr\\xf6")


def test_what_is_no_number_is_no_json(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    break_commands(monkeypatch, Answering({"bound": float("nan")}))
    assert run_main("evaluate", "--json") == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("orrery: ")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such pipes")
def test_a_reader_that_ends_early_is_no_failure() -> None:
    """As in ``orrery systems | head -1``."""
    command = [sys.executable, "-m", "orrery", "systems"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0
