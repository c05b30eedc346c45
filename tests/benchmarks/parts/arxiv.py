"""All arXiv abstracts from a file to a model, and the speed of the app on it."""

from __future__ import annotations

import statistics
import tempfile
from pathlib import Path

from orrery.core.model.topic_model import Run
from orrery.core.storage.reports import read_metrics
from orrery.core.storage.runs import load_run
from tests.benchmarks import in_browser
from tests.benchmarks.abstracts import FULL, NAME, QUICK, make_run
from tests.benchmarks.alone import orrery
from tests.benchmarks.markdown import number, table
from tests.benchmarks.part import Figures, Part, Settings, log

STARTS = 5
CLICKS, QUICK_CLICKS = 100, 10
ABOUT = """{documents} abstracts, {words} words, topics in four layers ({topics}), {edges} edges,
{epochs} epochs; every command in a process of its own, with default options otherwise. The graph is
proposed from all abstracts; weights are trained without the held-out ones. Memory is the peak of
the process.
"""
ABOUT_CURVE = """Exact bound of at most 2,000 held-out abstracts after each epoch, in nats per
document; at the end the bound of all {held_out} held-out abstracts is {bound}, and the
log-likelihood of independent words {control}.
"""
ABOUT_HELP = """`orrery --help` takes **{help:.2f} s** (median of {starts}). The latency of queries
is on the page of [posteriors](POSTERIOR.md).
"""
NO_BROWSER = "The app on this model was not measured.\n"
ABOUT_BROWSER = """The app with this model, in Chromium with {width} × {height} pixels.
"""


def run(settings: Settings) -> Figures:
    """Import, propose, train, then look at it in the app."""
    with tempfile.TemporaryDirectory() as folder:
        workspace = Path(folder, "workspace")
        ran = make_run(workspace, settings.pick(FULL, QUICK))
        imported, proposed, trained = ran["import"], ran["structure"], ran["train"]
        place = workspace / "runs" / NAME
        metrics = read_metrics(place).dropna(subset=["held_out_bound"])
        found = load_run(place)
        browser = _in_browser(found, workspace, settings.pick(CLICKS, QUICK_CLICKS))
    counts = {"documents": imported.json()["documents"], "words": imported.json()["vocabulary"]}
    return {
        **counts,
        "topics": settings.pick(FULL, QUICK).topics,
        "edges": proposed.json()["edges"],
        "steps": {name: one.cost() for name, one in ran.items()},
        "held_out": trained.json()["held_out"],
        "curve": metrics[["epoch", "seconds", "held_out_bound"]].to_dict("records"),
        "help": statistics.median(orrery("--help").seconds for _ in range(STARTS)),
        "browser": browser,
    }


def _in_browser(run: Run, workspace: Path, clicks: int) -> Figures | None:
    """Clicks and pages on this model; None without a browser, because training took so long."""
    try:
        return in_browser.measure("app", run, workspace, {"corpus": NAME, "run": NAME}, clicks)
    except Exception as error:
        log.warning("the app is left out: %s", error, exc_info=True)
        return None


def show(figures: Figures) -> str:
    """The steps, the curve, the app."""
    parts = [_steps(figures), _curve(figures), ABOUT_HELP.format(starts=STARTS, **figures)]
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


PART = Part("arxiv", "All arXiv abstracts, from a file to a model", 60, run, show)
