"""Load test: many visitors for an hour while two runs train, and the memory of the server."""

from __future__ import annotations

import asyncio
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import psutil

from orrery.app.workspace import runs
from orrery.core.storage.runs import read_config, write_config
from orrery.core.utils.errors import InputError
from tests.benchmarks.markdown import number, table
from tests.benchmarks.part import Figures, Part, Settings, log
from tests.benchmarks.sessions import LOST, Record, Session, session
from tests.browser.driving import ROOT, served

VISITORS, MINUTES = 50, 60.0
QUICK_VISITORS, QUICK_MINUTES = 4, 0.5
# Seconds between measurements of memory, and between the storing of results.
LOOK_SECONDS, KEEP_SECONDS = 15.0, 300.0
# Seconds for which a visitor reads a page: the median and the longest. Few read longer than the
# median by a factor of this spread.
READING_SECONDS, MAX_READING, SPREAD = 20.0, 180.0, 2.5
# Pages and queries of a visitor before the tab is closed and another one opened.
STEPS = (3, 12)
# Epochs of a training, which takes a few minutes beside the visitors.
EPOCHS, QUICK_EPOCHS = 300, 20
# Finished runs on each corpus that stay; older ones are removed.
N_KEPT = 2
# Memory counts as flat if it grows by at most this share after the first quarter of the time, in
# which caches are filled.
MAX_GROWTH = 0.05
# Minutes of a run from which that is judged.
MIN_MINUTES = 20.0
SAMPLE = ROOT / "sample_data"
SAMPLE_PAGE = "corpus=sample&run=sample"
WORDS = "star orbit planet garden soil seed rain river stone bird song bread oven train wheel"
PAGES = ("home", "query", "graph", "map", "documents", "groups", "corpus", "train", "evaluate")
PAGES += ("names", "stories", "share")


@dataclass
class Trainings:
    """Two runs that train at a time; each is followed by another on its corpus.

    Attributes
    ----------
    seconds : list of float
        Durations of the runs that finished.
    failed : list of str
        Last lines of trainings that failed.
    n_removed : int
        Older runs that were removed.
    """

    workspace: Path
    epochs: int
    going: dict[Path, tuple[subprocess.Popen[bytes], float]] = field(default_factory=dict)
    seconds: list[float] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    n_removed: int = 0
    _numbers: count[int] = field(default_factory=lambda: count(1))

    def begin(self, corpus: str) -> None:
        """Start a run in a process of its own, as the command line does."""
        folder = self.workspace / "runs" / f"{corpus}-{next(self._numbers):03d}"
        command = [sys.executable, "-m", "orrery", "train", self.workspace / "corpora" / corpus]
        command += ["--epochs", str(self.epochs), "--threads", "1", "--out", str(folder)]
        with (self.workspace / f"{folder.name}.txt").open("wb") as printed:
            process = subprocess.Popen(command, stdout=printed, stderr=printed)
        self.going[folder] = process, time.monotonic()

    def look(self) -> None:
        """Begin another run for each one that has ended, and remove old ones."""
        for folder, (process, begun) in list(self.going.items()):
            code = process.poll()
            if code is None:
                continue
            del self.going[folder]
            if code == 0:
                self.seconds.append(time.monotonic() - begun)
            else:
                lines = (self.workspace / f"{folder.name}.txt").read_text("utf-8", "replace")
                self.failed.append(f"{folder.name} ended with {code}: {lines.strip()[-500:]}")
            corpus = folder.name.rpartition("-")[0]
            finished = [job for job in self._jobs(corpus) if job.folder not in self.going]
            for job in finished[N_KEPT:]:
                with suppress(InputError):
                    runs.remove(job.folder)
                    self.n_removed += 1
            self.begin(corpus)

    def _jobs(self, corpus: str) -> list[runs.Job]:
        every = runs.list_jobs(self.workspace / "runs")
        ours = [job for job in every if job.name.rpartition("-")[0] == corpus]
        return sorted(ours, key=lambda job: job.name, reverse=True)

    def end(self) -> None:
        """End the runs that train."""
        for process, _ in self.going.values():
            process.kill()
            process.wait()


