"""Table 2 of Ji et al. (2019): held-out bound and log-likelihood of tiny20 by inference method."""

from __future__ import annotations

from typing import Any

from orrery.core.evaluation.evaluate import evaluate
from orrery.core.model.network import Network
from orrery.core.training.options import Scope
from tests.benchmarks.data import Split, tiny20_split
from tests.benchmarks.gibbs_posterior import unique_sample_bounds
from tests.benchmarks.held_out import bound_at, paper_bound
from tests.benchmarks.markdown import MISSING, number, spread, table
from tests.benchmarks.models import paper_options, trained
from tests.benchmarks.monte_carlo import sampled_activations
from tests.benchmarks.part import Figures, Part, Settings

SAMPLES = 1000
# Sweeps behind the sum over unique samples, each of as many Gibbs steps as there are topics.
SWEEPS = 500
# Our figures of a row, in the order of their columns.
OURS = ("elbo", "log_likelihood", "unique_samples", "exact")
# The paper's ELBO and log-likelihood.
PAPER = {
    "vi-full": ("VI full", "−14.50 ± 0.06", "−14.43 ± 0.07"),
    "vi-local": ("VI local", "−14.51 ± 0.08", "−14.43 ± 0.07"),
    "mcmc-full": ("MCMC full", "−15.36 ± 0.15", "−14.18 ± 0.07"),
    "mcmc-local": ("MCMC local", "−19.22 ± 0.47", "−17.11 ± 0.12"),
    "initialization": ("Initialization", "−24.15 ± 0.11", "−21.98 ± 0.08"),
    "ours": ("Orrery (learned structure, exact bound, local)", MISSING, MISSING),
}
ABOUT = """The paper's two-layer graph of 44 topics and 707 edges is not published. Our graph has
the same budget and is learned from the training documents of each split: a Gibbs start on a
complete graph, pruned, then Adam on the exact bound. All other rows train on that graph from random
weights: VI by {updates} of the paper's full-batch updates with c = 100, MCMC by Monte Carlo EM with
persistent chains. The ELBO is the paper's (eq. 9), from the E-step used in training: 10 × 10 × 10
steps for VI, marginals of Gibbs samples for MCMC, and the maximum of the bound for Orrery. The
exact bound uses no Jensen step. Our log-likelihood is estimated by importance sampling with
{samples} samples per document, a lower bound in expectation. The paper sums the joint probabilities
of all states that a million Gibbs steps visit; the column *unique samples* does the same with
{sweeps} sweeps over all topics per document.
"""


def run(settings: Settings) -> Figures:
    """Train and evaluate every method on every split."""
    splits = [tiny20_split(seed, settings.quick) for seed in settings.splits]
    for split in splits:
        # The other methods train on the graph that ours has learned, outside of their time.
        trained("ours", split, settings)
    rows: dict[str, list[dict[str, Any]]] = {}
    for method in PAPER:
        rows[method] = [_evaluate(method, split, settings) for split in splits]
    graphs = [trained("ours", split, settings).network.graph for split in splits]
    return {
        "samples": _samples(settings),
        "sweeps": _sweeps(settings),
        "updates": paper_options("local", splits[0], settings).epochs,
        "control": [split.control() for split in splits],
        "edges": [graph.n_edges for graph in graphs],
        "rows": rows,
    }


def _samples(settings: Settings) -> int:
    return settings.pick(SAMPLES, 20)


def _sweeps(settings: Settings) -> int:
    return settings.pick(SWEEPS, 10)


def _evaluate(method: str, split: Split, settings: Settings) -> dict[str, Any]:
    model = trained(method, split, settings)
    evaluated = evaluate(
        model.network, split.corpus, split.test, samples=_samples(settings), seed=split.seed
    )
    jensen = evaluated.jensen_bound
    if method != "ours":
        jensen = _paper_elbo(method, model.network, split)
    return {
        "elbo": jensen,
        "exact": evaluated.exact_bound,
        "log_likelihood": evaluated.log_likelihood,
        "unique_samples": _unique_samples(model.network, split, _sweeps(settings)),
    }


def _unique_samples(network: Network, split: Split, sweeps: int) -> float:
    bounds = unique_sample_bounds(
        network, split.corpus, split.test, sweeps=sweeps, seed=split.seed, full=True
    )
    return float(bounds.mean())


def _paper_elbo(method: str, network: Network, split: Split) -> float:
    """Bound by the E-step of the model's training; local VI for the initial model."""
    scope: Scope = "full" if method.endswith("full") else "local"
    if not method.startswith("mcmc"):
        return paper_bound(network, split, scope)
    return bound_at(network, split, sampled_activations(network, split, split.test, scope), scope)


def show(figures: Figures) -> str:
    """Table of the paper's figures and ours."""
    header = ["method", "ELBO, paper", "ELBO, **ours**", "log-likelihood, paper"]
    header += ["log-likelihood, **ours**", "unique samples, **ours**", "exact bound, **ours**"]
    lines = []
    for method, (name, elbo, log_likelihood) in PAPER.items():
        column = _columns(figures["rows"][method])
        ours = [spread(column[key]) for key in OURS]
        lines.append([name, elbo, ours[0], log_likelihood, *ours[1:]])
    control = [
        "independent words (baseline)",
        *[MISSING] * 3,
        spread(figures["control"]),
        *[MISSING] * 2,
    ]
    edges = ", ".join(number(edges, 0) for edges in figures["edges"])
    about = ABOUT.format(**{key: figures[key] for key in ("samples", "sweeps", "updates")})
    return f"{about}\n{table(header, [*lines, control])}\n\nEdges of our graphs: {edges}.\n"


def _columns(rows: list[dict[str, Any]]) -> dict[str, list[float]]:
    return {key: [row[key] for row in rows] for key in OURS}


def summary(figures: Figures) -> str:
    """Table of the bounds and log-likelihoods in the paper and here."""
    header = ["method", "ELBO, paper", "ELBO, **ours**"]
    header += ["log-likelihood, paper", "log-likelihood, **ours**"]
    lines = []
    for method, (name, elbo, log_likelihood) in PAPER.items():
        column = _columns(figures["rows"][method])
        lines.append([name, elbo, spread(column[OURS[0]]), log_likelihood, spread(column[OURS[1]])])
    lines.append(["independent words (baseline)", *[MISSING] * 3, spread(figures["control"])])
    return table(header, lines)


PART = Part("table2", "Table 2: tiny 20 Newsgroups, held-out", 110, run, show)
