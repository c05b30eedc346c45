"""Sentences and tables of the Evaluate page, made from the metrics of models (no streamlit)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...core.data.corpus import Corpus
from ...core.drawing.links import word_text
from ...core.evaluation.coherence import (
    exclusive_word_shares,
    single_word_topics,
    top_words,
    topic_npmi,
)
from ...core.evaluation.metrics import BY_KEY, METRICS, Metric
from ...core.model.topic_model import Run
from ...core.storage.reading import read_npz, sha256
from ...core.utils.errors import InputError
from ...core.utils.lazy import LazyModule
from ..text import strings as common_strings
from ..text.strings import number
from ..workspace.evaluations import EvaluatedModel
from . import strings as shared_strings
from .strings import MIN_LEAD, score_percent

if TYPE_CHECKING:
    import pandas as pd
else:
    pd = LazyModule("pandas")


# Keys of a predicted share and of its baseline.
WORDS = ("completion_recall10", "completion_recall10_independent")
LABELS = ("accuracy", "accuracy_majority")


def likelihood_sentence(figures: dict[str, Any]) -> str:
    """Describe the likelihood, or the bound of a model that was not evaluated since."""
    likelihood, baseline = figures.get("log_likelihood"), figures.get("independent")
    best = figures.get("exact_bound") if likelihood is None else likelihood
    if best is None or baseline is None:
        return ""
    return shared_strings.likelihood(best - baseline)


def gap_sentence(figures: dict[str, Any]) -> str:
    """Describe the distance of the bounds from the likelihood, if they are known."""
    likelihood = figures.get("log_likelihood")
    exact, jensen = figures.get("exact_bound"), figures.get("jensen_bound")
    if likelihood is None or exact is None or jensen is None:
        return ""
    # An estimate may end below a bound by its sampling error.
    return shared_strings.gaps(*(max(likelihood - bound, 0.0) for bound in (exact, jensen)))


def verdict(figures: dict[str, Any], other: EvaluatedModel | None) -> str:
    """Compare the model with its baseline and with another model; empty if it is not known."""
    found = _compared(figures, other, *WORDS)
    return "" if found is None else shared_strings.verdict(*found)


def label_sentence(figures: dict[str, Any], other: EvaluatedModel | None = None) -> str:
    """Compare the accuracy of predicted labels with its baseline; empty if it is not known."""
    found = _compared(figures, other, *LABELS)
    return "" if found is None else shared_strings.labels(*found)


def strongest_result(figures: dict[str, Any], other: EvaluatedModel | None) -> str:
    """Sentence on the prediction in which the model is furthest ahead of what it is compared with.

    ``figures`` belong to the model, and ``other`` another kind of model, if one was evaluated.
    Empty if nothing is known.
    """
    words, labels = verdict(figures, other), label_sentence(figures, other)
    of_words, of_labels = (_lead(_compared(figures, other, *keys)) for keys in (WORDS, LABELS))
    is_labels = of_labels >= max(of_words, MIN_LEAD)
    return labels if labels and (is_labels or not words) else words


def _compared(
    figures: dict[str, Any], other: EvaluatedModel | None, key: str, baseline: str
) -> tuple[float, float, dict[str, float]] | None:
    """A share, its baseline, and the share of the other model by name if it is known.

    None if the share or the baseline is not known.
    """
    share, known = figures.get(key), figures.get(baseline)
    if share is None or known is None:
        return None
    peer = None if other is None else other.figures.get(key)
    return share, known, {} if other is None or peer is None else {other.name: float(peer)}


def _lead(found: tuple[float, float, dict[str, float]] | None) -> float:
    """Difference between a share and the best of what it is compared with; -1 if not known."""
    if found is None:
        return -1.0
    share, baseline, others = found
    return float(share - max([baseline, *others.values()]))


def figures_table(models: Sequence[EvaluatedModel]) -> pd.DataFrame:
    """All known metrics, one row per metric and one column per model."""
    known = [
        metric
        for metric in METRICS
        if any(model.figures.get(metric.key) is not None for model in models)
    ]
    columns = {
        model.name: [written(metric, model.figures.get(metric.key)) for metric in known]
        for model in models
    }
    return pd.DataFrame({shared_strings.FIGURE_COLUMN: [each.title for each in known], **columns})


# Metrics of main topics and labels, and of parents and children, as sentences.
AGREEMENT = ("purity", "nmi", "p1", "ari")
HIERARCHY = ("pcc", "pcd", "sibling_diversity", "affinity")


def metric_sentences(figures: dict[str, Any], keys: Sequence[str]) -> list[str]:
    """For each known metric: its name, value and baseline, and what it means, in Markdown."""
    return [
        shared_strings.metric_sentence(
            metric.label,
            written(metric, figures[key]),
            written(metric, figures.get(metric.baseline)),
            metric.explanation,
        )
        for key in keys
        if figures.get((metric := BY_KEY[key]).key) is not None
    ]


def layers_table(layers: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    """Metrics of each layer of topics, from the words upward, written for people."""
    return pd.DataFrame(
        [
            {
                shared_strings.LAYER: str(row["layer"]),
                shared_strings.LAYER_TOPICS: f"{row['topics']:,}",
                **{
                    name: common_strings.NO_FIGURE if row[key] is None else number(row[key])
                    for key, name in shared_strings.LAYER_FIGURES.items()
                },
            }
            for row in layers
        ]
    )


def written(metric: Metric, value: float | None) -> str:
    """Write the value of a metric in its format."""
    if value is None:
        return common_strings.NO_FIGURE
    if metric.format == "share":
        return score_percent(value)
    if metric.format == "count":
        return f"{value:,.0f}"
    return two_digits(value) if metric.format == "nats" else number(value)


def two_digits(value: float) -> str:
    """Write a number with two decimals and a true minus sign; zero has no sign."""
    return f"{round(value, 2) + 0.0:,.2f}".replace("-", "−")


def topic_figures(run: Run, corpus: Corpus) -> pd.DataFrame:
    """Coherence and share of own words of every topic that has both.

    Returns
    -------
    pandas.DataFrame
        Columns ``id``, ``label``, ``npmi`` and ``own``, in the order of the topics.
    """
    found = top_words(run.network, corpus.vocabulary)
    table = pd.DataFrame(
        {
            "id": run.network.graph.topic_ids,
            "label": run.topic_labels,
            "npmi": topic_npmi(corpus.to_csr(), found),
            "own": exclusive_word_shares(found),
        }
    )
    table = table.dropna().reset_index(drop=True)
    return table.astype({"npmi": float, "own": float})


def words_alone(run: Run, corpus: Corpus) -> list[str]:
    """Frequent words that have a topic to themselves, in alphabetical order."""
    found = single_word_topics(run.network, corpus.document_frequency(), corpus.n_documents)
    tokens = {token for topic, token in found if topic not in run.hidden_topics}
    return sorted(word_text(run.vocabulary[token]) for token in tokens)


def only_shown(run: Run, topics: pd.DataFrame) -> pd.DataFrame:
    """Rows of the topics neither hidden nor part of another one, under their current names."""
    ids = run.network.graph.topic_ids
    left_out = [ids[topic] for topic in {*run.hidden_topics, *run.shown_as}]
    shown = topics[~topics["id"].isin(left_out)].reset_index(drop=True)
    label = dict(zip(ids, run.topic_labels, strict=True))
    return shown.assign(label=[label[topic] for topic in shown["id"]])


def in_order(topics: pd.DataFrame, order: str) -> pd.DataFrame:
    """Topics sorted by a column: figures from the highest, names alphabetically."""
    by = [order, "label", "id"] if order != "label" else ["label", "id"]
    ascending = [order == "label", *[True] * (len(by) - 1)]
    return topics.sort_values(by, ascending=ascending).reset_index(drop=True)


def held_out_by(folder: Path) -> str:
    """Key of the documents that a run held out, equal for runs that held out the same."""
    try:
        arrays = read_npz(folder / "start.npz")
        return f"{arrays['fingerprint']} {sha256(arrays['held_out'].tobytes())}"
    except (InputError, KeyError):
        return str(folder)
