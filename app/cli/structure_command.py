"""``orrery structure``: propose a topic graph for a corpus and write it as CSV."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from ...core.utils.errors import InputError
from . import options


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    options.add_corpus(parser)
    parser.add_argument(
        "--out", required=True, type=Path, metavar="GRAPH.csv", help="file to write"
    )
    parser.add_argument("--force", action="store_true", help="replace an existing file")
    options.add_structure(parser, "maximum number of edges")
    parser.add_argument("--seed", type=options.seed, default=0, metavar="N", help="default: 0")
    options.add_json(parser)


def run(chosen: argparse.Namespace) -> dict[str, Any]:
    """Propose the graph, write it, and print its size."""
    from ...core.storage.corpora import load_corpus
    from ...core.storage.graphs import write_graph
    from ...core.structure.propose import propose_graph

    check_out(chosen.out, chosen.force)
    corpus = load_corpus(chosen.corpus)
    graph = propose_graph(
        corpus,
        method=chosen.method or "dense-regions",
        topics=chosen.topics,
        edges=chosen.edges,
        seed=chosen.seed,
    )
    write_graph(chosen.out, graph, corpus.vocabulary)
    result = {"topics": graph.n_topics, "layers": graph.n_layers(), "edges": graph.n_edges}
    if not chosen.json:
        counts = ", ".join(f"{count} {kind}" for kind, count in result.items())
        print(f"{chosen.out}: {counts}")
    return result


def check_out(path: Path, force: bool) -> None:
    """Raise an InputError if no graph can be written to a path; called before the long work.

    Only ``force`` permits replacing a graph or its file of leaks.
    """
    from ...core.storage.graphs import leak_path

    if path.is_dir():
        raise InputError(f"{path} is a folder; name the file to write the graph to")
    if path.suffix.lower() != ".csv":
        raise InputError(
            f"a graph is written as CSV; name a file that ends in .csv, not {path.name}"
        )
    for file, header in ((path, "parent,child"), (leak_path(path), "node,leak")):
        if file.exists() and not file.read_bytes().startswith(header.encode()):
            raise InputError(f"{file} is there and is not a graph; choose another name")
        options.check_free(file, force)
    if not path.parent.is_dir():
        raise InputError(f"there is no folder {path.parent}; make it first, or choose another")
