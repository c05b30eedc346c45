"""What-if clicks on the sample in a browser: how long until the picture has moved."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from itertools import islice, zip_longest
from pathlib import Path
from typing import Any
from urllib.parse import quote_plus

import numpy as np

from app.examples import example_queries
from app.graph_links import word_text
from app.workspace import SAMPLE_DATA
from core.storage import load_run
from tests.benchmarks.data import MissingData
from tests.benchmarks.markdown import number, table
from tests.benchmarks.part import Figures, Part, Settings, log
from tests.browser.driving import BrowserMissingError, launched, served

CLICKS, QUICK_CLICKS = 100, 10
# A word is present, absent, unknown and present again; a topic on, off and free.
STATES = 3
SIZE = {"width": 1280, "height": 800}
# The first query of a machine may have to compile its kernels.
PATIENCE = 120_000
PICTURE = ".orrery-graph"
KINDS = ("word", "topic")
GOAL = 200
ABOUT = """{clicks} what-if clicks (shift click) on words and topics in the picture of the Query
page, in Chromium with {width} × {height} pixels, on the sample ({topics} topics, {edges} edges).
Each word and each topic of the example queries is switched through all its states, so that no click
asks for what was answered before. Timed from the press of the button until the picture is painted
with all that follows from it: the last change before it stays as it is; a click that nothing
follows counts as {lost} s. The goal is {goal} ms.
"""
# The picture is done when nothing has changed for so long, and a click without an answer counts as
# answered then; both in milliseconds.
CALM, LOST = 500, 10_000
# From the event of the click until the last change of the painted picture, looked at every frame:
# what is measured is late by one frame at most.
WATCH = """(box, [calm, lost]) => {
  let seen = JSON.stringify(box.painted), changed = null;
  window.answered = new Promise(done => {
    const begin = event => {
      const look = () => {
        const since = performance.now() - event.timeStamp, painted = JSON.stringify(box.painted);
        if (painted !== seen) [seen, changed] = [painted, since];
        if (changed !== null && since - changed > calm) done(changed);
        else if (since > lost) done(since);
        else requestAnimationFrame(look);
      };
      look();
    };
    window.addEventListener("pointerdown", begin, { capture: true, once: true });
  });
}"""
FIRST_PAINT = "async box => { while (!box.painted) await new Promise(requestAnimationFrame); }"
IS_STILL = """() => document.querySelector('[data-testid=stApp]')
    ?.getAttribute('data-test-script-state') === 'notRunning'"""


def run(settings: Settings) -> Figures:
    """Click, and time every click."""
    if not (SAMPLE_DATA / "run" / "model").is_dir():
        raise MissingData("the sample has no trained model; see sample_data/README.md")
    sample = load_run(SAMPLE_DATA / "run")
    found = example_queries(sample.network, sample.vocabulary)
    queries = [
        " ".join(word_text(sample.vocabulary[token]) for token in query)
        for example in found
        for query in example.queries
    ]
    try:
        timed = list(_timed(queries, settings.pick(CLICKS, QUICK_CLICKS)))
    except BrowserMissingError as missing:
        raise MissingData(str(missing)) from None
    graph = sample.network.graph
    return {
        "topics": graph.n_topics,
        "edges": graph.n_edges,
        **{f"{kind}_ms": [ms for node, ms in timed if node.startswith(kind)] for kind in KINDS},
    }


def _timed(queries: list[str], count: int) -> Iterator[tuple[str, float]]:
    with tempfile.TemporaryDirectory() as folder:
        workspace = Path(folder) / "workspace"
        with served("demo", workspace) as url, launched() as browser:
            page = browser.new_page(viewport=SIZE)
            page.set_default_timeout(PATIENCE)
            yield from islice(_all_clicks(page, url, queries), count)


def _all_clicks(page: Any, url: str, queries: list[str]) -> Iterator[tuple[str, float]]:
    """Switch every node of the picture of every query through its states."""
    for query in queries:
        page.goto(f"{url}/query?q={quote_plus(query)}")
        page.locator(PICTURE).evaluate(FIRST_PAINT)
        log.info("what if, on %s", query)
        for node in _in_turns(page.locator(PICTURE).evaluate("box => box.nodeIds()")):
            for _ in range(STATES):
                page.wait_for_function(IS_STILL)
                # A topic that is held may take others out of the picture.
                if node in page.locator(PICTURE).evaluate("box => box.nodeIds()"):
                    yield node, _click(page, node)


def _in_turns(nodes: list[str]) -> list[str]:
    """Words and topics by turns, so that a few of them are of both kinds."""
    kinds = ([node for node in nodes if node.startswith(kind)] for kind in KINDS)
    return [node for pair in zip_longest(*kinds) for node in pair if node]


def _click(page: Any, node: str) -> float:
    """Milliseconds from a click until the picture shows what follows."""
    box = page.locator(PICTURE)
    box.scroll_into_view_if_needed()
    spot = box.evaluate("(box, id) => box.whereIs(id)", node)
    box.evaluate(WATCH, [CALM, LOST])
    page.keyboard.down("Shift")
    page.mouse.click(spot["x"], spot["y"])
    page.keyboard.up("Shift")
    return float(page.evaluate("() => window.answered"))


def show(figures: Figures) -> str:
    """A line for words, for topics and for both."""
    names = {"words": "word_ms", "topics": "topic_ms"}
    times = {name: figures[key] for name, key in names.items()}
    times["**all**"] = times["words"] + times["topics"]
    rows = [
        [name, str(len(ms)), number(np.median(ms), 0), number(np.quantile(ms, 0.95), 0)]
        for name, ms in times.items()
        if ms
    ]
    about = ABOUT.format(
        clicks=len(times["**all**"]),
        topics=figures["topics"],
        edges=figures["edges"],
        goal=GOAL,
        lost=LOST // 1000,
        **SIZE,
    )
    header = ["clicks on", "clicks", "median, ms", "95th percentile, ms"]
    return f"{about}\n{table(header, rows)}\n"


PART = Part("clicks", "What-if clicks in the browser", 3, run, show)
