"""``orrery evaluate``: evaluate a trained model on held-out or other documents."""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path
from typing import Any

from ...core.evaluation import metrics
from ...core.utils.errors import InputError
from . import options

OWN_BASELINES = (
    "The training documents are not available: the baselines are taken from the evaluated "
    "documents, which favours the baselines."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    options.add_run(parser)
    parser.add_argument(
        "--corpus",
        type=Path,
        metavar="CORPUS",
        help="documents to evaluate on; default: the run's held-out documents",
    )
    parser.add_argument(
        "--samples",
        type=options.positive,
        metavar="K",
        help="samples per document for the log-likelihood; default: 100",
    )
    parser.add_argument(
        "--classify",
        action="store_true",
        help="also train a classifier of the labels on the topics of the training documents",
    )
    parser.add_argument(
        "--rival",
        action="store_true",
        help="also train LDA (scikit-learn) as a baseline, with the same number of topics",
    )
    parser.add_argument(
        "--labels",
        nargs="?",
        const="label",
        metavar="COLUMN",
        help="also compare the main topics of the documents with their labels, or with another "
        "column of the corpus",
    )
    parser.add_argument(
        "--hierarchy",
        action="store_true",
        help="also measure how parents relate to their children, for each layer",
    )
    parser.add_argument("--seed", type=options.seed, default=0, metavar="N", help="default: 0")
    options.add_json(parser)
    rows = [(f"{each.name} ({each.key})", each.explanation) for each in metrics.METRICS]
    options.add_list(parser, "metrics, with their keys in the JSON", rows)


def run(chosen: argparse.Namespace) -> dict[str, Any]:
    """Evaluate the model, and print one line per metric."""
    import numpy as np

    from ...core.evaluation.completion import word_counts
    from ...core.evaluation.evaluate import DEFAULT_SAMPLES, evaluate
    from ...core.storage.checkpoints import load_start
    from ...core.storage.corpora import load_corpus
    from ...core.storage.runs import load_run
    from .progress import report_share, report_work

    trainer = next((name for name in ("classify", "rival") if getattr(chosen, name)), None)
    if trainer and chosen.corpus:
        raise InputError(
            f"--{trainer} trains on the run's own documents and tests on those it held out; "
            "leave out --corpus"
        )
    model = load_run(chosen.run)
    if model.config["corpus"] is None and trainer:
        raise InputError(
            f"{chosen.run} was adopted from a graph and has no documents to learn from; "
            f"leave out --{trainer}"
        )
    if model.config["corpus"] is None and not chosen.corpus:
        raise InputError(f"{chosen.run} was adopted from a graph; name documents with --corpus")
    if chosen.rival and model.network.graph.n_topics == 0:
        raise InputError("the model has no topics, and LDA needs at least one; leave out --rival")
    corpus = load_corpus(chosen.corpus or model.corpus_path)
    if corpus.vocabulary != model.vocabulary:
        raise InputError(
            "the corpus has another vocabulary than the model; "
            "use its training corpus, or one imported with the same words"
        )
    split = None if chosen.corpus else load_start(chosen.run, corpus)[1]
    rows = np.arange(corpus.n_documents) if split is None else split.held_out
    classified: dict[str, float] = {}
    if chosen.classify and split is not None:
        from ...core.evaluation.classification import classify

        # Classification comes first, since it may fail at once and the other work is long.
        outcome = classify(model.network, corpus, split.train, split.held_out, seed=chosen.seed)
        classified = {
            "accuracy": outcome.accuracy,
            "accuracy_majority": outcome.majority,
            "accuracy_c": outcome.c,
        }
    reference = _trained_on(model) if split is None else word_counts(corpus, split.train)
    samples = chosen.samples or DEFAULT_SAMPLES
    report_work("Compiling code if necessary, and evaluating the first documents.")
    optional = _agreement_and_hierarchy(model.network, corpus, rows, chosen)
    figures = evaluate(
        model.network,
        corpus,
        rows,
        samples=samples,
        seed=chosen.seed,
        reference=reference,
        progress=partial(report_share, "evaluated"),
    )
    source = "evaluated documents" if reference is None else "training documents"
    result = {**figures.to_dict(), **classified, **optional, "baselines_from": source}
    if split is not None and chosen.rival:
        result["rival"] = _fit_baseline(model.network, corpus, split, chosen)
    if not chosen.json:
        if reference is None:
            print(OWN_BASELINES)
        _print_result(result)
    return result


def _agreement_and_hierarchy(
    network: Any, corpus: Any, rows: Any, chosen: argparse.Namespace
) -> dict[str, Any]:
    """Metrics of ``--labels`` and ``--hierarchy``, if they are wanted."""
    from dataclasses import asdict

    from ...core.evaluation.clusters import cluster_figures, labelled_rows
    from ...core.evaluation.hierarchy import hierarchy_figures, topic_tree
    from ...core.inference.infer import infer_activations
    from ...core.inference.main_topics import main_topics

    found: dict[str, Any] = {}
    if chosen.labels is not None:
        column = corpus.recipe.stored_column(chosen.labels)
        labelled, labels = labelled_rows(corpus, rows, column)
        activations = infer_activations(network, corpus, labelled)
        clusters = main_topics(network, corpus.to_csr()[labelled], activations)
        found |= asdict(cluster_figures(clusters, labels, seed=chosen.seed))
    if chosen.hierarchy:
        tree = topic_tree(network, corpus.vocabulary)
        figures, layers = hierarchy_figures(tree, corpus.to_csr(), seed=chosen.seed)
        found |= {**asdict(figures), "layers": layers}
    return found


def _trained_on(model: Any) -> Any:
    """Word counts of the training documents of a model; None if they are not available."""
    from ...core.evaluation.completion import word_counts
    from ...core.storage.checkpoints import load_start
    from ...core.storage.corpora import load_corpus

    try:
        corpus = load_corpus(model.corpus_path)
        return word_counts(corpus, load_start(model.folder, corpus)[1].train)
    except InputError:
        return None


def _fit_baseline(
    network: Any, corpus: Any, split: Any, chosen: argparse.Namespace
) -> dict[str, Any]:
    from dataclasses import asdict

    from ...core.baselines.peers import NAME, train_lda
    from ...core.evaluation.classification import classify_by, standardise
    from ...core.evaluation.evaluate import evaluate_other

    n_topics, rows, seed = network.graph.n_topics, split.held_out, chosen.seed
    lda = train_lda(corpus, split.train, n_topics, seed)
    figures = evaluate_other(lda.topics, lda.word_probabilities, corpus, rows, seed)
    accuracy = None
    if chosen.classify:
        accuracy = classify_by(
            lambda documents, some: standardise(lda.shares(documents, some)),
            n_topics,
            corpus,
            split.train,
            rows,
            seed=seed,
        ).accuracy
    counts = {"documents": len(rows), "topics": len(lda.topics)}
    return {"name": NAME, **counts, **asdict(figures), "accuracy": accuracy}


def _print_result(result: dict[str, Any]) -> None:
    """Print the metrics; the value of LDA follows the metric and its baseline."""
    baseline, rows = result.get("rival", {}), list[tuple[str, Any]]()
    of_baseline: tuple[str, Any] | None = None
    for metric in (each for each in metrics.METRICS if each.key in result):
        if of_baseline and not metric.name.startswith("…"):
            rows.append(of_baseline)
            of_baseline = None
        rows.append((metric.name, result[metric.key]))
        if metric.format != "count" and baseline.get(metric.key) is not None:
            of_baseline = (f"… by {baseline['name']}", baseline[metric.key])
    rows += [of_baseline] if of_baseline else []
    width = max(len(name) for name, _ in rows)
    for name, value in rows:
        print(f"{name:<{width}}  {_written(value)}")
    for layer in result.get("layers", ()):
        print(", ".join(f"{key} {_written(value)}" for key, value in layer.items()))


def _written(value: Any) -> str:
    return f"{value:.4f}" if isinstance(value, float) else "–" if value is None else str(value)
