"""Seconds and documents per second of other topic models with their default settings."""

from __future__ import annotations

import importlib.util
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from scipy import sparse

from orrery.core.data.corpus import Corpus
from orrery.core.storage.corpora import save_corpus
from orrery.core.structure.layers import layer_sizes
from tests.benchmarks.alone import CommandError, CommandTimeoutError, orrery, run_alone
from tests.benchmarks.arxiv import N_TEST, arxiv_split
from tests.benchmarks.corpora import little
from tests.benchmarks.data import tiny20
from tests.benchmarks.markdown import MISSING, number, table
from tests.benchmarks.part import Figures, Part, Settings, log
from tests.benchmarks.peer_systems import SYSTEMS

CORPORA: dict[str, Callable[[], Corpus]] = {
    "tiny20": tiny20,
    "arXiv abstracts": lambda: arxiv_split(20_000 - N_TEST, 10_000).corpus,
}
# A system that takes longer is stopped and shown as slower than this.
LIMIT, QUICK_LIMIT = 300.0, 60.0
OURS = "**ours**, `orrery train`"
OURS_SETTINGS = "the exact bound in stages, {layers} layers, all cores"
INSTALL = 'python -m pip install -e ".[peers]"'
ABOUT = """Every system runs in a process of its own on word presence, with its default settings and
as many topics as ours has by default; hierarchical LDA chooses its own number. A system that takes
longer than {limit} seconds is stopped. The defaults differ: *passes* is the number of epochs, and
*documents per second* counts every pass. *Fit* is training alone; *in all* is the whole process
with imports and reading of the documents, and for ours also the proposal of the graph, compiled
kernels and the topics of all documents at the end. Only time and peak memory are compared here, not
quality.
"""


def run(settings: Settings) -> Figures:
    """Fit every system that is installed on both corpora."""
    rows: dict[str, list[dict[str, Any]]] = {}
    counts = {}
    for name, read in CORPORA.items():
        corpus = little(read()) if settings.quick else read()
        sizes = layer_sizes(corpus.n_tokens, corpus.n_documents, None)
        counts[name] = [corpus.n_documents, corpus.n_tokens, sum(sizes)]
        with tempfile.TemporaryDirectory() as folder:
            rows[name] = [_ours(corpus, Path(folder), len(sizes))]
            matrix = Path(folder, "presence.npz")
            sparse.save_npz(matrix, corpus.to_csr())
            limit = settings.pick(LIMIT, QUICK_LIMIT)
            rows[name] += [_measured(system, matrix, sum(sizes), limit) for system in SYSTEMS]
    return {"rows": rows, "counts": counts}


def _ours(corpus: Corpus, folder: Path, n_layers: int) -> dict[str, Any]:
    save_corpus(corpus, folder / "corpus")
    options = ["--out", folder / "run", "--held-out", 0, "--json"]
    ran = orrery("train", folder / "corpus", *options)
    figures = ran.json()
    fitted = {"fit": figures["seconds"], "passes": round(figures["epochs"])}
    return {
        "title": OURS,
        "settings": OURS_SETTINGS.format(layers=n_layers),
        **fitted,
        **ran.cost(),
    }


def _measured(name: str, matrix: Path, topics: int, limit: float) -> dict[str, Any]:
    system = SYSTEMS[name]
    row: dict[str, Any] = {"title": system.title, "settings": system.settings}
    if importlib.util.find_spec(system.package) is None:
        log.warning("%s is not installed: %s", system.package, INSTALL)
        return {**row, "missing": system.package}
    log.info("%s", system.title)
    try:
        command = (sys.executable, "-m", "tests.benchmarks.peer_systems", name, matrix, topics)
        ran = run_alone(*command, limit=limit)
    except CommandTimeoutError:
        return {**row, "limit": limit}
    except CommandError as error:
        log.warning("%s failed: %s", system.title, error)
        return {**row, "error": str(error)}
    return {**row, **ran.json(), **ran.cost()}


def show(figures: Figures) -> str:
    """One table a corpus, and how to get what is missing."""
    parts = [ABOUT.format(limit=number(LIMIT, 0))]
    for name, rows in figures["rows"].items():
        documents, words, topics = figures["counts"][name]
        parts.append(
            f"**{name}**, {number(documents, 0)} documents, {number(words, 0)} words, "
            f"{number(topics, 0)} topics:\n\n{table_of(rows, documents)}\n"
        )
    return "\n".join([*parts, *_notes(figures)])


def table_of(rows: list[dict[str, Any]], documents: int) -> str:
    """Table with a row for each system; unknown values are dashes."""
    header = ["system", "default settings", "fit, s", "passes", "documents per second", "in all, s"]
    return table([*header, "memory, GB"], [_line(row, documents) for row in rows])


def _line(row: dict[str, Any], documents: int) -> list[str]:
    head = [row["title"], row["settings"]]
    if "limit" in row:
        return [*head, *[MISSING] * 3, f"more than {number(row['limit'], 0)}", MISSING]
    if "fit" not in row:
        return [*head, *[MISSING] * 5]
    speed = documents * row["passes"] / row["fit"]
    return [
        *head,
        number(row["fit"], 1),
        number(row["passes"], 0),
        number(speed, 0),
        number(row["seconds"], 1),
        number(row["gigabytes"], 2),
    ]


def _notes(figures: Figures) -> list[str]:
    rows = [row for corpus in figures["rows"].values() for row in corpus]
    missing = sorted({row["missing"] for row in rows if "missing" in row})
    failed = {f"{row['title']}: {row['error']}" for row in rows if "error" in row}
    notes = [f"Failed: {line}\n" for line in sorted(failed)]
    if missing:
        notes.append(f"Not installed: {', '.join(missing)}; `{INSTALL}` gets them.\n")
    return notes


def summary(figures: Figures) -> str:
    """Table of the systems on the last corpus."""
    name, rows = list(figures["rows"].items())[-1]
    return table_of(rows, figures["counts"][name][0])


PART = Part("rivals", "Comparison with other topic models", 20, run, show)
