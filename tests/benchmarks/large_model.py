"""A made model of the size of the web, with words that can be read and typed."""

from __future__ import annotations

import tempfile
from itertools import islice, product
from pathlib import Path

import numpy as np

from orrery.core.model.topic_model import Run
from orrery.core.storage.graphs import write_graph
from orrery.core.storage.runs import load_run
from tests.benchmarks.alone import orrery
from tests.benchmarks.web_scale import Shape, layered_graph

NAME = "large"
FULL = Shape(100_000, 200_000, 1_400_000, 0)
QUICK = Shape(500, 2_000, 12_000, 0)
# Most links are weak and some are strong, as in trained models: a link acts 16 times of 100.
GAMMA_SHAPE, GAMMA_SCALE = 0.5, 0.4
SYLLABLES = [f"{consonant}{vowel}" for consonant in "bdfgklmnprstvz" for vowel in "aeiou"]


def made_words(count: int) -> list[str]:
    """Different words of three syllables, such as "bamizu"."""
    words = ["".join(syllables) for syllables in islice(product(SYLLABLES, repeat=3), count)]
    assert len(words) == count, f"there are no {count} words of three syllables"
    return words


def adopt_large(workspace: Path, shape: Shape) -> Run:
    """Make the model and put it into a workspace as the run of the name ``NAME``.

    A topic without any link has no place in the file of a graph, so there may be a few less.
    """
    graph = layered_graph(shape)
    weight = np.random.default_rng(0).gamma(GAMMA_SHAPE, GAMMA_SCALE, graph.n_edges)
    run = workspace / "runs" / NAME
    run.parent.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "graph.csv")
        write_graph(file, graph, made_words(shape.words), weight)
        orrery("adopt", file, "--out", run)
    return load_run(run)
