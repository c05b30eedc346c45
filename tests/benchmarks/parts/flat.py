"""Cost of a document as the network around it grows: the same documents, the same local models."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
import numpy as np

from core.corpus import Corpus
from core.inference import documents_of
from core.network import Network, build_network
from core.training import training_search
from core.training_options import TrainingOptions
from tests.benchmarks.disjoint_union import in_one_copy, interleaved_copies
from tests.benchmarks.markdown import number, table
from tests.benchmarks.part import Figures, Part, Settings, log
from tests.benchmarks.timing import estep_of, in_turns
from tests.benchmarks.web_scale import Shape, corpus_over, layered_graph

# As many words and edges for a topic as in the paper's DBLP graph.
BASE, QUICK_BASE = Shape(1_000, 4_000, 25_000, 4_000), Shape(200, 800, 5_000, 500)
COPIES = (1, 10, 100)
# Documents of a small step: what a step costs beyond its documents is the same in both.
SMALL_SHARE = 0.2
REPEATS, QUICK_REPEATS = 7, 2
TOPIC_LEAK, WORD_LEAK, MEAN_WEIGHT = 0.02, 0.01, 0.5
ABOUT = """The same {documents:,} documents of about {words:.0f} words, made and not real, with the
same local models in networks of more and more topics: copies of one network that are not linked to
each other, with their topics and words interleaved, so that what a document needs is spread over
all memory, the worst that can be. The exact E-step as in training, with the sums of its gradients,
on one thread; the sizes take turns, and ratios are medians over {repeats} rounds, with the smallest
and the largest. *A document* is what each of {more:,} further documents costs; *a step* is all,
with making the sums, whose memory grows with the network and not with the documents.
"""


def run(settings: Settings) -> Figures:
    """Time a small and a large step in every size of network, in turns."""
    shape = settings.pick(BASE, QUICK_BASE)
    base, corpus = _base(shape)
    works: dict[tuple[int, int], Callable[[], Any]] = {}
    rows = []
    for copies in COPIES:
        network = interleaved_copies(base, copies)
        log.info("%d topics", network.graph.n_topics)
        graph = network.graph
        rows.append({"topics": graph.n_topics, "words": graph.n_tokens, "edges": graph.n_edges})
        for count in _steps(shape):
            works[copies, count] = _work(network, in_one_copy(corpus, copies), count)
    repeats = settings.pick(REPEATS, QUICK_REPEATS)
    seconds = _on_one_thread(works, repeats)
    for row, copies in zip(rows, COPIES, strict=True):
        row["seconds"] = [seconds[copies, count] for count in _steps(shape)]
    words = len(corpus.token_idx) / corpus.n_documents
    return {"steps": list(_steps(shape)), "repeats": repeats, "words": words, "rows": rows}


def _steps(shape: Shape) -> tuple[int, int]:
    return round(SMALL_SHARE * shape.documents), shape.documents


def _base(shape: Shape) -> tuple[Network, Corpus]:
    graph = layered_graph(shape)
    weight = MEAN_WEIGHT * np.random.default_rng(2).gamma(2.0, 0.5, graph.n_edges)
    leak = np.repeat([TOPIC_LEAK, WORD_LEAK], [graph.n_topics, graph.n_tokens])
    return build_network(graph, weight, leak), corpus_over(graph, shape.documents)


def _work(network: Network, corpus: Corpus, count: int) -> Callable[[], Any]:
    documents = documents_of(network.graph, corpus, np.arange(count))
    return estep_of(network, documents, "exact", training_search(TrainingOptions()))


def _on_one_thread(
    works: dict[tuple[int, int], Callable[[], Any]], repeats: int
) -> dict[tuple[int, int], list[float]]:
    threads = numba.get_num_threads()
    try:
        numba.set_num_threads(1)
        return in_turns(works, repeats)
    finally:
        numba.set_num_threads(threads)


def per_document(row: dict[str, Any], steps: list[int]) -> np.ndarray:
    """Seconds that each further document costs, one figure a round."""
    small, large = map(np.array, row["seconds"])
    return (large - small) / (steps[1] - steps[0])


def show(figures: Figures) -> str:
    """One line a network, the smallest of them as the measure."""
    steps, (first, *_) = figures["steps"], figures["rows"]
    about = ABOUT.format(
        documents=steps[1],
        words=figures["words"],
        repeats=figures["repeats"],
        more=steps[1] - steps[0],
    )
    rows = []
    for row in figures["rows"]:
        sizes = [number(row[name], 0) for name in ("topics", "words", "edges")]
        cost, least = per_document(row, steps), per_document(first, steps)
        step, least_step = np.array(row["seconds"][1]), np.array(first["seconds"][1])
        micro = number(1e6 * float(np.median(cost)), 1)
        rows.append([*sizes, micro, _ratio(cost, least), _ratio(step, least_step)])
    header = ["topics", "words", "edges", "a document, µs", "ratio", "a step, ratio"]
    return f"{about}\n{table(header, rows)}\n"


def _ratio(values: np.ndarray, least: np.ndarray) -> str:
    ratios = values / least
    ends = " to ".join(number(float(end), 2) for end in (ratios.min(), ratios.max()))
    return f"{number(float(np.median(ratios)), 2)} ({ends})"


PART = Part("flat", "The same documents in larger and larger networks", 4, run, show)