def run(settings: Settings) -> Figures:
    """Serve a workspace with two corpora, and visit it while two runs train."""
    # As many visitors as there are to be, whatever the share: half of them would be another trial.
    visitors = settings.pick(VISITORS, QUICK_VISITORS)
    minutes = settings.pick(MINUTES * settings.share, QUICK_MINUTES)
    with tempfile.TemporaryDirectory() as place:
        workspace = Path(place) / "workspace"
        _fill(workspace)
        trainings = Trainings(workspace, settings.pick(EPOCHS, QUICK_EPOCHS))
        try:
            with served("app", workspace) as url:
                for corpus in ("sample", "other"):
                    trainings.begin(corpus)
                crowd = Crowd(url, visitors, minutes, trainings, _server(url))
                asyncio.run(crowd.visit(settings))
        finally:
            trainings.end()
    return crowd.figures()


def _named_messages(messages: Mapping[str, int]) -> Counter[str]:
    """Sentences without the numbers of runs, escapes of Markdown and the place of the workspace."""
    named: Counter[str] = Counter()
    for text, n in messages.items():
        plain = re.sub(r"\\(.)", r"\1", text)
        plain = re.sub(r"\S*/workspace/", "", plain)
        named[re.sub(r"\b\d{3}\b", "NNN", plain)] += n
    return named


def _fill(workspace: Path) -> None:
    """Put the sample with its run into a workspace, and a second corpus of half of its texts."""
    shutil.copytree(SAMPLE / "corpus", workspace / "corpora" / "sample")
    shutil.copytree(SAMPLE / "run", workspace / "runs" / "sample")
    settings = read_config(workspace / "runs" / "sample")["settings"]
    write_config(workspace / "runs" / "sample", str(workspace / "corpora" / "sample"), settings)
    header, *lines = (SAMPLE / "field_notes.csv").read_text("utf-8").splitlines(keepends=True)
    texts = workspace / "other.csv"
    texts.write_text(header + "".join(lines[::2]), encoding="utf-8")
    command = [sys.executable, "-m", "orrery", "import", str(texts)]
    command += ["--out", str(workspace / "corpora" / "other")]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


