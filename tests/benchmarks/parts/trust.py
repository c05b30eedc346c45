"""Long versions of the tests of the guarantees about stored data."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

from tests.benchmarks.markdown import number, table
from tests.benchmarks.part import Figures, Part, Settings, log
from tests.benchmarks.parts import guards, load, usual
from tests.tried import MARK

ROOT = Path(__file__).parents[3]
# Between two things that are counted together.
CROSS = " × "
# Elements of a failed test that contain the reason.
BAD = ("failure", "error")


@dataclass(frozen=True)
class Trial:
    """Tests whose size is set by environment variables.

    Attributes
    ----------
    name, title, about : str
    tests : tuple of str
        Files of tests.
    sizes : dict of str to (int, int)
        Variables that set a size, with its value for the full trial and for the default test run; a
        smaller stride is a longer trial.
    minutes : int
    """

    name: str
    title: str
    about: str
    tests: tuple[str, ...]
    sizes: dict[str, tuple[int, int]]
    minutes: int

    def part(self) -> Part:
        """The part of the page that runs and shows it."""
        return Part(self.name, self.title, self.minutes, self.run, self.show)

    def run(self, settings: Settings) -> Figures:
        """Run the tests and count the trials that they report."""
        chosen = {
            name: settings.pick(_sized(*sizes, settings.share), sizes[1])
            for name, sizes in self.sizes.items()
        }
        log.info("%s with %s", self.name, chosen)
        with tempfile.TemporaryDirectory() as place:
            report = Path(place) / "report.xml"
            command = [sys.executable, "-m", "pytest", "-q", "-n", "0", *self.tests]
            command += [f"--junitxml={report}", "-o", "timeout=86400"]
            environment = {**os.environ, **{name: str(size) for name, size in chosen.items()}}
            subprocess.run(command, cwd=ROOT, env=environment, check=False)
            return {"sizes": chosen, **_read(report)}

    def show(self, figures: Figures) -> str:
        """Numbers of trials and failures, and the size of the run."""
        crossed = {name: n for name, n in figures["tried"].items() if CROSS in name}
        alone = sorted(figures["tried"].items() - crossed.items())
        tried = [[name, number(count, 0)] for name, count in alone]
        if crossed:
            tried.append(["faults injected", number(sum(crossed.values()), 0)])
        rows = [*tried, ["tests", number(figures["tests"], 0)]]
        rows.append(["failed", number(len(figures["failed"]), 0)])
        sizes = ", ".join(
            f"`{name}={size}` (full size: {number(self.sizes[name][0], 0)})"
            for name, size in figures["sizes"].items()
        )
        lines = [self.about, table(["tried", "number"], rows)]
        lines += [_cross_table(crossed)] if crossed else []
        lines += [f"With {sizes}."] if sizes else []
        lines += [f"- failed: `{name}`" for name in figures["failed"]]
        return "\n\n".join(lines)


def _cross_table(counts: dict[str, int]) -> str:
    """Table of the counts, with operations as rows and faults as columns."""
    down, across = (
        list(dict.fromkeys(name.split(CROSS)[side] for name in counts)) for side in (0, 1)
    )
    rows = [
        [what, *(number(counts.get(f"{what}{CROSS}{how}", 0), 0) for how in across)]
        for what in down
    ]
    return table(["faults in", *across], rows)


def _sized(whole: int, usual: int, share: float) -> int:
    """Size of a share of the whole trial; a stride grows as the share shrinks."""
    if whole < usual:
        return max(1, min(usual, round(whole / share)))
    return max(usual, round(whole * share))


def _read(report: Path) -> Figures:
    tried: Counter[str] = Counter()
    results = ElementTree.parse(report)
    cases = list(results.iter("testcase"))
    for case in cases:
        for reported in case.iter("property"):
            tried[reported.attrib["name"]] += int(reported.attrib["value"])
    for reported in results.findall("testsuite/properties/property"):
        if reported.attrib["name"].startswith(MARK):
            tried[reported.attrib["name"].removeprefix(MARK)] += int(reported.attrib["value"])
    failed = [
        case.attrib["name"] for case in cases if any(case.find(kind) is not None for kind in BAD)
    ]
    skipped = sum(case.find("skipped") is not None for case in cases)
    return {"tried": dict(tried), "tests": len(cases) - skipped, "failed": failed}


TRIALS = (
    Trial(
        "faults",
        "Crashes, full disks and torn writes",
        "For every file operation in turn, the process is killed after it, or the operation fails "
        "with a full disk, an input/output error, a partial write, or permanently: while saving "
        "documents and passages, adopting, exporting, splitting, editing, changing stories, "
        "applying a model to new documents, starting processes, training, and, for every ninth "
        "operation, measuring stability. Existing files stay intact, all reported results exist, "
        "and a retry gives the same bytes.",
        ("tests/test_crash_consistency.py",),
        {"ORRERY_FAULTS_STRIDE": (1, 23)},
        60,
    ),
    Trial(
        "damage",
        "Damaged files",
        "Files of a corpus, a run and its stability are corrupted: flipped bits, truncation, "
        "padding, zeros, mixtures with other files, other valid files, folders, pipes and loops of "
        "links, and crafted files with valid checksums. Either the damage is reported in one "
        "sentence, or everything is read unchanged; crafted values never lead outside of their "
        "arrays.",
        ("tests/test_damaged_files.py",),
        {"ORRERY_DAMAGES": (10_000, 400)},
        60,
    ),
    Trial(
        "inputs",
        "Hostile input",
        "Malicious sources, graphs, guidance and queries, damaged office files, and random bytes. "
        "Each is read or refused in one sentence, in bounded memory and time.",
        ("tests/test_hostile_input.py",),
        {"ORRERY_HOSTILE_SIZE": (100_000_000, 100_000), "ORRERY_FUZZ": (5_000, 150)},
        30,
    ),
    Trial(
        "numbers",
        "Extreme numbers",
        "Training from weights of 10⁻³²⁰ to 10³⁰⁰, at normal learning rates and a hundred times "
        "larger, on documents without words and with all words, on words in every document, on "
        "copies of one document, with unused topics: every stored number is finite. At learning "
        "rates up to 10⁸ times too large, training reports the divergence and ends near the result "
        "of the normal rate.",
        ("tests/core/training/test_divergence.py",),
        {"ORRERY_EXTREMES": (3_000, 40), "ORRERY_COPIES": (1_000_000, 20_000)},
        10,
    ),
    Trial(
        "repeats",
        "Reproducibility, bit for bit",
        "Two training runs are repeated with one thread and with all, with other memory layouts, "
        "in processes with other hash seeds, with and without compiled kernels: all weights and "
        "moments are equal bit for bit. Interrupted runs continue to the same bits.",
        ("tests/core/training/test_repeating.py", "tests/core/kernels/test_placement.py"),
        {"ORRERY_REPEATS": (1_000, 20), "ORRERY_REPEATING_PROCESSES": (8, 1)},
        15,
    ),
    Trial(
        "addresses",
        "Page addresses",
        "Every page of the app is opened at URLs with arbitrary parameters: names outside of the "
        "workspace, numbers of thousands of digits, markup, bidirectional control characters, "
        "lists and random letters. Every page opens, its messages stay short, and no file outside "
        "of the workspace is opened. Every parser of a parameter accepts any text or rejects it in "
        "one sentence.",
        ("tests/app/test_addresses.py",),
        {"ORRERY_ADDRESSES": (2_000, 24)},
        30,
    ),
    Trial(
        "visitors",
        "Concurrent visitors",
        "Two visitors with two pages each start, pause, resume, stop and delete runs, and delete "
        "corpora, with buttons that were drawn before the other visitor acted. Only the chosen "
        "item is deleted, and never while it is running; a run starts on the displayed corpus; an "
        "impossible action is reported. Then two browsers act at the same moment: they start, stop "
        "and delete runs and corpora, name a topic, save views and delete a story.",
        ("tests/app/test_two_visitors.py", "tests/browser/test_two_browsers.py"),
        {"ORRERY_ENCOUNTERS": (200, 3)},
        20,
    ),
    Trial(
        "requests",
        "Network access",
        "Browsers with access to this machine only, which record every other request of a page: "
        "from a text file to a graph, names, stories, and exported files opened from disk.",
        tuple(
            f"tests/browser/test_{name}.py"
            for name in ("walk", "names", "tour", "data_out", "exports", "explorer_page")
        ),
        {},
        15,
    ),
    Trial(
        "doors",
        "Access from other origins",
        "Websocket handshakes and requests from pages of other origins, and paths outside of the "
        "served folders.",
        ("tests/test_origin.py",),
        {},
        1,
    ),
)
# Those in a browser are counted with all others there.
USUAL = [file for trial in TRIALS for file in trial.tests if "browser" not in file]
PARTS = {
    part.name: part
    for part in (*(trial.part() for trial in TRIALS), load.PART, guards.PART, usual.part(USUAL))
}
