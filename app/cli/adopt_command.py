"""``orrery adopt``: make a model from a weighted graph, without a corpus or training."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from ...core.model.default_leaks import TOPIC_LEAK, WORD_LEAK
from . import options


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument(
        "graph",
        metavar="GRAPH",
        type=Path,
        help="GraphML; or a Bayesian network of noisy-ORs, as XDSL of GeNIe or as BIF; or CSV with "
        "the columns parent, child and weight; or CSV with a column of "
        "topics and a column of lists such as 'fever (0.3), cough (0.2)'. Optionally with a file "
        "NAME.leaks.csv beside it, with the columns node and leak, for all nodes or for all topics "
        "alone. A name that is never a parent is a word, unless it is written topic:NAME; weights "
        "above 30 are read as 30, which gives the same probabilities",
    )
    parser.add_argument("--out", required=True, type=Path, metavar="RUN", help="folder to make")
    options.add_weights(parser, default="noisy-or")
    for kind, default in (("topic", TOPIC_LEAK), ("word", WORD_LEAK)):
        parser.add_argument(
            f"--{kind}-leak",
            type=options.leak,
            metavar="LEAK",
            help=f"leak of every {kind} that the file gives none, as a noisy-OR weight (a small "
            f"weight is nearly equal to its probability); default: {default}",
        )
        parser.add_argument(
            f"--{kind}-term",
            metavar="NOUN",
            help=f"what the app calls a {kind} of this model, in the singular, such as "
            f"{'condition' if kind == 'topic' else 'symptom'}; default: {kind}, or the heading of "
            "the column of a file with lists",
        )
    options.add_json(parser)


def run(chosen: argparse.Namespace) -> dict[str, Any]:
    """Read the graph, write the run, and print its size."""
    from ...core.model.terms import Terms, counted, terms_to_values, typed_terms
    from ...core.storage.adoption import ASSUMED, Leaks, adopt_graph, suggested_terms
    from ...core.storage.graphs import graph_notes
    from ...core.storage.runs import load_run

    leaks = Leaks(chosen.topic_leak, chosen.word_leak)
    usual = suggested_terms(chosen.graph)
    terms = typed_terms(chosen.topic_term or usual.topic, chosen.word_term or usual.word)
    graph = adopt_graph(chosen.graph, chosen.out, chosen.weights, leaks, terms).graph
    assumed = load_run(chosen.out).summary.get(ASSUMED, {})
    result = {
        "run": str(chosen.out),
        "topics": graph.n_topics,
        "words": graph.n_tokens,
        "layers": graph.n_layers(),
        "edges": graph.n_edges,
    }
    if assumed:
        result["assumed_leaks"] = assumed
    if notes := graph_notes(chosen.graph):
        result["notes"] = list(notes)
    if terms != Terms():
        result["terms"] = terms_to_values(terms)
    if not chosen.json:
        sizes = (
            f"{counted(graph.n_topics, terms.topic, terms.topics)}, "
            f"{counted(graph.n_tokens, terms.word, terms.words)}"
        )
        print(f"{chosen.out}: {sizes}, {graph.n_edges} edges")
        for kind, leak in assumed.items():
            said = f"every {kind} has the assumed leak {leak:g}; give {kind}s their own in"
            print(f"{terms.translated(said)} {chosen.graph.stem}.leaks.csv, "
                  f"or choose another by --{kind}-leak")  # fmt: skip
        for note in notes:
            print(note)
    return result
