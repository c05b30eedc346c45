"""Hierarchy: parents with their children, and siblings compared with other pairs of topics."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from orrery.core.data.corpus import Corpus
from orrery.core.evaluation.coherence import top_words
from orrery.core.model.topic_model import Run
from orrery.core.storage.corpora import save_corpus
from orrery.core.storage.runs import load_run
from tests.benchmarks.alone import orrery
from tests.benchmarks.arxiv import N_TEST, arxiv_split
from tests.benchmarks.layers_used import MIN_PARENTHOOD
from tests.benchmarks.markdown import MISSING, number, table
from tests.benchmarks.part import Figures, Part, Settings
from tests.benchmarks.relatives import Relations, likeness, relations_of, sample_parents

DOCUMENTS, WORDS, TOPICS = 50_000, 20_000, (500, 100, 20, 5)
QUICK_DOCUMENTS, QUICK_WORDS, QUICK_TOPICS = 3_000, 500, (40, 15, 6, 2)
PARENTS, MAX_CHILDREN = 20, 8
# Pairs of a layer beyond these would only cost time.
MAX_PAIRS = 1_000
KINDS = {
    "strong": "siblings by strong links",
    "any": "siblings by any links",
    "others": "no common parent",
}
ABOUT = """{documents} arXiv abstracts with {words} words, `orrery train --topics {topics}` (from
the layer above the words upward) with default options: {edges} edges. Of the links between topics,
{strong} are strong: the parent activates the child with a probability of {least} or more.
"""
ABOUT_PAIRS = """Similarity of siblings compared with other topics of their layer: NPMI of every
word of one topic with every word of the other (ten words each, without common ones), from their
co-occurrence in abstracts; means over pairs of topics, with standard errors; at most {most} pairs
of each kind, drawn at random.
"""
ABOUT_PARENTS = """Not every topic above the lowest layer has strong children: {having} have strong
links to two children or more. Of these, {count} are drawn at random (seed 0), equally many from
each layer where possible, with their strong children and the probability that the parent activates
each. The name of a topic is its three top words, without those in the name of its strongest parent.
"""


def run(settings: Settings) -> Figures:
    """Train in a process of its own, then look at the links between topics."""
    n_documents, n_words = settings.pick((DOCUMENTS, WORDS), (QUICK_DOCUMENTS, QUICK_WORDS))
    topics = ",".join(map(str, settings.pick(TOPICS, QUICK_TOPICS)))
    corpus = arxiv_split(n_documents - N_TEST, n_words).corpus
    with tempfile.TemporaryDirectory() as folder:
        stored, place = Path(folder, "corpus"), Path(folder, "run")
        save_corpus(corpus, stored)
        short = settings.pick([], ["--epochs", 3])
        orrery("train", stored, "--out", place, "--topics", topics, *short)
        trained = load_run(place)
    subtree = relations_of(trained.network)
    parents, graph = sample_parents(subtree, PARENTS, MIN_PARENTHOOD), trained.network.graph
    between = int((graph.edge_children() < graph.n_topics).sum())
    return {
        "documents": corpus.n_documents,
        "words": corpus.n_tokens,
        "topics": topics,
        "edges": graph.n_edges,
        "strong": int((subtree.link.data >= MIN_PARENTHOOD).sum()) / max(between, 1),
        "layers": _layers(subtree),
        "parents": [_described(trained, subtree, parent) for parent in parents],
        "pairs": _pairs(trained, subtree, corpus),
    }


def _layers(subtree: Relations) -> list[dict[str, int]]:
    """Topics of each layer above the lowest, and how many have two strong links to children."""
    parents = subtree.parents(MIN_PARENTHOOD)
    return [
        {
            "layer": layer,
            "topics": int((subtree.layer == layer).sum()),
            "parents": int((subtree.layer[parents] == layer).sum()),
        }
        for layer in range(2, int(subtree.layer.max()) + 1)
    ]


def _described(trained: Run, subtree: Relations, parent: int) -> dict[str, Any]:
    children, probability = subtree.children(parent)
    n_strong = int((probability >= MIN_PARENTHOOD).sum())
    shown = slice(min(n_strong, MAX_CHILDREN))
    return {
        "layer": int(subtree.layer[parent]),
        "label": trained.topic_labels[parent],
        "children": [trained.topic_labels[child] for child in children[shown].tolist()],
        "probability": probability[shown].tolist(),
        "strong": n_strong,
        "weak": len(children) - n_strong,
    }


def _pairs(trained: Run, subtree: Relations, corpus: Corpus) -> list[dict[str, Any]]:
    """Likeness of siblings and of other pairs, layer by layer from the lowest."""
    presence = sparse.csc_array(corpus.to_csr())
    words = top_words(trained.network, trained.vocabulary)
    rng = np.random.default_rng(0)
    rows = []
    for layer in range(1, int(subtree.layer.max()) + 1):
        kinds = {
            "strong": subtree.sibling_pairs(layer, MIN_PARENTHOOD),
            "any": subtree.sibling_pairs(layer),
            "others": subtree.other_pairs(layer),
        }
        row: dict[str, Any] = {"layer": layer}
        for kind, pairs in kinds.items():
            chosen = pairs[np.sort(rng.permutation(len(pairs))[:MAX_PAIRS])]
            row[kind] = summary(likeness(presence, words, chosen))
        rows.append(row)
    return rows


def summary(values: np.ndarray) -> dict[str, float | int | None]:
    """Number of values, their mean, and its standard error, each None for too few values."""
    n = len(values)
    return {
        "pairs": n,
        "mean": float(values.mean()) if n else None,
        "error": float(values.std(ddof=1) / np.sqrt(n)) if n > 1 else None,
    }


def show(figures: Figures) -> str:
    """The pairs, then the parents."""
    about = ABOUT.format(
        documents=number(figures["documents"], 0),
        words=number(figures["words"], 0),
        topics=figures["topics"],
        edges=number(figures["edges"], 0),
        strong=f"{number(100 * figures['strong'], 0)} %",
        least=MIN_PARENTHOOD,
    )
    having = [
        f"{n['parents']} of the {n['topics']} in layer {n['layer']}" for n in figures["layers"]
    ]
    parents = ABOUT_PARENTS.format(count=len(figures["parents"]), having=", ".join(having))
    pairs = ABOUT_PAIRS.format(most=number(MAX_PAIRS, 0))
    return "\n".join([about, pairs, _table_of_pairs(figures), "", parents, _list(figures)])


def _table_of_pairs(figures: Figures) -> str:
    rows = [
        [str(row["layer"]), *(cell for kind in KINDS for cell in _cells(row[kind]))]
        for row in figures["pairs"]
        if row["any"]["pairs"]
    ]
    return table(["layer", *(title for kind in KINDS.values() for title in (kind, "pairs"))], rows)


def _cells(found: dict[str, Any]) -> list[str]:
    if found["mean"] is None:
        return [MISSING, "0"]
    error = f" ± {number(found['error'], 3)}" if found["error"] is not None else ""
    return [f"{number(found['mean'], 3)}{error}", number(found["pairs"], 0)]


def _list(figures: Figures) -> str:
    lines = []
    for row in figures["parents"]:
        children = [
            f"{label} ({number(probability)})"
            for label, probability in zip(row["children"], row["probability"], strict=True)
        ]
        left_out = row["strong"] - len(children)
        children += [f"and {left_out} more"] if left_out else []
        children += [f"{row['weak']} by weak links"] if row["weak"] else []
        lines.append(f"- layer {row['layer']}, **{row['label']}**: {'; '.join(children)}")
    return "\n".join(lines)


PART = Part("hierarchy", "A hierarchy of four layers", 15, run, show)
