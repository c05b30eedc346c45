"""Labelled corpora on which other topic models are evaluated, with their division."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy import sparse
from sklearn.feature_extraction.text import CountVectorizer

from orrery.core.data.corpus import Corpus
from orrery.core.utils.types import Int64Array
from tests.benchmarks.data import binary_corpus, data_file

QUICK_DOCUMENTS, QUICK_WORDS = 400, 200


@dataclass(frozen=True, eq=False)
class LabelledSet:
    """Documents with labels.

    Attributes
    ----------
    corpus : Corpus
        All documents, with the labels in the column ``label``.
    counts : csr_array, shape (n_documents, n_words)
        How often each word is in each document, for systems that model counts.
    train, test : int64 arrays
        Documents to train on, and documents whose clusters are compared with the labels. They are
        the same where the papers cluster the documents that they train on.
    """

    corpus: Corpus
    counts: sparse.csr_array
    train: Int64Array
    test: Int64Array


@dataclass(frozen=True)
class LabelledSource:
    """A labelled corpus of the evidence page.

    Attributes
    ----------
    title : str
    about : str
        Pre-processing and division, one sentence.
    read : function
        Raises MissingData if the corpus is not available.
    """

    title: str
    about: str
    read: Callable[[], LabelledSet] = field(repr=False)

    def documents(self, *, is_quick: bool = False) -> LabelledSet:
        """All of it, or a little for a quick run."""
        whole = self.read()
        if not is_quick:
            return whole
        order = np.random.default_rng(0).permutation(whole.corpus.n_documents)[:QUICK_DOCUMENTS]
        presence = whole.corpus.to_csr()[order]
        frequency = np.asarray(presence.sum(axis=0)).ravel()
        words = np.sort(np.argsort(-frequency, kind="stable")[:QUICK_WORDS])
        labels = whole.corpus.documents["label"].to_numpy(dtype=object)[order]
        names = [whole.corpus.vocabulary[word] for word in words]
        is_test = np.isin(order, whole.test)
        is_train = np.isin(order, whole.train)
        little = _labelled(sparse.csr_array(presence[:, words]), names, labels)
        counts = sparse.csr_array(whole.counts[order][:, words])
        return LabelledSet(little, counts, np.flatnonzero(is_train), np.flatnonzero(is_test))


def _topmost_news() -> LabelledSet:
    parts = [
        sparse.csr_array(sparse.load_npz(data_file(f"topmost20ng/{part}_bow.npz")))
        for part in ("train", "test")
    ]
    labels = [
        data_file(f"topmost20ng/{part}_labels.txt").read_text("utf-8").split()
        for part in ("train", "test")
    ]
    words = data_file("topmost20ng/vocab.txt").read_text("utf-8").split("\n")
    counts = sparse.csr_array(sparse.vstack(parts, format="csr"), dtype=np.float64)
    presence = sparse.csr_array(counts > 0)
    corpus = _labelled(presence, words[: presence.shape[1]], [*labels[0], *labels[1]])
    n_train = parts[0].shape[0]
    return LabelledSet(corpus, counts, np.arange(n_train), np.arange(n_train, corpus.n_documents))


def _octis_bbc() -> LabelledSet:
    rows = pd.read_csv(data_file("bbc/corpus.tsv.xz"), sep="\t", header=None, quoting=3, dtype=str)
    corpus, counts = _of_texts(rows[0], rows[2])
    is_test = (rows[1] == "test").to_numpy()
    return LabelledSet(corpus, counts, np.flatnonzero(~is_test), np.flatnonzero(is_test))


def _short(name: str) -> LabelledSet:
    rows = pd.read_csv(data_file(f"short/{name}.csv.xz"), dtype=str)
    corpus, counts = _of_texts(rows["text"], rows["label"])
    every = np.arange(corpus.n_documents)
    return LabelledSet(corpus, counts, every, every)


def _of_texts(texts: pd.Series, labels: pd.Series) -> tuple[Corpus, sparse.csr_array]:
    counter = CountVectorizer(analyzer=str.split)
    counts = sparse.csr_array(counter.fit_transform(texts.fillna("")), dtype=np.float64)
    words = counter.get_feature_names_out().tolist()
    return _labelled(sparse.csr_array(counts > 0), words, labels.to_numpy()), counts


def _labelled(presence: sparse.csr_array, words: list[str], labels: npt.ArrayLike) -> Corpus:
    corpus = binary_corpus(presence, words)
    return replace(corpus, documents=corpus.documents.assign(label=np.asarray(labels, object)))


ALL = "pre-processed by its authors; trained and clustered on all documents, as in their papers"
LABELLED = {
    "topmost20ng": LabelledSource(
        "20 Newsgroups (TopMost)",
        "the arrays of TopMost: 5,000 words, trained on its training part, clustered on its "
        "test part",
        _topmost_news,
    ),
    "bbc": LabelledSource(
        "BBC (OCTIS)",
        "the pre-processed texts of OCTIS, trained on its training and validation parts, "
        "clustered on its test part",
        _octis_bbc,
    ),
    "googlenews": LabelledSource("GoogleNews", ALL, lambda: _short("googlenews")),
    "searchsnippets": LabelledSource("SearchSnippets", ALL, lambda: _short("searchsnippets")),
    "stackoverflow": LabelledSource("StackOverflow", ALL, lambda: _short("stackoverflow")),
}
