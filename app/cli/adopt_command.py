"""``orrery adopt``: make a model from a weighted graph, without a corpus or training."""

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
        help="GraphML, or CSV with the columns parent, child and weight and optionally a file "
        "NAME.leaks.csv beside it; a name that is never a parent is a word, unless it is written "
        "topic:NAME; weights above 30 are read as 30, which gives the same probabilities",
    )
    parser.add_argument("--out", required=True, type=Path, metavar="RUN", help="folder to make")
    options.add_weights(parser, default="noisy-or")
    for kind, default in (("topic", TOPIC_LEAK), ("word", WORD_LEAK)):
        parser.add_argument(
            f"--{kind}-leak",
            type=options.leak,
            metavar="LEAK",
            help=f"leak of every {kind}, if the file has no leaks, as a noisy-OR weight (a small "
            f"weight is nearly equal to its probability); default: {default}",
        )
    options.add_json(parser)


def run(chosen: argparse.Namespace) -> dict[str, Any]:
    """Read the graph, write the run, and print its size."""
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
