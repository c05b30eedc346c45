"""``orrery evaluate``: how well a trained model knows documents it has not seen."""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path
from typing import Any

from ...core.utils.errors import InputError
from . import options

# What the figures are called before people; the others are called as in the JSON.
NAMES = {
    "npmi": "coherence (NPMI)",
    "completion_mrr": "hidden word, mean reciprocal rank",
    "completion_mrr_independent": "… by frequency alone",
    "completion_recall10": "hidden word, among the first ten",
    "completion_recall10_independent": "… by frequency alone",
    "accuracy": "labels told from topics",
    "accuracy_majority": "… by the most frequent label",
    "accuracy_c": "… C of the classifiers",
}
PRINTED = (
    *("documents", "samples", "topics", "edges"),
    *("jensen_bound", "exact_bound", "log_likelihood", "log_likelihood_error", "independent"),
    *("completion_mrr", "completion_mrr_independent", "rival_completion_mrr"),
    *("completion_recall10", "completion_recall10_independent", "rival_completion_recall10"),
    *("npmi", "rival_npmi", "diversity", "rival_diversity"),
    *("accuracy", "accuracy_c", "accuracy_majority", "rival_accuracy"),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    options.add_run(parser)
    parser.add_argument(
        "--corpus", type=Path, metavar="CORPUS", help="default: the run's held-out documents"
    )
    parser.add_argument(
        "--samples", type=options.positive, metavar="K", help="draws a document; default: 100"
    )
    parser.add_argument(
        "--classify",
        action="store_true",
        help="also learn the labels of the training documents from their topics",
    )
    parser.add_argument(
        "--rival",
        action="store_true",
        help="also train LDA (scikit-learn) on the training documents, with as many topics",
    )
    parser.add_argument("--seed", type=options.seed, default=0, metavar="N", help="of all draws")
    options.add_json(parser)


def run(chosen: argparse.Namespace) -> dict[str, Any]:
    """Evaluate, and print a line a figure."""
    from ...core.evaluation.baseline import word_counts
    from ...core.evaluation.evaluate import DEFAULT_SAMPLES, evaluate
    from ...core.storage.checkpoints import load_start
    from ...core.storage.corpora import load_corpus
    from ...core.storage.runs import load_run
    from .progress import report_share

    asked = next((name for name in ("classify", "rival") if getattr(chosen, name)), None)
    if asked and chosen.corpus:
        raise InputError(
            f"--{asked} learns from the run's own documents and judges by those it held out; "
            "leave out --corpus"
        )
    model = load_run(chosen.run)
    if model.config["corpus"] is None and asked:
        raise InputError(
            f"{chosen.run} was adopted from a graph and has no documents to learn from; "
            f"leave out --{asked}"
        )
    if model.config["corpus"] is None and not chosen.corpus:
        raise InputError(f"{chosen.run} was adopted from a graph; name documents with --corpus")
    if chosen.rival and model.network.graph.n_topics == 0:
        raise InputError(
            "the model has no topics, so there is no like number of LDA's; leave out --rival"
        )
    corpus = load_corpus(chosen.corpus or model.corpus_path)
    if corpus.vocabulary != model.vocabulary:
        raise InputError(
            "the corpus has another vocabulary than the model; "
            "use the corpus that it was trained from, or one imported with the same words"
        )
    split = None if chosen.corpus else load_start(chosen.run, corpus)[1]
    # Classification comes first: what it lacks should be said before the long work.
    classified = _classified(model.network, corpus, split, chosen.seed) if chosen.classify else {}
    rows = None if split is None else split.held_out
    samples = chosen.samples or DEFAULT_SAMPLES
    figures = evaluate(
        model.network,
        corpus,
        rows,
        samples=samples,
        seed=chosen.seed,
        reference=_trained_on(model) if split is None else word_counts(corpus, split.train),
        watch=partial(report_share, "judged"),
    )
    result = {**figures.to_dict(), **classified}
    if split is not None and chosen.rival:
        result["rival"] = _rival(model.network, corpus, split, chosen)
    if not chosen.json:
        _print_result(result)
    return result


def _trained_on(model: Any) -> Any:
    """Words of the documents that a model was trained on; None where they are not at hand."""
    from ...core.evaluation.baseline import word_counts
    from ...core.storage.checkpoints import load_start
    from ...core.storage.corpora import load_corpus

    try:
        corpus = load_corpus(model.corpus_path)
        return word_counts(corpus, load_start(model.folder, corpus)[1].train)
    except InputError:
        return None


def _classified(network: Any, corpus: Any, split: Any, seed: int) -> dict[str, float]:
    from ...core.evaluation.classification import classify

    outcome = classify(network, corpus, split.train, split.held_out, seed=seed)
    return {
        "accuracy": outcome.accuracy,
        "accuracy_majority": outcome.majority,
        "accuracy_c": outcome.c,
    }


def _rival(network: Any, corpus: Any, split: Any, chosen: argparse.Namespace) -> dict[str, Any]:
    from dataclasses import replace

    from ...core.baselines.multinomial_lda import NAME, train_lda
    from ...core.evaluation.classification import classify_by, standardise
    from ...core.evaluation.other_models import judge_rival

    n_topics, rows, seed = network.graph.n_topics, split.held_out, chosen.seed
    lda = train_lda(corpus, split.train, n_topics, seed)
    figures = judge_rival(NAME, lda.topics, lda.word_probabilities, corpus, rows, seed)
    if chosen.classify:
        outcome = classify_by(
            lambda documents, some: standardise(lda.shares(documents, some)),
            n_topics,
            corpus,
            split.train,
            rows,
            seed=seed,
        )
        figures = replace(figures, accuracy=outcome.accuracy)
    return figures.to_dict()


def _print_result(result: dict[str, Any]) -> None:
    rival = result.get("rival", {})
    of_rival = {f"rival_{name}": value for name, value in rival.items() if value is not None}
    names = NAMES | dict.fromkeys(of_rival, f"… by {rival.get('name')}")
    result = {**result, **of_rival}
    names = {name: names.get(name, name.replace("_", " ")) for name in PRINTED if name in result}
    width = max(map(len, names.values()))
    for name, shown in names.items():
        value = result[name]
        text = f"{value:.4f}" if isinstance(value, float) else "–" if value is None else value
        print(f"{shown:<{width}}  {text}")
