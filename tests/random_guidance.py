"""Random guidance for random graphs, perhaps with contradictions."""

from __future__ import annotations

from orrery.core.structure.guidance import Guidance
from tests.random_networks import corpus_of_sets


def corpus_over(problem):
    """Random documents over the words of a problem."""
    rng, n_tokens = problem.rng, problem.network.graph.n_tokens
    presence = rng.random((30, n_tokens)) < rng.uniform(0.1, 0.6, n_tokens)
    return corpus_of_sets([row.nonzero()[0].tolist() for row in presence], n_tokens)


def random_guidance(problem):
    """A few rules of every kind, over the names of a graph and a topic or two besides."""
    rng, graph = problem.rng, problem.network.graph
    words = [f"word{token}" for token in range(graph.n_tokens)]
    topics = list(graph.topic_ids)

    def some(names, least, most):
        size = min(int(rng.integers(least, most + 1)), len(names))
        return tuple(str(name) for name in rng.choice(names, size, replace=False))

    seeds = tuple((name, some(words, 1, 2)) for name in some(["seed", *topics], 0, 2))
    parents = [*topics, *(name for name, _ in seeds)]
    children = [*words, *(f"topic:{name}" for name in topics)]
    edges = [(some(parents, 1, 1)[0], some(children, 1, 1)[0]) for _ in range(4)]
    n_frozen, n_forbidden = rng.integers(0, 3, 2)
    return Guidance(
        seeds=seeds,
        must_link=tuple(some(words, 2, 3) for _ in range(rng.integers(0, 3))),
        cannot_link=tuple(some(words, 2, 2) for _ in range(rng.integers(0, 4))),
        frozen=tuple(
            (*edge, None if rng.random() < 0.5 else float(rng.uniform(0.1, 3.0)))
            for edge in edges[:n_frozen]
        ),
        forbidden=tuple(edges[2 : 2 + n_forbidden]),
    )


def named_ends(graph):
    """(id of the parent, id or word of the child) of every edge, in their order."""
    names = [*graph.topic_ids, *(f"word{token}" for token in range(graph.n_tokens))]
    children = [
        name if number >= graph.n_topics else f"topic:{name}" for number, name in enumerate(names)
    ]
    ends = zip(graph.parent_idx.tolist(), graph.edge_children().tolist(), strict=True)
    return [(names[parent], children[child]) for parent, child in ends]


def children_by_topic(graph):
    """Names of the children of every topic, by its id."""
    found = {name: set() for name in graph.topic_ids}
    for parent, child in named_ends(graph):
        found[parent].add(child)
    return found
