"""The app in Chromium: how long clicks take until the picture moves, and pages until they stand."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import islice, zip_longest
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import numpy as np

from orrery.app.shared.examples import example_queries
from orrery.app.shell.page import TYPING_PAUSE
from orrery.app.views.query.page import HEAD_START
from orrery.core.drawing.links import word_text
from orrery.core.model.topic_model import Run
from tests.benchmarks.data import MissingData
from tests.benchmarks.markdown import number, table
from tests.benchmarks.other_clicks import ALL, TIMES, by_moment, subjects_of, time_clicks, window
from tests.benchmarks.part import log
from tests.benchmarks.server_memory import peak_gigabytes
from tests.browser.driving import IS_STILL, BrowserMissingError, launched, served, served_alone

PAGES = ("home", "corpus", "query", "graph", "documents", "train", "evaluate", "share")
ALONE = "*Streamlit alone*"
MIN_PAGE = """import streamlit as st
st.title("A page")
st.caption("With a heading and one sentence.")
"""
# Each page is opened so often after a first time, which may fill caches and is not timed.
VISITS = 5
# A word is present, absent, unknown and present again; a topic on, off and free.
STATES = 3
SIZE = {"width": 1280, "height": 800}
PICTURE = ".orrery-graph"
KINDS = ("word", "topic")
GOAL = 200
# The picture is done when nothing has changed for so long, and a click without an answer counts as
# answered then; both in milliseconds.
CALM, LOST = 500, 10_000
ABOUT_CLICKS = f"""{{clicks}} what-if clicks (shift-click) on words and topics in the picture of the
Query page. Each word and topic of the example queries is switched through all its states, so that
no answer is in a cache. The time is from the press of the button to the last change of the painted
picture; a click without an answer counts as {LOST // 1000} s. The goal is {{goal}} ms.
"""
ABOUT_OTHERS = f"""Other clicks, {TIMES} times each, on another topic or word every time:
milliseconds until the answer is drawn, and until the page is complete. Medians, with maximum. A
search waits {TYPING_PAUSE.removesuffix("ms")} ms for the next letter, and the rest of the page is
drawn {HEAD_START * 1000:.0f} ms after a new picture.
"""
ABOUT_SERVER = """Time from the command to the complete first page, in an open browser: {first:.1f}
s. Peak memory of the server: {gigabytes} GB.
"""
ABOUT_PAGES = f"""Pages opened by their address in a new window, {VISITS} times each after a first
time that is not counted: milliseconds until the heading and the first element below it are drawn,
and until the page is complete. Medians, with maximum. {ALONE} is a script of three lines with a
heading and a sentence, without Orrery; it is the lower limit for every page.
"""
# From the event of the click until the last change of the painted picture, looked at every frame:
# what is measured is late by one frame at most.
OBSERVER = """(box, [calm, lost]) => {
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
SCROLL_TO = """(box, id) => {
  const main = document.querySelector('[data-testid=stMain]');
  main.scrollBy(0, box.whereIs(id).y - main.clientHeight / 2);
}"""
FIRST_PAINT = "async box => { while (!box.painted) await new Promise(requestAnimationFrame); }"
# Milliseconds since the address was asked for, when the page has more than its heading; and when
# the script has ended, and pictures and charts, which are drawn after it, are painted.
HAS_BEGUN = """() => {
  const main = document.querySelector('[data-testid=stMain]');
  const heading = main?.querySelector('h1')?.innerText ?? '';
  return heading && main.innerText.length > heading.length + 20 && performance.now();
}"""
HAS_ENDED = f"""() => {{
  {ALL}
  return ({HAS_BEGUN})() && ({IS_STILL})()
    && all('{PICTURE}').every((picture) => picture.painted)
    && all('.orrery-map').every((map) => map.querySelector('.box'))
    && all('[data-testid=stVegaLiteChart]').every((chart) => chart.querySelector('canvas, svg'))
    && performance.now();
}}"""


def measure(
    command: str, run: Run, workspace: Path, place: Mapping[str, str], clicks: int
) -> dict[str, Any]:
    """Open the pages and click in the picture of a model.

    Parameters
    ----------
    command : {"app", "demo"}
        Command that starts the app, without or with the sample.
    run : Run
        The model, as the app shows it.
    workspace : Path
    place : mapping of str to str
        Parameters of the URL that show the model.
    clicks : int

    Returns
    -------
    dict
        ``word_ms`` and ``topic_ms``, milliseconds of each click; ``pages``, by name the
        milliseconds of each visit until the page ``begins`` and until it ``ends``; ``others``, the
        same of other clicks; ``first``, seconds from the command until the first page is there;
        ``gigabytes``, peak memory of the server, None if the system does not report it.

    Raises
    ------
    MissingData
        Without a browser.
    """
    try:
        pages = {ALONE: _visits_of_streamlit()}
        with launched() as browser:
            # One visitor, whose browser keeps what it has loaded before.
            visitor = browser.new_context(viewport=SIZE)
            with _first_page(visitor, command, workspace, place) as (url, first):
                pages |= {name: _visits(visitor, f"{url}/{name}", place) for name in PAGES}
                queries = _queries(run)
                with window(visitor) as page:
                    found = _all_clicks(page, f"{url}/query", place, queries)
                    timed = list(islice(found, clicks))
                others = time_clicks(visitor, url, place, subjects_of(run, queries))
                gigabytes = _peak(url)
    except BrowserMissingError as missing:
        raise MissingData(str(missing)) from None
    by_kind = {f"{kind}_ms": [ms for node, ms in timed if node.startswith(kind)] for kind in KINDS}
    return {
        **by_kind,
        "pages": pages,
        "others": others,
        "first": first,
        "gigabytes": gigabytes,
    }


def open_first(workspace: Path, place: Mapping[str, str]) -> dict[str, Any]:
    """Start the app on a model and open its first page.

    Parameters
    ----------
    workspace : Path
    place : mapping of str to str
        Parameters of the URL that show the model.

    Returns
    -------
    dict
        ``first``, seconds from the command until the page is complete, and ``gigabytes``, see
        `measure`.

    Raises
    ------
    MissingData
        Without a browser.
    """
    try:
        with launched() as browser, _first_page(browser, "app", workspace, place) as (url, first):
            return {"first": first, "gigabytes": _peak(url)}
    except BrowserMissingError as missing:
        raise MissingData(str(missing)) from None


@contextmanager
def _first_page(
    visitor: Any, command: str, workspace: Path, place: Mapping[str, str]
) -> Iterator[tuple[str, float]]:
    """Serve the app and open it; its address, and the seconds until all of its page is there."""
    begun = time.perf_counter()
    with served(command, workspace) as url:
        _visit(visitor, f"{url}?{urlencode(place)}")
        yield url, time.perf_counter() - begun


def _peak(url: str) -> float | None:
    return peak_gigabytes(int(url.rpartition(":")[2]))


def _queries(run: Run) -> list[str]:
    found = example_queries(run)
    return [
        " ".join(word_text(run.vocabulary[token]) for token in query)
        for example in found
        for query in example.queries
    ]


def _visits_of_streamlit() -> dict[str, list[float]]:
    """Visits of the least page that there can be."""
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder, "page.py")
        script.write_text(MIN_PAGE, encoding="utf-8")
        with served_alone(script) as url, launched() as browser:
            return _visits(browser.new_context(viewport=SIZE), url, {})


def _visits(visitor: Any, url: str, place: Mapping[str, str]) -> dict[str, list[float]]:
    """Milliseconds until a page begins and ends, for each visit but the first."""
    address = f"{url}?{urlencode(place)}"
    log.info("opening %s", address)
    _visit(visitor, address)
    return by_moment(_visit(visitor, address) for _ in range(VISITS))


def _visit(visitor: Any, address: str) -> list[float]:
    """Milliseconds until a page begins and ends."""
    with window(visitor) as page:
        page.goto(address)
        return [page.wait_for_function(done).json_value() for done in (HAS_BEGUN, HAS_ENDED)]


def _all_clicks(
    page: Any, url: str, place: Mapping[str, str], queries: Iterable[str]
) -> Iterator[tuple[str, float]]:
    """Switch every node of the picture of every query through its states."""
    for query in queries:
        page.goto(f"{url}?{urlencode({**place, 'q': query})}")
        page.locator(PICTURE).evaluate(FIRST_PAINT)
        log.info("what if, on %s", query)
        for node in _in_turns(page.locator(PICTURE).evaluate("box => box.nodeIds()")):
            for _ in range(STATES):
                page.wait_for_function(IS_STILL)
                # A topic that is held may take others out of the picture.
                if node in page.locator(PICTURE).evaluate("box => box.nodeIds()"):
                    yield node, _click(page, node)


def _in_turns(nodes: list[str]) -> list[str]:
    """Words and topics alternately, so that a few of them include both kinds."""
    kinds = ([node for node in nodes if node.startswith(kind)] for kind in KINDS)
    return [node for pair in zip_longest(*kinds) for node in pair if node]


def _click(page: Any, node: str) -> float:
    """Milliseconds from a click until the picture shows what follows."""
    box = page.locator(PICTURE)
    # A picture may be taller than the window.
    box.evaluate(SCROLL_TO, node)
    spot = box.evaluate("(box, id) => box.whereIs(id)", node)
    box.evaluate(OBSERVER, [CALM, LOST])
    page.keyboard.down("Shift")
    page.mouse.click(spot["x"], spot["y"])
    page.keyboard.up("Shift")
    return float(page.evaluate("() => window.answered"))


def show(measured: Mapping[str, Any], goal: int = GOAL) -> str:
    """Return the clicks, the pages and the server as Markdown; older figures have less of it."""
    parts = [_clicks(measured, goal)]
    if "others" in measured:
        parts += [_times(ABOUT_OTHERS, ["click", "answer, ms"], measured["others"])]
    parts += [_times(ABOUT_PAGES, ["page", "heading, ms"], measured["pages"])]
    if "first" in measured:
        gigabytes = number(measured["gigabytes"])
        parts += [ABOUT_SERVER.format(first=measured["first"], gigabytes=gigabytes)]
    return "\n".join(parts)


def _clicks(measured: Mapping[str, Any], goal: int) -> str:
    """A line for words, for topics and for both."""
    times = {f"{kind}s": measured[f"{kind}_ms"] for kind in KINDS}
    times["**all**"] = [ms for some in times.values() for ms in some]
    rows = [
        [name, str(len(ms)), number(np.median(ms), 0), number(np.quantile(ms, 0.95), 0)]
        for name, ms in times.items()
        if ms
    ]
    about = ABOUT_CLICKS.format(clicks=len(times["**all**"]), goal=goal)
    return f"{about}\n{table(['clicks on', 'clicks', 'median, ms', '95th percentile, ms'], rows)}\n"


def _times(about: str, header: list[str], timed: Mapping[str, Mapping[str, list[float]]]) -> str:
    rows = [
        [name, *(f"{number(np.median(ms), 0)} ({number(max(ms), 0)})" for ms in found.values())]
        for name, found in timed.items()
    ]
    return f"{about}\n{table([*header, 'complete, ms'], rows)}\n"
