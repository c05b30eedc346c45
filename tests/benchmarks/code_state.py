"""Code that made a result: the modules that ran, and whether they have changed since."""

from __future__ import annotations

import ast
import io
import os
import subprocess
import tempfile
import tokenize
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).parents[2]
# Folder of each package as it is named when it is imported.
FOLDERS = {
    "orrery.core": ROOT / "core",
    "orrery.app": ROOT / "app",
    "orrery.assets": ROOT / "assets",
    "orrery.sample_data": ROOT / "sample_data",
    "orrery": ROOT / "app" / "package" / "orrery",
    "tests": ROOT / "tests",
}
PARTS = "tests.benchmarks.parts"
# They show figures or list the parts, and make no figure.
SHOWING = {PARTS} | {
    f"tests.benchmarks.{name}" for name in ("code_state", "markdown", "page", "part", "results")
}
# Functions of parts that show figures.
SHOWS = ("show", "summary")
# Files that hold code.
CODE = ("*.py", "*.js")
# Started first in every process of Python that a part starts; it writes the names of the modules.
HOOK = """
import atexit, os, sys
def write(folder={folder!r}):
    names = [name for name in list(sys.modules) if name.partition(".")[0] in ("orrery", "tests")]
    with open(os.path.join(folder, str(os.getpid()) + ".txt"), "w") as file:
        file.write("\\n".join(names))
atexit.register(write)
"""


@dataclass(frozen=True)
class Agreement:
    """Comparison of two states of the code by quick runs of a part, which gave the same figures.

    Attributes
    ----------
    commit : str
        Short hash of the later state.
    date : str
        Day of the later commit.
    n_figures : int
        Numbers that were equal.
    modules : dict of str to str
        Digest of each module in the later state that was different or absent in the earlier one.
    """

    commit: str
    date: str
    n_figures: int
    modules: Mapping[str, str]


@dataclass(frozen=True)
class Origin:
    """Code that made the figures of a part, or of some of its sets.

    Attributes
    ----------
    sets : tuple of str
        Sets that were run; empty for all.
    commit : str
        Short hash of the last commit that changed code, with "+" if some code was not committed;
        "" if unknown.
    date : str
        Day of the commit.
    modules : dict of str to str
        Digest of each module that ran; empty if they were not recorded.
    agreed : Agreement or None
        Last comparison with a later state of the code.
    """

    sets: tuple[str, ...]
    commit: str
    date: str
    modules: Mapping[str, str]
    agreed: Agreement | None = None

    def changed(self) -> list[str]:
        """Names of the modules that have changed or are gone."""
        return [
            name
            for name, digest in self.modules.items()
            if name not in SHOWING and digest_of(name) != digest
        ]

    def agrees(self) -> bool:
        """Whether quick runs gave the same figures with the code of today and with the original."""
        if self.agreed is None:
            return False
        modules = {**self.modules, **self.agreed.modules}
        return all(digest_of(name) == modules[name] for name in modules.keys() - SHOWING)

    def agreeing(self, start: str, n_figures: int) -> Origin:
        """Origin after quick runs of a part gave the same figures with the code of today.

        Parameters
        ----------
        start : str
            Module of the part.
        n_figures : int
        """
        now = origin_of(self.sets, closure(start) | self.modules.keys())
        gone = dict.fromkeys(self.modules.keys() - now.modules.keys() - SHOWING, "")
        modules = dict((now.modules | gone).items() - self.modules.items())
        return replace(self, agreed=Agreement(now.commit, now.date, n_figures, modules))


# Origin of figures from before origins were recorded.
UNKNOWN = Origin((), "", "", {})


@contextmanager
def recorded(start: str, sets: tuple[str, ...]) -> Iterator[list[Origin]]:
    """Collect what a part runs; the list has its origin at the end.

    In this process, which imports all parts, the modules that the part can import count; in the
    processes that it starts, the modules that they have imported.

    Parameters
    ----------
    start : str
        Module of the part.
    sets : tuple of str
    """
    origins: list[Origin] = []
    before = os.environ.get("PYTHONPATH")
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "sitecustomize.py").write_text(HOOK.format(folder=folder), encoding="utf-8")
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (folder, before)))
        try:
            yield origins
        finally:
            os.environ["PYTHONPATH"] = before or ""
            if before is None:
                del os.environ["PYTHONPATH"]
        names = closure(start)
        for path in Path(folder).glob("*.txt"):
            names |= set(path.read_text(encoding="utf-8").split())
    origins.append(origin_of(sets, names))


