"""Compile all kernels in a process of its own, so that no page waits for them later.

The app starts this module with ``python -m`` when it opens. The process has the lowest priority and
uses one thread. A query on a small local model needs no kernel (`core.inference.infer.is_small`); a
whole document and a training run do, and load from the disk what this process has compiled.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory

from ..inference.evidence import Evidence
from ..inference.explanation import explain
from ..inference.infer import MAX_SMALL_EDGES, infer
from ..kernels.compiling import cache_folder, sources_of
from ..kernels.streams import stream_key
from ..model.graph import build_graph
from ..model.network import build_network

# Lowest priority of a process.
NICENESS = 19


def main(arguments: Sequence[str]) -> None:
    """Compile the kernels of queries and of training, unless they are on the disk already.

    The argument is the folder of a small corpus, on which a model is trained.
    """
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    done = cache_folder(sources_of(stream_key)) / f"all-{version('numba')}"
    if not done.exists():
        compile_queries()
        compile_training(arguments[0])
        done.touch()


def compile_queries() -> None:
    """Run every kind of query on a local model that is not small, which compiles its kernels."""
    n_words = MAX_SMALL_EDGES // 2 + 1
    words = tuple(range(n_words))
    parents = [0] * n_words + [1] * n_words
    children = [2 + word for word in words] * 2
    graph, _ = build_graph(n_words, ("a", "b"), [0, *parents], [1, *children])
    network = build_network(graph, [1.0] * graph.n_edges, [0.1] * graph.n_nodes)
    evidence = Evidence(words, closed_world=True)
    posterior = infer(network, evidence)
    infer(network, evidence, method="sampling")
    infer(network, evidence, method="sum-product")
    explain(network, posterior, 0)


def compile_training(corpus: str) -> None:
    """Train a model on a corpus with the default settings, which compiles the kernels of training.

    The modules are imported here, because this process ends at once if all is compiled.
    """
    from ..training.options import TrainingOptions
    from .runner import start_run
    from .settings import RunSettings, Session

    with TemporaryDirectory(prefix="orrery-compiling-") as folder:
        settings = RunSettings(corpus, TrainingOptions(structure="learned"))
        start_run(Path(folder) / "run", settings, Session(threads=1))


if __name__ == "__main__":
    main(sys.argv[1:])
