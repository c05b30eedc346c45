"""Training with default settings, by this code and by an earlier commit in alternating runs."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
from scipy import sparse

from orrery.app.workspace.catalog import SAMPLE_DATA
from orrery.core.data.corpus import Corpus
from orrery.core.data.recipe import matrix_recipe
from orrery.core.storage.corpora import load_corpus, save_corpus
from orrery.core.training.structure_learning import standard_error
from tests.benchmarks.abstracts import import_abstracts
from tests.benchmarks.alone import run_alone
from tests.benchmarks.corpora import news20, prepared
from tests.benchmarks.data import MissingData, binary_corpus
from tests.benchmarks.density_sets import read_set
from tests.benchmarks.labelled_sets import LABELLED
from tests.benchmarks.markdown import number, table
from tests.benchmarks.part import Figures, Part, Settings, log
from tests.benchmarks.results import measure_sets

COMMIT = "9dd6630"
ROOT = Path(__file__).resolve().parents[3]
# Folders that hold the package under its name: of this code, and of the commit.
NOW, BEFORE = "now", "before"
PLACES = {NOW: "app/package", BEFORE: ".links"}
# Seeds of a set, at the most. A seed also chooses the test set, and one version may find a better
# structure by chance, so corpora that take little time have all seeds (``--splits``).
SEEDS = 3
ALL_SEEDS = ("bbc", "googlenews", "webkb")
GOAL, LIMIT = 0.5, 0.05
ABSTRACTS = 50_000
ABSTRACT_WORDS = 10_000


def _webkb() -> Corpus:
    parts = read_set("cwebkb").values()
    return binary_corpus(sparse.csr_array(sparse.vstack(list(parts), format="csr")))


CORPORA: dict[str, Callable[[], Corpus]] = {
    "sample": lambda: load_corpus(SAMPLE_DATA / "corpus"),
    "bbc": lambda: prepared("bbc/corpus.tsv.xz"),
    "googlenews": lambda: LABELLED["googlenews"].documents().corpus,
    "webkb": _webkb,
    "news20": news20,
}
TITLES = {
    "sample": "sample",
    "bbc": "BBC",
    "googlenews": "GoogleNews",
    "webkb": "WebKB",
    "news20": "20 Newsgroups",
    "arxiv": f"arXiv, {ABSTRACTS:,} abstracts",
}
# Numbers of epochs of the frontier; 20 is the default.
DEFAULT_EPOCHS = 20
EPOCHS = (10, 14, DEFAULT_EPOCHS, 28, 40)
FRONTIER = ("bbc", "googlenews", "webkb")
# Sets: a corpus with the default number of epochs, or with another; the first is for quick runs.
NAMES = (
    *TITLES,
    *(f"{name}:{epochs}" for name in FRONTIER for epochs in EPOCHS if epochs != DEFAULT_EPOCHS),
)


def run(settings: Settings) -> Figures:
    """Train each corpus with each seed by both versions, one run after the other.

    Raises
    ------
    MissingData
        If this is no checkout with the commit.
    UnknownName
        If a set is unknown.
    """
    with tempfile.TemporaryDirectory() as folder, _versions(Path(folder, "code")) as places:
        # Compiles the kernels of both.
        for version, place in places.items():
            _train(place, SAMPLE_DATA / "corpus", Path(folder, f"first-{version}"), 0, 1)

        def measure(name: str) -> list[dict[str, Any]]:
            corpus = Path(folder, _corpus_of(name))
            if not corpus.exists():
                _save(corpus.name, corpus)
            return _runs(name, corpus, places, settings)

        # A full run needs no sample.
        known = settings.pick(NAMES[1:], NAMES)
        return measure_sets(PART.name, known, NAMES[:1], measure, settings, {"commit": COMMIT})


def _runs(
    name: str, corpus: Path, places: dict[str, Path], settings: Settings
) -> list[dict[str, Any]]:
    rows = []
    n_seeds = settings.pick(len(settings.splits) if name in ALL_SEEDS else SEEDS, 1)
    with tempfile.TemporaryDirectory() as folder:
        for seed in settings.splits[:n_seeds]:
            # The order alternates, so that neither version is always the first.
            for version in (NOW, BEFORE) if seed % 2 else (BEFORE, NOW):
                out = Path(folder, f"{version}-{seed}")
                found = _train(places[version], corpus, out, seed, _epochs_of(name))
                log.info("%s, seed %d, %s: %s", name, seed, version, found)
                rows.append({"version": version, "seed": seed, **found})
    return rows


def _corpus_of(name: str) -> str:
    return name.partition(":")[0]


def _epochs_of(name: str) -> int:
    return int(name.partition(":")[2] or DEFAULT_EPOCHS)


@contextmanager
def _versions(folder: Path) -> Iterator[dict[str, Path]]:
    """The folders to import the package from, by version."""
    packed = subprocess.run(["git", "archive", COMMIT], cwd=ROOT, capture_output=True, check=False)
    if packed.returncode:
        raise MissingData(f"commit {COMMIT} is not in this checkout; clone with the whole history")
    with tarfile.open(fileobj=BytesIO(packed.stdout)) as archive:
        archive.extractall(folder, filter="data")
    yield {BEFORE: folder / PLACES[BEFORE], NOW: ROOT / PLACES[NOW]}


def _save(name: str, place: Path) -> None:
    """Save a corpus so that both versions can open it."""
    if name == "arxiv":
        import_abstracts(place, ABSTRACTS, ABSTRACT_WORDS)
        corpus = load_corpus(place)
        shutil.rmtree(place)
    else:
        corpus = CORPORA[name]()
    # The commit does not know the recipes of today, which are used to read further texts alone.
    recipe = replace(matrix_recipe(), token_pattern=r"\S+")
    save_corpus(replace(corpus, recipe=recipe), place)


def _train(place: Path, corpus: Path, out: Path, seed: int, epochs: int) -> dict[str, float]:
    """Processor seconds of the whole command on one thread, and the exact bound on the test set."""
    options = ["--out", out, "--seed", seed, "--threads", 1, "--json"]
    if epochs != DEFAULT_EPOCHS:
        options += ["--epochs", epochs]
    with patch.dict(os.environ, {"PYTHONPATH": str(place)}):
        ran = run_alone(sys.executable, "-m", "orrery", "train", corpus, *options)
    return {
        "processor_seconds": ran.processor_seconds,
        "bound": ran.json()["held_out"]["exact_bound"],
    }


@dataclass(frozen=True)
class Means:
    """Means over the seeds, by version.

    Attributes
    ----------
    seeds : int
    seconds : dict of str to float
        Processor seconds.
    bounds : dict of str to float
        Nats per document.
    error : float
        Standard error of the difference of the bounds; 0 for a single seed.
    """

    seeds: int
    seconds: dict[str, float]
    bounds: dict[str, float]
    error: float

    @classmethod
    def of(cls, runs: list[dict[str, Any]]) -> Means:
        """Means of the runs of both versions."""

        def mean(key: str) -> dict[str, float]:
            return {
                version: float(np.mean([run[key] for run in runs if run["version"] == version]))
                for version in (BEFORE, NOW)
            }

        bound = {(run["version"], run["seed"]): run["bound"] for run in runs}
        seeds = sorted({run["seed"] for run in runs})
        differences = np.array([bound[NOW, seed] - bound[BEFORE, seed] for seed in seeds])
        error = standard_error(differences)
        return cls(len(seeds), mean("processor_seconds"), mean("bound"), error)

    def row(self) -> list[str]:
        """Seconds with their ratio, and bounds with their difference and its standard error."""
        return [
            *(number(self.seconds[version], 1) for version in (BEFORE, NOW)),
            number(self.seconds[NOW] / self.seconds[BEFORE], 2),
            *(number(self.bounds[version], 3) for version in (BEFORE, NOW)),
            _signed(self.bounds[NOW] - self.bounds[BEFORE]),
            number(self.error, 3) if self.seeds > 1 else "–",
        ]


COLUMNS = (
    "before, CPU-s",
    "now, CPU-s",
    "ratio",
    "bound before",
    "bound now",
    "difference",
    "± standard error",
)


def show(figures: Figures) -> str:
    """A line for each corpus, and the frontiers."""
    means = {name: Means.of(runs) for name, runs in figures["rows"].items()}
    lines = [
        [TITLES[name], number(found.seeds, 0), *found.row()]
        for name, found in means.items()
        if name in TITLES
    ]
    parts = [
        f"`orrery train` with default settings, whole command on one thread, by commit "
        f"`{figures['commit']}` (*before*) and by this code in alternating runs. The kernels "
        "of both are compiled before. Bounds are exact, on the test set, in nats per document. "
        f"Means over the seeds; the goal is a ratio of at most {GOAL:g} and a bound that is "
        f"not lower by more than {LIMIT:g}.",
        table(["corpus", "seeds", *COLUMNS], lines),
    ]
    frontiers = [name for name in FRONTIER if len(_frontier(name, means)) == len(EPOCHS)]
    if frontiers:
        parts += [
            f"Time and bound with other numbers of epochs (`--epochs`, {DEFAULT_EPOCHS} by "
            "default), in the same way:",
            table(
                ["corpus", "epochs", *COLUMNS],
                [
                    [TITLES[name], number(epochs, 0), *found.row()]
                    for name in frontiers
                    for epochs, found in _frontier(name, means).items()
                ],
            ),
            " ".join(_at_equal_bound(name, means) for name in frontiers),
        ]
    return "\n\n".join(parts)


def _frontier(name: str, means: dict[str, Means]) -> dict[int, Means]:
    """Means of a corpus by the number of epochs."""
    found = {_epochs_of(key): each for key, each in means.items() if _corpus_of(key) == name}
    return dict(sorted(found.items()))


def _at_equal_bound(name: str, means: dict[str, Means]) -> str:
    """The shortest training by this code that reaches the bound of the default before."""
    target = means[name]
    reached = [
        (found.seconds[NOW], epochs)
        for epochs, found in _frontier(name, means).items()
        if found.bounds[NOW] >= target.bounds[BEFORE]
    ]
    if not reached:
        return f"{TITLES[name]}: none of these reaches the bound that the default had before."
    seconds, epochs = min(reached)
    return (
        f"{TITLES[name]}: {epochs} epochs reach the bound that the default had before, in "
        f"{number(seconds / target.seconds[BEFORE], 2)} of its time."
    )


def _signed(value: float) -> str:
    return number(value, 3) if value < 0 else f"+{number(value, 3)}"


PART = Part("before", "Training compared with an earlier version", 110, run, show)
