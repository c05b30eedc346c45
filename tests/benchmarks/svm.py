"""The classifier of Ji et al. (2019, §6.1) on any features, as the product has it."""

from __future__ import annotations

from scipy import sparse

from orrery.core.evaluation import classification
from tests.benchmarks.data import Split


def accuracy(
    train_features: sparse.csr_array, test_features: sparse.csr_array, split: Split
) -> float:
    """Share of test documents that get their own label."""
    labels = split.corpus.documents["label"].to_numpy(dtype=object)
    table = classification.standardise(train_features.toarray())
    machine = classification.fit_machine(table, labels[split.train], split.seed)
    reported = machine.predict(classification.standardise(test_features.toarray()))
    return float((reported == labels[split.test].astype(str)).mean())


def majority(split: Split) -> float:
    """Accuracy of the label that is most frequent in training."""
    labels = split.corpus.documents["label"].to_numpy(dtype=object)
    return classification.majority_accuracy(labels[split.train], labels[split.test])