def origin_of(sets: tuple[str, ...], names: set[str]) -> Origin:
    """Origin of figures that these modules made, as they are now."""
    commit, date = commit_of_code()
    found = {name: digest_of(name) for name in sorted(names - SHOWING) if path_of(name)}
    return Origin(sets, commit, date, found)


def merged(earlier: Iterable[Origin], new: Origin, all_sets: Iterable[str]) -> tuple[Origin, ...]:
    """Origins of a part after some of its sets were run again.

    An origin of all sets stays until each of ``all_sets``, which have figures, was run again.
    """
    if not new.sets:
        return (new,)
    kept = []
    for origin in earlier:
        sets = tuple(name for name in origin.sets if name not in new.sets)
        if sets or not origin.sets:
            kept.append(replace(origin, sets=sets))
    made = {name for origin in (*kept, new) for name in origin.sets}
    if made >= set(all_sets):
        kept = [origin for origin in kept if origin.sets]
    return (*kept, new)


def closure(start: str) -> set[str]:
    """Modules of this repository that a module can import, directly or by others."""
    found: set[str] = set()
    waiting = [start]
    while waiting:
        name = waiting.pop()
        if name in found or path_of(name) is None:
            continue
        found.add(name)
        # Parts import each other in a list of all, which none of them needs.
        if name != PARTS:
            waiting += [*_imported(name), name.rpartition(".")[0]]
    return found


@cache
def _imported(name: str) -> frozenset[str]:
    """Names that a module imports anywhere, except for types; some of them may be no modules."""
    path = path_of(name)
    assert path is not None
    is_package = path.name == "__init__.py"
    names: set[str] = set()
    waiting: list[ast.AST] = [ast.parse(path.read_text(encoding="utf-8"))]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING":
            waiting += node.orelse
            continue
        waiting += ast.iter_child_nodes(node)
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            parts = name.split(".")
            up = node.level - is_package
            base = ".".join(parts[: len(parts) - up]) if node.level else ""
            base = ".".join(filter(None, (base, node.module)))
            names |= {base, *(f"{base}.{alias.name}" for alias in node.names)}
    return frozenset(names)


def path_of(name: str) -> Path | None:
    """Source of a module of this repository; None for other names."""
    for package, folder in FOLDERS.items():
        if name == package or name.startswith(f"{package}."):
            place = folder.joinpath(*name.removeprefix(package).strip(".").split("."))
            options = (place / "__init__.py", place.with_name(f"{place.name}.py"))
            return next((path for path in options if path.is_file()), None)
    return None


@cache
def digest_of(name: str) -> str:
    """Digest of a module's code, without what changes no figure; "" if the module is gone."""
    path = path_of(name)
    if path is None:
        return ""
    text = code_of(path.read_text(encoding="utf-8"), is_part=name.startswith(f"{PARTS}."))
    return sha256(text.encode()).hexdigest()[:16]


def code_of(source: str, *, is_part: bool = False) -> str:
    """Source without docstrings, comments and blank lines.

    From a part, the functions that show figures and the texts of the page are left out too.
    """
    tree = ast.parse(source)
    lines = source.splitlines()
    left_out: list[ast.stmt] = []
    for node in ast.walk(tree):
        kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
        if isinstance(node, kinds) and ast.get_docstring(node, clean=False) is not None:
            left_out.append(node.body[0])
    for statement in tree.body if is_part else ():
        is_show = isinstance(statement, ast.FunctionDef) and statement.name in SHOWS
        value = getattr(statement, "value", None)
        is_text = isinstance(value, ast.JoinedStr) or isinstance(getattr(value, "value", None), str)
        if is_show or (isinstance(statement, ast.Assign) and is_text):
            left_out.append(statement)
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            row, column = token.start
            lines[row - 1] = lines[row - 1][:column]
    for statement in left_out:
        for row in range(statement.lineno, (statement.end_lineno or statement.lineno) + 1):
            lines[row - 1] = ""
    return "\n".join(line.rstrip() for line in lines if line.strip())


def commit_of_code() -> tuple[str, str]:
    """Short hash, with "+" if code is not committed, and day of the last commit that changed code.

    Both are "" without git.
    """

    def git(*arguments: str) -> str:
        return subprocess.run(
            ["git", *arguments], cwd=ROOT, check=True, capture_output=True, text=True
        ).stdout.strip()

    try:
        commit, date = git("log", "-1", "--format=%h %cs", "--", *CODE).split()
        is_changed = git("status", "--porcelain", "--", *CODE)
    except (OSError, subprocess.CalledProcessError):
        return "", ""
    return commit + "+" * bool(is_changed), date
