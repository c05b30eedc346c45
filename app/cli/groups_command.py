"""``orrery groups``: compare the topics of groups of documents, or of periods."""

from __future__ import annotations

import argparse
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...core.utils.errors import InputError
from . import options
from .options import check_free, check_place

if TYPE_CHECKING:
    import pandas as pd

    from ...core.evaluation.group_topics import GroupTopics
    from ...core.model.topic_model import Run


STEPS = ("value", "month", "year", "decade")
# Topics printed for each group, and groups printed; --csv and --json contain all.
N_TOPICS, N_GROUPS = 3, 24


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    options.add_run(parser)
    parser.add_argument(
        "--column",
        metavar="NAME",
        help="column to group by, by its name in the source or in the corpus; default: the label, "
        "else a date",
    )
    parser.add_argument(
        "--by",
        choices=STEPS,
        help="group dates by month, year or decade, or group by value; default: chosen from the "
        "content of the column",
    )
    parser.add_argument(
        "--against",
        choices=("others", "before"),
        default="others",
        help="compare each group with all others (the default), or each period with all earlier "
        "ones",
    )
    parser.add_argument(
        "--csv", type=Path, metavar="FILE", help="write a table of all groups and topics"
    )
    parser.add_argument("--force", action="store_true", help="replace an existing file")
    options.add_json(parser)


def run(chosen: argparse.Namespace) -> dict[str, Any]:
    """Compare the groups, and print the topics that are significantly more frequent in each."""
    from ...core.evaluation.group_topics import named_table
    from ...core.storage.atomic import write_bytes
    from ...core.storage.corpora import load_corpus
    from ...core.storage.runs import load_run
    from ...core.utils.parsing import csv_bytes

    if chosen.csv:
        check_place(chosen.csv)
        check_free(chosen.csv, chosen.force)
    model = load_run(chosen.run)
    corpus = load_corpus(model.corpus_path)
    if corpus.vocabulary != model.vocabulary:
        raise InputError("the corpus has changed since the model was trained; train it again")
    found, n_inferred = _count(model, corpus, chosen)
    compared = found.against_before if chosen.against == "before" else found.against_others
    table = named_table(found, compared, model.network.graph.topic_ids, model.topic_labels)
    if chosen.csv:
        write_bytes(chosen.csv, csv_bytes(table))
    if not chosen.json:
        column = corpus.recipe.column_title(found.grouping.column)
        _print_groups(found, column, table, n_inferred, corpus.n_documents)
    return {
        "column": found.grouping.column,
        "by": found.grouping.step,
        "against": chosen.against,
        "documents": found.n_documents,
        # The passages of a document in a group count as one document.
        "passages": found.n_rows if found.grouping.whole is not None else None,
        "without_value": found.grouping.n_empty,
        "without_month": found.grouping.n_coarse,
        "topics": len(found.topics),
        "groups": _groups(found, table),
    }


def _count(model: Run, corpus: Any, chosen: argparse.Namespace) -> tuple[GroupTopics, int]:
    """Topic counts of the groups, and the number of documents with inferred topics."""
    from ...core.data.groups import read_grouping
    from ...core.evaluation.group_topics import topics_of_groups
    from ...core.runs.activations import corpus_activations
    from ...core.storage.activations import load_activations
    from ...core.storage.corpora import is_trained_on
    from ...core.storage.runs import model_folder

    column = None if chosen.column is None else corpus.recipe.stored_column(chosen.column)
    grouping = read_grouping(corpus.documents, column, chosen.by)
    if chosen.against == "before" and not grouping.is_time:
        raise InputError("groups by value have no before; add --by year, or leave out --against")
    stored = load_activations(model_folder(model.folder))
    if stored is None or not is_trained_on(model.folder, corpus):
        stored = corpus_activations(model.network, corpus)
    hidden, shown_as = model.hidden_topics, model.shown_as
    found = topics_of_groups(stored.probability, stored.rows, grouping, hidden, shown_as)
    return found, len(stored.rows)


def _groups(found: GroupTopics, table: pd.DataFrame) -> list[dict[str, Any]]:
    parts = dict(iter(table.groupby("group", sort=False)))
    empty = table.head(0)
    return [
        {
            "name": name,
            "documents": int(found.counts.documents[number, 0]),
            "topics": [
                {key: _plain(value) for key, value in row.items() if key not in ("group", "size")}
                for row in parts.get(name, empty).to_dict("records")
            ],
        }
        for number, name in enumerate(found.grouping.names)
    ]


def _plain(value: Any) -> Any:
    """Value for JSON: None for an infinite or missing number."""
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _print_groups(
    found: GroupTopics, column: str, table: pd.DataFrame, n_inferred: int, total: int
) -> None:
    from ...core.data.groups import BY_DOCUMENT, left_out

    grouping = found.grouping
    print(
        f"{len(grouping.names)} groups by {column}, {found.n_documents:,} documents, "
        f"{len(found.topics)} topics; simultaneous 95 % confidence intervals"
    )
    if grouping.whole is not None:
        print(BY_DOCUMENT)
    if left_out(grouping):
        print(left_out(grouping))
    if n_inferred < total:
        print(f"topics are known for {n_inferred:,} of {total:,} {grouping.rows}, spread evenly")
    for number, name in enumerate(grouping.names[:N_GROUPS]):
        rows = table[(table["group"] == name) & (table["certain"] > 1.0)].head(N_TOPICS)
        print(f"\n{name}  ({int(found.counts.documents[number, 0]):,} documents)")
        for row in rows.itertuples():
            print(
                f"  at least {row.certain:.3g} times as often: {row.share:.1%} here, "
                f"{row.share_elsewhere:.1%} there  {row.label} ({row.id})"
            )
        if not len(rows):
            print("  no topic is clearly more frequent here")
    if len(grouping.names) > N_GROUPS:
        others = "later" if grouping.is_time else "smaller"
        print(f"\nand {len(grouping.names) - N_GROUPS} {others} ones; --csv has them all")
