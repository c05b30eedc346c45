"""``orrery evaluate``: bounds, likelihood, coherence and diversity of a trained model."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from core.commands import options
from core.errors import InputError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument("run", metavar="RUN", type=Path, help="folder made by orrery train")
    parser.add_argument(
        "--corpus", type=Path, metavar="CORPUS", help="default: the run's held-out documents"
    )
    parser.add_argument(
        "--samples", type=options.positive, metavar="K", help="draws a document; default: 100"
    )
    parser.add_argument("--seed", type=options.seed, default=0, metavar="N", help="of the draws")
    options.add_json(parser)


def run(chosen: argparse.Namespace) -> dict[str, Any]:
    """Evaluate, and print a line a figure."""
    from core.evaluation import DEFAULT_SAMPLES, evaluate
    from core.storage import load_corpus, load_run
    from core.storage.checkpoints import load_start

    model = load_run(chosen.run)
    corpus = load_corpus(chosen.corpus or model.corpus_path)
    if corpus.vocabulary != model.vocabulary:
        raise InputError(
            "the corpus has another vocabulary than the model; "
            "use the corpus that it was trained from, or one imported with the same words"
        )
    rows = None if chosen.corpus else load_start(chosen.run, corpus)[1].held_out
    samples = chosen.samples or DEFAULT_SAMPLES
    result = evaluate(model.network, corpus, rows, samples=samples, seed=chosen.seed).to_dict()
    if not chosen.json:
        for name, value in result.items():
            shown = f"{value:.4f}" if isinstance(value, float) else value
            print(f"{name.replace('_', ' '):<22}{shown}")
    return result
