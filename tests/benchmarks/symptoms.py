"""The health knowledge graph as a model: diseases above their symptoms, adopted as it is."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pandas as pd

from orrery.core.model.topic_model import Run
from orrery.core.storage.adoption import adopt_graph
from orrery.core.storage.runs import load_run
from tests.benchmarks.data import data_file

SOURCE = "medical/DerivedKnowledgeGraph_final.csv"


def symptom_run() -> Run:
    """Convert the source and adopt it; raises MissingData where it is not at hand."""
    source = data_file(SOURCE)
    with tempfile.TemporaryDirectory() as folder:
        graph, made = Path(folder) / "medical.csv", Path(folder) / "run"
        edges_of(source).to_csv(graph)
        adopt_graph(graph, made, "probability")
        return load_run(made)


def edges_of(source: Path) -> pd.DataFrame:
    """Edges of the source's lists of symptoms, as the README converts them."""
    table_ = pd.read_csv(source, index_col="Diseases")["Symptoms"]
    edges = table_.str.extractall(r"(?P<child>[^,]+?) \((?P<weight>[\d.]+)\)")
    return edges.rename_axis(["parent", None])
