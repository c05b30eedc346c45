"""Quick runs of parts with two states of the code, to see whether a change alters their figures.

A long part cannot be run again after every change. If quick runs on tiny data give the same figures
before and after, the page of the part says so beside the mark that its figures are older.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import platformdirs

from tests.benchmarks.code_state import ROOT, Origin, commit_of_code
from tests.benchmarks.part import Figures, log
from tests.benchmarks.parts import PAGES
from tests.benchmarks.results import RESULTS, load_results, save_result

# Tiny data tell nothing about times, or about promises over many trials.
PAGES_LEFT_OUT = ("speed", "trust")
PARTS_LEFT_OUT = ("posterior_speed", "question_speed")
# Differences in the log.
MAX_SHOWN = 3


class RunError(Exception):
    """A quick run failed."""


def compare_older_parts(only: tuple[str, ...] = ()) -> None:
    """Store for each part whose code has changed whether a quick run gives the same figures.

    Parameters
    ----------
    only : tuple of str
        Names of parts; all by default.
    """
    commit, _ = commit_of_code()
    if not commit or commit.endswith("+"):
        raise SystemExit("commit all code first, so that the code that is compared has a name")
    with tempfile.TemporaryDirectory() as folder:
        trees = Trees(Path(folder))
        for page, name in _parts(only):
            try:
                _compare(trees, page, name, commit)
            except RunError as error:
                log.warning("%s %s: %s", page, name, error)


class Trees:
    """Checkouts of commits in a temporary folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def of(self, commit: str) -> Path:
        """Folder of a commit, checked out on the first call."""
        tree = self.folder / commit
        if not tree.is_dir():
            packed = self.folder / f"{commit}.tar"
            subprocess.run(["git", "archive", "-o", str(packed), commit], cwd=ROOT, check=True)
            with tarfile.open(packed) as archive:
                archive.extractall(tree, filter="data")
            packed.unlink()
        return tree

    def run(self, commit: str, page: str, name: str) -> Figures:
        """Figures of a quick run of a part with the code of a commit; no earlier model is used.

        Raises
        ------
        RunError
            With the last line that the run printed.
        """
        tree = self.of(commit)
        with tempfile.TemporaryDirectory(dir=self.folder) as cache:
            # Compiled kernels are found by their source, and shared.
            kernels = os.environ.get("NUMBA_CACHE_DIR") or platformdirs.user_cache_dir("orrery")
            environment = os.environ | {
                "PYTHONPATH": str(tree / "app" / "package"),
                "XDG_CACHE_HOME": cache,
                "NUMBA_CACHE_DIR": kernels,
                "ORRERY_DATA": os.environ.get("ORRERY_DATA", str(ROOT.parent / "shared" / "data")),
            }
            command = ["-m", "tests.benchmarks", page, "--only", name, "--quick"]
            done = subprocess.run(
                [sys.executable, *command],
                cwd=tree,
                env=environment,
                capture_output=True,
                text=True,
            )
        path = tree / "tests" / "benchmarks" / "results" / "quick" / f"{name}.json"
        if done.returncode or not path.is_file():
            last = [line for line in done.stderr.splitlines() if line.strip()][-1:]
            raise RunError(f"the quick run of {commit} failed: {' '.join(last)}")
        figures: Figures = json.loads(path.read_text(encoding="utf-8"))["figures"]
        path.unlink()
        return figures


def _parts(only: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Page and name of each part that has figures and can be compared."""
    known = load_results(RESULTS)
    for page in PAGES.values():
        for name in page.parts:
            is_wanted = name in only or not (only or name in PARTS_LEFT_OUT)
            if page.name not in PAGES_LEFT_OUT and is_wanted and name in known:
                yield page.name, name


def _to_compare(origins: Iterable[Origin]) -> list[Origin]:
    """Origins of a known commit whose code has changed since they were last compared."""
    return [
        origin
        for origin in origins
        if origin.commit
        and not origin.commit.endswith("+")
        and origin.changed()
        and not origin.agrees()
    ]


def _compare(trees: Trees, page: str, name: str, commit: str) -> None:
    """Compare a part at the commits of its older figures with it at a later commit."""
    older = _to_compare(load_results(RESULTS)[name].origins)
    runs = [trees.run(commit, page, name) for _ in range(2)] if older else []
    for earlier in sorted({origin.commit for origin in older}):
        n_equal, different = compared(trees.run(earlier, page, name), *runs)
        counts = f"{n_equal} figures equal, {len(different)} not"
        shown = "; ".join(different[:MAX_SHOWN])
        log.info("%s %s, %s and %s: %s. %s", page, name, earlier, commit, counts, shown)
        if n_equal and not different:
            _store(page, name, earlier, n_equal)


def compared(before: Figures, now: Figures, again: Figures) -> tuple[int, list[str]]:
    """Compare the figures of two states of the code, the second of which was run twice.

    What differs between the two runs of the same code, such as a time, is not compared.

    Returns
    -------
    n_equal : int
        Numbers that are equal.
    different : list of str
        Values that are not, or that one of the two does not have, with their places.
    """
    one, two, three = (dict(_leaves(figures)) for figures in (before, now, again))
    steady = {place for place in two.keys() | three.keys() if two.get(place) == three.get(place)}
    moving = (two.keys() | three.keys()) - steady
    places = sorted((one.keys() | steady) - moving)
    different = [
        f"{place} was {one.get(place)}, is {two.get(place)}"
        for place in places
        if one.get(place) != two.get(place)
    ]
    values = (one.get(place) for place in places if one.get(place) == two.get(place))
    return sum(type(value) in (int, float) for value in values), different


def _leaves(value: Any, place: str = "") -> Iterator[tuple[str, Any]]:
    """Values that are no containers, with their places."""
    if isinstance(value, dict | list):
        pairs = value.items() if isinstance(value, dict) else enumerate(value)
        for key, part in pairs:
            yield from _leaves(part, f"{place}/{key}")
    else:
        yield place, value


def _store(page: str, name: str, earlier: str, n_figures: int) -> None:
    """Note for the figures of a commit that quick runs give the same with the code of today."""
    start = PAGES[page].parts[name].run.__module__
    # Read late: another process may have run the part meanwhile.
    result = load_results(RESULTS)[name]
    origins = tuple(
        origin.agreeing(start, n_figures)
        if origin.commit == earlier and origin.changed()
        else origin
        for origin in result.origins
    )
    save_result(RESULTS, replace(result, origins=origins))
