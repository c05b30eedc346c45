"""The sentences and tables of the Evaluate page, made from the figures of models (no streamlit)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from orrery.app.evaluation.evaluation_jobs import EvaluatedModel
from orrery.app.graph.links import word_text
from orrery.app.words import evaluate as words
from orrery.app.words.figures import number, score_percent
from orrery.core.corpus import Corpus
from orrery.core.errors import InputError
from orrery.core.evaluation.coherence import own_shares, top_words, topic_npmi
from orrery.core.storage.fingerprints import begun_with
from orrery.core.storage.runs import read_config
from orrery.core.structure.single_words import single_words

if TYPE_CHECKING:
    from orrery.core.run import Run


def ladder_sentence(figures: dict[str, Any]) -> str:
    """Say what the ladder of bounds shows, as far as its figures are known."""
    likelihood, control = figures.get("log_likelihood"), figures.get("independent")
    exact, jensen = figures.get("exact_bound"), figures.get("jensen_bound")
    if likelihood is None or control is None:
        return ""
    sentences = [words.likelihood(likelihood - control)]
    if exact is not None and jensen is not None:
        # An estimate may by chance end below a bound.
        gaps = (max(likelihood - bound, 0.0) for bound in (exact, jensen))
        sentences.append(words.gaps(*gaps))
    return " ".join(sentences)


def verdict(figures: dict[str, Any], rival: EvaluatedModel | None) -> str:
    """Say whether a model is any good, as far as that is known; empty where it is not."""
    share, control = (figures.get(f"completion_recall10{end}") for end in ("", "_independent"))
    if share is None or control is None:
        return ""
    found = None if rival is None else rival.figures.get("completion_recall10")
    rivals = {} if rival is None or found is None else {rival.name: float(found)}
    return words.verdict(share, control, rivals)


def label_sentence(figures: dict[str, Any]) -> str:
    """Say how often labels are predicted, next to the control; empty where that is not known."""
    share, control = figures.get("accuracy"), figures.get("accuracy_majority")
    return "" if share is None or control is None else words.labels(share, control)


def figures_table(models: Sequence[EvaluatedModel]) -> pd.DataFrame:
    """All known figures, one row per figure and one column per model."""
    known = {
        key: name
        for key, name in words.TABLE.items()
        if any(model.figures.get(key) is not None for model in models)
    }
    columns = {
        model.name: [_written(key, model.figures.get(key)) for key in known] for model in models
    }
    return pd.DataFrame({words.FIGURE_COLUMN: list(known.values()), **columns})


def _written(key: str, value: Any) -> str:
    if value is None:
        return words.NO_FIGURE
    if key in words.SHARES:
        return score_percent(value)
    return f"{value:,}" if key in words.COUNTS else number(value)


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
