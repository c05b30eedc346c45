"""Measures of parents and children by layer, for Orrery and hierarchical LDA."""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Iterator
from dataclasses import asdict, replace
from typing import Any

import numpy as np
from scipy import sparse

from orrery import NoisyOrTopics
from orrery.core.data.corpus import Corpus
from orrery.core.evaluation.clusters import purity
from orrery.core.evaluation.hierarchy import (
    MEASURES,
    MIN_PROBABILITY,
    TOP_WORDS,
    TopicTree,
    hierarchy_figures,
    topic_tree,
)
from orrery.core.inference.infer import infer_activations
from orrery.core.inference.main_topics import main_topics
from orrery.core.model.labels import TopicWords
from orrery.core.model.network import Network
from orrery.core.model.topic_names import LABEL_SEPARATOR, NO_WORDS, WordPairs, name_topics
from orrery.core.utils.types import Int64Array
from tests.benchmarks.data import MissingData
from tests.benchmarks.labelled_sets import LABELLED, LabelledSet
from tests.benchmarks.markdown import number, table
from tests.benchmarks.part import Figures, Part, Settings
from tests.benchmarks.parts.label_agreement import SEED, heaviest
from tests.benchmarks.results import measure_sets

# Sets with long texts; the short sets have one layer today.
SETS = ("topmost20ng", "bbc")
KINDS = {
    "50-10": "Orrery, 50 and 10 topics",
    "default": "Orrery, default",
    "hlda": "hLDA, tomotopy",
}
RUNS = tuple(f"{name}-{kind}" for name in SETS for kind in KINDS)
QUICK_RUNS = ("bbc-50-10",)
SWEEPS = 200
ABOUT = f"""TraCo and TopMost define the measures (`orrery.core.evaluation.hierarchy`) on the
{TOP_WORDS} top words of each topic. A link is an edge by which the parent activates the child with
a probability of at least {MIN_PROBABILITY}; layer 1 is above the words, and the measures of a layer
are about its parents. *PCC*: coherence (NPMI) of the words of parent and child, with a penalty
of 1 for each pair of shared words; *PCD*: share of their words that only one has; *PnCD*: the same
for topics that are not its children; *SD*: diversity of siblings; *affinity*: cosine of the words
of parent and child; *chance*: the same with the topics of each layer of children shuffled.
*Specialisation*: one minus the cosine of a topic's words to the words of the set. *Purity* takes
the main topic of each test document within the layer. hLDA has two layers by default, the lowest
are its leaves. Published tables of these measures (TraCo, HyHTM, HiTM, CobwebTM) are not at hand.
"""
TOP, APART, NAMES = "top words", "top words that are not among its children's", "name"
ABOUT_WORDS = f"""The same links with other words for each topic. *{APART.capitalize()}*: the best
{TOP_WORDS} of the others. *Name*: the three words of the name that the app shows. *Repeated*: share
of links whose parent and child have a word in common. NPMI is that of the parents' words. The app
lists the top words, with repetitions: without them the PCC is higher, but the words of a parent
belong together less, and a general topic loses the words by which a person knows it.
"""


def run(settings: Settings) -> Figures:
    """Run what is asked for; the figures of the others stay."""
    return measure_sets(PART.name, RUNS, QUICK_RUNS, lambda name: _of(name, settings), settings)


def _of(name: str, settings: Settings) -> dict[str, Any]:
    key, _, kind = name.partition("-")
    if kind == "hlda" and importlib.util.find_spec("tomotopy") is None:
        raise MissingData("tomotopy is not installed")
    given = LABELLED[key].documents(is_quick=settings.quick)
    return _of_hlda(given) if kind == "hlda" else _of_ours(given, kind, settings)


def _of_ours(given: LabelledSet, kind: str, settings: Settings) -> dict[str, Any]:
    sizes = None if kind == "default" else settings.pick([50, 10], [8, 3])
    begin = time.process_time()
    train = given.corpus.subset(given.train)
    network = NoisyOrTopics(n_topics=sizes, random_state=SEED).fit(train).network_
    seconds = time.process_time() - begin
    presence = given.corpus.to_csr()
    activations = infer_activations(network, given.corpus, given.test)
    tree = topic_tree(network, given.corpus.vocabulary)
    labels = given.corpus.documents["label"].to_numpy(dtype=object)[given.test]
    pure = {
        layer: purity(
            main_topics(
                network, presence[given.test], activations, np.flatnonzero(tree.layer == layer)
            ),
            labels,
        )
        for layer in np.unique(tree.layer).tolist()
    }
    words = {TOP: tree.words, APART: _apart(tree, network, train), NAMES: _names(network, train)}
    by_words = {kind: _with_words(tree, own, presence) for kind, own in words.items()}
    return {**_measured(tree, presence, seconds, pure), "words": by_words}


def _apart(tree: TopicTree, network: Network, train: Corpus) -> list[Int64Array]:
    """Top words of each topic that are not among those of its children."""
    described, found = TopicWords(network, train.vocabulary), list(tree.words)
    for topic in np.argsort(tree.layer, kind="stable").tolist():
        children = tree.child[tree.parent == topic].tolist()
        if children:
            taken = np.concatenate([found[child] for child in children])
            ranked = described.tokens(topic, network.graph.n_tokens)
            found[topic] = ranked[~np.isin(ranked, taken)][:TOP_WORDS]
    return found


