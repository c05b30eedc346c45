"""How long a run may take and how much memory, before it is started (no streamlit).

Time: a document costs about as much as it has links, plus a fixed part. Its links are the edges
above its words: words of a document × edges ÷ vocabulary. With ``pace`` the seconds that a link
took in earlier runs of this machine, sweeps of a Gibbs start and steps of training apart::

    seconds = passes × training documents × (LINKS_OF_A_DOCUMENT + links) × pace

The range is that of the earlier runs and half as much around it, as no two corpora are alike; of
runs on corpora of very different sizes the nearest count, for what is fixed weighs more in a small
one. Where there was no run yet it is that of machines and corpora which were measured.

What is done beside training is waited for as well. Reading, laying out the graph and judging the
model grow with the corpus: they are counted as links of one pass, with a pace of their own. Code
that is compiled does not: it takes what it took in earlier runs.

Memory: the program itself, the words of the documents in the few forms that they are kept in,
their texts, the pairs of words that are counted at once where a graph is laid out, and the graph
with its gradients, of which every block of documents has its own::

    bytes = PROGRAM + BYTES_A_WORD × words in all documents + BYTES_OF_TEXT × size of the texts
            + BYTES_A_PAIR × pairs + BYTES_AN_EDGE × edges

What a run may cost, shown before it is started.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
import psutil
import streamlit as st

from ....core.storage.corpora import read_description
from ....core.structure.co_occurrence import PAIRS_AT_ONCE
from ....core.structure.layers import (
    WORD_PARENTS,
    complete_edges,
    edges_to_begin_with,
    edges_to_choose_from,
    split_budget,
)
from ....core.training.options import TrainingOptions
from ....core.utils.errors import InputError
from ...shared.training_charts import metrics_once
from ...text.escaping import markdown_text
from ...workspace import catalog, runs
from ...workspace.catalog import Place
from ...workspace.progress import epochs_trained
from ...workspace.runs import LEARNED, Job, TrainChoice
from . import strings

SAMPLING, TRAINING = "sampling", "training"
# What is done beside them, and compiling: in seconds.
BESIDE, COMPILING = "beside", "compiling"
# Words in all documents that an earlier run trained on.
WORDS = "words"
# A corpus is near in size if it is at most so many times as large or small.
NEAR = 4.0
# A graph that grows with the weights has about so many times the edges that it begins with.
LEARNING_EDGES = 1.5
# What a document costs before any link is looked at, in links.
LINKS_OF_A_DOCUMENT = 50.0
# Seconds per link measured on other machines and corpora, used if this machine has no run yet.
USUAL_PACE = {TRAINING: (4e-7, 6e-6), SAMPLING: (4e-8, 1e-6), BESIDE: (3e-6, 6e-5)}
# A process starts and code is compiled: what that took where it was done before, and where not.
STARTING, FIRST_COMPILING = 5.0, 240.0
# Around what was measured.
MARGIN = 1.5
# A row that took this many times as long as usual waited for a compiler or for another program.
OUTLIER = 8.0
PROGRAM = 320e6
BYTES_A_WORD, BYTES_OF_TEXT, BYTES_A_PAIR, BYTES_AN_EDGE = 60.0, 6.0, 95.0, 330.0


@dataclass(frozen=True)
class Size:
    """What the cost of a run depends on.

    Attributes
    ----------
    documents : int
        Those trained on.
    words : float
        Words in a document, on average.
    vocabulary : int
    edges : int
    """

    documents: int
    words: float
    vocabulary: int
    edges: int

    @property
    def work(self) -> float:
        """Links of a pass over all documents, the fixed part among them."""
        links = self.words * self.edges / max(self.vocabulary, 1)
        return self.documents * (LINKS_OF_A_DOCUMENT + links)

    @property
    def all_words(self) -> float:
        """Words in all documents."""
        return self.documents * self.words

    @property
    def pairs(self) -> float:
        """Pairs of words in a document that are counted at once."""
        return min(self.documents * self.words**2, self.vocabulary**2, PAIRS_AT_ONCE)


@dataclass(frozen=True)
class Estimate:
    """What a run may take.

    Attributes
    ----------
    seconds : (float, float)
        From and to.
    memory : float
        Bytes at the most.
    runs : int
        Earlier runs that it is measured on; 0 where there were none.
    """

    seconds: tuple[float, float]
    memory: float
    runs: int


def size_of(counts: dict[str, Any], edges: int, held_out: float = 0.1) -> Size:
    """Size of a run on a corpus, out of its ``corpus.json``."""
    documents = int(counts.get("documents") or 0)
    return Size(
        documents=round((1.0 - held_out) * documents),
        words=float(counts.get("ones") or 0) / max(documents, 1),
        vocabulary=int(counts.get("vocabulary") or 0),
        edges=edges,
    )


def proposed_edges(
    method: str, sizes: Sequence[int], counts: Mapping[str, Any], learns: bool
) -> int:
    """Edges that a run begins with, out of the ``corpus.json`` of its corpus.

    Those that grow in a Gibbs start are not counted: one for twenty on 20 Newsgroups, fewer on
    smaller corpora.

    Raises
    ------
    InputError
        If the sizes cannot be had.
    """
    vocabulary = int(counts.get("vocabulary") or 0)
    if method == LEARNED:
        first = edges_to_begin_with(vocabulary, int(counts.get("ones") or 0))
        return round(LEARNING_EDGES * first)
    if method == "complete":
        return complete_edges(vocabulary, sizes)
    if learns:
        return edges_to_choose_from(WORD_PARENTS * vocabulary, int(counts.get("ones") or 0))
    return sum(split_budget(vocabulary, sizes, None))


def passes(choice: TrainChoice) -> int:
    """Passes over the documents, with those of a Gibbs start counted separately."""
    if choice.method != LEARNED:
        return choice.epochs
    return TrainingOptions(structure="learned", epochs=choice.epochs).passes


def measured_pace(metrics: pd.DataFrame, size: Size) -> dict[str, float]:
    """Seconds per link for each kind of work in an earlier run; empty if too little is known."""
    needed = {"epoch", "seconds", "edges", "phase"}
    if not needed <= set(metrics.columns) or len(metrics) < 3:
        return {}
    passes, seconds = epochs_trained(metrics).diff(), metrics["seconds"].diff()
    per_pass = size.documents * (
        LINKS_OF_A_DOCUMENT + size.words * metrics["edges"] / max(size.vocabulary, 1)
    )
    kinds = np.where(metrics["phase"] == TRAINING, TRAINING, SAMPLING)
    rows = pd.DataFrame({"kind": kinds, "work": passes * per_pass, "seconds": seconds})
    rows = rows[(rows["work"] > 0) & (rows["seconds"] >= 0)]
    found = {}
    for kind, part in rows.groupby("kind"):
        pace = part["seconds"] / part["work"]
        usual = part[pace <= OUTLIER * pace.median()]
        if usual["seconds"].sum() > 0:
            found[str(kind)] = float(usual["seconds"].sum() / usual["work"].sum())
    return found


def measured_beside(
    whole: float, compiling: float, metrics: pd.DataFrame, size: Size
) -> dict[str, float]:
    """What an earlier run took beside training, a link of a pass, and for compiling, in seconds.

    Parameters
    ----------
    whole, compiling : float
        Seconds in all, and those of compiling among them.
    metrics : pandas.DataFrame
        Of the run; its seconds are of training alone.
    size : Size
        Of its corpus; the edges are those that it ended with.
    """
    if not {"seconds", "edges"} <= set(metrics.columns) or not len(metrics):
        return {}
    work = replace(size, edges=int(metrics["edges"].iloc[-1])).work
    beside = whole - compiling - float(metrics["seconds"].iloc[-1]) - STARTING
    if not work:
        return {}
    return {BESIDE: max(beside, 0.0) / work, COMPILING: compiling}


def estimate(
    choice: TrainChoice,
    size: Size,
    text_bytes: float,
    paces: Iterable[dict[str, float]],
) -> Estimate:
    """What a run may take, from what earlier runs of this machine did.

    Parameters
    ----------
    choice : TrainChoice
    size : Size
        Of the run.
    text_bytes : float
        Size of the file of documents.
    paces : iterable of dict
        `measured_pace` of every earlier run, with `measured_beside` where that is known, and the
        size of its corpus as `WORDS`.
    """
    known = [pace for pace in paces if TRAINING in pace]

    def span(kind: str, work: float) -> tuple[float, float]:
        return _range(_nearest([pace for pace in known if kind in pace], size), kind, work)

    low, high = span(TRAINING, passes(choice) * size.work)
    if choice.start_epochs:
        few, many = span(SAMPLING, choice.start_epochs * size.work)
        low, high = low + few, high + many
    few, many = span(BESIDE, size.work)
    compiled = [pace[COMPILING] for pace in known if COMPILING in pace] or [0.0, FIRST_COMPILING]
    low, high = low + few + STARTING + min(compiled), high + many + STARTING + max(compiled)
    pairs = 0.0 if choice.method == "complete" else size.pairs
    memory = (
        PROGRAM
        + BYTES_A_WORD * size.all_words
        + BYTES_OF_TEXT * text_bytes
        + BYTES_A_PAIR * pairs
        + BYTES_AN_EDGE * size.edges
    )
    return Estimate((low, high), memory, len(_nearest(known, size)))


def _nearest(known: Sequence[dict[str, float]], size: Size) -> list[dict[str, float]]:
    """Of earlier runs those on corpora nearest in size; where none is near, one on each side."""

    def larger(pace: dict[str, float]) -> float:
        """How much larger its corpus was, in logarithms."""
        return math.log(max(pace[WORDS], 1.0) / max(size.all_words, 1.0))

    least = min((abs(larger(pace)) for pace in known), default=0.0)
    if least <= math.log(NEAR):
        return [pace for pace in known if abs(larger(pace)) <= least + math.log(NEAR)]
    sides = [
        [pace for pace in known if (larger(pace) > 0) == is_above] for is_above in (False, True)
    ]
    return [min(side, key=lambda pace: abs(larger(pace))) for side in sides if side]


def _range(known: Sequence[dict[str, float]], kind: str, work: float) -> tuple[float, float]:
    found = [pace[kind] for pace in known if kind in pace]
    if not found:
        low, high = USUAL_PACE[kind]
        return work * low, work * high
    return work * min(found) / MARGIN, work * max(found) * MARGIN


# The newest runs say most about the machine as it is.
RUNS_ASKED = 12


def show(place: Place, choice: TrainChoice, counts: dict[str, Any]) -> None:
    """Say in one line what a run may cost, and warn if it does not fit into memory."""
    try:
        edges = proposed_edges(choice.method, choice.topics, counts, choice.learn_structure)
    except InputError:
        # The start says what is wrong.
        return
    size = size_of(counts, edges)
    text = catalog.size(place.folder / "documents.parquet")
    expected = estimate(choice, size, text, [_pace(job) for job in _earlier(choice)])
    epochs = (choice.epochs, passes(choice))
    said = strings.takes(epochs, expected.seconds, expected.memory, expected.runs)
    st.caption(markdown_text(said), help=strings.ESTIMATE_HELP)
    free = psutil.virtual_memory().available
    if expected.memory > free:
        st.warning(strings.too_large(expected.memory, free))


def _earlier(choice: TrainChoice) -> list[Job]:
    """Earlier runs to base the estimate on: with the same bound if there are any."""
    found = [
        job
        for job in runs.list_jobs(catalog.workspace() / "runs")
        if job.corpus is not None and catalog.size(job.folder / "metrics.jsonl")
    ][:RUNS_ASKED]
    same = [job for job in found if _bound(job) == choice.bound]
    return same or found


def _bound(job: Job) -> str | None:
    training = job.settings.get("training")
    return training.get("bound") if isinstance(training, dict) else None


def _pace(job: Job) -> dict[str, float]:
    """What an earlier run took, by kinds of work; empty if its corpus is gone or damaged."""
    try:
        counts = read_description(job.corpus) if job.corpus else {}
    except InputError:
        return {}
    metrics = metrics_once(str(job.folder), catalog.stamp(job.folder / "metrics.jsonl"))
    size = size_of(counts, 0)
    found = measured_pace(metrics, size)
    if found:
        found[WORDS] = size.all_words
    whole, compiling = (job.status.get(f"{name}_seconds") for name in ("whole", "compiling"))
    # A run that was stopped and taken up again has started several times.
    if job.state == "finished" and whole is not None and compiling is not None:
        found |= measured_beside(whole, compiling, metrics, size)
    return found
