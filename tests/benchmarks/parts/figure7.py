"""Figure 7: time of an E-step iteration on full and local models, by network size."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from orrery.core.data.corpus import Corpus
from orrery.core.inference.evidence import Evidence
from orrery.core.inference.infer import infer
from orrery.core.inference.kernel_inputs import (
    N_BLOCKS,
    Bound,
    documents_of,
    kernel_model,
    kernel_tables,
    search_settings,
)
from orrery.core.kernels.batch import expectation_step
from orrery.core.model.network import Network
from orrery.core.training.options import Scope
from tests.benchmarks.galaxies import TOPICS, documents_of_first, galaxies
from tests.benchmarks.markdown import number, table
from tests.benchmarks.part import Figures, Part, Settings, log

COUNTS = (1, 3, 10, 30, 100)
DOCUMENTS = 100
# Minimum over this many runs: other processes can only slow a run down.
REPEATS = 5
KINDS: dict[str, tuple[Bound, Scope]] = {
    "jensen full": ("jensen", "full"),
    "jensen local": ("jensen", "local"),
    "exact full": ("exact", "full"),
    "exact local": ("exact", "local"),
}
ABOUT = """Seconds for one iteration of the E-step over the same {documents} documents of 20 words:
for the Jensen bound n_e = 1 with N_Q = N_R = 10, for the exact bound one sweep. Networks grow by
layered components of 100 topics and 1,000 words that are not linked to each other. All documents
are from the first component, so their local models are the same in every network. The paper shows
bars without numbers (50 processors, DBLP with 49,543 topics and Yelp with 125,798) and states that
only VI on local models is feasible at such sizes.
"""


def run(settings: Settings) -> Figures:
    """Time every kind of E-step on every size of network."""
    n_documents = settings.pick(DOCUMENTS, 10)
    rows = []
    for count in settings.pick(COUNTS, COUNTS[:2]):
        log.info("%d topics", count * TOPICS)
        network, corpus = galaxies(count), documents_of_first(n_documents, count)
        seconds = {name: _time(network, corpus, *kind) for name, kind in KINDS.items()}
        topics, edges = _local_sizes(network, corpus)
        graph = network.graph
        sizes = {"topics": graph.n_topics, "words": graph.n_tokens, "edges": graph.n_edges}
        rows.append({**sizes, "local_topics": topics, "local_edges": edges, "seconds": seconds})
    return {"documents": n_documents, "rows": rows}


def _time(network: Network, corpus: Corpus, bound: Bound, scope: Scope) -> float:
    """Seconds of one iteration; tables that change with the weights alone are made before."""
    search = search_settings(starts=(0.5,), tolerance=0.0, max_sweeps=1, schedule=(1, 10, 10))
    work = (
        documents_of(network.graph, corpus),
        kernel_model(network),
        kernel_tables(network, bound, dtype=np.float32),
        scope == "full",
        search,
        N_BLOCKS,
    )
    # Compiles the kernel, where it is not.
    expectation_step(work[0]._replace(rows=work[0].rows[:1]), *work[1:])
    seconds = []
    for _ in range(REPEATS):
        begin = time.perf_counter()
        expectation_step(*work)
        seconds.append(time.perf_counter() - begin)
    return min(seconds)


def _local_sizes(network: Network, corpus: Corpus) -> tuple[float, float]:
    """Mean numbers of topics and edges of the documents' local models."""
    documents = [tuple(corpus.tokens_of(row).tolist()) for row in range(corpus.n_documents)]
    evidence = [Evidence(tokens, closed_world=True) for tokens in documents]
    local = [infer(network, known, method="sum-product").local for known in evidence]
    sizes = [(len(model.topics), len(model.edge)) for model in local]
    topics, edges = np.mean(sizes, axis=0)
    return float(topics), float(edges)


def show(figures: Figures) -> str:
    """One line a network."""
    header = ["topics", "words", "edges", "local topics", "local edges", *KINDS]
    return f"{ABOUT.format(**figures)}\n{table(header, map(_row, figures['rows']))}\n"


def _row(row: dict[str, Any]) -> list[str]:
    sizes = [number(row[key], 0) for key in ("topics", "words", "edges")]
    local = [number(row[key], 1) for key in ("local_topics", "local_edges")]
    return [*sizes, *local, *[number(row["seconds"][kind], 4) for kind in KINDS]]


TITLE = "Figure 7: time of one E-step iteration, full and local models"
PART = Part("figure7", TITLE, 2, run, show)
