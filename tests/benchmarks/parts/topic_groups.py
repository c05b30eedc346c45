"""Topic groups: whether topics of one group are more similar than others, in held-out documents."""

from __future__ import annotations

import tempfile
from pathlib import Path
from statistics import mean
from typing import Any

import numpy as np
from scipy import sparse

from orrery.core.evaluation.coherence import top_words
from orrery.core.model.topic_groups import MIN_FOUND_AGAIN, MIN_SUBTREES, TopicGroups
from orrery.core.model.topic_model import Run
from orrery.core.storage.corpora import save_corpus
from orrery.core.storage.runs import load_run
from orrery.core.utils.types import Int64Array
from tests.benchmarks.alone import orrery
from tests.benchmarks.corpora import CORPORA, FRESH, Source
from tests.benchmarks.data import binary_corpus
from tests.benchmarks.markdown import MISSING, number, table
from tests.benchmarks.part import Figures, Part, Settings, log
from tests.benchmarks.parts.structures import compare_corpora

# Corpora whose topics are below a few root topics have no groups.
NAMES = ("nips", "dblp", "arxiv_titles", "bbc", "news20", "nips_abstracts", "brown")
SOURCES = {name: {**CORPORA, **FRESH}[name] for name in NAMES}
# Corpora on which the clustering method was chosen.
CHOSEN_BY = ("nips", "dblp", "arxiv_titles", "bbc")
QUICK_CORPORA = ("bbc",)
SEEDS = (0, 1, 2)
UNSEEN = 0.1
# Corpus that was not used for this choice, whose groups are listed with their first topics.
SHOWN, TOPICS_SHOWN = "brown", 4
FRESH_TITLES = ", ".join(SOURCES[name].title for name in NAMES if name not in CHOSEN_BY)
ABOUT = f"""Topics whose documents use similar words form a group for the reader
(`orrery.core.model.topic_groups`); groups do not affect inference. There are no groups if there are
fewer than {MIN_SUBTREES} subtrees without a common parent, or if fewer than
{100 * MIN_FOUND_AGAIN:.0f} % of them find their group again from one half of the documents to the
other. A tenth of the documents was removed before training. On these documents, the co-occurrence
of the words of two topics (ten words each, without common ones) is divided by the co-occurrence
expected under independence, summed over all pairs of root topics in *one group* and over all
*other* pairs. *Better*: groups whose words co-occur more than in other pairs. {FRESH_TITLES}
were not used during development.
"""


def run(settings: Settings) -> Figures:
    """Arrange the topics of the corpora asked for; the figures of other corpora stay."""
    return compare_corpora(PART.name, SOURCES, QUICK_CORPORA, _arranged, settings)


def _arranged(source: Source, settings: Settings) -> list[dict[str, Any]]:
    corpus = source.corpus(is_quick=settings.quick)
    presence, rows = sparse.csr_array(corpus.to_csr()), []
    for seed in settings.pick([seed for seed in SEEDS if seed in settings.splits], SEEDS[:1]):
        order = np.random.default_rng(seed).permutation(corpus.n_documents)
        unseen, known = np.split(order, [int(UNSEEN * corpus.n_documents)])
        with tempfile.TemporaryDirectory() as folder:
            given = binary_corpus(presence[np.sort(known)], corpus.vocabulary)
            save_corpus(given, Path(folder, "corpus"))
            place = Path(folder, "run")
            options = ["--seed", seed, *settings.pick([], ["--epochs", 2])]
            orrery("train", Path(folder, "corpus"), "--out", place, *options)
            trained = load_run(place)
        counts = {"seed": seed, "documents": corpus.n_documents, "words": corpus.n_tokens}
        rows.append({**counts, **evaluated(trained, sparse.csc_array(presence[unseen]))})
        log.info("%s: %s", source.title, rows[-1])
    return rows


