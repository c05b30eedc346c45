"""How far the E-step is from what a core of this machine could do at most."""

from __future__ import annotations

import time
from dataclasses import asdict

import numpy as np
from threadpoolctl import threadpool_limits

from orrery.core.inference.kernel_inputs import kernel_model, terms_of
from orrery.core.kernels.document import Search
from orrery.core.kernels.rows import Documents, Parents, topic_pointer
from orrery.core.kernels.tables import coarse_sum
from orrery.core.model.network import Network
from tests.benchmarks.markdown import number, table
from tests.benchmarks.operations import WORK, Tally, count_work, divisions, operations
from tests.benchmarks.part import Figures
from tests.benchmarks.timing import estep_of

# Large enough for the most that a core can do, and done in a tenth of a second.
MATRIX_SIDE, PRODUCTS = 1_500, 9
BYTES_OF_A_TERM = 4
TITLES = {
    "expected_terms": "recompute the terms of all nodes",
    "topic_field": "log-odds of a topic",
    "replace_activation": "update the children of a topic",
    "add_exact_gradient": "gradient",
}
ABOUT = """
Distance from the peak of the processor: nearly all arithmetic is on the terms of edges, {exact} per
edge in the exact sum and {coarse} in the coarse one. Counted on {documents} of these documents:
"""
ABOUT_PEAK = """
A topic is visited {visits:.1f} times, over all starts and both sums of terms. The terms of a
document's edges take {kilobytes:.0f} kB without repeats and fit into the level-1 cache once they
are gathered from the tables of the network. The peak of one core in this run was {peak:.0f}
thousand million operations per second, multiplications and additions in single precision (matrix
products). At that rate the {operations} operations of a document would take {floor:.2f} µs. The
fastest run of ours takes {taken:.1f} µs with all other work on a document: **{share:.1f} %** of the
peak.
"""


def measure(network: Network, documents: Documents, search: Search) -> Figures:
    """Count the work of documents, and measure the peak of a core."""
    parents = Parents(*kernel_model(network)[: len(Parents._fields)])
    tallies = count_work(estep_of(network, documents, "exact", search))
    return {
        "documents": len(documents.rows),
        "local_topics": int(topic_pointer(documents, parents, False)[-1]),
        "exact": len(terms_of("standard").rate),
        "coarse": len(coarse_sum().rate),
        "tallies": {name: asdict(tally) for name, tally in tallies.items()},
        "peak": measure_peak(),
    }


def measure_peak() -> float:
    """Operations a second of one core in single precision, in the fastest of some products."""
    matrix = np.random.default_rng(0).random((MATRIX_SIDE, MATRIX_SIDE), np.float32)
    seconds = []
    with threadpool_limits(1):
        for _ in range(PRODUCTS):
            begin = time.perf_counter()
            matrix @ matrix
            seconds.append(time.perf_counter() - begin)
    return float(2 * MATRIX_SIDE**3 / min(seconds))


def show(figures: Figures, local_edges: float, seconds: float) -> str:
    """Show what a document needs, beside the seconds that it takes."""
    documents = figures["documents"]
    tallies = {name: Tally(**tally) for name, tally in figures["tallies"].items()}
    a_document = operations(tallies) / documents
    floor = a_document / figures["peak"]
    peak = ABOUT_PEAK.format(
        visits=tallies["topic_field"].calls / figures["local_topics"],
        kilobytes=BYTES_OF_A_TERM * local_edges * (figures["exact"] + figures["coarse"]) / 1e3,
        peak=figures["peak"] / 1e9,
        operations=number(a_document, 0),
        floor=1e6 * floor,
        taken=1e6 * seconds,
        share=100 * floor / seconds,
    )
    return "\n".join([ABOUT.format(**figures), _table(tallies, documents), peak])


def _table(tallies: dict[str, Tally], documents: int) -> str:
    rows = [
        [
            TITLES[name],
            number(tally.calls / documents, 1),
            number(tally.terms / documents, 0),
            str(WORK[name].operations),
            number(WORK[name].operations * tally.terms / documents, 0),
        ]
        for name, tally in tallies.items()
    ]
    total = number(operations(tallies) / documents, 0)
    divided = number(divisions(tallies) / documents, 0)
    rows.append([f"all, of which divisions: {divided}", "", "", "", total])
    header = ["per document", "times", "terms of edges", "operations per term", "operations"]
    return table(header, rows)
