"""All metrics: the one place for their names, units, formats, baselines and explanations.

The commands ``evaluate`` and ``compare``, their help, the report and the Evaluate page read this
registry. To add a metric, add an entry here and compute it under the same key in
`orrery.core.evaluation.evaluate`: in `AnyModelFigures` if every topic model has it (it then also
appears in comparisons), else in `Evaluation`. Metrics that need labels are in `clusters`, metrics
of parents and children in `hierarchy`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

NATS = "nats per document"


@dataclass(frozen=True, kw_only=True)
class Metric:
    """Description of one metric."""

    key: str  # key in the JSON of the commands
    # Name for people. It begins with "…" where it continues the metric before it.
    name: str
    explanation: str  # one or more sentences
    # ``count``, ``share`` (0 … 1, shown in per cent), ``nats`` or ``number``.
    format: Literal["count", "share", "nats", "number"] = "number"
    unit: str = ""
    baseline: str = ""  # key of the metric that this one is compared with
    # Short name, for a column of the comparison of systems; empty for a metric that is not
    # compared.
    heading: str = ""
    digits: int = 3  # decimals in the table that ``orrery compare`` prints
    in_report: bool = True  # whether the report of a run shows it

    @property
    def label(self) -> str:
        """Name with a capital letter."""
        return f"{self.name[0].upper()}{self.name[1:]}"

    @property
    def title(self) -> str:
        """Name with a capital letter and the unit."""
        return f"{self.label} ({self.unit})" if self.unit else self.label


# Metrics of `orrery evaluate`, in the order in which they are shown.
METRICS = (
    Metric(
        key="documents", name="documents evaluated", format="count",
        explanation="Number of documents that the metrics are computed on.",
    ),
    Metric(
        key="samples", name="samples", format="count", in_report=False,
        explanation="Importance samples per document for the log-likelihood.",
    ),
    Metric(
        key="topics", name="topics", format="count", heading="topics", digits=0, in_report=False,
        explanation="Number of topics of the model.",
    ),
    Metric(
        key="edges", name="links", format="count", in_report=False,
        explanation="Number of edges of the graph.",
    ),
    Metric(
        key="jensen_bound", name="Jensen bound", format="nats", unit=NATS, baseline="independent",
        in_report=False,
        explanation="Lower bound on the log-likelihood by Jensen's inequality (Ji et al. 2019, "
        "eq. 9).",
    ),
    Metric(
        key="exact_bound", name="exact bound", format="nats", unit=NATS, baseline="independent",
        explanation="Lower bound on the log-likelihood with exact expectations.",
    ),
    Metric(
        key="log_likelihood", name="log-likelihood", format="nats", unit=NATS,
        baseline="independent",
        explanation="How likely the model makes a document, estimated by importance sampling; "
        "closer to 0 is better.",
    ),
    Metric(
        key="log_likelihood_error", name="± standard error of its sampling", in_report=False,
        explanation="Standard error of the importance sampling alone: other documents would give "
        "other values.",
    ),
    Metric(
        key="independent", name="words independent", format="nats", unit=NATS,
        explanation="Log-likelihood if every word were independent of the others: the baseline.",
    ),
    Metric(
        key="completion_mrr", name="hidden word, how early it is guessed", heading="MRR",
        baseline="completion_mrr_independent", in_report=False,
        explanation="Mean reciprocal rank: the mean of 1 / rank of a hidden word among the "
        "guesses, 1 if it is always the first.",
    ),
    Metric(
        key="completion_mrr_independent", name="… by frequency alone", in_report=False,
        explanation="Mean reciprocal rank if the most frequent words are guessed.",
    ),
    Metric(
        key="completion_recall10", name="hidden word in ten guesses", format="share",
        heading="hidden words", baseline="completion_recall10_independent",
        explanation="One word of each document is hidden; share of them that ten guesses find.",
    ),
    Metric(
        key="completion_recall10_independent", name="… by frequency alone", format="share",
        in_report=False, explanation="The same if the most frequent words are guessed.",
    ),
    Metric(
        key="npmi", name="coherence of ten words (NPMI)", heading="coherence",
        explanation="How much more often the ten top words of a topic occur in one document than "
        "by chance, from -1 to 1 (normalised pointwise mutual information).",
    ),
    Metric(
        key="diversity", name="diversity of the topics' words", format="share",
        heading="different words", digits=2,
        explanation="Share of different words among the top words of all topics.",
    ),
    Metric(
        key="accuracy", name="label of a text", format="share", heading="labels",
        baseline="accuracy_majority",
        explanation="Share of labels that a linear classifier predicts from the topics.",
    ),
    Metric(
        key="accuracy_c", name="… C of the classifiers", in_report=False,
        explanation="Regularisation of the classifiers, chosen by cross-validation.",
    ),
    Metric(
        key="accuracy_majority", name="… by the most frequent label", format="share",
        in_report=False, explanation="The same if the most frequent label is always predicted.",
    ),
    # Metrics of ``--labels`` (`orrery.core.evaluation.clusters`).
    Metric(
        key="labelled", name="documents with a label", format="count", in_report=False,
        explanation="Number of documents whose main topics are compared with labels.",
    ),
    Metric(
        key="clusters", name="clusters by main topic", format="count", in_report=False,
        explanation="Number of different main topics of these documents; documents without a topic "
        "count as one cluster.",
    ),
    *(
        metric
        for key, name, explanation in (
            ("purity", "purity", "Share of the documents that have the most frequent label of "
             "their cluster; 1 is best, and more clusters raise it."),
            ("nmi", "normalised mutual information (NMI)", "How much the main topic says about the "
             "label and the label about the topic, from 0 to 1 (arithmetic mean of the "
             "entropies)."),
            ("p1", "P1", "Harmonic mean of purity and inverse purity, so it also asks that a label "
             "is not spread over many topics; 1 is best."),
            ("ari", "adjusted Rand index (ARI)", "Agreement of all pairs of documents on being "
             "together or apart; 0 is chance and 1 is best."),
        )
        for metric in (
            Metric(key=key, name=name, baseline=f"{key}_chance", in_report=False,
                   explanation=explanation),
            Metric(key=f"{key}_chance", name="… by chance", in_report=False,
                   explanation="The same for shuffled clusters of the same sizes."),
        )
    ),
    # Metrics of ``--hierarchy`` (`orrery.core.evaluation.hierarchy`).
    Metric(
        key="pairs", name="links between topics", format="count", in_report=False,
        explanation="Number of links by which one topic activates another with a probability of at "
        "least 0.1.",
    ),
    Metric(
        key="pcc", name="coherence of parent and child (PCC)", baseline="pcc_chance",
        in_report=False,
        explanation="How much more often a word of a parent and another word of its child occur in "
        "one document than by chance; every shared word costs points.",
    ),
    Metric(
        key="pcc_chance", name="… with other children", in_report=False,
        explanation="The same if the topics of each layer of children are shuffled.",
    ),
    Metric(
        key="pcd", name="diversity of parent and child (PCD)", baseline="pncd", in_report=False,
        explanation="Share of the top words of a parent and its child that only one of them has.",
    ),
    Metric(
        key="pncd", name="… of parent and no child (PnCD)", in_report=False,
        explanation="The same for a parent and the topics that are not its children.",
    ),
    Metric(
        key="sibling_diversity", name="diversity of siblings (SD)",
        baseline="sibling_diversity_chance", in_report=False,
        explanation="Share of the top words of the children of one parent that only one of them "
        "has; parents with one child are left out.",
    ),
    Metric(
        key="sibling_diversity_chance", name="… of topics at random", in_report=False,
        explanation="The same if the topics of each layer of children are shuffled.",
    ),
    Metric(
        key="affinity", name="hierarchical affinity", baseline="affinity_chance", in_report=False,
        explanation="How similar the words of a parent are to those of its children (cosine); it "
        "should be above chance.",
    ),
    Metric(
        key="affinity_chance", name="… with other children", in_report=False,
        explanation="The same if the topics of each layer of children are shuffled.",
    ),
)  # fmt: skip

# Columns of `orrery compare`: what a system reaches, and what its training takes.
COMPARED = (
    Metric(
        key="held_out", name="likelihood or bound of unseen texts", format="nats", unit=NATS,
        heading="unseen texts", digits=2,
        explanation="Mean log-likelihood of held-out documents, or a bound on it, in nats per "
        "document; closer to 0 is better. Only values of the same kind can be compared.",
    ),
    *(metric for metric in METRICS if metric.heading),
    Metric(
        key="seconds", name="training time", format="count", unit="seconds", heading="seconds",
        digits=1, explanation="Duration of the training on this machine.",
    ),
    Metric(
        key="memory", name="memory of the training", format="count", unit="MB", heading="MB",
        digits=0, explanation="Largest memory that the training needed beyond what was in use.",
    ),
)  # fmt: skip

BY_KEY = {metric.key: metric for metric in METRICS}