def evaluated(trained: Run, unseen: sparse.csc_array) -> dict[str, Any]:
    """Metrics of the topic groups of a model, on held-out documents.

    Parameters
    ----------
    trained : Run
    unseen : csc_array, shape (n_documents, n_tokens)
    """
    n_topics = trained.network.graph.n_topics
    heads = np.setdiff1d(
        np.flatnonzero(trained.main_parents[:n_topics] < 0), [*trained.hidden_topics]
    )
    found = {"topics": n_topics, "families": len(heads), "shelves": len(trained.topic_group_names)}
    if trained.topic_groups is None:
        return found
    group, words = trained.topic_groups.of[heads], top_words(trained.network, trained.vocabulary)
    is_together = (group[:, None] == group) & (group >= 0)[:, None]
    above = np.triu(np.ones((len(heads), len(heads)), np.bool_), 1)
    others = _relative_co_occurrence(unseen, words, heads[np.argwhere(~is_together & above)])
    each = [
        heads[np.argwhere(np.outer(group == one, group == one) & above)]
        for one in range(found["shelves"])
    ]
    return {
        **found,
        "standing": float((group >= 0).mean()),
        "together": _relative_co_occurrence(unseen, words, np.concatenate(each)),
        "others": others,
        "better": sum(_relative_co_occurrence(unseen, words, pairs) > others for pairs in each),
        "read": _read(trained, trained.topic_groups, heads),
    }


def _relative_co_occurrence(
    presence: sparse.csc_array, words: list[Int64Array], pairs: Int64Array
) -> float:
    """Co-occurrence of the words of pairs of topics, over its value under independence."""
    frequency = np.diff(presence.indptr) / presence.shape[0]
    # Those that both have meet themselves.
    together = (presence.T @ presence).tocsr() / presence.shape[0]
    met = leak = 0.0
    for first, second in pairs.tolist():
        own, other = (
            np.setdiff1d(words[a], words[b]) for a, b in ((first, second), (second, first))
        )
        met += float(together[own][:, other].sum())
        leak += float(frequency[own].sum() * frequency[other].sum())
    return met / leak if leak else 0.0


def _read(trained: Run, topic_groups: TopicGroups, heads: Int64Array) -> list[list[Any]]:
    """Names of the groups, their numbers of root topics, and the most frequent root topics."""
    order = heads[np.lexsort((heads, -trained.prior[heads]))].tolist()
    read = []
    for group, name in enumerate(trained.topic_group_names):
        here = [topic for topic in order if topic_groups.of[topic] == group]
        read.append([name, len(here), [trained.topic_labels[t] for t in here[:TOPICS_SHOWN]]])
    return sorted(read, key=lambda line: -line[1])


def show(figures: Figures) -> str:
    """Table with a row for each corpus, and the groups of one corpus."""
    header = ["corpus", "topics", "root topics", "groups", "root topics in a group"]
    header += ["co-occurrence, one group", "others", "better"]
    lines = [_line(name, rows) for name, rows in figures["rows"].items()]
    page = f"{ABOUT}\n{table(header, lines)}\n"
    read = next((row["read"] for row in figures["rows"].get(SHOWN, ()) if "read" in row), ())
    if not read:
        return page
    items = [f"- **{name}** ({count}): {'; '.join(topics)}" for name, count, topics in read]
    return (
        f"{page}\nThe topic groups of {SOURCES[SHOWN].title}, seed 0:\n\n" + "\n".join(items) + "\n"
    )


def _line(name: str, rows: list[dict[str, Any]]) -> list[str]:
    def average(key: str, digits: int, among: list[dict[str, Any]], times: float = 1.0) -> str:
        values = [times * row[key] for row in among]
        return number(mean(values), digits) if values else MISSING

    arranged = [row for row in rows if "standing" in row]
    size = f"{number(rows[0]['documents'], 0)} × {number(rows[0]['words'], 0)}"
    better, topic_groups = (sum(row[key] for row in arranged) for key in ("better", "shelves"))
    return [
        f"{SOURCES[name].title}, {size}",
        *(average(key, 1, rows) for key in ("topics", "families", "shelves")),
        f"{average('standing', 0, arranged, 100.0)} %" if arranged else MISSING,
        average("together", 2, arranged),
        average("others", 2, arranged),
        f"{better} of {topic_groups}" if topic_groups else MISSING,
    ]


PART = Part("shelves", "Topic groups", 45, run, show)
