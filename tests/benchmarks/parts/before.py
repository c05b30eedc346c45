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
from dataclasses import replace
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
from tests.benchmarks.abstracts import import_abstracts
from tests.benchmarks.alone import run_alone
from tests.benchmarks.corpora import news20, prepared
from tests.benchmarks.data import MissingData, UnknownName, binary_corpus
from tests.benchmarks.density_sets import read_set
from tests.benchmarks.labelled_sets import LABELLED
from tests.benchmarks.markdown import number, table
from tests.benchmarks.part import Figures, Part, Settings, log

COMMIT = "9dd6630"
ROOT = Path(__file__).resolve().parents[3]
# Folders that hold the package under its name: of this code, and of the commit.
NOW, BEFORE = "now", "before"
PLACES = {NOW: "app/package", BEFORE: ".links"}
SEEDS = 3
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
NAMES = {
    "sample": "sample",
    "bbc": "BBC",
    "googlenews": "GoogleNews",
    "webkb": "WebKB",
    "news20": "20 Newsgroups",
    "arxiv": f"arXiv, {ABSTRACTS:,} abstracts",
}


def run(settings: Settings) -> Figures:
    """Train each corpus with each seed by both versions, one run after the other.

    Raises
    ------
    MissingData
        If this is no checkout with the commit.
    UnknownName
        If a set is unknown.
    """
    names = settings.sets or settings.pick(tuple(NAMES)[1:], ("sample",))
    for name in names:
        if name not in NAMES:
            raise UnknownName(f"there is no corpus {name}; choose among {', '.join(NAMES)}")
    runs: dict[str, list[dict[str, Any]]] = {}
    with tempfile.TemporaryDirectory() as folder, _versions(Path(folder, "code")) as places:
        # Compiles the kernels of both.
        for version, place in places.items():
            _train(place, SAMPLE_DATA / "corpus", Path(folder, f"first-{version}"), 0)
        for name in names:
            corpus = Path(folder, name)
            _save(name, corpus)
            runs[name] = []
            for seed in settings.splits[: settings.pick(SEEDS, 1)]:
                # The order alternates, so that neither version is always the first.
                for version in (NOW, BEFORE) if seed % 2 else (BEFORE, NOW):
                    found = _train(
                        places[version], corpus, Path(folder, f"{name}-{version}-{seed}"), seed
                    )
                    log.info("%s, seed %d, %s: %s", name, seed, version, found)
                    runs[name].append({"version": version, "seed": seed, **found})
    return {"runs": runs, "commit": COMMIT}


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


def _train(place: Path, corpus: Path, out: Path, seed: int) -> dict[str, float]:
    """Processor seconds of the whole command on one thread, and the exact bound on the test set."""
    options = ["--out", out, "--seed", seed, "--threads", 1, "--json"]
    with patch.dict(os.environ, {"PYTHONPATH": str(place)}):
        ran = run_alone(sys.executable, "-m", "orrery", "train", corpus, *options)
    return {
        "processor_seconds": ran.processor_seconds,
        "bound": ran.json()["held_out"]["exact_bound"],
    }


def show(figures: Figures) -> str:
    """A line for each corpus."""
    lines = []
    for name in NAMES:
        if name not in figures["runs"]:
            continue
        found = {
            version: {
                key: np.array(
                    [run[key] for run in figures["runs"][name] if run["version"] == version]
                )
                for key in ("processor_seconds", "bound")
            }
            for version in (BEFORE, NOW)
        }
        seconds = {version: found[version]["processor_seconds"].mean() for version in found}
        bounds = {version: found[version]["bound"].mean() for version in found}
        lines.append(
            [
                NAMES[name],
                number(len(found[NOW]["bound"]), 0),
                number(seconds[BEFORE], 1),
                number(seconds[NOW], 1),
                number(seconds[NOW] / seconds[BEFORE], 2),
                number(bounds[BEFORE], 3),
                number(bounds[NOW], 3),
                _signed(bounds[NOW] - bounds[BEFORE]),
            ]
        )
    header = [
        "corpus",
        "seeds",
        "before, CPU-s",
        "now, CPU-s",
        "ratio",
        "bound before",
        "bound now",
    ]
    return "\n\n".join(
        [
            f"`orrery train` with default settings, whole command on one thread, by commit "
            f"`{figures['commit']}` (*before*) and by this code in alternating runs. The kernels "
            "of both are compiled before. Bounds are exact, on the test set, in nats per document. "
            f"Means over the seeds; the goal is a ratio of at most {GOAL:g} and a bound that is "
            f"not lower by more than {LIMIT:g}.",
            table([*header, "difference"], lines),
        ]
    )


def _signed(value: float) -> str:
    return number(value, 3) if value < 0 else f"+{number(value, 3)}"


PART = Part("before", "Training compared with an earlier version", 75, run, show)
