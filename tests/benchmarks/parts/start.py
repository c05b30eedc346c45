"""The first minutes on a machine that has never run Orrery, and the same on one that has."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any
from unittest.mock import patch

from orrery.app.workspace.catalog import SAMPLE_DATA
from tests.benchmarks.alone import orrery
from tests.benchmarks.data import MissingData
from tests.benchmarks.in_browser import HAS_BEGUN, MIN_PAGE, PICTURE, SIZE
from tests.benchmarks.machine import measure_pace
from tests.benchmarks.markdown import number, table
from tests.benchmarks.other_clicks import ALL, window
from tests.benchmarks.part import Figures, Part, Settings, log
from tests.browser.driving import BrowserMissingError, launched, served, served_alone

QUERY = "space shuttle"
# Words of the query that is typed, none of which is in the one that the demo opens with.
TYPED = "table salt plate"
REPEATS = 3
# Limit for the compilation in the background, which has the lowest priority.
COMPILING_SECONDS = 900.0
# Folders of the home directory that Orrery and numba would use; numba has no other.
FOLDERS = {"HOME": "", "XDG_CACHE_HOME": ".cache", "XDG_DATA_HOME": ".local"}
ELSEWHERE = ("NUMBA_CACHE_DIR", "NUMBA_DISABLE_JIT")
# Whether a picture is painted, and whether one with a word is.
IS_PAINTED = f"() => {{ {ALL} return Boolean(all('{PICTURE}')[0]?.painted); }}"
IS_ANSWERED = f"""(word) => {{
  {ALL}
  return all('{PICTURE}')[0]?.painted?.nodes.some((node) => node.id === `word:${{word}}`);
}}"""
ABOUT = """On a *new* machine the home directory is empty, so that every kernel has to be compiled;
on a *warm* one the same command has run before, and so has all that it starts in the background.
Processor seconds are of the command alone; the first answer needs no kernel. Seconds in
Chromium are from the command `orrery demo` until the picture of its first query is painted, and
from the Return key of a query that is typed at once until its picture is; on a new machine,
everything else is compiled in the meantime. *Streamlit alone* is a script of three lines: no
picture can be there before its heading. Medians of {repeats} rounds, with the longest; goals in
brackets.
"""


def run(settings: Settings) -> Figures:
    """Start everything in an empty home directory, and again.

    Raises
    ------
    MissingData
        Where there is no browser, or the sample has no model.
    """
    if not (SAMPLE_DATA / "run" / "model").is_dir():
        raise MissingData("the sample has no trained model; see sample_data/README.md")
    repeats = settings.pick(REPEATS, 1)
    rows: dict[str, list[float]] = {}
    try:
        with launched() as browser:
            for _ in range(repeats):
                for name, figure in {**_commands(), **_in_browser(browser)}.items():
                    log.info("%s: %.1f", name, figure)
                    rows.setdefault(name, []).append(figure)
    except BrowserMissingError as missing:
        raise MissingData(str(missing)) from None
    return {"repeats": repeats, "rows": rows, "pace": measure_pace()}


@contextmanager
def new_machine() -> Iterator[Path]:
    """An empty home directory for all processes that are started."""
    with tempfile.TemporaryDirectory() as folder:
        places = {name: str(Path(folder, place)) for name, place in FOLDERS.items()}
        kept = {name: value for name, value in os.environ.items() if name not in ELSEWHERE}
        with patch.dict(os.environ, kept | places, clear=True):
            yield Path(folder)


def _commands() -> dict[str, float]:
    """Processor seconds of a query and of training."""
    found = {}
    with new_machine() as home:
        for machine in ("new", "warm"):
            asked = orrery("infer", SAMPLE_DATA / "run", "--query", QUERY)
            trained = orrery("train", SAMPLE_DATA / "corpus", "--out", home / machine, "--json")
            found[f"infer, {machine}"] = asked.processor_seconds
            found[f"train, {machine}"] = trained.processor_seconds
    return found


def _in_browser(browser: Any) -> dict[str, float]:
    """Seconds until the first picture and until the answer to a typed query; of Streamlit too."""
    found = {}
    with new_machine() as home:
        script = home / "page.py"
        script.write_text(MIN_PAGE, encoding="utf-8")
        begun = time.perf_counter()
        with served_alone(script) as url, window(browser.new_context(viewport=SIZE)) as page:
            page.goto(url)
            page.wait_for_function(HAS_BEGUN)
            found["Streamlit alone"] = time.perf_counter() - begun
    with new_machine() as home:
        for machine in ("new", "warm"):
            begun = time.perf_counter()
            with served("demo", home / "workspace") as url:
                with window(browser.new_context(viewport=SIZE)) as page:
                    page.goto(url)
                    page.wait_for_function(IS_PAINTED)
                    found[f"picture, {machine}"] = time.perf_counter() - begun
                    found[f"answer, {machine}"] = _type(page)
                if machine == "new":
                    _wait_until_compiled(home)
    return found


def _type(page: Any) -> float:
    """Seconds from the Return key of a typed query until its picture is painted."""
    box = page.locator(".st-key-q input")
    box.fill(TYPED)
    begun = time.perf_counter()
    box.press("Enter")
    page.wait_for_function(IS_ANSWERED, arg=TYPED.split()[0])
    return time.perf_counter() - begun


def _wait_until_compiled(home: Path) -> None:
    """Wait for the process in the background, which leaves a file when all is compiled."""
    until = time.monotonic() + COMPILING_SECONDS
    while not any(home.rglob("all-*")):
        if time.monotonic() > until:
            raise TimeoutError("not everything was compiled in time")
        time.sleep(1.0)


def show(figures: Figures) -> str:
    """One table, with the goals."""
    goals = {
        "infer, new": ("first `orrery infer`, processor seconds", 2.5),
        "train, new": ("first `orrery train` on the sample, processor seconds", 25.0),
        "infer, warm": ("`orrery infer` again, processor seconds", None),
        "train, warm": ("`orrery train` again, processor seconds", None),
        "picture, new": ("new machine: from `orrery demo` to the first picture, s", 8.0),
        "answer, new": ("new machine: a typed query, s", 1.0),
        "picture, warm": ("warm machine: from `orrery demo` to the first picture, s", 5.0),
        "answer, warm": ("warm machine: a typed query, s", None),
        "Streamlit alone": ("Streamlit alone: to its heading, s", None),
    }
    rows = []
    for name, (what, goal) in goals.items():
        values = figures["rows"][name]
        aim = "" if goal is None else f" ({goal:g})"
        rows.append([what, number(median(values), 1) + aim, number(max(values), 1)])
    rows.append(["pace, ms", number(figures["pace"], 0), ""])
    about = ABOUT.format(repeats=figures["repeats"])
    return f"{about}\n{table(['start', 'median', 'longest'], rows)}\n"


PART = Part("start", "The first minutes", 25, run, show)
