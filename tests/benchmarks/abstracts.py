"""All abstracts of arXiv papers that are at hand, through the command line."""

from __future__ import annotations

import itertools
import lzma
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from tests.benchmarks.alone import Ran, orrery
from tests.benchmarks.arxiv import ABSTRACTS
from tests.benchmarks.data import data_file
from tests.benchmarks.part import log

NAME = "arXiv"
HELD_OUT = 0.02


@dataclass(frozen=True)
class Scale:
    """Size of the data and the model.

    Attributes
    ----------
    documents : int or None
        Number of first abstracts; None for all.
    words : int
        Largest vocabulary.
    topics : str
        Topics in each layer, as the command line has them.
    epochs : int
    """

    documents: int | None
    words: int
    topics: str
    epochs: int


FULL = Scale(None, 50_000, "800,160,32,6", 8)
QUICK = Scale(3_000, 1_000, "60,20,6,2", 2)


def import_abstracts(corpus: Path, count: int | None, words: int) -> Ran:
    """Run `orrery import` on all abstracts, or on the first ``count``, with default options.

    Parameters
    ----------
    corpus : Path
        Folder to make.
    count : int or None
    words : int
        Largest vocabulary.
    """
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "abstracts.tsv")
        with lzma.open(data_file(ABSTRACTS)) as packed, source.open("wb") as file:
            if count is None:
                shutil.copyfileobj(packed, file)
            else:
                file.writelines(itertools.islice(packed, count + 1))
        columns = ["--text-column", "abstract", "--id-column", "arxiv_id"]
        return orrery(
            *("import", source, "--out", corpus, "--json", *columns, "--max-vocabulary", words)
        )


def make_run(workspace: Path, scale: Scale) -> dict[str, Ran]:
    """Import all abstracts, propose a graph and train, each by its command; what became of them."""
    stored, place = (workspace / kind / NAME for kind in ("corpora", "runs"))
    graph = workspace / "graph.csv"
    ran = {"import": import_abstracts(stored, scale.documents, scale.words)}
    log.info("imported in %.0f s", ran["import"].seconds)
    options = ["--topics", scale.topics, "--json"]
    ran["structure"] = orrery("structure", stored, "--out", graph, *options)
    log.info("structure in %.0f s", ran["structure"].seconds)
    options = ["--epochs", scale.epochs, "--held-out", HELD_OUT, "--json"]
    ran["train"] = orrery("train", stored, "--out", place, "--graph", graph, *options)
    log.info("trained in %.0f s", ran["train"].seconds)
    return ran
