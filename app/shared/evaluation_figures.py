"""The sentences and tables of the Evaluate page, made from the figures of models (no streamlit)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from ...core.data.corpus import Corpus
from ...core.drawing.links import word_text
from ...core.evaluation.coherence import own_shares, single_words, top_words, topic_npmi
from ...core.storage.corpora import begun_with
from ...core.storage.runs import read_config
from ...core.utils.errors import InputError
from ..text import strings as common_strings
from ..text.strings import number
from ..workspace.evaluations import EvaluatedModel
from . import strings as shared_strings
from .strings import score_percent

if TYPE_CHECKING:
    from ...core.model.topic_model import Run


def ladder_sentence(figures: dict[str, Any]) -> str:
    """Say what the ladder of bounds shows, as far as its figures are known."""
    likelihood, control = figures.get("log_likelihood"), figures.get("independent")
    exact, jensen = figures.get("exact_bound"), figures.get("jensen_bound")
    if likelihood is None or control is None:
        return ""
    sentences = [shared_strings.likelihood(likelihood - control)]
    if exact is not None and jensen is not None:
        # An estimate may by chance end below a bound.
        gaps = (max(likelihood - bound, 0.0) for bound in (exact, jensen))
        sentences.append(shared_strings.gaps(*gaps))
    return " ".join(sentences)


def verdict(figures: dict[str, Any], rival: EvaluatedModel | None) -> str:
    """Say whether a model is any good, as far as that is known; empty where it is not."""
    share, control = (figures.get(f"completion_recall10{end}") for end in ("", "_independent"))
    if share is None or control is None:
        return ""
    found = None if rival is None else rival.figures.get("completion_recall10")
    rivals = {} if rival is None or found is None else {rival.name: float(found)}
    return shared_strings.verdict(share, control, rivals)


def label_sentence(figures: dict[str, Any]) -> str:
    """Say how often labels are predicted, next to the control; empty where that is not known."""
    share, control = figures.get("accuracy"), figures.get("accuracy_majority")
    return "" if share is None or control is None else shared_strings.labels(share, control)


def figures_table(models: Sequence[EvaluatedModel]) -> pd.DataFrame:
    """All known figures, one row per figure and one column per model."""
    known = {
        key: name
        for key, name in shared_strings.TABLE.items()
        if any(model.figures.get(key) is not None for model in models)
    }
    columns = {
        model.name: [_written(key, model.figures.get(key)) for key in known] for model in models
    }
    return pd.DataFrame({shared_strings.FIGURE_COLUMN: list(known.values()), **columns})


def _written(key: str, value: Any) -> str:
    if value is None:
        return common_strings.NO_FIGURE
    if key in shared_strings.SHARES:
        return score_percent(value)
    return f"{value:,}" if key in shared_strings.COUNTS else number(value)


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
            "own": own_shares(found),
        }
    )
    table = table.dropna().reset_index(drop=True)
    return table.astype({"npmi": float, "own": float})


def words_alone(run: Run, corpus: Corpus) -> list[str]:
    """Frequent words that have a topic to themselves, in alphabetical order."""
    found = single_words(run.network, corpus.document_frequency(), corpus.n_documents)
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
    """What decides which documents a run held out; the same for the same documents."""
    try:
        settings = read_config(folder)["settings"]
        chosen = (settings["held_out"], settings["held_out_ids"], settings["training"]["seed"])
    except (InputError, KeyError, TypeError):
        return str(folder)
    corpus = begun_with(folder)
    return json.dumps([corpus, *chosen]) if corpus else str(folder)
