"""Stability between five seeds: topics of trainings that differ in nothing else, beside LDA's."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Any

import numpy as np
from scipy import sparse

from orrery import NoisyOrTopics
from orrery.core.baselines.registry import find_system, make_system
from orrery.core.data.corpus import Corpus
from orrery.core.evaluation.topic_matching import match_topics
from orrery.core.inference.infer import infer_activations
from tests.benchmarks.corpora import CORPORA, FRESH, Source
from tests.benchmarks.labelled_sets import LABELLED
from tests.benchmarks.markdown import number, table
from tests.benchmarks.part import Figures, Part, Settings, log
from tests.benchmarks.parts.structures import compare_corpora

SEEDS = (0, 1, 2, 3, 4)
QUICK_SEEDS = (0, 1)
OURS, SAMPLES, OTHER = "orrery", "orrery-samples", "tomotopy-lda"
TITLES = {OURS: "**Orrery**", SAMPLES: "**Orrery**, samples", OTHER: "LDA, tomotopy"}
# Share of the documents in a sample.
SAMPLE = 0.8
# Correlation from which a topic counts as nearly the same.
NEARLY_SAME = 0.8
# LDA gives every topic a share in every document by its prior. With many topics it is below this,
# and a word of the document adds more.
MIN_SHARE = 0.005
# The last three played no part in choosing how Orrery learns.
SETS: Mapping[str, Source] = {
    **{name: CORPORA[name] for name in ("tiny20", "bbc", "nips")},
    "nips_abstracts": FRESH["nips_abstracts"],
    **{
        name: Source(LABELLED[name].title, lambda name=name: LABELLED[name].read().corpus)
        for name in ("googlenews", "stackoverflow")
    },
}
ABOUT = f"""Each system is trained {len(SEEDS)} times on all documents with its default settings,
which differ only in the seed; LDA has as many topics as Orrery has with the first seed. The topics
of every two trainings are matched by the correlation of their probabilities (of their shares in
LDA) over the documents (`orrery.core.evaluation.topic_matching`). *Correlation* is the mean
over all topics, 0 for a topic without a partner; *nearly the same* is the share of topics with a
correlation of {NEARLY_SAME} or more, *found again* the share that is matched above chance. Shares
of LDA below {MIN_SHARE} count as 0: the prior gives them to every topic.
All seeds of Orrery share the validation set and the initial weights, so its first row shows how
far the order of the documents and random sampling decide the topics. The row *samples* shows how
far the documents decide them: each training has another seed and a random {100 * SAMPLE:.0f} % of
the documents.
The last three corpora played no part in choosing how Orrery learns.
"""


def run(settings: Settings) -> Figures:
    """Train on the corpora asked for; the figures of other corpora stay."""
    return compare_corpora(PART.name, SETS, ("bbc",), _compare, settings)


def _compare(source: Source, settings: Settings) -> list[dict[str, Any]]:
    corpus = source.corpus(is_quick=settings.quick)
    seeds = settings.pick(SEEDS, QUICK_SEEDS)
    ours = [_our_topics(corpus, seed, settings) for seed in seeds]
    samples = [_our_topics(corpus, seed, settings, SAMPLE) for seed in seeds]
    rows = [
        {"system": OURS, **_agreement(corpus, ours)},
        {"system": SAMPLES, **_agreement(corpus, samples)},
    ]
    if find_system(OTHER).is_installed():
        n_topics = ours[0].shape[1]
        others = [_topics_of_lda(corpus, n_topics, seed) for seed in seeds]
        rows.append({"system": OTHER, **_agreement(corpus, others)})
    else:
        log.warning("%s is left out: its package is not installed", OTHER)
    log.info("%s: %s", source.title, rows)
    return [{"documents": corpus.n_documents, **row} for row in rows]


def _our_topics(
    corpus: Corpus, seed: int, settings: Settings, share: float = 1.0
) -> sparse.csr_array:
    """P(on) of the topics in all documents, shape (n_documents, n_topics).

    The training has a random ``share`` of the documents.
    """
    every = np.arange(corpus.n_documents, dtype=np.int64)
    order = np.random.default_rng(seed).permutation(every)
    sample = corpus.subset(np.sort(order[: round(share * len(every))]))
    model = NoisyOrTopics(random_state=seed, **settings.pick({}, {"epochs": 2})).fit(sample)
    return infer_activations(model.network_, corpus, every)


def _topics_of_lda(corpus: Corpus, n_topics: int, seed: int) -> sparse.csr_array:
    """Shares of the topics in all documents, shape (n_documents, n_topics)."""
    presence = corpus.to_csr()
    system = make_system(OTHER, n_topics, seed).fit(presence)
    shares = system.infer(presence)
    return sparse.csr_array(np.where(shares >= MIN_SHARE, shares, 0.0))


def _agreement(corpus: Corpus, topics: list[sparse.csr_array]) -> dict[str, float]:
    """Means over all ordered pairs of trainings."""
    lengths = np.diff(corpus.token_ptr)
    found = []
    for own, other in combinations(topics, 2):
        match = match_topics(own, other, lengths)
        # Pairs are the same in both directions, but their share of the topics is not.
        for n_topics in (own.shape[1], other.shape[1]):
            paired = match.correlation[match.partner >= 0]
            found.append(
                (
                    paired.sum() / n_topics,
                    (paired >= NEARLY_SAME).sum() / n_topics,
                    match.is_match.sum() / n_topics,
                )
            )
    correlation, nearly_same, found_again = np.mean(found, axis=0)
    return {
        "topics": float(np.mean([own.shape[1] for own in topics])),
        "correlation": float(correlation),
        "nearly_same": float(nearly_same),
        "found_again": float(found_again),
    }


def show(figures: Figures) -> str:
    """Table with a row for each corpus and system."""
    header = ["corpus", "system", "topics", "correlation", "nearly the same", "found again"]
    lines = []
    for name, rows in figures["rows"].items():
        for row in rows:
            first = f"{SETS[name].title}, {number(row['documents'], 0)}" if row is rows[0] else ""
            shares = [f"{row[key]:.0%}" for key in ("nearly_same", "found_again")]
            counts = [number(row["topics"], 0), number(row["correlation"], 3)]
            lines.append([first, TITLES[row["system"]], *counts, *shares])
    return f"{ABOUT}\n{table(header, lines)}\n\n{_summary(figures)}\n"


def _summary(figures: Figures) -> str:
    found = [
        {row["system"]: row["correlation"] for row in rows} for rows in figures["rows"].values()
    ]
    compared = [each for each in found if OTHER in each]
    wins = sum(each[OURS] > each[OTHER] for each in compared)
    return f"Orrery's topics are more stable than LDA's on {wins} of {len(compared)} corpora."


def missing(figures: Figures | None) -> list[str]:
    """Corpora and systems that the table lacks."""
    rows = figures["rows"] if figures else {}
    lacks = [f"seeds on {SETS[name].title}" for name in SETS if name not in rows]
    whose = {OURS: "Orrery's seeds", SAMPLES: "Orrery's samples", OTHER: "LDA's seeds"}
    for name, present in rows.items():
        systems = {row["system"] for row in present}
        lacks += [f"{whose[each]} on {SETS[name].title}" for each in TITLES if each not in systems]
    return lacks


PART = Part("seeds", "Stability between five seeds", 100, run, show)
