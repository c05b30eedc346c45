"""Ranking of the nearest documents, measured by labels.

``python -m tests.benchmarks.nearest_documents CORPUS RUN``, with the folders of a labelled corpus
and of a run that was trained on it.

A query is a few words of a document, drawn by how often they are in it and how rare they are, or
the whole document. A document with the same label is relevant. Printed for each way to rank: the
mean precision of the first five documents without the one that the query is from, and the mean
log-length of these; a ranking that does not favour long texts equals the relevant documents in it.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from scipy import sparse

from orrery.core.data.corpus import Corpus
from orrery.core.data.recipe import tokenize
from orrery.core.inference.evidence import Evidence
from orrery.core.inference.infer import infer
from orrery.core.inference.nearest import (
    LENGTH_SHARE,
    SATURATION,
    nearest_documents,
    query_topics,
    topic_likeness,
    word_gains,
)
from orrery.core.model.topic_model import Run
from orrery.core.storage.activations import Activations, load_activations
from orrery.core.storage.corpora import load_corpus
from orrery.core.storage.runs import load_run
from orrery.core.utils.types import FloatArray, Int64Array

AT, MIN_TOKENS = 5, 15
WAYS = ("BM25 of the words and topics", "BM25 of the whole texts", "most words of the query")


def whole_texts(corpus: Corpus) -> tuple[sparse.csr_array, dict[str, int]]:
    """How often each word, also outside the vocabulary, is in each text."""
    number: dict[str, int] = {}
    rows, words = [], []
    for row, text in enumerate(corpus.documents["text"]):
        for word in tokenize(corpus.recipe, text):
            rows.append(row)
            words.append(number.setdefault(word, len(number)))
    shape = (corpus.n_documents, len(number))
    counts = sparse.csr_array((np.ones(len(rows)), (rows, words)), shape=shape)
    counts.sum_duplicates()
    return counts, number


def bm25(counts: sparse.csr_array) -> sparse.csr_array:
    """Weight of every word in every document."""
    length = np.asarray(counts.sum(axis=1)).ravel()
    frequency = np.diff(counts.tocsc().indptr)
    rarity = np.log1p((counts.shape[0] - frequency + 0.5) / (frequency + 0.5))
    norm = SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * length / length.mean())
    found = counts.copy()
    own = np.repeat(norm, np.diff(counts.indptr))
    found.data = found.data * (SATURATION + 1) / (found.data + own) * rarity[found.indices]
    return found


def most_words(corpus: Corpus, gain: FloatArray, tokens: tuple[int, ...], count: int) -> Int64Array:
    """Earlier ranking: most words of the query, then the gains over the root of the length."""
    presence, length = corpus.to_csr(), np.diff(corpus.token_ptr)
    score = (presence @ gain) / np.sqrt(np.maximum(length, 1))
    found = np.asarray(presence[:, list(set(tokens))].sum(axis=1)).ravel()
    near = np.flatnonzero(score > 0)
    return near[np.lexsort((-score[near], -found[near]))][:count]


def queries(
    corpus: Corpus, counts: sparse.csr_array, number: dict[str, int], n: int
) -> Iterator[tuple[str, int, tuple[int, ...]]]:
    """Kind, document and tokens of each query."""
    random = np.random.default_rng(0)
    rarity = -np.log(corpus.document_frequency() / corpus.n_documents)
    place = np.array([number[word] for word in corpus.vocabulary])
    rows = [row for row in random.permutation(corpus.n_documents).tolist()
            if len(corpus.tokens_of(row)) >= MIN_TOKENS]  # fmt: skip
    for row in rows[:n]:
        tokens = corpus.tokens_of(row)
        weight = counts[[row]].toarray().ravel()[place[tokens]] * rarity[tokens]
        for size in (2, 3):
            drawn = random.choice(tokens, size, replace=False, p=weight / weight.sum())
            yield f"{size} words", row, tuple(sorted(drawn.tolist()))
        times = counts[[row]].toarray().ravel()[place[tokens]].astype(int)
        yield "whole text", row, tuple(np.repeat(tokens, times).tolist())


def rankings(
    corpus: Corpus, run: Run, stored: Activations, query: tuple[str, int, tuple[int, ...]]
) -> dict[str, Int64Array]:
    """The first documents of each way except BM25 over whole texts, best first."""
    kind, row, tokens = query
    if kind == "whole text":
        # The topics of a whole text are stored; the earlier ranking had its words alone.
        topics = np.zeros(run.network.graph.n_topics)
        here = np.flatnonzero(stored.rows == row)
        topics = stored.probability[here].toarray().ravel() if len(here) else topics
        own = list(set(tokens))
        frequency = np.maximum(corpus.document_frequency() / corpus.n_documents, 1e-5)
        gain = np.zeros(corpus.n_tokens)
        gain[own] = -np.log(frequency[own])
    else:
        posterior = infer(run.network, Evidence(tokens, closed_world=False))
        topics = query_topics(run.network.graph.n_topics, posterior)
        gain = word_gains(run.network, posterior).gain
    likeness = topic_likeness(stored.probability, stored.rows, corpus.n_documents, topics)
    return {
        WAYS[0]: nearest_documents(corpus, AT + 1, tokens, likeness=likeness)[0],
        WAYS[2]: most_words(corpus, gain, tokens, AT + 1),
    }


def measure(corpus: Corpus, run: Run, n: int) -> dict[str, dict[str, tuple[float, float]]]:
    """Mean precision and mean log-length, by the kind of query and the way to rank."""
    stored = load_activations(run.folder / "model")
    assert stored is not None
    labels = corpus.documents["label"].to_numpy(str)
    counts, number = whole_texts(corpus)
    weighted = bm25(counts)
    place = np.array([number[word] for word in corpus.vocabulary])
    length = np.log(np.maximum(np.asarray(counts.sum(axis=1)).ravel(), 1.0))
    found: dict[str, dict[str, list[tuple[float, float]]]] = defaultdict(lambda: defaultdict(list))
    for kind, row, tokens in queries(corpus, counts, number, n):
        ways = rankings(corpus, run, stored, (kind, row, tokens))
        wanted = np.zeros(counts.shape[1])
        wanted[place[list(tokens)]] = 1.0
        if kind == "whole text":
            wanted = counts[[row]].toarray().ravel()
        ways[WAYS[1]] = np.argsort(-(weighted @ wanted), kind="stable")[: AT + 1]
        for way, rows in ways.items():
            first = rows[rows != row][:AT]
            share = float((labels[first] == labels[row]).sum()) / AT
            found[kind][way].append((share, float(length[first].mean()) if len(first) else np.nan))
        found[kind]["(relevant documents)"].append((1.0, length[labels == labels[row]].mean()))
    return {
        kind: {way: tuple(np.nanmean(values, axis=0)) for way, values in ways.items()}
        for kind, ways in found.items()
    }


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.nearest_documents")
    parser.add_argument("corpus", type=Path)
    parser.add_argument("run", type=Path)
    parser.add_argument("--queries", type=int, default=200, help="documents to take queries from")
    chosen = parser.parse_args()
    corpus = load_corpus(chosen.corpus)
    lines = ["| query | ranking | precision at 5 | mean log-length |", "|---|---|---|---|"]
    for kind, ways in measure(corpus, load_run(chosen.run), chosen.queries).items():
        for way, (precision, length) in sorted(ways.items(), key=lambda pair: -pair[1][0]):
            lines.append(f"| {kind} | {way} | {precision:.3f} | {length:.2f} |")
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
