"""The budget of Ji et al. (2019, §6.1) and our graph of that size, of training documents alone."""

from __future__ import annotations

from orrery.core.model.graph import Graph
from orrery.core.structure.propose import propose_graph
from orrery.core.training.options import TrainingOptions
from tests.benchmarks.data import Split

# The paper's tiny20 graph has 44 topics and 707 edges.
MAX_TOPICS, MAX_EDGES = 44, 707
# A quarter more topics to begin with, in two layers, every one above everything below.
START_TOPICS = (42, 14)


def start_graph(split: Split) -> Graph:
    """Return the complete graph that learning prunes."""
    return propose_graph(
        split.training_corpus(), method="complete", topics=START_TOPICS, seed=split.seed
    )


def learning_options(split: Split, **changed: int) -> TrainingOptions:
    """Options of `orrery train --learn-structure` with the paper's budget.

    With one penalty throughout and no document left out, as all rows were trained that share the
    graph.
    """
    return TrainingOptions(
        start="gibbs",
        leave_one_out=False,
        weight_penalty=1.0,
        most_edges=MAX_EDGES,
        most_topics=MAX_TOPICS,
        seed=split.seed,
        **changed,
    )
