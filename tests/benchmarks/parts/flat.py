"""Cost per document as the network grows, with the same documents and local models."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import product
from typing import Any

import numpy as np

from orrery.core.data.corpus import Corpus
from orrery.core.inference.infer import BULK_TOLERANCE
from orrery.core.inference.kernel_inputs import N_BLOCKS, documents_of, kernel_model, kernel_tables
from orrery.core.kernels.activations import fill_activations
from orrery.core.kernels.batch import expectation_step
from orrery.core.model.network import Network, build_network
from orrery.core.training.e_step import training_search
from orrery.core.training.options import TrainingOptions
from tests.benchmarks.disjoint_union import Copies, in_one_copy, union_of
from tests.benchmarks.markdown import MISSING, number, table
from tests.benchmarks.part import Figures, Part, Settings, log
from tests.benchmarks.timing import in_turns, on_threads
from tests.benchmarks.web_scale import Shape, corpus_over, layered_graph

# As many words and edges for a topic as in the paper's DBLP graph.
BASE, QUICK_BASE = Shape(1_000, 4_000, 25_000, 4_000), Shape(200, 800, 5_000, 500)
COUNTS = (1, 10, 100)
ORDERS = {"copy after copy": False, "interleaved": True}
REPEATS, QUICK_REPEATS = 7, 2
TOPIC_LEAK, WORD_LEAK, MEAN_WEIGHT = 0.02, 0.01, 0.5
KINDS = {"alone": "E-step", "sums": "with gradients"}
ABOUT = """The same {documents:,} synthetic documents of about {words:.0f} words, with the same
local models, in networks of increasing size: copies of one network that are not linked to each
other. Topics are numbered copy after copy within a layer, or interleaved, which spreads the data of
a document over all memory and is the worst case. The exact E-step of training runs on one thread,
alone and with the sums of gradients, whose memory grows with the network. The sizes alternate;
times and ratios to the smallest network are medians over {repeats} rounds, ratios with minimum and
maximum.
"""


def run(settings: Settings) -> Figures:
    """Time both kinds of E-step in every size of network, in turns."""
    shape = settings.pick(BASE, QUICK_BASE)
    base, corpus = _base(shape)
    works: dict[tuple[int, str], Callable[[], Any]] = {}
    rows: list[dict[str, Any]] = []
    for count, order in ((COUNTS[0], ""), *product(COUNTS[1:], ORDERS)):
        copies = Copies(count, ORDERS.get(order, False))
        network = union_of(base, copies)
        graph = network.graph
        log.info("%d topics %s", graph.n_topics, order)
        for kind, work in _works(network, in_one_copy(corpus, copies)).items():
            works[len(rows), kind] = work
        sizes = {"topics": graph.n_topics, "words": graph.n_tokens, "edges": graph.n_edges}
        rows.append({**sizes, "numbers": order})
    repeats = settings.pick(REPEATS, QUICK_REPEATS)
    with on_threads(1):
        seconds = in_turns(works, repeats)
    for place, row in enumerate(rows):
        row["seconds"] = {kind: seconds[place, kind] for kind in KINDS}
    words = len(corpus.token_idx) / corpus.n_documents
    return {"documents": corpus.n_documents, "repeats": repeats, "words": words, "rows": rows}


def _base(shape: Shape) -> tuple[Network, Corpus]:
    graph = layered_graph(shape)
    weight = MEAN_WEIGHT * np.random.default_rng(2).gamma(2.0, 0.5, graph.n_edges)
    leak = np.repeat([TOPIC_LEAK, WORD_LEAK], [graph.n_topics, graph.n_tokens])
    return build_network(graph, weight, leak), corpus_over(graph, shape.documents)


def _works(network: Network, corpus: Corpus) -> dict[str, Callable[[], Any]]:
    documents, model = documents_of(network.graph, corpus), kernel_model(network)
    tables = kernel_tables(network, "exact", dtype=np.float32)
    search = training_search(TrainingOptions())
    return {
        "alone": partial(fill_activations, documents, model, tables, True, search, BULK_TOLERANCE),
        "sums": partial(expectation_step, documents, model, tables, False, search, N_BLOCKS),
    }


def show(figures: Figures) -> str:
    """Table with a row for each network; ratios are relative to the smallest."""
    about = ABOUT.format(**{name: figures[name] for name in ("documents", "words", "repeats")})
    header = ["topics", "words", "edges", "numbering"]
    header += [cell for title in KINDS.values() for cell in (f"{title}, µs per document", "ratio")]
    rows = []
    for row in figures["rows"]:
        cells = [number(row[name], 0) for name in ("topics", "words", "edges")]
        cells.append(row["numbers"] or MISSING)
        for kind in KINDS:
            seconds = np.array(row["seconds"][kind])
            micro = 1e6 * float(np.median(seconds)) / figures["documents"]
            least = np.array(figures["rows"][0]["seconds"][kind])
            cells += [number(micro, 0), _with_ends(seconds / least)]
        rows.append(cells)
    return f"{about}\n{table(header, rows)}\n"


def _with_ends(ratios: np.ndarray) -> str:
    ends = " to ".join(number(float(end), 2) for end in (ratios.min(), ratios.max()))
    return f"{number(float(np.median(ratios)), 2)} ({ends})"


PART = Part("flat", "Scaling: the same documents in larger networks", 4, run, show)
