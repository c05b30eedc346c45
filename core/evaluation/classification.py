"""Classification of documents by their topics (Ji et al. 2019, §6.1)."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.svm import LinearSVC

from ..data.corpus import Corpus
from ..inference.infer import infer_activations
from ..model.network import Network
from ..utils.errors import InputError
from ..utils.types import FloatArray, Int64Array, ObjectArray

# Standardised features of some documents, shape (n_rows, n_features).
Features = Callable[[Corpus, Int64Array], FloatArray]

FOLDS = 5
# Powers of ten: a finer grid is no more accurate, and larger values take long and gain little.
STRENGTHS = (0.001, 0.01, 0.1, 1.0, 10.0)
# A tenth of scikit-learn's precision: as accurate on held-out documents, and faster.
TOLERANCE = 1e-3
# Standardised features are dense: these take 160 MB, and a multiple of that in the SVMs.
MAX_FEATURES = 20_000_000


@dataclass(frozen=True)
class Classification:
    """Accuracy of the labels that are predicted for held-out documents."""

    accuracy: float  # share of the labelled held-out documents whose label is predicted correctly
    c: float  # regularisation parameter of the SVMs, found by cross-validation
    majority: float  # accuracy of the baseline: always the label most frequent in training


def classify(
    network: Network, corpus: Corpus, train_rows: Int64Array, test_rows: Int64Array, *, seed: int
) -> Classification:
    """Classify by the posterior probabilities of the topics, see `classify_by`.

    Raises InputError if there are too few labels to train on or to evaluate on, or the network has
    no topic.
    """
    if network.graph.n_topics == 0:
        raise InputError("the model has no topics to classify by; train one that has")
    return classify_by(
        partial(features, network),
        network.graph.n_topics,
        corpus,
        train_rows,
        test_rows,
        seed=seed,
    )


def classify_by(
    find_features: Features,
    n_features: int,
    corpus: Corpus,
    train_rows: Int64Array,
    test_rows: Int64Array,
    *,
    seed: int,
) -> Classification:
    """Train one-vs-all linear SVMs on some documents and evaluate them on others.

    C is chosen by five-fold cross-validation on the training documents; among equally good values,
    the smallest. Raises InputError if there are too few labels to train on or to evaluate on.

    Parameters
    ----------
    find_features : function of a corpus and some of its rows
        Returns a float64 array, shape (n_rows, n_features), standardised within each document.
    corpus : Corpus
        Documents without a label are left out.
    train_rows, test_rows : int64 arrays
        If the features of all training documents are more than `MAX_FEATURES` numbers, a random
        sample of the documents is used.
    seed : int
        Seed of the sample, the folds and the SVMs.
    """
    labels = corpus.documents["label"].to_numpy(dtype=object)
    train_rows, test_rows = _labelled(labels, train_rows), _labelled(labels, test_rows)
    _check_labels(labels, train_rows, test_rows)
    size = max(1, MAX_FEATURES // n_features)
    if len(train_rows) > size:
        train_rows = np.sort(np.random.default_rng(seed).choice(train_rows, size, replace=False))
    machine = fit_machine(find_features(corpus, train_rows), labels[train_rows], seed)
    # In parts, so that no table is larger than that of the training.
    parts = np.split(test_rows, range(size, len(test_rows), size))
    predicted = np.concatenate([machine.predict(find_features(corpus, part)) for part in parts])
    return Classification(
        accuracy=float((predicted == labels[test_rows].astype(str)).mean()),
        c=float(machine.best_params_["C"]),
        majority=majority_accuracy(labels[train_rows], labels[test_rows]),
    )


def majority_accuracy(train_labels: ObjectArray, test_labels: ObjectArray) -> float:
    """Share of the test documents that have the most frequent label of the training documents."""
    names, counts = np.unique(train_labels.astype(str), return_counts=True)
    return float((test_labels.astype(str) == names[np.argmax(counts)]).mean())


def features(network: Network, corpus: Corpus, rows: Int64Array) -> FloatArray:
    """Standardised posterior probabilities of the topics, shape (n_rows, n_topics)."""
    return standardise(infer_activations(network, corpus, rows).toarray())


def standardise(table: FloatArray) -> FloatArray:
    """Subtract the mean of each row and divide by its standard deviation.

    A constant row becomes zeros.
    """
    is_constant = np.ptp(table, axis=1) == 0.0
    dense = table - table.mean(axis=1, keepdims=True)
    deviation = dense.std(axis=1, keepdims=True)
    # The mean of equal numbers may differ from them by a rounding error, which must not grow.
    dense[is_constant] = 0.0
    deviation[is_constant] = 1.0
    dense /= deviation
    return np.asarray(dense, dtype=np.float64)


def _labelled(labels: ObjectArray, rows: Int64Array) -> Int64Array:
    is_labelled = np.array([isinstance(label, str) for label in labels[rows]], dtype=bool)
    return np.asarray(rows[is_labelled], dtype=np.int64)


def _check_labels(labels: ObjectArray, train_rows: Int64Array, test_rows: Int64Array) -> None:
    if not any(isinstance(label, str) for label in labels):
        raise InputError(
            "the documents of this corpus have no labels to classify by; import it with "
            "--label-column, or leave out --classify"
        )
    _, counts = np.unique(labels[train_rows].astype(str), return_counts=True)
    if (counts >= FOLDS).sum() < 2:
        raise InputError(
            "there are too few labels to learn from; "
            f"classification needs two that have {FOLDS} training documents each"
        )
    if len(test_rows) == 0:
        raise InputError("no held-out document has a label; hold more out when training")


def fit_machine(table: FloatArray, labels: ObjectArray, seed: int) -> Any:
    """SVMs with the best C, fitted to the whole table."""
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=seed)
    machine = LinearSVC(tol=TOLERANCE, random_state=seed)
    search = GridSearchCV(machine, {"C": list(STRENGTHS)}, cv=folds)
    with warnings.catch_warnings():
        # Labels with fewer documents than folds are missing in some folds, which does no harm.
        warnings.filterwarnings("ignore", "The least populated class", UserWarning)
        # Large C on separable labels does not converge; cross-validation still compares the result.
        warnings.simplefilter("ignore", ConvergenceWarning)
        search.fit(table, labels.astype(str))
    return search
