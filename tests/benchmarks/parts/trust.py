"""What is promised about what people keep, tried at length: tests of the size that is asked."""

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
# Of a test that fails, what says how.
BAD = ("failure", "error")


@dataclass(frozen=True)
class Trial:
    """Tests that take a size from the environment.

    Attributes
    ----------
    name, title, about : str
    tests : tuple of str
        Files of tests.
    sizes : dict of str to (int, int)
        The variables that set a size, with that of the whole trial and that of the usual suite;
        of a stride, the smaller is the longer.
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
        """Run the tests and count what they say that they tried."""
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
        """What was tried, what of it went wrong, and how much was asked for."""
        crossed = {name: n for name, n in figures["tried"].items() if CROSS in name}
        alone = sorted(figures["tried"].items() - crossed.items())
        tried = [[name, number(count, 0)] for name, count in alone]
        if crossed:
            tried.append(["faults injected", number(sum(crossed.values()), 0)])
        rows = [*tried, ["tests", number(figures["tests"], 0)]]
        rows.append(["went wrong", number(len(figures["failed"]), 0)])
        sizes = ", ".join(
            f"`{name}={size}` (whole: {number(self.sizes[name][0], 0)})"
            for name, size in figures["sizes"].items()
        )
        lines = [self.about, table(["tried", "how many"], rows)]
        lines += [_cross_table(crossed)] if crossed else []
        lines += [f"With {sizes}."] if sizes else []
        lines += [f"- failed: `{name}`" for name in figures["failed"]]
        return "\n\n".join(lines)


def _cross_table(counts: dict[str, int]) -> str:
    """What was done down, what went wrong across."""
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
        for told in case.iter("property"):
            tried[told.attrib["name"]] += int(told.attrib["value"])
    for told in results.findall("testsuite/properties/property"):
        if told.attrib["name"].startswith(MARK):
            tried[told.attrib["name"].removeprefix(MARK)] += int(told.attrib["value"])
    failed = [
        case.attrib["name"] for case in cases if any(case.find(kind) is not None for kind in BAD)
    ]
    skipped = sum(case.find("skipped") is not None for case in cases)
    return {"tried": dict(tried), "tests": len(cases) - skipped, "failed": failed}


TRIALS = (
    Trial(
        "faults",
        "Crashes, full disks and torn writes",
        "Every operation on files, in turn, is the last before the process dies, or fails for want "
        "of room, with an input error, with half of a write done, or for good from there on: in "
        "saving, adopting, exporting, splitting, editing and training. What was there before is "
        "there still, what is reported done is done, and a retry ends in the same bytes.",
        ("tests/test_crash_consistency.py",),
        {"ORRERY_FAULTS_STRIDE": (1, 23)},
        60,
    ),
    Trial(
        "damage",
        "Damaged files",
        "Files of a corpus and a run are flipped, cut, padded, blanked, spliced with those of "
        "another or swapped for them, replaced by folders, pipes and loops of links, and changed "
        "by a hand that knows their formats and makes the checksums fit. Either it is named in one "
        "sentence, or all that is read is as it was; what a crafted file says is never followed "
        "beyond its arrays.",
        ("tests/test_damaged_files.py",),
        {"ORRERY_DAMAGES": (10_000, 400)},
        60,
    ),
    Trial(
        "inputs",
        "Hostile input",
        "Sources, graphs, guidance and queries that are made to do harm, and bytes at random.",
        ("tests/test_hostile_input.py",),
        {"ORRERY_HOSTILE_SIZE": (100_000_000, 100_000), "ORRERY_FUZZ": (5_000, 150)},
        30,
    ),
    Trial(
        "numbers",
        "Extreme numbers",
        "Trainings from weights of 10⁻³²⁰ to 10³⁰⁰, at usual learning rates and a hundred times "
        "larger, on documents without words and with all, on words in every document, on copies of "
        "one, with topics that nothing uses: every number that is written is one. At rates up to "
        "10⁸ times too large training says that it diverged, and ends about where the usual rate "
        "does.",
        ("tests/core/training/test_divergence.py",),
        {"ORRERY_EXTREMES": (3_000, 40), "ORRERY_COPIES": (1_000_000, 20_000)},
        10,
    ),
    Trial(
        "repeats",
        "The same bits",
        "Two trainings again and again, in one thread and in all, with memory taken and given back "
        "in between, and in processes with other hashes, with compiled kernels and without: every "
        "weight and moment in the same bits. Interrupted ones go on to the same bits.",
        ("tests/core/training/test_repeating.py", "tests/core/kernels/test_placement.py"),
        {"ORRERY_REPEATS": (1_000, 20), "ORRERY_REPEATING_PROCESSES": (8, 1)},
        15,
    ),
    Trial(
        "addresses",
        "Page addresses",
        "The whole app is opened at addresses of any parameters with any values: names that lead "
        "out of the workspace, numbers of thousands of digits, markup, marks that turn the "
        "direction of writing, lists and letters at random. A page opens, what it says stays "
        "short, and no file outside of the workspace is opened to which it leads. All that reads a "
        "part of an address reads any text or refuses it in a sentence.",
        ("tests/app/test_addresses.py",),
        {"ORRERY_ADDRESSES": (2_000, 24)},
        30,
    ),
    Trial(
        "visitors",
        "Two visitors at the same runs",
        "Two visitors with two pages each start, pause, resume, stop and delete runs, and delete "
        "corpora, by buttons that were drawn before the other pressed theirs. What goes is what "
        "was pressed, never while it is going; what begins is on the corpus that was seen; what "
        "cannot be done is said. Then two browsers, each of which presses at the same moment as "
        "the other: both start, stop and delete runs and corpora, name a topic, keep views and "
        "delete a story.",
        ("tests/app/test_two_visitors.py", "tests/browser/test_two_browsers.py"),
        {"ORRERY_ENCOUNTERS": (200, 3)},
        20,
    ),
    Trial(
        "requests",
        "Requests outside",
        "Browsers that may ask this machine alone, and note whatever else a page asks for: the "
        "walk from a file of texts to a graph, names, stories, and files that are opened from "
        "disk.",
        tuple(
            f"tests/browser/test_{name}.py"
            for name in ("walk", "names", "tour", "data_out", "exports", "explorer_page")
        ),
        {},
        15,
    ),
    Trial(
        "doors",
        "The server's doors",
        "Handshakes and requests from pages of other origins, and paths that lead out of what is "
        "served.",
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
