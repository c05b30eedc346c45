"""All arXiv abstracts at hand from a file to a model, and how fast that model answers and moves."""

from __future__ import annotations

import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from core.corpus import Corpus
from core.inference import Evidence, infer
from core.network import Network
from core.storage import Run, load_corpus, load_run, read_metrics
from tests.benchmarks import in_browser
from tests.benchmarks.abstracts import FULL, NAME, QUICK, make_run
from tests.benchmarks.alone import orrery
from tests.benchmarks.markdown import number, table
from tests.benchmarks.part import Figures, Part, Settings, log

QUERIES, WORDS_PER_QUERY = 100, 5
STARTS = 5
CLICKS, QUICK_CLICKS = 100, 10
ABOUT = """{documents} abstracts, {words} words, topics in four layers ({topics}), {edges} edges,
{epochs} epochs; every command in a process of its own, with its defaults otherwise. The
graph is proposed from all abstracts; weights are trained without the held-out ones. Memory is the
most that a process ever held.
"""
ABOUT_CURVE = """Exact bound of at most 2,000 held-out abstracts after each epoch, in nats per
document; at the end that of all {held_out} held-out ones is {bound}, and the log-likelihood of
independent words {control}.
"""
ABOUT_QUERIES = """{queries} queries each on the trained model, loaded and warm, inference alone:
some words of an abstract, drawn at random, all others unknown, as the app asks; and whole
abstracts, all other words absent. `orrery --help` takes **{help:.2f} s** (median of {starts}).
"""
NO_BROWSER = "The app on this model was not measured.\n"
ABOUT_BROWSER = """The app on this model, in Chromium with {width} × {height} pixels.
"""


def run(settings: Settings) -> Figures:
    """Import, propose, train, then ask."""
    with tempfile.TemporaryDirectory() as folder:
        workspace = Path(folder, "workspace")
        ran = make_run(workspace, settings.pick(FULL, QUICK))
        imported, proposed, trained = ran["import"], ran["structure"], ran["train"]
        stored, place = (workspace / kind / NAME for kind in ("corpora", "runs"))
        metrics = read_metrics(place).dropna(subset=["held_out_bound"])
        found = load_run(place)
        asked = ask(found.network, load_corpus(stored), settings.pick(QUERIES, 20))
        browser = _in_browser(found, workspace, settings.pick(CLICKS, QUICK_CLICKS))
    counts = {"documents": imported.json()["documents"], "words": imported.json()["vocabulary"]}
    return {
        **counts,
        "topics": settings.pick(FULL, QUICK).topics,
        "edges": proposed.json()["edges"],
        "steps": {name: one.cost() for name, one in ran.items()},
        "held_out": trained.json()["held_out"],
        "curve": metrics[["epoch", "seconds", "held_out_bound"]].to_dict("records"),
        "milliseconds": asked,
        "help": statistics.median(orrery("--help").seconds for _ in range(STARTS)),
        "browser": browser,
    }


def _in_browser(run: Run, workspace: Path, clicks: int) -> Figures | None:
    """Clicks and pages on this model; None where they cannot be had, after so long a training."""
    try:
        return in_browser.measure("app", run, workspace, {"corpus": NAME, "run": NAME}, clicks)
    except Exception as error:
        log.warning("the app is left out: %s", error, exc_info=True)
        return None


def ask(network: Network, corpus: Corpus, queries: int) -> dict[str, list[float]]:
    """Milliseconds of each query, by kind; the first of a kind, which may compile, is not timed."""
    rng = np.random.default_rng(0)
    rows = rng.choice(corpus.n_documents, queries + 1, replace=False)
    documents = [corpus.tokens_of(row) for row in rows.tolist()]
    some = [rng.permutation(tokens)[:WORDS_PER_QUERY] for tokens in documents]
    kinds = {
        "some words": [Evidence(tuple(t.tolist()), closed_world=False) for t in some],
        "a whole abstract": [Evidence(tuple(t.tolist()), closed_world=True) for t in documents],
    }
    return {name: [_milliseconds(network, one) for one in all_][1:] for name, all_ in kinds.items()}


def _milliseconds(network: Network, evidence: Evidence) -> float:
    begin = time.perf_counter()
    infer(network, evidence)
    return 1e3 * (time.perf_counter() - begin)


def show(figures: Figures) -> str:
    """The steps, the curve, the queries, the app."""
    parts = [_steps(figures), _curve(figures), _queries(figures)]
    if figures["browser"]:
        parts += [ABOUT_BROWSER.format(**in_browser.SIZE), in_browser.show(figures["browser"])]
    else:
        parts.append(NO_BROWSER)
    return "\n".join(parts)


def _steps(figures: Figures) -> str:
    about = ABOUT.format(
        documents=number(figures["documents"], 0),
        words=number(figures["words"], 0),
        topics=figures["topics"],
        edges=number(figures["edges"], 0),
        epochs=len(figures["curve"]),
    )
    rows = [
        [f"`orrery {name}`", number(cost["seconds"] / 60, 1), number(cost["gigabytes"], 2)]
        for name, cost in figures["steps"].items()
    ]
    minutes = sum(cost["seconds"] for cost in figures["steps"].values()) / 60
    most = max(cost["gigabytes"] for cost in figures["steps"].values())
    rows.append(["all", f"**{number(minutes, 1)}**", number(most, 2)])
    return f"{about}\n{table(['step', 'minutes', 'memory, GB'], rows)}\n"


def _curve(figures: Figures) -> str:
    held_out = figures["held_out"]
    about = ABOUT_CURVE.format(
        held_out=number(min(held_out["documents"], 5_000), 0),
        bound=number(held_out["exact_bound"]),
        control=number(held_out["independent"]),
    )
    rows, before = [], None
    for point in figures["curve"]:
        bound = point["held_out_bound"]
        gain = number(None if before is None else bound - before)
        minutes = number(point["seconds"] / 60, 1)
        rows.append([number(point["epoch"], 0), minutes, number(bound), gain])
        before = bound
    header = ["epoch", "minutes of training", "held-out bound", "gain"]
    return f"{about}\n{table(header, rows)}\n"


def _queries(figures: Figures) -> str:
    asked: dict[str, Any] = figures["milliseconds"]
    about = ABOUT_QUERIES.format(
        queries=len(next(iter(asked.values()))), help=figures["help"], starts=STARTS
    )
    rows = [
        [name, *(number(float(np.percentile(times, q)), 1) for q in (50, 95, 100))]
        for name, times in asked.items()
    ]
    header = ["query", "median, ms", "95th percentile, ms", "longest, ms"]
    return f"{about}\n{table(header, rows)}\n"


PART = Part("arxiv", "All arXiv abstracts, from a file to answers", 60, run, show)
