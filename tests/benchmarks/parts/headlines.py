"""Supplement 4.1 of Yan et al. (2020): classes of Reuters headlines predicted from their topics."""

from __future__ import annotations

import time
import warnings
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV
from sklearn.multiclass import OneVsRestClassifier
from sklearn.svm import LinearSVC

from orrery.core.evaluation.classification import FOLDS, STRENGTHS, TOLERANCE
from orrery.core.utils.types import BoolArray, FloatArray
from tests.benchmarks.markdown import number, table
from tests.benchmarks.noisy_or_fits import Documents
from tests.benchmarks.noisy_or_topics import HOW, NAMES, learned
from tests.benchmarks.part import Figures, Part, Settings, log
from tests.benchmarks.whole_texts import MIN_DOCUMENTS, counted, reuters_articles

CLASSES = ("acq", "earn", "money-fx")
TOPICS, SIZES, CHOOSING = 50, (500, 5_048), 10
WORDS = "words themselves"
ABOUT = f"""Headlines of the articles of Reuters-21578 on {", ".join(CLASSES)}, split as in the
paper, {TOPICS} topics; words in fewer than {MIN_DOCUMENTS} training headlines are left out, and
nothing is lemmatised. One in {CHOOSING} of the training headlines is for validation. {HOW}Linear
SVMs, one per class, use the probabilities of the topics; C is chosen by {FOLDS}-fold
cross-validation on all documents that the topics were learned from. *Exact match* is the share of
test headlines with all {len(CLASSES)} classes correct. The paper shows curves without numbers.
"""


def run(settings: Settings) -> Figures:
    """Learn topics from few headlines and from all, and classify by them."""
    train, test = (
        [article for article in part if set(CLASSES) & set(article.topics)]
        for part in reuters_articles()
    )
    titles = counted([a.title for a in train], [a.title for a in test], binary=True)
    labels = [np.array([[name in a.topics for name in CLASSES] for a in part])
              for part in (train, test)]  # fmt: skip
    order = np.random.default_rng(0).permutation(len(train))
    rows: list[dict[str, Any]] = []
    for size in settings.pick(SIZES, (300,)):
        chosen = order[:size]
        own, classes = titles.train[chosen], labels[0][chosen]
        few = len(chosen) // CHOOSING
        documents = Documents(own[few:], own[:few])
        row: dict[str, Any] = {"train": len(chosen), "exact_match": {}, "seconds": {}}
        row["exact_match"][WORDS] = exact_match(own, classes, titles.test, labels[1])
        for name in NAMES:
            begin = time.perf_counter()
            found = learned(name, TOPICS, documents, settings.quick)
            row["seconds"][name] = time.perf_counter() - begin
            row["exact_match"][name] = exact_match(
                found.features(own), classes, found.features(titles.test), labels[1]
            )
            log.info("%d, %s: %.4f", size, name, row["exact_match"][name])
        rows.append(row)
    return {
        "headlines": [len(train), len(test)], "words": titles.train.shape[1],
        "commonest": commonest(*labels), "rows": rows,
    }  # fmt: skip


def exact_match(
    train: sparse.csr_array | FloatArray,
    train_labels: BoolArray,
    test: sparse.csr_array | FloatArray,
    test_labels: BoolArray,
) -> float:
    """Share of the test documents with all classes predicted correctly by SVMs."""
    machine = OneVsRestClassifier(LinearSVC(tol=TOLERANCE, random_state=0))
    search = GridSearchCV(machine, {"estimator__C": list(STRENGTHS)}, cv=FOLDS)
    with warnings.catch_warnings():
        # As in `classification`: C is chosen by cross-validation.
        warnings.simplefilter("ignore", ConvergenceWarning)
        search.fit(train, train_labels)
    return float(search.score(test, test_labels))


def commonest(train: BoolArray, test: BoolArray) -> float:
    """Exact match of always predicting the most frequent set of classes, the baseline."""
    kinds, counts = np.unique(train, axis=0, return_counts=True)
    return float((test == kinds[np.argmax(counts)]).all(axis=1).mean())


def show(figures: Figures) -> str:
    """Table with a row for each size."""
    lines = [
        [number(row["train"], 0), *[f"{row['exact_match'][name]:.1%}" for name in (*NAMES, WORDS)],
         *[number(row["seconds"][name], 0) for name in NAMES]]
        for row in figures["rows"]
    ]  # fmt: skip
    head = ["headlines", *[f"**{name}**" if name == "exact" else name for name in NAMES], WORDS]
    train, test = figures["headlines"]
    return (
        f"{ABOUT}\n{table([*head, *[f'seconds, {name}' for name in NAMES]], lines)}\n\n"
        f"{train:,} training and {test:,} test headlines, {figures['words']:,} words; "
        f"always predicting the most frequent class matches {figures['commonest']:.1%}.\n"
    )


def verdicts(figures: Figures) -> list[list[str]]:
    """Rows of the table of claims: ACP and AVI with few and with many headlines."""
    found = []
    few, *_, many = sorted(figures["rows"], key=lambda row: row["train"])
    for row, better, worse in ((few, "ACP", "AVI"), (many, "AVI", "ACP")):
        match = row["exact_match"]
        values = ", ".join(f"{name} {match[name]:.1%}" for name in NAMES)
        found.append(
            [f"{better}, classes of headlines", "Yan et al. (2020), supplement",
             f"more accurate than {worse} with {'few' if better == 'ACP' else 'many'} headlines",
             f"{row['train']:,}: {values}",
             "holds" if match[better] > match[worse] else "does not hold"]
        )  # fmt: skip
    return found


PART = Part("headlines", "Classification of headlines", 15, run, show)
