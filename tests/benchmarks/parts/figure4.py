"""Figure 4: convergence by the edge scale c of the preconditioner (Ji et al. 2019, §4.2.3)."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from tests.benchmarks.curves import at, follow
from tests.benchmarks.data import tiny20_split
from tests.benchmarks.held_out import paper_bound
from tests.benchmarks.markdown import number, table
from tests.benchmarks.models import graph_of, paper_options
from tests.benchmarks.part import Figures, Part, Settings, log

SCALES = (1.0, 10.0, 100.0, 1000.0, 10000.0)
EPOCHS = (0, 1, 2, 3, 5, 10, 20, 30, 40, 60)
ABOUT = """Held-out ELBO (eq. 9) on split {split} after the given number of epochs of full-batch
training on local models. The paper shows curves without numbers. It states that training with c = 1
has not converged after hundreds of epochs, is fastest for 100 ≤ c ≤ 1000, and may become unstable
for larger c.
"""


def run(settings: Settings) -> Figures:
    """Train once for every scale, on the first split."""
    split = tiny20_split(settings.splits[0], settings.quick)
    graph = graph_of(split, settings)
    epochs = settings.pick(EPOCHS, (0, 1, 2))
    options = replace(paper_options("local", split, settings), epochs=max(epochs))
    evaluate = partial(paper_bound, split=split, scope="local")
    curves = {}
    for scale in SCALES:
        log.info("c = %g", scale)
        scaled = replace(options, edge_scale=scale)
        curves[f"{scale:g}"] = follow(split, graph, scaled, epochs, evaluate)
    return {"split": split.seed, "epochs": epochs, "control": split.control(), "curves": curves}


def show(figures: Figures) -> str:
    """Epochs down, scales across."""
    curves = figures["curves"]
    rows = []
    for epoch in figures["epochs"]:
        points = [at(points, "updates", epoch) for points in curves.values()]
        rows.append([str(epoch), *[number(point and point["bound"]) for point in points]])
    lines = table(["epochs", *[f"c = {scale}" for scale in curves]], rows)
    control = f"Independent words (baseline): {number(figures['control'])}."
    return f"{ABOUT.format(split=figures['split'])}\n{lines}\n\n{control}\n"


PART = Part("figure4", "Figure 4: edge scale c in the preconditioner", 6, run, show)
