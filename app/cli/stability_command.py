"""``orrery stability``: train again and count in how many trainings topics are found again."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING, Any

from . import options

if TYPE_CHECKING:
    from ...core.model.topic_model import Run
    from ...core.storage.stability import Stability

# Lowest priority of a process.
NICENESS = 19
DEFAULT_TIMES, DEFAULT_SHARE = 10, 0.8


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    options.add_run(parser)
    parser.add_argument(
        "--times",
        type=options.positive,
        default=DEFAULT_TIMES,
        metavar="N",
        help=f"number of trainings, each with another seed; default: {DEFAULT_TIMES}",
    )
    parser.add_argument(
        "--sample",
        type=options.share_to_one,
        default=DEFAULT_SHARE,
        metavar="SHARE",
        help="share of the training documents in the random sample of each training; 1 changes "
        f"the seeds alone; default: {DEFAULT_SHARE}",
    )
    parser.add_argument(
        "--threads", type=options.positive, metavar="N", help="number of threads; default: all"
    )
    options.add_json(parser)


def run(chosen: argparse.Namespace) -> dict[str, Any]:
    """Measure the stability of a run, and print each training and then each topic."""
    from ...core.evaluation.stability import stability_sentence, stability_values
    from ...core.runs.stability import measure_stability
    from ...core.storage.runs import load_run
    from .progress import ShareProgress

    model = load_run(chosen.run)
    if hasattr(os, "nice"):
        os.nice(NICENESS)

    def report(found: Stability) -> None:
        if not chosen.json and found.times < found.wanted:
            print(f"after {found.times}: {stability_sentence(model, found)}", flush=True)

    with ShareProgress("trained") as progress:
        found = measure_stability(
            chosen.run,
            times=chosen.times,
            share=chosen.sample,
            threads=chosen.threads,
            progress=progress.report,
            report=report,
        )
    if not chosen.json:
        _print_topics(model, found)
        print(stability_sentence(model, found))
    return stability_values(model, found)


def _print_topics(model: Run, found: Stability) -> None:
    counts = found.topic_counts
    order = sorted(model.displayed_topics, key=lambda topic: -counts[topic])
    for topic in order:
        count = int(counts[topic])
        low, high = found.interval(count)
        print(
            f"{count:>3} of {found.times}  ({low:.0%} to {high:.0%})  "
            f"{model.network.graph.topic_ids[topic]}  {model.topic_labels[topic]}"
            + ("  (may be due to chance)" if found.is_rare(count) else "")
        )
