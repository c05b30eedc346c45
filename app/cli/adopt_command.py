"""``orrery adopt``: a model out of a weighted graph, without a corpus and without training."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from ...core.model.default_leaks import TOPIC_LEAK, WORD_LEAK
from . import options


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument(
        "graph",
        metavar="GRAPH",
        type=Path,
        help="CSV with the columns parent, child and weight, perhaps with NAME.leaks.csv beside "
        "it, or GraphML; a name that is never a parent is a word, topic:NAME never is; a weight "
        "above 30 counts as 30, the same to any reader",
    )
    parser.add_argument("--out", required=True, type=Path, metavar="RUN", help="folder to make")
    options.add_weights(parser, default="noisy-or")
    for kind, default in (("topic", TOPIC_LEAK), ("word", WORD_LEAK)):
        parser.add_argument(
            f"--{kind}-leak",
            type=options.leak,
            metavar="LEAK",
            help=f"leak of every {kind} where the file brings none, a noisy-OR weight (so small a "
            f"one is near enough a probability); default: {default}",
        )
    options.add_json(parser)


def run(chosen: argparse.Namespace) -> dict[str, Any]:
    """Read the graph, write the run, and say how large it is."""
    from ...core.storage.adoption import Leaks, adopt_graph

    leaks = Leaks(chosen.topic_leak, chosen.word_leak)
    graph = adopt_graph(chosen.graph, chosen.out, chosen.weights, leaks).graph
    result = {
        "run": str(chosen.out),
        "topics": graph.n_topics,
        "words": graph.n_tokens,
        "layers": graph.n_layers(),
        "edges": graph.n_edges,
    }
    if not chosen.json:
        print(f"{chosen.out}: {graph.n_topics} topics, {graph.n_tokens} words, "
              f"{graph.n_edges} edges")  # fmt: skip
    return result
