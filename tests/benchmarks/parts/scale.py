"""Large corpora with default settings, from a file to a model and its first page."""

from __future__ import annotations

import csv
import itertools
import lzma
import re
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from orrery.core.model.topic_model import Run
from orrery.core.storage.runs import load_run
from tests.benchmarks import in_browser
from tests.benchmarks.alone import orrery
from tests.benchmarks.arxiv import ABSTRACTS
from tests.benchmarks.data import data_file
from tests.benchmarks.layers_used import upper_topics
from tests.benchmarks.machine import measure_pace
from tests.benchmarks.markdown import MISSING, number, table
from tests.benchmarks.part import Figures, Part, Settings, log
from tests.benchmarks.results import measure_sets

NAME = "large"
HELD_OUT = 0.02
QUICK_DOCUMENTS, QUICK_WORDS = 2_000, 300
# A sentence ends before a capital; what is shorter is a formula or an abbreviation.
END_OF_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")
MIN_LETTERS = 30


@dataclass(frozen=True)
class Texts:
    """Texts to learn from.

    Attributes
    ----------
    title : str
    read : function
    count : int or None
        Number of first texts; None for all.
    words : int
        Largest vocabulary.
    minutes, gigabytes : float
        Goals for the time of training and for memory.
    """

    title: str
    read: Callable[[], Iterator[str]]
    count: int | None
    words: int
    minutes: float
    gigabytes: float


def abstracts() -> Iterator[str]:
    """Abstracts of arXiv, one after the other."""
    with lzma.open(data_file(ABSTRACTS), "rt", encoding="utf-8", newline="\n") as file:
        next(file)
        for line in file:
            yield line.rstrip("\n").partition("\t")[2]


def sentences() -> Iterator[str]:
    """Sentences of the abstracts."""
    for abstract in abstracts():
        for sentence in END_OF_SENTENCE.split(abstract):
            if len(sentence) >= MIN_LETTERS:
                yield sentence


SETS = {
    "sentences": Texts("sentences of abstracts", sentences, 1_000_000, 20_000, 25, 6),
    "abstracts": Texts("all abstracts", abstracts, None, 50_000, 30, 6),
}
ABOUT = """`orrery import` and `orrery train` with default options, except for the size of the
vocabulary and the test set; then the first page of `orrery app` on the model, until it is complete.
Every command is a process of its own on all cores; memory is the peak of a process. The bound is
the exact bound of at most 5,000 held-out documents minus the log-likelihood of independent words,
in nats per document. *Accepted*: upper topics that are on in one of a thousand documents and
activate two children with a probability of 0.1 or more. Goals are in brackets.
"""


def run(settings: Settings) -> Figures:
    """Learn from the texts asked for; the rows of others stay."""
    return measure_sets(
        PART.name, SETS, ("sentences",), lambda name: _measure(SETS[name], settings), settings
    )


def _measure(texts: Texts, settings: Settings) -> dict[str, Any]:
    log.info("%s", texts.title)
    with tempfile.TemporaryDirectory() as folder:
        workspace, source = Path(folder, "workspace"), Path(folder, "texts.csv")
        stored, place = (workspace / kind / NAME for kind in ("corpora", "runs"))
        write_texts(
            source, itertools.islice(texts.read(), settings.pick(texts.count, QUICK_DOCUMENTS))
        )
        words = settings.pick(texts.words, QUICK_WORDS)
        imported = orrery("import", source, "--out", stored, "--json", "--max-vocabulary", words)
        log.info("imported in %.0f s", imported.seconds)
        options = settings.pick([], ["--epochs", 2])
        trained = orrery(
            *("train", stored, "--out", place, "--json", "--held-out", HELD_OUT, *options)
        )
        log.info("trained in %.0f s", trained.seconds)
        shape = _shape(load_run(place))
        opened = _opened(workspace)
    held_out = trained.json()["held_out"]
    return {
        "documents": imported.json()["documents"],
        "words": imported.json()["vocabulary"],
        **shape,
        "gain": held_out["exact_bound"] - held_out["independent"],
        "steps": {"import": imported.cost(), "train": trained.cost()},
        "opened": opened,
        "pace": measure_pace(),
    }


def write_texts(place: Path, texts: Iterator[str]) -> None:
    """Write a CSV file of texts."""
    with place.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["text"])
        writer.writerows([text] for text in texts)


def _shape(trained: Run) -> dict[str, int]:
    graph = trained.network.graph
    upper = upper_topics(trained)
    return {
        "topics": graph.n_topics,
        "edges": graph.n_edges,
        "layers": graph.n_layers(),
        "upper": len(upper),
        "earning": int(upper.sum()),
    }


def _opened(workspace: Path) -> Figures | None:
    """The first page; None without a browser, because training took so long."""
    try:
        return in_browser.open_first(workspace, {"corpus": NAME, "run": NAME})
    except Exception as error:
        log.warning("the app is left out: %s", error, exc_info=True)
        return None


def show(figures: Figures) -> str:
    """One table of what was learned, one of what it took."""
    learned, took = [], []
    for name, row in figures["rows"].items():
        texts = SETS[name]
        counts = [number(row[key], 0) for key in ("documents", "words", "topics", "edges")]
        layers = [number(row["layers"], 0), f"{row['earning']} of {row['upper']}"]
        learned.append([texts.title, *counts, *layers, number(row["gain"])])
        took.append([texts.title, *_cost(row, texts)])
    header = ["texts", "documents", "words", "topics", "edges", "layers", "upper topics accepted"]
    first = table([*header, "bound over baseline"], learned)
    header = ["texts", "import, min", "train, min", "first page, s", "all, min", "memory, GB"]
    return f"{ABOUT}\n{first}\n\n{table([*header, 'pace, ms'], took)}\n"


def _cost(row: dict[str, Any], texts: Texts) -> list[str]:
    steps, opened = row["steps"], row["opened"]
    minutes = {name: cost["seconds"] / 60 for name, cost in steps.items()}
    whole = sum(minutes.values()) + (opened["first"] / 60 if opened else 0)
    most = max(cost["gigabytes"] for cost in steps.values())
    if opened and opened["gigabytes"]:
        most = max(most, opened["gigabytes"])
    return [
        number(minutes["import"], 1),
        f"{number(minutes['train'], 1)} ({number(texts.minutes, 0)})",
        number(opened["first"], 1) if opened else MISSING,
        number(whole, 1),
        f"{number(most, 2)} ({number(texts.gigabytes, 0)})",
        number(row["pace"], 0),
    ]


PART = Part("scale", "Large corpora with default settings", 150, run, show)
