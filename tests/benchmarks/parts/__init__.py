"""All parts, on the pages that they belong to and in their order there."""

from __future__ import annotations

from tests.benchmarks.part import Page
from tests.benchmarks.parts import (
    amf,
    amortized,
    arxiv,
    beside_lda,
    claims,
    clicks,
    correlated,
    defaults,
    density,
    discrete,
    estep,
    figure2,
    figure4,
    figure5,
    figure6,
    figure7,
    flat,
    headlines,
    hierarchy,
    medical,
    overparam,
    points,
    posterior_calibration,
    posterior_documents,
    posterior_error,
    posterior_speed,
    proposal,
    regrown,
    rivals,
    scale,
    sequences,
    shelves,
    shuffled,
    start,
    structures,
    sum_product,
    table2,
    titles,
    trials,
    trust,
    web,
)

PAPER_HEAD = """# The paper's experiments, run again

Ji et al., *Variational Training for Large-Scale Noisy-OR Bayesian Networks*, UAI 2019, and some
that are not in it. This page is written by `python -m tests.benchmarks paper` from the figures in
`results/`; change the parts, not the page.

Bounds and likelihoods are nats per document, higher is better, and a document without tokens counts
like any other. *a ± b* is the mean over the splits ± two standard deviations. The splits of tiny20
are those of seeds 0–4: they differ by more than the methods do, so the log-likelihood of
independent words, trained and tested on the same documents, stands beside every result. The
paper's own splits are not known. **ours** marks what this project measured, – what is not there.
"""
GRAPHS_HEAD = """# Graphs: proposed, learned, and from elsewhere

How good the graphs are that Orrery proposes and learns, and what a graph that others have made is
good for. This page is written by `python -m tests.benchmarks graphs` from the figures in
`results/`; change the parts, not the page.
"""
SPEED_HEAD = """# How fast it is

Ratios are of runs that took turns on one machine; what is in seconds or minutes was run once. This
page is written by `python -m tests.benchmarks speed` from the figures in `results/`; change the
parts, not the page.
"""
POSTERIOR_HEAD = """# What the shown probabilities are worth

Given some words, every topic has a probability to be on: the model's own posterior, which is a sum
over more states than can be counted in most models. Here answers are held against that sum, worked
out in ways that share no code with them and take far longer; and against what was truly on, in
documents that were drawn from the model itself. Whether the model is right about the world is
another question. Goals stand in brackets beside the figures. This page is written by
`python -m tests.benchmarks posterior` from the figures in `results/`; change the parts, not the
page.
"""
RIVALS_HEAD = """# Other systems: what their papers claim, and what was measured here

This page is written by `python -m tests.benchmarks rivals` from the figures in `results/`; change
the parts, not the page. What has not been run says so.
"""
TRUST_HEAD = """# What is promised about what people keep

The promises and their tests are listed in the [guide](../../assets/guide/trust.md). The usual suite
tries a small part of what is tried here. *Went wrong* counts tests that failed: something was lost,
silently wrong, hung, or executed. This page is written by `python -m tests.benchmarks trust` from
the figures in `results/`; change the parts, not the page.
"""
_PAPER = (table2, regrown, figure2, figure4, figure5, figure6, figure7, overparam, density)
_GRAPHS = (defaults, shelves, beside_lda, shuffled, structures, hierarchy, proposal, medical)
_SPEED = (estep, flat, web, arxiv, scale, rivals, start, clicks, points)
_POSTERIOR = (posterior_error, posterior_calibration, posterior_documents, posterior_speed)
_RIVALS = (
    claims,
    amf,
    amortized,
    titles,
    headlines,
    sum_product,
    sequences,
    discrete,
    correlated,
    trials,
)
_PAGES = (
    ("paper", "the experiments of Ji et al. (2019) and more", PAPER_HEAD, _PAPER),
    ("graphs", "graphs: proposed, learned, and from elsewhere", GRAPHS_HEAD, _GRAPHS),
    ("speed", "documents per second, memory, and large graphs", SPEED_HEAD, _SPEED),
    ("posterior", "what the shown probabilities are worth", POSTERIOR_HEAD, _POSTERIOR),
    ("rivals", "the claims of other systems", RIVALS_HEAD, _RIVALS),
)
PAGES: dict[str, Page] = {
    name: Page(name, summary, head, {module.PART.name: module.PART for module in modules})
    for name, summary, head, modules in _PAGES
}
PAGES["trust"] = Page("trust", "crashes, damage, hostile input", TRUST_HEAD, trust.PARTS)
