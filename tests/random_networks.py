"""Small random networks, corpora and activations, each a function of a seed."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numba
import numpy as np
import pandas as pd
from hypothesis import settings
from hypothesis import strategies as st

from orrery.core.data.corpus import Corpus
from orrery.core.data.recipe import Recipe
from orrery.core.model.graph import build_graph
from orrery.core.model.network import Network, build_network

# As plain Python (NUMBA_DISABLE_JIT=1) the kernels are a hundred times slower.
MAX_EXAMPLES = 10 if numba.config.DISABLE_JIT else 40
several = settings(max_examples=min(MAX_EXAMPLES, settings().max_examples))


@dataclass(frozen=True)
class Problem:
    """A network, the tokens present in one document, and random numbers to go on with."""

    network: Network
    present: np.ndarray
    rng: np.random.Generator

    @property
    def present_nodes(self) -> np.ndarray:
        """The present tokens as nodes."""
        return (self.present + self.network.graph.n_topics).astype(np.int32)


@st.composite
def problems(draw, most_topics=6, make=None):
    """A directed acyclic graph of any depth, with edges that jump layers, and a document."""
    # Hypothesis tries the ends of a range often, so what makes a problem rich comes by the seed.
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n_topics, n_tokens = int(rng.integers(2, most_topics + 1)), int(rng.integers(3, 9))
    network = (make or random_network)(rng, n_topics, n_tokens, rng.choice([0.15, 0.3, 0.7]))
    present = np.flatnonzero(rng.random(n_tokens) < rng.choice([0.1, 0.3, 0.5, 0.8]))
    return Problem(network, present.astype(np.int32), rng)


def random_network(rng, n_topics, n_tokens, density=0.5):
    """Every topic may lie above every later topic and every token; weights of all sizes."""
    pairs = [
        (parent, child)
        for parent in range(n_topics)
        for child in range(parent + 1, n_topics + n_tokens)
        if rng.random() < density
    ]
    shuffled = np.concatenate([rng.permutation(n_topics), np.arange(n_topics, n_topics + n_tokens)])
    ends = shuffled[np.array(pairs, np.int64).reshape(-1, 2)]
    names = [f"topic {number}" for number in range(n_topics)]
    graph, _ = build_graph(n_tokens, names, ends[:, 0], ends[:, 1])
    weight = rng.gamma(1.0, 1.0, graph.n_edges)
    weight[rng.random(graph.n_edges) < 0.1] = 1e-7
    weight[rng.random(graph.n_edges) < 0.1] = 12.0
    leak = np.exp(rng.uniform(np.log(1e-6), np.log(2.0), graph.n_nodes))
    return build_network(graph, weight, leak)


def plain_network(rng, n_topics=6, n_tokens=10, density=0.5):
    """Leaks and weights of a size that training meets."""
    network = random_network(rng, n_topics, n_tokens, density)
    weight = rng.uniform(0.1, 1.5, network.graph.n_edges)
    leak = rng.uniform(0.02, 0.4, network.graph.n_nodes)
    return build_network(network.graph, weight, leak)


def flat_network(rng, n_topics=6, n_tokens=10, density=0.5):
    """The same without edges between topics."""
    is_edge = rng.random((n_topics, n_tokens)) < density
    parent, token = np.nonzero(is_edge)
    names = [f"topic {number}" for number in range(n_topics)]
    graph, _ = build_graph(n_tokens, names, parent, token + n_topics)
    weight = rng.uniform(0.1, 1.5, graph.n_edges)
    return build_network(graph, weight, rng.uniform(0.02, 0.4, graph.n_nodes))


def activations(problem, extreme=True):
    """Random q over all nodes, many topics close to 0 or 1; present tokens 1, absent ones 0."""
    graph = problem.network.graph
    q = np.zeros(graph.n_nodes)
    shape = 0.3 if extreme else 3.0
    q[: graph.n_topics] = problem.rng.beta(shape, shape, graph.n_topics).clip(1e-9, 1 - 1e-9)
    q[problem.present_nodes] = 1.0
    return q


def shares(problem):
    """Random r: positive, and adding to one over the parents of every node."""
    graph = problem.network.graph
    r = problem.rng.dirichlet(np.ones(graph.n_edges)) + 1e-6 if graph.n_edges else np.zeros(0)
    return r / np.bincount(graph.edge_children(), r, graph.n_nodes)[graph.edge_children()]


def with_value(network, name, position, value):
    """The network with one weight or leak replaced."""
    array = getattr(network, name).copy()
    array[position] = value
    return replace(network, **{name: array})


def corpus_of_sets(sets, n_tokens):
    """Corpus with these sets of tokens as its documents."""
    rows = [sorted(tokens) for tokens in sets]
    table = {"id": [str(row) for row in range(len(rows))], "text": "", "label": None}
    return Corpus(
        token_ptr=np.concatenate([[0], np.cumsum([len(row) for row in rows])]).astype(np.int64),
        token_idx=np.array([token for row in rows for token in row], np.int32),
        vocabulary=tuple(f"word{token}" for token in range(n_tokens)),
        documents=pd.DataFrame(table),
        recipe=Recipe(matrix=True),
    )


def sampled_corpus(network, n_documents, rng):
    """Documents drawn from the network, parents first."""
    graph = network.graph
    state = np.zeros((n_documents, graph.n_nodes))
    for node in range(graph.n_nodes):
        into = slice(graph.parent_ptr[node], graph.parent_ptr[node + 1])
        activation = network.leak[node] + state[:, graph.parent_idx[into]] @ network.weight[into]
        state[:, node] = rng.random(n_documents) < -np.expm1(-activation)
    tokens = state[:, graph.n_topics :]
    return corpus_of_sets([np.flatnonzero(row).tolist() for row in tokens], graph.n_tokens)
