"""Documents per second of the E-step and of a training step, compared with the paper's schedule."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
import numpy as np

from orrery.core.inference.kernel_inputs import documents_of
from orrery.core.kernels.rows import Documents
from orrery.core.model.network import Network
from orrery.core.training.e_step import training_search
from orrery.core.training.options import TrainingOptions
from tests.benchmarks import roofline
from tests.benchmarks.data import tiny20_split
from tests.benchmarks.held_out import paper_search
from tests.benchmarks.markdown import number, table
from tests.benchmarks.models import trained
from tests.benchmarks.part import Figures, Part, Settings
from tests.benchmarks.timing import estep_of, in_turns, on_threads

DOCUMENTS = 4_000
# Runs of the two take turns, so that whatever else the machine does meets both; the median of the
# ratios is reported.
REPEATS = 9
# Documents on which operations are counted, with uncompiled kernels.
COUNTED = 200
ABOUT = """Documents of tiny20 (split {split}) with the learned model ({topics} topics, {edges}
edges): the E-step and the sums of its gradients, on one thread. *paper* is the schedule of 10 × 10
× 10 steps under the Jensen bound, implemented in the same numba style. *ours* ends when no
activation changes by more than {tolerance}, which is within {gap:.0e} nats per document of the
fixed point. A document has {edges_local:.0f} local edges on average.
"""


def run(settings: Settings) -> Figures:
    """Time both, in turns, and then one thread against two."""
    split = tiny20_split(settings.splits[0], settings.quick)
    network = trained("ours", split, settings).network
    rows = split.train[: settings.pick(DOCUMENTS, 200)]
    documents = documents_of(network.graph, split.corpus, rows)
    ours_search = training_search(TrainingOptions())
    ours = estep_of(network, documents, "exact", ours_search)
    paper = estep_of(network, documents, "jensen", paper_search())
    fixed = estep_of(
        network, documents, "exact", ours_search._replace(tolerance=1e-7, max_sweeps=500)
    )
    with on_threads(1):
        seconds = in_turns({"paper": paper, "ours": ours}, settings.pick(REPEATS, 2))
    few = documents._replace(rows=rows[:: len(rows) // settings.pick(COUNTED, 10)])
    bounds = {name: float(step().mean()) for name, step in (("paper", paper), ("ours", ours))}
    return {
        "split": split.seed,
        "documents": len(rows),
        "topics": network.graph.n_topics,
        "edges": network.graph.n_edges,
        "local_edges": _local_edges(network, documents),
        "tolerance": ours_search.tolerance,
        "gap": float(fixed().mean() - bounds["ours"]),
        "bounds": bounds,
        "seconds": seconds,
        "roofline": roofline.measure(network, few, ours_search),
        "threads": _by_threads(ours, settings) if numba.get_num_threads() > 1 else None,
    }


def _by_threads(step: Callable[[], Any], settings: Settings) -> dict[str, list[float]]:
    def on(count: int) -> Callable[[], Any]:
        def run_on() -> Any:
            numba.set_num_threads(count)
            return step()

        return run_on

    with on_threads(numba.get_num_threads()):
        return in_turns({"1": on(1), "2": on(2)}, settings.pick(REPEATS, 2))


def _local_edges(network: Network, documents: Documents) -> float:
    """Mean number of edges into the words of a document and into all topics above them."""
    graph = network.graph
    n_parents = np.diff(graph.parent_ptr)
    counts = []
    for row in documents.rows:
        tokens = documents.token_idx[documents.token_ptr[row] : documents.token_ptr[row + 1]]
        nodes, waiting = set(), (tokens + graph.n_topics).tolist()
        while waiting:
            node = waiting.pop()
            if node not in nodes:
                nodes.add(node)
                span = slice(graph.parent_ptr[node], graph.parent_ptr[node + 1])
                waiting += graph.parent_idx[span].tolist()
        counts.append(n_parents[list(nodes)].sum())
    return float(np.mean(counts))


def show(figures: Figures) -> str:
    """Speeds of both schedules, their ratio, and the share of the peak of the machine."""
    seconds = figures["seconds"]
    names = {"paper": "the paper's schedule, Jensen bound", "ours": "ours, exact bound"}
    rows = [
        [title, number(figures["documents"] / np.median(seconds[name]), 0),
         number(figures["bounds"][name], 3)]
        for name, title in names.items()
    ]  # fmt: skip
    ratio = np.median(np.divide(seconds["paper"], seconds["ours"]))
    lines = [
        ABOUT.format(
            split=figures["split"],
            topics=figures["topics"],
            edges=figures["edges"],
            tolerance=figures["tolerance"],
            gap=abs(figures["gap"]),
            edges_local=figures["local_edges"],
        ),
        table(["E-step", "documents per second", "bound"], rows),
        f"\nOurs is **{ratio:.1f} times** as fast (median of {len(seconds['ours'])} pairs).",
    ]
    if figures["threads"]:
        gain = np.median(np.divide(figures["threads"]["1"], figures["threads"]["2"]))
        lines.append(f"Two threads are {gain:.2f} times as fast as one.")
    # The peak is from the fastest product, too.
    a_document = min(seconds["ours"]) / figures["documents"]
    lines.append(roofline.show(figures["roofline"], figures["local_edges"], a_document))
    return "\n".join(lines)


PART = Part("estep", "E-step compared with the paper's schedule", 4, run, show)
