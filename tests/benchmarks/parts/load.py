"""Load test: many visitors at once while two runs train, and the memory of the server."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import numpy as np
import psutil

from tests.benchmarks.markdown import number, table
from tests.benchmarks.part import Figures, Part, Settings
from tests.benchmarks.sessions import Session, visit
from tests.browser.driving import ROOT, served

SESSIONS, PAGES_EACH = 50, 2
QUERIES, LOADS = 1_000, 100
# Number of measurements of memory.
LOOKS = 10
SAMPLE = ROOT / "sample_data"
WORDS = "star orbit planet garden soil seed rain river stone bird song bread oven train wheel"
PAGES = ("home", "query", "graph", "map", "documents", "groups", "corpus", "train", "evaluate")
PAGES += ("names", "stories", "share")


def run(settings: Settings) -> Figures:
    """Serve a workspace, and visit it by many, then by one for long."""
    share = settings.pick(settings.share, 0.02)
    sizes = {
        # As many as there are to be, whatever the share: half of them would be another trial.
        "sessions": settings.pick(SESSIONS, 2),
        "queries": max(LOOKS, round(QUERIES * share)),
        "loads": max(2, round(LOADS * share)),
    }
    with tempfile.TemporaryDirectory() as place:
        workspace = Path(place) / "workspace"
        shutil.copytree(SAMPLE / "corpus", workspace / "corpora" / "sample")
        shutil.copytree(SAMPLE / "run", workspace / "runs" / "sample")
        with served("app", workspace) as url, two_trainings(workspace) as trainings:
            server = _server(url)
            # Everything that is compiled or opened once is ready before the clock starts.
            asyncio.run(visit(url, [(page, "q=star+orbit") for page in PAGES]))
            visitors = asyncio.run(_many(url, sizes["sessions"]))
            trained = [training.poll() is None for training in trainings]
        with served("app", workspace) as url:
            server = _server(url)
            asyncio.run(visit(url, [(page, "q=star+orbit") for page in PAGES]))
            steady = asyncio.run(_long(url, server, sizes["queries"], sizes["loads"]))
    seconds = [taken for visitor in visitors for taken in visitor.seconds]
    return {
        **sizes,
        "pages": len(seconds),
        "seconds": {f"{q}": float(np.quantile(seconds, q)) for q in (0.5, 0.9, 0.99, 1.0)},
        "errors": [error for visitor in visitors for error in visitor.errors] + steady["errors"],
        "trainings that went on": sum(trained),
        "megabytes": steady["megabytes"],
    }


@contextmanager
def two_trainings(workspace: Path) -> Iterator[list[subprocess.Popen[bytes]]]:
    """Two runs that train for longer than anybody visits."""
    command = [sys.executable, "-m", "orrery", "train", str(workspace / "corpora" / "sample")]
    command += ["--epochs", "100000", "--method", "dense-regions", "--threads", "1"]
    trainings = [
        subprocess.Popen(
            [*command, "--out", str(workspace / "runs" / name)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for name in ("one", "other")
    ]
    try:
        yield trainings
    finally:
        for training in trainings:
            training.kill()
            training.wait()


def _server(url: str) -> psutil.Process:
    """The process that answers at an address."""
    port = int(url.rsplit(":", 1)[1])
    for process in psutil.Process().children(recursive=True):
        for connection in process.net_connections("inet"):
            if connection.status == psutil.CONN_LISTEN and connection.laddr.port == port:
                return process
    raise LookupError(f"nobody listens at {url}")


async def _many(url: str, count: int) -> list[Session]:
    return await asyncio.gather(*(visit(url, _wandering(number)) for number in range(count)))


def _wandering(number: int) -> list[tuple[str, str]]:
    """Pages that a visitor opens: every other one is a query."""
    leak = Random(number)
    words = WORDS.split()
    return [
        ("query" if turn % 2 else leak.choice(PAGES), f"q={'+'.join(leak.sample(words, 2))}")
        for turn in range(PAGES_EACH)
    ]


async def _long(url: str, server: psutil.Process, queries: int, loads: int) -> Figures:
    """One visitor who asks again and again, then many who look once; memory all along."""
    megabytes, errors = {"queries": [_megabytes(server)], "loads": []}, []
    words, leak = WORDS.split(), Random(0)
    for _ in range(LOOKS):
        requested = [f"q={'+'.join(leak.sample(words, 3))}" for _ in range(queries // LOOKS)]
        session = await visit(url, [("query", parameters) for parameters in requested])
        errors += session.errors
        megabytes["queries"].append(_megabytes(server))
    megabytes["loads"].append(megabytes["queries"][-1])
    for number_of_load in range(loads):
        session = await visit(url, [(PAGES[number_of_load % len(PAGES)], "")])
        errors += session.errors
        if (number_of_load + 1) % max(1, loads // LOOKS) == 0:
            megabytes["loads"].append(_megabytes(server))
    return {"megabytes": megabytes, "errors": errors}


def _megabytes(server: psutil.Process) -> float:
    return float(server.memory_info().rss / 2**20)


def show(figures: Figures) -> str:
    """Who visited, how long they waited, and what the server took."""
    rows = [
        ["sessions at once, while two runs train", number(figures["sessions"], 0)],
        ["pages opened", number(figures["pages"], 0)],
        ["trainings that continued throughout", number(figures["trainings that went on"], 0)],
        ["queries in one session", number(figures["queries"], 0)],
        ["sessions with one page each", number(figures["loads"], 0)],
        ["pages with an error or without an end", number(len(figures["errors"]), 0)],
    ]
    waits = figures["seconds"]
    names = {"0.5": "half", "0.9": "nine of ten", "0.99": "99 of 100", "1.0": "all"}
    times = [[f"{names[q]} complete after", f"{number(waits[q], 1)} s"] for q in names]
    taken = [
        [what, *(number(values[at], 0) for at in (0, len(values) // 2, -1))]
        for what, values in figures["megabytes"].items()
    ]
    return "\n\n".join(
        [
            "Simulated sessions with the protocol of the app's pages over the websocket. They "
            "open pages and query the sample as fast as the answers arrive, on the cores on which "
            "two runs train. Then memory is measured without training.",
            table(["tried", "number"], rows),
            table(["pages of simultaneous sessions", "seconds"], times),
            table(["memory of the server (MB)", "start", "middle", "end"], taken),
            *(f"- failed: `{error}`" for error in figures["errors"][:20]),
        ]
    )


PART = Part("load", "Load: simultaneous sessions", 20, run, show)
