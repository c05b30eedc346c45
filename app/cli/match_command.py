"""``orrery match``: which topic of one run became which of another, and names carried over."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...core.utils.errors import InputError
from . import options

if TYPE_CHECKING:
    from ...core.evaluation.run_matching import NotCarried, RunMatch


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    options.add_run(parser)
    parser.add_argument("other", metavar="OTHER", type=Path, help="folder of the other run")
    parser.add_argument(
        "--carry",
        action="store_true",
        help="carry names and notes of topics, and stories, over to OTHER, and list what is not; "
        "`orrery names OTHER --undo` takes names and notes back",
    )
    options.add_json(parser)


def run(chosen: argparse.Namespace) -> dict[str, Any]:
    """Match the topics, and carry names over if asked for; print one line per topic."""
    from ...core.evaluation.run_matching import match_runs
    from ...core.storage.runs import load_run

    if chosen.run.resolve() == chosen.other.resolve():
        raise InputError("both runs are the same; name two runs")
    match = match_runs(load_run(chosen.run), load_run(chosen.other))
    result = _values(match)
    if not chosen.json:
        _print_match(match)
    if chosen.carry:
        result |= _carry(chosen, match)
    return result


def _values(match: RunMatch) -> dict[str, Any]:
    """Plain values for JSON."""
    first, other = match.first, match.other
    correlation = match.topics.correlation
    ids, others = (run.network.graph.topic_ids for run in (first, other))
    return {
        "documents": match.documents,
        "links": match.links,
        "matched": [
            {
                "id": ids[topic],
                "label": first.topic_labels[topic],
                "other": others[partner],
                "other_label": other.topic_labels[partner],
                "correlation": float(correlation[topic]),
            }
            for topic, partner in match.displayed.items()
        ],
        "gone": [first.network.graph.topic_ids[topic] for topic in match.gone],
        "new": [other.network.graph.topic_ids[topic] for topic in match.new],
    }


def _print_match(match: RunMatch) -> None:
    values = _values(match)
    for each in values["matched"]:
        print(
            f"{each['correlation']:.2f}  {each['id']}  {each['label']}  →  "
            f"{each['other']}  {each['other_label']}"
        )
    for title, run, topics in (
        ("gone", match.first, match.gone),
        ("new", match.other, match.new),
    ):
        for topic in topics:
            print(f"{title:>4}  {run.network.graph.topic_ids[topic]}  {run.topic_labels[topic]}")
    print(
        f"{len(values['matched'])} topics matched, {len(match.gone)} gone, {len(match.new)} new; "
        f"{match.links:,} of {match.first.network.graph.n_edges:,} links are in both; "
        f"compared in {match.documents:,} documents"
    )


def _carry(chosen: argparse.Namespace, match: RunMatch) -> dict[str, Any]:
    from ..workspace.carrying import carry_over

    carried = carry_over(match)
    if not chosen.json:
        for edit in carried.edits:
            print(f"{edit.topic}  {edit.field}: {edit.after}")
        for story in carried.stories:
            print(f"story: {story.title} ({len(story.views)} views)")
        for each in carried.left:
            print(f"not carried over: {_line(each)}")
    return {
        "carried": [
            {"topic": edit.topic, "field": edit.field, "text": edit.after} for edit in carried.edits
        ],
        "stories": [story.name for story in carried.stories],
        "not_carried": [each._asdict() for each in carried.left],
    }


def _line(each: NotCarried) -> str:
    what = " ".join(filter(None, (each.topic, each.field, each.text)))
    return f"{what}: {each.reason}"
