"""AMF, sum-product and mean field on local models of queries, with exact inference."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from orrery.core.baselines.discrete import DiscreteNetwork, Factor, back_messages, fna
from orrery.core.model.network import Network
from orrery.core.storage.runs import load_run
from tests.benchmarks.data import MissingData
from tests.benchmarks.markdown import number, table
from tests.benchmarks.part import Figures, Part, Settings, log
from tests.benchmarks.small_networks import enumerate_states, mean_field, sum_product
from tests.benchmarks.symptoms import symptom_run

METHODS: dict[str, Callable[[DiscreteNetwork], np.ndarray]] = {
    "mean field (4)": mean_field,
    "FNA (7)": fna,
    "back-messages (8)": back_messages,
    "sum-product (9–11)": sum_product,
}
SAMPLE = Path(__file__).parents[3] / "sample_data/run"
# Words of a query, and maximum number of topics of its local model for enumeration.
WORDS, MIN_TOPICS, MAX_TOPICS = 3, 3, 12
QUERIES, MAX_TRIES = 200, 20_000
ABOUT = f"""Queries of {WORDS} random words with topics above them, all other words unknown, on the
model of the sample and on the health knowledge graph: {QUERIES} queries each, whose local model has
from {MIN_TOPICS} to {MAX_TOPICS} topics. Every topic and word is a factor of itself and its
parents. Figures are mean absolute errors of the probabilities of topics, compared with enumeration;
*worst* is the 95th percentile over queries of the largest error in each.
"""


def run(settings: Settings) -> Figures:
    """Errors of every method on every local model."""
    networks = {"sample": load_run(SAMPLE).network}
    try:
        networks["symptoms"] = symptom_run().network
    except MissingData as missing:
        log.warning("symptoms are left out: %s", missing)
    count = settings.pick(QUERIES, 5)
    return {"rows": {name: _errors(network, count) for name, network in networks.items()}}


def _errors(network: Network, count: int) -> dict[str, Any]:
    local = [local_model(network, words) for words in _queries(network, count)]
    truths = [enumerate_states(model) for model in local]
    log.info("%d local models", len(local))
    figures: dict[str, Any] = {"queries": len(local)}
    for name, method in METHODS.items():
        errors = [np.abs(method(model) - truth) for model, truth in zip(local, truths, strict=True)]
        worst = [float(error.max()) for error in errors]
        figures[name] = {
            "mean": float(np.concatenate(errors).mean()),
            "worst": float(np.quantile(worst, 0.95)),
            "each": [float(error.mean()) for error in errors],
        }
    return figures


def _queries(network: Network, count: int) -> Iterator[np.ndarray]:
    rng = np.random.default_rng(0)
    graph, found = network.graph, 0
    below = np.unique(graph.edge_children())
    words = below[below >= graph.n_topics]
    for _ in range(MAX_TRIES):
        chosen = rng.choice(words, WORDS, replace=False)
        if MIN_TOPICS <= len(_ancestors(network, chosen)) <= MAX_TOPICS:
            found += 1
            yield chosen
        if found == count:
            return


def _ancestors(network: Network, words: np.ndarray) -> list[int]:
    """Topics above words, ascending."""
    above: set[int] = set()
    open_nodes = [int(word) for word in words]
    while open_nodes:
        parents = set(network.graph.parents(open_nodes.pop()).tolist()) - above
        above |= parents
        open_nodes += sorted(parents)
    return sorted(above)


def local_model(network: Network, words: np.ndarray) -> DiscreteNetwork:
    """Topics above present words as variables, in the order of their numbers."""
    topics = _ancestors(network, words)
    place = {topic: i for i, topic in enumerate(topics)}
    factors = []
    for node in [*topics, *words.tolist()]:
        parents = network.graph.parents(node).tolist()
        first = network.graph.parent_ptr[node]
        off = np.array(np.exp(-network.leak[node]))
        for edge in range(first, first + len(parents)):
            off = np.multiply.outer(off, [1.0, np.exp(-network.weight[edge])])
        scope = tuple(place[parent] for parent in parents)
        if node in place:
            factors.append(Factor((*scope, place[node]), np.stack([off, 1.0 - off], axis=-1)))
        else:
            factors.append(Factor(scope, 1.0 - off))
    return DiscreteNetwork(len(topics), factors)


def show(figures: Figures) -> str:
    """One line a model."""
    lines = [
        [name, number(row["queries"], 0),
         *[f"{number(row[method]['mean'], 4)} ({number(row[method]['worst'], 2)})"
           for method in METHODS]]
        for name, row in figures["rows"].items()
    ]  # fmt: skip
    head = ["model", "queries", *[f"{method}, mean (worst)" for method in METHODS]]
    return f"{ABOUT}\n{table(head, lines)}\n"


def verdicts(figures: Figures) -> list[list[str]]:
    """Rows of the table of claims."""
    found = []
    for method in ("FNA (7)", "back-messages (8)"):
        rows = figures["rows"].values()
        better = sum(row[method]["mean"] < row["mean field (4)"]["mean"] for row in rows)
        pairs = [
            (own, other) for row in rows
            for own, other in zip(row[method]["each"], row["mean field (4)"]["each"], strict=True)
        ]  # fmt: skip
        share = float(np.mean([own < other for own, other in pairs]))
        found.append(
            [f"AMF on discrete networks: {method}", "Asuncion (2010), section 3–4",
             "more accurate than mean field",
             f"on average on {better} of {len(rows)} of our models, in {share:.0%} of the queries",
             "holds" if better == len(rows) else "does not hold everywhere"]
        )  # fmt: skip
    return found


PART = Part("discrete", "Local models of queries", 2, run, show)
