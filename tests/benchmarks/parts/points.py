"""The document map of a large corpus in a browser: layout, opening, and frame rate."""

from __future__ import annotations

import itertools
import tempfile
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import numpy as np

from tests.benchmarks.alone import orrery
from tests.benchmarks.data import MissingData
from tests.benchmarks.in_browser import SIZE
from tests.benchmarks.machine import measure_pace
from tests.benchmarks.markdown import number, table
from tests.benchmarks.other_clicks import ALL, window
from tests.benchmarks.part import Figures, Part, Settings, log
from tests.benchmarks.parts.scale import abstracts, write_texts
from tests.browser.driving import BrowserMissingError, launched, served

NAME = "abstracts"
WORDS, TOPICS, EPOCHS = 20_000, "300", 2
QUICK_DOCUMENTS, QUICK_WORDS, QUICK_TOPICS = 1_000, 300, "10"
# Each after a first time, which fills the caches of the server and is reported separately.
VISITS = 5
SECONDS, REACH = 4.0, 300
STAGE = ".orrery-points .stage"
# Milliseconds since the address was asked for, once points and names are drawn.
IS_DRAWN = f"""() => {{
  {ALL}
  const [stage] = all('{STAGE}[data-labels]');
  return stage && Number(stage.dataset.points) > 0 && performance.now();
}}"""
# Moments of the frames that the browser draws from now on.
COUNT_FRAMES = """() => {
  const drawnAt = (window.drawnAt = []);
  const next = (now) => {
    drawnAt.push(now);
    if (window.drawnAt === drawnAt) requestAnimationFrame(next);
  };
  requestAnimationFrame(next);
}"""
ABOUT = """{documents} arXiv abstracts, {placed} of which have a topic with probability 0.1 or more
and therefore a position, on the map of a model of {topics} topics that was trained for {epochs}
epochs; the quality of the topics does not matter here. *Opened*: from the address in a new window
of {width} × {height} pixels until all points and names are drawn, {visits} times after a first one.
*Moved*: frames per second while the map is dragged for {seconds:.0f} seconds, at the whole map and
at three zoom levels; the machine has no graphics card, so the processor draws. Goals are in
brackets.
"""


def run(settings: Settings) -> Figures:
    """Import, train a little, lay out, and look at the map.

    Raises
    ------
    MissingData
        Where there is no browser, or no corpus.
    """
    with tempfile.TemporaryDirectory() as folder:
        workspace, source = Path(folder, "workspace"), Path(folder, "texts.csv")
        stored, place = (workspace / kind / NAME for kind in ("corpora", "runs"))
        write_texts(source, itertools.islice(abstracts(), settings.pick(None, QUICK_DOCUMENTS)))
        words = settings.pick(WORDS, QUICK_WORDS)
        orrery("import", source, "--out", stored, "--json", "--max-vocabulary", words)
        topics = settings.pick(TOPICS, QUICK_TOPICS)
        options = ("--topics", topics, "--epochs", settings.pick(EPOCHS, 1), "--held-out", 0.01)
        trained = orrery("train", stored, "--out", place, "--json", *options)
        log.info("trained in %.0f s", trained.seconds)
        laid_out = orrery("map", place, "--json")
        log.info("laid out in %.0f s", laid_out.seconds)
        try:
            looked_at = _looked_at(workspace)
        except BrowserMissingError as missing:
            raise MissingData(str(missing)) from None
    counts = {name: laid_out.json()[name] for name in ("documents", "placed")}
    return {
        **counts,
        "topics": topics,
        "laid_out": laid_out.cost(),
        **looked_at,
        "pace": measure_pace(),
    }


def _looked_at(workspace: Path) -> dict[str, Any]:
    """Open the map, and drag it."""
    with launched() as browser, served("app", workspace) as url:
        visitor = browser.new_context(viewport=SIZE)
        address = f"{url}/map?{urlencode({'corpus': NAME, 'run': NAME})}"
        opened = []
        for _ in range(1 + VISITS):
            with window(visitor) as page:
                page.goto(address)
                opened.append(float(page.wait_for_function(IS_DRAWN).json_value()))
        log.info("opened in %s ms", opened)
        with window(visitor) as page:
            page.goto(address)
            page.wait_for_function(IS_DRAWN)
            whole = _frames(page)
            for _ in range(3):
                page.locator(STAGE).press("+")
            near = _frames(page)
    return {"first": opened[0], "opened": opened[1:], "whole": whole, "near": near}


def _frames(page: Any) -> float:
    """Frames a second that the browser draws while the map is dragged."""
    box = page.locator(STAGE).bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.evaluate(COUNT_FRAMES)
    page.mouse.move(x, y)
    page.mouse.down()
    begin, steps = time.perf_counter(), itertools.count()
    while time.perf_counter() - begin < SECONDS:
        angle = next(steps) / 20
        page.mouse.move(x + REACH * np.sin(angle), y + REACH / 3 * np.sin(2 * angle))
    drawn = np.asarray(page.evaluate("() => window.drawnAt"))
    page.mouse.up()
    return float(1000 * (len(drawn) - 1) / (drawn[-1] - drawn[0]))


def show(figures: Figures) -> str:
    """One table, with the goals."""
    about = ABOUT.format(
        **{name: number(figures[name], 0) for name in ("documents", "placed")},
        topics=figures["topics"],
        epochs=EPOCHS,
        visits=VISITS,
        seconds=SECONDS,
        **SIZE,
    )
    opened, cost = np.asarray(figures["opened"]) / 1000, figures["laid_out"]
    rows = [
        ["layout, minutes", f"{number(cost['seconds'] / 60, 1)} (3 for 100,000)"],
        ["peak memory, GB", number(cost["gigabytes"], 2)],
        ["first opened, s", number(figures["first"] / 1000, 1)],
        ["opened, s", f"{number(np.median(opened), 1)}, maximum {number(opened.max(), 1)} (3)"],
        ["moved, whole map, frames per second", f"{number(figures['whole'], 0)} (30)"],
        ["moved, three zoom levels, frames per second", f"{number(figures['near'], 0)} (30)"],
        ["pace, ms", number(figures["pace"], 0)],
    ]
    return f"{about}\n{table(['quantity', 'value'], rows)}\n"


PART = Part("points", "The map of all documents", 25, run, show)
