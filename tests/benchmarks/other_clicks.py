"""Clicks other than what-if: the map of topics, a topic, a path, a search, another question."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

import numpy as np

from orrery.core.drawing.links import word_text
from orrery.core.model.topic_model import Run
from tests.benchmarks.part import log
from tests.browser.driving import IS_STILL, PATIENCE, wait_for_rest

# Each is tried so often, on another topic and word each time, so that nothing was answered before.
TIMES = 5
LOST = 30_000
PATH_FOUND = ".st-key-path-found button"
# All elements of a kind, including those in components, which have roots of their own.
ALL = """const all = (kind, root = document) => [...root.querySelectorAll(kind),
  ...[...root.querySelectorAll('*')].map((one) => one.shadowRoot).filter(Boolean)
    .flatMap((inside) => all(kind, inside))];"""
# From an event until what was asked for stands, and until the script has ended, too.
TIME = f"""([event, shows, lost]) => {{
  {ALL}
  const stands = new Function("all", `return ${{shows}}`), still = {IS_STILL};
  window.timed = new Promise((done) => {{
    window.addEventListener(event, ({{ timeStamp }}) => {{
      let shown = null;
      const look = () => {{
        const since = performance.now() - timeStamp;
        if (shown === null && stands(all)) shown = since;
        if ((shown !== null && still()) || since > lost) done([shown ?? since, since]);
        else requestAnimationFrame(look);
      }};
      requestAnimationFrame(look);
    }}, {{ capture: true, once: true }});
  }});
}}"""
SUBTREE = ".orrery-map .box.strip"
MIDDLES_INSIDE = """(boxes) => boxes.map((box) => {
  const { left, top, width, height } = box.getBoundingClientRect();
  const [x, y] = [left + width / 2, top + height / 2];
  return box.getRootNode().elementFromPoint(x, y)?.closest(".box") === box && [x, y];
}).filter(Boolean)"""


@dataclass(frozen=True)
class Subjects:
    """Subjects of a click: the names of two topics, a word, a query, and the number of the
    click.
    """

    topic: str
    other: str
    word: str
    question: str
    turn: int


@dataclass(frozen=True)
class Click:
    """A click, and the sign that it was answered.

    Attributes
    ----------
    page, place : str, function of Asked
        Page at which it begins.
    begin : function of the page and Asked
        Steps before the timed part.
    event : str
        Event of the browser that starts the clock.
    act : function of the page and Asked
    shows : function of Asked
        JavaScript condition of an answer; ``all`` finds elements.
    """

    page: str
    place: Callable[[Subjects], dict[str, str]]
    event: str
    act: Callable[[Any, Subjects], None]
    shows: Callable[[Subjects], str]
    begin: Callable[[Any, Subjects], None] = lambda _page, _query: None


def _press_node(page: Any, requested: Subjects) -> None:
    """Click on the first topic of the picture."""
    box = page.locator(".orrery-graph")
    node = next(key for key in box.evaluate("box => box.nodeIds()") if key.startswith("topic:"))
    spot = box.evaluate("(box, id) => box.whereIs(id)", node)
    page.mouse.click(spot["x"], spot["y"])


def _find_subtree(page: Any, requested: Subjects) -> None:
    """Zoom into a box of the map if none is large enough to show its subtree."""
    page.locator(".orrery-map .box").first.wait_for()
    if not page.locator(SUBTREE).count():
        page.locator(".orrery-map .box.leaf").nth(requested.turn).click()
        page.locator(SUBTREE).first.wait_for()


def _press_subtree(page: Any, requested: Subjects) -> None:
    """Click on the root of a subtree of the map; a box without its subtree may only be zoomed
    into.
    """
    # On an enlarged map, some are outside of the window.
    tops = page.locator(SUBTREE).evaluate_all(MIDDLES_INSIDE)
    page.mouse.click(*tops[requested.turn % len(tops)])


def _type_question(page: Any, requested: Subjects) -> None:
    page.locator(".st-key-q input").fill(requested.word)


def _find_other(page: Any, requested: Subjects) -> None:
    page.locator(".st-key-path-find input").fill(requested.other)
    page.locator(PATH_FOUND).first.wait_for()
    page.wait_for_function(IS_STILL)


CLICKS = {
    "the overview of topics, from a query": Click(
        page="query",
        place=lambda requested: {"q": requested.question},
        event="pointerdown",
        act=lambda page, _: page.locator("[data-testid=stSidebar] a[href^=graph]").click(),
        shows=lambda _: "all('.orrery-map .box').length",
    ),
    "a topic of the overview": Click(
        page="graph",
        place=lambda _: {},
        event="pointerdown",
        begin=_find_subtree,
        act=_press_subtree,
        shows=lambda _: "all('.st-key-details').length && all('.orrery-graph')[0]?.painted",
    ),
    "a word that is searched for": Click(
        page="graph",
        place=lambda _: {},
        event="input",
        act=lambda page, requested: page.locator(".st-key-find input").fill(requested.word),
        shows=lambda _: "all('.st-key-found-list button').length",
    ),
    "a path between two topics": Click(
        page="graph",
        place=lambda requested: {"topic": requested.topic},
        event="pointerdown",
        begin=_find_other,
        act=lambda page, _: page.locator(PATH_FOUND).first.click(),
        shows=lambda _: "all('.st-key-path-close').length",
    ),
    "another query": Click(
        page="query",
        place=lambda requested: {"q": requested.question},
        event="keydown",
        begin=_type_question,
        act=lambda page, _: page.locator(".st-key-q input").press("Enter"),
        shows=lambda requested: (
            "all('.orrery-graph')[0]?.painted?.nodes"
            f".some((node) => node.id === 'word:{requested.word}')"
        ),
    ),
    "a topic of the picture: its card and explanation": Click(
        page="query",
        place=lambda requested: {"q": requested.question},
        event="pointerdown",
        act=_press_node,
        shows=lambda _: "all('.st-key-card').length && all('.st-key-why').length",
    ),
}


def subjects_of(run: Run, questions: list[str]) -> list[Subjects]:
    """Choose displayed topics and their words at random, with a fixed seed."""
    rng, graph = np.random.default_rng(0), run.network.graph
    shown = [topic for topic in range(graph.n_topics)
             if topic not in run.hidden_topics and topic not in run.shown_as]  # fmt: skip
    topics = [graph.topic_ids[topic] for topic in rng.permutation(shown)[: 2 * TIMES]]
    brought = np.flatnonzero(np.diff(graph.parent_ptr[graph.n_topics :]))
    words = [word_text(run.vocabulary[token]) for token in rng.permutation(brought)[:TIMES]]
    again = (questions * TIMES)[:TIMES]
    return list(map(Subjects, topics[:TIMES], topics[TIMES:], words, again, range(TIMES)))


def time_clicks(
    visitor: Any, url: str, place: Mapping[str, str], requested: Sequence[Subjects]
) -> dict[str, dict[str, list[float]]]:
    """Milliseconds of every click until it is answered, and until all is there."""
    timed = {}
    for name, click in CLICKS.items():
        log.info("%s", name)
        timed[name] = by_moment([_time(visitor, url, place, click, one) for one in requested])
    return timed


def by_moment(rows: Iterable[Sequence[float]]) -> dict[str, list[float]]:
    """Milliseconds until something begins and ends, of several times, as lists of each."""
    begins, ends = zip(*rows, strict=True)
    return {"begins": list(begins), "ends": list(ends)}


def _time(
    visitor: Any, url: str, place: Mapping[str, str], click: Click, requested: Subjects
) -> list[float]:
    """Milliseconds of one click, in a window of its own."""
    with window(visitor) as page:
        page.goto(f"{url}/{click.page}?{urlencode({**place, **click.place(requested)})}")
        wait_for_rest(page)
        click.begin(page, requested)
        page.evaluate(TIME, [click.event, click.shows(requested), LOST])
        click.act(page, requested)
        return [float(ms) for ms in page.evaluate("() => window.timed")]


@contextmanager
def window(visitor: Any) -> Iterator[Any]:
    """A window of a visitor, closed in the end."""
    page = visitor.new_page()
    page.set_default_timeout(PATIENCE)
    yield page
    page.close()