def _names(network: Network, train: Corpus) -> list[Int64Array]:
    number_of = {word.replace("_", " "): token for token, word in enumerate(train.vocabulary)}
    labels = name_topics(network, train.vocabulary, pairs=WordPairs(train)).labels
    return [
        np.array(
            [] if label == NO_WORDS else [number_of[word] for word in label.split(LABEL_SEPARATOR)],
            np.int64,
        )
        for label in labels
    ]


def _with_words(
    tree: TopicTree, words: list[Int64Array], presence: sparse.csr_array
) -> dict[str, float | None]:
    """Measures of the links with these words of each topic."""
    found, layers = hierarchy_figures(replace(tree, words=words), presence, seed=SEED)
    links = list(zip(tree.parent.tolist(), tree.child.tolist(), strict=True))
    is_repeated = [np.isin(words[parent], words[child]).any() for parent, child in links]
    npmi = [layer["npmi"] for layer in layers if layer["pcc"] is not None]
    return {
        "pcc": found.pcc,
        "pcc_chance": found.pcc_chance,
        "sibling_diversity": found.sibling_diversity,
        "repeated": float(np.mean(is_repeated)) if links else None,
        "npmi": float(np.mean(npmi)) if npmi else None,
    }


def _of_hlda(given: LabelledSet) -> dict[str, Any]:
    import tomotopy

    model = tomotopy.HLDAModel(seed=SEED)
    corpus = given.corpus
    for row in given.train.tolist():
        words = corpus.tokens_of(row).astype(str).tolist()
        if words:
            model.add_doc(words)
    begin = time.process_time()
    # With more than one worker the result is not reproducible.
    model.train(SWEEPS, workers=1)
    seconds = time.process_time() - begin
    live = [topic for topic in range(model.k) if model.is_live_topic(topic)]
    place = {topic: number for number, topic in enumerate(live)}
    table = np.zeros((len(live), corpus.n_tokens))
    table[:, [int(word) for word in model.used_vocabs]] = [
        model.get_topic_word_dist(topic) for topic in live
    ]
    below = [topic for topic in live if model.level(topic) > 0]
    tree = TopicTree(
        heaviest(table),
        # Level 0 is the root.
        np.array([model.depth - model.level(topic) for topic in live], np.int64),
        np.array([place[model.parent_topic(topic)] for topic in below], np.int64),
        np.array([place[topic] for topic in below], np.int64),
        sparse.csr_array(table),
    )
    return _measured(tree, corpus.to_csr(), seconds, {})


def _measured(
    tree: TopicTree, presence: sparse.csr_array, seconds: float, pure: dict[int, float]
) -> dict[str, Any]:
    found, layers = hierarchy_figures(tree, presence, seed=SEED)
    rows = [row | {"purity": pure.get(row["layer"])} for row in layers]
    return {**asdict(found), "seconds": seconds, "layers": rows}


def show(figures: Figures) -> str:
    """Table of the means over layers, then one row for each layer."""
    header = ["set, system", "links", "PCC", "chance", "PCD", "PnCD", "SD", "chance", "affinity"]
    keys = ("pcc", "pcc_chance", "pcd", "pncd", "sibling_diversity", "sibling_diversity_chance")
    means = [
        [
            _title(name),
            number(row["pairs"], 0),
            *(number(row[key], 3) for key in (*keys, "affinity", "affinity_chance")),
            number(row["seconds"], 0),
        ]
        for name, row in figures["rows"].items()
    ]
    by_layer, keys = list(_layers(figures)), ("pcc", "pcc_chance", "sibling_diversity")
    words = [
        [_title(name) if kind == TOP else "", kind]
        + [number(own[key], 3) for key in (*keys, "npmi", "repeated")]
        for name, row in figures["rows"].items()
        for kind, own in row.get("words", {}).items()
    ]
    columns = ["set, system", "layer", "topics", "purity", "TD", "TU", "NPMI", "specialisation"]
    return (
        f"{ABOUT}\n{table([*header, 'chance', 'seconds'], means)}\n\nBy layer:\n\n"
        f"{table([*columns, 'PCC', 'PCD', 'PnCD', 'SD', 'affinity'], by_layer)}\n\n"
        f"{ABOUT_WORDS}\n"
        f"{table(['set, system', 'words', 'PCC', 'chance', 'SD', 'NPMI', 'repeated'], words)}\n"
    )


def _layers(figures: Figures) -> Iterator[list[str]]:
    for name, row in figures["rows"].items():
        for layer in row["layers"]:
            keys = ("purity", "diversity", "uniqueness", "npmi", "specialisation", *MEASURES)
            yield [
                _title(name) if layer is row["layers"][0] else "",
                str(layer["layer"]),
                number(layer["topics"], 0),
                *(number(layer[key], 3) for key in keys),
            ]


def _title(name: str) -> str:
    key, _, kind = name.partition("-")
    return f"{LABELLED[key].title}, {KINDS[kind]}"


def missing(figures: Figures | None) -> list[str]:
    """Runs that the table lacks."""
    rows = figures["rows"] if figures else {}
    return [f"hierarchy of {_title(name)}" for name in RUNS if name not in rows]


PART = Part("hierarchies", "Parents and children", 40, run, show)
