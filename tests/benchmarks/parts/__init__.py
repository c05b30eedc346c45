"""All parts, on the pages that they belong to and in their order there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import ModuleType

from tests.benchmarks.markdown import number, table
from tests.benchmarks.part import Page
from tests.benchmarks.parts import (
    amf,
    amortized,
    before,
    beside_lda,
    claims,
    clicks,
    correlated,
    deconvolution,
    defaults,
    density,
    diagnosis,
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
    hierarchy_measures,
    label_agreement,
    main_topic,
    medical,
    novelty,
    overparam,
    passages,
    peers,
    points,
    posterior_calibration,
    posterior_documents,
    posterior_error,
    posterior_speed,
    proposal,
    question_speed,
    regrown,
    scale,
    seeds,
    sequences,
    shuffled,
    stability,
    start,
    structures,
    sum_product,
    table2,
    titles,
    topic_groups,
    training,
    trials,
    trust,
    unknown_words,
    web,
)
from tests.benchmarks.results import Result

PAPER_HEAD = """# Experiments of Ji et al. (2019)

This page repeats the experiments of Ji et al., *Variational Training for Large-Scale Noisy-OR
Bayesian Networks*, UAI 2019, and adds some. With the same numbers of topics and edges, Orrery
reaches the bounds and likelihoods of the paper, on other splits of the same size. This page is
written by `python -m tests.benchmarks paper` from the figures in `results/`; change the parts, not
the page.
"""
PAPER_NOTE = """Bounds and likelihoods are nats per document, with documents without tokens;
higher is better. *a ± b* is the mean over the splits ± two standard deviations. The splits of
tiny20 have the seeds 0–4; they differ by more than the methods do, so the log-likelihood of
independent words on the same documents, the baseline, is next to every result. The splits of the
paper are not published. *ours* are measurements of this project; – is missing.
"""
GRAPHS_HEAD = """# Quality of learned graphs

This page evaluates the graphs that Orrery proposes and learns, and an external graph. The main
comparison is with LDA at the same number of topics. This page is written by
`python -m tests.benchmarks graphs` from the figures in `results/`; change the parts, not the page.
"""
SPEED_HEAD = """# Speed and memory

This page shows the time and memory of training, of the app, and of other topic models. Ratios are
from alternating runs on one machine; seconds and minutes are from single runs. This page is written
by `python -m tests.benchmarks speed` from the figures in `results/`; change the parts, not the
page.
"""
POSTERIOR_HEAD = """# Accuracy of posterior inference

This page compares the probabilities that Orrery shows with the exact posterior of the model, from
independent and much slower algorithms, and with documents drawn from the model. It does not show
whether the model fits the texts. This page is written by `python -m tests.benchmarks posterior`
from the figures in `results/`; change the parts, not the page. Goals are in brackets.
"""
BASELINES_HEAD = """# Baselines: claims of their papers and results

This page tests the claims of the papers of the baselines with our implementations of them. Each row
is one claim; a claim that was not tested is marked as not run. This page is written by
`python -m tests.benchmarks rivals` from the figures in `results/`; change the parts, not the page.
"""
TRUST_HEAD = """# Robustness of stored data, training and the server

This page shows long versions of the tests behind the guarantees in the
[guide](../../assets/guide/trust.md); the default test run has a small part of them. A test fails if
data are lost or silently wrong, or if a process hangs or executes an input. This page is written by
`python -m tests.benchmarks trust` from the figures in `results/`; change the parts, not the page.
"""
EVIDENCE_HEAD = """# Evidence by the metrics of the field

