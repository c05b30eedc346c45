"""Health knowledge graph: whether a disease is found from its strongest symptoms."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from orrery.core.data.corpus import evenly_spaced
from orrery.core.inference.evidence import Evidence
from orrery.core.inference.infer import infer
from orrery.core.model.default_leaks import TOPIC_LEAK, WORD_LEAK
from orrery.core.model.network import weight_to_probability
from orrery.core.model.topic_model import Run
from orrery.core.utils.types import FloatArray, Int32Array
from tests.benchmarks.markdown import number, table
from tests.benchmarks.part import Figures, Part, Settings
from tests.benchmarks.quickscore import quickscore
from tests.benchmarks.symptoms import symptom_run

DISEASES, QUICK_DISEASES = 50, 5
# Symptoms in a query; a disease is used if it has one more.
QUERIED, FEWEST = 4, 5
TOPS = (1, 3)
ABOUT = f"""A graph of 156 diseases and 330 symptoms, derived by Rotmensch et al. (2017) with a
noisy-OR model from hospital records. Its scores are used as probabilities. The graph has no priors
and leaks; a prior of {TOPIC_LEAK} for every disease and a leak of {WORD_LEAK} for every symptom are
the defaults of `orrery adopt`. {DISEASES} diseases, evenly spread over the alphabet among those
with at least {FEWEST} symptoms, are each queried by their {QUERIED} strongest symptoms; all other
symptoms are unknown. The table shows the share of diseases that are ranked first, or among the
first three. Four symptoms are few enough for Quickscore (Heckerman 1989), an independent exact
algorithm: a disease that it does not find either is not determined by these symptoms in this graph.
The baseline ranks diseases by the sum of their scores for the four symptoms; random guessing is
right in 1 of 156.
"""


@dataclass(frozen=True)
class Ranking:
    """Ids of topics, the most probable first, by three rankings."""

    inferred: tuple[str, ...]
    exact: tuple[str, ...]
    summed: tuple[str, ...]


def strongest(run: Run, disease: int) -> list[str]:
    """Words of a topic's strongest edges, the strongest first."""
    graph = run.network.graph
    edges = slice(graph.child_ptr[disease], graph.child_ptr[disease + 1])
    order = np.argsort(-run.network.weight[graph.child_edge[edges]], kind="stable")[:QUERIED]
    return [run.vocabulary[node - graph.n_topics] for node in graph.child_idx[edges][order]]


def rank(run: Run, words: list[str]) -> Ranking:
    """Ask with words as a person types them, the others unknown."""
    present, unknown = run.parse(", ".join(words))
    assert not unknown, unknown
    assert len(present) == len(words), words
    network, graph = run.network, run.network.graph
    posterior = infer(network, Evidence(tuple(present.tolist()), closed_world=False))
    order = posterior.local.topics[np.argsort(-posterior.probability, kind="stable")]
    exact = quickscore(network, present.tolist())
    total = np.bincount(*_scores(run, present), minlength=graph.n_topics)
    found = (order, np.argsort(-exact, kind="stable"), np.argsort(-total, kind="stable"))
    return Ranking(*(tuple(graph.topic_ids[topic] for topic in topics) for topics in found))


def _scores(run: Run, tokens: npt.NDArray[np.int32]) -> tuple[Int32Array, FloatArray]:
    """Parents and probabilities of all edges into some tokens."""
    network, graph = run.network, run.network.graph
    edges = np.isin(graph.edge_children(), graph.n_topics + tokens)
    return graph.parent_idx[edges], weight_to_probability(network.weight[edges])


def shares(run: Run, most: int) -> Figures:
    """Share of the diseases that are found among the first, by either ranking."""
    graph = run.network.graph
    known = np.argsort(graph.topic_ids, kind="stable")
    known = evenly_spaced(known[np.diff(graph.child_ptr)[known] >= FEWEST], most)
    ranks: dict[str, list[int]] = {"inferred": [], "exact": [], "summed": []}
    for disease in known.tolist():
        ranking = rank(run, strongest(run, disease))
        for name, places in ranks.items():
            places.append(getattr(ranking, name).index(graph.topic_ids[disease]) + 1)
    return {
        "diseases": len(known),
        "found": {
            name: [float(np.mean(np.array(places) <= top)) for top in TOPS]
            for name, places in ranks.items()
        },
    }


def run(settings: Settings) -> Figures:
    """Convert, adopt and ask."""
    return shares(symptom_run(), settings.pick(DISEASES, QUICK_DISEASES))


def show(figures: Figures) -> str:
    """Table with a row for each ranking."""
    names = {
        "inferred": "**ours**, posterior by `infer`",
        "exact": "posterior by Quickscore",
        "summed": "sum of scores (baseline)",
    }
    rows = [
        [title, *(f"{number(100 * share, 0)} %" for share in figures["found"][name])]
        for name, title in names.items()
    ]
    header = [f"{figures['diseases']} diseases", *(f"in top {top}" for top in TOPS)]
    return f"{ABOUT}\n{table(header, rows)}\n"


PART = Part("medical", "Diagnosis with a medical noisy-OR network", 1, run, show)
