"""Calibration of stability: whether topics and links that come back are in the true graph."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from orrery.core.data.corpus import Corpus
from orrery.core.evaluation.topic_matching import match_links, match_topics
from orrery.core.inference.infer import infer_activations
from orrery.core.model.graph import Graph, build_graph
from orrery.core.model.network import Network, build_network
from orrery.core.runs.runner import start_run
from orrery.core.runs.settings import RunSettings, Session
from orrery.core.runs.stability import DEFAULT_SHARE, measure_stability
from orrery.core.storage.corpora import load_corpus, save_corpus
from orrery.core.storage.runs import load_run
from orrery.core.training.options import TrainingOptions
from orrery.core.utils.types import BoolArray, FloatArray, Int64Array
from tests.benchmarks import patterns
from tests.benchmarks.corpora import Source
from tests.benchmarks.data import binary_corpus, tiny20
from tests.benchmarks.drawn import draw_documents
from tests.benchmarks.markdown import MISSING, number, table
from tests.benchmarks.part import Figures, Part, Settings, log
from tests.benchmarks.parts.shuffled import shuffled
from tests.benchmarks.parts.structures import compare_corpora
from tests.benchmarks.recovery_sets import sampled_network

SAMPLE = Path(__file__).parents[3] / "sample_data"
TIMES = 10
# Smallest and largest counts of the columns.
BANDS = ((8, 10), (4, 7), (0, 3))
ABOUT = f"""Topics and links that `orrery stability` finds again in {TIMES} trainings with other
seeds, each on a random {100 * DEFAULT_SHARE:.0f} % of the training documents, with default
settings. The documents are drawn from known networks. A topic is true if it is matched, by the
posterior in the same documents, to a topic of the true network above the null; a link is true if
the true network has it between the partners of both its ends. *Paths* counts a link as true if the
true network has a path there: a learned model of one layer has no other way to express that a topic
acts through a topic below it. On shuffled words nothing is true.
The goal is that at least 90 % of the topics and links that are found again in 8 or more trainings
are true, that at most a third of those in 3 or fewer are, and that on shuffled words no topic
reaches 8.
"""


@dataclass(frozen=True)
class Case:
    """Documents of a known network; the network is None if the words are shuffled."""

    title: str
    make: Callable[[int], tuple[Corpus, Network | None]]
    seeds: tuple[int, ...] = (0,)

    def corpus(self, *, is_quick: bool = False) -> Corpus:
        """Documents of the first seed, as of a `Source`."""
        return self.make(0)[0]


def _two_layers(weight: FloatArray) -> Network:
    """Network of topics with the prior and the noise of the recovery sets."""
    parents, children = np.nonzero(weight > 0.01)
    n_topics, n_tokens = weight.shape
    names = [f"true{topic}" for topic in range(n_topics)]
    graph, order = build_graph(n_tokens, names, parents, n_topics + children)
    leak = np.full(graph.n_nodes, -np.log(patterns.NOISE_FAILURE))
    leak[:n_topics] = -np.log1p(-patterns.PRIOR)
    return build_network(graph, weight[parents, children][order], leak)


def _drawn_patterns(n_documents: int, seed: int) -> tuple[Corpus, Network]:
    return binary_corpus(patterns.draw(n_documents, seed)), _two_layers(patterns.weights())


def _buhai(name: str, n_documents: int, seed: int) -> tuple[Corpus, Network]:
    problem = sampled_network(name, n_documents)
    return problem.corpus, _two_layers(problem.weight)


def _hierarchy(n_documents: int, seed: int) -> tuple[Corpus, Network]:
    """Documents drawn from the hierarchy of the sample model."""
    model = load_run(SAMPLE / "run")
    drawn = draw_documents(model.network, n_documents, np.random.default_rng(seed))
    return binary_corpus(drawn.tokens.astype(np.float64), model.vocabulary), model.network


def _shuffled(read: Callable[[], Corpus], seed: int) -> tuple[Corpus, None]:
    return shuffled(read(), seed), None


CASES = {
    "pattern": Case("SYN-PATTERN, 1,000 documents", partial(_drawn_patterns, 1_000), (0, 1)),
    "few": Case("SYN-PATTERN, 200 documents", partial(_drawn_patterns, 200), (0, 1, 2)),
    "img": Case("IMG, 1,000 samples", partial(_buhai, "IMG", 1_000)),
    "plnt": Case("PLNT, 1,000 samples", partial(_buhai, "PLNT", 1_000)),
    "hierarchy": Case("Hierarchy of the sample, 2,000 documents", partial(_hierarchy, 2_000)),
    "small": Case("Hierarchy of the sample, 500 documents", partial(_hierarchy, 500)),
    "shuffled": Case(
        "Shuffled words of the sample",
        partial(_shuffled, lambda: load_corpus(SAMPLE / "corpus")),
        (0, 1),
    ),
    "shuffled20": Case(
        "Shuffled words of tiny20, 2,000 documents",
        partial(_shuffled, lambda: tiny20().subset(np.arange(2_000))),
    ),
}
QUICK = ("few",)


def run(settings: Settings) -> Figures:
    """Run the requested cases; the figures of the others stay."""
    return compare_corpora(PART.name, CASES, QUICK, _measured, settings)  # type: ignore[arg-type]


def _measured(case: Source | Case, settings: Settings) -> list[dict[str, Any]]:
    assert isinstance(case, Case)
    rows = []
    for seed in settings.pick(case.seeds, case.seeds[:1]):
        corpus, truth = case.make(seed)
        with tempfile.TemporaryDirectory() as folder:
            save_corpus(corpus, Path(folder, "corpus"))
            place = Path(folder, "run")
            epochs = settings.pick({}, {"epochs": 2})
            options = TrainingOptions(seed=seed, structure="learned", **epochs)
            start_run(place, RunSettings(str(Path(folder, "corpus")), options), Session())
            found = measure_stability(place, times=settings.pick(TIMES, 2))
            model = load_run(place)
        topic, link, path = true_parts(corpus, model.network, truth)
        rows.append({
            "seed": seed,
            "topics": bands(found.topic_counts, topic),
            "links": bands(found.link_counts, link),
            "paths": bands(found.link_counts, path),
            "highest": int(found.topic_counts.max(initial=0)),
            "counts": found.topic_counts.tolist(),
            "true": topic.tolist(),
        })  # fmt: skip
        shown = {name: rows[-1][name] for name in ("topics", "links", "highest")}
        log.info("%s, seed %d: %s", case.title, seed, shown)
    return rows


def true_parts(
    corpus: Corpus, network: Network, truth: Network | None
) -> tuple[BoolArray, BoolArray, BoolArray]:
    """Whether each topic and each link is in the true network, or a path in place of the link."""
    graph = network.graph
    nothing = np.zeros(graph.n_edges, bool)
    if truth is None:
        return np.zeros(graph.n_topics, bool), nothing, nothing
    own, true = (infer_activations(each, corpus) for each in (network, truth))
    match = match_topics(own, true, np.diff(corpus.token_ptr))
    link = match_links(graph, truth.graph, match.matched)[0]
    return match.is_match, link, match_links(graph, with_paths(truth.graph), match.matched)[0]


def with_paths(graph: Graph) -> Graph:
    """Graph with a link from each topic to every node below it."""
    below: list[set[int]] = [set() for _ in range(graph.n_nodes)]
    for topic in range(graph.n_topics - 1, -1, -1):
        for child in graph.children(topic).tolist():
            below[topic] |= {child} | below[child]
    pairs = [(topic, node) for topic in range(graph.n_topics) for node in below[topic]]
    parents, children = zip(*pairs, strict=True)
    return build_graph(graph.n_tokens, graph.topic_ids, parents, children)[0]


def bands(counts: Int64Array, is_true: BoolArray) -> list[list[int]]:
    """Number found and number true in each of `BANDS`."""
    chosen = [(counts >= low) & (counts <= high) for low, high in BANDS]
    return [[int(each.sum()), int((each & is_true).sum())] for each in chosen]


def show(figures: Figures) -> str:
    """Table with a row for each case, of topics and of links."""
    header = ["documents", "of", *(f"{low}–{high} of {TIMES}, true" for low, high in BANDS)]
    lines = []
    for name, rows in figures["rows"].items():
        for kind in (each for each in ("topics", "links", "paths") if each in rows[0]):
            cells = [_share([row[kind][band] for row in rows]) for band in range(len(BANDS))]
            lines.append([CASES[name].title, kind, *cells])
    return f"{ABOUT}\n{table(header, lines)}\n"


def _share(pairs: Sequence[Sequence[int]]) -> str:
    total, true = (sum(pair[place] for pair in pairs) for place in (0, 1))
    return f"{true} of {total} ({number(100.0 * true / total, 0)} %)" if total else MISSING


PART = Part("stability", "Calibration of stability", 30, run, show)