This page reports the metrics that other topic models are compared by: agreement with labels,
diversity and coherence of top words, and the relation of parents and children. This page is written
by `python -m tests.benchmarks evidence` from the figures in `results/`; change the parts, not the
page. `orrery evaluate RUN --labels --hierarchy` prints the same figures for other corpora.
"""
_PAPER = (table2, regrown, figure2, figure4, figure5, figure6, figure7, overparam, density)
_GRAPHS = (
    defaults,
    topic_groups,
    beside_lda,
    shuffled,
    stability,
    structures,
    hierarchy,
    proposal,
    medical,
)
_EVIDENCE = (
    label_agreement,
    hierarchy_measures,
    seeds,
    main_topic,
    novelty,
    passages,
    unknown_words,
)
_SPEED = (estep, training, before, flat, web, scale, peers, start, clicks, points)
_POSTERIOR = (
    posterior_error,
    posterior_calibration,
    posterior_documents,
    posterior_speed,
    question_speed,
    diagnosis,
)
_BASELINES = (
    claims,
    amf,
    amortized,
    titles,
    headlines,
    sum_product,
    sequences,
    discrete,
    correlated,
    deconvolution,
    trials,
)


def _main_table(
    module: ModuleType, caption: str, note: str = ""
) -> Callable[[Mapping[str, Result]], str]:
    """Return the function of the results that shows the main table of a page."""

    def show(results: Mapping[str, Result]) -> str:
        if module.PART.name not in results:
            return note
        about = f"{caption} (section [{module.PART.title}](#{module.PART.name})):"
        shown = f"{about}\n\n{module.summary(results[module.PART.name].figures)}"
        return f"{shown}\n\n{note}" if note else shown

    return show


def _trust_table(results: Mapping[str, Result]) -> str:
    """Return the numbers of tests and failures of every part with tests."""
    rows = [
        [part.title, *(number(count, 0) for count in (figures["tests"], len(figures["failed"])))]
        for name, part in trust.PARTS.items()
        if name in results and "failed" in (figures := results[name].figures)
    ]
    return f"All tests:\n\n{table(['part', 'tests', 'failed'], rows)}" if rows else ""


def _not_run(results: Mapping[str, Result]) -> str:
    """Name what the page of evidence lacks."""
    lacks: list[str] = []
    for module in (label_agreement, hierarchy_measures, seeds, main_topic):
        known = results.get(module.PART.name)
        lacks += module.missing(None if known is None else known.figures)
    return f"**Not run yet:** {'; '.join(lacks)}." if lacks else ""


_PAGES = (
    (
        "paper",
        "the experiments of Ji et al. (2019) and more",
        PAPER_HEAD,
        _PAPER,
        _main_table(table2, "Held-out bound and log-likelihood on tiny20", PAPER_NOTE),
    ),
    (
        "graphs",
        "quality of proposed, learned and external graphs",
        GRAPHS_HEAD,
        _GRAPHS,
        _main_table(beside_lda, "Orrery with default options and LDA with as many topics"),
    ),
    (
        "evidence",
        "agreement with labels, and quality of hierarchies",
        EVIDENCE_HEAD,
        _EVIDENCE,
        _not_run,
    ),
    (
        "speed",
        "documents per second, memory, and large graphs",
        SPEED_HEAD,
        _SPEED,
        _main_table(peers, "Orrery and other topic models on arXiv abstracts"),
    ),
    (
        "posterior",
        "accuracy of posterior inference",
        POSTERIOR_HEAD,
        _POSTERIOR,
        _main_table(
            posterior_error,
            "Mean error of the probabilities for queries of 2–4 words, and the share of queries "
            "without an error above 0.03",
        ),
    ),
    (
        "rivals",
        "claims of the papers of the baselines",
        BASELINES_HEAD,
        _BASELINES,
        _main_table(claims, "Claims and whether they hold here"),
    ),
)
PAGES: dict[str, Page] = {
    name: Page(name, summary, head, {module.PART.name: module.PART for module in modules}, main)
    for name, summary, head, modules, main in _PAGES
}
PAGES["trust"] = Page(
    "trust", "crashes, damage, hostile input", TRUST_HEAD, trust.PARTS, _trust_table
)