@dataclass
class Crowd:
    """Visitors of a server, and what they and the server experienced."""

    url: str
    visitors: int
    minutes: float
    trainings: Trainings
    server: psutil.Process
    record: Record = field(default_factory=Record)
    # Minutes since the first visitor came, and megabytes of the server.
    memory: list[tuple[float, float]] = field(default_factory=list)
    _begun: float = 0.0

    async def visit(self, settings: Settings) -> None:
        """Let everybody in, and look after the trainings and the memory until the time is over."""
        await self._open_all()
        self._begun = time.monotonic()
        end = self._begun + 60.0 * self.minutes
        people = [asyncio.create_task(self._person(one, end)) for one in range(self.visitors)]
        kept = looked = self._begun
        self._measure()
        while time.monotonic() < end:
            await asyncio.sleep(min(1.0, max(end - time.monotonic(), 0.0)))
            # A thread, so that removing a run delays no visitor.
            await asyncio.to_thread(self.trainings.look)
            if time.monotonic() >= looked + LOOK_SECONDS:
                looked += LOOK_SECONDS
                self._measure()
            if time.monotonic() >= kept + KEEP_SECONDS:
                kept += KEEP_SECONDS
                settings.keep(self.figures(), ())
                log.info("after %.0f minutes: %.0f MB, %d errors", *self.memory[-1], self._failures)
        self._measure()
        # Answers that a visitor still waits for count, and their time does.
        await asyncio.gather(*people)

    async def _open_all(self) -> None:
        """Open every page once, so that everything is compiled before the clock starts."""
        first = Record()
        async with session(self.url, first) as visit:
            for page in PAGES:
                await visit.open(page, SAMPLE_PAGE + "&q=star+orbit")
        self.record.errors += first.errors
        if first.closed:
            self.record.errors.append(f"{first.closed} links lead to pages that are closed")

    def _measure(self) -> None:
        spent = (time.monotonic() - self._begun) / 60
        self.memory.append((spent, self.server.memory_info().rss / 2**20))

    async def _person(self, seed: int, end: float) -> None:
        """Open a tab, read pages and type queries, close the tab, and come again."""
        chance = Random(seed)
        # Not all come in the same second.
        await _wait(chance.uniform(0.0, READING_SECONDS), end)
        while time.monotonic() < end:
            # Some look at the sample's model, others at the newest model of either corpus.
            place = f"corpus={'sample' if seed % 4 else 'other'}"
            place = SAMPLE_PAGE if seed % 2 else place
            try:
                async with session(self.url, self.record) as tab:
                    for _ in range(chance.randint(*STEPS)):
                        await self._step(tab, place, chance)
                        left = end - time.monotonic()
                        if left <= 0.0:
                            break
                        await tab.stay(min(_reading(chance), left))
            except LOST as error:
                self.record.errors.append(f"a connection was lost: {error}")
            await _wait(_reading(chance), end)

    async def _step(self, tab: Session, place: str, chance: Random) -> None:
        """Open a page, or type a query where there is a box for it."""
        words = chance.sample(WORDS.split(), 2)
        if tab.page == "query" and tab.has_box and chance.random() < 0.7:
            await tab.type(" ".join(words))
            return
        page = "query" if chance.random() < 0.4 else chance.choice(PAGES)
        query = f"&q={'+'.join(words)}" if chance.random() < 0.5 else ""
        await tab.open(page, place + query)

    @property
    def _failures(self) -> int:
        return len(self.record.errors) + len(self.trainings.failed)

    def figures(self) -> Figures:
        """Everything measured so far."""
        waits = {
            kind: {"n": len(values), **{str(q): float(np.quantile(values, q)) for q in (0.5, 0.95)},
                   "max": max(values)}
            for kind, values in sorted(self.record.seconds.items())
        }  # fmt: skip
        return {
            "visitors": self.visitors,
            "minutes": self.minutes,
            "spent": self.memory[-1][0],
            "sessions": self.record.sessions,
            "updates": self.record.updates,
            "waits": waits,
            "errors": list(self.record.errors),
            "messages": dict(_named_messages(self.record.messages)),
            "memory": [list(pair) for pair in self.memory],
            "growth": growth(self.memory),
            "trainings": {
                "going": len(self.trainings.going),
                "seconds": self.trainings.seconds,
                "failed": list(self.trainings.failed),
                "removed": self.trainings.n_removed,
            },
        }


def _reading(chance: Random) -> float:
    return min(READING_SECONDS * SPREAD ** chance.gauss(0.0, 1.0), MAX_READING)


async def _wait(seconds: float, end: float) -> None:
    await asyncio.sleep(max(min(seconds, end - time.monotonic()), 0.0))


def growth(memory: list[tuple[float, float]]) -> dict[str, float]:
    """Slope of memory after the first quarter, in MB per hour, and its growth as a share."""
    minutes, megabytes = np.array(memory).T
    is_later = minutes >= minutes[-1] / 4
    if is_later.sum() < 2:
        return {"slope": 0.0, "share": 0.0}
    slope, level = np.polyfit(minutes[is_later], megabytes[is_later], 1)
    begin, end = minutes[is_later][[0, -1]]
    return {
        "slope": float(60 * slope),
        "share": float(slope * (end - begin) / (level + slope * begin)),
    }


def _server(url: str) -> psutil.Process:
    """The process that answers at an address."""
    port = int(url.rsplit(":", 1)[1])
    for process in psutil.Process().children(recursive=True):
        for connection in process.net_connections("inet"):
            if connection.status == psutil.CONN_LISTEN and connection.laddr.port == port:
                return process
    raise LookupError(f"nobody listens at {url}")


