"""Estimated time and memory of a run, shown before it is started.

Time: the cost of a document is a fixed part plus its links, the edges above its words. It has
words per document × edges ÷ vocabulary links. The ``pace`` is the time per link in earlier runs on
this machine, measured separately for Gibbs sweeps and training steps::

    seconds = passes × training documents × (LINKS_PER_DOCUMENT + links) × pace

The range covers the earlier runs on corpora of similar size, widened by `MARGIN`. Without earlier
runs it covers the machines and corpora on which Orrery was measured.

The remaining work is included. Reading, proposing the graph and evaluating the model grow with the
corpus; they are counted as the links of one pass, with their own pace. Compilation takes as long as
in earlier runs.

Memory: the program, the words of the documents in several representations, their texts, the pairs
of words that are counted at once for the graph proposal, and the edges with their gradients, one
copy per block of documents::

    bytes = PROGRAM + BYTES_PER_WORD × words in all documents + BYTES_PER_TEXT_BYTE × size of texts
            + BYTES_PER_PAIR × pairs + BYTES_PER_EDGE × edges
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
from ...text.safe_text import markdown_text
from ...workspace import catalog, runs
from ...workspace.catalog import Place
from ...workspace.progress import epochs_trained
from ...workspace.runs import LEARNED, Job, TrainChoice
from . import strings

# Kinds of work: Gibbs sweeps, training steps, all other work, and compilation.
SAMPLING, TRAINING, BESIDE, COMPILING = "sampling", "training", "beside", "compiling"
# Key of the number of words in all training documents of an earlier run.
WORDS = "words"
# Corpora are of similar size if their sizes differ by at most this factor.
NEAR = 4.0
# Edges during structure learning, relative to the initial edges.
LEARNING_EDGES = 1.5
# Fixed cost of a document, in links.
LINKS_PER_DOCUMENT = 50.0
# Seconds per link on other machines and corpora, used without an earlier run on this machine.
USUAL_PACE = {TRAINING: (4e-7, 6e-6), SAMPLING: (4e-8, 1e-6), BESIDE: (3e-6, 6e-5)}
# Seconds for the start of a process, and for the first compilation: less than 15 CPU-seconds on the
# machine where Orrery is tested; a slow and busy one may take four times as long.
STARTING, FIRST_COMPILING = 5.0, 60.0
# Factor that widens the measured range.
MARGIN = 1.5
# A row slower than the median by this factor waited for a compiler or another program.
OUTLIER = 8.0
PROGRAM = 320e6
BYTES_PER_WORD, BYTES_PER_TEXT_BYTE, BYTES_PER_PAIR, BYTES_PER_EDGE = 60.0, 6.0, 95.0, 330.0
# Number of newest runs on which the estimate is based.
N_RUNS = 12


@dataclass(frozen=True)
class Size:
    """Quantities on which the cost of a run depends.

    ``documents`` are the training documents, and ``words`` is the mean number of words of one.
    """

    documents: int
    words: float
    vocabulary: int
    edges: int

    @property
    def work(self) -> float:
        """Links of a pass over all documents, including the fixed part."""
        links = self.words * self.edges / max(self.vocabulary, 1)
        return self.documents * (LINKS_PER_DOCUMENT + links)

    @property
    def all_words(self) -> float:
        """Number of words in all documents."""
        return self.documents * self.words

    @property
    def pairs(self) -> float:
        """Number of pairs of co-occurring words that are counted at once."""
        return min(self.documents * self.words**2, self.vocabulary**2, PAIRS_AT_ONCE)


@dataclass(frozen=True)
class Estimate:
    """Estimated range of time and maximum memory (bytes) of a run, from ``runs`` earlier runs."""

    seconds: tuple[float, float]
    memory: float
    runs: int


def size_of(counts: dict[str, Any], edges: int, held_out: float = 0.1) -> Size:
    """Size of a run on a corpus, from the counts in its ``corpus.json``."""
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
    """Number of edges of the initial graph, from the counts in the ``corpus.json`` of the corpus.

    Edges that a Gibbs start adds are not counted: about 5 % on 20 Newsgroups, fewer on smaller
    corpora.

    Raises
    ------
    InputError
        If a graph of these sizes is impossible.
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
    """Number of passes over the documents, without a Gibbs start."""
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
        LINKS_PER_DOCUMENT + size.words * metrics["edges"] / max(size.vocabulary, 1)
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
    """Seconds per link of work other than training in an earlier run, and seconds of compilation.

    Parameters
    ----------
    whole, compiling : float
        Seconds of the whole run, and seconds of compilation.
    metrics : pandas.DataFrame
        Metrics of the run, whose seconds include training only.
    size : Size
        Size of its corpus.
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
    """Estimate time and memory of a run from earlier runs on this machine.

    Parameters
    ----------
    choice : TrainChoice
    size : Size
    text_bytes : float
        Size of the file of documents.
    paces : iterable of dict
        `measured_pace` of every earlier run, `measured_beside` if known, and the size of its
        corpus as `WORDS`.
    """
    known = [pace for pace in paces if TRAINING in pace]

    def span(kind: str, work: float) -> tuple[float, float]:
        found = [pace[kind] for pace in _nearest([pace for pace in known if kind in pace], size)]
        if found:
            return work * min(found) / MARGIN, work * max(found) * MARGIN
        low, high = USUAL_PACE[kind]
        return work * low, work * high

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
        + BYTES_PER_WORD * size.all_words
        + BYTES_PER_TEXT_BYTE * text_bytes
        + BYTES_PER_PAIR * pairs
        + BYTES_PER_EDGE * size.edges
    )
    return Estimate((low, high), memory, len(_nearest(known, size)))


def _nearest(known: Sequence[dict[str, float]], size: Size) -> list[dict[str, float]]:
    """Earlier runs on corpora of similar size; if there are none, the next larger and smaller."""

    def log_ratio(pace: dict[str, float]) -> float:
        return math.log(max(pace[WORDS], 1.0) / max(size.all_words, 1.0))

    minimum = min((abs(log_ratio(pace)) for pace in known), default=0.0)
    if minimum <= math.log(NEAR):
        return [pace for pace in known if abs(log_ratio(pace)) <= minimum + math.log(NEAR)]
    sides = [
        [pace for pace in known if (log_ratio(pace) > 0) == is_above] for is_above in (False, True)
    ]
    return [min(side, key=lambda pace: abs(log_ratio(pace))) for side in sides if side]


def show(place: Place, choice: TrainChoice, counts: dict[str, Any]) -> None:
    """Show the estimate in one line, and warn if the run does not fit into memory."""
    try:
        edges = proposed_edges(choice.method, choice.topics, counts, choice.learn_structure)
    except InputError:
        # The start of the run shows the error.
        return
    size = size_of(counts, edges)
    text_bytes = catalog.size(place.folder / "documents.parquet")
    expected = estimate(choice, size, text_bytes, [_pace(job) for job in _earlier(choice)])
    text = strings.takes(expected.seconds, expected.memory, expected.runs)
    st.caption(markdown_text(text), help=strings.ESTIMATE_HELP)
    free = psutil.virtual_memory().available
    if expected.memory > free:
        st.warning(strings.too_large(expected.memory, free))


def _earlier(choice: TrainChoice) -> list[Job]:
    """Earlier runs for the estimate: runs with the same bound if there are any."""

    def bound(job: Job) -> str | None:
        training = job.settings.get("training")
        return training.get("bound") if isinstance(training, dict) else None

    found = [
        job
        for job in runs.list_jobs(catalog.workspace() / "runs")
        if job.corpus is not None and catalog.size(job.folder / "metrics.jsonl")
    ][:N_RUNS]
    return [job for job in found if bound(job) == choice.bound] or found


def _pace(job: Job) -> dict[str, float]:
    """Pace of an earlier run by kind of work; empty if its corpus is missing or damaged."""
    try:
        counts = read_description(job.corpus) if job.corpus else {}
    except InputError:
        return {}
    metrics = metrics_once(job.folder)
    size = size_of(counts, 0)
    found = measured_pace(metrics, size)
    if found:
        found[WORDS] = size.all_words
    whole, compiling = (job.status.get(f"{name}_seconds") for name in ("whole", "compiling"))
    # A resumed run has started several times, so its remaining work is not comparable.
    if job.state == "finished" and whole is not None and compiling is not None:
        found |= measured_beside(whole, compiling, metrics, size)
    return found
