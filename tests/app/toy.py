"""Runs without training: a small model made by hand, and random ones of any size."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np

from orrery.core.data.recipe import matrix_recipe
from orrery.core.model.graph import build_graph
from orrery.core.model.network import Network, build_network
from orrery.core.model.overlay import Overlay
from orrery.core.model.topic_model import Run
from orrery.core.model.topic_names import topic_labels

ABOVE = {
    "space": ("science",),
    "biology": ("science", "life"),
    "computing": ("technology",),
    "engines": ("technology",),
    "sport": ("leisure",),
    "music": ("leisure",),
    "cooking": ("leisure", "life"),
    "markets": ("society",),
}
TOPS = ("science", "technology", "leisure", "society", "life")
WORDS = {
    "space": "orbit shuttle nasa launch star program planet",
    "biology": "cell virus species plant culture field bat",
    "computing": "windows memory program virus disk mouse server code",
    "engines": "engine fuel plant power launch valve",
    "sport": "match pitch season field bat coach",
    "music": "concert pitch bass guitar program star",
    "cooking": "kitchen bass salt oven cell_phone season",
    "markets": "bank price share bond market culture",
    "science": "research theory evidence",
    "technology": "machine design system",
    "leisure": "evening club",
    "society": "public government",
    "life": "growth <img_src=x_onerror=alert(1)>",
}
# A word that no topic brings.
LONELY = "hermit"
STRONG, MIDDLE, LEAK, TOKEN_LEAK = 1.2, 0.35, 0.03, 0.004


def toy_run() -> Run:
    """Thirteen topics in two layers over 60 words, with "program" in three senses."""
    topics = [*TOPS, *ABOVE]
    linked = {word for text in WORDS.values() for word in text.split()}
    vocabulary = tuple(sorted(linked | {LONELY}))
    number = {name: place for place, name in enumerate(topics)}
    node = {word: len(topics) + place for place, word in enumerate(vocabulary)}
    edges = [(number[top], number[topic], STRONG) for topic in ABOVE for top in ABOVE[topic]]
    for topic, text in WORDS.items():
        for place, word in enumerate(text.split()):
            edges.append((number[topic], node[word], STRONG if place < 3 else MIDDLE))
    parents, children, weights = zip(*edges, strict=True)
    ids = [f"T{place:04d}" for place in range(len(topics))]
    graph, order = build_graph(len(vocabulary), ids, parents, children)
    leak = np.full(graph.n_nodes, TOKEN_LEAK)
    leak[: graph.n_topics] = LEAK
    network = build_network(graph, np.array(weights)[order], leak)
    return run_of(network, vocabulary)


def large_run(n_topics: int, n_tokens: int, seed: int, links: int = 4) -> Run:
    """A random model in three layers, of any size."""
    random = np.random.default_rng(seed)
    layer = np.sort(random.choice(3, n_topics, p=[0.05, 0.2, 0.75]))
    edges = set()
    for child in range(n_topics + n_tokens):
        level = 3 if child >= n_topics else layer[child]
        above = np.flatnonzero(layer < level) if level < 3 else np.flatnonzero(layer == 2)
        for parent in random.choice(above, min(links, len(above)), replace=False) if level else ():
            edges.add((int(parent), child))
    parents, children = zip(*sorted(edges), strict=True)
    ids = [f"T{place:04d}" for place in range(n_topics)]
    graph, order = build_graph(n_tokens, ids, parents, children)
    weights = random.gamma(0.7, 0.4, len(order))
    network = build_network(graph, weights, np.full(graph.n_nodes, 0.02))
    syllables = ["ta", "ri", "no", "vel", "sum", "pra", "kon", "dis", "er", "olo", "stra", "gen"]
    vocabulary = tuple(
        "".join(random.choice(syllables, 1 + token % 5)) + str(token) for token in range(n_tokens)
    )
    return run_of(network, vocabulary)


def run_of(network: Network, vocabulary: tuple[str, ...], labels: tuple[str, ...] = ()) -> Run:
    """A run with this network; its topics are named by their words where no labels are given.

    Neither its folder nor its corpus exists. Words with `_` are phrases of its recipe. All signs
    but full stops are parts of words.
    """
    labels = labels or tuple(topic_labels(network, vocabulary))
    return Run(
        network=network,
        vocabulary=vocabulary,
        recipe=replace(
            matrix_recipe(),
            lowercase=True,
            matrix=False,
            token_pattern=r"[^\s.]+",
            phrases=True,
            phrase_list=tuple(word for word in vocabulary if "_" in word),
        ),
        topic_labels=labels,
        made_labels=labels,
        overlay=Overlay(),
        summary={},
        folder=Path("/nowhere/toy"),
        config={"corpus": "/nowhere/corpus"},
    )


def edited(run: Run, hidden: Collection[int] = (), merged: Mapping[int, int] | None = None) -> Run:
    """The run after a person has hidden topics, or merged some into others of their layer."""
    ids = run.network.graph.topic_ids
    parts = {ids[part]: ids[whole] for part, whole in (merged or {}).items()}
    return replace(run, overlay=Overlay(hidden=frozenset(ids[t] for t in hidden), merged=parts))