def show(figures: Figures) -> str:
    """Who visited, how long they waited, and what the server took."""
    trainings: dict[str, Any] = figures["trainings"]
    is_flat = figures["growth"]["share"] <= MAX_GROWTH
    judged = "flat" if is_flat else "**not flat**"
    if figures["spent"] < MIN_MINUTES:
        judged = f"not judged from less than {number(MIN_MINUTES, 0)} minutes"
    is_cut = figures["spent"] < 0.99 * figures["minutes"]
    done = number(figures["spent"], 1)
    rows = [
        ["visitors at once, while two runs train", number(figures["visitors"], 0)],
        ["minutes", f"{done}, cut" if is_cut else done],
        ["sessions", number(figures["sessions"], 0)],
        ["pages and queries", number(sum(one["n"] for one in figures["waits"].values()), 0)],
        ["updates of live parts of pages", number(figures["updates"], 0)],
        ["trainings that finished", number(len(trainings["seconds"]), 0)],
        ["trainings that still trained at the end", number(trainings["going"], 0)],
        ["older runs removed", number(trainings["removed"], 0)],
        ["trainings that failed", number(len(trainings["failed"]), 0)],
        ["tracebacks, pages without an end, lost connections", number(len(figures["errors"]), 0)],
    ]
    waits = [
        [kind, number(one["n"], 0), *(number(one[q], 2) for q in ("0.5", "0.95", "max"))]
        for kind, one in figures["waits"].items()
    ]
    lines = [
        f"Each of {figures['visitors']} visitors opens a tab, reads pages and types queries with "
        "pauses like a person's, closes the tab and comes again, by the protocol of the app's "
        "pages over the websocket; live parts of pages request their updates. The server is "
        "`orrery app`, with the sample and a second corpus. On its cores two runs train at normal "
        "priority; each is followed by another when it has ended, and all but the newest runs are "
        f"removed. Memory counts as flat if it grows by at most {MAX_GROWTH * 100:.0f} % after the "
        "first quarter of the time, by a straight line through the measurements.",
    ]
    if is_cut:
        lines.append(
            f"**Cut:** the run ended after {done} of {number(figures['minutes'], 0)} minutes."
        )
    elif figures["minutes"] < MINUTES:
        lines.append(f"Full size: {number(MINUTES, 0)} minutes.")
    lines.append(table(["tried", "number"], rows))
    lines.append(
        table(["kind", "number", "half within (s)", "95 % within (s)", "slowest (s)"], waits)
    )
    lines.append(table(["minutes", "memory of the server (MB)"], _memory_rows(figures)))
    slope, share = figures["growth"]["slope"], figures["growth"]["share"]
    lines.append(
        f"After the first quarter, memory changes by {number(slope, 1)} MB per hour, in all by "
        f"{number(100 * share, 1)} %: {judged}."
    )
    messages = sorted(figures["messages"].items())
    found = [f"- {number(n, 0)} times: {text}" for text, n in messages]
    found += [f"- failed: `{error}`" for error in (*figures["errors"], *trainings["failed"])[:20]]
    if found:
        lines.append("Sentences that warned visitors, and errors:\n\n" + "\n".join(found))
    return "\n\n".join(lines)


def _memory_rows(figures: Figures) -> list[list[str]]:
    """Memory at the start, every five minutes (a tenth of shorter runs), and at the end."""
    step = min(KEEP_SECONDS / 60, figures["spent"] / 10)
    shown, due = [], 0.0
    for spent, megabytes in figures["memory"]:
        if spent >= due or [spent, megabytes] == figures["memory"][-1]:
            shown.append([number(spent, 1), number(megabytes, 0)])
            due += step
    return shown


PART = Part("load", "Load: visitors for an hour while two runs train", 62, run, show)
